import Foundation
import SQLiteFiles

/// A file that was not there before: nothing is ever overwritten.
enum NewFile {
  /// All of it, on the disk, or no file.
  ///
  /// - Throws: ``CommandError/fileExists(path:)``, ``CommandError/cannotMakeFolder(path:detail:)``,
  ///   ``CommandError/cannotWrite(path:detail:)``
  static func write(_ text: String, to path: String, makingFolders: Bool = false) throws {
    if makingFolders { try MissingFolders.make(folderAndName(path).folder) }
    let descriptor = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o644)
    guard descriptor >= 0 else {
      if errno == EEXIST { throw CommandError.fileExists(path: path) }
      throw CommandError.cannotWrite(path: path, detail: systemError())
    }
    defer { close(descriptor) }
    guard writeAll(Array(text.utf8), to: descriptor, at: 0), fsync(descriptor) == 0 else {
      // Half of it would be taken for all of it.
      let detail = systemError()
      unlink(path)
      throw CommandError.cannotWrite(path: path, detail: detail)
    }
  }
}
