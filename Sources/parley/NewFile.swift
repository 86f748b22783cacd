import Foundation

/// A file that was not there before: nothing is ever overwritten.
enum NewFile {
  /// All of it, on the disk, or no file.
  ///
  /// - Throws: ``CommandError/fileExists(path:)``, ``CommandError/cannotMakeFolder(path:detail:)``,
  ///   ``CommandError/cannotWrite(path:detail:)``
  static func write(_ text: String, to path: String, makingFolders: Bool = false) throws {
    if makingFolders { try makeFolder((path as NSString).deletingLastPathComponent) }
    let descriptor = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o644)
    guard descriptor >= 0 else {
      if errno == EEXIST { throw CommandError.fileExists(path: path) }
      throw CommandError.cannotWrite(path: path, detail: systemError())
    }
    do {
      let file = FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
      try file.write(contentsOf: Data(text.utf8))
      try file.synchronize()
    } catch {
      // Half of it would be taken for all of it.
      let detail = systemError()
      unlink(path)
      throw CommandError.cannotWrite(path: path, detail: detail)
    }
  }

  private static func makeFolder(_ folder: String) throws {
    do {
      try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    } catch {
      throw CommandError.cannotMakeFolder(path: folder, detail: systemError())
    }
  }
}
