import Foundation
import Merging
import Testing

@testable import SMSyncStores
@testable import Samples
@testable import StoreInterface

/// What the app queues after a file was decided, of which client and server are what they were.
@Suite("What waits since a file was decided") struct WaitingSinceTests {
  private static let id = ContainerDemoStore.uuid(1)

  private static let decisions: [(Subject, Choice)] = [
    (.field("content"), .take(.client)), (.field("content"), .take(.server)),
    (.field("content"), .edit(.text("both\n"))), (.record, .alternative("server")),
  ]

  private func container(_ uploads: [SampleUpload]) throws -> TestContainer {
    var file = SampleFile(Self.id, "note.txt", version: 4)
    (file.uploads, file.download) = (uploads, .file(4, Array("there\n".utf8)))
    return try TestContainer([file])
  }

  /// The last upload is the client's version, and the text between was there for nobody.
  @Test func uploadsBeforeTheLastAreSeen() throws {
    let more: [SampleUpload] = [.file("precious\n", .committed(1)), .file("here\n", .committed(2))]
    let before = try container([.file("here\n")]).open().conflict(Self.id)
    let now = try container([.file("here\n")] + more).open().conflict(Self.id)
    #expect(before.versions == now.versions)
    for (subject, choice) in Self.decisions {
      let decisions = before.decisions(about: [subject], in: Resolution(choices: [subject: choice]), at: 1)
      #expect(DecidedConflict(before, decisions: decisions).isDecided, "\(choice)")
      let decided = DecidedConflict(now, decisions: decisions)
      #expect(!decided.isDecided && decided.isMoved && decided.outdated.count == 1, "\(choice)")
    }
    #expect(before.moved(to: now) == "other uploads wait before the last one")
    #expect(now.moved(to: before) == "other uploads wait before the last one")
  }
  /// The app uploads the same text once more: both sides are what they were, and what is in the outbox is not about that.
  @Test func whatWasWrittenForSomethingElseDecidesNothing() throws {
    let container = try container([.file("here\n")])
    let store = try container.open()
    try keep(in: store)
    let seen = try store.conflict(Self.id)
    let draft = try #require(seen.draft(Resolution(choices: [.field("content"): .take(.client)])))
    #expect(
      try store.write([PlannedWrite(seen: seen, draft: draft)], note: nil).map(\.outcome) == [.fine])
    #expect(try summaries(of: store).map { $0.waitingSince != nil } == [true])
    try uploadAgain(in: container)
    let now = try #require(try summaries(of: store).first)
    #expect(now.waitingSince == nil && now.undecided == 1, "open again, as its finding says")
    #expect(now.outdated == 0 && !now.isMoved, "it has had its say")
    #expect(try findings(of: store).contains { $0.what == "the outbox is old" })
    try keep(in: store)
    #expect(try summaries(of: store).map(\.isReady) == [true], "decided anew")
  }

  private func keep(in store: SMSyncStore) throws {
    let resolution = Resolution(choices: [.field("content"): .take(.client)])
    let decisions = try store.conflict(Self.id).decisions(about: [.field("content")], in: resolution, at: 1)
    try store.journal.append(decisions)
  }

  private func uploadAgain(in container: TestContainer) throws {
    let name = "Temporary/again.dat"
    try Data("here\n".utf8).write(to: URL(filePath: container.documents + "/" + name))
    let archive = Value.blob(Blob(bytes: LocalURL.archive(documents: name)))
    try container.run(
      "UPDATE ZSMUPLOADOPERATION SET ZINTERNALRELATIVELOCALURL = ? WHERE ZINTERNALRELATIVELOCALURL NOT NULL",
      [archive])
  }
}
