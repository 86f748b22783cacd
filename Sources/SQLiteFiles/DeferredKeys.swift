import GRDB
import GRDBSQLite

extension Database {
  /// Whether a foreign key leads nowhere at this moment that is deferred: the commit would fail, for all records, and name none.
  package func hasOpenForeignKey() throws -> Bool { try status(of: SQLITE_DBSTATUS_DEFERRED_FKS) != 0 }

  /// What the connection counts.
  func status(of operation: Int32) throws -> Int32 {
    var (current, highest): (Int32, Int32) = (0, 0)
    let code = sqlite3_db_status(sqliteConnection, operation, &current, &highest, 0)
    guard code == SQLITE_OK else { throw DatabaseError(resultCode: ResultCode(rawValue: code)) }
    return current
  }
}
