import Foundation
import SQLiteFiles
import StoreInterface

/// What lies in a copy, and says that Parley has made it: by the words, the folder it was made in, and the file that is its store.
///
/// Put back on a device, or with another store in its place, it is a copy no more. A file's number stays with its folder; one that a
/// backup brought back has another, and is only read.
package struct CopyMark: Sendable, Equatable {
  package static let name = "parley-copy.txt"

  /// Whether files came with the round, too: the server's lock ended with their transfer, also where their rows are gone since.
  let bringsFiles: Bool

  private static let start = "A copy that Parley has made of "

  /// - Throws: ``StoreError/writeFailed(path:detail:)``
  package static func put(
    into folder: String, of name: String, bringsFiles: Bool = false
  ) throws {
    let path = folder + "/" + CopyMark.name
    let mark = CopyMark(bringsFiles: bringsFiles)
    guard let end = mark.end(in: ContainerFiles.real(folder) ?? folder) else {
      throw StoreError.writeFailed(path: path, detail: "there is no store in the copy")
    }
    try DurableFile.write(Array((start + name + end).utf8), to: path)
    DurableFile.sync(folder: folder)
  }

  /// nil if there is none in the folder, or it is not as Parley writes it there.
  ///
  /// - Parameter folder: its whole path.
  init?(in folder: String) {
    let path = folder + "/" + CopyMark.name
    guard !FileStatus.isLink(path), let bytes = try? RegularFile(path).bytes(limit: 64 << 10) else {
      return nil
    }
    let text = String(decoding: bytes, as: UTF8.self)
    let mark = [false, true].map(CopyMark.init(bringsFiles:)).first { mark in
      mark.end(in: folder).map(text.hasSuffix) ?? false
    }
    guard let mark, text.hasPrefix(CopyMark.start) else { return nil }
    self = mark
  }

  private init(bringsFiles: Bool) { self.bringsFiles = bringsFiles }

  private func end(in folder: String) -> String? {
    guard let store = ContainerFiles.database(in: folder).flatMap(FileStatus.init(path:)) else { return nil }
    return """
      , so that decisions can be written into its store.
      No app has it open. With another store, or anywhere else than here, it is taken for a container of an app, which is only read:
      \(folder)
      store \(store.inode)\(bringsFiles ? ", of a round with files" : "")

      """
  }
}
