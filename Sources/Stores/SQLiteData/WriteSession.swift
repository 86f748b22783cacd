import GRDB
import Merging

/// One writing transaction over both databases, seen from inside.
final class WriteSession {
  let db: Database
  let records: RecordReader
  let now: Int64
  private(set) var queue: PendingQueue
  private let inboxIDs: [String: [Int64]]
  let journal: Journal
  private var metadataShapes: [String: TableShape] = [:]

  init(_ db: Database, _ store: SQLiteDataStore, names: Set<String>) throws {
    self.db = db
    records = store.records(in: db)
    now = store.clock()
    queue = try PendingQueue(in: db)
    journal = store.log
    inboxIDs = try InboxRow.exists(in: db) ? InboxRow.ids(of: names, in: db) : [:]
  }

  /// The rows of the app's inbox about this record, oldest first.
  private func inboxRows(of recordName: String) -> [Int64] { inboxIDs[recordName] ?? [] }

  /// All that waits in the inbox about this record leaves it.
  func settling(_ recordName: String) throws -> [StoredChange] {
    let imports = try journal.openImports(of: recordName).map(StoredChange.settling)
    return try imports
      + inboxRows(of: recordName).map { id in
        var change = StoredChange(
          file: .app, table: InboxRow.table, key: ["id": .integer(id)], before: nil, after: nil)
        change.before = try current(change)
        return change
      }
  }

  /// The record as it is inside of the transaction; nil if it is no longer in conflict.
  func state(of id: String) throws -> RecordState? {
    let kept = try inboxRows(of: id).last.flatMap { try InboxRow.row(id: $0, in: db) }
    guard let row = InboxRow.newer(kept, try journal.newestImport(of: id)) else { return nil }
    let state = try records.state(of: row)
    return state.isConflict ? state : nil
  }

  func shape(of change: StoredChange) throws -> TableShape {
    switch change.file {
    case .app:
      if let shape = try records.tables.shape(of: change.table, in: db) { return shape }
    case .metadata: return try metadataShape(change.table)
    case .journal: break
    }
    throw Refusal(nil, "there is no table \(change.table)")
  }

  func metadataShape(_ table: String) throws -> TableShape {
    if let known = metadataShapes[table] { return known }
    guard let shape = try TableShape(table, schema: Metadatabase.schema, in: db) else {
      throw Refusal(nil, "there is no table \(table)")
    }
    metadataShapes[table] = shape
    return shape
  }

  /// The row that `change` is about, as it is now.
  func current(_ change: StoredChange) throws -> RowImage? {
    if change.file == .journal { return try journal.current(change) }
    return try change.current(shape(of: change), in: db)
  }

  /// Applies the changes of one record, all of them or none.
  ///
  /// - Parameter isExact: whether the rows have to be what they were, as in an undo. A trigger of the app may have changed
  ///   a column again, so what differs is then written once more, by itself.
  /// - Throws: ``Refusal`` if the store's rules do not allow it; any other error ends the transaction.
  func apply(_ changes: [StoredChange], isExact: Bool = false) throws {
    try db.inSavepoint {
      let rows = changes.filter { $0.file != .journal }
      for change in rows { try apply(change) }
      if isExact { for change in rows { try repeatWhatDiffers(change) } }
      return .commit
    }
  }

  private func repeatWhatDiffers(_ change: StoredChange) throws {
    var rest = change
    rest.before = try current(change)
    if !rest.changesNothing { try apply(rest) }
  }

  private func apply(_ change: StoredChange) throws {
    let shape = try shape(of: change)
    do {
      if change.file == .app, !ParleyTables.written.contains(change.table) {
        try checkReferences(change, shape)
      }
      try change.apply(shape, in: db)
    } catch {
      throw Refusal(error, table: shape) ?? error
    }
  }

  /// Tries a change as the app will make it, and takes it back. What only the app's own functions are missing for is left
  /// to the app.
  func rehearse(_ change: StoredChange) throws {
    do {
      try db.inSavepoint {
        try apply(change)
        return .rollback
      }
    } catch let refusal as Refusal where refusal.isForTheApp {}
  }

  private func checkReferences(_ change: StoredChange, _ shape: TableShape) throws {
    if let after = change.after {
      try References(db: db).checkParents(of: after, shape, changedFrom: change.before)
    } else if let before = change.before {
      try References(db: db).checkChildren(of: before, shape)
    }
  }

  /// The same changes with the rows as they really became: triggers and defaults of the app have had their say.
  func settled(_ changes: [StoredChange]) throws -> [StoredChange] {
    try changes.map { change in
      // An import is settled by the receipt alone, which is still to come.
      if change.file == .journal { return change }
      var change = change
      change.after = try current(change)
      return change
    }.filter { !$0.changesNothing }
  }
}
