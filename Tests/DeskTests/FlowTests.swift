import Merging
import StoreInterface
import Terminal
import Testing

@testable import Desk

/// Where the cursor goes by itself, and what is told at the end.
@Suite struct FlowTests {
  private static let desk = TestDesk(advances: true)

  private func field(_ desk: TestDesk) -> String? {
    guard case .record(let page)? = desk.state.pages.last, let record = desk.state.open[page.id] else {
      return nil
    }
    return page.selectedField(in: record, on: desk.state)?.name
  }

  private func undecided(_ desk: TestDesk) -> [Subject]? { desk.state.open["42:reminders"]?.undecided }

  /// Who has nothing ready is told the key that makes something ready.
  /// A review is of all drafts.
  @Test func whatElseIsReviewedIsTold() {
    let desk = TestDesk(BulkTests.many(3)).typing("A")
    #expect(desk.state.status?.text.hasSuffix(" taken. w reviews and writes.") == true, "\(desk.screen)")
    #expect(
      desk.typing("jA").state.status?.text.hasSuffix("w reviews and writes, with 1 other draft.") == true,
      "\(desk.typing("jA").screen)")
  }

  @Test func whereNothingIsReadyTheShortestWayIsTold() {
    let told = { (desk: TestDesk) in desk.typing("w").state.status?.text ?? "" }
    let nothing = "Nothing is ready: decide every field of a record first."
    #expect(told(TestDesk([Sample.tie])) == nothing)
    #expect(
      told(TestDesk([Sample.sure]))
        == nothing + " 1 record is sure throughout: key 4 lists it, A accepts it.")
    let others = TestDesk([Sample.tie, Sample.sure, BulkTests.many(1)[0]]).typing("/Rotate<enter>")
    #expect(
      told(others)
        == nothing
        + " 2 records are sure throughout: Esc clears the words, then key 4 lists them, A accepts one, * then A all."
    )
    #expect(others.typing("<esc>4*AYw").state.topic == .review)
    #expect(told(TestDesk([Sample.sure]).typing("<enter>")) == nothing + " A accepts what is suggested here.")
    #expect(told(TestDesk([Sample.deletedOnServer]).typing("<enter>")) == nothing)
  }

  /// A law: from wherever it is, the cursor goes to a field that is not decided, and to one for a person before all others.
  @Test func aChoiceLeadsToWhatIsToDecideNext() {
    var desk = Self.desk.typing("<enter>")
    while undecided(desk)?.isEmpty == false {
      desk.type("c")
      let (left, name) = (undecided(desk) ?? [], field(desk) ?? "")
      #expect(left.isEmpty || left.contains(.field(name)), "\(name) of \(left)")
      let isForAPerson = left.contains(.field("list"))
      #expect(!isForAPerson || name == "list")
    }
    #expect(desk.journal.count == 6)
    #expect(
      desk.state.status?.text.hasSuffix(
        "All is decided here: > goes to the next record, w reviews and writes.")
        == true)
  }

  /// A key that decides tells what it did, and where the cursor is then.
  @Test(
    arguments: [
      ("s", "The server is taken for title: u takes it back. Next is list."),
      (" ", "The server is taken for title: u takes it back. Next is list."),
      ("jjc", "The client is taken for list: u takes it back. Next is due."),
    ])
  func whatWasTakenIsTold(keys: String, words: String) {
    #expect(Self.desk.typing("<enter>g" + keys).state.status?.text == words)
    #expect(
      TestDesk().typing("<enter>gc").state.status?.text == "The client is taken for title: u takes it back.")
    let replaced = TestDesk().typing("<enter>gjmb<esc>c").state.status?.text
    #expect(
      replaced == "The client is taken for notes in place of what you made of it: u takes it back.")
  }

  @Test func withoutTheSettingItStays() {
    #expect(field(TestDesk().typing("<enter>gs")) == "title")
    #expect(field(Self.desk.typing("<enter>gs")) == "list")
    #expect(TestDesk().typing("s").state.list.cursor == 0 && Self.desk.typing("s").state.list.cursor == 1)
  }

  /// Where the cursor went is told, and it stays where something is left to decide.
  @Test func theListGoesOnOnceARecordIsDecided() {
    let accepted = Self.desk.typing("A")
    #expect(accepted.state.list.cursor == 0 && accepted.journal.count > 0)
    let taken = Self.desk.typing("s")
    #expect(taken.state.status?.text.hasSuffix(" Next: Rotate garden beds.") == true, "\(taken.screen)")
  }

  @Test func whatIsTypedOrAcceptedLeadsOnToo() {
    #expect(field(Self.desk.typing("<enter>geX<enter>")) == "list")
    #expect(field(Self.desk.typing("<enter>gA")) == "list")
  }

  @Test func whatIsTakenBackIsUnderTheCursorAgain() {
    #expect(field(Self.desk.typing("<enter>gsu")) == "title")
    #expect(Self.desk.typing("cu").state.list.cursor == 0)
  }

  @Test func aDecisionThatCannotBeKeptLeavesTheCursorWhereItWas() {
    var desk = Self.desk.typing("<enter>g")
    desk.journalIsFull = true
    #expect(field(desk.typing("s")) == "title")
    let list = desk.typing("<esc>c")
    #expect(list.state.list.cursor == 0 && list.state.status?.isFailure == true)
  }

  @Test func tabVisitsFirstWhatOnlyAPersonCanDecide() {
    #expect(field(TestDesk().typing("<enter><tab>")) == "list")
    #expect(field(TestDesk().typing("<enter><tab><tab>")) == "list")
    #expect(field(TestDesk().typing("<enter><tab>c<tab>")) == "due")
  }

  @Test func theNextRecordToDecideIsOneForAPersonWhileThereIsOne() {
    var desk = TestDesk()
    var seen: [String] = []
    for _ in 0..<4 {
      seen.append(desk.state.list.selected?.id ?? "")
      desk.type("<tab>")
    }
    let isForAPerson = seen.map { desk.state.list.summary($0)?.certainty == .yours }
    #expect(!isForAPerson.contains(false) && Set(seen).count == 4)
    #expect(TestDesk().typing("<tab><backtab>").state.list.cursor == 0)
    for way in ["", "<enter>"] {
      let last = TestDesk().typing(way + "<lt>").state
      #expect(last.list.cursor > 0 && last.status?.text == "Wrapped to the last row.")
      #expect(TestDesk().typing(way + "<gt>").state.status == nil)
    }
  }

  @Test func theNextRecordIsOpenedFromARecord() {
    let desk = TestDesk().typing("<enter><gt>")
    #expect(desk.state.pages.last?.record == "87:reminders" && desk.state.list.cursor == 1)
    #expect(desk.typing("<lt>").state.pages.last?.record == "42:reminders")
    let alone = TestDesk([Sample.tie]).typing("<enter><gt>")
    #expect(alone.state.status?.text.hasPrefix("No other row") == true)
  }

  @Test func theCountsOfARecordAreOfWhatIsLeft() {
    let desk = TestDesk().typing("<enter>g")
    #expect(desk.screen.description.contains("1 to decide   2 by clock   3 sure"))
    #expect(desk.typing("s").screen.description.contains("1 to decide   1 by clock   3 sure"))
    #expect(desk.typing("A<tab>c").screen.description.contains("✓ ready"))
  }

  /// The next key is about the same record then, and must fall on no other.
  @Test func theCursorStaysWhereNothingWasTaken() {
    let list = { (keys: String) in
      var desk = TestDesk()
      desk.state.advances = true
      return desk.typing(keys)
    }
    let id = Sample.deletedOnServer.id
    let deletion = list("/" + Sample.deletedOnServer.title + "<enter><esc>")
    let place = deletion.state.list.position(of: id) ?? 0
    let desk = list(String(repeating: "j", count: place) + "A")
    #expect(desk.state.list.selectedConflict == id, "\(desk.screen)")
    #expect(desk.state.status?.text.hasSuffix("1 to decide: Enter opens it.") == true, "\(desk.screen)")
    #expect(desk.typing("s").journal.map(\.id) == [id])
    // What is decided leads on, also the second time.
    #expect(list("jcgjA").state.list.cursor == 2)
  }

  /// A law of the list, too: after every choice a row for a person, as long as there is one.
  @Test func aChoiceInTheListLeadsToARowForAPersonFirst() {
    var desk = TestDesk()
    desk.state.advances = true
    let toDecide = { (desk: TestDesk) in desk.state.list.counts[.toDecide] ?? 0 }
    #expect(toDecide(desk) > 1)
    desk.type("jjjj")
    for _ in 0..<desk.state.list.count where toDecide(desk) > 0 {
      desk.type("c")
      let selected = desk.screen.description.split(separator: "\n").first { $0.hasPrefix("▸") } ?? ""
      #expect(toDecide(desk) == 0 || selected.hasPrefix("▸ !"), "\(desk.screen)")
    }
    #expect(toDecide(desk) == 0, "\(desk.screen)")
  }

  @Test func acceptingAgainSaysWhatIsLeft() {
    #expect(
      TestDesk().typing("AA").state.status
        == .told("Call dentist: nothing else is suggested, 1 to decide: Enter opens it."))
  }

  @Test func escapeClearsTheWordsAndThenTheFilter() {
    let desk = TestDesk().typing("2/dent<enter>")
    #expect(desk.screen.description.contains("/ dent") && desk.screen.description.contains("[2 "))
    let wider = desk.typing("<esc>")
    #expect(wider.state.list.words.isEmpty && wider.state.list.filter == .toDecide)
    #expect(wider.typing("<esc>").state.list.filter == .all)
    #expect(wider.typing("<esc><esc>").state.status == .told("Nothing to clear. q quits."))
    // The number beside a filter is what it shows.
    #expect(TestDesk().typing("/dent<enter>21").state.list.words == "dent")
  }

  @Test func theNumbersAreOfWhatHasTheWords() {
    for filter in ListFilter.allCases {
      let desk = TestDesk().typing("/o<enter>\(filter == .all ? "" : "\(filter.rawValue)")")
      #expect(desk.state.list.matching[filter] ?? 0 == desk.state.list.count, "\(filter)")
    }
    #expect(TestDesk().typing("/dent").screen.description.contains("/ dent_   3 of 9"))
  }

  @Test func whatWasLookedForIsFoundWhenAllIsShown() {
    let desk = TestDesk().typing("/milk<enter><esc>g")
    #expect(desk.state.list.selected?.id == "42:reminders")
    #expect(desk.typing("n").state.list.selected?.id == "12:reminders")
    #expect(desk.typing("N").state.list.selected?.id == "12:reminders")
    #expect(desk.typing("nn").state.status?.text.hasPrefix("No other row has") == true)
    #expect(TestDesk().typing("n").state.status?.text == "Nothing is looked for yet: / looks for words.")
  }

  @Test func whatNarrowsASmallListIsNotCutAway() {
    let screen = TestDesk(columns: 40, rows: 10).typing("6/i").screen.description
    #expect(screen.contains("/ i"))
    let filtered = TestDesk(columns: 40, rows: 10).typing("5").screen.description
    #expect(filtered.contains("[5 Ready 0]"))
  }

  /// Who types no filter after all.
  @Test(arguments: ["2<enter>", "6<enter>"])
  func escapeFromAFilterComesBackToWhereItWasAskedFor(keys: String) {
    let page = TestDesk().typing(keys)
    #expect(!page.state.pages.isEmpty)
    let back = page.typing("/milk<esc>")
    #expect(back.state.topic == page.state.topic && back.state.pages == page.state.pages, "\(back.screen)")
    #expect(back.state.list.words.isEmpty && back.screen == page.screen, "\(back.screen)")
    #expect(page.typing("/milk<enter>").state.pages.isEmpty)
    #expect(page.typing("/milk<enter>/x<esc>").state.pages.isEmpty)
  }

  /// A law: a message is whole, or has a mark where it is cut, and nothing is drawn over it.
  @Test(arguments: [(40, 10), (50, 12), (60, 15), (80, 24)], ["c", "A", "Au", "s", "BYY", "BYYu"])
  func aMessageIsWholeOrCutWithAMark(size: (Int, Int), keys: String) throws {
    let desk = TestDesk(columns: size.0, rows: size.1).typing(keys)
    let message = try #require(desk.state.status?.text)
    let lines = desk.screen.description.split(separator: "\n").map { $0.trimmingPrefix { $0 == " " } }
    let shown = lines.joined(separator: " ").split(separator: " ").joined(separator: " ")
    let isCut = lines.last?.hasSuffix("›") == true && shown.contains(message.prefix(60))
    #expect(shown.contains(message) || isCut, "\(desk.screen)")
  }
}
