import Merging
import RowJournals
import SQLiteFiles
import StoreInterface

/// Halves of surrogate pairs. Texts are read and bound in UTF-8, which has none, so an undo would write another text. In a database in
/// UTF-8 each text is bound by the bytes that it has.
///
/// SQLite's functions take and give texts in UTF-8, too: what one of them copies is what an undo would write.
extension WriteSession {
  /// The columns of a row that have one; none where there is no such row.
  func brokenTexts(_ shape: TableShape, _ key: RowImage) throws -> Set<String> {
    if encoding == "UTF-8" { return [] }
    let (condition, values) = shape.condition(key)
    let list = shape.stored.map { isBroken(quoted($0.name)) }.joined(separator: ", ")
    let sql = "SELECT \(list) FROM \(shape.sqlName) WHERE \(condition)"
    let columns = try db.firstRow(sql, values) { row in
      zip(Int32(0)..., shape.stored).filter { row.integer($0.0) != 0 }.map { $0.1.name }
    }
    return Set(columns ?? [])
  }

  /// Where rows are found by their keys alone, one with such a key is found by none: what a trigger does to it nobody could take back.
  func refuseBrokenKeys(of shape: TableShape) throws {
    if encoding == "UTF-8" || !shape.isWithoutRowid { return }
    let condition = shape.key.map { isBroken(quoted($0.name)) }.joined(separator: " OR ")
    let found = try db.firstRow("SELECT 1 FROM \(shape.sqlName) WHERE \(condition) LIMIT 1") { _ in true }
    if found == nil { return }
    throw Refusal(
      nil,
      "a trigger changes \(shape.name), where the key of a row is broken UTF-16, so that an undo could not find it"
    )
  }

  /// Of a row of the app's own tables. None of ours has such a text.
  func brokenTexts(of change: StoredChange) throws -> Set<String> {
    try isOfTheApp(change) ? brokenTexts(shape(of: change), change.key) : []
  }

  func isOfTheApp(_ change: StoredChange) -> Bool {
    change.file == .app && !ParleyTables.written.contains(change.table)
  }

  /// Of a text with U+FFFE or U+FFFF, which are no characters, SQLite makes another one in UTF-16: what is kept would not be what was told,
  /// and an undo would take it for somebody else's.
  func refuseTextsThatChange(_ change: StoredChange) throws {
    if encoding == "UTF-8" { return }
    for field in change.fields {
      guard case .text(let text)? = field.after,
        text.unicodeScalars.contains(where: { 0xFFFE...0xFFFF ~= $0.value })
      else { continue }
      throw Refusal(
        field.name, "its text has U+FFFE or U+FFFF, for which a database in UTF-16 keeps another character")
    }
  }

  private func isBroken(_ column: String) -> String {
    "(typeof(\(column)) = 'text' AND CAST(\(column) AS BLOB) IS NOT CAST(replace(\(column), 'a', 'a') AS BLOB))"
  }
}

extension StoredChange {
  /// - Parameter brokenTexts: of the row before it.
  /// - Throws: ``Refusal`` if one of them is not what it was.
  func refuse(overwriting brokenTexts: Set<String>) throws {
    guard let name = firstChanged(of: brokenTexts) else { return }
    throw Refusal(name, "its text is \(StoredChange.broken)")
  }

  /// The same of a row that a trigger changes.
  func refuseBeside(overwriting brokenTexts: Set<String>) throws {
    guard let name = firstChanged(of: brokenTexts) else { return }
    throw Refusal(nil, "a trigger changes \(name) in \(table), a text that is \(StoredChange.broken)")
  }

  private static let broken = "broken UTF-16, which an undo could not write again"

  private func firstChanged(of columns: Set<String>) -> String? {
    columns.isEmpty ? nil : fields.map(\.name).first(where: columns.contains)
  }
}
