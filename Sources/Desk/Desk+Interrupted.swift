import ExactJSON
import StoreInterface
import Telling

/// A write that was begun and never finished may be half in the store, so that is told before anything else.
extension DeskState {
  mutating func foundInterrupted(_ writes: [InterruptedWrite]) -> [DeskEffect] {
    if status == statusOfUnknown { status = nil }
    knowsInterrupted = true
    if writes == interrupted { return [] }
    let (before, records) = (RecordNames(interrupted.names), writes.flatMap(\.records))
    interrupted = writes
    forgetMarks(of: before.subtracting(writes.names).filter(isHalf))
    mark(records)
    on(ReviewPage.self) { page, _ in page.lookAgain(records) }
    return ending
      + tell(
        interruptedStatus
          ?? .told(
            filling("What was interrupted is finished now, or taken back. parley log PATH tells how.")))
  }

  /// What this desk began, and of which the store tells now, nobody has to ask for.
  var ending: [DeskEffect] {
    let ends = interrupted.flatMap(\.records).contains { begunHere.contains($0.id) && $0.state.isToldNow }
    return ends ? [.finishInterrupted] : []
  }

  /// A conflict of which a write is not finished is one row, with the mark of that.
  private mutating func mark(_ records: [InterruptedWrite.Record]) {
    changeUnwritten { unwritten in for record in records { unwritten[record.id] = record.state.outcome } }
    for record in records { unwrittenSince[record.id] = time.now }
  }

  mutating func finished(_ writes: [FinishedWrite]) -> [DeskEffect] {
    if writes.isEmpty { return [] }
    pages.removeAll(where: \.isOfAnInterruptedWrite)
    let ended = writes.filter { $0.act != .undo }.flatMap(\.records)
    rememberWritten(ended)
    forgetTakenBack(writes.filter { $0.act == .undo }.flatMap(\.records))
    forgetMarks(of: writes.flatMap { $0.records.map(\.id) })
    on(ReviewPage.self) { page, desk in
      page.noteFinished(writes)
      page.learn(ended, on: &desk)
    }
    toldFinished = told(writes)
    return storeChanged() + tell(toldFinished)
  }

  /// What another Parley began is written by this one, and is what it did last. What this one began, it remembers already.
  private mutating func rememberWritten(_ records: [FinishedWrite.Record]) {
    let written = RecordNames(records.filter { $0.outcome == .completed }.map(\.id)).subtracting(begunHere)
    if !written.isEmpty { history.recordWrite(of: written) }
  }

  /// The write that an interrupted undo was of is none any more.
  private mutating func forgetTakenBack(_ records: [FinishedWrite.Record]) {
    let back = records.filter { $0.outcome == .completed }.map(\.id)
    if !history.written.isDisjoint(with: back) { history.forgetLastWrite(of: back) }
  }

  /// What is finished, and what of it is not so yet.
  private func told(_ writes: [FinishedWrite]) -> Status {
    guard let rest = interruptedStatus else { return .told(writes.map(\.words).joined(separator: " ")) }
    return .failed((writes.map(\.partWords) + [rest.text]).joined(separator: " "))
  }

  /// nil if nothing was interrupted.
  var interruptedStatus: Status? {
    if interrupted.isEmpty { return nil }
    return .failed(interrupted.map(\.words).joined(separator: " ") + " " + wayOut)
  }

  /// What `r` says before the store has told of them. It finishes nothing then: who has not heard of a write cannot mean it. nil once
  /// that is known.
  var statusOfUnknown: Status? {
    if knowsInterrupted { return nil }
    return .told("Whether a write was interrupted is not known yet: the store is being asked.")
  }

  private var wayOut: String {
    let key = key(.reload)
    guard let hindrance else {
      let rest = interrupted.hindranceOfSome.map { " Not all of it can be finished yet: \($0)." } ?? ""
      return "\(key) finishes it or takes it back, record by record." + rest
    }
    return "It cannot be finished now: \(hindrance). Then \(key) finishes it."
  }

  /// What is said where somebody would take it back.
  var statusOfHeldUndo: Status {
    let act = interrupted.last?.act ?? .write
    if act == .undo {
      return .failed("Nothing else is taken back before the interrupted undo is finished. \(wayOut)")
    }
    return .failed(
      "Nothing is taken back before it is known what of the last \(act.rawValue) is in the store. \(wayOut)")
  }

  /// The same where the store has told what its last write is; nil where that was done last.
  ///
  /// - Parameter alone: the record of which alone it is to be taken back; nil for all of it.
  func statusInPlaceOfUndo(of write: LastWrite?, alone: NamedRecord?) -> Status? {
    if write == nil, let statusOfUnknown { return statusOfUnknown }
    let held = alone.map { record in
      interrupted.filter { $0.records.contains { $0.id.hasSameBytes(as: record.id) } }
    }
    guard (held ?? interrupted).hide(lastWrite: write?.id) else { return nil }
    // While the store cannot be written no name leads on, either.
    let isWayByName = interrupted.hindrance != nil && access.reason == nil
    let isThereMore = write != nil && isWayByName && interrupted.last?.act == .write
    return isThereMore ? .failed(statusOfHeldUndo.text + filling(Self.wordsOfOlder)) : statusOfHeldUndo
  }

  /// Where nobody can finish it the way to what is known is another.
  private static let wordsOfOlder = " What was written before is taken back by name: parley undo PATH RECORD."

  /// Whether all of these are in writes of which nobody can finish them now.
  func holds(_ ids: some Sequence<String>) -> Bool {
    if hindrance != nil { return RecordNames(interrupted.names).isSuperset(of: ids) }
    return interrupted.hindranceOfSome != nil && RecordNames(interrupted.heldNames).isSuperset(of: ids)
  }

  /// Why nobody can finish any of them now; nil if somebody can.
  var hindrance: String? { interrupted.hindrance ?? access.reason }

  /// What a person should know of this record who is about to write it again.
  func noteOfInterrupted(_ id: String) -> String? {
    guard let (act, state) = interruptedRecords[id] else { return nil }
    return switch state {
    case .awaited:
      "An earlier write of it may still arrive: of both the first counts, the other does nothing."
    case .half, .complete: "\(key(.drafts(.confirm))) finishes the interrupted \(act.rawValue) of it first."
    case .untouched, .changedSince, .unread, .notKnown: nil
    }
  }

  /// What `r` does beside reading.
  var finishing: [DeskEffect] { interrupted.isEmpty ? [] : [.finishInterrupted] }
}

extension InterruptedWrite.State {
  /// What became of a record so far, as the store tells.
  var outcome: CheckedWrite.Outcome {
    self == .half ? .partly(written: "some of it", "it was interrupted") : .notKnown(words)
  }
}

extension [InterruptedWrite] {
  fileprivate var names: [String] { flatMap(\.records).map(\.id) }
  /// Of the records that cannot be finished now.
  fileprivate var heldNames: [String] {
    flatMap { write in write.records.filter { write.hindrance(of: $0) != nil } }.map(\.id)
  }
}

extension InterruptedWrite.State {
  /// Whether finishing the write ends it for this record.
  fileprivate var isToldNow: Bool {
    switch self {
    case .complete, .half, .untouched, .changedSince: true
    case .awaited, .unread, .notKnown: false
    }
  }
}

extension Page {
  /// Whether it shows a finding that is none any more once the write is finished, and does not mend it just now.
  fileprivate var isOfAnInterruptedWrite: Bool {
    switch self {
    case .finding(let page): page.finding.isInterrupted
    case .review(let page): page.mendsAnInterruptedWrite && page.stage == .ready
    case .record, .value, .editor, .alternatives, .walkthrough, .tree, .text, .help, .palette, .bulk,
      .rules, .family, .givenUp, .log:
      false
    }
  }
}
