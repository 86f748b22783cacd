import GRDB
import GRDBSQLite

extension Database {
  /// Whether a foreign key leads nowhere at this moment that is deferred: the commit would fail, for all records, and name none.
  package var hasOpenForeignKey: Bool {
    var (open, highest): (Int32, Int32) = (0, 0)
    sqlite3_db_status(sqliteConnection, SQLITE_DBSTATUS_DEFERRED_FKS, &open, &highest, 0)
    return open != 0
  }
}
