#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

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
  /// Nanoseconds since 1970.
  package let modifiedAt: Int64

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
    #if os(Linux)
      let time = status.st_mtim
    #else
      let time = status.st_mtimespec
    #endif
    modifiedAt = Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec)
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
  package static func resolved(_ path: String) -> String {
    var status = stat()
    guard lstat(path, &status) == 0, mode_t(status.st_mode) & mode_t(S_IFMT) == mode_t(S_IFLNK),
      let target = realpath(path, nil)
    else { return path }
    defer { free(target) }
    return String(cString: target)
  }

  package static func isWritable(_ path: String) -> Bool { access(path, W_OK) == 0 }
  package static func isReadable(_ path: String) -> Bool { access(path, R_OK) == 0 }
}

/// A path taken apart at its last slash: the folder ("." if there is none) and the name.
package func folderAndName(_ path: String) -> (folder: String, name: String) {
  guard let slash = path.lastIndex(of: "/") else { return (".", path) }
  let folder = path[..<slash]
  return (folder.isEmpty ? "/" : String(folder), String(path[path.index(after: slash)...]))
}

/// A name without its last extension; a leading dot begins no extension.
package func stem(_ name: String) -> String {
  guard let dot = name.lastIndex(of: "."), dot != name.startIndex else { return name }
  return String(name[..<dot])
}
