import Merging
import Synchronization
import Testing

@testable import StoreInterface

/// What every store promises of calls that take seconds, and of the ways to decide a whole record.
@Suite struct StoreCallContractTests {
  @Test(arguments: StoreKind.allCases)
  func whatNobodyWantsAnyMoreIsNotRead(kind: StoreKind) throws {
    let bench = try kind.bench()
    let store = bench.store
    let reads: [(any ConflictStore) throws -> Void] = [
      { _ = try $0.conflict(bench.contents.milk) }, { _ = try $0.conflicts().next(limit: 1) },
      { _ = try $0.findings().next(limit: 1) },
    ]
    for read in reads {
      #expect(throws: StoreError.stopped(path: store.info.path)) {
        try StoreCall(isWanted: { false }).answered { try read(store) }
      }
      #expect(throws: StoreError.noAnswer(path: store.info.path)) {
        try StoreCall(deadline: .now).answered { try read(store) }
      }
      try read(store)
    }
  }

  /// Whoever leaves a check, or stops a write, does so while it goes on.
  @Test(arguments: StoreKind.allCases)
  func aCheckTellsHowFarItIsAndGoesNoFurtherWhenItIsLeft(kind: StoreKind) throws {
    let bench = try kind.bench()
    let store = bench.store
    let planned = try [bench.contents.milk, bench.contents.bread].map {
      try #require(try plan($0, in: store))
    }
    let heard = Mutex<[StoreCall.Progress]>([])
    let call = StoreCall(
      isWanted: { heard.withLock { $0.count < 1 } },
      hear: { progress in heard.withLock { $0.append(progress) } })
    #expect(throws: StoreError.stopped(path: store.info.path)) {
      try call.answered { try store.check(planned) }
    }
    #expect(heard.withLock(\.self) == [.init(done: 0, all: 2)])
    #expect(try store.check(planned).map(\.outcome) == [.fine, .fine])
  }

  @Test(arguments: StoreKind.allCases)
  func aWriteThatIsStoppedTellsWhatWasNotReached(kind: StoreKind) throws {
    let bench = try kind.bench()
    let store = bench.store
    let planned = try [bench.contents.milk, bench.contents.bread].map {
      try #require(try plan($0, in: store))
    }
    #expect(throws: StoreError.stopped(path: store.info.path)) {
      try StoreCall(isWanted: { false }).answered { try store.write(planned, note: nil) }
    }
    let heard = Mutex(0)
    let call = StoreCall(
      isWanted: { heard.withLock { $0 < 1 } }, hear: { _ in heard.withLock { $0 += 1 } })
    do {
      let outcomes = try call.answered { try store.write(planned, note: nil).map(\.outcome) }
      let left = outcomes.count { $0 == .notReached("it was stopped") }
      #expect(left > 0 && outcomes.filter { $0 == .fine }.count == 2 - left, "\(outcomes)")
      #expect(try summaries(of: store).count == bench.contents.conflicts - (2 - left))
    } catch StoreError.stopped {
      #expect(try summaries(of: store).count == bench.contents.conflicts, "one transaction over all")
      #expect(try store.lastWrite() == nil)
    }
  }

  /// Whatever a store offers it takes, and takes back.
  @Test(arguments: StoreKind.allCases)
  func everyWayToDecideAWholeRecordIsWrittenAndTakenBack(kind: StoreKind) throws {
    let bench = try kind.bench()
    let store = bench.store
    let all = try summaries(of: store).map { try store.conflict($0.id) }
    // A few of each shape: each is written and taken back.
    let shapes = Dictionary(grouping: all) { conflict in
      let isTree = conflict.liveLeaves.count > 2 && conflict.liveLeaves.count < 9
      return "\(conflict.isWhole) \(isTree)"
    }
    for shape in shapes.values.flatMap({ $0.prefix(2) }) where shape.details.notWritable == nil {
      for index in shape.alternatives.indices {
        // An undo makes leaves of other ids.
        let conflict = try store.conflict(shape.id)
        let alternative = conflict.alternatives[index]
        let choice = conflict.choice(ofAlternative: alternative.id)
        #expect(conflict.refusal(of: choice, for: .record) == nil)
        let draft = try #require(conflict.draft(Resolution(choices: [.record: choice])))
        let outcomes = try store.write([PlannedWrite(seen: conflict, draft: draft)], note: nil)
        #expect(outcomes.map(\.outcome) == [.fine], "\(conflict.title): \(alternative.id)")
        guard outcomes.map(\.outcome) == [.fine] else { continue }
        #expect(throws: StoreError.noSuchRecord(id: conflict.id)) { try store.conflict(conflict.id) }
        #expect(try store.undoLastWrite().map(\.outcome) == [.fine], "\(alternative.id)")
        #expect(try store.conflict(conflict.id).title == conflict.title)
      }
    }
  }

  /// Nothing is lost: what ends in one document is another one, until the undo deletes that.
  @Test(arguments: StoreKind.ofDocuments)
  func keepingBothMakesDocumentsThatItsUndoDeletes(kind: StoreKind) throws {
    let bench = try kind.bench()
    let store = bench.store
    func way(_ id: String) throws -> Alternative? {
      try store.conflict(id).alternatives.first { !$0.newRecords.isEmpty }
    }
    func live(_ id: String) throws -> Int? {
      try store.tree(id).map { $0.branches.count { $0.revisions.last?.isDeleted == false } }
    }
    let ids = try summaries(of: store).map(\.id).filter { try way($0) != nil }.prefix(4)
    #expect(ids.count == 4)
    for id in ids {
      let (seen, both) = (try store.conflict(id), try #require(try way(id)))
      #expect(Losses(seen).of(both).isEmpty)
      #expect(try both.newRecords.allSatisfy { try live($0) == nil })
      let draft = try #require(
        seen.draft(Resolution(choices: [.record: seen.choice(ofAlternative: both.id)])))
      let planned = PlannedWrite(seen: seen, draft: draft)
      #expect(try store.check([planned]).map(\.outcome) == [.fine])
      #expect(try store.write([planned], note: nil).map(\.outcome) == [.fine])
      #expect(try ([id] + both.newRecords).map { try live($0) } == [1] + both.newRecords.map { _ in 1 })
      // Of the first alone: without the receipts of an undo nobody knows that there was one.
      if id == ids.first { try bench.forgetReceipts() }
      let finished = try store.finishInterruptedWrites().flatMap(\.records)
      #expect(finished.map(\.outcome) == (id == ids.first ? [.completed] : []))
      #expect(try store.undoLastWrite().map(\.outcome) == [.fine])
      #expect(try both.newRecords.allSatisfy { try live($0) == 0 })
      #expect(try store.conflict(id).liveLeaves.map(\.version) == seen.liveLeaves.map(\.version))
      #expect(try way(id)?.newRecords.count == both.newRecords.count)
    }
  }

  /// Else a person who stops a write would leave a half of it behind, and be told that nobody knows.
  @Test(arguments: [StoreKind.sqliteData, .cloudant, .android])
  func whatWasBegunIsFinishedAlsoWhereNobodyWaitsForIt(kind: StoreKind) throws {
    let bench = try kind.bench()
    let store = bench.store
    _ = try store.write([try #require(try plan(bench.contents.bread, in: store))], note: nil)
    try bench.forgetReceipts()
    for call in [StoreCall(isWanted: { false }), StoreCall(deadline: .now)] {
      let finished = try call.answered { try store.finishInterruptedWrites() }
      #expect(finished.count == 1)
      #expect(try !store.hasInterruptedWrites())
      try bench.forgetReceipts()
    }
  }

  /// A person leaves a walk, or has had enough for now: it goes on where it was, with all of it and nothing twice.
  @Test(arguments: StoreKind.allCases)
  func aWalkThatIsStoppedAnywhereGoesOnWhereItWas(kind: StoreKind) throws {
    let store = try kind.bench().store
    let (conflicts, findings) = (store.conflicts(), store.findings())
    var (seen, told): ([String], [Finding]) = ([], [])
    while let page = try stoppedAtEach({ try conflicts.next(limit: 3) }) { seen += page.summaries.map(\.id) }
    while let page = try stoppedAtEach({ try findings.next(limit: 3) }) { told += page }
    #expect(try seen == summaries(of: store, limit: 3).map(\.id))
    #expect(try told == StoresTests.findings(of: store, limit: 3))
  }

  /// The answer of a call that was stopped at the first question whether it is still wanted, then at the second, and so on.
  private func stoppedAtEach<Answer>(_ call: () throws -> Answer) throws -> Answer {
    var limit = 0
    while true {
      let asked = Mutex(0)
      let stopping = StoreCall(isWanted: { [limit] in
        asked.withLock { asked in
          asked += 1
          return asked <= limit
        }
      })
      do { return try stopping.answered(by: call) } catch StoreError.stopped { limit += 1 }
    }
  }
}
