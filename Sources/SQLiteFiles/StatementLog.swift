import GRDB

/// The statements that change a database, in their order and with their values, as SQLite runs them. What a savepoint took
/// back is not among them.
package final class StatementLog {
  package private(set) var statements: [String] = []
  private var savepoints: [Int] = []

  package init(_ db: Database) {
    db.trace { [weak self] event in
      if case .statement(let statement) = event { self?.take(statement) }
    }
  }

  private func take(_ statement: Database.TraceEvent.Statement) {
    let sql = statement.sql
    switch sql.prefix(while: { $0 != " " }).uppercased() {
    case "INSERT", "UPDATE", "DELETE": statements.append(statement.expandedSQL)
    case "SAVEPOINT": savepoints.append(statements.count)
    case "ROLLBACK": if let last = savepoints.last { statements.removeLast(statements.count - last) }
    case "RELEASE": savepoints.removeLast(savepoints.isEmpty ? 0 : 1)
    default: break
    }
  }
}
