import Foundation
import Merging
import StoreInterface
import Terminal
import Testing

@testable import Desk

@Suite struct ReviewTests {
  /// What a session before this one was refused.
  @Test func aRefusalOfTheJournalIsShownAndGoneWithTheNextDecision() throws {
    var desk = TestDesk()
    let dentist = Sample.all[0]
    desk.type("c")
    desk.journal[desk.journal.count - 1].refusal = DraftRefusal(field: "title", reason: "there is a CHECK")
    var next = TestDesk()
    next.journal = desk.journal
    let refused = next.typing("r")
    let row = try #require(
      refused.screen.description.split(separator: "\n").first { $0.contains("✗ refused") })
    #expect(row.contains("title: there is a CHECK"), "\(refused.screen)")
    #expect(refused.state.list.counts[.ready] == nil || refused.state.list.counts[.ready] == 0)
    #expect(refused.typing("w").screen.description.contains("Review"), "it is tried again by whoever wants")
    let decided = refused.typing("<enter>s")
    #expect(refused.typing("<enter>c").state.isRefused(dentist.id))
    #expect(!decided.state.isRefused(dentist.id), "\(decided.screen)")
  }

  /// Nobody should press Y without having seen what changes.
  @Test(arguments: [(80, 24), (120, 40), (200, 50)])
  func everyChangeOfALongTextIsSeen(columns: Int, rows: Int) {
    let doors = (1...60).map { "\($0). The door of room \($0) does not close, and nobody has come." }
    func letter(_ changes: [Int: String]) -> Value {
      .text(doors.enumerated().map { (changes[$0 + 1] ?? "") + $1 }.joined(separator: "\n\n"))
    }
    let record = Sample.record(
      "57:reminders", title: "Letter", ancestor: ["notes": letter([:])],
      client: ["notes": letter([4: "Today: "])], server: ["notes": letter([41: "Soon: ", 55: "Never: "])])
    let screen = TestDesk([record], columns: columns, rows: rows).typing("sw").screen.description
    for change in ["Today: 4.", "Soon: 41.", "Never: 55."] {
      #expect(screen.contains(change), "\(change) in \(screen)")
    }
    #expect(screen.contains("···") && !screen.contains("room 20 "), "\(screen)")
  }

  /// What does not change is left out of a long text only where not all of it has room.
  @Test(arguments: [(80, 24), (120, 40), (200, 50)])
  func freeRowsAreForTheWholeOfALongText(columns: Int, rows: Int) {
    let words = (1...16).map { "word\($0)" }
    let text = { (end: String) in Value.text(words.joined(separator: " ") + end) }
    let record = Sample.record(
      "57:reminders", title: "Letter", ancestor: ["notes": text("")], client: ["notes": text(" mine")],
      server: ["notes": text(" theirs")])
    let screen = TestDesk([record], columns: columns, rows: rows).typing("sw").screen.description
    for word in words {
      #expect(screen.components(separatedBy: word).count >= 3, "\(word) in \(screen)")
    }
    #expect(!screen.contains("…"), "\(screen)")
  }

  @Test func onlyTheReviewScreenWritesAndOnlyAfterY() {
    let ready = TestDesk().typing("cYjcY")
    #expect(ready.written.isEmpty)
    #expect(ready.typing("w").written.isEmpty)
    #expect(Set(ready.typing("wY").written.keys) == ["42:reminders", "87:reminders"])
  }

  /// What lies over a review does not say of itself that it is as the review is.
  @Test(arguments: ["o", "d"]) func whatIsReadOfAReviewIsToldToBeOfBefore(key: String) {
    let words = "Here stands what was there before: Esc, and the review has what is there now."
    var desk = TestDesk().typing("cjcw" + key)
    #expect(desk.state.topic == .text, "\(desk.screen)")
    desk.take(.storeChanged)
    #expect(desk.state.status?.text.contains(words) != true, "\(desk.screen)")
    desk.outcomes["42:reminders"] = .moved("the row changed")
    for _ in 1...2 { desk.take(.storeChanged) }
    #expect(desk.state.status?.text.components(separatedBy: words).count == 2, "\(desk.screen)")
    #expect(desk.typing("<esc>").screen.description.contains("1 of 2 can be written"), "\(desk.screen)")
  }

  /// What is typed to be found must never leave out, write or note.
  @Test func wordsAreLookedForAndNeverRunAsKeys() throws {
    let review = TestDesk().typing("cjcw")
    let found = review.typing("/Y e n")
    #expect(found.written.isEmpty && found.state.leftOut.isEmpty && found.state.topic == .input)
    #expect(found.screen.description.contains("Nothing here has Y e n in its name."), "\(found.screen)")
    let page = try #require(review.typing("/notes<enter>").state.top(ReviewPage.self))
    #expect(page.cursor?.field == "notes" && page.looking == nil)
    let back = try #require(review.typing("/notes<esc>").state.top(ReviewPage.self))
    #expect(back.cursor == nil, "whoever leaves it is where they were")
  }

  @Test func theSameWordsAgainGoToTheNext() throws {
    let review = TestDesk().typing("cjcw")
    let places = try ["", "/<enter>", "/<enter>/<enter>"].map { keys in
      try #require(review.typing("/reminders<enter>" + keys).state.top(ReviewPage.self)).cursor
    }
    #expect(places[0] != places[1] && places[2] == places[0], "\(places)")
  }

  @Test func aFindingLeavesForTheFilterOfTheList() {
    let desk = TestDesk().typing("6<enter>/cm")
    #expect(desk.state.pages.isEmpty && desk.state.list.typing?.text == "cm" && desk.mended.isEmpty)
  }

  @Test func aRowThatTheEngineTookAwayIsShownAsItComesBack() {
    var gone = Sample.deletedOnServer
    func review() -> String { TestDesk([gone]).typing("<enter>cw").state.draw().description }
    #expect(review().contains("kept, as edited"))
    gone.details.rowIsGone = true
    #expect(review().contains("there again") && !review().contains("kept"))
  }

  @Test func aDeletionIsNotCalledNoChange() {
    let screen = TestDesk([Sample.deletedOnServer]).typing("<enter>sw").screen.description
    #expect(screen.contains("1 of 1 can be written, 1 record is deleted"), "\(screen)")
  }

  @Test func anEditOfTheClientsThatIsGivenUpIsSaid() {
    let screen = TestDesk().typing("sw").screen.description
    #expect(screen.contains("given up, of the client: its value now"), "\(screen)")
  }

  /// What is deleted there already is not deleted by the write.
  @Test func whatStaysDeletedIsNotDeleted() {
    var gone = Sample.deletedOnServer
    gone.details.rowIsGone = true
    let screen = TestDesk([gone]).typing("<enter>sw").screen.description
    #expect(
      screen.contains("stays deleted") && screen.contains("1 of 1 can be written, no field changes"),
      "\(screen)")
  }

  /// While lines are free, values, titles and what is said of the write are not cut.
  @Test(arguments: [(80, 24), (120, 40)]) func whatIsCutGetsTheLinesThatAreFree(columns: Int, rows: Int) {
    let words = { (side: String) in (1...7).map { "\(side)\($0)" }.joined(separator: " ") + " end-of-\(side)"
    }
    let record = Sample.record(
      "60:reminders", title: "A title that is longer than its column is",
      ancestor: ["notes": .text("none at all")],
      client: ["notes": .text(words("mine"))], server: ["notes": .text(words("theirs"))])
    var store = Sample.store
    store.writing =
      "It goes into a folder of a long name, /home/ana/containers/of/last/week/parley-demo-1/copy.sqlite, beside it."
    let desk = TestDesk([record], columns: columns, rows: rows, store: store).typing("<enter>sw")
    let screen = desk.screen.description
    for text in ["end-of-mine", "end-of-theirs", "beside it.", "longer than its column is"] {
      #expect(screen.contains(text), "\(text)\n\(screen)")
    }
    #expect(!desk.typing("Y").screen.description.contains("›"), "\(desk.typing("Y").screen)")
    // Where there are more records than lines, each has its own.
    let many = (0..<40).map { index in
      Sample.record(
        "\(100 + index):reminders", title: "Record \(index)", ancestor: [:],
        client: ["notes": .text(words("mine"))],
        server: ["notes": .text(words("theirs"))])
    }
    let full = TestDesk(many, columns: columns, rows: rows, store: store).typing("*sYw").screen.description
    #expect((columns == 120 || full.contains("i says more")) && full.contains("›"), "\(full)")
  }

  @Test func whatIsWrittenLeavesTheListAndComesBackWithUndo() {
    let written = TestDesk().typing("cwY<esc>")
    #expect(written.state.list.summary("42:reminders") == nil)
    let undone = written.typing("uY<esc>")
    #expect(undone.written.isEmpty)
    #expect(undone.state.list.summary("42:reminders")?.isReady == true)
  }

  @Test func fromARecordThatWasWrittenEscGoesBackToTheList() {
    let written = TestDesk().typing("<enter>cAcwY<esc>")
    #expect(written.state.pages.isEmpty)
    #expect(written.state.status?.isFailure != true)
  }

  @Test func whatCouldNotBeCheckedIsNotCalledFine() {
    var desk = TestDesk()
    desk.checkFailure = "locked"
    desk.type("cw")
    #expect(desk.state.status == .failed("locked"))
    #expect(desk.state.draw().description.contains("not checked"))
  }

  @Test func whatTheStoreRefusesIsNotEvenTried() {
    var desk = TestDesk()
    desk.outcomes["42:reminders"] = .refused(field: "title", "no")
    desk.type("cjcwY")
    #expect(Set(desk.written.keys) == ["87:reminders"])
    #expect(desk.state.list.summary("42:reminders") != nil)
  }

  /// What was to be waited for is there then.
  @Test func theMomentIsOverWithTheCheck() {
    var written = TestDesk().typing("cwY")
    written.answersWait = true
    for keys in ["<esc>ju", "<esc>jcw"] {
      var desk = written.typing(keys + "Y")
      let left = PassingWordsTests.leftY
      #expect(desk.state.status == .told("It is being checked. One moment. \(left)"), "\(desk.screen)")
      let ids = desk.state.reviewed.isEmpty ? ["42:reminders"] : desk.state.reviewed
      desk.take(.checked(ids.map { CheckedWrite(id: $0, title: $0, outcome: .fine) }, .writable))
      #expect(desk.state.status == .told(left), "\(desk.screen)")
    }
  }

  @Test func aReadOnlyStoreIsNotWritten() {
    let desk = TestDesk(access: .readOnly(reason: "in use")).typing("cwY")
    #expect(desk.written.isEmpty && desk.state.status == .failed("Nothing can be written: in use"))
  }

  @Test func theNoteGoesWithTheWrite() {
    #expect(TestDesk().typing("cwncalled Ana<enter>Y").notes == ["called Ana"])
    #expect(TestDesk().typing("cwY").notes == [nil])
    #expect(TestDesk().typing("cwnabandoned<esc>Y").notes == [nil])
    #expect(TestDesk().typing("cwnkept<enter>n not<esc>Y").notes == ["kept"])
  }

  @Test func yInTheNoteIsALetter() {
    #expect(TestDesk().typing("cwnY").written.isEmpty)
  }

  @Test func afterAWriteTheKeysAreTold() {
    let screen = TestDesk().typing("cwY").screen.description
    #expect(screen.contains("✓ 1 record at 12:10:02. u takes it back."))
    #expect(screen.hasSuffix(" u take back  Esc back  : commands  ? help"), "\(screen)")
  }

  @Test func whatDoesNotFitInALineIsToldInMore() {
    let screen = TestDesk([Sample.tie], columns: 40, rows: 10).typing("w").screen.description
    #expect(screen.contains("Nothing is ready: decide every field\n"))
    #expect(screen.contains(" of a record first.\n"))
  }

  @Test func nothingReadyIsSaid() {
    #expect(TestDesk().typing("w").state.status?.text.hasPrefix("Nothing is ready") == true)
  }

  @Test func aFailureLeavesTheReviewAsItWas() {
    var desk = TestDesk().typing("cw")
    desk.take(.reviewFailed("the disk is full"))
    #expect(desk.state.status == .failed("the disk is full"))
    #expect(desk.typing("Y").written.count == 1)
  }

  @Test func problemsStandFirstAndThePositionIsTold() {
    let screen = WrittenTests.reviewed(rows: 20).screen.description
    let lines = screen.split(separator: "\n").filter { $0.contains("  reminders ") }
    #expect(lines.first?.hasPrefix("▸ ✗  reminders Rotate") == true, "\(screen)")
    #expect(lines.dropFirst().first?.hasPrefix("  –  reminders Trip plan") == true)
    #expect(screen.contains("due: NOT NULL constraint failed"))
    #expect(screen.split(separator: "\n").first?.hasSuffix("lines 1-11 of 20") == true, "\(screen)")
    let last = WrittenTests.reviewed(rows: 20).typing("G").screen.description
    #expect(last.split(separator: "\n").first?.hasSuffix("lines 10-20 of 20") == true, "\(last)")
  }

  @Test func underAfterTheWriteStandsOnlyWhatWillBeThere() {
    let lines = TestDesk().typing("sw").screen.description.split(separator: "\n")
    #expect(lines.contains { $0.contains("now in the store") && $0.contains("after the write") })
    #expect(
      lines.contains {
        $0.contains("title  ") && $0.contains("Call dentist today") && $0.contains("Call Dr. Wu")
      })
    let kept = TestDesk().typing("cw").screen.description
    #expect(kept.contains("given up, of the server: Call Dr. Wu"), "\(kept)")
    #expect(
      kept.contains("given up, of the server: 12 Family") || kept.contains("given up, of the server: Family"))
    // What only the client did takes nothing from the server.
    #expect(!kept.contains("2026-11-20"))
  }

  @Test func aLongValueIsShownWhereItChanges() {
    let end = String(repeating: "the same words ", count: 20)
    let record = Sample.edit(
      "5:reminders", client: ["notes": .text(end + "client")], at: Sample.now,
      server: ["notes": (.text(end + "server"), Sample.now)])
    let screen = TestDesk([record]).typing("sw").screen.description
    // The value beside the side that it comes from.
    #expect(screen.contains("words client"), "\(screen)")
    #expect(screen.components(separatedBy: "server").count == 3, "\(screen)")
    #expect(screen.contains("…"), "\(screen)")
  }

  @Test func enterOpensTheRecordAtTheField() {
    let desk = TestDesk().typing("cwjjj<enter>")
    guard case .record(let page)? = desk.state.pages.last else {
      Issue.record("no record")
      return
    }
    #expect(page.id == "42:reminders" && page.field == "list", "\(page)")
    // What is decided there is in the review again.
    let back = desk.typing("s<esc>")
    #expect(back.state.topic == .review)
    #expect(back.typing("Y").written["42:reminders"]?["list"] == .text("12"))
  }

  @Test func aRecordThatIsOpenAgainLeavesTheReview() {
    let back = TestDesk().typing("cwj<enter>x<esc>")
    #expect(back.screen.description.contains("Nothing is ready any more."))
    #expect(back.typing("Y").written.isEmpty)
  }

  /// Another Parley wrote it, and the list has not heard of that yet.
  @Test func whatIsGoneWhenItIsReadForAReviewIsTold() {
    var desk = TestDesk().typing("c")
    desk.records.removeFirst()
    desk.state.open = [:]
    let words = "Call dentist is no longer in conflict."
    #expect(desk.typing("w").state.status == .told(words), "\(desk.typing("w").screen)")
    #expect(desk.typing("w").screen.description.contains("Nothing is ready any more."))
    // Of those that are left it is told as well.
    desk.type("gcw")
    #expect(desk.screen.description.contains("1 draft: 1 to write"), "\(desk.screen)")
    var two = TestDesk().typing("cjc")
    two.records.removeFirst(2)
    two.type("w")
    #expect(
      two.state.status == .told("The store has changed: 2 no longer in conflict."), "\(two.screen)")
  }

  @Test func eEditsTheFieldUnderTheCursor() {
    let desk = TestDesk().typing("cwje")
    #expect(desk.state.topic == .editor)
    #expect(desk.typing("!<enter><esc>Y").written["42:reminders"]?["title"] == .text("Call dentist today!"))
  }

  @Test func spaceLeavesOutAndTakesInAgain() {
    let desk = TestDesk().typing("cjcw ")
    #expect(desk.screen.description.contains("2 drafts: 1 to write, 1 left out"))
    #expect(desk.screen.description.contains("Y write 1"))
    #expect(Set(desk.typing("Y").written.keys) == ["87:reminders"])
    #expect(desk.typing(" Y").written.count == 2)
    let none = desk.typing("G Y")
    #expect(none.written.isEmpty)
    #expect(!TestDesk().typing("cw ").screen.description.contains("not checked"))
    #expect(none.state.status == .failed("All are left out: Space takes one in again."))
  }

  /// On a record, and on a field of one, by which the record is meant.
  @Test(arguments: ["cjcw", "cjcwY<esc>u"]) func theFooterSaysWhatSpaceDoesWithTheRecord(way: String) {
    let desk = TestDesk().typing(way)
    let footer = { (desk: TestDesk) in desk.screen.description.split(separator: "\n").last ?? "" }
    #expect(footer(desk).contains("Space leave out"), "\(desk.screen)")
    #expect(footer(desk.typing("j ")).contains("Space take in"), "\(desk.typing("j ").screen)")
    #expect(footer(desk.typing(" ")).contains("Space take in"), "\(desk.typing(" ").screen)")
    #expect(
      footer(desk.typing(" G")).contains("Space leave out") && footer(desk.typing("  ")) == footer(desk))
  }

  @Test func whatIsLeftOutStaysSoWhenItIsReadAgain() {
    var desk = TestDesk().typing("cjcw ")
    #expect(Set(desk.typing("<esc>wY").written.keys) == ["87:reminders"])
    #expect(Set(desk.typing("Gk<enter><esc>Y").written.keys) == ["87:reminders"])
    desk.another(decides: "87:reminders", .field("due"), .take(.server))
    #expect(desk.screen.description.contains("1 left out"))
    #expect(Set(desk.typing("Y").written.keys) == ["87:reminders"])
  }

  @Test func theCursorOfTheReviewStaysOnItsField() {
    let shown = TestDesk().typing("cwjjj=")
    #expect(shown.screen.description.contains("▸      list"), "\(shown.screen)")
    #expect(shown.typing("=").screen.description.contains("▸      list"))
    // A field that is hidden again gives the cursor to its record.
    let hidden = TestDesk().typing("cw=jjjj=")
    #expect(hidden.screen.description.contains("▸ ✓  reminders Call dentist"), "\(hidden.screen)")
  }

  @Test func aReadOnlyStoreOffersNoWrite() {
    let screen = TestDesk(access: .readOnly(reason: "in use")).typing("cw").screen.description
    #expect(!screen.contains("Y write") && screen.contains("✗ read-only: in use"))
  }

  @Test func theWholeProseIsOneKeyAway() {
    let screen = TestDesk(columns: 60, rows: 17).typing("cw").screen.description
    #expect(screen.contains("i says more"))
    let more = TestDesk(columns: 40, rows: 10).typing("cwi").screen.description
    #expect(more.contains("Straight into the database and its"))
    #expect(
      TestDesk().typing("cwi").screen.description.contains("Not verified. Never tried against CloudKit"))
    #expect(TestDesk().typing("cwi<esc>").state.topic == .review)
  }

  @Test func whatComesWhileHelpIsOpenIsNotLost() {
    var state = TestDesk().typing("c").state
    _ = state.update(.terminal(.key("w")), now: Sample.now)
    _ = state.update(.terminal(.key("?")), now: Sample.now)
    let record = state.open["42:reminders"]
    let effects = state.update(.drafts([record].compactMap(\.self)), now: Sample.now)
    guard case .check? = effects.first else {
      Issue.record("the drafts were lost")
      return
    }
  }

  @Test func everySizeHasLinesToRead() {
    for (columns, rows) in [(40, 10), (60, 15), (80, 24), (120, 40), (200, 50)] {
      let screen = WrittenTests.reviewed(columns: columns, rows: rows).screen.description
      let lines = screen.split(separator: "\n", omittingEmptySubsequences: false)
      #expect(lines.count { $0.hasPrefix("▸") } == 1, "\(screen)")
      #expect(screen.contains("✗  reminders") && screen.contains("Y write 4"), "\(screen)")
    }
  }

  @Test func aClickMovesTheCursorAndADoubleClickOpens() {
    var desk = TestDesk().typing("cw")
    desk.take(.terminal(.click(Point(column: 9, row: 4))))
    #expect(desk.screen.description.contains("▸      title"))
    desk.take(.terminal(.doubleClick(Point(column: 9, row: 4))))
    #expect(desk.state.topic == .record && desk.written.isEmpty)
  }

  @Test func whatCannotBeWrittenIsRefusedWithItsReasonAndNeverTried() {
    var record = Sample.tie
    record.details.notWritable = "its share can only be read"
    let desk = TestDesk([record, Sample.dentist]).typing("cjcw")
    #expect(desk.screen.description.contains("1 draft: 1 to write"))
    let list = desk.typing("<esc>").screen.description
    #expect(list.contains("✗ refused") && list.contains("its share can only"), "\(list)")
    #expect(Set(desk.typing("Y").written.keys) == ["42:reminders"])
  }

  /// Nothing says that it is ready, or that a key writes it.
  @Test func whatCannotBeWrittenIsCalledReadyNowhere() {
    let reason = "its share can only be read"
    var record = Sample.sure
    record.details.notWritable = reason
    let list = TestDesk([record]).typing("A")
    #expect(list.state.status?.text.contains("It cannot be written: \(reason).") == true, "\(list.screen)")
    #expect(list.typing("w").state.status == .told("Nothing is ready. This one is refused: \(reason)."))
    let page = TestDesk([record]).typing("<enter>A")
    for desk in [list, page, page.typing("w")] {
      #expect(!desk.screen.description.contains("✓ ready"), "\(desk.screen)")
      #expect(!desk.screen.description.contains("reviews and writes"), "\(desk.screen)")
    }
    let others = TestDesk([record, Sample.clock]).typing("jAkA")
    #expect(
      others.state.status?.text.hasSuffix("\(reason). w reviews and writes the other draft.") == true,
      "\(others.screen)")
  }

  @Test func aSmallYIsToldWhatTheCapitalDoes() {
    let desk = TestDesk().typing("cwy")
    #expect(desk.written.isEmpty && desk.state.status == .told("Capital Y writes."))
  }

  @Test func whatIsLeftToTheAppIsNotCalledWritten() {
    var store = Sample.store
    store.can.insert(.leaveToApp)
    let desk = TestDesk(store: store).typing("jsw")
    let ready = desk.screen.description
    #expect(ready.contains("left to the app") && !ready.contains("after the write"), "\(ready)")
    #expect(ready.contains("1 field is to change"), "\(ready)")
    let screen = desk.typing("Y").screen.description
    #expect(screen.hasPrefix(" Left to the app 1 of 1"))
    #expect(screen.contains("waits for the app, 1 field") && !screen.contains("written"), "\(screen)")
  }

  @Test(arguments: [("d", "SQL"), ("o", "JSON")])
  func whatWillBeWrittenIsShownAsItIsForMachines(key: String, format: String) {
    let desk = TestDesk().typing("cjcw \(key)")
    let screen = desk.screen.description
    #expect(screen.contains("\(format) of Rotate garden beds"), "\(screen)")
    #expect(!screen.contains("of Call dentist"), "it is left out")
    #expect(!desk.typing("P").screen.description.contains("Rotate"))
    #expect(desk.typing("<esc>").state.topic == .review)
    #expect(desk.written.isEmpty)
  }

  /// What stands beside it has a heading over it.
  @Test(arguments: [(80, 24), (120, 40)]) func aLongTitleIsCutAndPushesNothingAside(columns: Int, rows: Int)
    throws
  {
    let gone = Sample.deletedOnServer
    let long = RecordConflict(
      id: gone.id, table: gone.table, primaryKey: gone.primaryKey,
      title: "A title that is longer than the column that titles have in a review",
      fields: gone.fields.map(\.field), versions: gone.versions, details: gone.details)
    let lines = TestDesk([long], columns: columns, rows: rows).typing("<enter>sw").screen.description
      .split(separator: "\n").map(String.init)
    let heading = try #require(lines.first { $0.contains("now in the store") })
    let row = try #require(lines.first { $0.contains("A title that") })
    for (words, under) in [("there, as edited", "now in the store"), ("deleted", "after the write")] {
      let (place, wanted) = (row.range(of: words)?.lowerBound, heading.range(of: under)?.lowerBound)
      #expect(
        place.map { row.distance(from: row.startIndex, to: $0) }
          == wanted.map { heading.distance(from: heading.startIndex, to: $0) }, "\(row)")
    }
  }
}
