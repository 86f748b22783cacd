import Desk
import Merging
import Testing

@testable import parley

@Suite struct StoreWatchTests {
  private func glance(_ trace: Int64, _ access: StoreAccess = .writable) -> StoreGlance {
    StoreGlance(access: access, traces: [trace])
  }

  private let held = StoreAccess.readOnly(reason: "the app has it open")

  /// What is told by each glance of a row, after a first one at 0.
  private func told(_ glances: [StoreGlance]) -> [[String]] {
    var watch = StoreWatch(glance(0))
    return glances.map { watch.see($0).map(\.word) }
  }

  @Test func nothingIsToldOfAStoreThatStandsStill() {
    #expect(told([glance(0), glance(0)]) == [[], []])
  }

  @Test func aChangeIsToldOnceWhenItStandsStill() {
    #expect(told([glance(1), glance(1), glance(1)]) == [[], ["changed"], []])
    #expect(told([glance(1), glance(2), glance(2)]) == [[], [], ["changed"]])
  }

  @Test func aStoreThatNeverStandsStillIsToldOfAllTheSame() {
    #expect(told((1...10).map { glance($0) }).flatMap(\.self) == ["changed", "changed"])
  }

  @Test func whoHoldsTheStoreIsToldAndThatItIsFreeAgain() {
    #expect(
      told([glance(0, held), glance(0, held), glance(0), glance(0)])
        == [[], ["read-only"], [], ["writable"]])
  }

  @Test func aLockOfAMomentIsPassedOver() {
    #expect(told([glance(0, held), glance(0), glance(0)]) == [[], [], []])
  }
}

extension DeskEvent {
  fileprivate var word: String {
    switch self {
    case .storeChanged: "changed"
    case .accessChanged(.writable): "writable"
    case .accessChanged(.readOnly): "read-only"
    default: "something else"
    }
  }
}
