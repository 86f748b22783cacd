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
      let ownProgram = target(of: "/proc/self/exe")
      for process in names(in: "/proc").compactMap({ Int32($0) }) where process != getpid() {
        if isAnyOpen(files, in: process), target(of: "/proc/\(process)/exe") != ownProgram { return process }
      }
      return nil
    #else
      return nil
    #endif
  }

  /// An app may know the file by another name, by a hard link. A file is looked at only if it has the right name, or the number
  /// that the system shows of every open file: others may lie on a server that does not answer.
  private static func isAnyOpen(_ files: [(status: FileStatus, ending: String)], in process: Int32) -> Bool {
    let folder = "/proc/\(process)/fd/"
    return names(in: folder).contains { descriptor in
      let link = folder + descriptor
      guard isForWriting(link), let target = target(of: link), target.hasPrefix("/") else { return false }
      let number = inode(of: descriptor, in: process)
      return files.contains { file in
        (target.hasSuffix(file.ending) || number == file.status.inode)
          && FileStatus(path: link)?.isSameFile(as: file.status) == true
      }
    }
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
    guard let stream = opendir(folder) else { return [] }
    defer { closedir(stream) }
    var names: [String] = []
    while let entry = readdir(stream) {
      names.append(
        withUnsafePointer(to: &entry.pointee.d_name) {
          $0.withMemoryRebound(to: CChar.self, capacity: 1) { String(cString: $0) }
        })
    }
    return names
  }

  private static func target(of link: String) -> String? {
    let target = String(unsafeUninitializedCapacity: Int(PATH_MAX)) { bytes in
      bytes.withMemoryRebound(to: CChar.self) {
        max(0, $0.baseAddress.map { readlink(link, $0, Int(PATH_MAX)) } ?? 0)
      }
    }
    return target.isEmpty ? nil : target
  }

  /// The bits of such a link tell how the file was opened.
  private static func isForWriting(_ link: String) -> Bool {
    var status = stat()
    return lstat(link, &status) == 0 && mode_t(status.st_mode) & mode_t(S_IWUSR) != 0
  }
}
