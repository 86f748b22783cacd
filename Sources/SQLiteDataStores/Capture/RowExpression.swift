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
    return "'{' || " + members.joined(separator: " || ',' || ") + " || '}'"
  }

  func value(_ column: String) -> String { "\(row).\(quoted(column))" }

  /// 15 digits are exact wherever they read back as the same number; 17 always are enough.
  private func json(of value: String) -> String {
    """
    CASE typeof(\(value))
          WHEN 'text' THEN json_quote(\(value))
          WHEN 'integer' THEN iif(\(value) BETWEEN -9007199254740991 AND 9007199254740991,
            CAST(\(value) AS TEXT), '{"integer":"' || \(value) || '"}')
          WHEN 'real' THEN CASE
            WHEN abs(\(value)) = 9e999 THEN iif(\(value) > 0, '{"real":"inf"}', '{"real":"-inf"}')
            WHEN CAST(printf('%!.15g', \(value)) AS REAL) = \(value) THEN printf('%!.15g', \(value))
            ELSE printf('%!.17g', \(value)) END
          WHEN 'blob' THEN '{"blob":"' || lower(hex(\(value))) || '"}'
          ELSE 'null' END
    """
  }
}

/// A text as SQL writes it.
func literal(_ text: String) -> String { "'" + text.replacingEach("'", with: "''") + "'" }
