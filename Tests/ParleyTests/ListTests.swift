import Merging
import StoreInterface
import Telling
import Testing

@testable import parley

@Suite("list")
struct ListTests {
  @Test(
    "--find lists what the desk's / would find, and the exit status is of that",
    arguments: [
      ("dentist", ["D1"]), ("is:decide", ["D1", "I3"]), ("is:sure", ["M2"]), ("kind:deleted", ["I3"]),
      ("table:remind milk", ["M2"]), ("field:prio", ["D1", "M2"]), ("wu", ["D1"]), ("zebra", []),
      ("", ["D1", "M2", "I3"]),
    ])
  func find(words: String, keys: [String]) throws {
    for format in [["--json"], []] {
      let run = Session().run(["list", "a.sqlite", "--find", words] + format)
      #expect(run.lines.count == keys.count && run.status == (keys.isEmpty ? .nothingLeft : .left))
      for key in keys { #expect(run.output.contains("\(key):reminders")) }
    }
  }

  @Test("in a pipe a long id, and a long title, make no other line longer")
  func longID() {
    let long = String(repeating: "x", count: 700)
    let record = RecordConflict(
      id: long, table: "docs", primaryKey: long, title: long, fields: Samples.milk.fields.map(\.field),
      versions: Samples.milk.versions)
    let run = Session([Samples.milk, record, Samples.dentist]).run(["list", "a.sqlite"])
    let lines = run.lines
    #expect(lines.count == 3 && lines.filter { $0.count > 1_400 }.count == 1, "\(run)")
    #expect(lines.filter { $0.count < 400 }.count == 2, "\(run)")
  }

  @Test("--find looks for words in all of a long value, as the desk does")
  func findInLongValues() throws {
    try withTemporaryFolder { folder in
      let path = try SampleStores.make(in: folder + "/demo")
      for format in [["--json"], []] {
        let run = Live.run(["list", path, "--find", "window in room 36"] + format)
        #expect(run.lines.count == 1 && run.output.contains("Letter to the landlord"), "\(run)")
        #expect(Live.run(["list", path, "--find", "window in room 361"] + format).lines.isEmpty)
      }
    }
  }

  @Test(
    "--find tells where to see what the desk finds and is no conflict",
    arguments: [
      ("is:stuck", Status.usage, "what is stuck is no conflict. See it: parley doctor a.sqlite\n"),
      (
        "is:waiting", .nothingLeft,
        "No draft waits. What else waits is no conflict. See it: parley doctor a.sqlite\n"
      ),
    ])
  func findingsAreNoConflicts(words: String, status: Status, told: String) {
    let run = Session().run(["list", "a.sqlite", "--find", words])
    #expect(run.status == status && run.output.isEmpty && run.errors.contains(told), "\(run)")
    #expect(Session().run(["list", "a.sqlite", "--find", "is:s"]).lines.count == 1, "it can be sure, too")
  }

  @Test(
    "--find with a word that is none names those there are, and finds nothing",
    arguments: ["is:bogus", "milk gave:nobody", "kind:new", "age:soon"])
  func noSuchWord(words: String) {
    let run = Session().run(["list", "a.sqlite", "--find", words])
    let word = words.split(separator: " ").last ?? ""
    #expect(run.status == .usage && run.errors.contains("there is no \(word); after "), "\(run.errors)")
    #expect(!run.errors.contains("stuck"), "no conflict is")
  }

  @Test("prints one JSON object for each conflict, with the documented keys in their order")
  func json() {
    let run = Session([Samples.dentist]).run("list a.sqlite --json")
    #expect(
      run.output == """
        {"id":"D1:reminders","table":"reminders","primaryKey":"D1","title":"Call dentist","kind":"edit",\
        "certainty":"yours","fields":{"sure":1,"byClock":1,"yours":1},"receivedAt":"2026-11-20T12:09:02Z",\
        "state":"open","undecided":3,"why":"weight: same time","lastEdit":"server",\
        "lastEditTime":1795176540000000000,"lastEditDevice":"iPad","notWritable":null,"outdated":0,"moved":false}

        """)
    #expect(run.errors.isEmpty)
  }

  @Test("ends with 1 while there are conflicts, decided or not, and with 0 when there are none")
  func status() {
    #expect(Session().run("list a.sqlite").status == .left)
    #expect(Session([]).run("list a.sqlite") == Run(status: .nothingLeft, output: "", errors: ""))
    #expect(Session([]).run("list a.sqlite --json") == Run(status: .nothingLeft, output: "", errors: ""))
  }

  @Test("tells what is ready once all of it is decided")
  func ready() throws {
    let session = Session([Samples.milk])
    _ = session.run("resolve a.sqlite --accept sure")
    let run = session.run("list a.sqlite --json")
    #expect(try run.objects().first?["state"] as? String == "ready")
    #expect(try run.objects().first?["why"] as? String == "decided")
    #expect(
      session.run("list a.sqlite").output.hasPrefix("✓ ready  0 undecided  M2:reminders  Milk  decided "))
  }

  @Test("is a whole, aligned table where standard output is no terminal")
  func plain() {
    #expect(
      Session().run("list a.sqlite").output == """
        ! 1 to decide  3 undecided  D1:reminders  Call dentist  weight: same time                            server 2026-11-20T12:09:00Z iPad
        ~ sure         1 undecided  M2:reminders  Milk          priority: only server changed                server 2026-11-20T09:01:00Z iPad
        ! deletion     1 undecided  I3:reminders  Old invoice   deleted on the server, edited on the client  server 2026-11-20T09:01:30Z

        """)
  }

  @Test("never calls sure what a policy decides between two edits")
  func policy() throws {
    let clash = Samples.edited(
      "T4", title: "Tea", ancestor: ["priority": .integer(1)], client: ["priority": .integer(2)],
      server: ["priority": (.integer(3), 0)], rules: MergeRules(defaultRule: .server))
    #expect(
      Session([clash]).run("list a.sqlite").output.hasPrefix(
        "~ policy  1 undecided  T4:reminders  Tea  priority: policy server"))
  }

  @Test("does not call a store without conflicts whose conflicts have other words")
  func nothingFound() {
    var session = Session()
    session.width = 80
    let run = session.run(["list", "a.sqlite", "--find", "zebra"])
    #expect(run.lines == ["No conflict matches “zebra”; 3 in all."])
    session = Session([])
    session.width = 80
    #expect(session.run(["list", "a.sqlite", "--find", "zebra"]).lines == ["No conflicts."])
  }

  @Test("has a heading, a count and the terminal's width in a terminal")
  func terminal() {
    var session = Session()
    session.width = 40
    let lines = session.run("list a.sqlite").lines
    #expect(lines.first?.hasPrefix("STATE          RECORD") == true)
    #expect(lines.suffix(2) == ["3 conflicts.", "What is stuck is told by parley doctor."])
    #expect(lines.allSatisfy { $0.count <= 40 })
    #expect(lines[1].hasSuffix("›"))
  }

  @Test(
    "has the times of the last edits below each other in a terminal",
    arguments: [(Side.server, 8, "server  8m"), (nil, 11, "both   11m"), (.client, 120, "client  2h")]
      as [(Side?, Int64, String)])
  func lastEdits(side: Side?, minutes: Int64, told: String) {
    var summary = ConflictSummary(Samples.dentist, resolution: Resolution())
    (summary.lastEdit, summary.lastEditTime) = (side, 0)
    let now = minutes * 60_000_000_000
    #expect(ListText(width: 80, privacy: .open, now: now, cutSign: "…").row(summary).last == told)
  }

  @Test("lets no value move the cursor or break a line")
  func safe() {
    let evil = Samples.edited(
      "E\u{1B}[2J", title: "a\tb\nc\u{9B}1m", ancestor: ["priority": .integer(1)],
      client: ["priority": .integer(2)],
      server: ["priority": (.integer(1), 0)])
    let lines = Session([evil]).run("list a.sqlite").lines
    #expect(lines.count == 1)
    #expect(lines[0].unicodeScalars.allSatisfy { $0.value >= 0x20 && !(0x7F...0x9F).contains($0.value) })
  }
}
