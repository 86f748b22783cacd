import Digests
import ExactJSON
import GRDB
import Merging
import SQLiteFiles
import StoreInterface

/// Tells the rows of a store from any others: what it is called by Core Data, its counters, every row of the framework's, and that
/// no trigger has come since.
///
/// Not its bytes: whoever closes a store last may move what is in its `-wal` into it, and changes nothing by that.
enum RowSeal {
  /// - Throws: ``StoreError``
  static func ofDatabase(_ path: String) throws -> String {
    let probe = try FileStatus.checkDatabase(path)
    let reader = SQLiteReader(files: [SQLiteReader.File(path: path, schema: "main", probe: probe)])
    defer { reader.close() }
    return try reader.readStore { try of($0) }
  }

  static func of(_ db: Database) throws -> String {
    var sum = SHA256()
    for table in ["Z_METADATA", "Z_PRIMARYKEY"] + SyncModel.Entity.roots.map(\.table) {
      sum.update(Array("\(table)\n".utf8))
      guard let shape = try TableShape(table, in: db) else { continue }
      let columns = shape.columns.map { "quote(\(quoted($0.name)))" }.joined(separator: " || ',' || ")
      let order = shape.isWithoutRowid ? "" : " ORDER BY rowid"
      try db.forEachRow("SELECT \(columns) FROM \(quoted(table))\(order)") { row in
        let bytes = row.bytes(0)
        sum.update(Array("\(bytes.count):".utf8))
        sum.update(bytes)
      }
    }
    for program in try SyncModel.programs(in: db) { sum.update(Array("\(program)\n".utf8)) }
    return Hexadecimal.text(sum.finish())
  }
}

extension SMSyncStore {
  /// The mark of the copy, if its rows are as Parley left them.
  ///
  /// - Throws: ``StoreError/readOnly(path:reason:)``
  func markAsLeft(_ seal: String) throws -> CopyMark {
    // Its container is known: else it would not have been opened as a copy.
    let root = files.root ?? files.documents
    guard let mark = CopyMark(in: root) else {
      throw StoreError.readOnly(path: files.database, reason: CopyMark.whyNone(in: root))
    }
    guard mark.seals.contains(seal) else {
      throw StoreError.readOnly(path: files.database, reason: CopyMark.isChanged)
    }
    return mark
  }
}
