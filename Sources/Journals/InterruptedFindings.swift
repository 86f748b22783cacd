import ExactJSON
import StoreInterface
import Synchronization
import Telling

/// What is wrong with a store. The records of writes that were interrupted come first, as long as nobody could finish them: these are
/// what the app may meet next.
package final class InterruptedFirst: FindingWalk {
  private let store: any SteppingStore
  private let others: any FindingWalk
  private let isBegun = Mutex(false)

  package init(_ store: any SteppingStore, then others: any FindingWalk) {
    (self.store, self.others) = (store, others)
  }

  package var looked: Int { others.looked }

  package func next(limit: Int) throws -> [Finding]? {
    let begins = isBegun.withLock { isBegun in
      defer { isBegun = true }
      return !isBegun
    }
    let interrupted = begins ? store.interruptedRecords() : []
    return try interrupted.isEmpty ? others.next(limit: limit) : interrupted
  }
}

extension SteppingStore {
  /// A journal that cannot be read is told by those who need it; the other findings do not.
  fileprivate func interruptedRecords() -> [Finding] {
    let writes = (try? interruptedWrites()) ?? []
    return writes.flatMap { write in
      write.records.map { Finding($0, of: write, in: subject(of: $0.id), isOnServer: info.path.isURL) }
    }
  }

  /// What ``ConflictStore/mend(_:note:)`` does. That a write is finished, one way or the other, is what mends its findings.
  ///
  /// - Parameters:
  ///   - seen: what somebody had before them: what is given up is among these alone.
  ///   - others: mends what is no interrupted write.
  package func mend(
    _ findings: [Finding.ID], seen: [Finding] = [], _ others: ([Finding.ID]) throws -> [CheckedWrite]
  ) throws -> [CheckedWrite] {
    let finished = try finishInterruptedWrites().flatMap(\.records).map { CheckedWrite($0) }
    let open = try findings.contains(where: Finding.isInterrupted) ? stillOpen(givingUp: seen) : []
    let (known, named) = ((finished + open).byName, findings.map { JSONText($0) }.unique)
    let rest = named.filter { known[$0] == nil }.map(\.text)
    let mended = try rest.isEmpty ? [:] : others(rest).byName
    return named.compactMap { known[$0] ?? mended[$0] }
  }

  private func stillOpen(givingUp seen: [Finding]) throws -> [CheckedWrite] {
    let named = RecordNames(seen.filter(\.takesSide).compactMap(\.interruptedRecord))
    return try interruptedWrites().flatMap { write -> [CheckedWrite] in
      let ended = write.records.filter { $0.state == .unread && named.contains($0.id) }
      try giveUp(RecordNames(ended.map(\.id)), of: write)
      return write.records.map { record in
        CheckedWrite(
          id: Finding.interrupted(record.id), title: record.title,
          outcome: ended.contains(record)
            ? .fine : .notKnown(write.hindrance(of: record) ?? "it is \(record.state.words)"))
      }
    }
  }

  /// What is there nobody knows: once it can be read again, it can be taken back by its name.
  private func giveUp(_ names: RecordNames, of write: InterruptedWrite) throws {
    guard !names.isEmpty, let intent = try log.openIntents().first(where: { $0.id == write.id }) else {
      return
    }
    let receipts = intent.records.filter { names.contains($0.id) }.map { Receipt($0.id, .left, .notKnown) }
    let rest = intent.records.without(receipts)
    if !rest.isEmpty { try log.leaveOpen(rest, of: intent.id, isAll: false, askedAt: intent.startedAt) }
    try log.append(receipts, of: intent.id)
  }
}

extension Finding {
  fileprivate init(
    _ record: InterruptedWrite.Record, of write: InterruptedWrite,
    in subject: (table: String, record: String),
    isOnServer: Bool
  ) {
    let act = write.act.rawValue
    let hindrance = write.hindrance(of: record)
    let begun = "What was begun is finished, or taken back where the store's rules refuse it."
    let givenUp = record.state == .unread && record.hindrance != nil
    let mending: String? = givenUp ? Finding.givingUp : hindrance == nil ? begun : nil
    self.init(
      id: Finding.interrupted(record.id), table: subject.table, record: subject.record, title: record.title,
      what: "interrupted \(act)",
      evidence:
        "The journal has the intent of the \(told: act) and no receipt; the record is \(told: record.state.words).",
      cause: "Parley was ended, or the disk or the server failed, in the middle of it.",
      remedy: hindrance.map {
        "It cannot be finished now: \($0). As soon as that is over finish it, or take it back\(givenUp ? "; or give it up." : ".")"
      }
        ?? "Finish what was begun, or take it back\(isOnServer ? "." : ", before the app is started.")",
      canBeMended: mending, takesSide: givenUp, isInterrupted: true)
  }

  private static let givingUp =
    "It is given up: the log keeps that it cannot be known what was written, and nothing of the store is changed."

  /// Whether an id is of a write that was interrupted.
  package static func isInterrupted(_ id: Finding.ID) -> Bool {
    id.utf8.starts(with: interruptedPrefix.utf8)
  }
}

extension [CheckedWrite] {
  fileprivate var byName: [JSONText: CheckedWrite] {
    Dictionary(map { (JSONText($0.id), $0) }) { first, _ in first }
  }
}

extension CheckedWrite {
  /// That it is finished, one way or the other, is what mends its finding.
  package init(_ record: FinishedWrite.Record) {
    let outcome: Outcome =
      switch record.outcome {
      case .completed, .rolledBack: .fine
      case .left: .refused(field: nil, record.detail ?? JournalEntry.OwnDetail.changedSince.rawValue)
      }
    self.init(id: Finding.interrupted(record.id), title: record.title, outcome: outcome)
  }
}
