import Merging
import StoreInterface

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
///
/// Nearly every record has one row, and what no other row can be about is not remembered: of a hundred thousand names would be most of
/// what a walk takes.
struct OpenRows {
  private var listed = RecordNames()
  private var imported = RecordNames()
  /// The links of chains, which come after their newest row.
  private var used: Set<Int64> = []
  /// The change tag of the ancestor that the last captured row of a record had.
  private var ancestors = ByRecord<String>()

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

  /// Whether nothing that passed was about this record.
  private func isUnheard(_ row: InboxKey) -> Bool {
    let name = row.recordName
    let isKnown = listed.contains(name) || imported.contains(name) || ancestors[name] != nil
    return !isKnown && !used.contains(row.id)
  }

  /// Whether no other row is about its record.
  ///
  /// - Parameter isIndexed: whether the rows of a record are found by its name; else nobody looks for them.
  func isLone(_ row: InboxKey, _ records: RecordReader, isIndexed: Bool) throws -> Bool {
    try isIndexed && isUnheard(row) && records.isLone(row)
  }

  /// The same of a row beside which there is no other of its record; nil if there may be.
  private func lone(_ row: InboxRow, _ records: RecordReader, isIndexed: Bool) throws -> RecordState? {
    guard try isLone(row.key, records, isIndexed: isIndexed) else { return nil }
    return try records.state(of: row, earlier: [])
  }

  /// The conflict that the next row of a walk makes, if it is the first of its record.
  ///
  /// - Parameter isIndexed: whether the rows of a record are found by its name.
  mutating func conflict(
    of row: InboxRow, _ records: RecordReader, isIndexed: Bool
  ) throws -> RecordConflict? {
    if let lone = try lone(row, records, isIndexed: isIndexed) {
      return lone.isConflict ? lone.conflict : nil
    }
    if listed.contains(row.recordName) { return nil }
    guard let state = try state(of: row, records) else { return nil }
    listed.insert(row.recordName)
    return state.conflict
  }

  /// The same with all that is known of the record: how the others of its rows are is looked at only where there are any.
  ///
  /// - Parameter isIndexed: whether the rows of a record are found by its name.
  mutating func whole(of row: InboxRow, _ records: RecordReader, isIndexed: Bool) throws -> RecordState? {
    if let lone = try lone(row, records, isIndexed: isIndexed) { return lone.isConflict ? lone : nil }
    if listed.contains(row.recordName) { return nil }
    guard let state = try state(of: row, records) else { return nil }
    listed.insert(row.recordName)
    let isLast = try isIndexed && records.isLast(row)
    return isLast ? state : try records.state(of: row.recordName)
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
    // Beside a lone one nothing has to be remembered.
    if let only = rows.first, rows.count == 1 {
      let state = try records.state(of: only)
      return state.isConflict ? state : nil
    }
    var open = OpenRows()
    var states = try rows.compactMap { try open.state(of: $0, records) }
    if states.isEmpty { return nil }
    var first = states.removeFirst()
    first.add(later: states.filter(\.inbox.isCaptured))
    return first
  }
}

extension RecordState {
  fileprivate mutating func add(later states: [RecordState]) {
    later = Set(states.flatMap(\.madeOf))
    if later.isEmpty { return }
    conflict.details.hasEarlier = true
    conflict.details.earlier = Set(
      states.map { state in
        var fingerprints = Fingerprints(state.conflict)
        return fingerprints.ofConflict
      })
    conflict.details.notes.append(
      "an earlier conflict of this record waits, too: it is listed once this one is written")
  }
}

extension RecordReader {
  /// Whether nothing else came in about the record, and nothing was imported.
  fileprivate func isLone(_ row: InboxKey) throws -> Bool {
    guard row.place == .app, names?.isKept(row.recordName) == false else { return false }
    let sql = "SELECT 1 FROM main.parley_inbox WHERE recordName = ? AND id <> ? LIMIT 1"
    return try !db.hasRow(sql, [.text(row.recordName), .integer(row.id)])
  }

  /// Whether nothing came in about the record before this row, and nothing was imported.
  fileprivate func isLast(_ row: InboxRow) throws -> Bool {
    guard row.place == .app, names?.isKept(row.recordName) == false else { return false }
    let sql = "SELECT 1 FROM main.parley_inbox WHERE recordName = ? AND id < ? LIMIT 1"
    return try !db.hasRow(sql, [.text(row.recordName), .integer(row.id)])
  }
}
