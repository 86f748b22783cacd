import Foundation
import Merging
import StoreInterface
import Testing

@testable import parley

@Suite("write, undo and log")
struct WriteTests {
  func ready(
    _ outcomes: [String: CheckedWrite.Outcome] = [:], undoing: [String: CheckedWrite.Outcome] = [:],
    readOnly: String? = nil,
    _ conflicts: [RecordConflict] = [Samples.dentist, Samples.milk, Samples.invoice]
  ) -> Session {
    let session = Session(
      store: WatchedStore(conflicts, outcomes: outcomes, undoing: undoing, readOnly: readOnly))
    let ids = conflicts.filter { !$0.isWhole }.map(\.id)
    _ = session.run(["resolve", "a.sqlite"] + ids + ["--accept", "all"])
    return session
  }

  @Test("writes what is ready with its note, says how to undo, and ends with 1 while others are undecided")
  func write() {
    let session = ready()
    let run = session.run(["write", "my notes.sqlite", "--yes", "--note", "ticket 7"])
    #expect(
      run
        == Run(
          status: .left,
          output: """
            written: D1:reminders  Call dentist
            written: M2:reminders  Milk
            To take this write back: parley undo 'my notes.sqlite'

            """, errors: ""))
    #expect(session.store.writtenDrafts.map(\.id) == ["D1:reminders", "M2:reminders"])
    #expect(session.store.writtenDrafts[0]["title"] == .text("Call Dr. Wu"))
    #expect(session.store.writeNotes == ["ticket 7"])
  }

  @Test("ends with 1 where an earlier conflict of what is written is undecided, and says so")
  func earlierConflict() {
    var milk = Samples.milk
    milk.details.hasEarlier = true
    func session() -> Session {
      let session = ready([:], [milk])
      session.store.keep(
        earlier: Samples.edited(
          "M2", title: "Milk", ancestor: ["title": .text("Milk")], client: ["title": .text("Oat milk")],
          server: ["title": (.text("Soy milk"), 60)]))
      return session
    }
    for option in ["--dry-run", "--yes"] {
      let run = session().run("write a.sqlite M2 \(option)")
      #expect(run.status == .left, "\(run)")
      let words =
        option == "--yes"
        ? "is left to decide: it is listed now" : "waits, too: it may be listed once this one is written"
      #expect(run.output.contains("\nOf 1 record an earlier conflict \(words)."), "\(run)")
    }
    #expect(session().run("write a.sqlite M2 --yes --json").status == .left)
  }

  @Test("tells of each earlier conflict whether it is listed, or its later one waits for the app")
  func earlierConflicts() {
    var (milk, dentist) = (Samples.milk, Samples.dentist)
    milk.details.hasEarlier = true
    (dentist.details.hasEarlier, dentist.details.waitingSince) = (true, 1)
    let session = Session([milk, dentist])
    _ = session.run("resolve a.sqlite M2 --accept all")
    session.store.keep(
      earlier: Samples.edited(
        "M2", title: "Milk", ancestor: ["title": .text("Milk")], client: ["title": .text("Oat milk")],
        server: ["title": (.text("Soy milk"), 60)]))
    let start = "Of 1 record an earlier conflict "
    let run = session.run("write a.sqlite --yes")
    #expect(
      run.status == .left && run.lines.contains(start + "is left to decide: it is listed now."), "\(run)")
    #expect(
      run.lines.contains(start + "waits, too: it may be listed once the app has applied this one."), "\(run)")
  }

  @Test(
    "ends with 1 where an earlier conflict of what is written was decided before, and is not written with it")
  func readyEarlierConflict() throws {
    var milk = Samples.milk
    milk.details.hasEarlier = true
    let earlier = Samples.edited(
      "M2", title: "Milk", ancestor: ["title": .text("Milk")], client: ["title": .text("Oat milk")],
      server: ["title": (.text("Soy milk"), 60)],
      details: .init(ancestorTag: "a00a", serverTag: "c00a", receivedAt: Samples.time(11000)))
    var fingerprints = Fingerprints(earlier)
    milk.details.earlier = [fingerprints.ofConflict]
    let session = Session([milk])
    let server = Resolution(choices: [.field("title"): .take(.server)])
    try session.store.journal.append(earlier.decisions(about: [.field("title")], in: server, at: 1))
    _ = session.run("resolve a.sqlite M2 --accept all")
    session.store.keep(earlier: earlier)
    let run = session.run("write a.sqlite M2 --yes")
    let words = "is decided, and not written: it is listed now, for the next write."
    #expect(run.status == .left && run.lines.contains("Of 1 record an earlier conflict " + words), "\(run)")
  }

  @Test("ends with 0 where the write has settled an earlier conflict, too, and tells of none")
  func settledEarlierConflict() {
    var milk = Samples.milk
    milk.details.hasEarlier = true
    for options in ["", " --json"] {
      let run = ready([:], [milk]).run("write a.sqlite M2 --yes" + options)
      #expect(run.status == .nothingLeft && !run.output.contains("earlier"), "\(run)")
    }
  }

  @Test("ends with 0 when nothing that was asked for is left")
  func nothingLeft() {
    #expect(ready().run("write a.sqlite M2 --yes").status == .nothingLeft)
    #expect(ready([:], [Samples.milk]).run("write a.sqlite --yes").status == .nothingLeft)
    #expect(ready().run("write a.sqlite I3 --yes").status == .left)
    #expect(
      Session([]).run("write a.sqlite --yes")
        == Run(status: .nothingLeft, output: "Nothing to write: there are no conflicts.\n", errors: ""))
    #expect(
      Session().run("write a.sqlite --yes").output == "Nothing to write: 3 undecided; see parley resolve.\n")
  }

  @Test(
    "--sql prints what would run, with its values, and changes nothing",
    arguments: [DemoKind.sqlitedata, .cloudant])
  func sql(kind: DemoKind) throws {
    try withTemporaryFolder { folder in
      let path = try SampleStores.make(kind, in: folder + "/demo")
      Live.run("resolve", path, "--accept", "all")
      let before = try Data(contentsOf: URL(fileURLWithPath: path))
      let run = Live.run("write", path, "--sql")
      #expect(run.lines.first?.hasPrefix("-- What parley write would run for ") == true)
      let left = try Live.run("list", path, "--json").objects().count { $0["state"] as? String == "open" }
      #expect(
        run.errors == (left == 0 ? "" : "parley: Not in the SQL: \(left) undecided; see parley resolve.\n"))
      #expect(run.lines.dropFirst().first?.contains(/^(INSERT|UPDATE|DELETE)\s/) == true)
      #expect(run.lines.last?.hasSuffix(";") == true && run.lines.count > 5)
      #expect(try Data(contentsOf: URL(fileURLWithPath: path)) == before)
      #expect(
        try Live.run("log", path, "--json").objects().allSatisfy { $0["kind"] as? String == "decision" })
      #expect(Live.run("write", path, "--sql", "--yes").status == .usage)
    }
  }

  @Test("a store that is not written by SQL says so")
  func noSQL() {
    let run = ready().run("write a.sqlite --sql")
    #expect(
      run.status == .usage && run.errors.contains("is not written by SQL. The drafts as JSON: parley write"))
  }

  @Test("the history of a record tells decisions, notes, what was written and that it was taken back")
  func history() throws {
    try withTemporaryFolder { folder in
      let path = try SampleStores.make(in: folder + "/demo")
      Live.run("resolve", path, "Groceries", "--set", "color=7", "--note", "first")
      Live.run("write", path, "Groceries", "--yes", "--note", "ticket 7")
      Live.run("undo", path, "--yes")
      Live.run("resolve", path, "Groceries", "--set", "color=8")
      Live.run("resolve", path, "--accept", "sure")
      let history = try Live.run("log", path, "Groceries", "--json").objects()
      #expect(history.map { $0["kind"] as? String } == ["decision", "undo", "write", "decision"])
      #expect(history.allSatisfy { ($0["record"] as? String)?.hasSuffix(":remindersLists") == true })
      #expect(history.map { $0["undone"] as? Bool } == [false, false, true, false])
      let changes = try #require(history[2]["changes"] as? [[String: Any]])
      #expect(changes.contains { $0["name"] as? String == "color" && $0["after"] as? Int == 7 })
      #expect(history[2]["note"] as? String == "ticket 7" && history[3]["note"] as? String == "first")
      let words = Live.run("log", path, "Groceries").output
      #expect(words.contains("written: Groceries, taken back since  (ticket 7)"))
      #expect(words.contains("color: 5341173 → 7"))
      // The log of the store says so, too.
      #expect(Live.run("log", path).output.contains("written: Groceries, taken back since  (ticket 7)"))
      #expect(Live.run("log", path, "nosuch").errors.contains("no record called nosuch"))
    }
  }

  @Test("the log is filtered by kind and time, and the limit counts what is found")
  func filters() throws {
    try withTemporaryFolder { folder in
      let path = try SampleStores.make(in: folder + "/demo")
      Live.run("resolve", path, "--accept", "all")
      Live.run("write", path, "--yes")
      func count(_ options: String...) throws -> Int {
        try Live.run(["log", path, "--json"] + options).objects().count
      }
      let (decisions, writes) = (try count("--kind", "decision"), try count("--kind", "write"))
      let (all, refusals) = (try count(), try count("--kind", "refusal"))
      #expect(decisions > 20 && writes > 10 && all == decisions + writes + refusals)
      for kind in [[], ["--json"]] {
        #expect(Live.run(["log", path, "--limit", "2"] + kind).errors.contains("There is more, and older"))
        #expect(Live.run(["log", path] + kind).errors.isEmpty)
      }
      #expect(try count("--kind", "write", "--limit", "3") == 3 && count("--kind", "undo") == 0)
      #expect(try count("--kind", "write", "--kind", "decision") == all - refusals)
      #expect(try count("--since", "1h") == all && count("--since", "2999-01-01") == 0)
      #expect(Live.run("log", path, "--since", "yesterday").status == .usage)
    }
  }

  @Test(
    "a time is a day, a minute, a second, or so long ago",
    arguments: [
      ("2026-11-20", 1_795_132_800), ("2026-11-20T09:00", 1_795_165_200),
      ("2026-11-20T09:00:05Z", 1_795_165_205),
      ("90m", 1_000_000_000 - 5400), ("7d", 1_000_000_000 - 604_800), ("2026-13-20", nil), ("1w", nil),
      ("", nil),
      ("2026-11-20T9", nil), ("2026-02-30", nil), ("2026-11-27T99:99", nil), ("2026-11-27T13:75", nil),
    ] as [(String, Int64?)])
  func moments(text: String, seconds: Int64?) {
    let time = NamedTime(argument: text)?.time(now: 1_000_000_000 * 1_000_000_000)
    #expect(time == seconds.map { $0 * 1_000_000_000 }, "\(text)")
  }

  @Test("a rehearsal tells what becomes of each draft on the server, as the desk's review does")
  func rehearsedUpload() throws {
    try withTemporaryFolder { folder in
      let (path, milk, wood) = (try SampleStores.make(in: folder + "/demo"), "000000000012", "000000000035")
      _ = Live.run("resolve", path, milk, "--accept", "all")
      _ = Live.run("resolve", path, wood, "--set", "record=accept")
      let told = Live.run("write", path, milk, "--dry-run").output
      #expect(told.contains("\n  uploaded at the app's next launch\n"), "\(told)")
      let objects = try Live.run("write", path, "--dry-run", "--json").objects()
      let uploads = Dictionary(
        uniqueKeysWithValues: objects.map { ($0["outcome"] as? String, $0["upload"] as? String) })
      #expect(uploads == ["wouldWrite": "atNextLaunch", "refused": nil], "\(objects)")
    }
  }

  @Test("--read-only decides, and does not write")
  func readOnly() throws {
    try withTemporaryFolder { folder in
      let path = try SampleStores.make(in: folder + "/demo")
      let run = Live.run([path, "--plain", "--read-only"], input: "N\nc\nw\n")
      #expect(
        run.output.contains("It can only be read now: the store was opened read-only. Decisions are kept."))
      #expect(run.output.contains("Decided: ") && !run.output.contains("Type yes"))
    }
  }

  @Test("writes nothing without --yes, and says what it would")
  func withoutYes() {
    let session = ready()
    let run = session.run("write a.sqlite")
    #expect(run.status == .usage)
    #expect(run.output.contains("  priority: 1 → 2  (server)\n"))
    #expect(
      run.errors == "parley: Nothing was written. To write these 2 drafts: parley write a.sqlite --yes\n")
    #expect(session.store.writtenDrafts.isEmpty)
  }

  @Test("writes nothing in a dry run, even with --yes")
  func dryRun() {
    let session = ready()
    let run = session.run("write a.sqlite --yes --dry-run")
    #expect(run.status == .left)
    #expect(run.errors.isEmpty)
    #expect(session.store.writtenDrafts.isEmpty)
  }

  @Test(
    "ends with 4 if a record moved, with 5 if one was refused, with 6 if one is unfinished; 6 and then 4 speak first",
    arguments: [
      (
        ["M2:reminders": CheckedWrite.Outcome.moved("the row changed")], Status.moved,
        "M2:reminders moved since"
      ),
      (
        ["M2:reminders": .refused(field: "priority", "CHECK failed")], .refused,
        "field priority was refused: CHECK"
      ),
      (
        ["M2:reminders": .refused(field: nil, "no"), "D1:reminders": .moved("x")], .moved,
        "D1:reminders moved since"
      ),
      (
        ["M2:reminders": .partly(written: "the title", "no room"), "D1:reminders": .moved("x")], .unfinished,
        "M2:reminders is written in part: the title. The rest is not: no room."
      ),
      (
        ["M2:reminders": .notKnown("the server was silent"), "D1:reminders": .refused(field: nil, "no")],
        .unfinished, "It is not known whether M2:reminders is written: the server was silent."
      ),
      (
        ["M2:reminders": .notReached("the disk is full")], .unfinished,
        "M2:reminders was not reached: the disk is full. Nothing of it was written"
      ),
    ])
  func outcomes(_ outcomes: [String: CheckedWrite.Outcome], _ status: Status, _ words: String) {
    let run = ready(outcomes).run("write a.sqlite --yes")
    #expect(run.status == status)
    #expect(run.output.contains(words))
    #expect(ready(outcomes).run("write a.sqlite --dry-run").status == status)
  }

  @Test("tells as JSON what became of each record, in the list's own shape")
  func json() throws {
    let session = ready(["M2:reminders": .moved("the row changed")])
    let objects = try session.run("write a.sqlite --yes --json").objects()
    #expect(objects.map { $0["outcome"] as? String } == ["written", "moved"])
    #expect(objects.map { $0["state"] as? String } == ["written", "ready"])
    #expect(objects[1]["detail"] as? String == "the row changed")
    let dry = try session.run("write a.sqlite M2 --dry-run --json").objects()
    #expect(dry.first?["outcome"] as? String == "moved")
    #expect((dry.first?["draft"] as? [String: Any])?["action"] as? String == "save")
  }

  @Test("tells as JSON what nobody can call written, and claims no state for what may be")
  func unfinishedJSON() throws {
    let outcomes: [String: CheckedWrite.Outcome] = [
      "D1:reminders": .partly(written: "the title", "no room"), "M2:reminders": .notKnown("silence"),
    ]
    let objects = try ready(outcomes).run("write a.sqlite --yes --json").objects()
    #expect(objects.map { $0["outcome"] as? String } == ["partly", "notKnown"])
    #expect(objects.map { $0["state"] as? String } == ["unknown", "unknown"])
    #expect(objects.map { $0["part"] as? String } == ["the title", nil])
    #expect(objects.map { $0["detail"] as? String } == ["no room", "silence"])
    let late = try ready(["M2:reminders": .notReached("full")]).run("write a.sqlite M2 --yes --json")
      .objects()
    #expect(late.map { $0["outcome"] as? String } == ["notReached"])
    #expect(late.map { $0["state"] as? String } == ["ready"])
  }

  @Test("what is not known is never passed over for an older write")
  func unknownUndo() {
    let silence = ["M2:reminders": CheckedWrite.Outcome.notKnown("silence")]
    let session = ready(silence, undoing: silence)
    _ = session.run("write a.sqlite M2 --yes")
    let run = session.run("undo a.sqlite --yes")
    #expect(run.status == .unfinished && !run.output.contains("--skip"))
  }

  @Test("refuses a store that can only be read, and a record that cannot be written")
  func refused() {
    let run = ready(readOnly: "Reminders (pid 7) has it open").run("write a.sqlite --yes")
    #expect(run.status == .refused)
    #expect(run.errors.contains("Reminders (pid 7) has it open"))
    var details = Samples.details
    details.notWritable = "the table is not in the database"
    let conflict = Samples.edited(
      "M2", title: "Milk", ancestor: ["priority": .integer(1)], client: ["priority": .integer(2)],
      server: ["priority": (.integer(1), 0)], details: details)
    let session = ready([:], [conflict, Samples.dentist])
    let partly = session.run("write a.sqlite --yes")
    #expect(partly.status == .refused)
    #expect(partly.output.contains("M2:reminders was refused: the table is not in the database."))
    #expect(session.store.writtenDrafts.map(\.id) == ["D1:reminders"])
    // There is no other way to decide it, so that it could be.
    let decided = Session([conflict]).run("resolve a.sqlite M2 --accept all")
    #expect(decided.errors.contains("would refuse this draft, which is kept all the same: the table is not"))
    #expect(!decided.errors.contains("Decide it otherwise"), "\(decided.errors)")
  }

  @Test("is taken back by undo, once")
  func undo() throws {
    let session = ready()
    _ = session.run("write a.sqlite M2 --yes")
    #expect(
      session.run("undo a.sqlite --yes")
        == Run(
          status: .nothingLeft,
          output: """
            undone: M2:reminders  Milk
            The decisions stay: parley write would write them again. To take them back: \
            parley resolve a.sqlite --forget M2:reminders

            """, errors: ""))
    let again = session.run("undo a.sqlite --yes --json")
    #expect(again.status == .refused)
    #expect(
      again.errors.hasPrefix("parley: There is no write to undo any more: the last was taken back at 2026-"))
    #expect(again.errors.hasSuffix(". See what was done: parley log a.sqlite\n"))
    _ = session.run("write a.sqlite M2 --yes")
    #expect(
      session.run("undo a.sqlite --yes --json").output
        == #"{"id":"M2:reminders","title":"Milk","outcome":"undone","field":null,"detail":null,"decisionsStay":true}"#
        + "\n")
  }

  @Test("that a record's write is taken back is not told as if no other write stood")
  func undoOfOneAgain() {
    let session = ready()
    _ = session.run("write a.sqlite --yes")
    #expect(session.run("undo a.sqlite M2:reminders --yes").status == .nothingLeft)
    for option in ["", " --yes"] {
      let again = session.run("undo a.sqlite M2:reminders" + option)
      let words = "There is no write of M2:reminders to undo any more: the last was taken back at 2026-"
      #expect(again.status == .refused && again.errors.hasPrefix("parley: " + words), "\(again)")
    }
    #expect(session.run("undo a.sqlite --yes").output.contains("undone: D1:reminders"))
  }

  @Test("that an import and a mending are taken back as well is told before it is done")
  func undoTellsWhatCounts() {
    let words = Session().run("undo --help").output.split(whereSeparator: \.isWhitespace)
    let help = words.joined(separator: " ")
    #expect(help.contains("An import counts as a write, and so does what doctor has mended."), "\(help)")
  }

  @Test(
    "an undo of which nothing comes back names the ways on, if anything else was written",
    arguments: [true, false])
  func undoOfWhatMoved(isOnly: Bool) {
    let session = ready(undoing: ["M2:reminders": .moved("the row changed since it was written")])
    if !isOnly { _ = session.run(["write", "a.sqlite", Samples.dentist.id, "--yes"]) }
    _ = session.run("write a.sqlite M2 --yes")
    let run = session.run("undo a.sqlite --yes")
    #expect(run.status == .moved)
    let ways = "parley undo a.sqlite --skip, or of one record: parley undo a.sqlite RECORD"
    #expect(run.output.contains(ways) == !isOnly)
    #expect(!run.output.contains("decisions"))
  }

  @Test(
    "undo shows what it would take back, and takes it back only with --yes",
    arguments: [("", Status.usage), (" --dry-run", .nothingLeft), (" --yes --dry-run", .nothingLeft)])
  func undoNeedsYes(arguments: String, status: Status) throws {
    let session = ready()
    _ = session.run("write a.sqlite M2 --yes")
    let run = session.run("undo a.sqlite" + arguments)
    #expect(run.status == status && session.store.undos.isEmpty)
    #expect(run.lines == ["M2:reminders  Milk", "  priority: 2 → ∅"])
    let words = "parley: Nothing was taken back. To take back this record: parley undo a.sqlite --yes\n"
    #expect(run.errors == (arguments.isEmpty ? words : ""))
    #expect(
      session.run("undo a.sqlite M2 --json" + arguments).output
        == #"{"id":"M2:reminders","title":"Milk","outcome":"wouldUndo","field":null,"detail":null,"#
        + #""fields":[{"name":"priority","before":2,"value":null}],"deletes":[]}"# + "\n")
  }

  @Test("where nothing can be written or taken back nobody is asked for --yes")
  func nothingToConfirm() throws {
    let refused = [Samples.milk.id: CheckedWrite.Outcome.refused(field: nil, "no")]
    let write = ready(refused, [Samples.milk]).run("write a.sqlite")
    #expect(write.status == .refused && write.errors == "")
    let session = ready(undoing: refused, [Samples.milk])
    _ = session.run("write a.sqlite --yes")
    let undo = session.run("undo a.sqlite")
    #expect(undo.status == .refused && undo.errors == "" && undo.output.contains("was refused: no"))
  }

  @Test("undo takes the last write, the last possible, or that of a record by any part of its name")
  func extents() {
    let session = ready()
    _ = session.run("write a.sqlite --yes")
    for arguments in ["", " --skip", " 2:reminders"] { _ = session.run("undo a.sqlite --yes" + arguments) }
    #expect(session.store.undos == [.lastWrite, .lastPossibleWrite, .record("M2:reminders")])
    _ = session.run("write a.sqlite --yes")
    #expect(session.run("undo a.sqlite 2:reminders --yes").status == .nothingLeft)
    #expect(session.store.undos.last == .record("M2:reminders"))
    #expect(session.run("undo a.sqlite M2 --skip").status == .usage)
    let unknown = ready().run("undo a.sqlite M2 --yes")
    #expect(
      unknown.status == .usage && unknown.errors.contains("No record called M2 was written. Nothing was."))
  }

  @Test("decisions are taken back by resolve --forget, whether they hold or not")
  func forget() {
    let session = ready()
    let run = session.run("resolve a.sqlite M2 D1 --forget --note wrong")
    #expect(run.status == .left)
    #expect(
      run.output == """
        M2:reminders  Milk: taken back: priority
        D1:reminders  Call dentist: taken back: priority, title, weight

        """)
    #expect(
      session.run("write a.sqlite --yes").output == "Nothing to write: 3 undecided; see parley resolve.\n")
    _ = session.run("resolve a.sqlite M2 --set priority=server")
    let json = session.run("resolve a.sqlite M2 --forget --json").output
    #expect(json.contains(#""state":"open","forgotten":["priority"],"undecided":["priority"]"#), "\(json)")
    #expect(session.run("resolve a.sqlite --forget").output == "There was no decision to take back.\n")
    #expect(session.run("resolve a.sqlite --forget --accept all").status == .usage)
  }

  @Test("is told by log, newest first, with notes")
  func log() {
    let session = Session()
    _ = session.run(["resolve", "a.sqlite", "M2", "--accept", "sure", "--note", "a\tb"])
    #expect(
      session.run("log a.sqlite")
        == Run(
          status: .nothingLeft,
          output: "2026-11-20T14:33:20Z  decision  M2:reminders  Milk: priority: server taken  (a␉b)\n",
          errors: ""))
    #expect(
      session.run("log a.sqlite --json --limit 1").output
        == #"{"time":1795185200000000000,"kind":"decision","record":"M2:reminders","text":"priority: server taken","note":"a\u0009b","outdated":false}"#
        + "\n")
    #expect(session.run("log a.sqlite --limit 0").status == .usage)
  }
}
