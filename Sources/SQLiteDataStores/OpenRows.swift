import Merging

/// Which rows of the inbox make a conflict, from the newest to the oldest.
///
/// A record may have several, each about something else: the engine merges and uploads whether or not anybody has decided, and
/// what comes in after an upload differs from what was lost before it.
///
///     5  tag only            no conflict: passed over
///     4  captured  ┐
///     3  captured  ┘ chain   listed, and decided first
///     –  an upload that was acknowledged
///     2  captured            decided after that; a write of 4 and 3 leaves it where it is
///     1  import              what the server had before: a later row that is a conflict, or a later import, stands for it
///
/// So does a later captured row with the same ancestor, for an earlier one: nothing was agreed on between them.
struct OpenRows: Codable {
  private var listed: Set<String> = []
  private var imported: Set<String> = []
  /// The links of chains, which come after their newest row.
  private var used: Set<Int64> = []
  /// The change tag of the ancestor that the last captured row of a record had.
  private var ancestors: [String: String] = [:]

  /// Whether this row may make a conflict beside those that passed.
  private mutating func counts(_ row: InboxRow) -> Bool {
    if !row.isCaptured { return imported.insert(row.recordName).inserted }
    if row.place == .app, used.remove(row.id) != nil { return false }
    guard let passed = ancestors[row.recordName] else { return true }
    return row.ancestorTag != passed
  }

  private mutating func pass(_ state: RecordState) {
    let name = state.inbox.recordName
    if state.isConflict { imported.insert(name) }
    guard state.inbox.isCaptured else { return }
    used.formUnion(state.madeOf.filter { $0 != state.inbox.id })
    ancestors[name] = state.conflict.details.ancestorTag
  }

  /// The conflict that the next row of a walk makes, if it is the first of its record.
  mutating func conflict(of row: InboxRow, _ records: RecordReader) throws -> RecordConflict? {
    if listed.contains(row.recordName) { return nil }
    guard let state = try state(of: row, records) else { return nil }
    listed.insert(row.recordName)
    return state.conflict
  }

  /// The conflict that a row makes, if it makes one.
  private mutating func state(of row: InboxRow, _ records: RecordReader) throws -> RecordState? {
    guard counts(row) else { return nil }
    let state = try records.state(of: row)
    pass(state)
    return state.isConflict ? state : nil
  }

  /// The conflict that is decided first among the rows of one record, which come newest first.
  static func first(of rows: [InboxRow], _ records: RecordReader) throws -> RecordState? {
    var open = OpenRows()
    var states = try rows.compactMap { try open.state(of: $0, records) }
    if states.isEmpty { return nil }
    var first = states.removeFirst()
    first.later = Set(states.filter(\.inbox.isCaptured).flatMap(\.madeOf))
    if !first.later.isEmpty { first.conflict.details.notes.append(later) }
    return first
  }

  private static let later = """
    an earlier conflict of this record is undecided, too: it is listed once this one is written
    """
}
