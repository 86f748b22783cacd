import Merging
import StoreInterface
import Testing

@testable import parley

/// What stands on standard error is pasted into a report with the rest.
@Suite("Errors of redacted reports")
struct RedactedErrorTests {
  private let session = Session(
    ["zebra-11", "zebra-12"].map {
      Samples.edited(
        $0, title: "Title \($0)", ancestor: ["title": .text("Title \($0)"), "priority": .integer(1)],
        client: ["title": .text("Title \($0)"), "priority": .integer(2)],
        server: ["title": (.text("Title \($0)"), 0), "priority": (.integer(1), 0)])
    })

  private func shown(_ key: String) -> String { session.redaction.privacy.shown(key) }

  @Test("Of several that could be meant, and of the nearest, each is called as in the report")
  func candidates() {
    _ = session.run("resolve a.sqlite --accept all")
    let both = ["zebra-11", "zebra-12"].map { shown($0) + ":reminders" }
    for command in ["show", "log"] {
      let several = session.run([command, "a.sqlite", "zebra-1", "--redact"]).errors
      #expect(several.contains("could be several records: \(both.joined(separator: ", "))."), "\(several)")
      let unknown = session.run([command, "a.sqlite", "zebr-12", "--redact"]).errors
      #expect(unknown.contains("Nearest: ") && unknown.contains(both[1]), "\(unknown)")
      #expect(!unknown.contains("zebra"), "\(unknown)")
    }
    #expect(session.run("show a.sqlite zebra-1").errors.contains("zebra-11:reminders"))
  }

  @Test("So is what was written already, where its hash was typed")
  func written() {
    let name = shown("zebra-11") + ":reminders"
    _ = session.run("resolve a.sqlite zebra-11 --accept all")
    _ = session.run("write a.sqlite zebra-11 --yes")
    let errors = session.run(["show", "a.sqlite", name, "--redact"]).errors
    #expect(errors.hasPrefix("parley: \(name) was written at ") && !errors.contains("zebra"), "\(errors)")
  }

  @Test("And what went wrong with one, without what its store says of it")
  func troubles() {
    let (key, session) = ("zebra-11", session)
    let troubles: [StoreError] = [
      .noSuchRecord(id: key + ":reminders"), .moved(record: key + ":reminders", detail: "it is \(key)"),
      .refused(record: key + ":reminders", field: "title", detail: "\(key) is no title"),
    ]
    for trouble in troubles {
      session.store.fail(with: trouble)
      for command in ["list", "show"] {
        let told = session.run([command, "a.sqlite", "--redact"]).errors
        #expect(told.contains(shown(key) + ":reminders") && !told.contains("zebra"), "\(told)")
      }
      #expect(session.run("list a.sqlite").errors.contains(key + ":reminders"))
    }
  }

  @Test("And of findings their ids")
  func findings() {
    let findings = ["zebra-11", "zebra-12"].map {
      Finding(
        id: "stuck:\($0):reminders", table: "reminders", record: $0, title: $0, what: "stuck",
        evidence: "it is", cause: "why", remedy: "mend it")
    }
    let session = Session(store: WatchedStore([], findings: findings))
    let errors = session.run("doctor a.sqlite stuck: --redact").errors
    let ids = findings.map { "stuck:" + shown($0.record) }.joined(separator: ", ")
    #expect(errors.contains("could be several findings: \(ids)."), "\(errors)")
  }
}
