import Merging
import StoreInterface
import Terminal
import Testing

@testable import Desk

@Suite struct MendTests {
  static let mendable = Finding(
    id: "never-uploaded:7:reminders", table: "reminders", record: "7", title: "Invoice March",
    what: "never uploaded", evidence: "No upload is queued.", cause: "It was given up.",
    remedy: "Queue it again.", canBeMended: "One pending change is queued.")

  private static func desk(access: StoreAccess = .writable) -> TestDesk {
    TestDesk(findings: [mendable, Sample.finding], access: access).typing("6")
  }

  @Test func aFindingIsMendedInTheReviewAndOnlyAfterY() {
    let page = Self.desk().typing("m")
    #expect(page.mended.isEmpty)
    let screen = page.screen.description
    for text in ["Mend 1 finding", "Invoice March", "One pending change is queued.", "Y mend"] {
      #expect(screen.contains(text), "\(text)")
    }
    #expect(page.typing("<esc>").mended.isEmpty)
    let mended = page.typing("Y")
    #expect(mended.mended == [Self.mendable.id])
    let told = mended.screen.description
    #expect(told.contains("Mended 1 of 1") && told.contains("u takes it back."), "\(told)")
  }

  /// As where both keys are pasted.
  @Test(arguments: ["", "<enter>"]) func nothingIsMendedBeforeItsReviewWasShown(way: String) {
    var desk = Self.desk().typing(way)
    _ = desk.state.update(.terminal(.key("m")), now: desk.now)
    #expect(desk.state.topic == .review && desk.state.mayDecideUnseen)
    desk.state.keep(typedUnseeing: [.key("Y")])
    #expect(desk.state.nextTyped(now: desk.now) == nil && desk.state.topic == .review)
    #expect(desk.state.status?.text.hasPrefix("Y was pressed before this screen was shown, so it") == true)
    desk.now += Sample.minute
    #expect(desk.typing("Y").mended == [Self.mendable.id])
  }

  @Test func theHelpOfAFindingTellsOfATreeWhereThereAreTrees() {
    let help = Self.desk().typing("<enter>?").screen.description
    #expect(!help.contains("lifecycle"), "\(help)")
    let documents = Bookshop.desk().typing("G<enter>?").screen.description
    #expect(documents.contains("lifecycle, or tree"), "\(documents)")
  }

  /// What is decided in the list is opened from the finding that says so.
  @Test func theRecordOfAFindingIsOpened() {
    var found = Self.mendable
    (found.id, found.remedy) = ("two-roots:\(Sample.dentist.id)", "Decide it in the list.")
    let desk = TestDesk(findings: [found, Sample.finding]).typing("6<enter>")
    #expect(desk.screen.description.contains("Enter open its record"), "\(desk.screen)")
    #expect(desk.screen.description.contains("is in the list as well, and is decided there"))
    let record = desk.typing("<enter>")
    #expect(record.state.top.record == Sample.dentist.id)
    #expect(record.typing("<esc>").screen == desk.screen)
    let other = Self.desk().typing("<enter>")
    #expect(!other.screen.description.contains("Enter open"), "\(other.screen)")
    #expect(
      other.typing("<enter>").state.status?.text == "Its record is in no conflict that could be opened.")
  }

  /// By it `parley doctor` mends that one alone; where values are hidden it may tell one.
  @Test func itsIdIsShownAndCopied() {
    var found = Sample.finding
    found.id = "never-uploaded:101"
    let desk = TestDesk(findings: [found]).typing("6<enter>")
    let hasId = { (desk: TestDesk) in
      let lines = desk.screen.description.split(separator: "\n")
      return lines.contains { $0.hasPrefix(" Id ") && $0.hasSuffix(" \(found.id)") }
    }
    #expect(hasId(desk), "\(desk.screen)")
    #expect(desk.typing("y").effects.last == .copy(.text(found.id, of: "the finding's name")))
    let hidden = desk.typing("P")
    #expect(!hasId(hidden), "\(hidden.screen)")
    #expect(hidden.typing("y").effects == hidden.effects, "nothing is copied")
  }

  /// Of a value that the row kept against the server's either side can be taken, each after Y.
  @Test func theServersSideOfAFindingIsTaken() {
    var found = Self.mendable
    (found.id, found.takesServer) = ("same-time:7:reminders", "The row takes what the server has of title.")
    let desk = TestDesk(findings: [found, Sample.finding]).typing("6<enter>")
    #expect(desk.screen.description.contains("s server") && desk.screen.description.contains("s instead"))
    let review = desk.typing("s")
    #expect(review.screen.description.contains("takes what the server has of title."), "\(review.screen)")
    #expect(review.mended.isEmpty && review.typing("Y").mended == ["same-time=server:7:reminders"])
    let back = review.typing("Yu").screen.description
    #expect(back.contains("Take back the last write"), "\(back)")
    let other = desk.typing("ns")
    #expect(other.state.topic == .finding && other.mended.isEmpty)
    #expect(other.state.status?.text.hasPrefix("There is no server's side to take here") == true)
  }

  /// Somebody else mended it, and the desk heard of that, or is asked to look.
  @Test(arguments: ["6m", "6<enter>m", "6m?"], [false, true])
  func whatIsNotFoundAnyMoreIsNotMended(way: String, isAskedFor: Bool) {
    var desk = TestDesk(findings: [Self.mendable, Sample.finding]).typing(way)
    desk.findings.removeFirst()
    if isAskedFor { desk.type(way.hasSuffix("?") ? "<esc>r" : "r") } else { desk.take(.storeChanged) }
    if desk.state.topic == .help { desk.type("<esc>") }
    let screen = desk.screen.description
    #expect(screen.contains("It is not found any more: there is nothing to mend."), "\(screen)")
    #expect(!screen.contains("Y mend"), "\(screen)")
    let confirmed = desk.typing("Y")
    #expect(confirmed.mended.isEmpty && confirmed.state.status?.isFailure == true, "\(confirmed.screen)")
  }

  /// It goes by another name there, which is in no list.
  @Test func theServersSideIsTakenAsLongAsItsFindingIsThere() {
    var found = Self.mendable
    (found.id, found.takesServer) = ("same-time:7:reminders", "The row takes what the server has of title.")
    var desk = TestDesk(findings: [found, Sample.finding]).typing("6<enter>s")
    desk.take(.storeChanged)
    #expect(desk.screen.description.contains("Y mend"), "\(desk.screen)")
    desk.findings.removeFirst()
    desk.take(.storeChanged)
    #expect(desk.screen.description.contains("there is nothing to mend"), "\(desk.screen)")
    #expect(desk.typing("Y").mended.isEmpty)
  }

  @Test func aMendingIsTakenBackLikeAnyWrite() {
    let desk = Self.desk().typing("mYu")
    guard case .review(let page)? = desk.state.pages.last else {
      Issue.record("u opens the review of the undo")
      return
    }
    guard case .undo(let write) = page.action else {
      Issue.record("it is no undo")
      return
    }
    #expect(write.records.map(\.title) == [Self.mendable.id])
  }

  /// Where nothing was decided nothing is said to stay so.
  @Test func takingBackAMendingTellsOfNoDecision() {
    let words = "stays decided"
    #expect(!Self.desk().typing("mYuY").screen.description.contains(words))
    #expect(TestDesk([Sample.sure]).typing("AwYuY").screen.description.contains(words))
  }

  @Test func whatWasMendedOnItsOwnScreenIsTakenBackFromThere() {
    let mended = Self.desk().typing("<enter>mY")
    #expect(mended.typing("<esc>").state.pages.isEmpty)
    let screen = mended.typing("u").screen.description
    #expect(screen.contains("Take back the last write"), "\(screen)")
  }

  /// Finishing is no write of its own, and may have been a taking back.
  @Test func anInterruptedWriteIsFinishedByMAndNoUndoIsPromised() {
    var interrupted = Self.mendable
    interrupted.isInterrupted = true
    let desk = TestDesk(findings: [interrupted]).typing("6mY")
    #expect(desk.mended == [interrupted.id] && !desk.effects.contains(.finishInterrupted))
    let told = desk.screen.description
    #expect(told.contains("Mended 1 of 1") && !told.contains("u take"), "\(told)")
  }

  /// Nothing is mended by that, and what became of it nobody knows.
  @Test func aWriteThatIsGivenUpIsToldAsThat() {
    var interrupted = Self.mendable
    (interrupted.isInterrupted, interrupted.takesSide) = (true, true)
    let told = TestDesk(findings: [interrupted]).typing("6mY").screen.description
    #expect(told.contains("Given up 1 of 1") && told.contains("✓ given up"), "\(told)")
  }

  @Test func itsPagesCloseWhenItIsFinishedOtherwise() {
    var interrupted = Self.mendable
    interrupted.isInterrupted = true
    var desk = TestDesk(findings: [interrupted]).typing("6<enter>m")
    #expect(desk.state.pages.count == 2)
    desk.take(.finished([FinishedWrite(act: .write, records: [])]))
    #expect(desk.state.pages.isEmpty)
  }

  /// As its page says, it is not beyond Parley.
  @Test(arguments: ["", "<enter>"]) func whatIsMendedInACopyAloneSaysSo(way: String) {
    var found = Sample.finding
    let words = { TestDesk(findings: [found]).typing("6" + way + "m").state.status?.text }
    #expect(words() == "Parley cannot mend this one: “Mended by” tells what does.")
    found.mendsInCopy = true
    #expect(words() == "Parley mends this one in a copy alone: “Mended by” tells how.")
  }

  @Test func theTreeOfAFindingIsOneKeyAway() {
    let lifecycle = Self.desk().typing("<enter>L").state
    #expect(lifecycle.status == .told("A finding has no lifecycle."))
    var store = Sample.store
    store.can.insert(.tellTrees)
    let desk = TestDesk(findings: [Self.mendable], store: store).typing("6<enter>L")
    #expect(desk.effects.last == .readTree(id: Self.mendable.record))
  }

  /// Pages that scroll stand at their end, where a larger screen has less to scroll: the next key moves them at once.
  @Test(arguments: ["6<enter>g", "<enter>gj<enter>", "cjcwi"])
  func aScreenThatGrowsStandsAtItsEnd(way: String) {
    var desk = TestDesk(columns: 40, rows: 10).typing(way)
    let first = desk.state.pages
    let end = String(repeating: "<pagedown>", count: 20)
    desk.type(end)
    #expect(desk.state.pages != first, "it has nothing to scroll")
    desk.take(.terminal(.resized(Size(columns: 60, rows: 12))))
    #expect(desk.state.pages == desk.typing(end).state.pages, "\(desk.screen)")
  }

  @Test func aScreenThatGrowsScrollsBackToWhatThereIs() {
    var desk = TestDesk(columns: 40, rows: 10).typing("6<enter>G")
    desk.take(.terminal(.resized(Size(columns: 200, rows: 50))))
    #expect(desk.screen.description.contains(Sample.finding.cause))
    var value = TestDesk(columns: 40, rows: 10).typing("<enter><enter>G")
    value.take(.terminal(.resized(Size(columns: 200, rows: 50))))
    #expect(value.screen.description.contains("A Ancestor"))
  }

  @Test func whereValuesAreHiddenTheEvidenceNamesNothing() {
    var finding = Self.mendable
    finding.shown = "\(hidden: "book-7") deleted what the winner was made from."
    for keys in ["6", "6<enter>", "6m"] {
      let desk = TestDesk(findings: [finding]).typing(keys)
      #expect(desk.screen.description.contains("book-7"), "\(keys)")
      let hidden = desk.typing("P").screen.description
      #expect(!hidden.contains("book-7") && hidden.contains("*** deleted what"), "\(keys)\n\(hidden)")
    }
  }

  @Test func enterOpensTheWholeFinding() {
    let desk = Self.desk().typing("<enter>")
    let screen = desk.screen.description
    for text in [
      "No upload is queued.", "It was given up.", "Queue it again.", "One pending change is queued.",
      "m mend",
    ] {
      #expect(screen.contains(text), "\(text)\n\(screen)")
    }
    #expect(desk.typing("mY").mended == [Self.mendable.id])
    #expect(desk.typing("<esc>").state.pages.isEmpty)
    let other = TestDesk(columns: 40, rows: 10).typing("6<enter>").screen.description
    #expect(!other.contains("m mend  "))
  }

  @Test func theFooterTellsWhatCanBeDoneToTheRow() {
    #expect(Self.desk().screen.description.contains("m mend  "))
    #expect(!Self.desk().screen.description.contains("A accept"))
    #expect(!Self.desk().typing("j").screen.description.contains("m mend  "))
    #expect(TestDesk().screen.description.contains("A accept"))
  }

  /// In the list, on its page, and in the review that writes.
  @Test(arguments: ["", "<enter>", "m"]) func whatWouldBeOverwrittenIsToldBefore(keys: String) {
    var found = Self.mendable
    found.differences = [
      LastWrite.FieldChange(name: "notes", before: .text("two"), after: .text("three")),
      LastWrite.FieldChange(name: "priority", before: .null, after: .integer(5)),
    ]
    let desk = TestDesk(findings: [found], rows: 40).typing("6" + keys)
    let told = desk.screen.description
    #expect(told.contains("Differs ") && told.contains(" notes, server: two → here: three"), "\(told)")
    #expect(told.contains("  priority, server: ∅ → here: 5"), "\(told)")
    let hidden = desk.typing("P").screen.description
    #expect(hidden.contains("notes, server: *** → here: ***") && !hidden.contains("three"), "\(hidden)")
  }

  @Test func whereTheServersSideIsTakenItIsTurnedRound() {
    var found = Self.mendable
    (found.id, found.takesServer) = ("same-time:7:reminders", "The row takes what the server has.")
    found.differences = [LastWrite.FieldChange(name: "notes", before: .text("two"), after: .text("three"))]
    let review = TestDesk(findings: [found]).typing("6<enter>s").screen.description
    #expect(review.contains("Differs    notes, here: three → server: two"), "\(review)")
  }

  @Test func whatMendingWouldEndIsTold() {
    var found = Self.mendable
    found.differences = [LastWrite.FieldChange(name: "notes", before: .text("two"), after: nil)]
    let review = TestDesk(findings: [found]).typing("6m").screen.description
    #expect(review.contains("Would go   notes: two"), "\(review)")
  }

  /// Where they differ is in sight, and what mends it, too.
  @Test func longValuesAreCutWhereTheyDiffer() {
    let long = (1...400).map { "word\($0)" }.joined(separator: " ")
    var found = Self.mendable
    found.differences = [
      LastWrite.FieldChange(name: "notes", before: .text(long + " eggs"), after: .text(long + " milk"))
    ]
    let screen = TestDesk(findings: [found]).typing("6m").screen.description
    #expect(screen.contains("eggs") && screen.contains("milk") && !screen.contains("word300"), "\(screen)")
    #expect(screen.contains("One pending change is queued."), "\(screen)")
  }

  /// As on the page of the finding.
  @Test func aLongSentenceGoesOnBelowItself() throws {
    var finding = Self.mendable
    finding.cause = (1...30).map { "word\($0)" }.joined(separator: " ")
    let screen = TestDesk(findings: [finding]).typing("6m").screen.description
    let lines = screen.split(separator: "\n").map(String.init)
    let first = try #require(lines.firstIndex { $0.contains("word1 ") })
    #expect(lines[first].hasPrefix("  Because    word1 "), "\(screen)")
    #expect(lines[first + 1].hasPrefix("             word"), "\(screen)")
  }

  @Test func whatIsMendedIsToldByTheStoreAndNotAsAWrite() {
    let screen = Self.desk().typing("m").screen.description
    #expect(screen.contains("Nothing but that.") && !screen.contains(Sample.store.writing))
  }

  @Test func whatTheStoreRefusesIsTold() {
    var desk = Self.desk()
    desk.outcomes[Self.mendable.id] = .moved("it is no longer found")
    desk.type("mY")
    #expect(desk.screen.description.contains("Nothing mended   1 moved meanwhile"))
    #expect(desk.screen.description.contains("↻ not mended: it moved: it is no longer found"))
  }

  @Test func whatCannotBeMendedAndWhatIsInConflictIsSaid() {
    #expect(Self.desk().typing("jm").state.pages.isEmpty)
    #expect(TestDesk().typing("m").state.pages.isEmpty)
    let conflict = "This record is in conflict: Enter opens it."
    #expect(TestDesk().typing("m").state.status?.text.hasSuffix(conflict) == true)
    for (keys, words) in [
      ("5m", "Nothing is under the cursor. m mends what is no conflict: 6 shows that."),
      ("6/zzz<enter>m", "Nothing is under the cursor that m could mend."),
      ("/zzz<enter>m", "Nothing is under the cursor that m could mend."),
    ] {
      #expect(TestDesk().typing(keys).state.status?.text == words, "\(keys)")
    }
  }

  @Test func aReadOnlyStoreIsNotMended() {
    let desk = Self.desk(access: .readOnly(reason: "in use")).typing("mY")
    #expect(desk.mended.isEmpty && desk.state.status == .failed("Nothing can be written: in use"))
  }
}
