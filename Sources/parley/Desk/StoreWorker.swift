import Desk
import Dispatch
import Merging
import StoreInterface
import Synchronization

/// Does the store's part of the effects in the background, so that no key waits for the disk.
///
/// Walking has a queue of its own, and goes by small pages: a record under the cursor waits for one of them at most,
/// however long the list is.
final class StoreWorker: Sendable {
  let store: any ConflictStore
  let inbox: EventInbox
  private let walking = DispatchQueue(label: "parley.walk")
  private let reading = DispatchQueue(label: "parley.read")
  let watching = DispatchQueue(label: "parley.watch")
  /// Who belongs to a record only a walk can tell, and a record that is opened meanwhile does not wait for it.
  private let relating = DispatchQueue(label: "parley.relate")
  /// Nobody waits for what stands in long values.
  private let searching = DispatchQueue(label: "parley.search")
  let watch = Mutex<StoreWatch?>(nil)
  let journalWatch = Mutex(JournalWatch(traces: []))
  /// Whether a record could not be read since the last glance: a file that somebody held for a moment can be read now, and by nothing else
  /// would that be seen.
  let hasUnread = Atomic(false)
  /// What the desk knows of what the journal keeps for the store.
  let tracesOfKept = Mutex<[Int64]>([])
  /// Counts the walks begun; an older one stops, and what it still had to tell is dropped.
  private let walk = Mutex(0)
  /// Counts what was stopped: a check or a write that was asked for before goes no further.
  private let stops = Mutex(0)
  /// The same of families.
  private let families = Mutex(0)
  /// What was asked last: what is typed on is looked for anew, and what was asked before goes no further.
  private let search = Mutex(0)
  /// Whether the desk is left. Held while a part of a bulk act is kept and answered.
  private let isOver = Mutex(false)
  /// What was interrupted, and was finished when that was asked for last: a write asks for it as its first step.
  private let finishedFirst = Mutex<[FinishedWrite]>([])
  /// Counts how often somebody had enough of waiting for a server.
  private let leaves = Mutex(0)
  /// How long a person is left to wait for one record, or for an answer of a server. What is about many goes on until its
  /// person leaves it, and recovery until it is done.
  private let patience: Duration
  /// A second is soon enough for a person, and a few calls of the file system a second are nothing.
  let glancing: DispatchTimeInterval
  /// Puts the store in the place of `PATH`.
  let filling: @Sendable (String) -> String

  init(
    store: any ConflictStore, inbox: EventInbox, patience: Duration = .seconds(60),
    glancing: DispatchTimeInterval = .seconds(1), filling: @escaping @Sendable (String) -> String = { $0 }
  ) {
    (self.store, self.inbox, self.patience, self.glancing) = (store, inbox, patience, glancing)
    self.filling = filling
  }

  /// - Parameter rows: how many the screen has, which the first page fills.
  func startWalk(rows: Int) {
    let number = walk.withLock { walk in
      walk += 1
      return walk
    }
    walking.async { self.walkAll(number, rows) }
  }

  /// Who leaves the desk finds in the inbox what is decided by then.
  func stop() {
    isOver.withLock { $0 = true }
    walk.withLock { $0 += 1 }
    stopReview()
    stopFamily()
  }

  /// Ends the check or the write that goes on, before its next record.
  func stopReview() { stops.withLock { $0 += 1 } }

  /// Who belongs to a record is asked no further.
  func stopFamily() { families.withLock { $0 += 1 } }

  /// Ends all that a server is asked. What of a write is begun is finished.
  func stopWaiting() {
    stopReview()
    stopFamily()
    leaves.withLock { $0 += 1 }
  }

  func access() -> StoreAccess { patientCall.answered(by: store.access) }

  private var patientCall: StoreCall { StoreCall(deadline: .now + patience) }

  /// That a server is waited for is told also where nobody wants the answer any more: then it ends.
  private func tellWait(for errand: Errand) -> @Sendable (StoreCall.Wait?) -> Void {
    { self.inbox.post(.waits($0, for: errand)) }
  }

  private func untilLeft() -> @Sendable () -> Bool {
    let number = leaves.withLock(\.self)
    return { self.leaves.withLock { $0 == number } }
  }

  private func isCurrent(_ number: Int) -> Bool { walk.withLock { $0 == number } }

  /// Looked at once more when the event is taken: another walk may have begun meanwhile.
  private func tell(_ event: DeskEvent, _ number: Int) {
    if isCurrent(number) { inbox.post(event) { self.isCurrent(number) } }
  }

  private func walkAll(_ number: Int, _ rows: Int) {
    let isWaitedFor = untilLeft()
    StoreCall(isWanted: { self.isCurrent(number) && isWaitedFor() }, hearWait: tellWait(for: .walk)).answered
    {
      walkAllOnce(number, rows)
    }
  }

  private func walkAllOnce(_ number: Int, _ rows: Int) {
    do {
      try walkConflicts(number, rows)
      tell(.walkEnded, number)
      ReturnedMemory.giveBack()
      try walkFindings(number)
    } catch {
      tell(.walkFailed(words(error)), number)
    }
    ReturnedMemory.giveBack()
  }

  /// What the walk remembers of many records is gone when it ends.
  private func walkConflicts(_ number: Int, _ rows: Int) throws {
    let conflicts = store.conflicts()
    // A full screen is there at once, and no record that it has no row for is waited for; the total is counted after it.
    var limit = max(1, rows)
    var isFirst = true
    while isCurrent(number), let page = try conflicts.next(limit: limit) {
      tell(.found(page), number)
      if isFirst { try store.estimatedCount().map { tell(.counted($0), number) } }
      (isFirst, limit) = (false, 128)
    }
  }

  private func walkFindings(_ number: Int) throws {
    let findings = store.findings()
    while isCurrent(number), let page = try findings.next(limit: 256) {
      if !page.isEmpty { tell(.foundFindings(page), number) }
    }
    tell(.findingsEnded, number)
  }

  func open(_ id: String) {
    answer(
      {
        let conflict = try $0.conflict(id)
        return .opened(conflict, try $0.journal.decisions(for: [id]))
      },
      orElse: {
        if $0.isSettled { return .settled(id: id) }
        self.hasUnread.store(true, ordering: .relaxed)
        return .openFailed(id: id, self.words($0))
      })
  }

  /// Drawn here too, as a document may have had thousands of revisions.
  func readTree(_ id: String) {
    answer(
      { .tree(id: id, try $0.tree(id).map { DrawnTree(id: id, $0) }) },
      orElse: { .treeFailed(id: id, self.words($0)) })
  }

  func readContent(_ question: AttachmentQuestion) {
    answer { store in
      .content(
        question,
        question.values.mapValues { value in
          do {
            return try store.content(of: question.field, value, in: question.id).map { .bytes($0) }
              ?? .none("The store no longer keeps its bytes.")
          } catch {
            let refusal = (error as? Refusal).map { "They cannot be shown: \($0.reason)." }
            return .none(refusal ?? self.words(error))
          }
        })
    }
  }

  func readDrafts(_ ids: [String]) {
    review(changing: false) {
      let decisions = ByRecord(grouping: try $0.journal.decisions(for: ids), by: \.id)
      var drafts: [DecidedConflict] = []
      for start in stride(from: 0, to: ids.count, by: 100) {
        try StoreCall.begin(start, of: ids.count, in: $0.info.path)
        for conflict in try $0.conflicts(Array(ids[start..<min(start + 100, ids.count)])) {
          drafts.append(DecidedConflict(conflict, decisions: decisions[conflict.id] ?? []))
        }
      }
      return .drafts(drafts)
    }
  }

  /// Where the store cannot answer the value can be kept all the same: the review asks again.
  func judge(_ planned: Planned, _ field: String) {
    let judgement = { @Sendable (verdict: ValueVerdict) in
      DeskEvent.judged(
        Judgement(id: planned.seen.id, field: field, value: planned.draft[field] ?? .null, verdict: verdict))
    }
    answer(
      { judgement(try $0.judge(field, in: planned.write)) },
      orElse: { judgement(.notKnown(self.words($0))) })
  }

  /// What is refused is kept, so that nothing calls it ready; so is what fits now that this is decided. Where the store cannot answer, the
  /// review asks again.
  func rehearse(_ planned: Planned) {
    answer(
      { store in
        let checked = try store.checkDecided([planned.write])
        self.tellFitting(checked.dropFirst())
        return .rehearsed(planned, checked.first?.outcome ?? .fine)
      },
      orElse: { _ in .rehearsed(planned, .fine) })
  }

  /// What was refused before, and is not any more.
  private func tellFitting(_ checked: some Sequence<CheckedWrite>) {
    let fitting = checked.filter { $0.outcome == .fine }.map(\.id)
    if !fitting.isEmpty { inbox.post(.fitNow(fitting)) }
  }

  func check(_ planned: [Planned]) {
    review(changing: false) {
      .checked(try $0.checkKeeping(planned.map { WriteOrder($0.write) }), $0.access())
    }
  }

  func write(_ planned: [Planned], note: String?) {
    review(changing: true) { store in
      let finished = self.finishedFirst.withLock { first in
        defer { first = [] }
        return first
      }
      let orders = DecidedAgain(store.journal).orders(planned.map(\.write))
      let outcomes = try orders.outcomes(after: finished) { try store.write($0, note: note) }
      // What no answer came for is an interrupted write from now on, and is told as one.
      if outcomes.contains(where: \.isNotKnown) { self.watching.async { self.tellInterrupted() } }
      return .wrote(outcomes)
    }
  }

  /// What is decided is durable before it is answered: a part of many decisions is one transaction. Nothing is once the desk is left.
  /// Where the store cannot answer what was refused before, the review asks again.
  func answer(_ request: BulkRequest) {
    answer(
      { store in
        let (new, answer) = request.answer(
          try self.decided(request.ids, in: store), check: store.checkBesideReady)
        try self.isOver.withLock { isOver in
          if isOver { return }
          try store.journal.append(new)
          self.inbox.post(.bulk(answer))
        }
        if !new.isEmpty { self.tellFitting((try? store.checkRefusedAgain()) ?? []) }
        return nil
      }, orElse: { .bulk(BulkAnswer(act: request.act, .failed(self.words($0)))) })
  }

  func decided(_ ids: [String], in store: any ConflictStore) throws -> [DecidedConflict] {
    try store.journal.decided(store.conflicts(ids))
  }

  func tally(_ ids: [String], act: Int) {
    answer { .tallied(RuleTally(try self.decided(ids, in: $0)), act: act) }
  }

  func search(_ question: ValueQuestion) {
    search.withLock { $0 = question.act }
    let isWanted = { @Sendable in self.search.withLock { $0 == question.act } }
    answer(
      as: { StoreCall(deadline: .now + self.patience, isWanted: isWanted) }, where: isWanted, on: searching,
      { store in
        // Long values are many bytes, so few are read at once.
        let found = try question.ids.inBatches(of: 32).map { ids in
          isWanted() ? question.answer(try store.conflicts(ids)) : [:]
        }
        return .searched(
          question, found.reduce(into: [:]) { all, part in for (id, words) in part { all[id] = words } })
      }, orElse: { .searchFailed(question, self.words($0)) })
  }

  func readLogOfStore(limit: Int) {
    answer(
      { .logOfStore(try $0.namingAnswers($0.journal.entries(limit: limit))) },
      orElse: { .logOfStoreFailed(self.words($0)) })
  }

  func readHalves(_ ids: [String]) {
    answer { store in .halves(try ids.compactMap { try store.journal.history(of: $0).first(where: \.isAct) })
    }
  }

  func readGivenUp() { answer { .givenUp(try $0.journal.givenUp()) } }

  func readLog(_ id: String) { answer { .log(id: id, try $0.namingAnswers($0.journal.history(of: id))) } }

  /// Who belongs to it is told by the store, unless that is known. Whoever leaves the page waits no more.
  func readFamily(_ id: String, known: [Relative]?) {
    let number = families.withLock(\.self)
    let isWanted = { @Sendable in self.families.withLock { $0 == number } }
    let work = { @Sendable (store: any ConflictStore) in
      DeskEvent.family(id: id, try self.family(of: id, known: known, in: store))
    }
    let tell = tellWait(for: .family)
    answer(
      as: { StoreCall(isWanted: isWanted, hearWait: tell) }, where: isWanted, on: relating, work,
      orElse: { .familyFailed(id: id, self.words($0)) })
  }

  private func family(
    of id: String, known: [Relative]?, in store: any ConflictStore
  ) throws -> [FamilyMember] {
    let relatives = try known ?? store.family(of: id)
    let kin = ByRecord(relatives.map { ($0.id, $0) }) { first, _ in first }
    let ids = [id] + relatives.map(\.id)
    return try ids.inBatches(of: 100).flatMap { page in
      try decided(page, in: store).map { FamilyMember($0, kin[$0.conflict.id]) }
    }
  }

  func readEarlier(withOwn: Bool, olderThan known: Int64?) {
    answer(
      { store in
        var found = try EarlierActs.Found(withOwn: withOwn, olderThan: known, in: store.journal)
        found.lastWrite = try store.lastWriteNames()?.id
        return .earlier(found)
      },
      orElse: { .pastNotHeard(self.words($0)) })
  }

  /// - Parameter record: of which the newest write is read, if it is not in the last one; nil: none.
  func readLastWrite(of record: NamedRecord?) {
    answer(
      { store in
        guard var write = try store.lastWrite() else { return .lastWrite(nil, alone: record) }
        if let record, let older = try write.older(of: record.id, in: store) { write = older }
        write.isDecided = try StoreWorker.isDecided(write.records.map(\.id), in: store)
        return .lastWrite(write, alone: record)
      }, orElse: { .pastNotHeard(self.words($0)) })
  }

  /// Nobody asked, so that it is told like what cannot be heard of others.
  ///
  /// - Parameter own: of which is told what stands.
  func readNewestWrite(beside own: LastWrite.ID?) {
    answer(
      { store in
        let standing = try own.flatMap { id in
          try store.standingNames(of: id).map { LastWrite.Names(id: id, records: $0) }
        }
        return .newestWrite(try store.lastWriteNames(), standing: standing)
      }, orElse: { .notHeard(self.words($0)) })
  }

  /// Not all of them are looked for at once: of a large write the first tell it.
  private static func isDecided(_ ids: [String], in store: any ConflictStore) throws -> Bool {
    try ids.inBatches(of: 100).contains { page in
      try !store.journal.decisions(for: page).standing.isEmpty
    }
  }

  func checkUndo(_ write: LastWrite) {
    answer(about: write, changing: false) {
      .checked(try $0.checkUndo(write.extent).map(\.checked), $0.access())
    }
  }

  /// - Parameter records: nil for all of it.
  func undoWrite(_ write: LastWrite, of records: [String]?) {
    answer(about: write, changing: true) { store in
      .undid(try store.undo(records.map { .records($0) } ?? write.extent))
    }
  }

  /// Only what was shown is taken back: another Parley may have written since.
  private func answer(
    about write: LastWrite, changing: Bool,
    _ work: @escaping @Sendable (any ConflictStore) throws -> DeskEvent
  ) {
    review(changing: changing) {
      guard try write.isStillTheNewest(in: $0) else {
        return .reviewFailed(
          "This is no longer the last write. Esc goes back, and u there takes back what was done last.")
      }
      return try work($0)
    }
  }

  /// What is left to be told comes first, so that what became of the rest is what is read last.
  func finishInterrupted() {
    answer(
      as: { StoreCall(hearWait: self.tellWait(for: .page)) },
      { store in
        self.finishedFirst.withLock { $0 = [] }
        let finished = try store.finishInterruptedWrites()
        self.finishedFirst.withLock { $0 = finished }
        self.tellInterrupted()
        return .finished(finished)
      })
  }

  func mend(_ finding: Finding) { review(changing: true) { .mended(try $0.mend(seen: finding)) } }

  /// What a review waits for: as long as it takes, until its person has had enough. Of what changes nothing there is nothing to
  /// tell then.
  func review(
    changing: Bool, _ work: @escaping @Sendable (any ConflictStore) throws -> DeskEvent,
    orElse failure: (@Sendable (any Error) -> DeskEvent)? = nil
  ) {
    let (isWanted, pace) = (untilStopped(), Pace())
    answer(
      as: {
        StoreCall(
          isWanted: isWanted,
          hear: { if $0.isLast || pace.isDue() { self.inbox.post(.progressed($0), where: isWanted) } },
          hearWait: self.tellWait(for: .page))
      },
      where: { changing || isWanted() },
      { store in
        // What this desk settles is no news to it.
        defer { if changing { _ = self.hasOtherKept() } }
        return try work(store)
      }, orElse: { failure?($0) ?? .reviewFailed(self.words($0)) })
  }

  private func untilStopped() -> @Sendable () -> Bool {
    let number = stops.withLock(\.self)
    return { self.stops.withLock { $0 == number } }
  }

  /// - Parameter work: returns what is to be told; nil where that is done.
  private func answer(
    as call: (@Sendable () -> StoreCall)? = nil, where isWanted: @escaping @Sendable () -> Bool = { true },
    on queue: DispatchQueue? = nil,
    _ work: @escaping @Sendable (any ConflictStore) throws -> DeskEvent?,
    orElse failure: (@Sendable (any Error) -> DeskEvent)? = nil
  ) {
    let isWaitedFor = untilLeft()
    (queue ?? reading).async {
      let patient = StoreCall(
        deadline: .now + self.patience, isWanted: isWaitedFor, hearWait: self.tellWait(for: .page))
      do {
        let event = try (call?() ?? patient).answered { try work(self.store) }
        if let event { self.inbox.post(event, where: isWanted) }
      } catch {
        self.inbox.post(failure?(error) ?? .notDone(self.words(error)), where: isWanted)
      }
    }
  }
}

extension StoreWorker {
  /// An error as the desk tells it.
  func words(_ error: any Error) -> String { filling(wordsOfAny(error)) }
}

/// An error in words, with `PATH` where they name a store.
func wordsOfAny(_ error: any Error) -> String { (error as? StoreError)?.words ?? "\(error)" }

extension JournalEntry {
  fileprivate var isAct: Bool { if case .ended = event { true } else { false } }
}

extension CheckedWrite {
  fileprivate var isNotKnown: Bool { if case .notKnown = outcome { true } else { false } }
}

extension Error {
  /// Whether the record that was asked for is no longer in conflict.
  fileprivate var isSettled: Bool {
    if case .noSuchRecord? = self as? StoreError { true } else { false }
  }
}
