import Dispatch
import StoreInterface
import Synchronization
import Testing

@testable import CouchDBStores

/// Questions that are asked at the same time.
struct SeveralAtOnceTests {
  private struct Refused: Error {}

  @Test(arguments: [0, 1, 2, 7, 100]) func answersComeInTheOrderOfTheirQuestions(count: Int) throws {
    let questions = Array(0..<count)
    #expect(try questions.askedAtOnce { -$0 } == questions.map { -$0 })
  }

  /// Each of the first ones waits until as many are asked as may be.
  @Test func asManyAreAskedAtOnceAsMayBeAndNoMore() throws {
    let all = DispatchSemaphore(value: 0)
    let asking = Mutex((now: 0, most: 0))
    _ = try Array(0..<20).askedAtOnce { question in
      let count = asking.withLock { asking in
        asking.now += 1
        asking.most = max(asking.most, asking.now)
        return asking.now
      }
      if count == HTTPLines.width { for _ in 0..<20 { all.signal() } }
      if question < HTTPLines.width { all.wait() }
      asking.withLock { $0.now -= 1 }
    }
    #expect(asking.withLock(\.most) == HTTPLines.width)
  }

  @Test func afterAFailureNothingIsBegun() throws {
    let asked = Mutex(Set<Int>())
    #expect(throws: Refused.self) {
      _ = try Array(0..<1000).askedAtOnce { question in
        asked.withLock { _ = $0.insert(question) }
        throw Refused()
      }
    }
    #expect(asked.withLock(\.count) <= HTTPLines.width)
  }

  /// Whoever asks takes the call with it: its deadline ends all of them.
  @Test func theyAreAskedWithinTheSameCall() {
    let call = StoreCall(isWanted: { false })
    #expect(throws: StoreError.stopped(path: "here")) {
      try call.answered { _ = try [1, 2, 3].askedAtOnce { _ in try StoreCall.current.check("here") } }
    }
  }

  @Test func eachTakesItsShareAndNoTooSmallOne() {
    let shares = [10, 200, 400, 4000].map { Array(repeating: 0, count: $0).share(50...500) }
    #expect(shares == [50, 50, 100, 500])
  }
}
