import ExactJSON
import GRDB
import GRDBSQLite
import Merging
import StoreInterface

#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// The row a statement stands on, read in place. Valid only until the statement steps on.
///
/// GRDB reads text up to the first NUL and mends what is not UTF-8. A desk that compares and writes back must not:
/// text is read by its length, and what is not UTF-8 stays the bytes it is.
package struct SQLRow {
  fileprivate let statement: OpaquePointer

  package func isNull(_ index: Int32) -> Bool { sqlite3_column_type(statement, index) == SQLITE_NULL }

  package func integer(_ index: Int32) -> Int64 { sqlite3_column_int64(statement, index) }

  package func text(_ index: Int32) -> String { String(decoding: textBytes(index), as: UTF8.self) }

  package func optionalText(_ index: Int32) -> String? { isNull(index) ? nil : text(index) }

  /// Whether this is a text of these bytes.
  package func isText(_ index: Int32, of utf8: UnsafeRawBufferPointer) -> Bool {
    guard sqlite3_column_type(statement, index) == SQLITE_TEXT else { return false }
    let own = textBytes(index)
    guard own.count == utf8.count else { return false }
    guard let left = own.baseAddress, let right = utf8.baseAddress else { return own.isEmpty }
    return memcmp(left, right, own.count) == 0
  }

  /// Those of a blob, and of a text in UTF-8, whatever the database has.
  package func bytes(_ index: Int32) -> [UInt8] { withBytes(index) { Array($0) } }

  package func optionalBytes(_ index: Int32) -> [UInt8]? { isNull(index) ? nil : bytes(index) }

  /// The same where they lie, while `body` runs.
  package func withBytes<Result>(_ index: Int32, _ body: (UnsafeRawBufferPointer) throws -> Result) rethrows
    -> Result
  {
    guard sqlite3_column_type(statement, index) == SQLITE_BLOB else {
      return try body(UnsafeRawBufferPointer(textBytes(index)))
    }
    let start = sqlite3_column_blob(statement, index)
    return try body(UnsafeRawBufferPointer(start: start, count: Int(sqlite3_column_bytes(statement, index))))
  }

  package func value(_ index: Int32) -> Value {
    switch sqlite3_column_type(statement, index) {
    case SQLITE_INTEGER: .integer(integer(index))
    case SQLITE_FLOAT: .real(sqlite3_column_double(statement, index))
    case SQLITE_TEXT: Value(storedText: textBytes(index))
    case SQLITE_BLOB: .blob(Blob(bytes: bytes(index)))
    default: .null
    }
  }

  /// A value that the table computes. One of many megabytes may cost the file a few bytes and is never written, so it is not
  /// read.
  package func computed(_ index: Int32) -> Value {
    let count =
      sqlite3_column_type(statement, index) == SQLITE_BLOB ? sqlite3_column_bytes(statement, index) : 0
    return count > 1 << 20 ? .opaque(kind: "\(count) computed bytes", bytes: []) : value(index)
  }

  private func textBytes(_ index: Int32) -> UnsafeBufferPointer<UInt8> {
    let start = sqlite3_column_text(statement, index)
    return UnsafeBufferPointer(start: start, count: Int(sqlite3_column_bytes(statement, index)))
  }
}

extension Database {
  /// Steps through every row of a statement that stays compiled for the life of the connection.
  ///
  /// Two walks over the same SQL cannot be nested, as they would share the statement.
  package func forEachRow(_ sql: String, _ arguments: [Value] = [], _ body: (SQLRow) throws -> Void) throws {
    let statement = try cachedStatement(sql: sql).sqliteStatement
    defer { sqlite3_reset(statement) }
    try bind(arguments, to: statement, sql: sql)
    while try step(statement, sql: sql) { try body(SQLRow(statement: statement)) }
  }

  /// What `body` makes of every row.
  package func rows<Result>(
    _ sql: String, _ arguments: [Value] = [], _ body: (SQLRow) throws -> Result
  ) throws -> [Result] {
    var rows: [Result] = []
    try forEachRow(sql, arguments) { rows.append(try body($0)) }
    return rows
  }

  package func hasRow(_ sql: String, _ arguments: [Value] = []) throws -> Bool {
    try firstRow(sql, arguments) { _ in true } ?? false
  }

  package func hasTable(_ name: String, in schema: String = "main") throws -> Bool {
    try hasRow(
      "SELECT 1 FROM \(quoted(schema)).sqlite_master WHERE type = 'table' AND name = ?", [.text(name)])
  }

  /// The first row, or nil.
  package func firstRow<Result>(
    _ sql: String, _ arguments: [Value] = [], _ body: (SQLRow) throws -> Result
  ) throws -> Result? {
    let statement = try cachedStatement(sql: sql).sqliteStatement
    defer { sqlite3_reset(statement) }
    try bind(arguments, to: statement, sql: sql)
    return try step(statement, sql: sql) ? try body(SQLRow(statement: statement)) : nil
  }

  /// Runs a statement for what it does.
  package func run(_ sql: String, _ arguments: [Value] = []) throws {
    try forEachRow(sql, arguments) { _ in }
  }

  /// Runs `body`, which reads. Its statements share one lock of the file: taking it is most of what a small one costs.
  package func inOneState<Result>(_ body: (Database) throws -> Result) throws -> Result {
    try run("BEGIN")
    defer { try? run("END") }
    return try body(self)
  }

  /// Runs `body`, and takes back what it did if it says so, or throws. GRDB's own compiles three statements for each, which of many small
  /// ones is most of what they cost.
  package func savepoint(_ body: () throws -> TransactionCompletion) throws {
    // Where a trigger has taken back the whole transaction.
    guard isInsideTransaction else { return try inSavepoint(body) }
    try run("SAVEPOINT parley")
    do {
      if try body() == .rollback { try run("ROLLBACK TO parley") }
    } catch {
      if isInsideTransaction {
        try run("ROLLBACK TO parley")
        try run("RELEASE parley")
      }
      throw error
    }
    try run("RELEASE parley")
  }

  private func step(_ statement: OpaquePointer, sql: String) throws -> Bool {
    switch sqlite3_step(statement) {
    case SQLITE_ROW: return true
    case SQLITE_DONE: return false
    case let code: throw failure(code, statement, sql: sql)
    }
  }

  private func bind(_ arguments: [Value], to statement: OpaquePointer, sql: String) throws {
    sqlite3_clear_bindings(statement)
    StatementLog.current?.bound = (sql, arguments)
    for (index, argument) in zip(Int32(1)..., arguments) {
      let code = try argument.bind(to: statement, at: index)
      guard code == SQLITE_OK else { throw failure(code, statement, sql: sql) }
    }
  }

  private func failure(_ code: Int32, _ statement: OpaquePointer, sql: String) -> DatabaseError {
    let message = sqlite3_errmsg(sqlite3_db_handle(statement)).map { String(cString: $0) }
    return DatabaseError(resultCode: ResultCode(rawValue: code), message: message, sql: sql)
  }
}

extension Value {
  /// Text as SQLite keeps it; what is not UTF-8 stays the bytes it is.
  package init(storedText bytes: UnsafeBufferPointer<UInt8>) {
    self = String(exactly: bytes).map { .text($0) } ?? .opaque(kind: Value.brokenText, bytes: Array(bytes))
  }

  /// What SQLite makes of a real in a column of texts, by its own printing, which is not Swift's: "3.0", "1.0e+20", "Inf".
  init(textOf real: Double) {
    let text = withVaList([real]) { sqlite3_vmprintf("%!.15g", $0) }
    defer { sqlite3_free(text) }
    self = .text(text.map { String(cString: $0) } ?? "\(real)")
  }

  /// Why no column can hold it; nil if SQLite can be given it. Of what is opaque only broken text is SQLite's own.
  package var reasonNotToStore: String? {
    switch self {
    case .null, .integer, .real, .text: nil
    case .blob(let blob): blob.bytes == nil ? "its bytes are not here; only their hash is known" : nil
    case .opaque(Value.brokenText, _): nil
    case .opaque(let kind, _): "a value of the kind \(kind) cannot be written into a column"
    }
  }

  /// - Throws: ``Refusal`` for what no column can hold.
  fileprivate func bind(to statement: OpaquePointer, at index: Int32) throws -> Int32 {
    if let reasonNotToStore { throw Refusal(nil, reasonNotToStore) }
    switch self {
    case .null: return sqlite3_bind_null(statement, index)
    case .integer(let integer): return sqlite3_bind_int64(statement, index, integer)
    case .real(let real): return sqlite3_bind_double(statement, index, real)
    case .text(var text): return text.withUTF8 { bindText($0, to: statement, at: index) }
    case .blob(let blob):
      let bytes = blob.bytes ?? []
      return bytes.isEmpty
        ? sqlite3_bind_zeroblob(statement, index, 0)
        : sqlite3_bind_blob(statement, index, bytes, Int32(clamping: bytes.count), transient)
    case .opaque(_, let bytes):
      return bytes.withUnsafeBufferPointer { bindText($0, to: statement, at: index) }
    }
  }
}

// because SQLite's own SQLITE_TRANSIENT is a cast of -1 that Swift does not import: copy the bytes now.
private var transient: sqlite3_destructor_type { unsafeBitCast(-1, to: sqlite3_destructor_type.self) }

private func bindText(_ utf8: UnsafeBufferPointer<UInt8>, to statement: OpaquePointer, at index: Int32)
  -> Int32
{
  // SQLite takes a missing address for NULL, and text without bytes may have none.
  guard !utf8.isEmpty else { return sqlite3_bind_text(statement, index, "", 0, transient) }
  return utf8.withMemoryRebound(to: CChar.self) {
    sqlite3_bind_text(statement, index, $0.baseAddress, Int32(clamping: $0.count), transient)
  }
}

/// A name as SQL writes it.
package func quoted(_ name: String) -> String {
  // Hardly any has a quotation mark, and every row that is read is named by columns.
  "\"" + (name.utf8.contains(UInt8(ascii: "\"")) ? name.replacingEach("\"", with: "\"\"") : name) + "\""
}

/// Watches that a walk by keys goes on. In a damaged tree of pages a search may come back to where it was, and the walk would
/// never end.
package struct KeyOrder {
  private var last: Int64
  private let isRising: Bool

  package static func rising(from key: Int64) -> KeyOrder { KeyOrder(last: key, isRising: true) }
  package static func falling(from key: Int64) -> KeyOrder { KeyOrder(last: key, isRising: false) }

  /// - Throws: `SQLITE_CORRUPT`
  package mutating func pass(_ key: Int64) throws {
    try KeyOrder.check(isRising ? key > last : key < last)
    last = key
  }

  package static func check(_ isInOrder: Bool) throws {
    guard isInOrder else {
      throw DatabaseError(resultCode: .SQLITE_CORRUPT, message: "its rows are not in the order of their keys")
    }
  }
}

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
