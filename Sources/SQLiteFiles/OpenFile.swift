#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// Tells which other process has a file open for writing, by what Linux shows of every process:
///
///     /proc/4711/fd/7 -> /home/ann/.app/shop.touchdb       lrwx------: open for reading and writing
///     /proc/4711/exe -> /usr/bin/app
///
/// Who only reads does no harm. Another Parley does not count: while it writes it holds a lock, and after that it is done.
///
/// Not seen: processes of other users (unless this user is root), in other process namespaces, on other machines. On macOS
/// nothing is seen; there only a lock tells.
package enum OpenFile {
  /// nil if there is none, or none that can be seen.
  package static func writer(ofAny paths: [String]) -> Int32? {
    #if os(Linux)
      let files = paths.compactMap { path in
        FileStatus(path: path).map { (status: $0, ending: "/" + folderAndName(path).name) }
      }
      let ownProgram = target(of: "/proc/self/exe", in: AT_FDCWD)
      for process in names(in: "/proc").compactMap({ Int32($0) }) where process != getpid() {
        if isAnyOpen(files, in: process), target(of: "/proc/\(process)/exe", in: AT_FDCWD) != ownProgram {
          return process
        }
      }
      return nil
    #else
      return nil
    #endif
  }

  /// A file is looked at only if it has the right name, or is the right one by its number: others may lie on a server that does
  /// not answer.
  private static func isAnyOpen(_ files: [(status: FileStatus, ending: String)], in process: Int32) -> Bool {
    // Of most nobody has to know: a thread of the kernel has nothing open.
    lazy var seesOtherNames = target(of: "/proc/\(process)/ns/mnt", in: AT_FDCWD) != ownNames
    return isAny(in: "/proc/\(process)/fd") { folder, descriptor in
      // Most of what is open is a socket or a pipe, which its name tells: how it was opened is a second question for each.
      guard let target = target(of: descriptor, in: folder), target.hasPrefix("/"),
        isForWriting(descriptor, in: folder)
      else { return false }
      return files.contains { file in
        let isByAnother = {
          (file.status.hasOtherNames || seesOtherNames) && isLink(to: file.status, descriptor, in: process)
        }
        return (target.hasSuffix(file.ending) || isByAnother())
          && FileStatus(path: "/proc/\(process)/fd/" + String(cString: descriptor))?.isSameFile(
            as: file.status)
            == true
      }
    }
  }

  /// Where this process has its names from: one in a container may know a file by another (mount_namespaces(7)).
  private static let ownNames = target(of: "/proc/self/ns/mnt", in: AT_FDCWD)

  /// By the number that the system shows of every open file. Most files have one name: to ask for the numbers of all that is open
  /// was half of the time of a look.
  private static func isLink(
    to file: FileStatus, _ descriptor: UnsafePointer<CChar>, in process: Int32
  ) -> Bool {
    inode(of: String(cString: descriptor), in: process) == file.inode
  }

  /// nil before Linux 5.14, which shows no `ino:` in `/proc/4711/fdinfo/7`.
  private static func inode(of descriptor: String, in process: Int32) -> UInt64? {
    guard let file = try? RegularFile("/proc/\(process)/fdinfo/\(descriptor)"),
      let bytes = try? file.bytes(at: 0, 4096)
    else { return nil }
    let line = String(decoding: bytes, as: UTF8.self).split(separator: "\n").first { $0.hasPrefix("ino:") }
    return line.flatMap { UInt64($0.dropFirst("ino:".count).drop { $0.isWhitespace }) }
  }

  private static func names(in folder: String) -> [String] {
    var names: [String] = []
    _ = isAny(in: folder) { _, name in
      names.append(String(cString: name))
      return false
    }
    return names
  }

  /// Whether there is a name in the folder that is asked for. Its links are looked at from there, by the folder's descriptor: there
  /// are thousands in `/proc`, and most of the time was the way to each.
  private static func isAny(in folder: String, _ isMeant: (Int32, UnsafePointer<CChar>) -> Bool) -> Bool {
    guard let stream = opendir(folder) else { return false }
    defer { closedir(stream) }
    while let entry = readdir(stream) {
      let isFound = withUnsafePointer(to: &entry.pointee.d_name) {
        $0.withMemoryRebound(to: CChar.self, capacity: 1) { isMeant(dirfd(stream), $0) }
      }
      if isFound { return true }
    }
    return false
  }

  private static func target(of link: UnsafePointer<CChar>, in folder: Int32) -> String? {
    withUnsafeTemporaryAllocation(of: CChar.self, capacity: Int(PATH_MAX)) { bytes in
      guard let start = bytes.baseAddress else { return nil }
      let count = readlinkat(folder, link, start, bytes.count)
      guard count > 0 else { return nil }
      return String(decoding: UnsafeRawBufferPointer(start: start, count: count), as: UTF8.self)
    }
  }

  /// The bits of such a link tell how the file was opened.
  private static func isForWriting(_ link: UnsafePointer<CChar>, in folder: Int32) -> Bool {
    var status = stat()
    return fstatat(folder, link, &status, AT_SYMLINK_NOFOLLOW) == 0
      && mode_t(status.st_mode) & mode_t(S_IWUSR) != 0
  }
}
