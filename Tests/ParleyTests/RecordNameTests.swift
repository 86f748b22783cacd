import Merging
import StoreInterface
import Testing

@testable import parley

@Suite("Names of records")
struct RecordNameTests {
  private static let keys = ["4F2A-11", "4F2A-12", "7", "71", "x:y"]

  private let session = Session(
    keys.map {
      Samples.edited(
        $0, title: "Title \($0)", ancestor: ["priority": .integer(1)], client: ["priority": .integer(2)],
        server: ["priority": (.integer(1), 0)])
    })

  @Test(
    "A record is named by its whole name, by table and key, or by any beginning or end that fits no other",
    arguments: [
      ("7:reminders", "7:reminders"), ("7", "7:reminders"), ("71", "71:reminders"),
      ("reminders/7", "7:reminders"),
      ("reminders/4F2A-12", "4F2A-12:reminders"), ("4f2a-12", "4F2A-12:reminders"),
      ("…A-11", "4F2A-11:reminders"),
      ("reminders/…-12", "4F2A-12:reminders"), ("reminders/x", "x:y:reminders"), ("-11", "4F2A-11:reminders"),
      ("REMINDERS/71", "71:reminders"), ("x:y:rem", "x:y:reminders"),
    ])
  func found(_ name: String, _ id: String) throws {
    #expect(try session.store.recordIDs(named: [name], .fixed) == [id])
  }

  @Test("A name that fits several names some of them")
  func ambiguous() {
    let run = session.run(["show", "a.sqlite", "4F2A"])
    #expect(run.status == .usage)
    #expect(
      run.errors
        == "parley: 4F2A could be several records: 4F2A-11:reminders, 4F2A-12:reminders. Write more of the name.\n"
    )
  }

  @Test(
    "A name that fits none gets the nearest",
    arguments: ["4F2B-12", "reminders/4F2-12", "4F2A_12:reminders", "Title 4F2A12", "A-12:rem"])
  func unknown(_ name: String) {
    let run = session.run(["show", "a.sqlite", name])
    #expect(run.status == .usage)
    #expect(
      run.errors.hasPrefix("parley: No record in conflict is called \(name). Nearest: 4F2A-12:reminders"))
  }

  @Test("A record is named by its whole title, where no key is the same")
  func titles() throws {
    #expect(
      try session.store.recordIDs(named: ["title 71", "Title x:y"], .fixed) == [
        "71:reminders", "x:y:reminders",
      ])
    let twins = Session([
      Samples.milk, Samples.edited("7", title: "Milk", ancestor: [:], client: [:], server: [:]),
    ])
    #expect(
      twins.run("show a.sqlite Milk").errors.contains(
        "Milk could be several records: M2:reminders, 7:reminders."))
  }

  @Test("What was written is taken back by its title, too, also where that changed between two writes")
  func titlesOfWhatWasWritten() throws {
    let other = Samples.edited(
      "M2", title: "Oat milk", ancestor: ["title": .text("Oat milk"), "priority": .integer(1)],
      client: ["title": .text("Oat milk"), "priority": .integer(2)],
      server: ["title": (.text("Oat milk"), 0), "priority": (.integer(1), 0)])
    // Once the one is written, the other is what is in conflict.
    let session = Session([Samples.milk, other])
    for seen in [Samples.milk, other] {
      let draft = try #require(seen.draft(seen.accepting(.yours, in: Resolution())))
      _ = try session.store.write([PlannedWrite(seen: seen, draft: draft)], note: nil)
    }
    for name in ["Milk", "oat milk"] {
      #expect(try session.store.writtenRecordIDs(named: [name], session.redaction) == ["M2:reminders"])
    }
    #expect(session.run(["undo", "a.sqlite", "Milk", "--yes"]).output.contains("undone: M2:reminders"))
  }

  private static let stuck = "What is stuck is no conflict, and may be called so: parley doctor a.sqlite\n"

  @Test("What differs altogether is not nearest")
  func far() {
    #expect(
      session.run("show a.sqlite something").errors
        == "parley: No record in conflict is called something. See them all: parley list a.sqlite\n"
        + Self.stuck)
  }

  @Test("Who asks the log for a record that it does not have is told of the log, and not of conflicts alone")
  func notLogged() {
    let told = "parley: The log tells of no record called something, and none in conflict is called so. "
    let run = session.run("log a.sqlite something")
    #expect(
      run.status == .usage && run.errors == told + "See what it tells: parley log a.sqlite\n", "\(run)")
    #expect(Session([]).run("log a.sqlite something").errors == told + "It is empty.\n")
  }

  @Test("A record that was just written is told as that")
  func written() {
    let session = Session([Samples.milk, Samples.dentist])
    _ = session.run("resolve a.sqlite M2 --accept all")
    _ = session.run("write a.sqlite M2 --yes")
    for name in ["M2", "milk"] {
      let run = session.run(["show", "a.sqlite", name])
      #expect(run.status == .usage)
      #expect(run.errors.hasPrefix("parley: M2:reminders was written at "))
      #expect(run.errors.hasSuffix("To take that back: parley undo a.sqlite M2:reminders\n"))
    }
  }

  @Test("Nothing is nearest where there is nothing, and an empty name names nothing")
  func nothing() {
    #expect(
      Session([]).run("show a.sqlite 7").errors
        == "parley: No record in conflict is called 7. There are no conflicts.\n\(Self.stuck)")
    let empty = session.run(["show", "a.sqlite", ""])
    #expect(empty.status == .usage && empty.errors.hasPrefix("parley: The name of a record is empty."))
    let undo = session.run(["undo", "a.sqlite", ""])
    #expect(undo.status == .usage && undo.errors.hasPrefix("parley: The name of a record is empty."))
    let doctor = session.run(["doctor", "a.sqlite", ""])
    #expect(doctor.status == .usage && doctor.errors.hasPrefix("parley: The id of a finding is empty."))
    let path = session.run(["list", ""])
    #expect(path.status == .usage && path.errors.hasPrefix("parley: The path of the store is empty."))
  }

  @Test("What a redacted report calls a record it is called in the log and in an undo, too")
  func redactedNames() throws {
    let session = Session([Samples.milk])
    let name = session.redaction.privacy.recordName("M2:reminders", in: session.store.info)
    #expect(name.hasPrefix("#"))
    #expect(session.run(["resolve", "a.sqlite", name, "--accept", "all"]).status == .nothingLeft)
    #expect(session.run(["log", "a.sqlite", name]).output.contains("M2:reminders"))
    #expect(session.run(["write", "a.sqlite", name, "--yes"]).status == .nothingLeft)
    #expect(session.run(["undo", "a.sqlite", name, "--yes"]).output.contains("undone: M2:reminders"))
  }

  @Test("So it is behind its table, as a redacted list has it")
  func redactedBehindItsTable() throws {
    try withTemporaryFolder { folder in
      let path = try SampleStores.make(in: folder + "/demo")
      let key = "5eed0000-0000-4000-8000-000000000013"
      let name = "reminders/" + Redaction.fixed.privacy.shown(key)
      for command in [["resolve", path, name, "--accept", "all"], ["write", path, name, "--yes"]] {
        #expect(Live.run(command).status == .nothingLeft, "\(command)")
      }
      let undone = Live.run("undo", path, name, "--yes")
      #expect(undone.output.contains("undone: \(key):reminders"), "\(undone)")
    }
  }

  @Test("What begins with a dash is offered so that nobody takes it for an option")
  func dashes() {
    #expect(shellQuotedPath("-y") == "./-y" && shellQuotedPath("a-y") == "a-y")
    #expect(shellQuotedPath("-it's") == "'./-it'\\''s'")
    #expect(offered(records: ["-rf it", "b"]) == "-- '-rf it' b" && offered(records: ["a", "b"]) == "a b")
  }

  @Test("Records come in the order asked for, each once")
  func order() throws {
    #expect(
      try session.store.recordIDs(named: ["71", "reminders/7", "71:reminders"], .fixed) == [
        "71:reminders", "7:reminders",
      ])
  }

  @Test(
    "Distance counts letters put in, taken out and changed, wherever the name is found",
    arguments: [
      ("", "", 0), ("abc", "", 3), ("", "abc", 0), ("bcd", "abcde", 0), ("bxd", "abcde", 1),
      ("bd", "abcde", 1),
      ("bccd", "abcde", 1), ("444:rem", "0000-0444:reminders", 0), ("xyz", "abc", 3),
    ])
  func distance(_ wanted: String, _ text: String, _ expected: Int) {
    #expect(searchDistance(wanted, in: text) == expected)
  }
}
