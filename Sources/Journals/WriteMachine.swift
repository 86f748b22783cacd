import ExactJSON
import Foundation
import SQLiteFiles
import StoreInterface
import Telling

/// Checks, writes, undos and recovery, by the steps of a store.
extension WriteSteps {
  /// What `tasks` would do, each transaction taken back at its end.
  package func rehearse(_ tasks: some WriteTasks<Place>) throws -> [CheckedWrite] {
    var checked: [CheckedWrite] = []
    try CommitGate.trying {
      try whileChecking { room in
        for group in groups(of: tasks) {
          _ = try transaction(room, about: group.lazy.map(\.label.id)) { place in
            checked += try attempt(
              group, after: checked.count, of: tasks.count, at: place, isRehearsal: true)
            return false
          }
        }
      }
    }
    return checked
  }

  /// What several writes would do, one after the other, in one transaction, which is taken back at its end.
  package func rehearse(each several: [some WriteTasks<Place>]) throws -> [[CheckedWrite]] {
    let all = several.reduce(0) { $0 + $1.count }
    var (checked, done) = ([[CheckedWrite]](), 0)
    try CommitGate.trying {
      try whileChecking { room in
        try transaction(room) { place in
          for tasks in several {
            checked.append(try attempt(tasks, after: done, of: all, at: place, isRehearsal: true))
            done += tasks.count
          }
          return false
        }
      }
    }
    return checked
  }

  /// For each transaction: its part of the intent, then the commit. At the end the receipts: if the program is interrupted
  /// before, none of the write has one.
  ///
  /// - Parameters:
  ///   - mends: whether findings are mended, and no draft is written; the log tells it.
  ///   - lastDecision: see ``Journal/lastDecision()``; nil where no draft is written.
  /// - Throws: ``StoreError/writeFailed(path:detail:)`` if nothing was written, ``StoreError/decidedMeanwhile(path:record:)`` likewise,
  ///   ``StoreError/writeUnknown(path:detail:)``,
  ///   ``StoreError/receiptMissing(path:detail:)``
  package func commit(
    _ tasks: some WriteTasks<Place>, undoes: Int64? = nil, mends: Bool = false, lastDecision: Int64? = nil,
    note: String?
  ) throws -> [CheckedWrite] {
    var ledger = WriteLedger(log: log, store: path, undoes: undoes, lastDecision: lastDecision, note: note)
    var closed: Result<Void, any Error> = .success(())
    do {
      try whileWriting { room in
        for group in groups(of: tasks) {
          let others = try transaction(room, about: group.lazy.map(\.label.id)) { place in
            let before = ledger.checked.count
            let checked = try attempt(group, after: before, of: tasks.count, at: place) {
              try ledger.begin($0)
            }
            return try ledger.flush(checked)
          }
          ledger.end(others)
        }
        // Before anybody else gets the lock, where there is one: who finds it without receipts takes it for interrupted.
        closed = Result { try ledger.close(detail: undoes != nil ? nil : mends ? .mended : detail) }
      }
    } catch {
      return try outcomes(of: Array(tasks), ledger, after: error)
    }
    try closed.get()
    return ledger.checked
  }

  private func groups<Tasks: WriteTasks<Place>>(of tasks: Tasks) -> [Tasks.SubSequence] {
    if batch >= tasks.count { return [tasks[...]] }
    return stride(from: 0, to: tasks.count, by: batch).map { tasks.dropFirst($0).prefix(batch) }
  }

  /// What was committed stays, so it would be wrong to say that nothing was written. A commit that failed may have been done,
  /// in whole or in part: so the store is looked at, and mended.
  private func outcomes(
    of tasks: [WriteTask<Place>], _ ledger: WriteLedger, after error: any Error
  ) throws -> [CheckedWrite] {
    let (records, receipts) = try lookedAt(ledger, after: error)
    let rest = records.without(receipts)
    // If this fails, the next start finds what was found here.
    try? ledger.close(receipts, awaiting: rest)
    if rest.isEmpty, !ledger.hasWritten, receipts.allSatisfy({ $0.outcome == .rolledBack }) { throw error }
    let detail = StoreError.detail(of: error)
    let found = found(receipts, of: records, detail)
    let reached = ledger.checked.map { $0.with(found[JSONText($0.id)]) }
    return reached
      + tasks.dropFirst(reached.count).map {
        CheckedWrite($0.label, outcome: found[JSONText($0.label.id)] ?? .notReached(detail))
      }
  }

  /// The records that were begun and not heard of, and what became of them, as far as that can be known now.
  ///
  /// - Throws: ``StoreError/writeUnknown(path:detail:)``
  private func lookedAt(
    _ ledger: WriteLedger, after error: any Error
  ) throws -> (records: [Intent.Record], receipts: [Receipt]) {
    do {
      let (intent, records) = try ledger.unfinished()
      guard let intent else { return (records, []) }
      let isOver = !ledger.hasUnheard && !mayStillHappen(after: error)
      let found = try mended(records, of: intent.asked(at: log.now()), isOver: isOver)
      // Another Parley that waited for the lock may have finished it.
      return (records, found.isEmpty ? try log.receipts(of: intent.id) : found)
    } catch let hindrance {
      // Both: the one tells what happened, the other what is to be mended before anybody can know more.
      let (detail, more) = (StoreError.detail(of: error), StoreError.detail(of: hindrance))
      throw StoreError.writeUnknown(
        path: path, detail: more == detail ? detail : "\(detail.asClause); looked at again: \(more)")
    }
  }

  private func found(
    _ receipts: [Receipt], of records: [Intent.Record], _ detail: String
  ) -> [JSONText: CheckedWrite.Outcome] {
    let unheard = CheckedWrite.Outcome.notKnown("nobody told what became of it; \(detail)")
    var found = Dictionary(records.map { (JSONText($0.id), unheard) }) { first, _ in first }
    for receipt in receipts { found[JSONText(receipt.record)] = CheckedWrite.Outcome(receipt, detail) }
    return found
  }
}

extension WriteSteps where Place: DatabasePlace {
  /// What `tasks` run. In one transaction, which is taken back, so that what is counted up goes on from group to group as it will.
  fileprivate func statements(_ tasks: some WriteTasks<Place>) throws -> WriteStatements {
    var statements = WriteStatements()
    try CommitGate.trying {
      try whileWriting { room in
        try transaction(room) { place in
          place.isOfSQLAlone()
          statements.sql = try StatementLog.statements(place.db) {
            for group in groups(of: tasks) {
              let done = statements.outcomes.count
              statements.outcomes += try attempt(
                group, after: done, of: tasks.count, at: place, isRehearsal: true)
            }
          }
          return false
        }
      }
    }
    return statements
  }
}

/// After a crash between intent and receipt.
extension WriteSteps {
  /// Completes each record, or takes it back. One of which the store does not answer gets no receipt.
  ///
  /// What is begun is finished, whether or not anybody still waits for it: a write that is stopped comes here, too.
  ///
  /// - Parameter isOver: whether what is untouched now will stay so; else the store is asked for each record.
  func mended(_ records: [Intent.Record], of intent: Intent, isOver: Bool = false) throws -> [Receipt] {
    var receipts: [Receipt] = []
    if records.isEmpty { return [] }
    try StoreCall.current.unstoppable.answered {
      try mending { place in
        // Who wrote it may have come to its end while the lock was waited for.
        guard try log.isOpen(intent.id) else { return }
        receipts = try each(of: records, in: intent, at: place) { record, changes in
          try mend(record, changes, of: intent, isOver, at: place)
        }.compactMap(\.self)
      }
    }
    return receipts
  }

  /// - Parameter changes: refused where the journal no longer tells them truly, or they are about what is gone.
  private func mend(
    _ record: Intent.Record, _ changes: Result<Changes, Refusal>, of intent: Intent, _ isOver: Bool,
    at place: Place
  ) throws -> Receipt? {
    do {
      return try mend(record, changes.get(), of: intent, isOver, at: place)
    } catch let refusal as Refusal {
      return Receipt(record.id, .left, detail: refusal.reason)
    }
  }

  private func mend(
    _ record: Intent.Record, _ changes: Changes, of intent: Intent, _ isOver: Bool, at place: Place
  ) throws -> Receipt? {
    let state = try state(of: changes, intent, isOver: isOver, at: place)
    if let state, state != .awaited { tidy(changes, state, at: place) }
    if lateness > 0, try log.isWritten(record.id, since: intent.id) {
      // Of two writes that did the same only one can be taken back.
      return Receipt(record.id, .rolledBack, .writtenLater)
    }
    switch state {
    case nil, .awaited, .unread: return nil
    case .changedSince: return Receipt(record.id, .left, .changedSince)
    case .untouched: return Receipt(record.id, .rolledBack, .nothingWritten)
    case .notKnown: return Receipt(record.id, .left, .notKnown)
    case .complete, .half: return try complete(changes, of: record.id, at: place)
    }
  }

  fileprivate func shown(_ intent: Intent) throws -> InterruptedWrite {
    var write = InterruptedWrite(act: intent.told, records: try records(shownOf: intent), id: intent.id)
    write.begunWith = try log.begun(intent.id)
    write.hindrance = accessToFinish().reason
    if write.hindrance != nil || write.records.isEmpty { return write }
    for index in write.records.indices {
      write.records[index].hindrance = hindrance(of: write.records[index].state, intent)
    }
    if write.records.allSatisfy({ $0.hindrance != nil }) { write.hindrance = write.records[0].hindrance }
    return write
  }

  private func hindrance(of state: InterruptedWrite.State, _ intent: Intent) -> String? {
    switch state {
    case .awaited:
      "a request that is on its way may write the rest until \(TimeText.seconds(end(of: intent)))"
    case .unread: "what is there cannot be read"
    case .complete, .half, .untouched, .changedSince, .notKnown: nil
    }
  }

  private func records(shownOf intent: Intent) throws -> [InterruptedWrite.Record] {
    try reading { place in
      try each(of: intent.records, in: intent, at: place) { record, changes in
        let state = try shown(changes, intent, at: place)
        return InterruptedWrite.Record(id: record.id, title: record.title, state: state)
      }
    }
  }

  private func shown(
    _ changes: Result<Changes, Refusal>, _ intent: Intent, at place: Place
  ) throws -> InterruptedWrite.State {
    do {
      return try state(of: changes.get(), intent, isOver: false, at: place) ?? .unread
    } catch is Refusal {
      return .notKnown
    }
  }

  /// Some at a time: of all together the store may have more to tell than fits into memory.
  private func each<Answer>(
    of records: [Intent.Record], in intent: Intent, at place: Place,
    _ body: (Intent.Record, Result<Changes, Refusal>) throws -> Answer
  ) throws -> [Answer] {
    try records.inBatches(of: 500).flatMap { page in
      let changes = try page.map { try kept($0, of: intent) }
      prepare(changes.compactMap { try? $0.get() }, at: place)
      return try zip(page, changes).map(body)
    }
  }

  private func kept(_ record: Intent.Record, of intent: Intent) throws -> Result<Changes, Refusal> {
    do {
      return .success(try changes(of: record, in: intent.id))
    } catch let refusal as Refusal {
      return .failure(refusal)
    }
  }

  /// - Parameter isOver: whether what is untouched now will stay so, however young the intent is.
  private func state(
    of changes: Changes, _ intent: Intent, isOver: Bool, at place: Place
  ) throws -> InterruptedWrite.State? {
    let state = try state(of: changes, at: place)
    // A clock may have been set back since; by more than a day nobody waits for that.
    let age = log.now() &- intent.startedAt
    guard state == .untouched, !isOver, age < lateness, age > -86_400_000_000_000 else { return state }
    return try wouldTake(changes, at: place) ? .awaited : .untouched
  }

  /// From when on what is not done of an intent will not be, in nanoseconds since 1970.
  private func end(of intent: Intent) -> Int64 { intent.startedAt &+ lateness }
}

/// A store that is written by ``WriteSteps``.
package protocol SteppingStore: ConflictStore {
  associatedtype Steps: WriteSteps

  var log: Journal { get }
  /// Whether another Parley holds it, and most likely writes.
  var isHeldByParley: Bool { get }

  /// - Parameter ids: the records that are to be written.
  func steps(about ids: some Collection<String>) -> Steps
  /// Those by which an intent was written.
  func steps(for intent: Intent) throws -> Steps
  func takeBack(_ write: Intent, isRehearsal: Bool) throws -> [CheckedWrite]
  /// What an undo of several writes would do, the newest first, each behind those before it; nil where only the undo tells that.
  func rehearseUndo(ofEach writes: [Intent]) throws -> [[CheckedWrite]]?
  /// What a rehearsal found of a record after the other, as it is told: with its fields in the order of a screen, and what records are
  /// called that they point to.
  func tellingUndos() -> (CheckedUndo) -> CheckedUndo
  /// Where a finding about a record stands.
  func subject(of record: String) -> (table: String, record: String)
}

extension SteppingStore where Steps.Place: DatabasePlace {
  /// What a check does, and takes back, is what a write does.
  package func statements(_ orders: [WriteOrder]) throws -> WriteStatements {
    let steps = steps(about: orders.lazy.map(\.id))
    return try steps.statements(orders.lazy.map { steps.task($0, note: nil) })
  }
}

extension SteppingStore {
  package var journal: any DecisionJournal { log }

  package func check(_ orders: [WriteOrder]) throws -> [CheckedWrite] {
    let steps = steps(about: orders.lazy.map(\.id))
    return try steps.rehearse(orders.lazy.map { steps.task($0, note: nil) })
  }

  package func write(_ orders: [WriteOrder], note: String?) throws -> [CheckedWrite] {
    // What is decided from now on is not what anybody has seen: to finish what was interrupted may have to wait for another Parley.
    let lastDecision = try log.lastDecision()
    let finished = try finishInterruptedWrites()
    return try orders.outcomes(after: finished) { try commit($0, lastDecision: lastDecision, note: note) }
  }

  private func commit(
    _ orders: [WriteOrder], lastDecision: Int64, note: String?
  ) throws -> [CheckedWrite] {
    let begun = try log.openRecords()
    let steps = steps(about: orders.lazy.map(\.id))
    let tasks = orders.lazy.map { steps.task($0, note: note) }
    let written = try steps.commit(tasks, lastDecision: lastDecision, note: note)
    let undone = written.lazy.filter(\.isNotDone).map { JSONText($0.id) }
    let open = log.stillOpen(begun.intersection(undone))
    let told =
      open.isEmpty
      ? written : written.map { open.contains(JSONText($0.id)) ? $0.besideAnInterruptedWrite : $0 }
    // What was refused is told now, whether or not it can be kept for later. What hindered another try is no answer.
    try? log.note(open.isEmpty ? told : told.filter { !open.contains(JSONText($0.id)) })
    return told
  }

  package func standingNames(of write: LastWrite.ID) throws -> [String]? {
    try log.standingNames(of: write)
  }

  package func lastWriteNames() throws -> LastWrite.Names? {
    try log.newestWrite().map { LastWrite.Names(id: $0.intent.id, records: $0.intent.records.map(\.id)) }
  }

  package func undo(_ extent: UndoExtent) throws -> [CheckedWrite] {
    try finishInterruptedWrites()
    return try log.undo(extent) { try takeBack($0, isRehearsal: false) }
  }

  package func checkUndo(_ extent: UndoExtent) throws -> [CheckedUndo] {
    try log.checkUndo(
      extent, in: info.path, telling: tellingUndos(),
      ofEach: { try self.rehearseUndo(ofEach: $0)?.map(self.withoutWayBack) },
      { try withoutWayBack(takeBack($0, isRehearsal: true)) })
  }

  /// Refused, where the store takes nothing back.
  private func withoutWayBack(_ checked: [CheckedWrite]) -> [CheckedWrite] {
    info.notUndone.map { why in checked.map { $0.refused(why) } } ?? checked
  }

  package func rehearseUndo(ofEach writes: [Intent]) throws -> [[CheckedWrite]]? {
    guard let first = writes.first else { return [] }
    let steps = try steps(for: first)
    // To most stores one document is nothing to another.
    if steps.batch < .max { return try writes.map { try takeBack($0, isRehearsal: true) } }
    return try rehearse(undoing: writes, by: steps)
  }

  package func rehearse(undoing writes: [Intent], by steps: Steps) throws -> [[CheckedWrite]] {
    let tasks = writes.map { write in
      Array(write.records.reversed()).lazy.map { steps.task(undoing: $0, of: write.id) }
    }
    return try steps.rehearse(each: tasks).map { $0.reversed() }
  }

  package func tellingUndos() -> (CheckedUndo) -> CheckedUndo { { $0 } }

  package func takeBack(_ write: Intent, isRehearsal: Bool) throws -> [CheckedWrite] {
    try takeBackByItsSteps(write, isRehearsal: isRehearsal)
  }

  /// The last one first: what was made to fit into what came before is taken back before that is.
  package func takeBackByItsSteps(_ write: Intent, isRehearsal: Bool) throws -> [CheckedWrite] {
    let steps = try steps(for: write)
    let tasks = write.records.reversed().lazy.map { steps.task(undoing: $0, of: write.id) }
    var checked =
      isRehearsal ? try steps.rehearse(tasks) : try steps.commit(tasks, undoes: write.id, note: nil)
    checked.reverse()
    return checked
  }

  /// Nothing is mended that cannot be written now: the next one who can finds it still.
  @discardableResult
  package func finishInterruptedWrites() throws -> [FinishedWrite] {
    try log.openIntents().compactMap { intent in
      let steps = try steps(for: intent)
      guard steps.access() == .writable else { return nil }
      let receipts = try steps.mended(intent.records, of: intent)
      if receipts.isEmpty { return nil }
      let rest = intent.records.without(receipts)
      if !rest.isEmpty { try log.leaveOpen(rest, of: intent.id, isAll: false, askedAt: intent.startedAt) }
      try log.append(receipts, of: intent.id)
      return FinishedWrite(intent, receipts)
    }
  }

  package func hasInterruptedWrites() throws -> Bool { try !interruptedIntents().isEmpty }

  /// Without the records that a later write has done: of these no more is to be known, and the next mending notes it.
  private func interruptedIntents() throws -> [Intent] {
    guard try log.hasOpenIntents(), !isHeldByParley else { return [] }
    return try log.openIntents().compactMap { intent in
      guard try steps(for: intent).lateness > 0 else { return intent }
      var rest = intent
      rest.records = try intent.records.filter { try !log.isWritten($0.id, since: intent.id) }
      return rest.records.isEmpty ? nil : rest
    }
  }

  package func interruptedWrites() throws -> [InterruptedWrite] {
    try interruptedIntents().map { try steps(for: $0).shown($0) }
  }
}

extension Journal {
  fileprivate func openRecords() throws -> Set<JSONText> {
    Set(try openIntents().flatMap(\.records).map { JSONText($0.id) })
  }

  /// Those of them that stay so. What another Parley was just writing was begun, too: its receipts follow its commit within a moment.
  fileprivate func stillOpen(_ begun: Set<JSONText>) -> Set<JSONText> {
    let end = ContinuousClock.now + .seconds(3)
    var open = begun
    while !open.isEmpty, ContinuousClock.now < end {
      open.formIntersection((try? openRecords()) ?? open)
      if !open.isEmpty { usleep(20_000) }
    }
    return open
  }
}

extension CheckedWrite {
  /// What is fine as far as could be checked, in a store that takes nothing back.
  fileprivate func refused(_ why: String) -> CheckedWrite {
    outcome == .fine ? CheckedWrite(label, outcome: .refused(field: nil, why)) : self
  }

  fileprivate var isNotDone: Bool {
    switch outcome {
    case .moved, .refused, .notReached: true
    case .fine, .partly, .notKnown: false
    }
  }

  /// Of a record of which an earlier write is not finished: whatever hindered this one, nobody can say that nothing is written.
  fileprivate var besideAnInterruptedWrite: CheckedWrite {
    switch outcome {
    case .moved(let why), .refused(_, let why), .notReached(let why):
      let words = "a write of it that was interrupted is not finished, and this one could not be done: \(why)"
      return CheckedWrite(label, outcome: .notKnown(words))
    case .fine, .partly, .notKnown: return self
    }
  }

  fileprivate func with(_ outcome: Outcome?) -> CheckedWrite {
    guard let outcome else { return self }
    var other = self
    other.outcome = outcome
    return other
  }
}

extension CheckedWrite.Outcome {
  /// What became of a record where the commit failed, and the store was looked at since.
  fileprivate init(_ receipt: Receipt, _ detail: String) {
    switch receipt.outcome {
    case .written, .completed: self = .fine
    case .rolledBack, .notDone: self = .notReached(detail)
    case .left: self = .notKnown("somebody else changed it at the same time; \(detail)")
    }
  }
}
