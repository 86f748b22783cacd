import Merging
import StoreInterface
import Terminal
import Testing

@testable import Desk

/// A record that is decided as a whole, by one of the names that its store gives.
@Suite struct AlternativesTests {
  private static func desk(columns: Int = 80, rows: Int = 24) -> TestDesk {
    let records = Sample.all.map { conflict in
      var conflict = conflict
      conflict.details.alternatives = conflict.versionsAsAlternatives
      return conflict
    }
    return TestDesk(records, columns: columns, rows: rows).typing("<enter>")
  }

  @Test(arguments: [(80, 24), (120, 40)])
  func theyAreListedWithWhatEachLoses(columns: Int, rows: Int) throws {
    let desk = Self.desk(columns: columns, rows: rows).typing("o")
    try expect(desk.screen, matches: "alternatives")
  }

  /// What is lost, the way and the footer have their rows on the smallest screen, and what has none left is cut with a mark.
  @Test func theSmallestScreenTellsWhatIsLost() throws {
    let desk = Self.desk(columns: 40, rows: 10).typing("o")
    try expect(desk.screen, matches: "alternatives")
    for keys in ["o", "oj", "oG"] {
      let screen = Self.desk(columns: 40, rows: 10).typing(keys).screen.description
      #expect(screen.contains("▸ ") && screen.contains("This loses"), "\(screen)")
      #expect(screen.split(separator: "\n").last?.hasPrefix(" Enter take") == true, "\(screen)")
    }
  }

  /// A way takes as many lines as it needs, and a click on any of them is about it.
  @Test func aLongWayIsToldWholeWhereRowsAreFree() {
    var record = Sample.dentist
    let words = "keep both: " + (1...12).map { "book-\($0)" }.joined(separator: " ")
    record.details.alternatives =
      [Alternative(id: "both", words: words, outcome: .own)] + record.versionsAsAlternatives
    let desk = TestDesk([record]).typing("<enter>o")
    #expect(desk.screen.description.contains("book-12"), "\(desk.screen)")
    var clicked = desk.typing("j")
    clicked.take(.terminal(.click(Point(column: 6, row: 4))))
    #expect(clicked.screen == desk.screen, "\(clicked.screen)")
    let low = TestDesk([record], columns: 40, rows: 10).typing("<enter>o").screen.description
    #expect(low.contains("keep both") && low.contains("›"), "\(low)")
  }

  /// A record is told whole where rows are free, and with a mark where not.
  @Test func theRecordThatWouldBeTakenIsToldWhole() {
    let text = (1...150).map { "line-\($0) of it" }.joined(separator: "\n")
    var record = Sample.edit(
      "7:reminders", client: ["notes": .text(text), "title": .text("Mine"), "done": .integer(1)],
      at: Sample.now, server: ["title": (.text("Its"), Sample.now)])
    record.details.alternatives = record.versionsAsAlternatives
    let tall = TestDesk([record], columns: 80, rows: 60).typing("<enter>o").screen.description
    #expect(tall.contains("line-150") && tall.contains("\n done: 1\n"), "\(tall)")
    let short = TestDesk([record], columns: 80, rows: 24).typing("<enter>o").screen.description
    #expect(!short.contains("line-150") && short.contains("›") && short.contains("This loses"), "\(short)")
    #expect(short.contains("\n done: 1\n"), "the long one leaves the others their rows:\n\(short)")
  }

  /// A line for each, as in the record: where line ends of a text end lines here as well nobody sees which field is which.
  @Test func eachFieldHasItsLine() {
    var record = Sample.edit(
      "7:reminders", client: ["notes": .text("Bring both cards.\n\nPark in the back."), "done": .integer(1)],
      at: Sample.now, server: ["title": (.text("Its"), Sample.now)])
    record.details.alternatives = record.versionsAsAlternatives
    let screen = TestDesk([record]).typing("<enter>o").screen.description
    let lines = ["title: Call dentist", "notes: Bring both cards.↵↵Park in the back.", "done: 1"]
    #expect(screen.contains(lines.map { " \($0)\n" }.joined()), "\(screen)")
  }

  @Test func oneIsTakenJournalledAndShown() throws {
    let desk = Self.desk().typing("oj<enter>")
    let decision = try #require(desk.journal.last)
    #expect(decision.subject == .record && decision.choice == .alternative("server"))
    #expect("\(desk.screen)".contains("take the server's record"), "\(desk.screen)")
    #expect(desk.typing("<esc>w").state.pages.count == 1)
  }

  @Test func aNarrowScreenShowsWhatItMakesOfAField() {
    let taken = "\(Self.desk(columns: 48).typing("oj<enter>j").screen)"
    #expect(taken.contains("✓ the whole record: take the server's record"), "\(taken)")
    #expect(taken.contains("server taken"), "\(taken)")
    let deleted = "\(Self.desk(columns: 48).typing("oG<enter>j").screen)"
    #expect(!deleted.split(separator: "\n").contains { $0.hasPrefix("R") }, "\(deleted)")
  }

  @Test func theDeletionIsReviewedWithWhatIsGivenUp() {
    let desk = Self.desk().typing("oG<enter>w")
    let screen = "\(desk.screen)"
    #expect(screen.contains("the whole record: delete it") && screen.contains("given up"), "\(screen)")
    #expect(desk.typing("Y").written.values.map(\.action) == [.delete])
  }

  /// Nothing is suggested of what is gone.
  @Test func whatIsDecidedAsAWholeHasNoSuggestion() {
    let desk = Self.desk().typing("oG<enter>")
    #expect(!"\(desk.screen)".contains("suggestion"), "\(desk.screen)")
    #expect("\(desk.screen)".contains("decided as a whole"), "\(desk.screen)")
  }

  @Test func aFieldThatIsDecidedAfterwardsEndsIt() {
    let desk = Self.desk().typing("oG<enter>c")
    #expect(desk.state.open.values.allSatisfy { $0.resolution[.record] == nil })
    let undone = desk.typing("u")
    #expect(undone.state.open.values.contains { $0.resolution[.record] == .alternative("delete") })
  }

  @Test func withoutAnyItIsSaid() {
    #expect("\(TestDesk().typing("<enter>o").screen)".contains("field by field"))
    let gone = TestDesk([Sample.deletedOnServer]).typing("<enter>o")
    #expect(gone.state.status?.text == "It is decided as a whole, for one side, and in no other way.")
    var store = Sample.store
    store.notBoth = "Both versions cannot be kept as two rows."
    let told = TestDesk(store: store).typing("<enter>o").state.status?.text
    #expect(
      told
        == "It is decided field by field, and in no other way. Both versions cannot be kept as two rows. In a text m and b keep both."
    )
    var desk = Self.desk()
    desk.state.store.notBoth = store.notBoth
    #expect(desk.typing("o").screen.description.contains("kept as two rows. In a text m and b keep both."))
  }

  @Test func theRecordThatIsMadeIsNamedWhereverItIsTold() {
    var twice = Bookshop.twice
    let both = Alternative(
      id: "both", words: "keep both: leaf 2 as the new document", outcome: .own, newRecords: ["twice-copy"])
    twice.details.alternatives = [both] + twice.versionsAsAlternatives.suffix(1)
    for columns in [80, 120, 200] {
      let listed = Bookshop.desk([twice], columns: columns).typing("<enter>o")
      let words = "keep both: leaf 2 as the new document twice-copy"
      #expect("\(listed.screen)".contains("▸ \(words)"), "\(listed.screen)")
      #expect("\(listed.screen)".contains("This loses nothing. It makes twice-copy."))
      let record = listed.typing("<enter>")
      #expect(record.journal.last?.choice == .alternative("both"))
      let row = "\(record.screen)".split(separator: "\n").first { $0.contains("stock     ") }
      if columns == 80 { #expect(row?.hasSuffix("1") == true, "no result of a field: \(row ?? "")") }
      #expect("\(record.screen)".contains("✓ the whole record: \(words)"), "\(record.screen)")
      #expect("\(record.typing("w").screen)".contains("the whole record: keep both"), "\(record.screen)")
      #expect(record.typing("wY").written.values.map(\.action) == [.alternative("both")])
      for hidden in ["P", "Pw"] {
        let screen = "\(record.typing(hidden).screen)"
        #expect(screen.contains("keep both") && !screen.contains("twice-copy"), "\(screen)")
      }
    }
  }

  @Test func escLeavesThemAsTheyWere() {
    let desk = Self.desk().typing("oj<esc>")
    #expect(desk.journal.isEmpty && desk.state.pages.count == 1)
  }
}

/// A check and a write that take seconds.
@Suite struct SlowStoreTests {
  @Test func aCheckThatIsLeftIsStopped() {
    var desk = TestDesk()
    desk.type("c")
    desk.answersWait = true
    desk.type("w<esc>")
    #expect(desk.effects.contains(.stop))
    #expect(desk.state.pages.isEmpty)
  }

  @Test func readingTheDraftsIsStoppedByLeavingThem() {
    var desk = TestDesk()
    desk.type("c")
    desk.draftsWait = true
    desk.type("w")
    desk.take(.progressed(.init(done: 1, all: 3)))
    #expect("\(desk.screen)".contains("reading, 1 of 3..."), "\(desk.screen)")
    desk.type("<esc>")
    #expect(desk.effects.contains(.stop) && desk.state.pages.isEmpty)
  }

  @Test func howFarItIsIsShown() {
    var desk = TestDesk()
    desk.type("cjcjc")
    desk.answersWait = true
    desk.type("w")
    desk.take(.progressed(.init(done: 1, all: 3)))
    #expect("\(desk.screen)".contains("checking, 1 of 3..."), "\(desk.screen)")
  }

  @Test func escStopsAWriteAndItsResultsAreShown() throws {
    var desk = TestDesk()
    desk.type("cjcw")
    desk.answersWait = true
    desk.type("Y<esc>")
    #expect(desk.effects.last == .stop)
    #expect("\(desk.screen)".contains("Stopping: the outcome comes next."))
    let ids = desk.state.reviewed
    desk.take(
      .wrote([
        CheckedWrite(id: ids[0], title: ids[0], outcome: .fine),
        CheckedWrite(id: ids[1], title: ids[1], outcome: .notReached("it was stopped")),
      ]))
    #expect("\(desk.screen)".contains("Written 1 of 2   1 not reached"), "\(desk.screen)")
  }

  /// Else a write would be interrupted, and nobody told.
  @Test func whoLeavesWhileTheStoreIsWrittenStopsThatFirst() {
    var desk = TestDesk()
    desk.type("cjcw")
    desk.answersWait = true
    desk.type("Y<c-c>")
    #expect(desk.effects.last == .stop && desk.state.isChangingTheStore)
    #expect("\(desk.screen)".contains("Stopping: the outcome comes next; once more leaves at once."))
    #expect(desk.typing("<c-c>").effects.last == .quit)
    desk.take(.reviewFailed("It was stopped before its end, and changed nothing."))
    #expect(!desk.state.isChangingTheStore && desk.state.topic == .review, "it is told what became of it")
    #expect(desk.typing("<c-c>").effects.last == .quit)
  }

  /// A theme that cannot be kept, say: the write goes on, and so does what asks before somebody leaves it.
  @Test func whatElseFailsMeanwhileIsNoAnswerToTheWrite() {
    var desk = TestDesk()
    desk.type("cjcw")
    desk.answersWait = true
    desk.type("Y")
    desk.take(.notDone("The settings cannot be written."))
    #expect(desk.state.isChangingTheStore)
    #expect(desk.state.status == .failed("The settings cannot be written."))
    #expect(desk.typing("<c-c>").effects.last == .stop)
  }

  @Test(arguments: ["<c-c>", "<f10>"]) func norDoesAHelpOverItLetAnybodyLeave(key: String) {
    var desk = TestDesk()
    desk.type("cjcw")
    desk.answersWait = true
    desk.type("Y?\(key)")
    #expect(desk.effects.last == .stop && !desk.hasQuit && desk.typing(key).hasQuit)
  }

  /// The same key stops a write and leaves: who presses it a moment late did not mean to leave.
  @Test(arguments: ["<c-c>", "<f10>"]) func aKeyThatComesJustBehindTheEndOfAWriteDoesNotLeave(key: String) {
    var desk = TestDesk().typing("cwY")
    #expect(desk.state.topic == .review && !desk.state.isChangingTheStore)
    desk.type(key)
    #expect(!desk.hasQuit && desk.state.topic == .review)
    #expect("\(desk.screen)".contains("It has ended: here is what became of it. Once more leaves."))
    #expect(desk.typing(key).hasQuit)
  }

  @Test func whyAWriteFailedIsStillToldToWhoWasLateToStopIt() {
    var desk = TestDesk().typing("cw")
    desk.answersWait = true
    desk.type("Y")
    desk.take(.reviewFailed("The disk is full."))
    desk.type("<c-c>")
    #expect(!desk.hasQuit && desk.state.status == .failed("The disk is full. Once more leaves."))
    #expect(desk.typing("<c-c>").hasQuit)
  }

  /// Who has done anything else since has seen the end.
  @Test func anyOtherKeyBehindTheEndOfAWriteLetsTheNextOneLeave() {
    let desk = TestDesk().typing("cwYj<c-c>")
    #expect(desk.hasQuit)
    #expect(TestDesk().typing("cwY<esc>q").hasQuit)
  }

  /// Nobody waits for a store to say whether it can be written before the list is there.
  @Test func whoCanWriteIsAskedBesideTheList() {
    var desk = TestDesk(access: .unknown)
    desk.type("c")
    #expect(!"\(desk.screen)".contains("read-only"))
    desk.effects = []
    desk.take(.accessChanged(.writable))
    #expect(!desk.effects.contains(.finishInterrupted), "nobody has confirmed anything")
    desk.take(.accessChanged(.readOnly(reason: "the app has it open")))
    #expect("\(desk.typing("<esc>").screen)".contains("read-only"))
  }
}
