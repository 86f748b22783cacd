import Merging
import StoreInterface
import Telling
import Testing

@testable import parley

/// A record that was deleted after its fields were decided.
@Suite struct DeletedSinceTests {
  private static func version(_ title: String) -> RecordVersion {
    .present(["title": FieldVersion(.text(title), time: 1)])
  }

  private static func conflict(_ client: RecordVersion) -> RecordConflict {
    RecordConflict(
      id: "1:notes", table: "notes", primaryKey: "1", title: "Milk", fields: [Field("title")],
      versions: ThreeWay(ancestor: version("Milk"), client: client, server: version("Soy milk")))
  }

  /// That it changed was told.
  @Test func showAndPlainTellThatItWasDeleted() {
    let subject = Subject.field("title")
    let decisions = Self.conflict(Self.version("Oat milk")).decisions(
      about: [subject], in: Resolution(choices: [subject: .take(.client)]), at: 1)
    let decided = DecidedConflict(Self.conflict(.deleted(time: nil)), decisions: decisions)
    let words = "the record was deleted on the client since"
    let shown = ConflictText(decided, width: nil).lines
    #expect(shown.contains { $0.hasPrefix("  no longer holds: ") && $0.hasSuffix("; \(words)") }, "\(shown)")
    #expect(!shown.contains { $0.contains("it changed") }, "\(shown)")
    let said = LinearText(time: TimeText(now: 0), words: StoreInfo.Words())
      .heading(decided, place: 1, of: 1)
    #expect(said.contains("What was decided about title no longer holds: \(words)."), "\(said)")
  }
}
