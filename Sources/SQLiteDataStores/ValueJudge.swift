import GRDB
import Merging
import SQLiteFiles
import StoreInterface

/// What the rules of a table say to one value of a row, found by reading alone: it is asked with every key that somebody types.
///
/// - Foreign keys and UNIQUE are looked up.
/// - NOT NULL, CHECK and the types of STRICT tables are SQLite's to judge: the row is inserted into an empty table in memory, made
///   by the statement that made the real one.
/// - Triggers, and functions that only the app has, are known to the write alone.
struct ValueJudge {
  let references: References
  let shape: TableShape
  let column: TableShape.Column
  /// The row with the value in it, and without.
  private let after: RowImage
  private let before: RowImage

  /// What this row's versions have.
  private let versions: [Value]
  private let isOfTruths: Bool

  /// - Parameter write: the row as it would be written; what cannot be bound is left as it is.
  init(
    _ references: References, _ shape: TableShape, _ column: TableShape.Column, row: RowImage,
    _ write: PlannedWrite
  ) {
    (self.references, self.shape, self.column) = (references, shape, column)
    let draft = write.draft
    versions = Side.allCases.compactMap { write.seen[column.name]?.version($0)?.value }
      .filter { $0 != .null }
    isOfTruths = write.seen[column.name]?.field.isOfTruths ?? false
    var after = row
    for name in shape.stored.filter({ $0.keyPosition == 0 }).map(\.name) {
      if let value = draft[name], value.isBindable { after[name] = shape[name]?.affinity.stored(value) }
    }
    self.after = after
    before = after.merging([column.name: row[column.name] ?? .null]) { $1 }
  }

  private var db: Database { references.db }

  func verdict() throws -> ValueVerdict {
    do {
      try references.checkParents(of: after, shape, changedFrom: before, andNULL: true)
      try checkUnique()
      try checkRules()
      return try oddity().map { .odd($0) } ?? .fits
    } catch let refusal as Refusal where refusal.isForTheApp {
      return .notKnown(refusal.reason)
    } catch let refusal as Refusal {
      return .refused(refusal.reason)
    } catch let error as DatabaseError {
      // An index may be in an order that only the app knows.
      guard let refusal = Refusal(error, table: shape), refusal.isForTheApp else { throw error }
      return .notKnown(refusal.reason)
    }
  }

  private func checkUnique() throws {
    for index in try uniqueIndexes() where index.contains(where: { $0.name == column.name }) {
      let values = index.map { after[$0.name] ?? .null }
      if values.contains(.null) { continue }
      let condition = (index.map(\.isSame) + ["NOT (\(isThisRow))"]).joined(separator: " AND ")
      if try db.hasRow("SELECT 1 FROM \(shape.sqlName) WHERE \(condition)", values + key) {
        let names = index.map(\.name).joined(separator: ", ")
        throw Refusal(column.name, "another row has this \(names) already")
      }
    }
  }

  private struct IndexedColumn {
    let name: String
    /// The index's, which need not be the column's.
    let collation: String

    var isSame: String { "\(quoted(name)) = ? COLLATE \(quoted(collation))" }
  }

  /// The columns of each index that is unique for all rows; one on an expression is left to the write.
  private func uniqueIndexes() throws -> [[IndexedColumn]] {
    let list = "SELECT name FROM pragma_index_list(?, ?) WHERE \"unique\" AND NOT partial"
    let names = try db.rows(list, [.text(shape.name), .text(shape.schema)]) { $0.text(0) }
    return try names.map { name in
      let sql = "SELECT name, coll FROM pragma_index_xinfo(?, ?) WHERE \"key\" ORDER BY seqno"
      let columns = try db.rows(sql, [.text(name), .text(shape.schema)]) { row in
        row.optionalText(0).map { IndexedColumn(name: $0, collation: row.text(1)) }
      }
      return columns.contains(where: { $0 == nil }) ? [] : columns.compactMap(\.self)
    }
  }

  private var isThisRow: String { shape.key.map { quoted($0.name) + " = ?" }.joined(separator: " AND ") }
  private var key: [Value] { shape.key.map { after[$0.name] ?? .null } }

  /// A row that does not fit without the value either is no judge of it.
  private func checkRules() throws {
    guard let reason = try refusal(of: after) else { return }
    if let other = try refusal(of: before) {
      throw Refusal(nil, "another field does not fit yet: \(other.reason)", isForTheApp: true)
    }
    throw reason
  }

  private func refusal(of row: RowImage) throws -> Refusal? {
    let master = quoted(shape.schema) + ".sqlite_master"
    let sql = "SELECT sql FROM \(master) WHERE type = 'table' AND name = ? COLLATE NOCASE"
    guard let made = try db.firstRow(sql, [.text(shape.name)], { $0.optionalText(0) }) ?? nil else {
      return nil
    }
    let names = row.keys.sorted()
    let list = names.map(quoted).joined(separator: ", ")
    let marks = names.map { _ in "?" }.joined(separator: ", ")
    do {
      try DatabaseQueue().inDatabase { scratch in
        try scratch.execute(sql: "PRAGMA foreign_keys = OFF")
        try ValueJudge.makeTable(made, in: scratch)
        try scratch.run(
          "INSERT INTO \(quoted(shape.name)) (\(list)) VALUES (\(marks))", names.map { row[$0] ?? .null })
      }
      return nil
    } catch let error as DatabaseError where error.resultCode == .SQLITE_ERROR {
      // What fails in memory, and is no rule of the table, may be fine where the table is.
      return Refusal(nil, Refusal(error, table: shape)?.reason ?? "\(error)", isForTheApp: true)
    } catch {
      return Refusal(error, table: shape) ?? Refusal(nil, "\(error)", isForTheApp: true)
    }
  }

  /// By the first statement alone, as SQLite itself reads it from a schema: what a hostile database has behind it, such as an `ATTACH`, is
  /// about other files.
  private static func makeTable(_ sql: String, in scratch: Database) throws {
    guard sql.hasPrefix("CREATE TABLE ") else {
      throw Refusal(nil, "what makes its table is none of SQLite's statements for that", isForTheApp: true)
    }
    try scratch.allStatements(sql: sql).next()?.execute()
  }

  /// What the app reads by a form, such as a date, is written in one form everywhere; where the table takes both, a text is none of its
  /// numbers; and of a truth value there are two, whatever the column keeps: of 0.3 an app makes 0, and of 7 one.
  private func oddity() throws -> String? {
    guard let value = after[column.name], value != before[column.name], value != .null else { return nil }
    if !value.isNumber, !versions.isEmpty, versions.allSatisfy(\.isNumber) {
      return "its other versions are numbers"
    }
    if isOfTruths, ![.integer(0), .integer(1)].contains(value), !versions.contains(value) {
      return "it is declared as \(column.declaredType), of which apps read 0 and 1"
    }
    return value.text != nil || versions.contains { $0.text != nil } ? try oddityOfForm(value) : nil
  }

  private func oddityOfForm(_ value: Value) throws -> String? {
    let sql =
      "SELECT \(quoted(column.name)) FROM \(shape.sqlName) WHERE typeof(\(quoted(column.name))) = 'text' "
      + "AND NOT (\(isThisRow)) LIMIT 200"
    let others = try versions.compactMap(\.text) + db.rows(sql, key) { $0.text(0) }
    guard let form = TextForm.common(to: others), let example = others.first,
      value.isNumber || value.text.map(TextForm.of) != form
    else { return nil }
    return "everywhere else it looks like \(example)"
  }
}

/// The form of a text: its digits as 9, its letters as a.
enum TextForm {
  static func of(_ text: String) -> String {
    String(text.map { $0.isNumber ? "9" : $0.isLetter ? "a" : $0 })
  }

  /// The form that all have; nil where they have none in common, or it is no more than a word or a number.
  static func common(to texts: [String]) -> String? {
    guard texts.count > 1, texts.allSatisfy({ $0.utf8.count <= 64 }), let form = texts.first.map(of),
      form.contains("9"), form.contains(where: { $0 != "9" && $0 != "a" })
    else { return nil }
    return texts.allSatisfy { of($0) == form } ? form : nil
  }
}

extension Value {
  fileprivate var isNumber: Bool {
    switch self {
    case .integer, .real: true
    case .null, .text, .blob, .opaque: false
    }
  }

  /// Whether it can be handed to a statement.
  fileprivate var isBindable: Bool {
    if case .opaque = self { return false }
    return isAtHand
  }
}
