import GRDB
import Merging
import SQLiteFiles
import StoreInterface
import Synchronization

/// Walks everything that is stuck: first queues and tables, then every record by its place in the metadata, then the rows that
/// the metadata does not have.
///
/// What a stuck record looks like is told in FORMAT.md, "Ways of being stuck"; each kind of it is a ``StuckRecord``.
final class MetadataWalk: FindingWalk {
  private enum Position {
    case start
    case metadata(after: Int64, Circumstances)
    /// The table in hand is the first.
    case rows(of: ArraySlice<String>, after: Value?)
  }

  private let store: SQLiteDataStore
  private let position = Mutex(Position.start)
  private let count = Mutex(0)

  init(store: SQLiteDataStore) { self.store = store }

  var looked: Int { count.withLock(\.self) }

  /// The position changes only when all is read. (To read in the assignment itself, behind `??`, is a crash: where that throws,
  /// Swift 6.3 leaves the enum destroyed.)
  func next(limit: Int) throws -> [Finding]? {
    try position.withLock { position in
      guard let step = try step(from: position, limit: max(1, limit)) else { return nil }
      position = step.next
      count.withLock { $0 += step.looked }
      return step.findings
    }
  }

  private func step(
    from position: Position, limit: Int
  ) throws -> (findings: [Finding], looked: Int, next: Position)? {
    switch position {
    case .start:
      let (surroundings, findings) = try store.surroundings()
      return (findings, 0, .metadata(after: .min, surroundings))
    case .metadata(let rowid, let surroundings):
      let page = try store.findings(after: rowid, limit: limit, surroundings)
      if let last = page.last {
        return (page.findings, page.looked, .metadata(after: last, surroundings))
      }
      return (page.findings, page.looked, .rows(of: try store.syncedTables(), after: nil))
    case .rows(let tables, let key):
      guard let table = tables.first else { return nil }
      let page = try store.findings(of: table, after: key, limit: limit)
      // The others were looked at by their metadata.
      let looked = page.findings.count
      if let last = page.last { return (page.findings, looked, .rows(of: tables, after: last)) }
      return (page.findings, looked, .rows(of: tables.dropFirst(), after: nil))
    }
  }
}

extension SQLiteDataStore {
  fileprivate func surroundings() throws -> (Circumstances, [Finding]) {
    try read { db in
      let surroundings = try Circumstances(in: db, journal: log, now: clock())
      let inspector = try RecordInspector(db: db, store: self, surroundings: surroundings)
      let findings =
        try surroundings.queues.table.troubles + surroundings.queues.engine.troubles
        + SchemaCheck.troubles(in: db)
      return (
        surroundings,
        try findings.map { Finding($0) } + inspector.unsynced() + inspector.queuedForNothing()
      )
    }
  }

  fileprivate func syncedTables() throws -> ArraySlice<String> {
    try read { db in try Metadatabase.syncedTables(in: db).sorted()[...] }
  }

  fileprivate func findings(
    after rowid: Int64, limit: Int, _ surroundings: Circumstances
  ) throws -> (findings: [Finding], looked: Int, last: Int64?) {
    try read { db in
      let inspector = try RecordInspector(db: db, store: self, surroundings: surroundings)
      var (findings, looked) = ([Finding](), 0)
      let last = try MetadataRow.each(after: rowid, limit: limit, in: db) {
        looked += 1
        findings += try inspector.findings($0, $1)
      }
      return (findings, looked, last)
    }
  }

  /// The rows of one table that the metadata does not have, looked up one by one in the order of their keys.
  fileprivate func findings(
    of table: String, after key: Value?, limit: Int
  ) throws -> (findings: [Finding], last: Value?) {
    try read { db in
      guard let shape = try tables.shape(of: table, in: db), let column = shape.singleKey else {
        return ([], nil)
      }
      let rows = try shape.keysWithoutMetadata(column, after: key, limit: limit, in: db)
      let findings = try rows.names.map { name in
        let row = try shape.row(of: name, in: db)
        let stuck = name.brokenRule.map { StuckRecord.invalidName($0) } ?? .rowWithoutMetadata
        let title = row.flatMap { RecordTitle.title(of: $0, shape: shape) } ?? name.primaryKey
        return Finding(stuck, name, title: title, time: nil)
      }
      return (findings, rows.last)
    }
  }
}

extension TableShape {
  fileprivate func keysWithoutMetadata(
    _ key: Column, after last: Value?, limit: Int, in db: Database
  ) throws -> (names: [RecordName], last: Value?) {
    let column = quoted(key.name)
    let metadata = Metadatabase.sqlName(Metadatabase.metadata)
    let sql = """
      SELECT \(column), CAST(\(column) AS TEXT), EXISTS (
        SELECT 1 FROM \(metadata) WHERE recordPrimaryKey = CAST(\(sqlName).\(column) AS TEXT) AND recordType = ?),
        \(last == nil ? "1" : "\(column) > ?")
      FROM \(sqlName) WHERE \(column) \(last == nil ? "IS NOT NULL" : "> ?") ORDER BY \(column) LIMIT ?
      """
    var names: [RecordName] = []
    var end: Value?
    let start = last.map { [$0] } ?? []
    try db.forEachRow(sql, [.text(name)] + start + start + [.integer(Int64(limit))]) { row in
      try KeyOrder.check(row.integer(3) != 0)
      end = row.value(0)
      if row.integer(2) == 0 { names.append(RecordName(primaryKey: row.text(1), table: name)) }
    }
    return (names, end)
  }
}
