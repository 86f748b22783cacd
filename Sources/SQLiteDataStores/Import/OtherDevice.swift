import GRDB
import Merging
import SQLiteFiles
import StoreInterface
import Telling

/// Another device's database: what that device last knew of the server, record by record.
///
/// Given is its app database, with the hidden metadatabase beside it, or the metadatabase alone.
enum OtherDevice {
  private static let pageSize = 200

  static func isDatabase(_ path: String) -> Bool { (try? FileStatus.checkDatabase(path)) != nil }

  static func forEachPage(of path: String, own: OwnFiles, _ body: ([ImportEntry]) throws -> Void) throws {
    do {
      let metadatabase = try metadatabase(path, own)
      if let reason = own.whyOfAnotherApp(metadatabase) { throw NotAnotherDevice(reason: reason) }
      try read(metadatabase) { reader in
        var last: Int64 = .min
        while let page = try page(of: reader, after: last) {
          last = page.last
          try body(page.entries)
        }
      }
    } catch let refusal as NotAnotherDevice {
      try body([.unreadable(place: nil, reason: refusal.reason)])
    }
  }

  private struct NotAnotherDevice: Error {
    let reason: String
  }

  private static func metadatabase(_ path: String, _ own: OwnFiles) throws -> String {
    if try isMetadatabase(path) { return path }
    do {
      let metadatabase = try StoreFiles.metadatabase(of: path)
      guard !own.contains(metadatabase) else { throw NotAnotherDevice(reason: OwnFiles.words) }
      guard try isMetadatabase(metadatabase) else {
        throw NotAnotherDevice(reason: "the metadatabase beside it has no table \(Metadatabase.metadata)")
      }
      return metadatabase
    } catch let error as StoreError {
      throw NotAnotherDevice(reason: error.words)
    }
  }

  private static func isMetadatabase(_ path: String) throws -> Bool {
    try read(path) { reader in try reader.read { db in try db.hasTable(Metadatabase.metadata) } }
  }

  private static func read<Result>(_ path: String, _ body: (SQLiteReader) throws -> Result) throws -> Result {
    let probe = try FileStatus.checkDatabase(path)
    let reader = SQLiteReader(files: [SQLiteReader.File(path: path, schema: "main", probe: probe)])
    defer { reader.close() }
    do {
      return try body(reader)
    } catch let error as DatabaseError {
      guard let error = StoreError.reading(path, error, holder: probe.holder()) as? StoreError else {
        throw error
      }
      throw NotAnotherDevice(reason: error.words)
    }
  }

  /// The last-known server records of the next rows, in the order they were made; nil after the last. A row without one
  /// was never on the server, as far as that device knows.
  private static func page(
    of reader: SQLiteReader, after rowid: Int64
  ) throws -> (entries: [ImportEntry], last: Int64)? {
    let sql = """
      SELECT rowid, recordPrimaryKey, recordType, _lastKnownServerRecordAllFields
      FROM main.\(quoted(Metadatabase.metadata)) WHERE rowid > ? ORDER BY rowid LIMIT ?
      """
    return try reader.read { db in
      var entries: [ImportEntry] = []
      var last: Int64?
      var order = KeyOrder.rising(from: rowid)
      try db.forEachRow(sql, [.integer(rowid), .integer(Int64(pageSize))]) { row in
        last = row.integer(0)
        try order.pass(row.integer(0))
        guard let archive = row.optionalBytes(3) else { return }
        entries.append(ImportFile.archived(archive, place: "\(row.text(1)):\(row.text(2))"))
      }
      return last.map { (entries, $0) }
    }
  }
}
