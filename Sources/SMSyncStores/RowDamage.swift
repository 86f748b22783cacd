import Merging
import SQLiteFiles

/// A row of a file that is not as the framework writes it, by its place: what it holds may be a person's, and is not told.
enum RowDamage: Sendable, Equatable {
  /// Its entity number is none that can belong to a file: an operation that is neither of a file nor of a deletion.
  case unknownEntity(table: String, row: Int64)
  /// SQLite keeps a text in a column of numbers, and reads it as 0.
  case noNumber(table: String, row: Int64, column: String)
  /// A round makes one for a file: which of several the app would ask about, nobody can tell.
  case severalDownloads(count: Int)

  var words: String {
    switch self {
    case .unknownEntity(let table, let row):
      "row \(row) of \(table) has an entity number that none of its operations has"
    case .noNumber(let table, let row, let column): "\(column) in row \(row) of \(table) is no number"
    case .severalDownloads(let count):
      "\(count) downloads wait at once, where a round makes one"
    }
  }
}

extension FileReader {
  /// The numbers that are read of a file and of what waits for it.
  private static let numbers: [SyncModel.Entity: [String]] = [
    .localFile: ["ZLOCALVERSION", "ZINTERNALDELETEDONSERVER"],
    .uploadOperation: ["ZQUEUE", "ZINTERNALUNDELETESERVERFILE", "Z_FOK_LOCALFILE"],
    .downloadOperation: ["ZSERVERVERSION", "Z_FOK_QUEUE"],
  ]

  func damage(of file: Int64) throws -> [RowDamage] {
    try damage(.localFile, where: "Z_PK", file, kinds: [.localFile])
      + damage(.uploadOperation, where: "ZLOCALFILE", file, kinds: [.uploadFile, .uploadDeletion])
      + damage(.downloadOperation, where: "ZLOCALFILE", file, kinds: [.downloadFile, .downloadDeletion])
      + severalDownloads(of: file)
  }

  private func severalDownloads(of file: Int64) throws -> [RowDamage] {
    let sql = "SELECT count(*) FROM ZSMDOWNLOADOPERATION WHERE ZLOCALFILE = ?"
    let count = try db.firstRow(sql, [.integer(file)]) { Int($0.integer(0)) } ?? 0
    return count > 1 ? [.severalDownloads(count: count)] : []
  }

  private func damage(
    _ root: SyncModel.Entity, where owner: String, _ file: Int64, kinds: [SyncModel.Entity]
  ) throws -> [RowDamage] {
    let columns = FileReader.numbers[root] ?? []
    let entities = kinds.map { "\(model[$0])" }.joined(separator: ", ")
    let isKnown = "typeof(Z_ENT) = 'integer' AND Z_ENT IN (\(entities))"
    let areNumbers = columns.map { "typeof(\($0)) IN ('integer', 'null')" }
    let sql = """
      SELECT \((["Z_PK", isKnown] + areNumbers).joined(separator: ", ")) FROM \(root.table)
      WHERE \(owner) = ? ORDER BY Z_PK
      """
    return try db.rows(sql, [.integer(file)]) { row -> [RowDamage] in
      let key = row.integer(0)
      let unknown = row.integer(1) == 1 ? [] : [RowDamage.unknownEntity(table: root.table, row: key)]
      let odd = columns.enumerated().filter { row.integer(Int32($0.offset + 2)) == 0 }
      return unknown + odd.map { .noNumber(table: root.table, row: key, column: $0.element) }
    }.flatMap(\.self)
  }
}
