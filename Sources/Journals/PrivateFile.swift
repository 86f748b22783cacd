import Merging
import SQLiteFiles

#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// Files and folders for their owner alone: a journal holds whole rows.
package enum PrivateFile {
  /// Makes an empty file, unless there is one. SQLite gives `-wal` and `-shm` the permissions of the database.
  package static func make(_ path: String) {
    let file = open(path, O_CREAT | O_EXCL | O_WRONLY | O_CLOEXEC, 0o600)
    if file >= 0 { close(file) }
  }

  /// Takes everybody else's permissions away. Where that is not ours to do, it stays as it is.
  package static func tighten(_ path: String) {
    var status = stat()
    guard stat(path, &status) == 0 else { return }
    let rights = mode_t(status.st_mode) & 0o7777
    if rights & 0o077 != 0 { chmod(path, rights & 0o700) }
  }

  /// Makes a folder, and those it lies in.
  package static func makeFolder(_ path: String) -> Bool {
    if FileStatus(path: path)?.isFolder == true { return true }
    let parent = folderAndName(path).folder
    guard parent != path, makeFolder(parent) else { return false }
    return mkdir(path, 0o700) == 0 || errno == EEXIST
  }
}
