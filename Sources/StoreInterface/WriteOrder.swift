import Merging

/// One record that is to be written, by its name.
///
/// What is written is found out inside of the write, of the record as it is there: of many, all drafts and what they were made of
/// are more than fits into memory, and what was read before the write would have to be read again to see that it did not move.
package struct WriteOrder: Sendable {
  /// Makes the draft of a record as it is now; throws ``Moved`` if nothing is to be written any more. One for all of a write: of each
  /// of a hundred thousand it takes the room of an address.
  package final class Drafting: Sendable {
    let draft: @Sendable (_ now: RecordConflict) throws -> Draft

    package init(_ draft: @escaping @Sendable (_ now: RecordConflict) throws -> Draft) { self.draft = draft }
  }

  private enum Plan: Sendable {
    indirect case seen(PlannedWrite, Drafting?)
    case later(RecordLabel, Drafting)
    case unread(UnreadRecords, Int)
  }

  private let plan: Plan

  package init(id: String, title: String, draft: Drafting) {
    plan = .later(RecordLabel(id: id, title: title), draft)
  }

  /// What somebody had before them is written as they saw it, or not at all.
  ///
  /// - Parameter decided: makes the draft of what is decided by then, which has to be the same; nil where it stands on no decisions.
  package init(_ write: PlannedWrite, decided: Drafting? = nil) { plan = .seen(write, decided) }

  /// One that nobody has read before the write: it has no title yet.
  package init(_ number: Int, of records: UnreadRecords) { plan = .unread(records, number) }

  package var label: RecordLabel {
    switch plan {
    case .seen(let write, _): RecordLabel(id: write.seen.id, title: write.seen.title)
    case .later(let label, _): label
    case .unread(let records, let number): RecordLabel(id: records[number], title: "")
    }
  }

  package var id: String {
    switch plan {
    case .seen(let write, _): write.seen.id
    case .later(let label, _): label.id
    case .unread(let records, let number): records[number]
    }
  }

  package var title: String { label.title }

  /// What somebody had before them; nil if all is still to be found out.
  package var seen: PlannedWrite? { if case .seen(let write, _) = plan { write } else { nil } }

  /// - Throws: ``Moved`` if it is no longer what was to be written.
  package func draft(of now: RecordConflict) throws -> Draft {
    switch plan {
    case .later(_, let drafting): return try drafting.draft(now)
    case .unread(let records, let number): return try records.draft(records, number, now)
    case .seen(let write, _):
      if let words = write.seen.moved(to: now) { throw Moved(words) }
      try checkDecided()
      return write.draft
    }
  }

  /// What somebody had before them may be decided otherwise since, or taken back.
  ///
  /// - Throws: ``Moved``
  package func checkDecided() throws {
    guard case .seen(let write, let decided?) = plan else { return }
    if try decided.draft(write.seen) != write.draft { throw Moved("it was decided otherwise meanwhile") }
  }

  /// What becomes of it where there is no conflict of its name.
  package func gone() -> Moved {
    if case .unread(let records, let number) = plan { records.gone(records[number]) }
    return Moved("it is no longer in conflict")
  }
}

/// The SQL of a write.
package struct WriteStatements: Sendable, Equatable {
  /// One after the other, each with its values.
  package var sql: [String] = []
  /// What would become of each draft. Of one that is moved or refused there is no SQL.
  package var outcomes: [CheckedWrite] = []

  package init() {}
}

/// The record is no longer what was seen.
package struct Moved: Error {
  package let words: String

  package init(_ words: String) { self.words = words }
}

/// What a person had before them is written as they saw it.
extension ConflictStore {
  package func check(_ writes: [PlannedWrite]) throws -> [CheckedWrite] {
    try check(writes.map { WriteOrder($0) })
  }

  /// The same for who is about to write them: what the store says is kept, as after a write. It is told in any case, so that
  /// it cannot be kept is no reason to end.
  package func checkKeeping(_ orders: [WriteOrder]) throws -> [CheckedWrite] {
    let checked = try check(orders)
    try? journal.note(checked)
    return checked
  }

  package func statements(_ writes: [PlannedWrite]) throws -> WriteStatements {
    try statements(writes.map { WriteOrder($0) })
  }

  package func write(_ writes: [PlannedWrite], note: String?) throws -> [CheckedWrite] {
    try write(writes.map { WriteOrder($0) }, note: note)
  }
}
