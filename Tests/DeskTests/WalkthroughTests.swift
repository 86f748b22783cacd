import Merging
import Simulation
import Terminal
import Testing

@testable import Desk

@Suite struct WalkthroughTests {
  private func story(_ keys: String = "", columns: Int = 80, rows: Int = 24) -> TestDesk {
    TestDesk(columns: columns, rows: rows).typing("L<tab>" + keys)
  }

  private func page(_ desk: TestDesk) throws -> WalkthroughPage {
    guard case .walkthrough(let page)? = desk.state.pages.last else { throw NoPage() }
    return page
  }

  private struct NoPage: Error {}

  @Test(arguments: 0..<12) func everyStep(step: Int) throws {
    let keys = String(repeating: "l", count: step)
    try expect(story(keys).screen, matches: "lifecycle-step-\(step < 9 ? "0" : "")\(step + 1)")
    try expectInks(story(keys).screen, matches: "lifecycle-step-\(step < 9 ? "0" : "")\(step + 1)")
  }

  /// What did happen cannot go otherwise, and an answer that a story does not have is none.
  @Test func aNumberThatChangesNothingSaysWhy() throws {
    let own = TestDesk().typing("L3")
    #expect(
      own.state.status
        == .told("3 changes nothing in this story: it has no other course. Tab turns to other stories."))
    #expect(try page(own) == page(TestDesk().typing("L")))
    #expect(story("3").state.status == nil)
    let files = try #require(FileStory.all.first { $0.answers.count == 2 })
    var desk = TestDesk()
    let number = try #require(WalkthroughPage.stories.firstIndex(of: files.id))
    desk.state.pages = [.walkthrough(WalkthroughPage(.told(number)))]
    #expect(desk.typing("2").state.status == nil)
    #expect(desk.typing("3").state.status == .told("There is no answer 3 in this story, but 1 to 2."))
  }

  @Test func aNarrowScreenHasTheWholeLegend() {
    let screen = story(columns: 60).screen.description
    #expect(screen.contains("flight {*'} merged <c> new\n"), "\(screen)")
  }

  /// The overview counts as its steps are numbered.
  @Test func theOverviewAndTheStepsAgree() throws {
    for number in 0...Scenario.all.count {
      var desk = TestDesk()
      desk.state.pages = [.walkthrough(WalkthroughPage(.told(number)))]
      let head = { (desk: TestDesk) in String(desk.screen.description.split(separator: "\n")[0]) }
      let step = head(desk)
      let last = try #require(step.firstMatch(of: /step \S+ of (?<last>\S+)/)).last
      #expect(head(desk.typing("<enter>")).contains("all \(last) steps"), "\(step)")
    }
  }

  @Test(arguments: [(80, 24), (120, 34), (200, 50)]) func allSteps(columns: Int, rows: Int) throws {
    let desk = story("<enter>", columns: columns, rows: rows)
    try expect(desk.screen, matches: "lifecycle-all")
    try expectInks(desk.screen, matches: "lifecycle-all")
  }

  /// Each answer is a story of its own, which the steps alone do not name.
  @Test(arguments: [60, 80, 120]) func theOverviewNamesWhichStoryItIs(columns: Int) {
    for (index, whatIf) in Lifecycle.WhatIf.allCases.enumerated() {
      let screen = story("\(index + 1)<enter>", columns: columns).screen.description
      #expect(screen.hasPrefix(" Lifecycle   \(whatIf.title)"), "\(screen)")
    }
  }

  /// Nothing else on that page tells why the step under the cursor is as it is.
  @Test func theOverviewTellsTheReasonOfTheStepUnderTheCursorFirst() {
    let first = { (keys: String) -> Substring? in
      let screen = story(keys, columns: 200, rows: 50).screen.description
      return screen.firstMatch(of: /(?<step>\w+) +[a-z, ]+: [A-Z]/)?.step
    }
    #expect(first("<enter>") == "1")
    #expect(first("ll<enter>") == "3")
  }

  @Test func bothRuleSetsStandSideBySideWhereThereIsRoom() throws {
    try expect(
      story("3" + String(repeating: "l", count: 8), columns: 120, rows: 34).screen,
      matches: "lifecycle-both")
  }

  /// What happens and why stands on every screen, and the states wherever they have room.
  @Test(arguments: [(40, 10), (60, 15), (80, 19)])
  func aLowScreenTellsWhatHappensFirst(columns: Int, rows: Int) throws {
    try expect(story("lllllll", columns: columns, rows: rows).screen, matches: "lifecycle-low")
    for step in 0..<12 {
      let screen = story(String(repeating: "l", count: step), columns: columns, rows: rows).screen
      #expect(screen.description.contains("Why?"), "step \(step)")
    }
  }

  /// All lines of a step, as somebody reads them who scrolls down.
  private func read(_ desk: TestDesk) -> String {
    let end = desk.state.size.rows - 3
    var (desk, screen, lines) = (desk, desk.screen, [String]())
    while true {
      let shown = screen.description.split(separator: "\n", omittingEmptySubsequences: false)
      desk.type("j")
      let next = desk.screen
      if next == screen { return (lines + shown[2..<end].map(String.init)).joined(separator: "\n") }
      lines.append(String(shown[2]))
      screen = next
    }
  }

  /// On the lowest screen nothing of a step is left away: why, states, picture, the other courses and the signs.
  @Test(arguments: [(40, 10), (60, 15)]) func allOfAStepIsThereToScrollTo(columns: Int, rows: Int) throws {
    for whatIf in 1...5 {
      var desk = story("\(whatIf)", columns: columns, rows: rows)
      for step in 0..<12 {
        if step > 0 { desk.type("l") }
        let text = read(desk)
        let letters = text.filter { !$0.isWhitespace }
        let why = try #require(page(desk).timeline(isToday: false)?.entries[step].why)
        #expect(letters.contains("Why?" + why.filter { !$0.isWhitespace }), "\(text)")
        for words in ["Row, client", "Last known", "Server ", "╭── ", "5 S deletes", "{*'}"] {
          #expect(text.contains(words), "\(words): \(text)")
        }
        #expect(!text.contains("›") || columns > 40, "\(text)")
      }
    }
  }

  @Test func aCourseIsClickedWhereItIsScrolledTo() throws {
    let low = story("G", columns: 40, rows: 10).typing(String(repeating: "<pagedown>", count: 9))
    let lines = low.screen.description.split(separator: "\n", omittingEmptySubsequences: false)
    let row = try #require(lines.firstIndex { $0.contains("4 C deletes") })
    var clicked = low
    clicked.take(.terminal(.click(Point(column: 4, row: row))))
    #expect(try page(clicked).whatIf == .clientDeletes)
  }

  /// A story opens with one step, on whatever screen.
  @Test(arguments: [(40, 10), (80, 24), (120, 40), (200, 50)]) func aStoryOpensWithOneStep(size: (Int, Int)) {
    #expect(story(columns: size.0, rows: size.1).screen.description.contains("Why?"))
  }

  /// Nobody's data is in a story, so it is not hidden, not even where it is decided.
  @Test func whatIsMadeUpIsNotHidden() {
    #expect(story("Plllllll").screen.description.contains("count = 3"))
    let rehearsal = story("Plllllllt").screen
    #expect(rehearsal == story("lllllllt").screen)
    #expect(rehearsal.description.contains("Water"), "\(rehearsal)")
  }

  /// No number of a step, and no word of what it is about, is cut on a small screen.
  @Test func theStepsAreWholeOnASmallScreen() throws {
    for number in 0...Scenario.all.count {
      for step in ["g", "llll", "G"] {
        var desk = TestDesk(columns: 40, rows: 10)
        desk.state.pages = [.walkthrough(WalkthroughPage(.told(number)))]
        desk = desk.typing(step == "g" ? "" : step)
        let line = desk.screen.description.split(separator: "\n", omittingEmptySubsequences: false)[7]
        #expect(line.contains("[") && line.contains("]"), "\(desk.screen)")
      }
    }
  }

  /// Where the room is there the story stands below, as both sets of rules play it.
  @Test func aLargeScreenIsFilledByTheStoryAsItIsPlayed() throws {
    let one = story("3" + String(repeating: "l", count: 8), columns: 200, rows: 50)
    try expect(one.screen, matches: "lifecycle-both")
    for desk in [one, one.typing("<enter>")] {
      let lines = desk.screen.description.split(separator: "\n", omittingEmptySubsequences: false)
      #expect(lines.contains { $0.contains("Row, client") }, "\(desk.screen)")
      #expect(lines.contains { $0.contains("11  all agree") && $0.contains("@ d") }, "\(desk.screen)")
    }
  }

  @Test func whereBothRuleSetsAreSeenNoneIsOfferedToBeChosen() {
    let both = story(columns: 120, rows: 34)
    #expect(!both.screen.description.contains("m compare"))
    #expect(both.typing("m").state.status?.text == "Both sets of rules stand beside each other here.")
    #expect(story("<enter>", columns: 120, rows: 34).screen.description.contains("m compare"))
    #expect(story("").screen.description.contains("m compare"))
  }

  @Test(arguments: 1...5) func whatIf(number: Int) throws {
    try expect(
      story("\(number)" + String(repeating: "l", count: 9)).screen, matches: "lifecycle-what-if-\(number)")
  }

  /// SQLiteData today forgets the edit that came in, and sends the deletion.
  @Test(arguments: [("", "deletion, still to be sent\n"), ("l", "deletion in flight\n")])
  func aDeletionIsNotCalledAnEdit(keys: String, words: String) {
    let screen = story("m4" + String(repeating: "l", count: 9) + keys).screen.description
    #expect(screen.contains(words) && !screen.contains("client's edit"), "\(screen)")
    let unseen = story("5" + String(repeating: "l", count: 8)).screen.description
    #expect(unseen.contains("server's deletion, not seen here\n"), "\(unseen)")
  }

  /// The client edits both fields under the first what-if, and another device the count alone.
  @Test func whatChangedInAnotherFieldIsNotCalledChangedInThisOne() {
    let screen = story("lllllllj").screen.description
    #expect(screen.contains("title, 2 of 2") && screen.contains(" was @ b\n"), "\(screen)")
    #expect(!screen.contains(" changed\n"), "\(screen)")
    #expect(story("llllllj").screen.description.contains(" changed\n"))
    let row = story("lllllj").screen.description
    #expect(row.contains("count changed\n") && row.contains(" was @ a\n"), "\(row)")
  }

  @Test func everyStoryCanBeToldUnderBothRules() throws {
    for number in 0...Scenario.all.count {
      let desk = story(String(repeating: "<tab>", count: number) + "G")
      #expect(desk.screen.description.contains("Why?"))
      #expect(desk.typing("m").screen.description.contains("SQLiteData today"))
    }
  }

  /// The field is named above: what a place holds, and the tag it has, come before its name once more.
  @Test func whatAPlaceHoldsIsNotCutForTheNameOfItsField() {
    let screen = TestDesk().typing("L").screen.description
    #expect(screen.contains("Call Dr. Wu @ b") && !screen.contains("title = "), "\(screen)")
    let wide = TestDesk(columns: 100, rows: 30).typing("L").screen.description
    #expect(wide.contains("title = Call Dr. Wu @ b"), "\(wide)")
    let low = TestDesk(columns: 60, rows: 15).typing("Lj").screen.description
    #expect(low.contains("Row, client  Call dentist today"), "\(low)")
  }

  /// Where a cell has no room for a value it begins with what differs, and keeps the tag; a key has the title of what it points to.
  @Test(arguments: [(80, 40), (120, 40), (200, 50)])
  func cellsTellValuesApart(columns: Int, rows: Int) throws {
    let notes = TestDesk(columns: columns, rows: rows).typing("Lj")
    try expect(notes.screen, matches: "lifecycle-notes")
    let row = try #require(
      notes.screen.description.split(separator: "\n").last { $0.hasPrefix("▸ 8") }.map { String($0) })
    #expect(row.contains(" @ a") && row.contains(" @ b") && !row.contains("Ask"), "\(row)")
    let list = notes.typing("j").screen.description
    for title in ["Inbox @ a", "Health", "Family @ b"] { #expect(list.contains(title), "\(list)") }
  }

  /// A picture that is cut is another one.
  @Test(arguments: [(40, 10), (40, 24), (60, 15), (80, 24)])
  func allStepsAreShownWithTheirWholePictures(columns: Int, rows: Int) {
    let timeline = Lifecycle.scenario(.serverNewer).timeline(under: .model())
    for (index, entry) in timeline.entries.enumerated() {
      let keys = String(repeating: "l", count: index) + "<enter>"
      let screen = story(keys, columns: columns, rows: rows).screen.description
      #expect(screen.contains(entry.picture.description), "\(screen)")
      #expect(!screen.contains("flight ›") && !screen.contains("<*> ›"), "\(screen)")
    }
  }

  /// `L` in the list is about the row under the cursor; Tab goes on to what is told to everybody.
  @Test func theListTellsTheLifeOfARow() throws {
    let (list, inside) = (TestDesk().typing("L"), TestDesk().typing("<enter>L"))
    #expect(try page(list) == page(inside) && list.screen == inside.screen)
    #expect(try page(list.typing("<tab>")).story == .told(0))
    #expect(try page(list.typing("<tab><backtab>")) == page(list))
    // A finding has no life to tell, and a version that is not known hides what comes of it.
    #expect(try page(TestDesk().typing("6L")).story == .told(0))
    let known = Sample.dentist
    let record = RecordConflict(
      id: known.id, table: known.table, primaryKey: known.primaryKey, title: known.title,
      fields: known.fields.map(\.field),
      versions: ThreeWay(
        ancestor: known.versions.ancestor, client: known.versions.client,
        server: .unknown(reason: "it was lost")), details: known.details)
    let unknown = TestDesk([record]).typing("L")
    #expect(try page(unknown).story == .told(0) && unknown.state.status?.isFailure == true)
    // One that is not read yet is waited for.
    var reading = TestDesk()
    reading.state.open = [:]
    #expect(try page(reading.typing("L")).story == page(list).story)
  }

  @Test func nodesOfDifferentKindsNeverLookAlike() {
    for scenario in Scenario.all {
      for entry in scenario.timeline(under: .model()).entries {
        let picture = entry.picture
        let nodes = [picture.past, picture.stem, picture.client, picture.server, picture.merged].compactMap(
          \.self)
        let kinds = Dictionary(grouping: nodes, by: \.description).mapValues { Set($0.map(\.kind)).count }
        #expect(kinds.values.allSatisfy { $0 == 1 }, "\(picture)")
      }
    }
  }

  @Test func itPlaysByItselfAndStopsAtTheEnd() throws {
    var desk = story(" ")
    #expect(desk.state.patience == 2000)
    for _ in 0..<20 { desk.take(.ticked) }
    #expect(try page(desk).step == 11)
    #expect(desk.state.patience == nil)
    #expect(story(" +").state.patience == 1000)
    #expect(story(" -").state.patience == 4000)
    #expect(story("  ").state.patience == nil)
  }

  @Test func aViewerDecidesTheConflictAndTheStoryGoesOnWithIt() throws {
    let desk = story("3" + "tAs<tab>s<esc>")
    #expect(desk.journal.isEmpty)
    let resolution = try page(desk).resolution
    #expect(resolution[.field("count")] == .take(.server))
    let entry = try page(desk).timeline(isToday: false)?["11"]
    #expect(entry?.after.row?["count"] == .integer(4))
    #expect(desk.state.history.ids.isEmpty)
  }

  @Test(arguments: 0...Scenario.all.count)
  func everyStoryWithAConflictCanBeDecidedAndNoOtherOffersIt(number: Int) throws {
    let desk = story(String(repeating: "<tab>", count: number))
    let hasConflict = !["creation", "update"].contains(WalkthroughPage.stories[number])
    #expect(desk.screen.description.contains("t try") == hasConflict)
    let tried = desk.typing("t")
    #expect((tried.state.topic == .record) == hasConflict)
    #expect(tried.state.status?.text == (hasConflict ? nil : "There is no conflict to decide in this story."))
  }

  @Test func theTieGoesOnAsTheViewerDecides() throws {
    let number = try #require(WalkthroughPage.stories.firstIndex(of: "tie"))
    let told = story(String(repeating: "<tab>", count: number))
    let decided = told.typing("tAs<tab>s<esc>")
    #expect(try page(decided).step == page(told).timeline(isToday: false)?.decision?.step)
    #expect(try page(told).timeline(isToday: false)?["11"]?.after.row?["count"] == .integer(3))
    #expect(try page(decided).timeline(isToday: false)?["11"]?.after.row?["count"] == .integer(4))
  }

  @Test func theStoryOfARecordIsRehearsedToo() throws {
    let desk = TestDesk().typing("<enter>sLtc<esc>")
    #expect(try page(desk).resolution[.field("title")] == .take(.client))
    #expect(desk.journal.count == 1)
  }

  /// Neither the next record nor what was decided before is part of the story.
  @Test func aRehearsalStaysInItsStory() {
    let desk = TestDesk().typing("<enter>sLt")
    for key in ["n", "N", ">", "<", "u", "U"] {
      let stayed = desk.typing(key)
      #expect(stayed.state.top.record == WalkthroughPage.rehearsal && stayed.journal.count == 1, "\(key)")
    }
    let decided = desk.typing("cu")
    let rehearsed = desk.state.open[WalkthroughPage.rehearsal]?.resolution
    #expect(decided.state.open[WalkthroughPage.rehearsal]?.resolution == rehearsed)
    #expect(decided.typing("u").state.status?.text == "Nothing of this rehearsal is left to undo.")
  }

  @Test func aRehearsalIsNeverWritten() {
    let desk = story("tAswY")
    #expect(desk.written.isEmpty && desk.state.topic == .record)
  }

  @Test func aRecordShowsItsOwnStory() throws {
    let desk = TestDesk().typing("<enter>Ll")
    try expect(desk.screen, matches: "lifecycle-of-a-record")
    #expect(try page(desk).timeline(isToday: false)?["9b"]?.after.row?["title"] == .text("Call Dr. Wu"))
  }

  @Test func escapeGoesBackToTheList() {
    #expect(story("<esc>").state.topic == .list)
    var desk = story()
    desk.state.isWalkthroughOnly = true
    #expect(desk.typing("q").hasQuit)
  }
}
