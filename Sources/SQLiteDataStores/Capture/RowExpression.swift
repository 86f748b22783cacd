import ExactJSON
import Merging
import SQLiteFiles
import StoreInterface

/// SQL that makes of a row what ``RowJSON`` makes of it in Swift.
///
/// The parts are put together with `||`, as `json_object` takes 127 arguments at most, and prints a real with 15 digits.
struct RowExpression {
  let columns: [String]
  /// What the row is called in the SQL: NEW, OLD, an alias.
  let row: String

  /// The row as JSON.
  var json: String {
    let members = columns.map { "\(literal(RowJSON.encode(.text($0)) + ":")) || \(json(of: value($0)))" }
    return "'{' || " + inTree(members, separator: " || ',' || ") + " || '}'"
  }

  func value(_ column: String) -> String { "\(row).\(quoted(column))" }

  /// Of a real 18 digits are read as the same number by whatever rounds correctly, as all that reads JSON. SQLite does not: 3.40 takes
  /// some decimals for another number, and prints 17 digits of some that are another's. So fewer digits are asked for only where they
  /// cannot be wrong: at most four behind the point, and 15 in all (``SQLLiterals`` tells why).
  private func json(of value: String) -> String {
    """
    CASE typeof(\(value))
          WHEN 'text' THEN json_quote(\(value))
          WHEN 'integer' THEN iif(\(value) BETWEEN -9007199254740991 AND 9007199254740991,
            CAST(\(value) AS TEXT), '{"integer":"' || \(value) || '"}')
          WHEN 'real' THEN CASE
            WHEN abs(\(value)) = 9e999 THEN iif(\(value) > 0, '{"real":"inf"}', '{"real":"-inf"}')
            WHEN abs(\(value)) < 1e11 AND CAST(printf('%.4f', \(value)) AS REAL) = \(value)
              THEN printf('%!.15g', \(value))
            ELSE printf('%!.18g', \(value)) END
          WHEN 'blob' THEN '{"blob":"' || lower(hex(\(value))) || '"}'
          ELSE 'null' END
    """
  }
}

/// The parts with the separator between them, the many of a wide table in a tree of parentheses: operators one behind the other are as
/// deep as they are many, and SQLite takes no expression that is deeper than 1,000.
func inTree(_ parts: [String], separator: String) -> String {
  if parts.count <= 16 { return parts.joined(separator: separator) }
  let middle = parts.count / 2
  let halves = [Array(parts[..<middle]), Array(parts[middle...])]
  return halves.map { "(" + inTree($0, separator: separator) + ")" }.joined(separator: separator)
}

/// A text as SQL writes it.
func literal(_ text: String) -> String { "'" + text.replacingEach("'", with: "''") + "'" }
