import StoreInterface
import Testing

@testable import Desk

/// The page of a write that has ended stays on the screen while others go on: what it says of `u` stays true.
@Suite struct OvertakenWriteTests {
  private static let overtaken = "Another was done since."
  private static let elsewhere =
    "u takes nothing back here. Esc goes back, and u there takes back what was done last."

  /// What another Parley wrote: of another record, or of the same one, once it had taken back what was written here.
  private static func other(_ id: String = "87:reminders") -> LastWrite {
    LastWrite(
      id: 2, records: [LastWrite.Record(id: id, title: "Theirs", changes: WrittenChanges())],
      takingBack: "Put back as before.")
  }

  private static func written(_ keys: String = "cwY") -> TestDesk { TestDesk().typing(keys) }

  private func footer(_ desk: TestDesk) -> Substring? { desk.screen.description.split(separator: "\n").last }

  @Test func itsOwnWriteAloneChangesNothing() {
    var desk = Self.written()
    let screen = desk.screen
    desk.take(.journalChanged)
    #expect(desk.screen == screen && screen.description.contains("u takes it back."), "\(desk.screen)")
  }

  @Test(arguments: ["87:reminders", "42:reminders"]) func aNewerWriteIsNotOfferedHere(id: String) {
    var desk = Self.written()
    desk.othersWrite = Self.other(id)
    desk.take(.journalChanged)
    #expect(desk.screen.description.contains(Self.overtaken), "\(desk.screen)")
    #expect(!desk.screen.description.contains("u takes") && footer(desk)?.contains("u take") == false)
    desk.type("u")
    #expect(desk.state.top(ReviewPage.self)?.action == .write && desk.state.status == .told(Self.elsewhere))
    #expect(desk.typing("<esc>u").screen.description.contains("Theirs"))
  }

  /// It was written within the last second.
  @Test func aNewerWriteThatWasNotHeardOfIsNotOfferedEither() {
    var desk = Self.written()
    desk.othersWrite = Self.other()
    desk.type("u")
    #expect(desk.state.top(ReviewPage.self)?.action == .write && desk.state.status == .told(Self.elsewhere))
    #expect(desk.screen.description.contains(Self.overtaken), "\(desk.screen)")
  }

  @Test func whatAnotherTookBackIsNotSaidToBeTakenBack() {
    var desk = Self.written()
    desk.written = [:]
    desk.take(.journalChanged)
    let screen = desk.screen.description
    #expect(screen.contains("It was taken back since."), "\(desk.screen)")
    #expect(screen.contains("written, and taken back since") && screen.contains("1 taken back since"))
    #expect(desk.typing("u").state.status == .told(Self.elsewhere))
    desk.take(.storeChanged)
    #expect(desk.typing("<enter>").state.top(RecordPage.self)?.id == "42:reminders", "\(desk.screen)")
  }

  /// Whoever wrote before the journal was asked after this write leaves no way to tell.
  @Test func whatCameBeforeTheFirstLookLeavesItUnknown() throws {
    let outcome = CheckedWrite(id: "42:reminders", title: "Call dentist", outcome: .fine)
    var standing = try #require(StandingWrite([outcome]))
    standing.hear(Self.other().names)
    #expect(standing.isUnknown && standing.count == 0)
    standing.hear(LastWrite.Names(id: 1, records: ["42:reminders"]))
    #expect(!standing.isUnknown && standing.count == 1)
  }

  @Test func whatIsTheLastWriteAgainIsTakenBack() {
    var desk = Self.written()
    desk.othersWrite = Self.other()
    desk.take(.journalChanged)
    desk.othersWrite = nil
    desk.take(.journalChanged)
    #expect(desk.screen.description.contains("u takes it back."), "\(desk.screen)")
    #expect(desk.typing("u").screen.description.hasPrefix(" Take back the last write"))
  }

  /// By `parley undo` with the name of a record.
  @Test func ofWhatIsTakenBackInPartTheRestIsOffered() {
    var desk = Self.written("cjcwY")
    #expect(desk.screen.description.contains("u takes all 2 back."), "\(desk.screen)")
    desk.written["42:reminders"] = nil
    let unheard = desk.typing("u")
    #expect(unheard.state.top(ReviewPage.self)?.action == .write, "\(unheard.screen)")
    for desk in [unheard, desk.taking(.journalChanged)] {
      let words = "u takes back 1 of them: the rest is taken back."
      #expect(desk.screen.description.contains(words), "\(desk.screen)")
      let rows = desk.screen.description.split(separator: "\n")
      #expect(rows.filter { $0.contains("written, and taken back since") }.count == 1, "\(desk.screen)")
      #expect(desk.typing("u").screen.description.hasPrefix(" Take back the last write"))
    }
  }

  /// Another write may lie above it.
  @Test func whatIsTakenBackBelowAnotherWriteIsTold() {
    var desk = Self.written("cjcwY")
    desk.othersWrite = Self.other()
    desk.written["42:reminders"] = nil
    desk.take(.journalChanged)
    let rows = desk.screen.description.split(separator: "\n")
    #expect(rows.filter { $0.contains("written, and taken back since") }.count == 1, "\(desk.screen)")
    #expect(desk.screen.description.contains(Self.overtaken), "\(desk.screen)")
  }

  /// The list may hear of it before the page does, or after it, or of somebody who wrote it again.
  @Test func whetherItIsInTheListIsToldAsItIsNow() {
    var desk = Self.written()
    let isBack = { (desk: TestDesk) in desk.screen.description.contains("it is in the list again") }
    desk.written = [:]
    desk.take(.journalChanged)
    #expect(!isBack(desk), "\(desk.screen)")
    #expect(desk.typing("<enter>").state.status == .told("It was taken back, and is not in the list."))
    desk.take(.storeChanged)
    #expect(isBack(desk), "\(desk.screen)")
    desk.records.removeAll { $0.id == "42:reminders" }
    desk.take(.storeChanged)
    #expect(!isBack(desk), "\(desk.screen)")
  }

  @Test func whatWaitedForTheAppWaitsNoLonger() {
    var store = Sample.store
    store.can.insert(.leaveToApp)
    var desk = TestDesk(store: store).typing("cwY")
    desk.written = [:]
    desk.take(.journalChanged)
    #expect(desk.screen.description.contains("waited for the app, and taken back since"), "\(desk.screen)")
  }

  @Test func whatWasDecidedSinceIsTakenBackFirstAllTheSame() {
    var desk = Self.written("cwY<esc>")
    desk.othersWrite = Self.other()
    #expect(desk.typing("jcu").journal.last?.choice == nil)
  }

  /// A mending is a write.
  @Test func aMendingIsOvertakenToo() {
    var desk = TestDesk(findings: [MendTests.mendable])
    desk.type("6mY")
    #expect(desk.screen.description.contains("u takes it back."), "\(desk.screen)")
    desk.othersWrite = Self.other()
    desk.take(.journalChanged)
    #expect(desk.screen.description.contains(Self.overtaken), "\(desk.screen)")
  }
}
