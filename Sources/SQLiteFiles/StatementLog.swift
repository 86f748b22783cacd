import ExactJSON
import GRDB
import Merging
import StoreInterface

/// The statements that change a database, in their order and with their values, so that whoever runs them gets the same rows. What a
/// savepoint took back is not among them.
///
/// SQLite's own text of a statement ends texts at a NUL, gives reals 15 digits and has no word for infinity.
package final class StatementLog {
  // Bound and traced by the one thread that runs the statements.
  @TaskLocal fileprivate static var running: Reference?
  fileprivate struct Reference: @unchecked Sendable { let log: StatementLog }

  static var current: StatementLog? { running?.log }

  private var statements: [String] = []
  private var savepoints: [Int] = []
  private let literals: SQLLiterals
  /// The statement that runs next, and its values.
  var bound: (sql: String, values: [Value])?

  private init(_ db: Database) throws {
    literals = SQLLiterals(encoding: try db.firstRow("PRAGMA encoding") { $0.text(0) } ?? "")
  }

  /// What `body` runs.
  package static func statements(_ db: Database, _ body: () throws -> Void) throws -> [String] {
    let log = try StatementLog(db)
    db.trace { [weak log] event in
      if case .statement(let statement) = event { log?.take(statement) }
    }
    defer { db.trace() }
    try $running.withValue(Reference(log: log), operation: body)
    return log.statements
  }

  private func take(_ statement: Database.TraceEvent.Statement) {
    let sql = statement.sql
    switch sql.prefix(while: { $0 != " " }).uppercased() {
    case "INSERT", "UPDATE", "DELETE": statements.append(text(sql) ?? statement.expandedSQL)
    case "SAVEPOINT": savepoints.append(statements.count)
    case "ROLLBACK": if let last = savepoints.last { statements.removeLast(statements.count - last) }
    case "RELEASE": savepoints.removeLast(savepoints.isEmpty ? 0 : 1)
    default: break
    }
  }

  /// nil for a statement that GRDB bound.
  private func text(_ sql: String) -> String? {
    guard let bound, bound.sql == sql else { return nil }
    return literals.text(sql, bound.values)
  }
}

/// Values as SQL writes them.
struct SQLLiterals {
  /// Of all texts in the database: "UTF-8", "UTF-16le" or "UTF-16be".
  let encoding: String

  /// The statement with its values in the place of its question marks, which stand in no name and no text.
  func text(_ sql: String, _ values: [Value]) -> String {
    var (text, rest, quote) = (String.UnicodeScalarView(), values[...], Unicode.Scalar?.none)
    for scalar in sql.unicodeScalars {
      switch scalar {
      case "?" where quote == nil:
        text += literal(rest.popFirst() ?? .null).unicodeScalars
        continue
      case "'", "\"":
        if quote == nil { quote = scalar } else if quote == scalar { quote = nil }
      default: break
      }
      text.append(scalar)
    }
    return String(text)
  }

  private func literal(_ value: Value) -> String {
    switch value {
    case .null: "NULL"
    case .integer(let integer): "\(integer)"
    case .real(let real): literal(real)
    // A text in SQL ends at a NUL.
    case .text(let text) where text.utf8.contains(0): literal(ofText: encoded(text))
    case .text(let text): "'" + text.replacingEach("'", with: "''") + "'"
    case .blob(let blob): "x'\(Hexadecimal.text(blob.bytes ?? []))'"
    case .opaque(_, let bytes): literal(ofText: bytes)
    }
  }

  /// With all digits; what is not a number is bound as NULL.
  private func literal(_ real: Double) -> String {
    if real.isNaN { return "NULL" }
    if real.isInfinite { return real < 0 ? "-9e999" : "9e999" }
    return abs(real) < 1e-280 && real != 0 ? product(real) : "\(real)"
  }

  /// SQLite reads the smallest reals (3.40 those below 1e-292) with another last digit. By a power of two all of them are exact.
  private func product(_ real: Double) -> String {
    let scale = Double(sign: .plus, exponent: 200, significand: 1)
    return "(\(real * scale) * \(1 / scale))"
  }

  private func literal(ofText bytes: [UInt8]) -> String { "CAST(X'\(Hexadecimal.text(bytes))' AS TEXT)" }

  /// A cast takes bytes for a text in the encoding of the database.
  private func encoded(_ text: String) -> [UInt8] {
    switch encoding {
    case "UTF-16le": text.utf16.flatMap { [UInt8($0 & 0xFF), UInt8($0 >> 8)] }
    case "UTF-16be": text.utf16.flatMap { [UInt8($0 >> 8), UInt8($0 & 0xFF)] }
    default: Array(text.utf8)
    }
  }
}
