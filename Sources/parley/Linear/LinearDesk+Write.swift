import ExactJSON
import Merging
import StoreInterface
import Telling

/// Reviewing, writing, and taking the last write back. Each asks for the word.
extension LinearDesk {
  func review() throws -> Next {
    let plan = try ReadyDrafts(store, records: .all, remembering: .whole)
    // Nobody should look for them among what is written.
    for moved in plan.left.moved {
      try tell([moved.outcome.words(fine: nil, naming: .title)].compactMap(\.self))
    }
    guard !plan.isEmpty else {
      try tellNothingReady(plan)
      return .stay
    }
    try store.checkWritable()
    let fine = try tellDrafts(plan)
    guard fine > 0 else {
      try tell("None of them can be written.")
      return .stay
    }
    if try isConfirmed("write \(drafts(fine))") { try write(plan) }
    return .goOn
  }

  private func tellNothingReady(_ plan: ReadyDrafts) throws {
    // Without any it would read as if nothing else waited either.
    let waiting = plan.left.waiting == 0 ? "" : ", \(plan.left.waiting) waiting \(store.info.words.waits)"
    try tell("Nothing is ready to write: \(plan.left.undecided) undecided\(waiting).")
  }

  /// - Returns: how many of them can be written.
  private func tellDrafts(_ plan: ReadyDrafts) throws -> Int {
    let outcomes = try plan.outcomes { orders in
      try Interruption.told(Interruption.unwritten) { try store.checkKeeping(orders) }
    }
    // Who hears them one by one should know how many come.
    if outcomes.count > LinearDesk.named { try tell("\(outcomes.count) drafts follow.") }
    var number = 0
    try plan.forEach(outcomes, in: store) { decided, outcome in
      number += 1
      if let decided { try tell(text.draft(decided, outcome, number: number)) }
    }
    try tell([store.info.writing, store.info.notVerified].compactMap(\.self))
    return outcomes.count { $0.outcome == .fine }
  }

  private func drafts(_ count: Int) -> String { count == 1 ? "this draft" : "\(count) drafts" }

  /// - Parameter deed: what yes does.
  func isConfirmed(_ deed: String) throws -> Bool {
    let line = try answer("Type yes, or Y, to \(deed); anything else leaves all as it is:")
    let isConfirmed = ["yes", "Y"].contains(line?.asAnswer)
    if !isConfirmed { try tell("Nothing was changed.") }
    return isConfirmed
  }

  private func write(_ plan: ReadyDrafts) throws {
    // Where it fails nobody knows whether what was decided was the last that was done.
    asksJournal()
    let finished = try store.finishInterrupted(telling: surroundings)
    let outcomes = try plan.outcomes(after: finished) { orders in
      try Interruption.told { try store.write(orders, note: nil) }
    }
    let earlier = outcomes.filter { $0.isWritten(before: finished.written) }
    try tell(earlier.map { "\($0.title): \(done), by the interrupted write, which was finished first." })
    try tell(
      written: outcomes.filter { !$0.isWritten(before: finished.written) },
      undecidable: RecordNames(plan.notWritable.keys.map(\.text)))
    if outcomes.contains(where: \.outcome.isWritten) {
      try tell(store.info.wordsOfNoUndo ?? "u takes this write back.")
    } else if !earlier.isEmpty {
      try tell(store.info.wordsOfNoUndo ?? "u takes the interrupted write back.")
    }
    forgetHistory()
    try read()
  }

  private var done: String {
    store.info.can.contains(.leaveToApp) ? "waiting \(store.info.words.waits)" : "written"
  }

  private func tell(written outcomes: [CheckedWrite], undecidable: RecordNames) throws {
    if !outcomes.isEmpty { try tell(outcomes, fine: done, undecidable: undecidable) }
  }

  func undoWrite() throws -> Next {
    if let next = try finishingFirst() { return next }
    guard let write = try store.lastWrite() else {
      try tell("There is nothing to take back.")
      return .stay
    }
    let fine = try tellUndo(of: write)
    guard fine > 0 else {
      let way = "Nothing of it can be taken back. \(text.filling("parley undo PATH --skip")) goes past it."
      try tell(store.info.wordsOfNoUndo ?? way)
      return .stay
    }
    if try isConfirmed("take back \(fine == 1 ? "this record" : "\(fine) records")") { try takeBack(write) }
    return .goOn
  }

  /// - Returns: how many of its records can be taken back.
  private func tellUndo(of write: LastWrite) throws -> Int {
    let undos = try Interruption.told(Interruption.unchanged) { try store.checkUndo(.write(write.id)) }
    let count = write.records.count
    try tell("The last write was of \(count == 1 ? "1 record" : "\(count) records"). " + write.takingBack)
    for undo in undos { try tell(text.undo(undo)) }
    return undos.count { $0.checked.outcome == .fine }
  }

  private func takeBack(_ write: LastWrite) throws {
    let outcomes = try Interruption.told(Interruption.notTakenBack) { try store.undo(.write(write.id)) }
    try tell(outcomes, of: .undo, fine: "taken back", undecidable: RecordNames(outcomes.map(\.id)))
    let decided = try store.journal.decisions(for: outcomes.map(\.id)).standing
    if !decided.isEmpty { try tell(store.info.staysDecided) }
    forgetHistory()
    try read()
  }

  /// - Parameter undecidable: the records of which another decision could not be written either.
  private func tell(
    _ outcomes: [CheckedWrite], of act: CheckedWrite.Act = .write, fine: String, undecidable: RecordNames
  ) throws {
    try outcomes.tell(
      act, fine: fine, isDecidable: { !undecidable.contains($0.id) }, naming: .title, by: { try tell($0) })
    if outcomes.allSatisfy({ $0.outcome == .fine }) {
      try tell("\(outcomes.count) of \(outcomes.count) \(fine).")
    }
  }

  /// What is ready and not written is told, as when the desk is left. Of a store that does not tell it anything may be left.
  func end() throws -> ExitStatus {
    do {
      return try endRead()
    } catch let error as StoreError {
      try tell([words(error), keptWords(store, sample)])
      return .left
    }
  }

  private func endRead() throws -> ExitStatus {
    var (all, ready) = (0, 0)
    try store.forEachSummary { summary in
      all += 1
      if summary.isReady { ready += 1 }
    }
    if ready > 0 { try tell(readyWords(ready, store, sample)) }
    return all == 0 ? .nothingLeft : .left
  }
}
