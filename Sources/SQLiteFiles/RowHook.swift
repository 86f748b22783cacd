import GRDB
import GRDBSQLite
import Merging

#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// SQLite's hook before every change of a row: the only one that tells also of rows which REPLACE deletes, of tables without a
/// rowid, and of a DELETE of all rows (sqlite.org/c3ref/preupdate_blobwrite.html).
///
/// Debian's library has it, but its header declares it only to who compiles SQLite, so it is looked up by name. Apple's could
/// not be tried; a library without it is refused, and nothing is written.
package struct RowHook {
  package typealias Callback =
    @convention(c) (
      _ context: UnsafeMutableRawPointer?, OpaquePointer?, _ operation: Int32,
      _ schema: UnsafePointer<CChar>?,
      _ table: UnsafePointer<CChar>?, _ rowid: Int64, _ newRowid: Int64
    ) -> Void
  package typealias Column =
    @convention(c) (OpaquePointer?, _ index: Int32, UnsafeMutablePointer<OpaquePointer?>?) -> Int32

  package typealias Set =
    @convention(c) (OpaquePointer?, Callback?, UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer?
  package typealias Depth = @convention(c) (OpaquePointer?) -> Int32

  package let set: Set
  package let old: Column
  package let new: Column
  /// 0 for a row that the statement itself changes, more for what triggers and foreign keys do.
  package let depth: Depth

  package static let found: RowHook? = {
    guard let set = address("sqlite3_preupdate_hook"), let old = address("sqlite3_preupdate_old"),
      let new = address("sqlite3_preupdate_new"), let depth = address("sqlite3_preupdate_depth")
    else { return nil }
    // because these are the types that sqlite3.h gives the four functions.
    return RowHook(
      set: unsafeBitCast(set, to: Set.self),
      old: unsafeBitCast(old, to: Column.self), new: unsafeBitCast(new, to: Column.self),
      depth: unsafeBitCast(depth, to: Depth.self))
  }()

  private static func address(_ name: String) -> UnsafeMutableRawPointer? {
    let program = dlopen(nil, RTLD_LAZY)
    defer { if let program { dlclose(program) } }
    return dlsym(program, name)
  }
}

extension Value {
  package init(_ value: OpaquePointer?) {
    switch sqlite3_value_type(value) {
    case SQLITE_INTEGER: self = .integer(sqlite3_value_int64(value))
    case SQLITE_FLOAT: self = .real(sqlite3_value_double(value))
    case SQLITE_TEXT:
      let start = sqlite3_value_text(value)
      self.init(storedText: UnsafeBufferPointer(start: start, count: Int(sqlite3_value_bytes(value))))
    case SQLITE_BLOB:
      let bytes = UnsafeRawBufferPointer(
        start: sqlite3_value_blob(value), count: Int(sqlite3_value_bytes(value)))
      self = .blob(Blob(bytes: Array(bytes)))
    default: self = .null
    }
  }
}
