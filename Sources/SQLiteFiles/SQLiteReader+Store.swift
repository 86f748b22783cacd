import GRDB
import StoreInterface

/// How a store of one file reads and writes it, with the errors of SQLite told as the store's.
extension SQLiteReader {
  /// Runs `body` on one consistent state of the file, as ``read(_:)`` does.
  package func readStore<Result: Sendable>(_ body: (Database) throws -> Result) throws -> Result {
    do {
      return try read(body)
    } catch {
      throw StoreError.reading(main.path, error, holder: main.probe.holder())
    }
  }

  /// Runs `body` with a connection that writes, while this one is closed.
  ///
  /// - Throws: ``StoreError/locked(path:holder:)``, ``StoreError/readOnly(path:reason:)``,
  ///   ``StoreError/writeFailed(path:detail:)``
  package func whileWriting(_ body: (SQLiteWriter) throws -> Void) throws {
    try whileClosed {
      do {
        let writer = try writer()
        defer { writer.close() }
        try body(writer)
      } catch {
        throw StoreError.writing(main.path, error, holder: main.probe.holder())
      }
    }
  }

  /// It has what the schema needs: without a collation, say, no row can be added.
  private func writer() throws -> SQLiteWriter {
    try SQLiteWriter(main.path, probes: [main.probe]) { [prepare] db in
      try prepare(db)
      // Nothing of a transaction goes to the disk before its end.
      try db.execute(sql: "PRAGMA cache_spill = OFF")
    }
  }
}
