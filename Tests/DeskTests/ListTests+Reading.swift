import Merging
import StoreInterface
import Terminal
import Testing

@testable import Desk

/// While the store is read, and where it is otherwise than it was.
extension ListTests {
  @Test(arguments: [Key.enter, .character("c")]) func beforeTheFirstRowsAreThereNothingIsUnderTheCursorYet(
    key: Key
  ) {
    var state = DeskState(
      store: Sample.store, access: .writable, size: Size(columns: 80, rows: 24), now: Sample.now)
    _ = state.update(.terminal(.key(key)), now: Sample.now)
    #expect(state.status == .told("Nothing is under the cursor yet: the store is being read."))
    #expect(state.draw().description.contains("Nothing is under the cursor yet"))
    let summary = ConflictSummary(Sample.dentist, resolution: Resolution())
    _ = state.update(.found(ConflictPage(summaries: [summary], seen: 1)), now: Sample.now)
    #expect(
      state.status == nil && state.list.selected != nil, "once there are rows it is over, and nothing is done"
    )
  }

  @Test(arguments: ["A", "c", "<enter>"]) func whereNothingIsUnderTheCursorThatIsSaid(key: String) {
    let desk = TestDesk().typing("/nothing of this name<enter>" + key)
    #expect(desk.state.list.count == 0)
    #expect(desk.state.status == .told("Nothing is under the cursor."))
  }

  @Test func aListThatIsReadAgainStaysAsItIsUntilAllIsFound() {
    var state = TestDesk().typing("jjjj").state
    _ = state.update(.terminal(.key("r")), now: Sample.now)
    let others = Sample.all.filter { $0.id != "16:reminders" }
    let page = ConflictPage(summaries: others.map { ConflictSummary($0, resolution: Resolution()) }, seen: 7)
    for event in [DeskEvent.found(page), .walkEnded] { _ = state.update(event, now: Sample.now) }
    #expect(state.list.selected?.id == "16:reminders")
    // It is gone: the cursor is on the row that has its place now.
    _ = state.update(.findingsEnded, now: Sample.now)
    #expect(state.list.selected?.id == "12:reminders")
  }

  @Test func nothingIsLeftOnlyWhereAllWasRead() {
    var empty = DeskState(
      store: Sample.store, access: .writable, size: Size(columns: 80, rows: 24), now: Sample.now)
    var broken = empty
    for event in [DeskEvent.found(ConflictPage(summaries: [], seen: 0)), .walkEnded] {
      _ = empty.update(event, now: Sample.now)
      #expect(!empty.list.hasNothingLeft)
    }
    _ = empty.update(.findingsEnded, now: Sample.now)
    #expect(empty.list.hasNothingLeft)
    _ = broken.update(.walkFailed("no answer"), now: Sample.now)
    #expect(!broken.list.hasNothingLeft && !TestDesk().state.list.hasNothingLeft)
    #expect(broken.draw().description.contains("The store could not be read. r tries again."))
    #expect(empty.draw().description.contains("No conflicts. Nothing waits for you."))
  }

  @Test func whileTheListIsReadAReviewSaysThatMoreMayBeReady() {
    var desk = TestDesk()
    desk.state.list.progress = ListState.Progress()
    #expect(desk.typing("w").state.status?.text.hasPrefix("Nothing is ready of what was read so far") == true)
    let review = desk.typing("cw")
    #expect(review.screen.description.contains("Review"))
    #expect(review.screen.description.contains("what is ready further on is not in this"), "\(review.screen)")
    desk.take(.walkEnded)
    #expect(!desk.typing("cw").screen.description.contains("still being read"))
  }

  /// An undo brings records back whose decisions may hold: they are not in the list before it is read again.
  @Test func aReviewOfAListThatIsReadAgainDoesNotSayThatAllIsToDecide() {
    let told = { (desk: TestDesk) in desk.typing("w").state.status?.text ?? "" }
    let desk = TestDesk([Sample.sure])
    #expect(told(desk).hasPrefix("Nothing is ready: decide every field"))
    var again = desk
    _ = again.state.readAgain()
    let unread = "Nothing is ready in the list as it was: it is being read again, as the store has changed."
    #expect(told(again) == unread)
    for event in [DeskEvent.walkEnded, .findingsEnded] { again.take(event) }
    #expect(told(again).hasPrefix("Nothing is ready: decide every field"))
  }

  @Test func rulesForAListThatIsStillReadAreForAllOfIt() {
    let all = BulkTests.many(2)
    var desk = TestDesk([all[0]])
    desk.state.list.progress = ListState.Progress()
    desk.type("B")
    #expect(desk.typing("Y").state.status?.text.contains("these rules are for all of it") == true)
    desk.records.append(all[1])
    let late = DecidedConflict(all[1], Resolution()).summary
    desk.take(.found(ConflictPage(summaries: [late], seen: 2)))
    desk.take(.walkEnded)
    #expect(desk.screen.description.contains("Apply rules to 2 rows"), "\(desk.screen)")
  }

  @Test func whatHoldsNoLongerIsToBeLookedAtAgainThoughNothingIsUndecided() {
    let conflict = Sample.cover
    let resolution = Resolution(
      choices: Dictionary(uniqueKeysWithValues: conflict.subjects.map { ($0, Choice.take(.client)) }))
    var summary = ConflictSummary(conflict, resolution: resolution)
    #expect(summary.isReady && ListFilter(counting: summary) == .ready)
    summary.isMoved = true
    var desk = TestDesk([])
    desk.take(.found(ConflictPage(summaries: [summary], seen: 1)))
    #expect(desk.screen.description.contains("! look again"), "\(desk.screen)")
    #expect(ListFilter(counting: summary) == .toDecide && desk.state.list.counts[.toDecide] == 1)
    #expect(desk.state.list.ready.isEmpty && !summary.isReady)
  }
}
