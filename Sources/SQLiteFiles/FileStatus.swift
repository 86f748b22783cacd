import ExactJSON
import Foundation
import StoreInterface

/// What `stat` tells of a file, as far as a change of it can be noticed.
package struct FileStatus: Sendable, Equatable {
  package let isFolder: Bool
  package let isRegular: Bool
  /// "a pipe": what it is beside a file.
  package let kind: String
  package let size: Int64
  package let inode: UInt64
  /// The file system that the inode is a number of.
  package let device: UInt64
  /// Whether it can be found by more than one name.
  package let hasOtherNames: Bool
  /// Nanoseconds since 1970.
  package let modifiedAt: Int64
  /// When anything of it was changed, which nobody can set: who copies a file with its times changes this. Nanoseconds since 1970.
  package let changedAt: Int64

  /// nil if there is no such file, or it may not be looked at.
  package init?(path: String) {
    var status = stat()
    guard stat(path, &status) == 0 else { return nil }
    self.init(status)
  }

  /// Of a file that is open.
  package init?(descriptor: Int32) {
    var status = stat()
    guard fstat(descriptor, &status) == 0 else { return nil }
    self.init(status)
  }

  private init(_ status: stat) {
    let kind = mode_t(status.st_mode) & mode_t(S_IFMT)
    isFolder = kind == mode_t(S_IFDIR)
    isRegular = kind == mode_t(S_IFREG)
    self.kind = FileStatus.words(kind)
    size = Int64(status.st_size)
    inode = UInt64(status.st_ino)
    device = UInt64(truncatingIfNeeded: status.st_dev)
    hasOtherNames = status.st_nlink > 1
    #if os(Linux)
      (modifiedAt, changedAt) = (Self.nanoseconds(status.st_mtim), Self.nanoseconds(status.st_ctim))
    #else
      (modifiedAt, changedAt) = (Self.nanoseconds(status.st_mtimespec), Self.nanoseconds(status.st_ctimespec))
    #endif
  }

  /// One beyond the year 2262 is the last that can be told.
  private static func nanoseconds(_ time: timespec) -> Int64 {
    let seconds = Int64(time.tv_sec).multipliedReportingOverflow(by: 1_000_000_000)
    let sum = seconds.partialValue.addingReportingOverflow(Int64(time.tv_nsec))
    if seconds.overflow || sum.overflow { return time.tv_sec < 0 ? .min : .max }
    return sum.partialValue
  }

  /// Whether both are one file, whatever was written to it in between.
  package func isSameFile(as other: FileStatus) -> Bool { (inode, device) == (other.inode, other.device) }

  private static func words(_ kind: mode_t) -> String {
    switch kind {
    case mode_t(S_IFREG): "a file"
    case mode_t(S_IFDIR): "a folder"
    case mode_t(S_IFIFO): "a pipe"
    case mode_t(S_IFSOCK): "a socket"
    case mode_t(S_IFCHR), mode_t(S_IFBLK): "a device"
    default: "no regular file"
    }
  }

  /// Where a symbolic link leads; any other path as it is. SQLite keeps `-wal` and `-shm` beside the file itself.
  package static func resolved(_ path: String) -> String { isLink(path) ? real(path) ?? path : path }

  package static func isLink(_ path: String) -> Bool {
    var status = stat()
    return lstat(path, &status) == 0 && mode_t(status.st_mode) & mode_t(S_IFMT) == mode_t(S_IFLNK)
  }

  /// The whole path of what is there, without symbolic links in it.
  package static func real(_ path: String) -> String? {
    guard let resolved = realpath(path, nil) else { return nil }
    defer { free(resolved) }
    return String(cString: resolved)
  }

  package static func isWritable(_ path: String) -> Bool { access(path, W_OK) == 0 }

  /// Why this user cannot write a database; nil if that goes. SQLite needs to make files beside it, and to write a `-wal` that is there.
  ///
  /// - Parameters:
  ///   - may: what the system lets this user do.
  ///   - isReadOnly: whether nobody may write there.
  package static func whyNotWritable(
    _ path: String, may: (String, ForbiddenFile.Use) -> Bool = ForbiddenFile.may,
    isReadOnly: (String) -> Bool = FileStatus.isOnReadOnlySystem
  ) -> String? {
    if FileStatus(path: path) == nil { return "there is no file \(path) any more" }
    if isReadOnly(path) { return "the file system of \(path) is mounted for reading only" }
    if !may(path, .write) { return "this user may not write \(path)" }
    let folder = folderAndName(path).folder
    if !may(folder, .write) { return "this user may not write the folder \(folder)" }
    return ForbiddenFile(beside: path, suffixes: ["-wal"], may: may)?.words
  }

  /// Whether nobody can write it, whatever the permissions say.
  package static func isOnReadOnlySystem(_ path: String) -> Bool {
    var system = statvfs()
    return statvfs(path, &system) == 0 && UInt(system.f_flag) & UInt(ST_RDONLY) != 0
  }

  /// Whether its file system has room for what SQLite makes beside a database: a `-shm` grows by 32 KiB. One that does not
  /// tell its size has.
  package static func hasRoom(beside path: String) -> Bool {
    var system = statvfs()
    guard statvfs(folderAndName(path).folder, &system) == 0, system.f_blocks > 0 else { return true }
    return UInt64(system.f_bavail) * UInt64(system.f_frsize) >= 64 << 10
  }

  package static func isReadable(_ path: String) -> Bool { access(path, R_OK) == 0 }

  /// Whether nobody can tell if it is there, as this user may not enter a folder on the way.
  package static func isOutOfSight(_ path: String) -> Bool {
    var status = stat()
    return stat(path, &status) != 0 && errno == EACCES
  }
}

extension StoreError {
  /// Why nothing is seen at a path: there is no such file, or nobody can tell.
  package static func missing(_ path: String) -> StoreError {
    FileStatus.isOutOfSight(path)
      ? .cannotRead(path: path, detail: "this user may not enter a folder on the way", isForbidden: true)
      : .notFound(path: path)
  }

  /// What the system said a moment ago of what it does not read. Permissions are the matter only where it says so.
  static func unreadBySystem(_ path: String, _ what: String = "") -> StoreError {
    let code = errno
    return .cannotRead(
      path: path, detail: what + String(cString: strerror(code)),
      isForbidden: code == EACCES || code == EPERM)
  }
}

/// The user's; one that `HOME` leaves empty is none.
package func homeFolder(_ environment: [String: String]) -> String {
  environment["HOME"].flatMap { $0.isEmpty ? nil : $0 } ?? NSHomeDirectory()
}

/// A path taken apart at its last slash: the folder ("." if there is none) and the name.
package func folderAndName(_ path: String) -> (folder: String, name: String) {
  // By bytes, as the system does: a name may begin with a combining accent.
  guard let slash = path.utf8.lastIndex(of: UInt8(ascii: "/")) else { return (".", path) }
  let folder = path[..<slash]
  return (folder.isEmpty ? "/" : String(folder), String(path[path.utf8.index(after: slash)...]))
}

/// A folder's path without the slash at its end; the root's is nothing but one.
package func withoutSlash(_ folder: String) -> String {
  folder.hasSuffix("/") && folder != "/" ? String(folder.dropLast()) : folder
}

/// A name without its last extension; a leading dot begins no extension.
package func stem(_ name: String) -> String {
  guard let dot = name.utf8.lastIndex(of: UInt8(ascii: ".")), dot != name.startIndex else { return name }
  return String(name[..<dot])
}

extension FileStatus {
  /// What every write to the database at `path` changes: its own size, time and identity, or those of its `-wal`.
  ///
  /// Only asked of the file system. To open a database for its change counter, and to close it again, would take away the locks
  /// that this process has on it.
  package static func traces(ofDatabase path: String) -> [Int64] {
    let database = FileStatus(path: path)
    let log = FileStatus(path: path + "-wal")
    // An empty -wal is as good as none: who only reads makes one, and removes it again.
    return [database, log?.size == 0 ? nil : log].flatMap { file in
      [file?.size ?? -1, file?.modifiedAt ?? -1, file.map { Int64(truncatingIfNeeded: $0.inode) } ?? -1]
    }
  }
}

/// A file opened for reading that has an end and is never waited for. What a person names may as well be a pipe, a terminal
/// or `/dev/zero`: these are refused by what is open, and not by what was looked at a moment before.
package final class RegularFile {
  package let path: String
  private let descriptor: Int32

  /// - Throws: ``StoreError/fileMissing(path:)``, ``StoreError/cannotRead(path:detail:isForbidden:)``,
  ///   ``StoreError/notAFile(path:kind:)``
  package init(_ path: String) throws(StoreError) {
    self.path = path
    descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY)
    guard descriptor >= 0 else { throw RegularFile.unopened(path) }
    guard let status = FileStatus(descriptor: descriptor), status.isRegular else {
      throw .notAFile(path: path, kind: FileStatus(descriptor: descriptor)?.kind ?? "no regular file")
    }
  }

  deinit { close(descriptor) }

  /// What the system said of it a moment ago.
  private static func unopened(_ path: String) -> StoreError {
    switch errno {
    case ENOENT, ENOTDIR: .fileMissing(path: path)
    default: .unreadBySystem(path)
    }
  }

  /// At most `count` bytes from `offset` on; none at the end.
  ///
  /// - Throws: ``StoreError/cannotRead(path:detail:isForbidden:)``
  package func bytes(at offset: Int, _ count: Int) throws(StoreError) -> [UInt8] {
    var bytes = [UInt8](repeating: 0, count: count)
    while true {
      let read = pread(descriptor, &bytes, count, off_t(offset))
      if read >= 0 { return Array(bytes.prefix(read)) }
      if errno != EINTR { throw .unreadBySystem(path) }
    }
  }

  /// All of its bytes. A file may grow, and those of the system have no size: what counts is what is read.
  ///
  /// - Throws: ``StoreError/cannotRead(path:detail:isForbidden:)``, ``StoreError/tooLarge(path:limit:)``
  package func bytes(limit: Int) throws(StoreError) -> [UInt8] {
    var all: [UInt8] = []
    // Of a small file no more room is made than it takes; the end is seen by a block with nothing in it.
    let size = min(64 * 1024, max(512, Int(FileStatus(descriptor: descriptor)?.size ?? 0)))
    while true {
      let block = try bytes(at: all.count, size)
      if block.isEmpty { return all }
      guard all.count + block.count <= limit else { throw .tooLarge(path: path, limit: limit) }
      all += block
    }
  }
}

/// A path as an SQLite URI: everything but unreserved characters is percent-encoded, so that `?` and `%` in names work. It has an
/// authority, which is empty: else SQLite takes for one what a path begins with that has two slashes.
package func databaseURI(_ path: String, query: String) -> String {
  let absolute = path.hasPrefix("/") ? path : FileManager.default.currentDirectoryPath + "/" + path
  var encoded: [UInt8] = []
  for byte in absolute.utf8 {
    // Not by Foundation, for which the runtime looks up types at every start.
    if unreserved.contains(byte) {
      encoded.append(byte)
    } else {
      encoded += "%\(Hexadecimal.text([byte]))".utf8
    }
  }
  return "file://" + String(decoding: encoded, as: UTF8.self) + "?" + query
}

private let unreserved = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789/-._~".utf8)
