import Merging
import StoreInterface
import Telling
import TerminalTestSupport
import Testing

@testable import parley

@Suite("--plain")
struct LinearTests: AnsweredInLines {
  private let invoice = Samples.invoice.withWays

  @Test("asks one question after the other, what is to decide first and what is sure together")
  func transcript() {
    let session = Session([Samples.dentist, invoice])
    let run = run(["c", "", "e 7", "2", "q"], session)
    let told = run.output.replacing(/[0-9:]{8}/, with: "TIME").replacing(
      /2026-11-20 TIME|[A-Z][a-z]{2} TIME/, with: "TIME")
    #expect(
      told == """
        memory, a store of the kind memory. 2 conflicts.
        2 records are open: 2 to decide. ? says what can be answered.

        Record 1 of 2. reminders, Call dentist. 1 to decide, 1 by clock, 1 sure.
        Field weight. Ancestor: 1.0. Client, TIME: 2.0. Server, TIME: 4.0.
        To decide by you: same time. t takes client.
        Choose c client, s server, a ancestor, e edit, t for the suggestion, n skip, ? help:
        Decided: weight, client taken: 2.0.
        Field title. Ancestor: Call dentist. Client, TIME: Call dentist today. Server, TIME: Call Dr. Wu.
        Suggestion: server newer by 5m 00s. Enter takes server.
        Choose c client, s server, a ancestor, e edit, m merge its changes, Enter for the suggestion, n skip, ? help:
        Decided: title, server taken: Call Dr. Wu.
        Field priority. Ancestor: 1. Client, TIME: 1. Server, TIME: 3.
        Suggestion: only server changed. Enter takes server.
        Choose c client, s server, a ancestor, e edit, Enter for the suggestion, n skip, ? help:
        Decided: priority, edited: 7.

        Record 2 of 2. reminders, Old invoice. Deleted on the server, edited on the client.
        The record is decided as a whole.
        1: keep the edit; loses the deletion on the server.
        2: delete it; loses what the client changed: title.
        Suggestion: keep the edit.
        Choose a number from 1 to 2, c client, s server, t for the suggestion, n skip, ? help:
        Decided: delete it.

        Nothing is left to decide. 2 drafts are ready.
        Choose w review and write, h back, u undo, / find, q quit, ? help:
        2 drafts are ready and not written. All decisions are kept.

        """, "\(told)")
    #expect(run.status == .left && run.errors.isEmpty)
    #expect(
      session.store.decisions.map(\.choice) == [
        .take(.client), .take(.server), .edit(.integer(7)), .take(.server),
      ])
  }

  @Test("writes after the word yes, and takes that back after it")
  func writing() {
    let session = Session([Samples.milk])
    let run = run(["", "w", "no", "w", "yes", "u", "yes", "q"], session)
    #expect(session.store.writtenDrafts.count == 1 && session.store.undos.count == 1 && run.status == .left)
    #expect(run.output.contains("Draft 1. reminders, Milk.\npriority: 1 becomes 2  (server).\n"))
    #expect(
      run.output.contains(
        "Type yes, or Y, to write this draft; anything else leaves all as it is:\nNothing was changed.\n"))
    #expect(run.output.contains("\nMilk: written.\n1 of 1 written.\nu takes this write back.\n"))
    #expect(
      run.output.contains("Type yes, or Y, to take back this record")
        && run.output.contains("\nMilk: taken back.\n1 of 1 taken back.\n"))
    #expect(self.run(["", "w", "Y"], Session([Samples.milk])).status == .nothingLeft)
  }

  @Test("what became of a record is told by its title, as everywhere else")
  func results() {
    for (outcome, words) in [
      (CheckedWrite.Outcome.refused(field: "priority", "too high"), "Milk"),
      (.moved("priority"), "Milk"), (.notReached("the disk is full"), "Milk was not reached"),
      (.partly(written: "title", "no"), "Milk is written in part"),
      (.notKnown("no answer"), "It is not known whether Milk is written"),
    ] {
      let session = Session(store: WatchedStore([Samples.milk], outcomes: ["M2:reminders": outcome]))
      let told = run(["", "w", "yes", "q"], session).output
      #expect(told.contains(words) && !told.contains("M2:reminders"), "\(told)")
    }
  }

  @Test("Enter that leaves what was begun is told")
  func left() {
    let told = run(["e", "", "/", "", "q"], Session([Samples.dentist])).output
    #expect(told.contains("Enter leaves it:\nNothing was changed.\nThe words to find"), "\(told)")
    #expect(told.contains("Enter leaves it:\nNothing was looked for.\n"), "\(told)")
  }

  @Test("blanks behind an answer, which nobody hears, and the capitals of a word make no other answer of it")
  func asHeard() {
    for yes in ["yes ", " Yes", "YES\t", "Y "] {
      let session = Session([Samples.milk])
      _ = run(["", "w", yes, "q"], session)
      #expect(session.store.writtenDrafts.count == 1, "\(yes)")
    }
    for no in ["y", "yes please", "ye s"] {
      let session = Session([Samples.milk])
      #expect(run(["", "w", no, "q"], session).output.contains("Nothing was changed."), "\(no)")
    }
    for (typed, answer) in [
      ("c  ", .take(.client)), ("\tc\t", .take(.client)), ("Client", .take(.client)), ("  \t", .enter),
      ("e  ", .edit(nil)), ("Edit two  blanks ", .edit("two  blanks ")), ("Find milk", .find("milk")),
      ("ENTER", .enter), ("a", .take(.ancestor)), ("A ", .acceptAll), ("C", .notUnderstood("C")),
    ] as [(String, LinearAnswer)] {
      #expect(LinearAnswer(typed) == answer, "\(typed)")
    }
    #expect(LinearMergeAnswer("CS ") == .choose(.both(first: .client)))
    #expect(LinearMergeAnswer("e  ") == .words(nil))
  }

  @Test("what is not UTF-8 is no answer, wherever one is asked for")
  func notUTF8() {
    let words = "is not UTF-8, and nothing is done by it. Set the terminal's encoding to UTF-8;"
    for answers in [["e f\u{E9}r Ann"], ["e", "f\u{E9}"], ["/ \u{E9}"]] {
      let session = Session([Samples.dentist])
      let run = runAsLatin1(answers + ["q"], session)
      #expect(run.output.components(separatedBy: words).count == 2, "\(run.output)")
      #expect(session.store.decisions.isEmpty && run.status == .left && run.errors.isEmpty, "\(run)")
    }
    let session = Session([Samples.milk])
    #expect(runAsLatin1(["", "w", "\u{FF}es", "q"], session).output.contains(words))
    #expect(session.store.writtenDrafts.isEmpty)
  }

  @Test("A law: a decision is durable before the next question is answered")
  func durable() {
    var session = Session([Samples.dentist, Samples.milk])
    var counts: [Int] = []
    let store = session.store
    var answers = ["s", "s", "", ""]
    session.reader = LineReader {
      counts.append(store.decisions.count)
      return answers.isEmpty ? [] : Array((answers.removeFirst() + "\n").utf8)
    }
    #expect(session.run("a.sqlite --plain").status == .left)
    #expect(counts == [0, 1, 2, 3, 4])
  }

  @Test("A law: wherever the input ends, the end is clean and what was decided is kept")
  func endOfInput() {
    let script = ["c", "v", "e", "New title", "b", "n", "o", "A", "2", "w", "yes", "u", "yes"]
    for length in 0...script.count {
      let session = Session([Samples.dentist, invoice])
      let run = run(Array(script.prefix(length)), session)
      #expect([.left, .nothingLeft].contains(run.status) && run.errors.isEmpty, "\(length)")
      #expect(run.output.components(separatedBy: "Decided: ").count > (length == 0 ? 0 : 1))
    }
  }

  @Test("back asks again, undo takes back, skip leaves open")
  func ways() {
    let session = Session([Samples.dentist])
    let run = run(["c", "b", "s", "u", "n", "n", "n", "b", "q"], session)
    #expect(run.output.contains("Decided so far: client taken, 2.0.\n"))
    #expect(run.output.contains("Taken back: weight of Call dentist.\n"))
    #expect(run.output.contains("1 is left open, and was skipped.") && run.status == .left)
    #expect(session.store.decisions.map(\.choice) == [.take(.client)])
  }

  @Test("N goes to the next record that is open, though it was left open on the way to what is taken back")
  func nextAfterUndo() {
    let session = Session([Samples.milk, Samples.dentist, invoice])
    let told = run(["", "N", "u", "N", "N", "N", "q"], session).output
    let asked = told.matches(of: /Record ([0-9]) of 3/).map { String($0.1) }.joined()
    #expect(asked == "123123" && told.contains("3 are left open, and were skipped."), "\(told)")
  }

  @Test("what cannot be taken is not offered", arguments: [["", "q"], ["c", "q"]])
  func notTakeable(answers: [String]) {
    let poster = Samples.edited(
      "P1", title: "Poster", ancestor: ["cover": .blob(Blob(bytes: [1]))],
      client: ["cover": .blob(Blob(bytes: [7]))],
      server: ["cover": (.blob(Blob(sha256: [9, 9])), 11_340)])
    let run = run(answers, Session([poster]))
    #expect(run.output.contains("To decide by you: the server's bytes are not here.\n"), "\(run.output)")
    #expect(!run.output.contains("Enter"), "\(run.output)")
    #expect(run.output.contains("Decided: cover") == (answers[0] == "c"), "\(run.output)")
  }

  @Test(
    "Enter alone decides nothing that is to decide by a person, and the suggestion is taken by its letter")
  func tie() {
    let session = Session([Samples.dentist])
    let run = run(["", "t", "q"], session)
    let refused =
      "Enter alone takes nothing: t takes what is suggested.\nDecided: weight, client taken: 2.0.\n"
    #expect(run.output.contains(refused), "\(run.output)")
    #expect(session.store.decisions.map(\.choice) == [.take(.client)])
    let whole = Session([invoice])
    #expect(self.run(["", "t", "q"], whole).output.contains("Decided: keep the edit.\n"))
    #expect(whole.store.decisions.count == 1)
  }

  @Test("A says what it gives up, as the desk does")
  func givenUpByAll() {
    let told = run(["c", "A", "q"], Session([Samples.dentist])).output
    #expect(
      told.contains(
        "Decided: title, server taken: Call Dr. Wu.\nGiven up: 1 edit of what both changed (title).\n"),
      "\(told)")
    #expect(!run(["A", "q"], Session([Samples.milk])).output.contains("Given up"))
  }

  @Test("undo goes back into earlier sessions, the newest act first, be it a decision or a write")
  func earlierSessions() {
    var session = Session([Samples.milk, Samples.dentist])
    _ = run(["", "w", "yes", "c", "q"], session)
    session.now += 60 * 1_000_000_000
    let run = run(["u", "u", "yes", "u", "u", "q"], session)
    let told = run.output
    let order = [
      "Taken back: weight of Call dentist, decided ", "The last write was of 1 record.", "1 of 1 taken back.",
      "Taken back: priority of Milk, decided ", "There is nothing to take back.",
    ].map { told.firstRange(of: $0)?.lowerBound }
    #expect(!order.contains(nil) && order.compactMap(\.self) == order.compactMap(\.self).sorted(), "\(told)")
    #expect(
      session.store.undos.count == 1 && session.store.decisions.suffix(2).allSatisfy { $0.choice == nil })
  }

  @Test(
    "what cannot be taken is told, and the question stays",
    arguments: [
      ("9", "Choose 1 to 2; o lists them."), ("a", "The ancestor is no way to decide a whole record"),
      ("zzz", "is no answer here"),
      ("e 1", "takes no value of your own. o lists"), ("f", "The record is decided as a whole. o lists"),
      ("A", "Nothing else of this record"),
    ])
  func refused(answer: String, words: String) {
    let session = Session([invoice])
    let run = run([answer, "1"], session)
    #expect(run.output.contains(words), "\(run.output)")
    #expect(session.store.decisions.map(\.choice) == [.take(.client)])
  }

  @Test("? tells what can be answered here")
  func help() {
    let sure = Samples.edited(
      "S1", title: "Sure", ancestor: ["title": .text("old"), "priority": .integer(1)], client: [:],
      server: ["title": (.text("new"), 11_340), "priority": (.integer(2), 11_340)])
    let always = ["/", "h", "u", "D", "r", "w", "q", "?"]
    #expect(
      told(after: [], Session([sure])) == ["Enter", "t", "f", "A", "v", "n", "N"] + always)
    #expect(told(after: ["A"], Session([sure])) == always)
    #expect(
      told(after: [], Session([Samples.dentist])) == ["t", "c", "s", "a", "e", "A", "v", "n", "N"] + always)
    #expect(
      told(after: ["c"], Session([Samples.dentist])).starts(with: ["Enter", "t", "c", "s", "a", "e", "m"]))
    #expect(told(after: [], Session([invoice])) == ["t", "c", "s", "o", "1", "v", "n", "N"] + always)
  }

  @Test("v says what was changed of a record that is decided as a whole, and no answer is met by silence")
  func wholeInFull() {
    let told = run(["v", "c", "v", "f", "o", "q"], Session([invoice])).output
    let values = "title, ancestor: Invoice\ntitle, client: Old invoice\ntitle, server: deleted"
    #expect(told.contains("? help:\n" + values), "\(told)")
    let nothing = "There is nothing to decide here. h goes back, q leaves.\n"
    #expect(told.contains("? help:\n" + nothing + nothing + nothing + "1 draft is ready and not"), "\(told)")
  }

  @Test("A law: what ? does not tell decides nothing")
  func helpIsWhole() {
    for (conflict, before) in [(Samples.dentist, 0), (Samples.dentist, 1), (invoice, 0), (Samples.milk, 1)] {
      let begun = Array(repeating: "c", count: before)
      let all = LinearAnswer.entries.map(\.keys[0])
      let told = told(after: begun, Session([conflict]))
      for key in all where !told.contains(key) {
        let session = Session([conflict])
        _ = run(begun + [key == "Enter" ? "" : key, "q"], session)
        #expect(session.store.decisions.count == before, "\(conflict.title) \(key)")
      }
    }
  }

  @Test("a number means a way only where the ways were told")
  func numbers() {
    let session = Session([Samples.dentist.withWays])
    let run = run(["1", "o", "1"], session)
    #expect(run.output.contains("A number takes one of the ways that o lists.\n1: take the client's record"))
    #expect(session.store.decisions.map(\.choice) == [.alternative("client")])
  }

  @Test("a way that makes a record tells its name")
  func newRecord() {
    var dentist = Samples.dentist
    dentist.details.alternatives = [
      Alternative(
        id: "both", words: "keep both: the other as the new", outcome: .own, newRecords: ["D1-copy"])
    ]
    let run = run(["o", "1"], Session([dentist]))
    #expect(run.output.contains("1: keep both: the other as the new D1-copy.\n"), "\(run.output)")
    #expect(run.output.contains("Decided: keep both: the other as the new D1-copy."), "\(run.output)")
  }

  @Test("a value of one's own is read as --set reads it, and refused as there")
  func edit() {
    let session = Session([Samples.dentist])
    let run = run(["e heavy", "e", "null:", "e", "", "e title"], session)
    #expect(
      run.output.contains("weight takes a number.") && run.output.contains("Decided: weight, edited: NULL."))
    #expect(
      run.output.contains("New value of title, text. null: is NULL, text: is empty text, Enter leaves it:"))
    #expect(session.store.decisions.map(\.choice) == [.edit(.null), .edit(.text("title"))])
  }

  @Test("sure fields are taken together, or asked one by one; never one side unseen")
  func sure() throws {
    try withTemporaryFolder { folder in
      let path = try SampleStores.make(in: folder + "/demo")
      let words = Live.run([path, "--plain"], input: "n\nn\nn\ns\nf\ns\nq\n").output
      #expect(words.contains("3 fields are sure.\ndueDate: client, "))
      #expect(words.contains("These are several fields.") && words.contains("Field isCompleted."))
      #expect(words.contains("The client put in: the; took out: insurance card; put in: both cards"))
    }
  }

  @Test("what becomes of a draft on the server is said before it is written, as in the desk")
  func upload() throws {
    try withTemporaryFolder { folder in
      let (path, milk) = (try SampleStores.make(in: folder + "/demo"), "000000000012")
      _ = Live.run("resolve", path, milk, "--accept", "all")
      let words = Live.run([path, "--plain"], input: "w\nno\nq\n").output
      #expect(
        words.contains("Draft 1. reminders, Milk 2%.\nUploaded at the app's next launch.\n"), "\(words)")
    }
  }

  /// Answers of all kinds in any order, on each kind of store.
  @Test(
    "A law: whatever is answered, it is told in words, and nothing is drawn", arguments: DemoKind.ofFiles,
    0..<3)
  func anything(kind: DemoKind, seed: Int) throws {
    try withTemporaryFolder { folder in
      let path = try SampleStores.make(kind, in: folder + "/demo")
      var state = UInt64(seed + 1)
      let keys = LinearAnswer.entries.map(\.keys[0]).filter { !["q", "Enter", "w"].contains($0) }
      let all =
        keys + ["", "", "", "1", "2", "9", "e 5", "e text:x", "w\nyes", "w\nno", "u\nyes", "nonsense"]
      let answers = (0..<60).map { _ -> String in
        state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
        return all[Int(state >> 33) % all.count]
      }
      let run = Live.run([path, "--plain"], input: answers.joined(separator: "\n") + "\n")
      #expect([.left, .nothingLeft].contains(run.status), "\(run.errors)")
      for scalar in run.output.unicodeScalars {
        // Pictures of control characters are of values.
        let isDrawn = (0x2190...0x2BFF).contains(scalar.value) && !(0x2400...0x2426).contains(scalar.value)
        #expect(!isDrawn && scalar != "\u{1B}" && scalar != "›", "\(scalar)")
      }
    }
  }

  @Test("On a dumb terminal it works, and no byte moves a cursor")
  func dumb() throws {
    try SampleDesk.make { desk in
      let terminal = try desk.start(["--plain"], environment: ["TERM": "dumb"])
      try terminal.waitForOutput(containing: "Record 1 of 25")
      terminal.type("c\n")
      try terminal.waitForOutput(containing: "Decided: ")
      terminal.type("q\n")
      #expect(try terminal.waitForExit() == .exited(1))
      #expect(!terminal.contains("\u{1B}") && terminal.isRestored)
    }
  }

  @Test("what was given up by a way is told with the words of the way")
  func givenUpByAWay() {
    let told = run(["o", "2", "D", "q"], Session([Samples.dentist.withWays])).output
    #expect(told.contains(". Call dentist: record: take the server's record.\nGiven up: "), "\(told)")
    let whole = run(["2", "D", "q"], Session([invoice])).output
    #expect(whole.contains(". Old invoice: record: delete it.\nGiven up: "), "\(whole)")
  }

  @Test("w says what was decided and has changed since")
  func movedSince() {
    let moved = Samples.edited(
      "M2", title: "Milk", ancestor: ["title": .text("Milk"), "priority": .integer(1), "weight": .null],
      client: ["title": .text("Milk"), "priority": .integer(1), "weight": .null],
      server: ["title": (.text("Milk"), 0), "priority": (.integer(9), 90), "weight": (.null, 0)])
    let words =
      "Milk moved since you saw it: what was decided about priority no longer holds, as it changed after the "
      + "decision. Nothing of it was written; look at it again and decide what is new.\n"
    let session = Session([Samples.milk, invoice])
    _ = run(["", "q"], session)
    session.store.replace(moved)
    let told = run(["w", "n", "1", "w", "no", "q"], session).output
    #expect(told.contains(words + "Nothing is ready to write: 2 undecided.\n"), "\(told)")
    #expect(told.contains(words + "Draft 1. reminders, Old invoice.\n"), "\(told)")
  }

  @Test("what is no answer is told by its beginning", arguments: ["", "/", "m"])
  func longNonsense(before: String) {
    let words = String(repeating: "pasted ", count: 10_000)
    let answers = before == "m" ? ["c", "m", words, words, "q"] : [before + words, "q"]
    let told = run(answers, Session([Samples.dentist])).output
    #expect(told.contains("“pasted pasted") && told.contains("past…”"), "\(told.suffix(2_000))")
    #expect(told.count < 4_000)
  }

  @Test("a theme that is not there is told, as with a screen")
  func unknownTheme() {
    let run = Session().run("a.sqlite --plain --theme nix")
    #expect(run.status == .usage && run.output.isEmpty && run.errors.contains("nix"), "\(run)")
    var session = Session()
    session.input = "q\n"
    #expect(session.run("a.sqlite --plain --theme night").status == .left)
  }
}
