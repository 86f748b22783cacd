import Foundation
import GRDB
import Merging
import Testing

@testable import CloudantStores
@testable import Journals
@testable import MemoryStores
@testable import SQLiteDataStores
@testable import Samples
@testable import StoreInterface

/// What every store promises.
@Suite struct StoreContractTests {
  @Test(arguments: StoreKind.allCases, [1, 7, 1000])
  func aWalkListsEachConflictOnceWhateverThePage(kind: StoreKind, limit: Int) throws {
    let bench = try kind.bench()
    let store = bench.store
    let ids = try summaries(of: store, limit: limit).map(\.id)
    #expect(ids.count == bench.contents.conflicts)
    #expect(Set(ids).count == ids.count)
    if let newest = bench.contents.newest { #expect(ids.first == newest) }
    if let estimate = try store.estimatedCount() { #expect(estimate >= ids.count) }
  }

  @Test(arguments: StoreKind.allCases, [1, 7, 1000])
  func aWalkOverWholeConflictsTellsEachAsItsNameDoes(kind: StoreKind, limit: Int) throws {
    let store = try kind.bench().store
    let ids = try summaries(of: store, limit: limit).map(\.id)
    #expect(try conflicts(of: store, limit: limit) == ids.map { try store.conflict($0) })
    #expect(try store.conflicts(ids + ["nobody:reminders"]) == ids.map { try store.conflict($0) })
  }

  @Test(arguments: StoreKind.allCases)
  func whatIsWrittenMeanwhileTakesNothingElseOutOfAWalk(kind: StoreKind) throws {
    let bench = try kind.bench()
    let (store, milk) = (bench.store, bench.contents.milk)
    let all = try summaries(of: store).map(\.id)
    let walk = store.conflicts()
    var ids = try #require(try walk.next(limit: 5)).summaries.map(\.id)
    _ = try store.write([try #require(try plan(milk, in: store))], note: nil)
    while let page = try walk.next(limit: 4) { ids += page.summaries.map(\.id) }
    #expect(Set(ids).count == ids.count)
    #expect(Set(ids).union([milk]) == Set(all))
  }

  @Test(arguments: StoreKind.allCases)
  func aWalkTellsHowFarItHasCome(kind: StoreKind) throws {
    let walk = try kind.bench().store.conflicts()
    let first = try #require(try walk.next(limit: 5)).seen
    let second = try #require(try walk.next(limit: 5)).seen
    #expect(first >= 5 && second >= first + 5)
    while try walk.next(limit: 5) != nil {}
    #expect(try walk.next(limit: 5) == nil)
  }

  @Test(arguments: StoreKind.allCases)
  func aSummarySaysWhatTheConflictSays(kind: StoreKind) throws {
    let store = try kind.bench().store
    for summary in try summaries(of: store) {
      #expect(summary == ConflictSummary(try store.conflict(summary.id), resolution: Resolution()))
    }
  }

  @Test(arguments: StoreKind.allCases)
  func aRecordThatIsNotInConflictIsNotFound(kind: StoreKind) throws {
    let store = try kind.bench().store
    #expect(throws: StoreError.noSuchRecord(id: "nobody:reminders")) {
      try store.conflict("nobody:reminders")
    }
  }

  @Test(arguments: StoreKind.allCases)
  func aWriteLeavesATraceAndReadingNone(kind: StoreKind) throws {
    let bench = try kind.bench()
    let before = bench.store.traces()
    _ = try (summaries(of: bench.store), findings(of: bench.store), bench.store.conflict(bench.contents.milk))
    #expect(bench.store.traces() == before)
    try bench.retitle(bench.contents.milk, "Oat milk")
    #expect(bench.store.leavesOther(than: before))
  }

  @Test(arguments: StoreKind.allCases)
  func decisionsOutliveTheStoreAndCountInTheList(kind: StoreKind) throws {
    let bench = try kind.bench()
    let conflict = try bench.store.conflict(bench.contents.milk)
    let decisions = bench.contents.choices.enumerated().map { index, choice in
      Decision(
        id: conflict.id, subject: choice.0, choice: choice.1, fingerprint: conflict.fingerprint(of: choice.0),
        decidedAt: Int64(index))
    }
    try bench.store.journal.append(decisions)
    let later = try bench.reopened()
    #expect(try later.journal.decisions(for: [bench.contents.milk, bench.contents.bread]) == decisions)
    #expect(try summaries(of: later).first { $0.id == bench.contents.milk }?.isReady == true)
    #expect(try summaries(of: later).first { $0.id == bench.contents.bread }?.isReady == false)
  }

  @Test(arguments: StoreKind.allCases)
  func theLastDecisionOfASubjectIsInForce(kind: StoreKind) throws {
    let journal = try kind.bench().store.journal
    let decisions = [Choice.take(.client), nil, .take(.server)].enumerated().map { index, choice in
      Decision(id: "a:b", subject: .record, choice: choice, fingerprint: "f", decidedAt: Int64(index))
    }
    for count in 1...3 {
      try journal.append([decisions[count - 1]])
      #expect(try journal.decisions(for: ["a:b"]) == [decisions[count - 1]])
    }
    #expect(try journal.entries(limit: 2).map(\.text) == ["record: server taken", "record: taken back"])
  }

  @Test(arguments: StoreKind.allCases)
  func checkingChangesNothing(kind: StoreKind) throws {
    let bench = try kind.bench()
    let store = bench.store
    let planned = try #require(try plan(bench.contents.milk, in: store))
    // Whether it is uploaded then is not every store's to tell.
    var checks = try store.check([planned])
    for index in checks.indices { checks[index].upload = nil }
    #expect(
      checks == [CheckedWrite(id: bench.contents.milk, title: bench.contents.milkTitle, outcome: .fine)])
    #expect(try store.conflict(bench.contents.milk) == planned.seen)
    #expect(try store.journal.entries(limit: 1).isEmpty)
  }

  @Test(arguments: StoreKind.allCases)
  func whatIsWrittenLeavesTheListAndIsInTheLog(kind: StoreKind) throws {
    let bench = try kind.bench()
    let store = bench.store
    let planned = try [bench.contents.milk, bench.contents.bread].map {
      try #require(try plan($0, in: store))
    }
    #expect(try store.write(planned, note: "for Blob").map(\.outcome) == [.fine, .fine])
    #expect(try summaries(of: store).count == bench.contents.conflicts - 2)
    let entries = try store.journal.entries(limit: 10)
    #expect(Set(entries.map(\.record)) == [bench.contents.milk, bench.contents.bread])
    #expect(entries.allSatisfy { $0.kind == .write && $0.note == "for Blob" && $0.time == StoreBench.time })
  }

  /// What was overwritten would be nowhere, and undo could not bring it back.
  @Test(arguments: StoreKind.withJournal)
  func nothingIsWrittenOnceTheJournalIsGone(kind: StoreKind) throws {
    let bench = try kind.bench()
    let store = bench.store
    let journal = bench.journalPath
    _ = try store.write([try #require(try plan(bench.contents.bread, in: store))], note: nil)
    let planned = try #require(try plan(bench.contents.milk, in: store))
    for suffix in ["", "-wal", "-shm"] { unlink(journal + suffix) }
    #expect(throws: StoreError.journalGone(path: journal)) { try store.write([planned], note: nil) }
    #expect(throws: StoreError.journalGone(path: journal)) { try store.undoLastWrite() }
    #expect(try bench.reopened().conflict(bench.contents.milk) == planned.seen)
    #expect(throws: StoreError.noSuchRecord(id: bench.contents.bread)) {
      try bench.reopened().conflict(bench.contents.bread)
    }
  }

  @Test(arguments: StoreKind.ofFiles)
  func aStoreWhoseFileIsGoneIsToldAsGone(kind: StoreKind) throws {
    let bench = try kind.bench()
    let path = bench.store.info.path
    for suffix in ["", "-wal", "-shm"] { unlink(path + suffix) }
    #expect(throws: StoreError.fileMissing(path: path)) { try bench.store.conflict(bench.contents.milk) }
    #expect(bench.store.access() == .readOnly(reason: "there is no file \(path) any more"))
  }

  /// It may have been opened while the app had it, and be writable only since.
  @Test(arguments: StoreKind.withJournal)
  func whatWasInterruptedIsFinishedBeforeTheNextWrite(kind: StoreKind) throws {
    let bench = try kind.bench()
    let store = bench.store
    _ = try store.write([try #require(try plan(bench.contents.bread, in: store))], note: nil)
    try bench.forgetReceipts()
    let planned = try #require(try plan(bench.contents.milk, in: store))
    #expect(try bench.readOnly().finishInterruptedWrites().isEmpty)
    #expect(try store.interruptedWrites().count == 1)
    #expect(try store.write([planned], note: nil).map(\.outcome) == [.fine])
    #expect(try store.interruptedWrites().isEmpty)
    let words = try store.journal.entries(limit: 9).map(\.text)
    #expect(words.contains("interrupted write, completed: \(bench.contents.breadTitle)"), "\(words)")
    #expect(try store.undoLastWrite().map(\.id) == [bench.contents.milk])
    #expect(try store.undoLastWrite().map(\.id) == [bench.contents.bread])
  }

  @Test(arguments: StoreKind.withJournal)
  func whatIsDecidedBeforeAnInterruptedWriteIsFinishedIsNotWritten(kind: StoreKind) throws {
    let bench = try kind.bench()
    let (store, id) = (bench.store, bench.contents.bread)
    func decide(_ side: Side) throws {
      try store.journal.append([
        Decision(
          id: id, subject: .record, choice: .take(side), fingerprint: "00ff", decidedAt: StoreBench.time)
      ])
    }
    try decide(.client)
    _ = try store.write([try #require(try plan(id, in: store))], note: nil)
    try bench.forgetReceipts()
    try decide(.server)
    #expect(try !store.finishInterruptedWrites().isEmpty)
    let decided = try store.journal.history(of: id).compactMap {
      if case .decided(let it) = $0.event { it.written } else { nil }
    }
    #expect(decided == [.no, .yes])
  }

  @Test(arguments: StoreKind.withJournal)
  func anUndoAndAMendingFinishFirstWhatWasInterrupted(kind: StoreKind) throws {
    let bench = try kind.bench()
    let store = bench.store
    for act in [{ _ = try store.undoLastWrite() }, { _ = try store.mend(["nothing"], note: nil) }] {
      _ = try store.write([try #require(try plan(bench.contents.bread, in: store))], note: nil)
      try bench.forgetReceipts()
      try act()
      #expect(try store.interruptedWrites().isEmpty)
    }
  }

  @Test(arguments: StoreKind.withJournal)
  func whatWasInterruptedIsFoundRecordByRecordAndMendedByFinishingIt(kind: StoreKind) throws {
    let bench = try kind.bench()
    let store = bench.store
    let ids = [bench.contents.bread, bench.contents.milk]
    let others = Set(try findings(of: store).map(\.id))
    _ = try store.write(ids.map { try #require(try plan($0, in: store)) }, note: nil)
    try bench.forgetReceipts()
    let found = try findings(of: store).filter(\.isInterrupted)
    #expect(Set(found.map(\.id)) == Set(ids.map { "interrupted:\($0)" }))
    #expect(found.allSatisfy { $0.evidence.contains("complete, but without a receipt") })
    #expect(try store.mend([found[0].id], note: nil).map(\.outcome) == [.fine])
    #expect(try findings(of: store).allSatisfy { !$0.isInterrupted })
    #expect(try store.undoLastWrite().map(\.outcome) == [.fine, .fine])
    #expect(try Set(findings(of: store).map(\.id)) == others)
  }

  @Test(arguments: StoreKind.allCases)
  func theStatementsOfAWriteAreToldAndChangeNothing(kind: StoreKind) throws {
    let bench = try kind.bench()
    let store = bench.store
    guard store.info.can.contains(.tellStatements) else { return }
    let ids = [bench.contents.milk, bench.contents.bread]
    let before = try ids.map { try store.conflict($0) }
    let planned = try ids.map { try #require(try plan($0, in: store)) }
    let known = try store.statements(planned).sql
    #expect(try ids.map { try store.conflict($0) } == before)
    #expect(known.allSatisfy { ["INSERT", "UPDATE", "DELETE"].contains($0.prefix(6)) }, "\(known)")
    #expect(known.contains { !$0.contains("?") && $0.contains("'") }, "with their values: \(known)")
    #expect(Set(known).count == known.count, "each once: \(known)")
    #expect(throws: StoreError.self) { try bench.readOnly().statements(planned) }
    #expect(try store.write(planned, note: nil).allSatisfy { $0.outcome == .fine })
  }

  @Test(arguments: StoreKind.allCases)
  func whatMovedIsLeftAloneAndTold(kind: StoreKind) throws {
    let bench = try kind.bench()
    let planned = try [bench.contents.milk, bench.contents.bread].map {
      try #require(try plan($0, in: bench.store))
    }
    try bench.retitle(bench.contents.milk, "Oat milk")
    let outcomes: [CheckedWrite.Outcome] = [.moved(bench.contents.moved), .fine]
    #expect(try bench.store.check(planned).map(\.outcome) == outcomes)
    if bench.store.info.can.contains(.tellStatements) {
      #expect(try bench.store.statements(planned).outcomes.map(\.outcome) == outcomes)
    }
    #expect(try bench.store.write(planned, note: nil).map(\.outcome) == outcomes)
    #expect(try bench.store.conflict(bench.contents.milk).title == "Oat milk")
  }

  @Test(arguments: StoreKind.allCases)
  func aValueThatTheFieldDoesNotTakeIsRefused(kind: StoreKind) throws {
    let bench = try kind.bench()
    let store = bench.store
    let conflict = try store.conflict(bench.contents.milk)
    let wrong = Draft(
      id: bench.contents.milk, action: .save([bench.contents.wrong]))
    #expect(
      try store.check([PlannedWrite(seen: conflict, draft: wrong)]).map(\.outcome)
        == [.refused(field: bench.contents.wrong.name, bench.contents.refusal)])
  }

  /// Each is asked for what it says it can, and answers.
  @Test(arguments: StoreKind.allCases)
  func whatAStoreSaysItCanItDoes(kind: StoreKind) throws {
    let bench = try kind.bench()
    let store = bench.store
    for ability in store.info.can {
      switch ability {
      case .importRecords: #expect(try store.importRecords(from: [], isRehearsal: true) == ImportSummary())
      case .capture: #expect(try !store.capture { _ in true }.statements.isEmpty)
      case .tellStatements: #expect(try store.statements([]) == WriteStatements())
      case .tellUploads: #expect(try store.uploadQueue(limit: 1).waiting.count <= 1)
      case .tellTrees:
        #expect(try store.tree(bench.contents.milk) != nil)
        #expect(try store.tree("nobody") == nil)
      case .tellContent:
        // What it is asked for where there is something, suites of its own show.
        #expect(try store.content(of: "_attachments/none", .null, in: bench.contents.milk) == nil)
      case .foretell: #expect(try !store.conflict(bench.contents.milk).fields.isEmpty)
      case .tellRounds: #expect(try store.conflict(bench.contents.milk).details.file != nil)
      case .leaveToApp: #expect(!store.info.writing.isEmpty)
      case .tellFamilies: #expect(try store.family(of: "nobody").isEmpty)
      }
    }
    let words = store.info.words
    #expect(
      [words.record, words.table, words.field, words.finding, words.findings].allSatisfy { !$0.isEmpty })
  }

  /// What a server, or a disk that is full, does to a write; no check foresees it.
  @Test(arguments: StoreKind.allCases.filter { $0 == .memory })
  func whatBecameOfEachRecordIsToldForEach(kind: StoreKind) throws {
    let whole = try kind.bench()
    let ids = try summaries(of: whole.store).filter { try plan($0.id, in: whole.store) != nil }.prefix(4).map(
      \.id)
    let ends: [CheckedWrite.Outcome] = [
      .fine, .partly(written: "its row", "the disk is full"), .notKnown("no answer"),
      .notReached("no network"),
    ]
    let endings = Dictionary(uniqueKeysWithValues: zip(ids, ends))
    let conflicts = try summaries(of: whole.store).map { try whole.store.conflict($0.id) }
    let store = MemoryStore(conflicts: conflicts, ending: { endings[$0.seen.id] })
    let planned = try ids.map { try #require(try plan($0, in: store)) }
    #expect(try store.check(planned).allSatisfy { $0.outcome == .fine })
    #expect(try store.write(planned, note: nil).map(\.outcome) == ends)
    let left = Set(try summaries(of: store).map(\.id))
    #expect(
      ids.filter { left.contains($0) } == [ids[1], ids[3]], "in part and not reached are in conflict still")
    #expect(
      try store.undoLastWrite().map(\.id) == [ids[0], ids[2]], "what nobody answered can be taken back")
  }

  /// Only tables know NOT NULL; a document does not.
  @Test(arguments: [StoreKind.sqliteData, .memory])
  func aValueThatMustBeThereIsMissed(kind: StoreKind) throws {
    let store = try kind.bench().store
    let refused = try forced(Demo.reminder(36), "title", .null, in: store)
    #expect(
      try store.write([refused], note: nil).map(\.outcome) == [
        .refused(field: "title", "it must not be NULL")
      ])
  }

  @Test(arguments: StoreKind.allCases)
  func undoTakesBackTheNewestWriteAndThenTheOneBefore(kind: StoreKind) throws {
    let bench = try kind.bench()
    let store = bench.store
    let before = try summaries(of: store)
    for id in [bench.contents.milk, bench.contents.bread] {
      _ = try store.write([try #require(try plan(id, in: store))], note: nil)
    }
    #expect(
      try store.undoLastWrite() == [
        CheckedWrite(id: bench.contents.bread, title: bench.contents.breadTitle, outcome: .fine)
      ])
    #expect(try store.undoLastWrite().map(\.id) == [bench.contents.milk])
    #expect(try summaries(of: store) == before)
    #expect(throws: StoreError.nothingToUndo) { try store.undoLastWrite() }
    #expect(try store.journal.entries(limit: 2).map(\.kind) == [.undo, .undo])
  }

  @Test(arguments: StoreKind.allCases)
  func theLastWriteIsToldAndNoOtherIsTakenBackForIt(kind: StoreKind) throws {
    let bench = try kind.bench()
    let store = bench.store
    #expect(try store.lastWrite() == nil && store.lastWriteNames() == nil)
    _ = try store.write([try #require(try plan(bench.contents.bread, in: store))], note: nil)
    let first = try #require(try store.lastWrite())
    _ = try store.write([try #require(try plan(bench.contents.milk, in: store))], note: nil)
    let last = try #require(try store.lastWrite())
    #expect(try store.lastWriteNames() == last.names && first.names != last.names)
    // The one in memory knows of the last alone.
    #expect(try store.standingNames(of: first.id) == (kind == .memory ? nil : [bench.contents.bread]))
    #expect(try store.standingNames(of: last.id) == [bench.contents.milk])
    #expect(first.records.map(\.id) == [bench.contents.bread])
    #expect(last.records.map(\.title) == [bench.contents.milkTitle])
    #expect(last.takingBack.hasSuffix(".") && last.id != first.id)
    for undo in [store.undo, { extent in try store.checkUndo(extent).map(\.checked) }] {
      #expect(throws: StoreError.nothingToUndo) { try undo(.write(first.id)) }
    }
    #expect(try store.undo(.write(last.id)).map(\.id) == [bench.contents.milk])
    #expect(throws: StoreError.nothingToUndo) { try store.undo(.write(last.id)) }
    #expect(try store.lastWrite() == first)
  }

  @Test(arguments: StoreKind.allCases)
  func anUndoIsRehearsedWithoutAChange(kind: StoreKind) throws {
    let bench = try kind.bench()
    let store = bench.store
    #expect(throws: StoreError.nothingToUndo) { try store.checkUndo(.lastWrite) }
    _ = try store.write([try #require(try plan(bench.contents.milk, in: store))], note: nil)
    let last = try #require(try store.lastWrite())
    for extent in [UndoExtent.lastWrite, .lastPossibleWrite, .record(bench.contents.milk), .write(last.id)] {
      let checked = try store.checkUndo(extent)
      #expect(checked.map(\.checked.outcome) == [.fine])
      #expect(checked.map(\.changes) == last.records.map(\.changes))
    }
    #expect(try store.lastWrite() == last)
    #expect(try store.checkUndo(.lastWrite).map(\.checked) == store.undo(.lastWrite))
  }

  @Test(arguments: StoreKind.allCases)
  func oneRecordOfAWriteIsTakenBackAlone(kind: StoreKind) throws {
    let bench = try kind.bench()
    let store = bench.store
    let (milk, bread) = (bench.contents.milk, bench.contents.bread)
    _ = try store.write([milk, bread].map { try #require(try plan($0, in: store)) }, note: nil)
    #expect(try store.undo(.record(milk)).map(\.id) == [milk])
    #expect(throws: StoreError.nothingToUndo) { try store.undo(.record(milk)) }
    #expect(try store.conflict(milk).title == bench.contents.milkTitle)
    #expect(throws: StoreError.noSuchRecord(id: bread)) { try store.conflict(bread) }
    #expect(try store.undo(.lastPossibleWrite).map(\.id) == [bread])
    #expect(throws: StoreError.nothingToUndo) { try store.undoLastWrite() }
  }

  @Test(arguments: StoreKind.allCases)
  func aStoreOpenedForReadingIsNotWritten(kind: StoreKind) throws {
    let bench = try kind.bench()
    let store = try bench.readOnly()
    let reason = "the store was opened read-only"
    #expect(store.access() == .readOnly(reason: reason))
    let planned = try #require(try plan(bench.contents.milk, in: store))
    let error = StoreError.readOnly(path: store.info.path, reason: reason)
    #expect(throws: error) { try store.write([planned], note: nil) }
    #expect(throws: error) { try store.check([planned]) }
    #expect(try store.conflict(bench.contents.milk) == planned.seen)
  }

  @Test(arguments: StoreKind.allCases, [1, 3, 1000])
  func findingsAreToldOnceEachWithCauseAndRemedy(kind: StoreKind, limit: Int) throws {
    let bench = try kind.bench()
    let found = try findings(of: bench.store, limit: limit)
    #expect(found.count == bench.contents.findings)
    #expect(Set(found.map(\.id)).count == found.count)
    #expect(
      found.allSatisfy { $0.cause.hasSuffix(".") && $0.remedy.hasSuffix(".") && $0.evidence.hasSuffix(".") })
  }

  @Test(arguments: StoreKind.allCases)
  func whatIsMendedIsNoLongerFoundAndComesBackWithUndo(kind: StoreKind) throws {
    let bench = try kind.bench()
    let store = bench.store
    let before = try findings(of: store)
    let chosen = before.filter { $0.canBeMended != nil }
    #expect(chosen.count == bench.contents.mendable)
    let mended = try store.mend(chosen.map(\.id), note: "for Blob")
    #expect(mended.map(\.id) == chosen.map(\.id) && mended.allSatisfy { $0.outcome == .fine })
    let left = Set(try findings(of: store).map(\.id))
    #expect(left.isDisjoint(with: chosen.map(\.id)))
    #expect(try store.journal.entries(limit: 9).allSatisfy { $0.kind == .write && $0.note == "for Blob" })
    #expect(try store.undoLastWrite().map(\.id) == chosen.map(\.id))
    #expect(try findings(of: store).map(\.id).sorted() == before.map(\.id).sorted())
  }

  @Test(arguments: StoreKind.allCases)
  func whatCannotBeMendedIsRefusedAndWhatIsGoneIsTold(kind: StoreKind) throws {
    let bench = try kind.bench()
    let store = bench.store
    let outcomes = try store.mend([bench.contents.beyondMending, "no-row:nobody:reminders"], note: nil)
    #expect(
      outcomes.map(\.outcome) == [
        .refused(field: nil, "Parley cannot mend it; see what does"), .moved("it is no longer found"),
      ])
    #expect(try store.journal.entries(limit: 1).isEmpty)
    let readOnly = try kind.bench().readOnly()
    #expect(throws: StoreError.readOnly(path: readOnly.info.path, reason: "the store was opened read-only")) {
      try readOnly.mend(["no-row:nobody:reminders"], note: nil)
    }
  }
}
