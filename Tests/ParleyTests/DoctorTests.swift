import Foundation
import GRDB
import Merging
import StoreInterface
import Testing

@testable import parley

@Suite("parley doctor")
struct DoctorTests {
  private func withStore(_ body: (String) throws -> Void) throws {
    try withTemporaryFolder { folder in try body(SampleStores.make(in: folder + "/demo")) }
  }

  @Test("findings with their causes, the queue, and exit status 1; not a byte is written")
  func findings() throws {
    try withStore { path in
      let before = try FileManager.default.contentsOfDirectory(
        atPath: (path as NSString).deletingLastPathComponent)
      let result = Live.run("doctor", path)
      #expect(result.status == .left)
      for text in [
        "edit never sent: Book the campsite", "  shown by   The row differs from the ancestor in notes",
        "  because    The upload was given up", "  mend does  One pending change is queued",
        "11 findings, 3 of them on their way; Parley can mend 3 of them: --mend; and 1 more if named, as something",
        "Waiting for upload: 3 changes.",
        "  queue table: 1 to save, 2 to delete, 1 unreadable",
      ] {
        #expect(result.output.contains(text), "\(text)")
      }
      let after = try FileManager.default.contentsOfDirectory(
        atPath: (path as NSString).deletingLastPathComponent)
      #expect(Set(before) == Set(after))
    }
  }

  @Test("JSON has one finding a line, and the queue in the last")
  func json() throws {
    try withStore { path in
      let objects = try Live.run("doctor", path, "--json", "--queue", "1").objects()
      #expect(objects.count == 12)
      let sent = try #require(objects.first { $0["what"] as? String == "edit never sent" })
      #expect(
        Set(sent.keys) == [
          "finding", "what", "table", "record", "title", "evidence", "differences", "ends", "cause", "remedy",
          "mend", "mendServer",
          "related",
          "time",
        ])
      #expect(objects.last?["count"] as? Int == 3)
      #expect((objects.last?["waiting"] as? [Any])?.count == 1)
    }
  }

  @Test("what would be overwritten, and by what, is told before, by a script's means too")
  func differences() throws {
    try withStore { path in
      let told = "  differs    notes, server: ∅ → here: Pitch 14, by the lake"
      #expect(Live.run("doctor", path, "edit-never-sent", "--mend").output.contains(told))
      let redacted = Live.run("doctor", path, "edit-never-sent", "--redact").output
      #expect(redacted.contains("  differs    notes, server: ∅ → here: #"), "\(redacted)")
      let found = try Live.run("doctor", path, "edit-never-sent", "--json").objects().first
      let field = try #require((found?["differences"] as? [[String: Any]])?.first)
      #expect(field["name"] as? String == "notes" && field["before"] is NSNull)
      #expect(field["after"] as? String == "Pitch 14, by the lake" && found?["ends"] as? Bool == false)
      let ofNoValues = try Live.run("doctor", path, "waiting-for-upload", "--json").objects().first
      #expect((ofNoValues?["differences"] as? [Any])?.isEmpty == true)
    }
  }

  @Test(
    "what is redacted has no title and no key, and the same hashes each time", arguments: [["--json"], []])
  func redaction(format: [String]) throws {
    try withStore { path in
      let arguments = ["doctor", path, "--redact"] + format
      let output = Live.run(arguments).output
      for value in [
        "5eed0000", "Invoice", "campsite", "library", "umbrella", "Kitchen", "000208", "tomatoes",
        "Pitch",
      ] {
        #expect(!output.contains(value), "\(value)")
      }
      #expect(output.contains("reminders") && output.contains("#"))
      #expect(
        Live.run(arguments).output.split(separator: "#").count == output.split(separator: "#").count)
    }
  }

  @Test(
    "neither has a datastore's report, nor revisions", arguments: [DemoKind.cloudant, .android],
    [["--json"], []])
  func redactedDatastore(kind: DemoKind, format: [String]) throws {
    try withTemporaryFolder { folder in
      _ = try SampleStores.make(kind, in: folder + "/demo")
      let plain = Live.run(["doctor", folder + "/demo"] + format).output
      let output = Live.run(["doctor", folder + "/demo", "--redact"] + format).output
      let revision = /[0-9]+-[0-9a-f]{8,}/
      #expect(plain.contains("book-") && plain.contains(revision))
      #expect(!output.contains("book-") && !output.contains(revision))
      #expect(output.contains("an edit won over a deletion") && output.contains("#"))
    }
  }

  @Test("mending needs --yes, is in the log, and is taken back")
  func mending() throws {
    try withStore { path in
      let refused = Live.run("doctor", path, "--mend")
      #expect(refused.status == .usage && refused.errors.contains("To mend these 3 findings"))
      let logged = try Live.run("log", path, "--json").objects()
      #expect(logged.isEmpty)

      let mended = Live.run("doctor", path, "--mend", "--yes", "--note", "ticket 7", "--json")
      #expect(mended.status == .left)
      #expect(
        try mended.objects().map { $0["outcome"] as? String } == ["mended", "mended", "mended"])
      #expect(
        try Live.run("log", path, "--json").objects().allSatisfy { $0["note"] as? String == "ticket 7" })
      #expect(Live.run("doctor", path).output.contains("1 of them"))

      #expect(Live.run("undo", path, "--yes").status == .nothingLeft)
      #expect(Live.run("doctor", path).output.contains("Parley can mend 3 of them"))
    }
  }

  @Test("a record that was mended is named as before, by any end of its key, and by its title")
  func namedAfterAMend() throws {
    try withStore { path in
      #expect(Live.run("doctor", path, "--mend", "--yes").status == .left)
      for name in [
        "000000000201", "201:reminders", "Invoice March",
        "never-uploaded:5eed0000-0000-4000-8000-000000000201:reminders",
      ] {
        let log = Live.run("log", path, name)
        #expect(log.output.contains("what was found is mended") && log.errors.isEmpty, "\(name): \(log)")
      }
    }
  }

  @Test("what the app would ask for no more is taken off its list only where that is named")
  func unsynced() throws {
    try withStore { path in
      let id = "unsynced:5eed0000-0000-4000-8000-000000000299:reminders"
      let run = Live.run("doctor", path, "--mend", "--yes")
      #expect(!run.output.contains("mended: unsynced"), "\(run.output)")
      #expect(
        run.lines.last == "1 finding can be mended if named, as something would be given up: \(id)",
        "\(run.output)")
      let told = Live.run("doctor", path, id, "--mend")
      #expect(
        told.output.contains("only once that changes there, or once everything is fetched anew"), "\(told)")
      #expect(Live.run("doctor", path, id, "--mend", "--yes").status == .nothingLeft)
      #expect(Live.run("undo", path, "--yes").status == .nothingLeft)
      #expect(Live.run("doctor", path).output.contains(id))
    }
  }

  @Test("one finding is shown or mended by its id")
  func byID() throws {
    try withStore { path in
      let objects = try Live.run("doctor", path, "--json").objects()
      let id = try #require(
        objects.first { $0["what"] as? String == "never uploaded" }?["finding"] as? String)
      let shown = Live.run("doctor", path, id)
      #expect(shown.status == .left && shown.output.contains("1 finding; Parley can mend it"))
      #expect(
        Live.run("doctor", path, id, "--mend", "--yes").output.contains("mended: \(id)  Invoice March"))
      let gone = Live.run("doctor", path, id)
      #expect(gone.status == .usage && gone.errors.contains("There is no finding \(id)"))
    }
  }

  @Test("so is one by the id of a redacted report, and by any beginning that fits no other")
  func byAnotherID() throws {
    try withStore { path in
      let redacted = try Live.run("doctor", path, "--redact", "--json").objects().compactMap {
        $0["finding"] as? String
      }
      let id = try #require(redacted.first { $0.hasPrefix("never-uploaded:#") })
      for name in [id, String(id.dropLast(3)), "never-up"] {
        let shown = Live.run("doctor", path, name)
        #expect(shown.status == .left && shown.output.contains("never uploaded: Invoice March"), "\(name)")
      }
      #expect(Live.run("doctor", path, id, "--redact").output.contains("id         \(id)"))
      let several = Live.run("doctor", path, "ancestor-")
      #expect(several.status == .usage && several.errors.contains("ancestor- could be several findings: "))
      #expect(
        Live.run("doctor", path, id, "--mend", "--yes").output.contains("mended: never-uploaded:5eed"))
    }
  }

  private static let names = [key, Redaction.fixed.privacy.shown(key)].flatMap {
    ["\($0):reminders", "reminders/\($0)", $0]
  }

  @Test("so is one by any name of its record, also one of a redacted report", arguments: names)
  func byItsRecord(name: String) throws {
    try withStore { path in
      let mended = Live.run(["apply", path, "-"], input: #"{"mend":"\#(name)"}"#)
      #expect(mended.output.contains("to mend: never-uploaded:\(Self.key):reminders"), "\(mended)")
      #expect(Live.run("doctor", path, name).output.contains("never-uploaded:"))
    }
  }

  private static let key = "5eed0000-0000-4000-8000-000000000201"

  @Test(
    "the number of a row in the queue is told, and never hashed, as by both every hash of it could be read")
  func numberOfAQueue() throws {
    try withStore { path in
      let findings = try Live.run("doctor", path, "--redact", "--json").objects()
      let finding = try #require(findings.first { $0["what"] as? String == "undecodable pending change" })
      let id = try #require(finding["finding"] as? String)
      let number = String(id.drop { $0 != ":" }.dropFirst())
      #expect(Int(number) != nil && finding["title"] as? String == "pending change \(number)", "\(finding)")
      Live.run("doctor", path, id, "--mend", "--yes")
      let hash = Redaction.fixed.privacy.shown(number)
      for report in [
        ["doctor", path, "--redact"], ["log", path, "--redact"], ["log", path, "--redact", "--json"],
      ] {
        #expect(!Live.run(report).output.contains(hash), "\(report)")
      }
      #expect(!findings.contains { ($0["record"] as? String) == hash })
    }
  }

  @Test("the scope of a state that nobody knows is not printed")
  func oddScope() throws {
    try withStore { path in
      let folder = (path as NSString).deletingLastPathComponent
      let name = try FileManager.default.contentsOfDirectory(atPath: folder).first {
        $0.contains(".metadata") && $0.hasSuffix(".sqlite")
      }
      let metadatabase = folder + "/" + (try #require(name))
      let queue = try DatabaseQueue(path: metadatabase)
      try queue.write {
        try $0.execute(
          sql: "INSERT INTO sqlitedata_icloud_stateSerialization VALUES ('anna@example.com', 'Anna')")
      }
      try queue.close()
      for format in [[], ["--json"]] {
        let report = Live.run(["doctor", path, "--redact"] + format).output
        #expect(report.contains("unknown database") && !report.lowercased().contains("anna"))
      }
    }
  }

  @Test("without a finding the status is 0")
  func nothingFound() {
    #expect(Session().run("doctor x") == Run(status: .nothingLeft, output: "No findings.\n", errors: ""))
  }

  @Test(
    "what cannot be written now is not offered to be mended, but told as with --yes",
    arguments: ["", " --yes"])
  func held(confirmed: String) {
    let finding = Finding(
      id: "a:b", table: "t", record: "b", title: "B", what: "w", evidence: "e", cause: "c", remedy: "r",
      canBeMended: "It is queued.")
    let store = WatchedStore([], readOnly: "Reminders (pid 7) has it open", findings: [finding])
    let run = Session(store: store).run("doctor a.sqlite --mend" + confirmed)
    #expect(run.status == .refused && run.output.isEmpty, "\(run)")
    #expect(run.errors.contains("Reminders (pid 7) has it open") && !run.errors.contains("--yes"), "\(run)")
  }

  @Test("what was mended for good is no write in the words of that")
  func mendedForGood() {
    let finding = Finding(
      id: "a:b", table: "t", record: "b", title: "B", what: "w", evidence: "e", cause: "c", remedy: "r",
      canBeMended: "It is queued.")
    let store = WatchedStore([], findings: [finding], notUndone: "its function refuses it")
    let run = Session(store: store).run("doctor a.sqlite --mend --yes")
    #expect(run.output.hasSuffix("\nThis cannot be taken back: its function refuses it.\n"), "\(run)")
  }

  @Test("arguments that do not go together", arguments: ["--yes", "--mend --redact", "--queue -1"])
  func usage(arguments: String) {
    #expect(Session().run("doctor x " + arguments).status == .usage)
  }
}
