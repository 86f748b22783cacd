import ExactJSON
import Merging
import StoreInterface
import Terminal
import Testing

@testable import Desk

/// A field put together change by change.
@Suite struct MergeTests {
  /// On any screen it is told whose words these are.
  @Test(arguments: [(40, 10), (60, 15), (80, 24)]) func aMergeNamesItsRecordAndField(columns: Int, rows: Int)
  {
    let desk = TestDesk(columns: columns, rows: rows).typing("<enter>gjm")
    let head = desk.screen.description.split(separator: "\n")[0]
    #expect(head.hasPrefix(" Call dentist   notes ") && head.contains("/3") == (columns == 40), "\(head)")
  }

  private static let subject = Subject.field("notes")

  /// Both changed two places, and each one alone.
  private static let trip = Sample.record(
    "50:reminders", title: "Trip",
    ancestor: ["notes": .text("Take the train at nine. Bring tea. Call Ann. Pack light.")],
    client: ["notes": .text("Take the bus at nine. Bring coffee. Call Ann today. Pack light.")],
    server: ["notes": .text("Take the tram at nine. Bring juice. Call Ann. Pack warm.")])

  private static let tied = Sample.record(
    "51:reminders", title: "Tied", ancestor: ["notes": .text("one two three")],
    client: ["notes": .text("one 2 three")], server: ["notes": .text("one II three")],
    serverTime: Sample.now - Sample.minute)

  private func text(_ desk: TestDesk) -> Value? {
    guard case .parts(let parts)? = desk.journal.last?.choice else { return nil }
    return parts.value
  }

  private func desk(_ record: RecordConflict = trip, _ keys: String = "<enter>m") -> TestDesk {
    TestDesk([record], advances: true).typing(keys)
  }

  /// A piece of a date or of a key is nothing that anybody meant.
  @Test(arguments: [
    ("2026-11-25 00:00:00.000", "2026-11-26 00:00:00.000", "2026-12-02 00:00:00.000"),
    ("5eed-0001", "5eed-0002", "5eed-0003"), ("red", "green", "blue"),
  ])
  func whatHasNoWordsIsNotMerged(ancestor: String, client: String, server: String) {
    let record = Sample.record(
      "52:reminders", title: "Whole", ancestor: ["due": .text(ancestor)], client: ["due": .text(client)],
      server: ["due": .text(server)])
    let desk = desk(record)
    #expect(desk.state.topic == .record && desk.state.status?.isFailure == true)
    #expect(desk.state.status?.text.contains("differ") == false)
    #expect(!desk.screen.description.contains("m merge"))
    let value = self.desk(record, "<enter><enter>")
    #expect(value.typing("m").state.topic == .value)
    #expect(value.screen.description.contains("change 1 of 1"), "\(value.screen)")
    let record2 = Sample.record(
      "52:reminders", title: "Tied", ancestor: ["due": .text(ancestor)], client: ["due": .text(client)],
      server: ["due": .text(server)], serverTime: Sample.now - Sample.minute)
    let tied = self.desk(record2, "<enter><enter>").screen.description
    #expect(tied.contains("[ \(client) | \(server) ]"), "\(tied)")
  }

  @Test func whatIsWrittenWithoutBlanksIsMerged() {
    let record = Sample.record(
      "53:reminders", title: "Tea", ancestor: ["notes": .text("買茶")], client: ["notes": .text("買綠茶")],
      server: ["notes": .text("買紅茶")])
    #expect(desk(record).state.topic == .merge)
  }

  @Test(arguments: [(80, 24), (120, 40), (40, 12)]) func theMerge(columns: Int, rows: Int) throws {
    try expect(TestDesk(columns: columns, rows: rows).typing("<enter>gjm").screen, matches: "merge")
  }

  @Test func theMergeIsDone() throws {
    let desk = TestDesk(columns: 120, rows: 40).typing("<enter>gjmb")
    try expect(desk.screen, matches: "merge-done")
    try expect(desk.typing("<esc>").screen, matches: "record-merged")
  }

  @Test func whatIsSureIsInAndTheRestIsToDecide() {
    let desk = desk()
    #expect(desk.state.topic == .merge)
    #expect(desk.screen.description.contains("change 1 of 4   2 to decide   2 sure"))
    #expect(desk.screen.description.contains("Take the [ bus | tram ] at nine."))
    #expect(desk.journal.isEmpty)
  }

  @Test(
    arguments: [
      ("cc", "bus", "coffee"), ("cs", "bus", "juice"), ("ab", "train", "coffee juice"),
      ("Bs", "tram bus", "juice"), ("AA", "tram", "juice"), ("e<c-u>plane<enter>c", "plane", "coffee"),
    ])
  func theChoicesMakeTheText(keys: String, first: String, second: String) {
    let made = desk().typing(keys)
    #expect(
      text(made) == .text("Take the \(first) at nine. Bring \(second). Call Ann today. Pack warm."),
      "\(made.screen)")
    #expect(made.state.open["50:reminders"]?.undecided.isEmpty == true)
  }

  @Test func eachChoiceIsKeptAsItFallsAndTheFieldStaysToDecide() throws {
    let desk = desk().typing("c")
    guard case .parts(let parts)? = desk.journal.last?.choice else {
      Issue.record("nothing was kept")
      return
    }
    #expect(parts.choices.count == 1 && parts.value == nil)
    #expect(desk.state.open["50:reminders"]?.undecided == [Self.subject])
    let left = desk.typing("<esc>")
    #expect(left.state.status?.text == "1 of the changes is still to decide; what you decided is kept.")
    #expect(!left.typing("=").screen.description.contains("✓"), "half of it looks like all")
    #expect(left.typing("w").state.topic == .record)
    // Somebody opens the store again.
    var again = TestDesk([Self.trip])
    again.journal = desk.journal
    again.take(.storeChanged)
    again.type("<enter>")
    #expect(
      again.screen.description.contains("1 of its changes is decided: m goes on with the others."),
      "\(again.screen)")
    again.type("<enter>")
    #expect(again.screen.description.contains("1 decided in the merge: m goes on"), "\(again.screen)")
    again.type("ms")
    #expect(
      text(again) == .text("Take the bus at nine. Bring juice. Call Ann today. Pack warm."), "\(again.screen)"
    )
  }

  /// `A` leaves what is chosen as it is.
  @Test func onlyOfWhatIsToDecideItIsToldThatATakesTheNewer() {
    let open = TestDesk().typing("<enter>gjm")
    #expect(open.screen.description.contains("newer: A takes it"), "\(open.screen)")
    let chosen = open.typing("c").screen.description
    #expect(chosen.contains("newer") && !chosen.contains("A takes it"), "\(chosen)")
  }

  /// What is sure is decided with the last choice, so that is told before it and with it.
  @Test func whatIsSureIsToldApartFromWhatIsChosen() {
    #expect(desk().typing("c").screen.description.contains("1 to decide   1 decided   2 sure"))
    let all = desk().typing("cs")
    #expect(all.screen.description.contains("2 decided   2 sure"))
    #expect(
      all.state.status?.text
        == "Change 2: server taken. All of notes is decided; 2 sure changes go along: see ] and [. Esc goes back. u takes it back."
    )
    #expect(
      desk(Self.tied).typing("c").state.status?.text
        == "Change 1: client taken. All of notes is decided. Esc goes back. u takes it back.")
    #expect(
      desk(Self.tied).typing("b").state.status?.text
        == "All of notes is decided. Esc goes back. u takes the last decision back.")
  }

  /// What was decided before stays for the other changes, and that is told with the side.
  @Test func whatStaysDecidedIsTold() {
    let value = TestDesk(columns: 120, rows: 40).typing("<enter>gj<enter>Sc")
    #expect(
      value.state.status?.text.contains(
        "the others stay as decided (change 3: server taken). All of notes is")
        == true,
      "\(value.screen)")
    #expect(value.screen.description.contains("(change 3: server taken)"), "\(value.screen)")
    #expect(value.typing("]]c").state.status?.text.contains("stay") == false)
  }

  /// A suggestion of one whole side is nobody's choice: what one side alone changed is not given up with another change.
  @Test(arguments: ["c", "s"]) func oneChoiceGivesUpNoOtherChange(key: String) {
    let lines = (0..<9).map { "line \($0) of the letter" }
    func letter(_ changes: [Int: String]) -> Value {
      .text(lines.enumerated().map { $1 + (changes[$0] ?? "") }.joined(separator: "\n"))
    }
    let record = Sample.record(
      "57:reminders", title: "Letter", ancestor: ["notes": letter([:])],
      client: ["notes": letter([0: " mine"])], server: ["notes": letter([8: " theirs"])])
    let desk = TestDesk([record], columns: 120, rows: 40).typing("<enter><enter>]\(key)")
    #expect(text(desk) == letter(key == "c" ? [0: " mine"] : [0: " mine", 8: " theirs"]), "\(desk.screen)")
    #expect(
      desk.state.status?.text.contains("is decided; 1 sure change goes along: see ] and [.") == true,
      "\(desk.screen)")
  }

  /// Two texts that differ in their normal form alone.
  @Test func whatOnlyLooksAlikeIsNotCalledTheSame() {
    let record = Sample.record(
      "54:reminders", title: "Cafe", ancestor: ["notes": .text("one cafe two")],
      client: ["notes": .text("one caf\u{E9} two")], server: ["notes": .text("one cafe\u{301} two")])
    let screen = desk(record).screen.description
    #expect(!screen.contains("C=S"), "\(screen)")
    #expect(screen.contains("they differ in what does not show"), "\(screen)")
    #expect(!desk().screen.description.contains("does not show"))
  }

  @Test func whereItIsReadItIsToldOfWhatTheyDiffer() {
    let record = Sample.record(
      "54:reminders", title: "Cafe", ancestor: ["notes": .text("cafe")],
      client: ["notes": .text("caf\u{E9}")], server: ["notes": .text("cafe\u{301}")])
    let screen = TestDesk([record]).typing("<enter><enter>").screen.description
    #expect(screen.contains("they differ in what does not show: C U+00E9, S U+0065 U+0301"), "\(screen)")
  }

  @Test func whatWasTypedStandsAmongTheWays() {
    let screen = desk().typing("e<c-u>two words<enter>[").screen.description
    #expect(screen.contains(" ● e  two words"), "\(screen)")
  }

  /// Whatever is typed, the end of it stands where the cursor is.
  @Test(arguments: [(80, 24), (40, 12), (120, 40), (40, 16)])
  func whatIsTypedIsInSight(columns: Int, rows: Int) throws {
    let long = (1...60).map { "w\($0)" }.joined(separator: " ")
    let desk = TestDesk([Self.trip], columns: columns, rows: rows).typing("<enter>me<c-u>\(long) END")
    #expect(desk.screen.description.contains("w60 END"), "\(desk.screen)")
    let cursor = try #require(desk.screen.cursor)
    #expect(cursor.column < columns - 1)
    let before = desk.screen.description.split(separator: "\n", omittingEmptySubsequences: false)[cursor.row]
    #expect(before.prefix(cursor.column).hasSuffix("END"), "\(desk.screen)")
    let home = desk.typing("<home>")
    #expect(home.screen.description.contains("e  w1 w2"), "\(home.screen)")
  }

  @Test func aClickGoesToAChangeAndADoubleClickTakesItsSide() throws {
    let lines = (0..<4).map { "line \($0) of it" }
    let text = { (word: String) in
      Value.text(lines.map { $0 == lines[0] || $0 == lines[3] ? $0 + word : $0 }.joined(separator: "\n"))
    }
    let record = Sample.record(
      "56:reminders", title: "Lines", ancestor: ["notes": text("")], client: ["notes": text(" mine")],
      server: ["notes": text(" theirs")])
    var desk = TestDesk([record], columns: 120, rows: 40).typing("<enter>m")
    let rows = desk.screen.description.split(separator: "\n", omittingEmptySubsequences: false)
    let row = try #require(rows.firstIndex { $0.contains("line 3 of it") })
    let column = rows[row].count - 5
    desk.take(.terminal(.click(Point(column: 5, row: row))))
    guard case .value(let page)? = desk.state.pages.last else { preconditionFailure("because m was pressed") }
    #expect(page.change == 1 && desk.journal.isEmpty)
    desk.take(.terminal(.doubleClick(Point(column: column, row: row))))
    guard case .parts(let parts)? = desk.journal.last?.choice else {
      Issue.record("nothing was taken: \(desk.screen)")
      return
    }
    #expect(Array(parts.choices.values) == [.take(.server)])
  }

  /// A smaller screen still has the change under the cursor on it.
  @Test func afterAResizeTheChangeIsInSight() {
    let long = (0..<80).map { "line \($0)" }.joined(separator: "\n")
    let record = Sample.record(
      "57:reminders", title: "Long", ancestor: ["notes": .text(long + "\nlast one here")],
      client: ["notes": .text(long + "\nlast two here")], server: ["notes": .text(long + "\nlast three here")]
    )
    var desk = TestDesk([record], columns: 120, rows: 50).typing("<enter><enter>=m")
    for size in [Size(columns: 80, rows: 24), Size(columns: 40, rows: 12), Size(columns: 200, rows: 50)] {
      desk.take(.terminal(.resized(size)))
      #expect(desk.screen.description.contains("▸"), "\(desk.screen)")
      #expect(desk.screen.description.contains("last"), "\(desk.screen)")
    }
  }

  @Test func choicesAreTakenBackOneByOne() {
    let all = desk().typing("cs")
    #expect(all.typing("u").state.open["50:reminders"]?.undecided == [Self.subject])
    #expect(all.typing("uu").state.open["50:reminders"]?.resolution.isEmpty == true)
    #expect(all.typing("uuUU").state.open == all.state.open)
    #expect(all.typing("x").state.open["50:reminders"]?.undecided == [Self.subject])
    #expect(desk().typing("x").state.status?.text == "Nothing was decided here.")
  }

  @Test func aChoiceOfTheFieldTakesTheirPlace() {
    let desk = desk().typing("c<esc>s")
    #expect(desk.journal.last?.choice == .take(.server))
    #expect(desk.typing("<enter>m").screen.description.contains("2 to decide"))
  }

  @Test func aJournalThatRefusesKeepsNothing() {
    var full = desk()
    full.journalIsFull = true
    full.type("c")
    #expect(full.state.open["50:reminders"]?.resolution.isEmpty == true)
    #expect(full.state.status?.isFailure == true && full.screen.description.contains("2 to decide"))
  }

  @Test func whereTheTimesAreEqualNothingIsAccepted() {
    let desk = desk(Self.tied).typing("A")
    #expect(desk.journal.isEmpty)
    #expect(
      desk.state.status?.text == "Neither edit is known to be newer, so nothing is suggested: 1 to decide.")
  }

  @Test func whatDoesNotOverlapIsKeptByOneKey() {
    let desk = desk(ValueTests.letter)
    #expect(desk.state.status?.text == "No change overlaps another one: A keeps both sides' changes.")
    #expect(text(desk.typing("A")) != nil)
  }

  /// Who leaves it undecided is told so, as everything in it is sure.
  @Test func whatDoesNotOverlapIsNotDecidedByLeaving() {
    let left = desk(ValueTests.letter).typing("<esc>")
    #expect(left.journal.isEmpty)
    #expect(
      left.state.status?.text == "Nothing is decided of notes: m, and A there, keeps both sides' changes.")
    #expect(desk(ValueTests.letter).typing("<down>").screen.description.contains("Esc back"))
    #expect(desk(ValueTests.letter).typing("A<down>").screen.description.contains("Esc done"))
    let kept = desk(ValueTests.letter).typing("A<esc>")
    #expect(kept.state.status?.text.contains("Nothing is decided") != true)
  }

  /// What was decided last of all may be of another record: nobody is taken there out of a merge.
  @Test func aMergeTakesBackItsOwnDecisionsAlone() {
    let both = TestDesk([Sample.sure, ValueTests.letter], columns: 120, rows: 40).typing("Aj")
    let merge = both.typing("<enter>m")
    #expect(merge.state.topic == .merge)
    let asked = merge.typing("u")
    #expect(asked.state.topic == .merge && asked.journal.count == merge.journal.count)
    #expect(asked.state.status?.text.hasPrefix("Nothing of notes was decided last.") == true)
    let taken = merge.typing("Au")
    #expect(taken.state.topic == .merge && taken.state.history.lastAct == merge.state.history.lastAct)
  }

  @Test func blanksAreSeen() {
    let spaced = Sample.record(
      "53:reminders", title: "Spaced", ancestor: ["notes": .text("one two")],
      client: ["notes": .text("one, two")], server: ["notes": .text("one  two")])
    #expect(desk(spaced).screen.description.contains("s  ␣␣"), "\(desk(spaced).screen)")
  }

  @Test func theEditorBeginsWithWhatIsChosenAndBothSidesOfTheRest() {
    let desk = desk().typing("cE")
    guard case .editOutside(let scratch)? = desk.effects.last else {
      Issue.record("no editor was opened")
      return
    }
    let marked = "<<<<<<< coffee ||||||| tea ======= juice >>>>>>>"
    #expect(
      scratch.hasPrefix("Take the bus at nine. Bring \(marked). Call Ann today. Pack warm.\n"), "\(scratch)")
    var edited = desk
    edited.take(.editedOutside(scratch))
    let words = EditorPage.words(stillOpen: 1)
    #expect(edited.state.status == .failed(words))
    edited.type("<enter>")
    #expect(edited.state.status == .failed(words) && edited.journal.count == desk.journal.count)
    edited.take(.editedOutside("Stay at home.\n"))
    edited.type("<enter>")
    #expect(edited.journal.last?.choice == .edit(.text("Stay at home.")))
    #expect(edited.state.topic == .value, "what was decided is no value of its changes")
    #expect(edited.typing("m").state.status?.text.hasPrefix("It is decided as one value") == true)
  }

  @Test func whatTheEditorSavedGoesByASecondKeyAlone() {
    var desk = desk().typing("cE")
    desk.take(.editedOutside("Stay at home.\n"))
    let once = desk.typing("<esc>")
    #expect(once.state.topic == .editor && once.state.status?.text.contains("Esc once more drops it") == true)
    #expect(once.typing("<enter>").journal.last?.choice == .edit(.text("Stay at home.")))
    #expect(once.typing("<esc>").state.topic == .merge)
  }

  @Test func withoutAnAncestorEverythingIsToDecide() {
    let desk = desk(Sample.withoutAncestor(client: "the train", server: "the plane"), "<enter><tab>m")
    #expect(desk.screen.description.contains("change 1 of 1   1 to decide"), "\(desk.screen)")
    #expect(desk.typing("a").state.status?.isFailure == true)
    #expect(text(desk.typing("b")) == .text("the train plane"))
  }

  /// Of a document no edit is known to be newer.
  @Test func acceptingIsOfferedWhereSomethingIsSuggested() {
    let apart = Sample.record(
      "55:reminders", title: "Apart", ancestor: ["notes": .text("one two three four")],
      client: ["notes": .text("1 two three four")], server: ["notes": .text("one two three 4")],
      serverTime: Sample.now - Sample.minute)
    for (record, keys, isOffered) in [
      (Self.trip, "", true), (Self.trip, "A", false), (Self.tied, "", false), (apart, "", true),
      (apart, "A", false),
    ] {
      var desk = self.desk(record).typing(keys)
      #expect(desk.state.topic == .merge && (keys == "A") == !desk.journal.isEmpty)
      desk.state.status = nil
      let footer = desk.screen.description.split(separator: "\n").last ?? ""
      #expect(footer.contains("A accept value") == isOffered && footer.contains("c client"), "\(footer)")
    }
  }

  /// Nothing is offered that would be refused, and what is decided is shown so.
  @Test(arguments: [80, 120]) func aMergeOfHiddenValuesOffersOnlyWhatGoes(columns: Int) {
    for (keys, isDecided) in [("<enter>mP", false), ("<enter>mccP", true)] {
      var desk = TestDesk([Self.trip], columns: columns, rows: 40, advances: true).typing(keys)
      desk.state.status = nil
      let screen = desk.screen.description
      let footer = screen.split(separator: "\n").last ?? ""
      let refused = ["c client", "s server", "a ancestor", "e edit", "A accept", "] [", "Tab", "C S"]
      #expect(!refused.contains { footer.contains($0) }, "\(footer)")
      #expect(footer.contains("u undo") && footer.contains("Esc "), "\(footer)")
      #expect(screen.contains("✓ merged") == isDecided && !screen.contains("change 1"), "\(screen)")
      #expect(screen.contains("[ *** | *** ]") != isDecided, "\(screen)")
      let shown = desk.typing("P")
      #expect(shown.screen.description.contains(isDecided ? "2 decided" : "2 to decide"), "\(shown.screen)")
    }
    for (keys, isOffered) in [("<enter>", true), ("P<enter>", false), ("P<enter><enter>", false)] {
      let record = TestDesk([Self.trip], columns: 150, rows: 40).typing(keys).screen.description
      #expect(record.contains("e edit") == isOffered && record.contains("c client"), "\(record)")
    }
  }

  @Test func hiddenValuesAreNotMerged() {
    let hidden = TestDesk([Self.trip]).typing("P<enter>m")
    #expect(hidden.state.topic == .record)
    #expect(hidden.state.status?.text == "Values are hidden. P shows them; then they can be merged.")
    let later = desk().typing("Pc")
    #expect(later.journal.isEmpty && later.state.status?.isFailure == true)
    #expect(!later.screen.description.contains("tram"))
  }

  @Test func whatOthersChangeMeanwhileIsAnotherMerge() {
    var desk = desk().typing("c")
    desk.records[0] = Sample.record(
      "50:reminders", title: "Trip", ancestor: ["notes": .text("a b c")],
      client: ["notes": .text("a x c")], server: ["notes": .text("a y c")])
    desk.take(.storeChanged)
    #expect(desk.screen.description.contains("[ x | y ]"), "\(desk.screen)")
    #expect(desk.state.status?.text.contains("Your decision on notes no longer holds.") == true)
    desk.type("s")
    #expect(text(desk) == .text("a y c"))
  }
}

/// JSON by its keys.
extension MergeTests {
  private static let settings = Sample.record(
    "52:reminders", title: "Settings",
    ancestor: [
      "notes": .text(#"{"sort":"name","size":{"w":1.10,"h":2},"tags":["a","b"],"id":12345678901234567890}"#)
    ],
    client: [
      "notes": .text(#"{"sort":"time","size":{"w":1.20,"h":2},"tags":["a","c"],"id":12345678901234567890}"#)
    ],
    server: [
      "notes": .text(#"{"sort":"size","size":{"w":1.10,"h":3},"tags":["a","b"],"id":12345678901234567890}"#)
    ])

  @Test(arguments: [(80, 24), (120, 40)]) func jsonIsMergedByItsKeys(columns: Int, rows: Int) throws {
    let desk = TestDesk([Self.settings], columns: columns, rows: rows).typing("<enter>gm")
    try expect(desk.screen, matches: "merge-keys")
  }

  @Test(arguments: [("s", #""size""#), ("e<c-u>[1.00]<enter>", "[1.00]")])
  func aKeyIsDecided(keys: String, value: String) {
    let desk = TestDesk([Self.settings]).typing("<enter>m" + keys)
    #expect(
      text(desk)
        == .text(
          #"{"sort":\#(value),"size":{"w":1.20,"h":3},"tags":["a","c"],"id":12345678901234567890}"#),
      "\(desk.screen)")
  }

  @Test func aTypedKeyIsJSON() {
    let desk = TestDesk([Self.settings]).typing("<enter>me<c-u>words<enter>")
    #expect(desk.journal.isEmpty && desk.state.topic == .input)
    #expect(desk.state.status?.text == "This is no JSON: a text stands in quotes. Esc leaves it.")
    #expect(TestDesk([Self.settings]).typing("<enter>mb").state.status?.isFailure == true)
  }

  private static func deep(_ title: String, _ count: String) -> Value {
    let inside = #"{"title":"\#(title)","titleCount":\#(count)}"#
    return .text((1...12).reversed().reduce(inside) { #"{"level\#($1)":\#($0)}"# })
  }

  private static let document = Sample.record(
    "53:reminders", title: "Document", ancestor: ["notes": deep("old", "1")],
    client: ["notes": deep("the client's", "2")], server: ["notes": deep("the server's", "3")])

  /// Two paths that begin alike are told apart, and each stands once, so that all sides have room.
  @Test(arguments: [(80, 24), (120, 40)]) func aDeepPathIsToldOnceWithItsEnd(columns: Int, rows: Int) throws {
    let desk = TestDesk([Self.document], columns: columns, rows: rows).typing("<enter>gm")
    try expect(desk.screen, matches: "merge-deep")
    let bars = [desk, desk.typing("]")].map { desk in
      desk.screen.description.split(separator: "\n").last { $0.contains("Change ") } ?? ""
    }
    #expect(bars[0].contains("level12.title ") && bars[1].contains("level12.titleCount"), "\(bars)")
    let paths = desk.screen.description.ranges(of: "level1.level2.level3.level4.")
    #expect(paths.count <= 3, "\(desk.screen)")
  }

  @Test func ofADocumentTheKeysStayJSON() throws {
    let desk = TestDesk([try Bookshop.box()], findings: [], store: Bookshop.store).typing("<enter>mc")
    #expect(text(desk) == Value(try JSONValue(parsing: #"{"w":2,"h":4}"#)), "\(desk.screen)")
  }
}
