import Foundation
import SQLiteFiles
import StoreInterface

/// What lies in a copy, and says that Parley has made it: by the words, the folder it was made in, and the file that is its store.
///
/// Put back on a device, or with another store in its place, it is a copy no more. A file's number stays with its folder; one that a
/// backup brought back has another, and is only read.
package enum CopyMark {
  package static let name = "parley-copy.txt"

  private static let start = "A copy that Parley has made of "

  /// - Throws: ``StoreError/writeFailed(path:detail:)``
  package static func put(into folder: String, of name: String) throws {
    let path = folder + "/" + CopyMark.name
    guard let end = end(in: ContainerFiles.real(folder) ?? folder) else {
      throw StoreError.writeFailed(path: path, detail: "there is no store in the copy")
    }
    try DurableFile.write(Array((start + name + end).utf8), to: path)
    DurableFile.sync(folder: folder)
  }

  /// - Parameter folder: its whole path.
  static func isThere(in folder: String) -> Bool {
    let path = folder + "/" + name
    guard !FileStatus.isLink(path), let end = end(in: folder),
      let bytes = try? RegularFile(path).bytes(limit: 64 << 10)
    else { return false }
    let text = String(decoding: bytes, as: UTF8.self)
    return text.hasPrefix(start) && text.hasSuffix(end)
  }

  private static func end(in folder: String) -> String? {
    guard let store = ContainerFiles.database(in: folder).flatMap(FileStatus.init(path:)) else { return nil }
    return """
      , so that decisions can be written into its store.
      No app has it open. With another store, or anywhere else than here, it is taken for a container of an app, which is only read:
      \(folder)
      store \(store.inode)

      """
  }
}
