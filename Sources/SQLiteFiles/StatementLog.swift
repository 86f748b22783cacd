import ExactJSON
import GRDB
import Merging

/// The statements that change a database, in their order and with their values, so that whoever runs them gets the same rows. What a
/// savepoint took back is not among them.
///
/// SQLite's own text of a statement ends texts at a NUL, gives reals 15 digits and has no word for infinity.
package final class StatementLog {
  @TaskLocal fileprivate static var running: Reference?
  // @unchecked because the one thread that runs the statements binds it, traces them, and hands it to no other.
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
    case .text(let text): literal(text)
    case .blob(let blob): "x'\(Hexadecimal.text(blob.bytes ?? []))'"
    case .opaque(_, let bytes): literal(ofText: bytes)
    }
  }

  /// SQLite's shell drops a carriage return at the end of a line, so a sign stands for it. A text in SQL ends at a NUL, and no terminal
  /// takes the other control characters as they are.
  private func literal(_ text: String) -> String {
    let carriageReturn: Unicode.Scalar = "\r"
    let hasReturns = text.unicodeScalars.contains(carriageReturn)
    if text.utf8.contains(where: isControl) || hasReturns && text.unicodeScalars.contains("␍") {
      return literal(ofText: encoded(text))
    }
    let quoted = "'" + text.replacingEach("'", with: "''") + "'"
    return hasReturns
      ? "replace(\(quoted.replacingEach(carriageReturn, with: "␍")), '␍', char(13))" : quoted
  }

  /// But for tabs, and where a line ends.
  private func isControl(_ byte: UInt8) -> Bool {
    byte < 0x20 && ![0x09, 0x0A, 0x0D].contains(byte) || byte == 0x7F
  }

  /// What is not a number is bound as NULL.
  private func literal(_ real: Double) -> String {
    if real.isNaN { return "NULL" }
    if real.isInfinite { return real < 0 ? "-9e999" : "9e999" }
    return isReadExactly(real) ? "\(real)" : product(real)
  }

  /// Whether every SQLite reads its decimals as this very number. It divides their digits, as an integer, by a power of ten: where
  /// that is at most 10^4, no quotient lies so near to the middle of two numbers that rounding it twice (first to the 80 bits that
  /// some machines have) takes the other one. With more digits 3.40 reads one of a thousand with another last bit.
  private func isReadExactly(_ real: Double) -> Bool {
    if real.magnitude < 0x1p53, real == real.rounded() { return true }
    let tenThousandths = (real * 10_000).rounded()
    return tenThousandths.magnitude < 1e15 && tenThousandths / 10_000 == real
  }

  /// An odd integer and powers of two. Each is exact wherever it is read, and so is each step on the way.
  private func product(_ real: Double) -> String {
    let width = real.significandWidth
    let odd = Double(sign: real.sign, exponent: width, significand: real.significand)
    let power = Int(real.exponent) - width
    // What 64 bits hold: 2^62.
    let powers = stride(from: abs(power), to: 0, by: -62).map { "\(Int64(1) << min($0, 62))" }
    return "(" + (["\(odd)"] + powers).joined(separator: power < 0 ? " / " : " * ") + ")"
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
