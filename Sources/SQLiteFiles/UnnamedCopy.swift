import Foundation
import GRDB
import GRDBSQLite
import Merging
import StoreInterface

#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// A copy of a database as its journal or `-wal` tells it to be, for reading. Its file has no name from before the first byte
/// on: however the program ends, nothing of it is left.
///
/// SQLite wants a name wherever it rolls back or looks into a `-wal`. So that is done here, and SQLite gets the pages.
///
/// `@unchecked`, because nobody writes to the pages once they are mapped.
package final class UnnamedCopy: @unchecked Sendable {
  private let start: UnsafeMutableRawPointer
  private let size: Int

  /// - Throws: ``StoreError/cannotRead(path:detail:)``
  package init(of path: String, rollingBack: Bool) throws {
    let file = try UnnamedCopy.makeFile(for: path)
    defer { close(file) }
    let pages = PageFile(descriptor: file, path: path)
    try pages.append(contentsOf: path)
    if rollingBack {
      try RollbackJournal(beside: path)?.rollBack(pages)
    } else {
      try WriteAheadLog(beside: path)?.checkpoint(to: pages)
    }
    // Read and write version: a database in memory has no `-wal`.
    try pages.write([1, 1], at: 18)
    size = try pages.size()
    let mapped = mmap(nil, max(size, 1), PROT_READ, MAP_PRIVATE, file, 0)
    guard let mapped, mapped != MAP_FAILED else { throw PageFile.failure(path) }
    start = mapped
  }

  deinit { munmap(start, max(size, 1)) }

  /// Puts the copy in the place of the empty database that is open under the schema's name.
  package func open(as schema: String, in db: Database) throws {
    let code = sqlite3_deserialize(
      db.sqliteConnection, schema, start.assumingMemoryBound(to: UInt8.self), Int64(size), Int64(size),
      UInt32(SQLITE_DESERIALIZE_READONLY))
    guard code == SQLITE_OK else { throw DatabaseError(resultCode: ResultCode(rawValue: code)) }
  }

  private static func makeFile(for path: String) throws -> Int32 {
    var name = Array((FileManager.default.temporaryDirectory.path + "/parley-XXXXXX").utf8CString)
    let file = mkstemp(&name)
    guard file >= 0 else { throw PageFile.failure(path) }
    unlink(name)
    _ = fcntl(file, F_SETFD, FD_CLOEXEC)
    return file
  }
}

/// The pages of the copy while it is made.
package struct PageFile {
  fileprivate let descriptor: Int32
  fileprivate let path: String

  package func append(contentsOf path: String) throws {
    let source = open(path, O_RDONLY | O_CLOEXEC)
    guard source >= 0 else { throw PageFile.failure(path) }
    defer { close(source) }
    var block = [UInt8](repeating: 0, count: 1 << 20)
    var offset = 0
    while true {
      let count = read(source, &block, block.count)
      if count < 0 { throw PageFile.failure(path) }
      if count == 0 { return }
      try write(block[..<count], at: offset)
      offset += count
    }
  }

  package func write(_ bytes: some Collection<UInt8>, at offset: Int) throws {
    let bytes = Array(bytes)
    var written = 0
    while written < bytes.count {
      let count = bytes[written...].withUnsafeBytes {
        pwrite(descriptor, $0.baseAddress, $0.count, off_t(offset + written))
      }
      guard count > 0 else { throw PageFile.failure(path) }
      written += count
    }
  }

  package func resize(to size: Int) throws {
    guard ftruncate(descriptor, off_t(size)) == 0 else { throw PageFile.failure(path) }
  }

  package func size() throws -> Int {
    let size = lseek(descriptor, 0, SEEK_END)
    guard size >= 0 else { throw PageFile.failure(path) }
    return Int(size)
  }

  fileprivate static func failure(_ path: String) -> StoreError {
    .cannotRead(
      path: path,
      detail: "no copy of it could be made in the temporary folder, \(String(cString: strerror(errno)))")
  }
}
