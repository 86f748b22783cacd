import Foundation
import Journals
import SQLiteFiles
import StoreInterface

/// A folder that a copy is made in, by its whole path: what is made there can be taken away again.
struct NewFolder {
  let path: String
  /// This one and those it lies in that were not there, the innermost first.
  private let missing: [String]

  /// - Throws: ``StoreError/writeFailed(path:detail:)`` for one that is no empty folder, or lies in the container.
  init(_ folder: String, outside container: String) throws {
    let failure = { (detail: String) in StoreError.writeFailed(path: folder, detail: detail) }
    guard let (path, missing) = NewFolder.place(folder) else {
      throw failure("its path leads over a folder that is not there, and nobody can tell where to")
    }
    guard !NewFolder.isInside(path, container) else {
      throw failure("it lies in the container itself, which is only read")
    }
    let isThere = missing.isEmpty
    guard !isThere || (try? FileManager.default.contentsOfDirectory(atPath: path))?.isEmpty == true else {
      throw failure("it is there already and not an empty folder, and the copy would mix with what is there")
    }
    (self.path, self.missing) = (path, missing)
  }

  /// Where a folder will lie: what is there of its path without symbolic links, and the rest. nil if the rest
  /// goes up again, or over a link that leads nowhere.
  private static func place(_ path: String) -> (path: String, missing: [String])? {
    if let real = ContainerFiles.real(path) { return (real, []) }
    let path = path.count > 1 && path.hasSuffix("/") ? String(path.dropLast()) : path
    let (folder, name) = folderAndName(path)
    guard !FileStatus.isLink(path), folder != path, name != "..", let outer = place(folder) else {
      return nil
    }
    if name.isEmpty || name == "." { return outer }
    let whole = (outer.path == "/" ? "" : outer.path) + "/" + name
    return (whole, [whole] + outer.missing)
  }

  private static func isInside(_ path: String, _ container: String) -> Bool {
    // What is not there holds nothing.
    guard let outer = ContainerFiles.real(container) else { return false }
    return path == outer || path.hasPrefix(outer + "/")
  }

  /// Takes away what was made in it, and then the folders that were not there, unless somebody else has put something into one.
  func remove() {
    for name in (try? FileManager.default.contentsOfDirectory(atPath: path)) ?? [] {
      try? FileManager.default.removeItem(atPath: path + "/" + name)
    }
    for folder in missing { rmdir(folder) }
  }
}
