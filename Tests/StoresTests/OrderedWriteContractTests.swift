import Merging
import Synchronization
import Testing

@testable import StoreInterface

/// What every store promises of a write that is ordered by name and drafted inside of it.
@Suite struct OrderedWriteContractTests {
  @Test(arguments: StoreKind.allCases)
  func whatIsOrderedByNameIsDraftedOfTheRecordAsItIs(kind: StoreKind) throws {
    let bench = try kind.bench()
    let (store, milk) = (bench.store, bench.contents.milk)
    let found = Mutex<[RecordConflict]>([])
    let asked = order(milk, bench.contents.milkTitle) { now in
      found.withLock { $0.append(now) }
      return try #require(now.draft(now.accepting(.yours, in: Resolution())))
    }
    let before = try store.conflict(milk)
    #expect(try store.check([asked]).map(\.outcome) == [.fine])
    #expect(try store.write([asked], note: nil).map(\.outcome) == [.fine])
    #expect(found.withLock { $0.allSatisfy { before.moved(to: $0) == nil } && $0.count == 2 })
    #expect(throws: StoreError.noSuchRecord(id: milk)) { try store.conflict(milk) }
  }

  @Test(arguments: StoreKind.allCases)
  func whatNoLongerHoldsIsLeftAloneAndTheOthersAreWritten(kind: StoreKind) throws {
    let bench = try kind.bench()
    let (store, milk, bread) = (bench.store, bench.contents.milk, bench.contents.bread)
    let moved = order(milk, bench.contents.milkTitle) { _ in
      throw Moved("it was decided otherwise")
    }
    let other = WriteOrder(try #require(try plan(bread, in: store)))
    let outcomes = try store.write([moved, other], note: nil)
    #expect(outcomes.map(\.outcome) == [.moved("it was decided otherwise"), .fine])
    #expect(outcomes.map(\.id) == [milk, bread])
    #expect(try store.conflict(milk).id == milk)
  }

  @Test(arguments: StoreKind.allCases)
  func whatIsInConflictNoLongerIsNotDrafted(kind: StoreKind) throws {
    let bench = try kind.bench()
    let milk = bench.contents.milk
    _ = try bench.store.write([try #require(try plan(milk, in: bench.store))], note: nil)
    let asked = order(milk, "") { _ in
      Issue.record("it was drafted")
      throw Moved("")
    }
    guard case .moved? = try bench.store.write([asked], note: nil).first?.outcome else {
      Issue.record("it was not told as moved")
      return
    }
  }

  private func order(
    _ id: String, _ title: String, _ draft: @escaping @Sendable (RecordConflict) throws -> Draft
  ) -> WriteOrder {
    WriteOrder(id: id, title: title, draft: WriteOrder.Drafting(draft))
  }
}
