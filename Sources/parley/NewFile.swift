import Foundation

/// A file that was not there before: nothing is ever overwritten.
enum NewFile {
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
      try FileHandle(fileDescriptor: descriptor, closeOnDealloc: true).write(contentsOf: Data(text.utf8))
    } catch {
      throw CommandError.cannotWrite(path: path, detail: systemError())
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
