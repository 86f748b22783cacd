import CouchDBServers
import Foundation
import Merging
import Synchronization
import Testing

@testable import CouchDBStores
@testable import StoreInterface

/// How a call tells that the server says nothing. A second of it is over whenever anybody looks at the clock.
@Suite struct SilentServerTests {
  let bench: CouchDBBench
  private let told = Told()

  init() throws { bench = try CouchDBBench() }

  private final class Told: Sendable {
    private let waits = Mutex<[StoreCall.Wait?]>([])

    var all: [StoreCall.Wait?] { waits.withLock(\.self) }
    func note(_ wait: StoreCall.Wait?) { waits.withLock { $0.append(wait) } }
  }

  /// From the request on to whatever ends so.
  private func open(silentIn path: String) throws -> CouchDBStore {
    let (faults, clock) = (bench.server.faults, LookedAtClock())
    faults.add(Fault(.neverAnswer(isCarriedOut: false), path: path))
    var patience = CouchDBServer.Patience()
    patience.now = {
      clock.look(passing: faults.requests.contains { $0.path.hasSuffix(path) } ? 1 : 0)
    }
    return try bench.open(patience: patience)
  }

  private func call(until count: Int) -> StoreCall {
    let told = told
    return StoreCall(isWanted: { told.all.count < count }, hearWait: { told.note($0) })
  }

  @Test func howLongIsToldWithEverySecondAndThatItIsOver() throws {
    let store = try open(silentIn: "_changes")
    #expect(throws: StoreError.stopped(path: bench.url)) {
      try call(until: 3).answered { try summaries(of: store) }
    }
    let waits = told.all.compactMap(\.self)
    #expect(waits.count == 3 && told.all.last == .some(nil), "\(told.all)")
    #expect(waits.map(\.seconds) == waits.map(\.seconds).sorted() && waits[0].seconds >= 2)
    #expect(waits.allSatisfy { $0.most == 60 })
    #expect(waits[0].seconds < waits[2].seconds)
  }

  /// What is begun is waited for, be it wanted or not; and then it is not known.
  @Test func aWriteInTheMiddleIsToldToItsEndAndNotKnown() throws {
    try bench.database.graft(#"{"_id":"d","_rev":"1-b","n":1}"#, #"{"_id":"d","_rev":"1-a","n":2}"#)
    let store = try open(silentIn: "_bulk_docs")
    let planned = try #require(try plan("d", in: store))
    let outcomes = try call(until: 1).answered { try store.write([planned], note: nil).map(\.outcome) }
    guard case .notKnown? = outcomes.first else {
      Issue.record("\(outcomes)")
      return
    }
    #expect(told.all.count > 2 && told.all.last == .some(nil), "\(told.all)")
    let next = try bench.open(after: 900)
    #expect(try next.finishInterruptedWrites().flatMap(\.records).map(\.outcome) == [.rolledBack])
  }

  /// Whoever waits for the whole call less than for one answer is told so.
  @Test func noMoreIsPromisedThanTheCallWaits() throws {
    let told = told
    let call = StoreCall(deadline: .now + .seconds(30), hearWait: { told.note($0) })
    let waiter = StoreCall.Waiter()
    call.answered {
      waiter.waits(.seconds(5), of: 60)
      waiter.isAnswered()
    }
    #expect((34...35).contains(told.all.first??.most ?? 0) && told.all.last == .some(nil), "\(told.all)")
  }

  @Test func ofSeveralTheLongestIsToldOncePerSecond() {
    let told = told
    let (one, other) = (StoreCall.Waiter(), StoreCall.Waiter())
    StoreCall(hearWait: { told.note($0) }).answered {
      one.waits(.seconds(3), of: 60)
      other.waits(.seconds(2), of: 60)
      one.waits(.milliseconds(3_900), of: 60)
      one.isAnswered()
      other.isAnswered()
    }
    #expect(told.all.map { $0?.seconds } == [3, 2, nil])
  }
}
