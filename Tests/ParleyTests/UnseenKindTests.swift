import Merging
import Samples
import StoreInterface
import Telling
import Testing

@testable import parley

/// Values of a document that differ in their kind alone.
@Suite struct UnseenKindTests: AnsweredInLines {
  private func document(_ ancestor: Value, _ client: Value, _ server: Value) -> RecordConflict {
    func version(_ value: Value) -> RecordVersion { .present(["q": FieldVersion(value, time: nil)]) }
    return RecordConflict(
      id: "kinds", table: "docs", primaryKey: "kinds", title: "Kinds",
      fields: [Field("q", kind: .any, form: .json)],
      versions: ThreeWay(ancestor: version(ancestor), client: version(client), server: version(server)))
  }

  private func json(_ text: String) -> Value { .opaque(kind: Value.jsonKind, bytes: Array(text.utf8)) }

  @Test func showTellsTheKindsWhereNoQuotesDo() {
    let list = Session([document(json("[1]"), .text("[1]"), json("[2]"))]).run("show a.sqlite").output
    #expect(list.contains("· ancestor and client differ in what does not show: A JSON, C TEXT\n"), "\(list)")
    // A number that is a text stands in quotes there.
    let number = Session([document(.integer(1), .text("1"), .real(2))]).run("show a.sqlite").output
    #expect(number.contains(#""1""#) && !number.contains("does not show"), "\(number)")
  }

  @Test func theLinearDeskSaysTheKinds() {
    let output = run(["q"], Session([document(.integer(1), .text("1"), .real(1))])).output
    #expect(output.contains("Ancestor: 1. Client: 1. Server: 1.0."), "\(output)")
    #expect(
      output.contains("Ancestor and client differ in what does not show: A INTEGER, C TEXT."), "\(output)")
  }

  @Test func aDraftTellsTheKindsOfWhatIsThereAndWhatWillBe() {
    func lines(_ now: Value, _ then: Value) -> [String] {
      let conflict = document(now, now, then)
      let decided = DecidedConflict(conflict, conflict.taking(.server, in: Resolution()))
      return DraftText(decided: decided, record: "document").lines(width: nil)
    }
    #expect(lines(json("[1]"), .text("[1]")).contains("  q: [1] (JSON) → [1] (TEXT)  (server)"))
    #expect(lines(.integer(1), .text("1")).contains(#"  q: 1 → "1"  (server)"#))
  }

  /// On a terminal that shows no other letters.
  @Test func whereASCIIAloneIsSentThatIsCompared() {
    func lines(_ now: String, _ then: String) -> String {
      let conflict = document(.text(now), .text(now), .text(then))
      let decided = DecidedConflict(conflict, conflict.taking(.server, in: Resolution()))
      let change = LastWrite.FieldChange(name: "q", before: .text(now), after: .text(then))
      let undo = CheckedUndo(
        CheckedWrite(RecordLabel(id: "kinds", title: "Kinds"), outcome: .fine),
        changes: WrittenChanges(fields: [change]))
      return
        (ConflictText(decided, width: nil, isASCII: true).lines
        + DraftText(decided: decided, record: "document", isASCII: true).lines(width: nil)
        + UndoText.lines(undo, StoreInfo.Words(), width: nil, isASCII: true)).joined(separator: "\n")
    }
    let seen = lines("1\u{A0}2", "1 2")
    #expect(!seen.contains("does not show") && !seen.contains("U+"), "\(seen)")
    let unseen = lines("1\u{A0}2", "1?2")
    let told = [
      "client and server differ in what does not show: C U+00A0, S U+003F",
      "q: 1\u{A0}2 (U+00A0) → 1?2 (U+003F)  (server)", "q: 1?2 (U+003F) → 1\u{A0}2 (U+00A0)",
    ]
    for words in told { #expect(unseen.contains(words), "\(unseen)") }
  }

  @Test(
    arguments: [("1?2", "q: 1?2 (U+00A0) > 1?2 (U+003F)\n"), ("1 2", "q: 1?2 > 1 2\n")] as [(String, String)])
  func whereASCIIAloneIsSentTheLogComparesThat(typed: String, told: String) throws {
    try withTemporaryFolder { folder in
      let builder = try DatastoreBuilder(folder: folder, name: "shop")
      let leaves = [1, 2].map { SampleRevision("\($0)", on: "a", "{\"q\":\"1\u{A0}2\",\"n\":\($0)}") }
      try builder.add("doc", [SampleRevision("a", #"{"q":"0","n":0}"#)] + leaves)
      try builder.close()
      let path = folder + "/shop.touchdb"
      Live.run("resolve", path, "doc", "--set", "n=client", "--set", "q=text:" + typed)
      #expect(Live.run("write", path, "doc", "--yes").status == .nothingLeft)
      let log = Run(["log", path, "doc"]) { output, errors in
        output.sendASCII()
        return .live(output: output, errors: errors, isWatched: false, pause: 1_000, redaction: .fixed)
      }
      #expect(log.output.contains("  " + told), "\(log)")
    }
  }

  /// Beside what is taken in its place.
  @Test(
    arguments: [
      (.text("2"), .integer(2), #"q of the client: "2""#, #"q of the client: text "2""#),
      (.integer(2), .text("2"), "q of the client: 2", "q of the client: 2"),
      (.text("true"), .integer(2), #"q of the client: "true""#, #"q of the client: text "true""#),
      (.text("[1]"), .integer(2), "q of the client: [1] (TEXT)", "q of the client: [1] (TEXT)"),
      (.text("Ann"), .integer(2), "q of the client: Ann", "q of the client: Ann"),
    ] as [(Value, Value, String, String)])
  func whatIsGivenUpIsToldByItsKind(client: Value, server: Value, told: String, said: String) throws {
    let conflict = document(.integer(1), client, server)
    let lost = try #require(conflict.givenUp(by: .take(.server), for: .field("q")).first)
    let kept = try #require(KeptGivenUp([lost]).all?.first)
    let linear = LinearText(time: TimeText(now: 0), words: StoreInfo.Words())
    for lost in [lost, kept] {
      #expect(lost.words(.open) == told)
      #expect(linear.lost(lost) == said)
    }
  }

  /// Beside what was there before, or what is taken in its place.
  @Test(
    arguments: [
      (
        [#"{"k":"a b","l":1}"#, #"{"k":"a c","l":1}"#, "{\"k\":\"a\u{A0}b\",\"l\":2}"], #"{"k":"a c","l":2}"#,
        "k: \"a b\" (U+0020) → \"a\u{A0}b\" (U+00A0)"
      ),
      (
        [#"{"k":1,"l":1}"#, #"{"k":"a b","l":1}"#, "{\"k\":\"a\u{A0}b\",\"l\":2}"], #"{"k":"a b","l":2}"#,
        "k: 1 → \"a\u{A0}b\" (U+00A0)"
      ),
      (
        [#"{"k":1}"#, #"{"k":"a b"}"#, "{\"k\":\"a\u{A0}b\"}"], #"{"k":"a b"}"#,
        "{\"k\":\"a\u{A0}b\"} (U+00A0)"
      ),
      ([#"{"k":1,"l":1}"#, #"{"k":2,"l":1}"#, #"{"k":3,"l":2}"#], #"{"k":2,"l":2}"#, "k: 1 → 3"),
    ] as [([String], String, String)])
  func whatIsGivenUpIsToldByWhatDoesNotShow(versions: [String], taken: String, told: String) throws {
    let all = versions.map(json)
    let conflict = document(all[0], all[1], all[2])
    let decided = DecidedConflict(conflict, Resolution(choices: [.field("q"): .merged(json(taken))]))
    let lines = DraftText(decided: decided, record: "document").lines(width: nil)
    #expect(lines.contains("  given up: q of the server: \(told)"), "\(lines)")
    let outcome = CheckedWrite(RecordLabel(id: "kinds", title: "Kinds"), outcome: .fine)
    let said = LinearText(time: TimeText(now: 0), words: StoreInfo.Words()).draft(decided, outcome, number: 1)
    let lost = try #require(said.first { $0.hasPrefix("Given up: q of the server: ") }, "\(said)")
    #expect(lost.contains("(U+00A0)") == told.contains("(U+00A0)"), "\(lost)")
  }

  /// Of what it was made of; what was taken in its place is not in the journal.
  @Test func theLogTellsWhatDoesNotShowOfAKeyThatIsGivenUp() throws {
    try withTemporaryFolder { folder in
      let builder = try DatastoreBuilder(folder: folder, name: "shop")
      let leaves = [(1, "{\"k\":\"a\u{A0}b\",\"l\":2}"), (2, #"{"k":"a c","l":1}"#)].map {
        SampleRevision("\($0)", on: "a", "{\"q\":\($1),\"n\":\($0)}")
      }
      try builder.add("doc", [SampleRevision("a", #"{"q":{"k":"a b","l":1},"n":0}"#)] + leaves)
      try builder.close()
      let path = folder + "/shop.touchdb"
      Live.run("resolve", path, "doc", "--set", #"q=json:{"k":"a c","l":2}"#)
      let told = "k: \"a b\" (U+0020) → \"a\u{A0}b\" (U+00A0)"
      let log = Live.run("log", path, "doc").output
      #expect(log.contains(told), "\(log)")
      let said = Live.run([path, "--plain"], input: "D\nq\n").output
      #expect(said.contains("(U+0020) becomes ") && said.contains("(U+00A0)"), "\(said)")
    }
  }

  @Test func aTextThatIsGivenUpIsToldByWhatDoesNotShow() {
    func lines(_ client: Value, _ server: Value) -> [String] {
      let conflict = document(.text("0"), client, server)
      let decided = DecidedConflict(conflict, conflict.taking(.client, in: Resolution()))
      return DraftText(decided: decided, record: "document").lines(width: nil)
    }
    #expect(lines(.text("a b"), .text("a\u{A0}b")).contains("  given up: q of the server: a\u{A0}b (U+00A0)"))
    #expect(lines(json("[1]"), .text("[1]")).contains("  given up: q of the server: [1] (TEXT)"))
    #expect(lines(.integer(1), .text("1")).contains(#"  given up: q of the server: "1""#))
    #expect(lines(.text("a b"), .text("a c")).contains("  given up: q of the server: a c"))
  }

  /// Of texts alone none is taken for anything else, unless that is to be there.
  @Test func whatIsGivenUpOfTextsIsToldAsTheyAre() throws {
    func version(_ text: String) -> RecordVersion { .present(["q": FieldVersion(.text(text), time: nil)]) }
    let conflict = RecordConflict(
      id: "texts", table: "docs", primaryKey: "texts", title: "Texts",
      fields: [Field("q", kind: .text, form: .json)],
      versions: ThreeWay(ancestor: version("1"), client: version("2"), server: version("3")))
    func lost(by choice: Choice) -> [String] {
      conflict.givenUp(by: choice, for: .field("q")).map { $0.words(.open) }
    }
    #expect(lost(by: .take(.server)) == ["q of the client: 2"])
    #expect(lost(by: .edit(.integer(2))) == [#"q of the client: "2""#, #"q of the server: "3""#])
  }

  /// What a draft tells, the other way round.
  @Test func anUndoTellsTheKindsOfWhatIsThereAndWhatComesBack() {
    let outcome = CheckedWrite(RecordLabel(id: "kinds", title: "Kinds"), outcome: .fine)
    let linear = LinearText(time: TimeText(now: 0), words: StoreInfo.Words())
    for (now, then, told, said) in [
      (Value.text("5"), Value.integer(1), #""5" → 1"#, #"text "5" becomes 1"#),
      (.integer(1), .text("1"), #"1 → "1""#, #"1 becomes text "1""#),
      (.text("5"), .text("1"), "5 → 1", "5 becomes 1"), (.text("5"), .null, "5 → ∅", "5 becomes NULL"),
      (json("[1]"), .text("[1]"), "[1] (JSON) → [1] (TEXT)", "[1] (JSON) becomes [1] (TEXT)"),
    ] as [(Value, Value, String, String)] {
      let change = LastWrite.FieldChange(name: "q", before: then, after: now)
      let undo = CheckedUndo(outcome, changes: WrittenChanges(fields: [change]))
      let lines = UndoText.lines(undo, StoreInfo.Words(), width: nil)
      #expect(lines.contains("  q: " + told), "\(lines)")
      #expect(linear.undo(undo).contains("q: \(said)."), "\(linear.undo(undo))")
    }
  }
}
