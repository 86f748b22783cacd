import Desk
import Merging
import StoreInterface
import Testing

@testable import parley

@Suite struct StoreWatchTests {
  private typealias Glance = StoreWatch.Glance

  private func glance(_ trace: Int64, _ access: StoreAccess = .writable) -> Glance {
    Glance(access: access, traces: [trace])
  }

  private let held = StoreAccess.readOnly(reason: "the app has it open")

  /// What is told by each glance of a row, after a first one at 0.
  private func told(_ glances: [Glance]) -> [[String]] {
    var watch = StoreWatch(glance(0))
    return glances.map { glance in
      watch.look(traces: glance.traces, deafness: glance.deafness, access: { glance.access }).map(\.word)
    }
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
    let events = told(Array(repeating: glance(0, held), count: 4) + Array(repeating: glance(0), count: 6))
    #expect(events.flatMap(\.self) == ["read-only", "writable"])
  }

  @Test func thatNothingIsHeardIsToldAndThatItIsAgain() {
    let deaf = Glance(access: .writable, traces: [0], deafness: "cut")
    let events = told([deaf, deaf, glance(0), glance(0)])
    #expect(events.flatMap(\.self) == ["deaf: cut", "hears"])
  }

  @Test func aJournalIsHeardAtOnceAndOnceMore() {
    var watch = JournalWatch(traces: [0])
    #expect(
      [0, 1, 1, 1, 2, 3, 3, 3].map { watch.look(traces: [$0]) }
        == [false, true, true, false, true, true, true, false])
  }

  @Test func aLockOfAMomentIsPassedOver() {
    let events = told([glance(0), glance(0), glance(0, held), glance(0), glance(0), glance(0)])
    #expect(events.flatMap(\.self) == [])
  }

  @Test func whoMayWriteIsAskedRarelyWhileNothingMoves() {
    var watch = StoreWatch(glance(0))
    var asked = 0
    for trace in [0, 0, 0, 0, 0, 0, 1, 1] as [Int64] {
      _ = watch.look(
        traces: [trace], deafness: nil,
        access: {
          asked += 1
          return .writable
        })
    }
    #expect(asked == 4)
  }
}

extension DeskEvent {
  fileprivate var word: String {
    switch self {
    case .storeChanged: "changed"
    case .accessChanged(.writable): "writable"
    case .accessChanged(.readOnly), .accessChanged(.inUse), .accessChanged(.tooNew): "read-only"
    case .deafnessChanged(let reason): reason.map { "deaf: \($0)" } ?? "hears"
    default: "something else"
    }
  }
}
