import GRDB
import GRDBSQLite

extension Database {
  /// Runs `body`. What a statement in it computes after `limit` is interrupted, with `SQLITE_INTERRUPT`: a trigger may go on
  /// for ever. A single row, however large, is no computation.
  ///
  /// SQLite rolls back the whole transaction where the statement was a writing one.
  package func limited<Result>(to limit: Duration, _ body: () throws -> Result) rethrows -> Result {
    var end = ContinuousClock.now + limit
    return try withUnsafeMutablePointer(to: &end) { end in
      let stepsBetweenLooks: Int32 = 10_000
      sqlite3_progress_handler(
        sqliteConnection, stepsBetweenLooks,
        { end in
          let end = end?.load(as: ContinuousClock.Instant.self)
          return end.map { ContinuousClock.now >= $0 } ?? false ? 1 : 0
        }, end)
      defer { sqlite3_progress_handler(sqliteConnection, 0, nil, nil) }
      return try body()
    }
  }
}
