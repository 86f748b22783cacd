import Merging
import StoreInterface
import Telling
import Testing

@testable import parley

@Suite("--plain: what is said of values")
struct LinearValueTests: AnsweredInLines {
  @Test("v says what the question says, and a title with what it stands for")
  func inFull() throws {
    try withTemporaryFolder { folder in
      let path = try SampleStores.make(.smsync, in: folder + "/demo")
      let told = Live.run([path, "--plain"], input: "n\nn\nn\nn\nn\nv\nq\n").output
      let reason = "not known, a version before 2; this system keeps no ancestor text"
      #expect(told.contains("Field content. Ancestor: \(reason). Client: PNG picture, 64 × 48. "), "\(told)")
      #expect(
        told.contains("\ncontent, ancestor: \(reason)\ncontent, client: PNG picture, 64 × 48, blob 29 B #"))
    }
  }

  @Test("a text that has an end of its own is said in quotes, and no full stop comes twice")
  func ends() {
    let car = Samples.edited(
      "E1", title: "By car.", ancestor: ["title": .text("By bus.\n")], client: ["title": .text("By car.")],
      server: ["title": (.text("By train"), 11_340)])
    let told = run(["s", "b", "c", "w", "no", "D", "q"], Session([car])).output
    #expect(
      told.contains("Ancestor: 1 line: “By bus.” Client, ") && told.contains(": “By car.” Server, ")
        && told.contains(": By train.\n"), "\(told)")
    #expect(told.contains("Decided: title, client taken: “By car.”\n"), "\(told)")
    #expect(told.contains("reminders, By car. 1 by clock.\n") && !told.contains(".."), "\(told)")
  }

  @Test("an edit that is given up is said as a value is, without a sign")
  func nullGivenUp() {
    let keys = Samples.edited(
      "E2", title: "Keys", ancestor: ["priority": .integer(1)], client: ["priority": .null],
      server: ["priority": (.integer(2), 11_340)])
    let told = run(["s", "D", "q"], Session([keys])).output
    #expect(told.contains("Given up: priority of the client: NULL.\n"), "\(told)")
  }

  @Test("a text that is heard like what is said of no text is called a text", arguments: [false, true])
  func wordsOfNoText(isASCII: Bool) {
    var text = LinearText(time: TimeText(now: 0), words: StoreInfo.Words())
    text.isASCII = isASCII
    for word in ["NULL", "null", "N\u{FC}ll.", "Not there", "no such key", "blank line", "\"Empty text\""] {
      #expect(text.value(.text(word)) == "text \"\(word)\"")
    }
    let others: [Value?] = [nil, .null, .missing, .text("")]
    #expect(others.map { text.value($0) } == ["not there", "NULL", "no such key", "empty text"])
    #expect(text.value(.text("Nothing else")) == "Nothing else" && text.inFull(.text("nil")) == "nil")
    // Quotes are not heard.
    #expect(text.value(.text("5"), kind: .any) == "text \"5\"" && text.value(.text("5")) == "5")
    #expect(text.value(.text("NULL\nblank line\n\n")) == "3 lines: NULL / text \"blank line\" / blank line")
  }

  @Test("so it is in a question, by v, in a draft, where it is taken back, and of a title")
  func textOfNull() {
    let keys = Samples.edited(
      "E2", title: "Keys", ancestor: ["title": .text("Keys"), "extra": .text("a key")],
      client: ["title": .text("Keys"), "extra": .null],
      server: ["title": (.text("Keys"), 0), "extra": (.text("NULL"), 11_340)])
    let told = run(["v", "s", "w", "no", "q"], Session([keys])).output
    #expect(told.contains(": NULL. Server, ") && told.contains(": text \"NULL\"."), "\(told)")
    #expect(told.contains("\nextra, client: NULL\nextra, server: text \"NULL\"\n"), "\(told)")
    #expect(told.contains("extra: NULL becomes text \"NULL\"  (server)."), "\(told)")
    let text = LinearText(time: TimeText(now: 0), words: StoreInfo.Words())
    var list = LastWrite.FieldChange(name: "list", before: .text("1"), after: .null)
    list.titles = [.text("1"): "NULL"]
    let fields = [LastWrite.FieldChange(name: "extra", before: .text("NULL"), after: .null), list]
    let outcome = CheckedWrite(RecordLabel(id: keys.id, title: keys.title), outcome: .fine)
    let undo = text.undo(CheckedUndo(outcome, changes: WrittenChanges(fields: fields)))
    for name in ["extra", "list"] {
      #expect(undo.contains("\(name): NULL becomes text \"NULL\"."), "\(undo)")
    }
  }

  @Test(
    "v says a text of several lines line by line, of which one of blanks of whichever kind is a blank one",
    arguments: ["", " ", "\t", "\u{A0}", "\u{1680}", "\u{2800}", " \u{2800}\u{FE0F}"])
  func lines(blank: String) {
    let list = Samples.edited(
      "L2", title: "List", ancestor: ["title": .text("Milk")],
      client: ["title": .text("Milk\n\(blank)\nBread")], server: ["title": (.text("Milk\n"), 11_340)])
    let told = run(["v", "q"], Session([list])).output
    let values = "title, ancestor: Milk\ntitle, client: 3 lines:\nMilk\nblank line\nBread\n"
    #expect(told.contains(values + "title, server: 1 line: Milk\n"), "\(told)")
    #expect(LinearMerge.spoken(blank) == (blank.isEmpty ? "nothing" : "white space"))
    #expect(LinearMerge.spoken(blank + "Bread").contains("Bread"))
  }

  @Test("of a long text the changes are said, and the whole where it is asked for")
  func longText() {
    let old = String(repeating: "All of this stays as it was. ", count: 10)
    let letter = Samples.edited(
      "L1", title: "Letter", ancestor: ["title": .text(old)], client: ["title": .text(old + "Yours, Ann")],
      server: ["title": (.text("Dear all. " + old), 11_340)])
    let told = run(["v", "c", "q"], Session([letter])).output
    #expect(
      told.contains("Field title. Ancestor: a text of 290 characters. Client, "), "\(told)")
    #expect(told.contains("v says them whole.\nThe client put in: Yours, Ann.\n"), "\(told)")
    #expect(told.contains("title, client: " + old + "Yours, Ann"), "v says all: \(told)")
    #expect(told.contains("Decided: title, client taken.\n"), "\(told)")
  }

  @Test(
    "letters that may be said alike, or look alike, are told by their numbers, and others are not",
    arguments: [
      ("牛", "物", nil), ("кот", "кит", nil), ("שלום", "שרת", nil), ("が", "か", nil), ("👍", "👎", nil),
      ("café", "cafe", "C U+00E9, S U+0065"), ("ό", "ο", "C U+03CC, S U+03BF"),
      ("1\u{A0}2", "1 2", "C U+00A0, S U+0020."), ("1\u{2800}2", "1 2", "C U+2800, S U+0020."),
      ("1\u{3000}2", "1  2", "C U+3000, S U+0020 U+0020."), ("1  2", "1 2", "C U+0020, S nothing."),
      ("1  2  3", "1 2 3", "C U+0020 …, S nothing."),
      ("1 2", "12", nil),
      ("cafe\u{301}", "cafe", "C U+0301, S ends"), ("1\u{FE0F}", "1", "C U+FE0F, S ends"),
      ("сор", "cop", "C U+0441 …, S U+0063 …"), ("a “cup”", "a \"cup\"", "C U+201C …, S U+0022 …"),
    ] as [(String, String, String?)])
  func lookalikes(client: String, server: String, told: String?) {
    let animal = Samples.edited(
      "A1", title: "Animal", ancestor: ["title": .text("dog")], client: ["title": .text(client)],
      server: ["title": (.text(server), 11_340)])
    let words = run(["q"], Session([animal])).output
    #expect(words.contains("Client and server differ in what does not show") == (told != nil), "\(words)")
    if let told { #expect(words.contains(told), "\(words)") }
  }

  @Test(
    "that lines end otherwise is told, as they are said with the same words",
    arguments: [
      ("Milk\r\nBread", "Milk\nBread", "U+000D CR", "nothing"),
      ("Milk\nBread\n", "Milk\nBread", "U+000A LF", "ends"),
      ("Milk\n \nBread", "Milk\n\nBread", "U+0020", "nothing"), ("Milk\n", "Milk", "U+000A LF", "ends"),
    ])
  func lineEnds(client: String, server: String, ofClient: String, ofServer: String) {
    let list = Samples.edited(
      "L2", title: "List", ancestor: ["title": .text("Eggs")], client: ["title": .text(client)],
      server: ["title": (.text(server), 11_340)])
    let words = "Client and server differ in what does not show: C \(ofClient), S \(ofServer).\n"
    let told = run(["v", "q"], Session([list])).output
    #expect(told.components(separatedBy: words).count == 3, "\(told)")
    var text = LinearText(time: TimeText(now: 0), words: StoreInfo.Words())
    let decided = DecidedConflict(list, list.taking(.server, in: Resolution()))
    let outcome = CheckedWrite(RecordLabel(id: list.id, title: list.title), outcome: .fine)
    let draft = text.draft(decided, outcome, number: 1)
    let isSaid = client.contains("Bread")
    #expect(draft.contains { $0.contains(" (\(ofClient)) becomes ") } == isSaid, "\(draft)")
    text.isASCII = true
    #expect(list["title"].map { text.unseenDifferences($0) + [""] }?.joined(separator: "\n") == words)
  }

  @Test("so it is of a text of many lines")
  func manyLineEnds() {
    let lines = Array(repeating: "Ask about the wisdom tooth", count: 300)
    let letter = Samples.edited(
      "L2", title: "Letter", ancestor: ["title": .text("Eggs")],
      client: ["title": .text(lines.joined(separator: "\r\n"))],
      server: ["title": (.text(lines.joined(separator: "\n")), 11_340)])
    let told = run(["q"], Session([letter])).output
    let words = "Client and server differ in what does not show: C U+000D CR …, S nothing.\n"
    #expect(told.contains(words), "\(told)")
  }

  @Test("texts that differ in their capitals alone are told to do so, as they are said alike")
  func capitals() {
    let bread = Samples.edited(
      "B1", title: "Bread", ancestor: ["title": .text("BREAD, rye")], client: ["title": .text("Bread, rye")],
      server: ["title": (.text("bread, rye"), 11_340)])
    let told = run(["q"], Session([bread])).output
    let words = [
      "Client and server differ in capitals alone.", "Ancestor and client differ in capitals alone.",
    ]
    #expect(told.contains(words.joined(separator: "\n") + "\nSuggestion: "), "\(told)")
    #expect(!run(["q"], Session([Samples.dentist])).output.contains("capitals"))
  }

  @Test(
    "what nobody hears of a text is said by its number, or its name, and what only shapes a sign is not",
    arguments: [
      ("rye\u{200B}", "rye[U+200B]"), ("Do\u{AD}nau", "Do[U+00AD]nau"), ("\u{202E}abc", "[U+202E]abc"),
      ("a\tb", "a[tab]b"), ("a\u{FFFD}b", "a[U+FFFD]b"), ("👩\u{200D}💻 1\u{FE0F}", "👩💻 1"),
    ])
  func unheard(text: String, said: String) {
    let list = Samples.edited(
      "L2", title: "List \(text)", ancestor: ["title": .text("Eggs")], client: ["title": .text(text)],
      server: ["title": (.text("Milk"), 11_340)])
    let told = run(["v", "c", "q"], Session([list])).output
    #expect(told.contains("Record 1 of 1. reminders, List \(said). 1 by clock."), "\(told)")
    #expect(told.contains("\ntitle, client: \(said)\n"), "\(told)")
    #expect(told.contains("\nDecided: title, client taken: \(said).\n"), "\(told)")
  }

  @Test("where ASCII alone is sent, letters with one stand-in are told apart")
  func standIns() throws {
    let animal = Samples.edited(
      "A1", title: "Animal", ancestor: ["title": .text("dog")], client: ["title": .text("牛")],
      server: ["title": (.text("物"), 11_340)])
    let field = try #require(animal["title"])
    let session = Session([animal])
    var text = LinearText(time: TimeText(now: 0), words: session.store.info.words)
    #expect(text.unseenDifferences(field).isEmpty)
    text.isASCII = true
    #expect(
      text.unseenDifferences(field) == ["Client and server differ in what does not show: C U+725B, S U+7269."]
    )
  }

  @Test(
    "of what a value becomes the same is told, in a draft and where that is taken back",
    arguments: [
      ("牛", "物", false, "牛 becomes 物"), ("牛", "物", true, "牛 (U+725B) becomes 物 (U+7269)"),
      ("café", "cafe", false, "café (U+00E9) becomes cafe (U+0065)"),
      ("сор", "cop", false, "сор (U+0441 …) becomes cop (U+0063 …)"),
    ])
  func becomes(now: String, then: String, isASCII: Bool, told: String) {
    let animal = Samples.edited(
      "A1", title: "Animal", ancestor: ["title": .text("dog")], client: ["title": .text(now)],
      server: ["title": (.text(then), 11_340)])
    let decided = DecidedConflict(animal, animal.taking(.server, in: Resolution()))
    let outcome = CheckedWrite(RecordLabel(id: animal.id, title: animal.title), outcome: .fine)
    var text = LinearText(time: TimeText(now: 0), words: StoreInfo.Words())
    text.isASCII = isASCII
    let draft = text.draft(decided, outcome, number: 1)
    #expect(draft.contains { $0.hasPrefix("title: \(told)  (server)") }, "\(draft)")
    let back = LastWrite.FieldChange(name: "title", before: .text(then), after: .text(now))
    let undo = text.undo(CheckedUndo(outcome, changes: WrittenChanges(fields: [back])))
    #expect(undo.contains("title: \(told)."), "\(undo)")
  }
}
