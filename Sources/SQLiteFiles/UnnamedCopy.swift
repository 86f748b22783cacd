import Foundation
import GRDB
import GRDBSQLite
import StoreInterface

/// A copy of a database as its journal or `-wal` tells it to be, for reading. Its file has no name from before the first byte
/// on: however the program ends, nothing of it is left.
///
/// SQLite wants a name wherever it rolls back or looks into a `-wal`. So that is done here, and SQLite gets the pages.
///
/// `@unchecked`, because nobody writes to the pages once they are mapped.
package final class UnnamedCopy: @unchecked Sendable {
  private let start: UnsafeMutableRawPointer
  private let size: Int

  /// - Throws: ``StoreError/cannotRead(path:detail:isForbidden:)``, ``StoreError/fileMissing(path:)``,
  ///   ``StoreError/notAFile(path:kind:)``
  package init(of path: String, rollingBack: Bool) throws {
    let file = try UnnamedCopy.makeFile(for: path)
    defer { close(file) }
    let pages = PageFile(descriptor: file, path: path)
    try pages.append(contentsOf: RegularFile(path))
    if rollingBack {
      try RollbackJournal(beside: path)?.rollBack(pages)
    } else {
      try WriteAheadLog(beside: path)?.checkpoint(to: pages)
    }
    // Read and write version: a database in memory has no `-wal`. One that was only just begun is rolled back to nothing.
    if try pages.size() > 0 { try pages.write([1, 1], at: 18) }
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

  /// - Throws: what the system says of the file, as the temporary folder has no part in that.
  package func append(contentsOf source: RegularFile) throws {
    var offset = 0
    while true {
      let block = try source.bytes(at: offset, 1 << 20)
      if block.isEmpty { return }
      try write(block, at: offset)
      offset += block.count
    }
  }

  package func write(_ bytes: some Collection<UInt8>, at offset: Int) throws {
    guard writeAll(Array(bytes), to: descriptor, at: offset) else { throw PageFile.failure(path) }
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

/// The pages of a database as they were before a transaction whose writer died (sqlite.org/fileformat.html, section 3).
///
///     header   magic, count of pages, nonce, size of the database in pages, sector size, page size; up to a whole sector
///     pages    number, the page as it was, checksum
///
/// A journal has several such parts, each at the beginning of a sector. All integers are big-endian. At its end there may be the
/// name of a super-journal, of a transaction over several files: if that is gone, the transaction was committed. Only a page of it at
/// a time is in memory.
package struct RollbackJournal {
  package static let magic: [UInt8] = [0xD9, 0xD5, 0x05, 0xF9, 0x20, 0xA1, 0x63, 0xD7]

  private let file: RegularFile
  private let size: Int

  /// nil if there is none, or what it would take back was committed.
  package init?(beside path: String) throws {
    let path = path + "-journal"
    guard let size = FileStatus(path: path)?.size else { return nil }
    (file, self.size) = (try RegularFile(path), Int(size))
    if let name = try superJournal(), FileStatus(path: name) == nil { return nil }
  }

  package func rollBack(_ pages: PageFile) throws {
    var offset = 0
    while let part = try Part(file, at: offset) {
      if offset == 0 { try pages.resize(to: part.databaseSize * part.pageSize) }
      offset += part.sectorSize
      for _ in 0..<part.count(from: offset, to: size) {
        guard let page = try part.page(at: offset, in: file) else { return }
        if page.number <= part.databaseSize {
          try pages.write(page.bytes, at: (page.number - 1) * part.pageSize)
        }
        offset += part.pageSize + 8
      }
      offset = (offset + part.sectorSize - 1) / part.sectorSize * part.sectorSize
    }
  }

  /// Its name, the name's length, a sum of its bytes, and the magic number once more.
  private func superJournal() throws -> String? {
    if size <= 16 { return nil }
    let end = try file.bytes(at: size - 16, 16)
    guard end.count == 16, end[8...].elementsEqual(RollbackJournal.magic) else { return nil }
    let length = end.integer(at: 0)
    // No path is longer.
    guard length > 0, length <= min(size - 16, Int(PATH_MAX)) else { return nil }
    let name = try file.bytes(at: size - 16 - length, length)
    let sum = name.reduce(UInt32(0)) { $0 &+ UInt32(bitPattern: Int32(Int8(bitPattern: $1))) }
    return Int(sum) == end.integer(at: 4) ? String(decoding: name, as: UTF8.self) : nil
  }

  private struct Part {
    let pageCount: Int
    let nonce: UInt32
    let databaseSize: Int
    let sectorSize: Int
    let pageSize: Int

    init?(_ file: RegularFile, at offset: Int) throws {
      let header = try file.bytes(at: offset, 28)
      guard header.count == 28, header.starts(with: RollbackJournal.magic) else { return nil }
      pageCount = header.integer(at: 8)
      nonce = UInt32(header.integer(at: 12))
      databaseSize = header.integer(at: 16)
      sectorSize = header.integer(at: 20)
      pageSize = header.integer(at: 24)
      guard (32...65536).contains(sectorSize), (512...65536).contains(pageSize) else { return nil }
    }

    /// Where the writer did not come to tell how many there are, all that fit.
    func count(from offset: Int, to end: Int) -> Int {
      pageCount == 0xFFFF_FFFF ? max(0, end - offset) / (pageSize + 8) : pageCount
    }

    /// nil where the journal ends: a page that was not written wholly, or what is left of an older one.
    func page(at offset: Int, in file: RegularFile) throws -> (number: Int, bytes: ArraySlice<UInt8>)? {
      let whole = try file.bytes(at: offset, pageSize + 8)
      guard whole.count == pageSize + 8 else { return nil }
      let number = whole.integer(at: 0)
      let sum = stride(from: pageSize - 200, to: 0, by: -200).reduce(nonce) { $0 &+ UInt32(whole[4 + $1]) }
      let isLockPage = number == 0x4000_0000 / pageSize + 1
      guard number > 0, !isLockPage, Int(sum) == whole.integer(at: 4 + pageSize) else { return nil }
      return (number, whole[4..<4 + pageSize])
    }
  }
}
