import Foundation
import Merging
import StoreInterface
import Telling
import Testing

@testable import parley

@Suite("apply")
struct ApplyTests {
  func applying(_ lines: [String], _ options: String..., to session: Session) -> Run {
    var session = session
    session.input = lines.joined(separator: "\n") + "\n"
    return session.run(["apply", "a.sqlite", "-"] + options)
  }

  private func print(_ conflict: RecordConflict, _ subject: Subject) -> String {
    conflict.decisions(about: [subject], in: Resolution(), at: 0)[0].fingerprint.stored
  }

  func line(_ conflict: RecordConflict, _ field: String?, _ choice: String, id: String? = nil)
    -> String
  {
    let about = field.map { #""field":"\#($0)","# } ?? ""
    let subject = field.map { Subject.field($0) } ?? .record
    return #"{"id":"\#(id ?? conflict.id)",\#(about)\#(choice),"fingerprint":"\#(print(conflict, subject))"}"#
  }

  /// Each conflict with every choice that it does not refuse, each time as a record of its own: a session takes all of them at once,
  /// and reading a command line costs more than a decision.
  static let choices: [(conflict: RecordConflict, subject: Subject, choice: Choice)] = {
    var invoice = Samples.invoice
    invoice.details.alternatives = invoice.versionsAsAlternatives
    var dentist = Samples.dentist
    dentist.details.alternatives = dentist.versionsAsAlternatives
    let values: [Value] = [
      .null, .integer(7), .integer(.max), .integer(.min), .real(7), .real(-0.0), .real(1e300),
      .real(.infinity),
      .text(""), .text("null"), .text("a\n\u{202E}\"é"), .text("{\"json\":\"1\"}"), .blob(Blob(bytes: [])),
      .blob(Blob(bytes: [0, 255])), .opaque(kind: "CKLocation", bytes: [1, 2]), .missing,
      Value.opaque(kind: Value.jsonKind, bytes: Array("[1.10,true]".utf8)),
    ]
    var all: [(RecordConflict, Subject, Choice)] = []
    for conflict in [dentist, Samples.milk, invoice] {
      for field in conflict.fields {
        // What a column keeps as another value is decided as that.
        let kept = values.filter { (try? field.field.kept($0)) == $0 }
        let choices =
          Side.allCases.map { Choice.take($0) } + kept.map { .edit($0) } + kept.map { .merged($0) }
        all += choices.map { (conflict, .field(field.name), $0) }
      }
      let ways = conflict.alternatives.map { conflict.choice(ofAlternative: $0.id) }
      all += (ways + [.take(.client), .take(.server)]).map { (conflict, .record, $0) }
    }
    let allowed = all.filter { $0.0.refusal(of: $0.2, for: $0.1) == nil }
    return allowed.enumerated().map { (copy(of: $1.0, number: $0), $1.1, $1.2) }
  }()

  private static func copy(of conflict: RecordConflict, number: Int) -> RecordConflict {
    RecordConflict(
      id: "\(conflict.primaryKey)-\(number):\(conflict.table)", table: conflict.table,
      primaryKey: "\(conflict.primaryKey)-\(number)", title: conflict.title, fields: Samples.fields,
      versions: conflict.versions, details: conflict.details)
  }

  @Test("A law: what is exported and applied on a copy gives the same decisions and drafts")
  func roundTrip() throws {
    #expect(Self.choices.count > 80)
    let all = Self.choices.map { conflict, subject, choice in
      var resolution = conflict.accepting(.yours, in: Resolution())
      resolution.decide(subject, choice)
      return (conflict: conflict, resolution: resolution)
    }
    // The exit status tells whether anything is left, of all that a session has.
    let groups = Dictionary(grouping: all) { $0.conflict.draft($0.resolution) != nil }
    for (hasDrafts, some) in groups {
      let (one, other) = (Session(some.map(\.conflict)), Session(some.map(\.conflict)))
      for (conflict, resolution) in some {
        // Of a record as a whole last, as a field that is decided behind it ends that.
        let subjects = resolution.choices.keys.sorted {
          $1 == .record || ($0 != .record && $0.name < $1.name)
        }
        try one.store.journal.append(conflict.decisions(about: subjects, in: resolution, at: 1, note: "why"))
      }
      let exported = one.run("resolve a.sqlite --export")
      let applied = applying(exported.lines, to: other)
      #expect(applied.status == .nothingLeft && exported.status == (hasDrafts ? .nothingLeft : .left))
      #expect(other.run("resolve a.sqlite --json --export") == exported)
      let decisions = [one, other].map(\.store.decisions)
      for (conflict, resolution) in some {
        let decided = decisions.map { DecidedConflict(conflict, decisions: $0) }
        #expect(decided[0].resolution.inForce == decided[1].resolution, "\(resolution.choices)")
        #expect(decided[0].draft == decided[1].draft, "\(resolution.choices)")
      }
    }
  }

  @Test(
    "so it is of the samples on the disk, and the stores stay as they are",
    arguments: [DemoKind.sqlitedata, .cloudant, .android, .smsync])
  func samples(kind: DemoKind) throws {
    try withTemporaryFolder { folder in
      let paths = try ["one", "other"].map { try SampleStores.make(kind, in: folder + "/" + $0) }
      Live.run("resolve", paths[0], "--accept", "all")
      if kind == .smsync { try SampleStores.decideFiles(paths[0]) }
      for id in try Live.run("list", paths[0], "--json").objects().compactMap({ $0["id"] as? String }).prefix(
        3)
      {
        Live.run("resolve", paths[0], id, "--set", "title=text:\u{1F600} typed \(id)")
        Live.run("resolve", paths[0], id, "--set", "record=server")
      }
      let before = try contents(of: folder + "/other")
      let file = folder + "/decisions"
      let exported = Live.run("resolve", paths[0], "--export")
      try write(Data(exported.output.utf8), to: file)
      let applied = Live.run("apply", paths[1], file, "--json")
      #expect(try applied.objects().allSatisfy { $0["outcome"] as? String == "decided" })
      #expect(exported.lines.count > 5 && applied.lines.count == exported.lines.count)
      // What the store would refuse is asked for by apply, and not of all that resolve decides.
      if kind == .sqlitedata { Live.run("write", paths[0], "--dry-run") }
      #expect(Live.run("show", paths[0], "--json") == Live.run("show", paths[1], "--json"))
      #expect(Live.run("resolve", paths[1], "--export") == exported)
      #expect(try contents(of: folder + "/other") == before)
    }
  }

  /// Of all files but the journal's.
  private func contents(of folder: String) throws -> [String: Data] {
    let names = try FileManager.default.subpathsOfDirectory(atPath: folder).filter { !$0.contains("parley") }
    return Dictionary(
      uniqueKeysWithValues: names.compactMap { name in
        FileManager.default.contents(atPath: "\(folder)/\(name)").map { (name, $0) }
      })
  }

  @Test(
    "What was decided of a field before its record was as a whole is not exported, and is not “as before”")
  func beneathTheWhole() throws {
    var dentist = Samples.dentist
    dentist.details.alternatives = dentist.versionsAsAlternatives
    let session = Session([dentist])
    for choice in ["title=server", "record=client"] {
      _ = session.run(["resolve", "a.sqlite", "D1", "--set", choice])
    }
    let exported = session.run("resolve a.sqlite --export").lines
    #expect(exported.count == 1 && exported[0].contains(#""choice":"client""#), "\(exported)")
    let shown = session.run("show a.sqlite D1 --json").output
    #expect(shown.contains(#""decision":{"source":"client","value":"Call dentist today"}"#), "\(shown)")

    let applied = applying([line(dentist, "title", #""choice":"server""#)], to: session)
    #expect(applied.lines[0] == "line 1: decided: D1:reminders  Call dentist: title", "\(applied)")
    let kept = DecidedConflict(dentist, decisions: session.store.decisions).resolution
    #expect(kept == Resolution(choices: [.field("title"): .take(.server)]))
  }

  @Test("What has changed since is not taken and told; the rest is")
  func moved() throws {
    let session = Session()
    var stale = line(Samples.dentist, "title", #""choice":"server""#)
    stale = stale.replacing(
      print(Samples.dentist, .field("title")), with: print(Samples.milk, .field("title")))
    let lines = [
      stale, line(Samples.milk, "priority", #""choice":"server""#),
      line(Samples.milk, "priority", #""choice":"server""#, id: "gone:reminders"),
    ]
    let run = applying(lines, "--json", to: session)
    #expect(run.status == .moved)
    #expect(try run.objects().map { $0["outcome"] as? String } == ["moved", "decided", "moved"])
    #expect(try run.objects().map { $0["line"] as? Int } == [1, 2, 3])
    #expect(session.store.decisions.map(\.id) == ["M2:reminders"])
    let words = applying(lines, to: Session()).lines
    #expect(
      words == [
        "line 1: not taken: D1:reminders  Call dentist: title: title is not what it was when this was decided",
        "line 2: decided: M2:reminders  Milk: priority",
        "line 3: not taken: gone:reminders: priority: no record of this name is in conflict",
        "1 decided, 2 not taken. 3 fields of 1 record are still open.",
      ])
  }

  @Test(
    "What was decided about an earlier conflict that looks the same is taken where nothing of it can have been written",
    arguments: [(Decision.Written.no, true), (.perhaps, false), (.yes, false)])
  func ofAnEarlierConflict(written: Decision.Written, isTaken: Bool) throws {
    var later = Samples.milk
    later.details.serverTag = "d00b"
    let session = Session([later])
    let server = Resolution(choices: [.field("priority"): .take(.server)])
    var decision = Samples.milk.decisions(about: [.field("priority")], in: server, at: 1)[0]
    decision.written = written
    try session.store.journal.append([decision])
    let run = applying([line(Samples.milk, "priority", #""choice":"server""#)], to: session)
    #expect(run.output.contains("decided about another conflict of the record") != isTaken, "\(run)")
    #expect((run.status == .moved) != isTaken, "\(run)")
  }

  @Test("Of two lines that contradict each other the later one counts, and the earlier one is told")
  func contradiction() throws {
    let session = Session()
    let lines = ["server", "client", "client"].map { line(Samples.milk, "priority", "\"choice\":\"\($0)\"") }
    let run = applying(lines, to: session)
    #expect(run.status == .refused)
    #expect(run.lines[0].contains("priority: line 3 decides the same otherwise"), "\(run.output)")
    #expect(run.lines[1].contains(": decided: ") && run.lines[2].contains(": as before: "), "\(run.output)")
    #expect(run.lines[3].hasPrefix("1 decided, 1 as before, 1 refused. "), "\(run.output)")
    #expect(session.store.decisions.map(\.choice) == [.take(.client)])
  }

  /// Of what is merged, or the same on both sides, somebody who reads hashes alone has no other name.
  @Test(
    "What is suggested of a field is taken by that word, and by the one that show has for where it comes from"
  )
  func suggested() throws {
    for word in ["suggestion", "both"] {
      let same = Samples.edited(
        "D1", title: "x", ancestor: ["title": .text("a")], client: ["title": .text("b")],
        server: ["title": (.text("b"), 9)])
      let session = Session([same])
      let run = applying([line(same, "title", "\"choice\":\"\(word)\"")], to: session)
      #expect(session.store.decisions.map(\.choice) == [.take(.client)], "\(run.output) \(run.errors)")
    }
    let session = Session()
    let run = applying([line(Samples.dentist, "title", #""choice":"merged""#)], to: session)
    #expect(run.status == .refused && session.store.decisions.isEmpty, "\(run.output)")
  }

  @Test(
    "What the record refuses is not taken",
    arguments: [
      ("title", #""choice":"theirs""#, "theirs is neither client, server, ancestor, suggestion nor value"),
      ("title", #""choice":"value","value":null"#, "title must have a value"),
      ("id", #""choice":"server""#, "is a key or a generated column"),
      ("id", #""choice":"both""#, "id is a key or a generated column and is never written"),
      ("slug", #""choice":"suggestion""#, "slug is a key or a generated column and is never written"),
      ("titel", #""choice":"server""#, "the record has no such field\n"),
      ("record", #""choice":"server""#, "no such field; for the record as a whole, leave “field” out"),
      (
        "cover", "\"choice\":\"value\",\"value\":{\"sha256\":\"\(JSONTests.hash)\"}", "there is only the hash"
      ),
      ("weight", #""choice":"value","value":{"real":"nan"}"#, "weight"),
      ("weight", #""choice":"value","value":1e400"#, "weight takes a number"),
      ("weight", #""choice":"value","value":12345678901234567890"#, "rounded to 12345678901234567168"),
      ("priority", #""choice":"value","value":12345678901234567890"#, "to SQLite this one is the real 1.2"),
      ("priority", #""choice":"value","value":1.5"#, "priority takes a whole number. Give such"),
      ("extra", #""choice":"value","value":12345678901234567890"#, "rounded to 12345678901234567168"),
      ("extra", #""choice":"value","value":{"real":"nan"}"#, "extra"),
      ("extra", #""choice":"value","value":-1e400"#, "extra"),
      ("extra", #""choice":"value","value":{"opaque":"00","kind":"CKLocation"}"#, "extra"),
      ("extra", #""choice":"value","value":{"missing":true}"#, "extra"),
      ("extra", #""choice":"value","value":{"attachment":"{}"}"#, "extra"),
      ("extra", #""choice":"value","value":{"json":"[1]"}"#, "extra"),
      (nil, #""choice":"value","value":1"#, "a record as a whole has no value"),
      (nil, #""choice":"keep""#, "The whole record cannot be decided as keep"),
    ])
  func refused(field: String?, choice: String, words: String) {
    let session = Session()
    let run = applying([line(Samples.dentist, field, choice)], to: session)
    #expect(run.status == .refused && session.store.decisions.isEmpty)
    #expect(run.output.contains(words), "\(run.output)")
  }

  @Test("What the write would refuse is not taken either, as far as the store can tell; the rest is")
  func judged() throws {
    try withTemporaryFolder { folder in
      let path = try SampleStores.make(in: folder)
      #expect(Live.run("resolve", path, "Coffee", "--set", "remindersListID=server").errors.isEmpty)
      let line = try #require(Live.run("resolve", path, "--export").lines.first)
      // A side's value may point to nothing as well.
      let wood = Live.run("resolve", path, "Buy wood for the shed", "--set", "remindersListID=server")
      #expect(wood.status == .refused && wood.errors.contains("The write would refuse this value"), "\(wood)")
      let bad = line.replacing(/"choice":"server"/, with: #""choice":"value","value":"SECRETX""#)
      #expect(bad != line)
      try (bad + "\n").write(toFile: folder + "/bad", atomically: true, encoding: .utf8)
      let run = Live.run("apply", path, folder + "/bad")
      #expect(run.status == .refused, "\(run.output) \(run.errors)")
      #expect(run.output.contains("remindersListID: the write would refuse this value: "), "\(run.output)")
      #expect(Live.run("resolve", path, "--export").lines.first == line)
      let answers = String(repeating: "f\ns\ns\ns\nN\n", count: 26)
      let plain = Live.run([path, "--plain"], input: answers).output
      #expect(plain.contains("The write would refuse server for remindersListID: "), "\(plain)")
    }
  }

  @Test(
    "A file with a line that cannot be read is not begun",
    arguments: [
      ("{", "Line 2 of the decisions cannot be read"), ("[]", "an object belongs here, not a list"),
      ("{} {}", "one object a line"), ("{}", "a decision needs “id”, as a string"),
      (#"{"id":"D1","feild":"title"}"#, "there is no member feild"),
      ("nonsense", "no value begins like this"),
      (
        #"{"id":"D1","field":"title","choice":"client","value":9,"fingerprint":"\#(String(repeating: "0", count: 64))"}"#,
        "the member “value” belongs to the choice “value”, and the choice here is “client”"
      ),
      (
        #"{"id":"D1","choice":"keep","merged":true,"fingerprint":"\#(String(repeating: "0", count: 64))"}"#,
        "the member “merged” belongs to the choice “value”, and the choice here is “keep”"
      ),
      (#"{"id":"D1","choice":"server"}"#, "a decision needs “fingerprint”"),
      (#"{"id":"D1","choice":"server","fingerprint":"abc"}"#, "a fingerprint has 32, 64 or 96"),
      (
        #"{"id":"D1","choice":"value","fingerprint":"00000000000000000000000000000000"}"#,
        "needs the member “value”"
      ),
      (
        #"{"id":"D1","field":"x","choice":"value","value":{"integer":"1e22"},"fingerprint":"00000000000000000000000000000000"}"#,
        "“integer” takes a string of digits, from -9223372036854775808 to 9223372036854775807, and this is none"
      ),
      (#"{"id":1,"id":2}"#, "twice"), (#"{"mend":""}"#, "“mend” names a finding"),
      (
        #"{"id":"D1","choice":"server","fingerprint":"00000000000000000000000000000000","note":5}"#,
        "“note” has to be a string"
      ),
    ])
  func unreadable(bad: String, words: String) {
    let session = Session()
    let run = applying([line(Samples.milk, "priority", #""choice":"server""#), bad], to: session)
    #expect(run.status == .cannotOpen && run.output.isEmpty && session.store.decisions.isEmpty)
    #expect(run.errors.contains("Line 2 of the decisions") && run.errors.contains(words), "\(run.errors)")
  }

  @Test("A file that was taken is taken with fields left open, too, and the second time all is as before")
  func twice() {
    let session = Session([Samples.dentist])
    let given = line(Samples.dentist, "title", #""choice":"server","note":"as she said""#)
    let first = applying([given], to: session)
    #expect(first.status == .nothingLeft)
    #expect(first.lines.last == "1 decided. 2 fields of 1 record are still open.", "\(first.output)")
    let second = applying([given], to: session)
    #expect(second.status == .nothingLeft && session.store.decisions.count == 1)
    #expect(
      second.lines == [
        "line 1: as before: D1:reminders  Call dentist: title",
        "1 as before. 2 fields of 1 record are still open.",
      ])
    #expect(
      applying([given], "--json", to: session).output.contains(#""outcome":"decided","detail":"as before""#))
  }

  @Test("The sum is the last line, also behind what is told of findings")
  func sumLast() {
    let finding = Finding(
      id: "never-uploaded:M2", table: "reminders", record: "M2", title: "Milk", what: "never uploaded",
      evidence: "nothing waits", cause: "Nobody knows.", remedy: "Upload it.", canBeMended: "upload it")
    let session = Session(store: WatchedStore([Samples.milk], findings: [finding]))
    let decision = line(Samples.milk, "priority", #""choice":"server""#)
    let run = applying([#"{"mend":"never-uploaded:M2"}"#, decision], to: session)
    #expect(run.lines.count == 4 && run.lines[2].hasPrefix("To mend: parley doctor "), "\(run)")
    #expect(run.lines.last?.hasPrefix("1 decided. ") == true, "\(run)")
  }

  @Test("What is given up by a finding is shown, unless the line tells as what it was seen")
  func asSeen() {
    let finding = Finding(
      id: "deletion-lost:M2", table: "reminders", record: "M2", title: "Milk", what: "deletion lost",
      evidence: "an edit is there", cause: "Nobody knows.", remedy: "Delete it.",
      canBeMended: "it is deleted", takesSide: true)
    let session = Session(store: WatchedStore([], findings: [finding]))
    let command = "To mend: parley doctor a.sqlite \(finding.idAsSeen) --mend --yes"
    for (name, isShown) in [(finding.id, true), ("deletion-", true), (finding.idAsSeen, false)] {
      let run = applying([#"{"mend":"\#(name)"}"#], to: session)
      #expect(run.output.contains("shown by   an edit is there") == isShown, "\(run)")
      #expect(run.lines.contains(command) && run.status == .nothingLeft, "\(run)")
    }
    let other = applying([#"{"mend":"deletion-lost=00000000:M2"}"#], to: session)
    #expect(other.status == .moved && !other.output.contains("To mend"), "\(other)")
    let json = applying([#"{"mend":"deletion-lost:M2"}"#], "--json", to: session)
    #expect(json.lines.count == 1 && json.output.contains(#""outcome":"toMend""#), "\(json)")
    #expect(json.errors.hasSuffix("\nparley: \(command)\n"), "\(json)")
    #expect(json.errors.hasPrefix("parley: Something is given up by that"), "\(json)")
    #expect(json.errors.contains("shown by   an edit is there"), "\(json)")
  }

  @Test("A dry run tells the same, and keeps nothing")
  func dryRun() {
    let session = Session([Samples.milk])
    let lines = [line(Samples.milk, "priority", #""choice":"value","value":5"#), ""]
    let dry = applying(lines, "--dry-run", to: session)
    #expect(
      dry.lines == [
        "line 1: would be decided: M2:reminders  Milk: priority",
        "1 would be decided. No field of these records is open; parley write shows their drafts.",
      ])
    #expect(dry.status == .nothingLeft && session.store.decisions.isEmpty)
    #expect(applying(lines, to: session).status == .nothingLeft)
    #expect(session.store.decisions.map(\.choice) == [.edit(.integer(5))])
  }

  @Test("The support round trip: a report without a value goes out, decisions by its hashes come back")
  func redacted() throws {
    try withTemporaryFolder { folder in
      let path = try SampleStores.make(in: folder + "/demo")
      let report = Live.run("show", path, "--redact", "--json")
      let list = Live.run("list", path, "--redact", "--json")
      for value in ["5eed0000", "Invoice", "campsite", "library", "umbrella", "Kitchen", "iPad"] {
        #expect(!report.output.contains(value) && !list.output.contains(value), "\(value)")
      }
      let records = try report.objects()
      #expect(try list.objects().map { $0["id"] as? String } == records.map { $0["id"] as? String })
      let lines = records.flatMap { record -> [String] in
        let id = record["id"] as? String ?? ""
        let fields = record["fields"] as? [[String: Any]] ?? []
        let open = fields.filter { !($0["certainty"] is NSNull) && $0["writable"] as? Bool == true }
        guard record["record"] is NSNull else {
          return [#"{"id":"\#(id)","choice":"server","fingerprint":"\#(record["fingerprint"] ?? "")"}"#]
        }
        return open.map {
          #"{"id":"\#(id)","field":"\#($0["name"] ?? "")","choice":"server","fingerprint":"\#($0["fingerprint"] ?? "")"}"#
        }
      }
      try write(Data(lines.joined(separator: "\n").utf8), to: folder + "/answer")
      let run = Live.run("apply", path, folder + "/answer", "--json")
      let outcomes = try run.objects().compactMap { $0["outcome"] as? String }
      #expect(outcomes.count == lines.count && outcomes.count > 20)
      let told = run.errors.split(separator: "\n")
      #expect(told.allSatisfy { $0.contains("the store would refuse this draft") }, "\(run.errors)")
      #expect(outcomes.count { $0 == "decided" } * 10 > outcomes.count * 8, "\(outcomes)")
      #expect(Live.run("show", path, records[0]["id"] as? String ?? "").status != .usage)
    }
  }

  @Test("A hash that two records have is told, and taken with the table behind it")
  func ambiguous() {
    let other = RecordConflict(
      id: "M2:lists", table: "lists", primaryKey: "M2", title: "Milk", fields: Samples.fields,
      versions: Samples.milk.versions)
    let hash = Redaction.fixed.privacy.shown("M2")
    let session = Session([Samples.milk, other])
    let run = applying([line(Samples.milk, "priority", #""choice":"server""#, id: hash)], to: session)
    #expect(run.status == .refused && run.output.contains("2 records have this hash"))
    let whole = applying([line(other, "priority", #""choice":"server""#, id: hash + ":lists")], to: session)
    #expect(whole.status == .nothingLeft && session.store.decisions.map(\.id) == ["M2:lists"])
  }

  @Test(
    "The example of OUTPUT.md holds as it stands, whenever the sample was made", arguments: [0, 1_000_000])
  func example(secondsAgo: Int64) throws {
    let file = try #require(try ProjectFile.all("md").first { $0.path == "Sources/parley/OUTPUT.md" })
    let example = file.lines.filter { $0.hasPrefix("{\"id\":\"5eed") || $0.hasPrefix("{\"mend\":") }
    let lines = example.joined(separator: "\n")
    try withTemporaryFolder { folder in
      let now = WallClock.now() - secondsAgo * 1_000_000_000
      let store = try Surroundings.live().makeDemo(.sqlitedata, folder, now)
      let run = Live.run(["apply", store, "-", "--json"], input: lines)
      let outcomes = try run.objects().compactMap { $0["outcome"] as? String }
      #expect(outcomes == ["decided", "decided", "decided", "toMend"], "\(run)")
    }
  }

  @Test("A finding by its redacted id is looked for, and mended by a command of its own")
  func mending() throws {
    try withTemporaryFolder { folder in
      let path = try SampleStores.make(in: folder + "/demo")
      let findings = try Live.run("doctor", path, "--redact", "--json").objects()
      let ids = findings.filter { $0["mend"] is String }.compactMap { $0["finding"] as? String }
      let lines = (ids + ["no-such:#00000000"]).map { #"{"mend":"\#($0)"}"# }
      try write(Data(lines.joined(separator: "\n").utf8), to: folder + "/answer")
      let run = Live.run("apply", path, folder + "/answer")
      #expect(run.status == .moved && run.output.contains("no-such:#00000000: there is no such finding"))
      let command = try #require(run.lines.last { $0.hasPrefix("To mend: parley doctor ") })
      #expect(command.hasSuffix(" --mend --yes") && command.split(separator: " ").count == 7 + ids.count)
      #expect(try Live.run("log", path, "--json").objects().isEmpty)
    }
  }
}
