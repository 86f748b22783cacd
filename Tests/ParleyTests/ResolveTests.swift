import BenchmarkStores
import Merging
import SQLiteDataStores
import StoreInterface
import Testing

@testable import parley

@Suite("resolve")
struct ResolveTests {
  @Test(
    "accepts what is at least as certain as asked, and leaves the rest",
    arguments: [
      ("sure", ["priority"]), ("clock", ["title", "priority"]), ("all", ["title", "priority", "weight"]),
    ])
  func accept(_ certainty: String, _ fields: [String]) {
    let session = Session([Samples.dentist])
    let run = session.run("resolve a.sqlite --accept \(certainty)")
    #expect(session.store.decisions.map(\.subject) == fields.map { .field($0) })
    #expect(run.status == (certainty == "all" ? .nothingLeft : .left))
  }

  @Test("keeps decisions that hold for what was seen, with time and note")
  func journalled() {
    let session = Session([Samples.milk])
    _ = session.run(["resolve", "a.sqlite", "--accept", "sure", "--note", "called customer"])
    let resolution = Resolution(choices: [.field("priority"): .take(.server)])
    #expect(
      session.store.decisions
        == Samples.milk.decisions(
          about: [.field("priority")], in: resolution, at: Samples.time(20000), note: "called customer"))
  }

  @Test("tells what it has decided also where the store cannot be asked whether it would take it")
  func unasked() {
    let session = Session(store: WatchedStore([Samples.milk], readOnly: "Reminders (pid 7) has it open"))
    let run = session.run("resolve a.sqlite M2 --accept all")
    #expect(run.status == .nothingLeft && session.store.decisions.count == 1)
    #expect(run.output.contains("M2:reminders"), "\(run.output)")
    #expect(run.errors.contains("Whether the store would take it is not known"), "\(run.errors)")
  }

  @Test("decides nothing a second time")
  func again() {
    let session = Session([Samples.milk])
    _ = session.run("resolve a.sqlite --accept sure")
    #expect(session.run("resolve a.sqlite --accept all").status == .nothingLeft)
    #expect(session.store.decisions.count == 1)
  }

  @Test("takes no note for what it prints")
  func noteOfExport() {
    let run = Session([Samples.milk]).run("resolve a.sqlite --export --note why")
    #expect(run.status == .usage && run.errors.contains("--note goes without --export"), "\(run)")
  }

  @Test(
    "tells where nothing new is decided that the note is not kept",
    arguments: ["--accept all", "--set priority=server"])
  func noteUnkept(what: String) {
    let session = Session([Samples.milk])
    let run = { session.run("resolve a.sqlite M2 \(what) --note why") }
    #expect(run().errors.isEmpty)
    let told =
      "parley: Nothing new was decided, so the note is not kept. To decide anew with it: --forget first.\n"
    #expect(run().errors == told)
    #expect(session.run("resolve a.sqlite M2 \(what)").errors.isEmpty)
  }

  @Test("refuses a value that the write would refuse, as far as the store can tell, and keeps nothing then")
  func judged() throws {
    try withTemporaryFolder { folder in
      let path = try SampleStores.make(in: folder)
      let run = Live.run(
        "resolve", path, "Coffee", "--set", "priority=client", "--set", "remindersListID=SECRETX")
      #expect(run.status == .refused && run.output.isEmpty)
      #expect(
        run.errors.contains("field remindersListID: The write would refuse this value: "), "\(run.errors)")
      #expect(
        run.errors.contains("Nothing was decided; give another one, or take another side."), "\(run.errors)")
      #expect(Live.run("resolve", path, "--export").output.isEmpty)
      #expect(Live.run("resolve", path, "Coffee", "--set", "remindersListID=server").errors.isEmpty)
    }
  }

  @Test("tells what is there beside what will be, be the record decided to its end or not")
  func before() {
    let session = Session([Samples.dentist])
    let told = "  title: Call dentist today → Call Dr. Wu  (server)"
    #expect(session.run("resolve a.sqlite D1 --set title=server").lines.contains(told))
    #expect(session.run("resolve a.sqlite D1 --accept all").lines.contains(told))
  }

  @Test(
    "reads a value as the field holds it",
    arguments: [
      ("title=server", "title", Choice.take(.server)), ("title=ancestor", "title", .take(.ancestor)),
      ("title=Call Dr. Wu", "title", .edit(.text("Call Dr. Wu"))), ("title=", "title", .edit(.text(""))),
      ("title=text:client", "title", .edit(.text("client"))),
      ("title=text:null:", "title", .edit(.text("null:"))),
      ("title=https://x.org", "title", .edit(.text("https://x.org"))),
      ("title=a=b", "title", .edit(.text("a=b"))),
      ("priority=true", "priority", .edit(.integer(1))), ("priority=-3", "priority", .edit(.integer(-3))),
      ("priority=1e3", "priority", .edit(.integer(1000))),
      ("priority=1000.0", "priority", .edit(.integer(1000))),
      ("priority=real:1", "priority", .edit(.integer(1))),
      ("priority=json:1e3", "priority", .edit(.integer(1000))),
      ("priority=integer:1e3", "priority", .edit(.integer(1000))),
      ("priority=null:", "priority", .edit(.null)),
      ("weight=3", "weight", .edit(.real(3))), ("weight= 7 ", "weight", .edit(.real(7))),
      ("weight=integer:3", "weight", .edit(.real(3))),
      ("weight=real:1e3", "weight", .edit(.real(1000))), ("weight=json:1.10", "weight", .edit(.real(1.1))),
      ("weight=100000000000000000000", "weight", .edit(.real(1e20))),
      ("weight=1e23", "weight", .edit(.real(1e23))), ("weight=0.1", "weight", .edit(.real(0.1))),
      ("weight=-0.0", "weight", .edit(.real(0))), ("weight=real:-0.0", "weight", .edit(.real(0))),
      ("weight=json:-0.0", "weight", .edit(.real(0))), ("weight=json:-0", "weight", .edit(.real(0))),
      ("extra=real:-0.0", "extra", .edit(.real(-0.0))), ("extra=json:1.10", "extra", .edit(.real(1.1))),
      ("extra=json:1e3", "extra", .edit(.real(1000))), ("extra=json:7", "extra", .edit(.integer(7))),
      ("extra=7", "extra", .edit(.text("7"))), ("extra=integer:7", "extra", .edit(.integer(7))),
      ("extra=real:0.5", "extra", .edit(.real(0.5))),
      ("cover=blob:00FF", "cover", .edit(.blob(Blob(bytes: [0, 255])))),
    ])
  func value(_ argument: String, _ field: String, _ choice: Choice) {
    let conflict = Samples.edited(
      "D1", title: "", ancestor: ["title": .text("a")],
      client: ["title": .text("b"), "extra": .null, "cover": .null],
      server: ["title": (.text("c"), 9)])
    let session = Session([conflict])
    let run = session.run(["resolve", "a.sqlite", "D1", "--set", argument])
    #expect(run.errors.isEmpty)
    #expect(session.store.decisions.map(\.subject) == [.field(field)])
    #expect(session.store.decisions.map(\.choice) == [choice])
  }

  @Test(
    "reads what a NUMERIC column takes as SQLite keeps it, whatever the sides have there",
    arguments: [
      ("7", Value.integer(7)), ("07", .integer(7)), ("7.0", .integer(7)), ("7.5", .real(7.5)),
      (" 7", .integer(7)),
      ("9007199254740995", .integer(9_007_199_254_740_995)), ("text:7", .integer(7)), ("real:3", .integer(3)),
      ("integer:3", .integer(3)), ("2026-11-20", .text("2026-11-20")), ("seven", .text("seven")),
      ("null:", .null), ("+5", .integer(5)), (".5", .real(0.5)), ("5.", .integer(5)), ("0x1F", .text("0x1F")),
    ], [Value.real(3.5), .integer(1), .text("a"), .null])
  func numeric(given: (typed: String, value: Value), client: Value) {
    let (typed, value) = given
    let session = Session([Self.numeric(client)])
    let run = session.run(["resolve", "a.sqlite", "N1", "--set", "j=" + typed])
    #expect(run.errors.isEmpty)
    #expect(session.store.decisions.map(\.choice) == [.edit(value)])
  }

  private static func numeric(_ client: Value) -> RecordConflict {
    let values: (Value) -> RecordVersion = { .present(["j": FieldVersion($0, time: 1)]) }
    return RecordConflict(
      id: "N1:nums", table: "nums", primaryKey: "N1", title: "", fields: [Field("j", kind: .numeric)],
      versions: ThreeWay(ancestor: values(.integer(0)), client: values(client), server: values(.real(-0.5))))
  }

  @Test(
    "refuses infinity for a NUMERIC column",
    arguments: ["1e400", "-1e999", "text:1e400", "json:1e400", "real:inf"])
  func infinite(typed: String) {
    let session = Session([Self.numeric(.null)])
    let run = session.run(["resolve", "a.sqlite", "N1", "--set", "j=" + typed])
    #expect(run.status == .refused && session.store.decisions.isEmpty)
    #expect(run.errors.contains("j takes "), "\(run.errors)")
  }

  @Test(
    "refuses what a NUMERIC column would keep as another number",
    arguments: [
      ("9007199254740993.0", "only if it is given in digits alone. Give 9007199254740993, or take a side."),
      ("integer:9007199254740993e0", "only if it is given in digits alone. Give 9007199254740993,"),
      ("12345678901234567890", "would be rounded to 12345678901234567168."), ("1e-400", "rounded to 0."),
    ])
  func roundedUnseen(typed: String, words: String) {
    let session = Session([Self.numeric(.null)])
    let run = session.run(["resolve", "a.sqlite", "N1", "--set", "j=" + typed])
    #expect(run.status == .refused && session.store.decisions.isEmpty)
    #expect(run.errors.contains(words), "\(run.errors)")
  }

  @Test(
    "a name that the whole record does not have is answered with those that it has", arguments: [false, true])
  func unknownAlternative(isWhole: Bool) {
    var conflict = isWhole ? Samples.invoice : Samples.dentist
    conflict.details.alternatives = conflict.versionsAsAlternatives
    let known = ["record=keep", "record=accept"] + (isWhole ? [] : ["record=delete"])
    let run = Session([conflict]).run(["resolve", "a.sqlite", conflict.id, "--set", "record=nobody"])
    #expect(run.status == .usage && known.count > 1)
    #expect(run.errors.contains("cannot be decided by nobody, only by --set record="))
    for name in known { #expect(run.errors.contains(name)) }
    let nothing = Session([conflict]).run(["resolve", "a.sqlite", conflict.id, "--set", "record="])
    #expect(nothing.errors.contains("cannot be decided by nothing, only by --set record="), "\(nothing)")
  }

  /// What can be decided as a whole, once with a draft that waits.
  private static func whole(waits: Bool) -> RecordConflict {
    var dentist = Samples.dentist
    dentist.details.takesVersions = true
    if waits { dentist.details.waitingSince = 1 }
    return dentist
  }

  @Test("says of a draft that waits that it does, be it decided as a whole or not")
  func waiting() {
    for choice in ["record=keep", "*=delete", "title=server"] {
      let session = Session([Self.whole(waits: true)])
      let run = session.run("resolve a.sqlite D1 --set \(choice)")
      #expect(run.status == .refused && run.errors.contains("Its draft waits for the app"), "\(run)")
      #expect(session.store.decisions.isEmpty)
    }
  }

  @Test("exports of a draft that waits what was decided as a whole, and nothing that lies beneath")
  func exportOfWaiting() {
    let session = Session([Self.whole(waits: false)])
    for choice in ["title=server", "record=delete"] {
      _ = session.run("resolve a.sqlite D1 --set \(choice)")
    }
    let exported = session.run("resolve a.sqlite --export")
    #expect(exported.lines.count == 1 && exported.output.contains(#""choice":"delete""#), "\(exported)")
    session.store.replace(Self.whole(waits: true))
    #expect(session.run("resolve a.sqlite --export").output == exported.output)
  }

  @Test(
    "refuses in words with the field's name, and keeps nothing of it",
    arguments: [
      ("D1", "priority=high", Status.refused, "field priority: priority takes a whole number"),
      ("D1", "priority=1.5", .refused, "field priority: priority takes a whole number. Give such"),
      ("D1", "priority=real:1.5", .refused, "field priority: priority takes a whole number. Give such"),
      ("D1", "priority=json:1.50", .refused, "field priority: priority takes a whole number. Give such"),
      ("D1", "priority=json:true", .refused, "field priority: priority takes a whole number. Give such"),
      ("D1", "priority=json:99999999999999999999", .refused, "to SQLite this one is the real 1e+20."),
      ("D1", "priority=1e19", .refused, "to SQLite this one is the real 1e+19. Give one in digits, from"),
      ("D1", "priority=real:1e19", .refused, "to SQLite this one is the real 1e+19."),
      ("D1", "priority=1e400", .refused, "to SQLite this one is the real inf."),
      ("D1", "priority=-9223372036854775808.0", .refused, "SQLite this one is the real -9.22337203685477"),
      ("D1", "priority=9007199254740993.0", .refused, "in digits alone. Give 9007199254740993, or take"),
      ("D1", "priority=1e-400", .refused, "field priority: priority takes a whole number. Give such"),
      ("D1", "weight=integer:1e22", .refused, "what follows that is read as no integer of 64 bits. Give one"),
      ("D1", "weight=integer:1.5", .refused, "what follows that is read as no integer of 64 bits. Give one"),
      ("D1", "extra=integer:1e22", .refused, "extra is given by integer:, and what follows"),
      ("D1", "weight=inf", .refused, "field weight: weight takes a number. Give such"),
      ("D1", "weight=0x10", .refused, "field weight: weight takes a number. Give such"),
      ("D1", "title=real:9007199254740993", .refused, "field title: title takes text. Give such"),
      ("D1", "title=integer:1e22", .refused, "field title: title takes text. Give such"),
      ("D1", "weight=1e400", .refused, "weight takes a number, and this one is beyond all Doubles."),
      ("D1", "weight=real:-1e400", .refused, "weight takes a number, and this one is beyond all Doubles."),
      ("D1", "weight=json:1e400", .refused, "weight takes a number, and this one is beyond all Doubles."),
      (
        "D1", "weight=integer:9007199254740993", .refused,
        "weight takes a number, and this one would be rounded to 9007199254740992."
      ),
      (
        "D1", "weight=12345678901234567890", .refused,
        "weight takes a number, and this one would be rounded to 12345678901234567168. Give one that a Double is"
      ),
      ("D1", "weight=9007199254740993", .refused, "would be rounded to 9007199254740992."),
      ("D1", "weight=json:-12345678901234567890", .refused, "would be rounded to -12345678901234567168."),
      ("D1", "weight=100000000000000000000000", .refused, "would be rounded to 99999999999999991611392."),
      ("D1", "extra=json:12345678901234567890", .refused, "would be rounded to 12345678901234567168."),
      ("D1", "extra=real:9007199254740993", .refused, "would be rounded to 9007199254740992."),
      ("D1", "extra=json:1e400", .refused, "extra takes a number, and this one is beyond all Doubles."),
      ("D1", "extra=json:true", .refused, "extra is a column, and takes text, a number or bytes."),
      ("D1", "title=null:", .refused, "field title: title must have a value"),
      ("D1", "id=D9", .refused, "field id: id is a key or a generated column"),
      ("D1", "slug=x", .refused, "field slug: slug is a key or a generated column"),
      ("D1", "titel=x", .usage, "has no field titel. Its fields: id, title, priority"),
      ("D1", "record=client", .usage, "has no field record"),
      ("D1", "cover=xyz", .usage, "cover holds bytes"),
      ("D1", "cover=blob:0", .usage, "blob: takes pairs of hexadecimal digits"),
      ("D1", "priority=blob:zz", .refused, "priority takes a whole number"),
      (
        "D1", "priority=integer:99999999999999999999", .refused,
        "Give one in digits, from -9223372036854775808 to 9223372036854775807, or take a side."
      ),
      ("D1", "extra=NULL", .usage, "For NULL: --set extra=null:. For the word: --set 'extra=text:NULL'."),
      (
        "D1", "priority=NULL", .usage,
        "Is NULL meant? Then say so: --set priority=null:. priority takes no words."
      ),
      (
        "D1", "priority=CLIENT", .usage,
        "Is a side meant? For a side: --set priority=client. priority takes no words."
      ),
      (
        "D1", "title=null", .usage,
        "title must have a value. Is the word null meant? Then say so: --set 'title=text:null'."
      ),
      ("D1", "title=CLIENT", .usage, "For a side: --set title=client."),
      (
        "D1", "title=servr", .usage,
        "Is a side meant, or the word servr? For a side: --set title=server. For the word: --set 'title=text:servr'."
      ),
      ("D1", "title=ours", .usage, "For a side: --set title=client, title=server or title=ancestor."),
      ("D1", "cover=server", .refused, "field cover: The server has no version of it"),
      ("D1", "cover=file:/does/not/exist", .cannotOpen, "There is no file /does/not/exist. Check the path."),
      ("D1", "title=file:/", .cannotOpen, "/ is a folder, where a regular file belongs."),
      ("I3", "title=x", .refused, "The record is decided as a whole"),
      ("I3", "record=ancestor", .usage, "by ancestor, only by --set record=client, record=server."),
      ("I3", "record=both", .usage, "by both, only by --set record=client, record=server."),
    ])
  func refusal(_ record: String, _ argument: String, _ status: Status, _ words: String) {
    let session = Session()
    let run = session.run(["resolve", "a.sqlite", record, "--set", "priority=server", "--set", argument])
    let alone = session.run(["resolve", "a.sqlite", record, "--set", argument])
    #expect(alone.status == status)
    #expect(alone.errors.hasPrefix("parley: "))
    #expect(alone.errors.contains(words))
    #expect(run.status != .nothingLeft)
    #expect(session.store.decisions.isEmpty)
  }

  @Test("is all or nothing over several records")
  func allOrNothing() {
    let session = Session()
    let run = session.run("resolve a.sqlite D1 I3 --set priority=server")
    #expect(run.status == .refused)
    #expect(run.output.isEmpty)
    #expect(session.store.decisions.isEmpty)
  }

  @Test("prints the draft once all is decided, and what is open before")
  func plain() {
    let session = Session([Samples.dentist])
    #expect(
      session.run(["resolve", "a.sqlite", "D1", "--set", "title=Call Wu"]).output == """
        D1:reminders  Call dentist
          title: Call dentist today → Call Wu  (edited)
          undecided: priority, weight
          given up: title of the client: Call dentist today
          given up: title of the server: Call Dr. Wu

        """)
    #expect(
      session.run("resolve a.sqlite --accept all").output == """
        D1:reminders  Call dentist
          title: Call dentist today → Call Wu  (edited)
          priority: 1 → 3  (server)
          given up: title of the client: Call dentist today
          given up: title of the server: Call Dr. Wu
          given up: weight of the server: 4.0

        """)
  }

  @Test("prints what it decides about a field that nobody changed, too")
  func unchanged() {
    let run = Session([Samples.milk]).run("resolve a.sqlite M2 --set weight=2.5")
    #expect(
      run.output == """
        M2:reminders  Milk
          weight: ∅ → 2.5  (edited)
          undecided: priority

        """)
  }

  @Test("prints as JSON what it decides, what is left and the draft")
  func json() {
    let session = Session([Samples.milk])
    #expect(
      session.run("resolve a.sqlite --accept sure --json").output == """
        {"id":"M2:reminders","table":"reminders","primaryKey":"M2","title":"Milk","state":"ready",\
        "decided":["priority"],"undecided":[],"draft":{"action":"save","fields":[\
        {"name":"title","before":"Milk","value":"Milk","source":null},\
        {"name":"priority","before":1,"value":2,"source":"server"},\
        {"name":"weight","before":null,"value":null,"source":null},\
        {"name":"cover","before":null,"value":null,"source":null},\
        {"name":"extra","before":null,"value":null,"source":null}]},"givenUp":[]}

        """)
  }

  @Test("a field that is decided ends what was decided of the whole record: told is what counts then")
  func endsTheWhole() throws {
    var dentist = Samples.dentist
    dentist.details.alternatives = dentist.versionsAsAlternatives
    let session = Session([dentist])
    func decided(_ choice: String) throws -> [String]? {
      let run = session.run(["resolve", "a.sqlite", "D1", "--set", choice, "--json"])
      return try run.objects().first?["decided"] as? [String]
    }
    #expect(try decided("title=Tea") == ["title"])
    #expect(try decided("record=client") == ["record"])
    #expect(try decided("priority=server") == ["title", "priority"])
    #expect(try decided("record=client") == ["record"])
    // As it was decided before, and counts now.
    let run = session.run(["resolve", "a.sqlite", "D1", "--set", "priority=server"])
    #expect(run.lines.last == "  record: taken back" && run.status == .left, "\(run.output)")
    #expect(run.lines.contains("  undecided: weight"), "\(run.output)")
    let kept = DecidedConflict(dentist, decisions: session.store.decisions).resolution
    #expect(Set(kept.choices.keys) == [.field("title"), .field("priority")])
  }

  @Test("tells a deletion, and that a deleted row comes back")
  func deletion() {
    let session = Session([Samples.invoice])
    #expect(
      session.run("resolve a.sqlite I3 --set record=server --json").output.contains(
        #""decided":["record"],"undecided":[],"draft":{"action":"delete","fields":[]}"#))
    #expect(session.run("resolve a.sqlite I3 --set record=server").output.contains("\n  delete the row\n"))
    #expect(session.run("resolve a.sqlite --accept all").status == .nothingLeft)
  }

  @Test("tells that a row comes back which the app has taken away already")
  func rowIsGone() {
    var invoice = Samples.invoice
    invoice.details.rowIsGone = true
    let session = Session([invoice])
    let kept = session.run("resolve a.sqlite I3 --set record=client").output
    #expect(kept.contains("\n  insert the row again\n") && !kept.contains("stays as it is"))
    #expect(session.run("resolve a.sqlite I3 --set record=server").output.contains("\n  stays deleted\n"))
  }

  @Test("tells that a row is there which the app has put back")
  func rowIsBack() {
    let samples = [Samples.invoice]
    let swapped = samples.map { invoice in
      var details = invoice.details
      details.rowIsBack = true
      return RecordConflict(
        id: invoice.id, table: invoice.table, primaryKey: invoice.primaryKey, title: invoice.title,
        fields: invoice.fields.map(\.field),
        versions: ThreeWay(
          ancestor: invoice.versions.ancestor, client: invoice.versions.server,
          server: invoice.versions.client), details: details)
    }
    let session = Session(swapped)
    let kept = session.run("resolve a.sqlite I3 --set record=server").output
    #expect(kept.contains("\n  keep the row, which the app has put back\n") && !kept.contains("again"))
    #expect(
      session.run("resolve a.sqlite I3 --set record=client").output.contains(
        "\n  delete the row, which the app has put back\n"))
  }

  @Test("keeps nothing in a dry run, and prints the same")
  func dryRun() {
    let session = Session([Samples.milk])
    let dry = session.run("resolve a.sqlite --accept sure --dry-run")
    #expect(session.store.decisions.isEmpty)
    #expect(dry == session.run("resolve a.sqlite --accept sure"))
    #expect(session.store.decisions.count == 1)
  }

  /// A database is opened for reading then, which takes no question about a write.
  @Test("says in a dry run of a real database what it would keep, and nothing of reading alone")
  func dryRunOfAStore() throws {
    try withTemporaryFolder { folder in
      let path = try SampleStores.make(in: folder + "/demo")
      let dry = Live.run("resolve", path, "000000000012", "--accept", "sure", "--dry-run")
      #expect(dry.status == .nothingLeft && dry.errors.isEmpty, "\(dry)")
      #expect(dry.output == Live.run("resolve", path, "000000000012", "--accept", "sure").output)
    }
  }

  /// A page is kept, and told, before the next one is read.
  @Test(
    "is one act, unless somebody else decides meanwhile: what comes after that is another",
    arguments: [(false, 1), (true, 3)])
  func besideAnotherWriter(isWritten: Bool, acts: Int) throws {
    try withTemporaryFolder { folder in
      let path = try LargeStore.make(in: folder, records: 300, conflicts: 300)
      let (other, ticks) = (try SQLiteDataStore.open(path: path, access: .writing), Ticks())
      let (conflict, priority) = (try other.conflict(LargeStore.firstRecord), Subject.field("priority"))
      var isStillToWrite = isWritten
      let output = LineWriter { _ in
        guard isStillToWrite else { return }
        isStillToWrite = false
        let choice = Resolution(choices: [priority: .take(.client)])
        try other.journal.append(conflict.decisions(about: [priority], in: choice, at: ticks.next()))
      }
      var surroundings = Surroundings.live(
        output: output, errors: LineWriter { _ in }, isWatched: false, pause: 1_000, redaction: .fixed)
      surroundings.now = { ticks.next() }
      _ = Program.run(["resolve", path, "--accept", "all"], in: surroundings)
      let times = try other.journal.entries(limit: .max).reversed().map(\.time).unique
      #expect(times.count == acts && times == times.sorted(), "\(times)")
    }
  }

  @Test(
    "needs something to decide, and a record for a field",
    arguments: [
      ("resolve a.sqlite", "Say what to decide"),
      ("resolve a.sqlite", "Usage: parley resolve"), ("resolve a.sqlite", "See 'parley resolve --help'"),
      ("resolve a.sqlite --accpet sure", "Unknown option '--accpet'. Did you mean '--accept'?"),
      ("resolve a.sqlite D1 --set title", "--set takes field=value"),
      ("resolve a.sqlite --set title=x", "--set needs the name of a record"),
      ("resolve a.sqlite --accept yours", "--accept"),
    ])
  func usage(_ arguments: String, _ words: String) {
    let run = Session().run(arguments)
    #expect(run.status == .usage)
    #expect(run.errors.contains(words))
  }
}
