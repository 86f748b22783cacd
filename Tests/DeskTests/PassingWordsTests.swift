import Merging
import StoreInterface
import Testing

@testable import Desk

/// What is said of a moment is over with it, and what cannot be known yet is not denied.
@Suite struct PassingWordsTests {
  private let dentist = Sample.dentist

  /// Typed before anything of the drafts is there.
  private func reviewed(_ keys: String) -> (said: Status?, then: Status?) {
    var desk = TestDesk().typing("c")
    (desk.draftsWait, desk.answersWait) = (true, true)
    desk.type("w" + keys)
    let said = desk.state.status
    (desk.draftsWait, desk.answersWait) = (false, false)
    desk.take(.drafts([DecidedConflict(dentist, decisions: desk.journal)]))
    return (said, desk.state.status)
  }

  /// What became of a `Y` that confirms what is not shown yet.
  static let leftY =
    "Y was pressed before this screen was shown, so it and what was typed with it were ignored."

  @Test(arguments: ["r", "n", "d", "o", " ", "<tab>", "Y"]) func ofDrafts(key: String) {
    let (said, then) = reviewed(key)
    #expect(
      said?.text.contains("One moment.") == true && said?.isFailure == false, "\(String(describing: said))")
    #expect(then == (key == "Y" ? .told(Self.leftY) : nil), "\(String(describing: then))")
  }

  @Test func whatOneLooksForBeforeItIsThereIsFoundThen() {
    #expect(reviewed("/dent").said == .told("The drafts are being read. One moment."))
    #expect(reviewed("/dent").then == nil && reviewed("/dent<enter>").then == nil)
    #expect(reviewed("/milk<enter>").then == .failed("Nothing here has milk in its name."))
  }

  /// What was looked for, and is not there, is not looked for again by itself.
  @Test func whatWasNotFoundIsNotLookedForAgain() {
    var desk = TestDesk().typing("cw/zzz<enter>")
    #expect(desk.state.status == .failed("Nothing here has zzz in its name."))
    desk.type("<enter><esc>")
    #expect(desk.state.topic == .review && desk.state.status == nil, "\(desk.screen)")
    desk.another(decides: "87:reminders", .field("due"), .take(.server))
    desk.take(.heard)
    #expect(desk.state.status?.text.hasPrefix("Another Parley decided") == true, "\(desk.screen)")
  }

  @Test func ofARecord() {
    var desk = TestDesk().typing("<enter>")
    desk.state.open = [:]
    desk.records = []
    _ = desk.state.update(.terminal(.key("x")), now: desk.now)
    #expect(desk.state.status == .told("One moment: it is being read."))
    _ = desk.state.update(.opened(dentist, []), now: desk.now)
    #expect(desk.state.status == nil, "\(desk.screen)")
  }

  @Test func ofAFamily() {
    var desk = TestDesk(FamilyTests.records, findings: [])
    desk.answersWait = true
    desk.type("f<enter>")
    #expect(desk.state.status == .told("They are still being looked for. Esc goes back."))
    desk.answersWait = false
    desk.take(
      .family(
        id: FamilyTests.inbox.id,
        FamilyTests.records.map { FamilyMember(DecidedConflict($0, decisions: []), nil) }))
    #expect(desk.state.status == nil, "\(desk.screen)")
  }

  @Test func whyTheStoreCouldNotBeReadIsOverOnceItCan() {
    var desk = TestDesk()
    desk.take(.walkFailed("no answer"))
    #expect(desk.state.status == .failed("no answer"))
    for event in [DeskEvent.found(ConflictPage(summaries: [], seen: 0)), .walkEnded, .findingsEnded] {
      desk.take(event)
    }
    #expect(desk.state.status?.text.contains("no answer") != true, "\(desk.screen)")
  }

  /// It was read whole once, and not since: what waits now nobody knows.
  @Test func anEmptyListSaysNotThatNothingWaitsWhereItCouldNotBeReadAgain() {
    var desk = TestDesk([], findings: [])
    #expect(desk.screen.description.contains("Nothing waits for you."))
    desk.take(.walkFailed("no answer"))
    #expect(desk.screen.description.contains("The store could not be read. r tries again."))
    desk.take(.findingsEnded)
    #expect(desk.screen.description.contains("Nothing waits for you."), "\(desk.screen)")
  }
}
