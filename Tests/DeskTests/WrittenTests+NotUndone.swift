import StoreInterface
import Testing

@testable import Desk

/// What is told of ways back in a store that takes nothing back, as CouchDB's `_users`.
extension WrittenTests {
  private static let refusing = {
    var store = Sample.store
    store.notUndone = "its function refuses it"
    return store
  }()

  /// "It cannot be taken back.", and in the line below it "u take back".
  @Test func whereNothingIsTakenBackNoKeyOffersIt() {
    let (others, desk) = (TestDesk().typing("cwY"), TestDesk(store: Self.refusing).typing("cwY"))
    #expect(others.screen.description.contains("u take back"), "\(others.screen)")
    #expect(!desk.screen.description.contains("u take back"), "\(desk.screen)")
    let words = "This write cannot be taken back: its function refuses it."
    #expect(desk.typing("u").state.status == .failed(words) && desk.typing("u").state.topic == .review)
    let written = "It is written and no longer in conflict."
    #expect(desk.typing("<enter>").state.status == .told(written))
    #expect(others.typing("<enter>").state.status == .told(written + " u takes the write back."))
  }

  /// Its review told "Y take back" beside "Here that is refused".
  @Test func whereNothingIsTakenBackThatIsSaidInPlaceOfAReview() {
    let desk = TestDesk(store: Self.refusing).typing("cwY<esc>u")
    let words = "The last write cannot be taken back: its function refuses it."
    #expect(desk.state.status == .failed(words) && desk.state.topic == .list, "\(desk.screen)")
    #expect(TestDesk().typing("cwY<esc>u").screen.description.contains("Y take back"))
  }

  @Test func whatWasGivenUpForGoodOffersNoWayBack() {
    let desk = TestDesk(store: Self.refusing).typing("cwY<esc>D")
    #expect(!desk.screen.description.contains("take its write back"), "\(desk.screen)")
    let told = desk.typing("<enter>").state.status?.text ?? ""
    #expect(told.hasSuffix("is no longer in conflict. y copies what was given up."), "\(told)")
    let words = desk.typing("u").state.status?.text ?? ""
    #expect(words.hasSuffix(" cannot be taken back: its function refuses it."), "\(words)")
  }
}
