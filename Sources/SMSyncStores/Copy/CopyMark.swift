import Foundation
import SQLiteFiles
import StoreInterface

/// What lies in a copy, and says that Parley has made it: by the words, the folder it was made in, the file that is its store, and
/// the rows that Parley has left in it.
///
/// Put back on a device it is a copy no more. A file's number stays with its folder, but the next file there may have it again: so
/// the rows tell the store. One that an app has changed, or that lies in the place of the copy's, is only read.
package struct CopyMark: Sendable, Equatable {
  package static let name = "parley-copy.txt"

  /// Whether files came with the round, too: the server's lock ended with their transfer, also where their rows are gone since.
  let bringsFiles: Bool
  /// The seals of the rows that Parley has left: while it writes, those of before and after, as a crash leaves one or the other.
  private(set) var seals: [String]
  private let folder: String
  /// All before the line with the seals.
  private let head: String

  private static let start = "A copy that Parley has made of "
  private static let rows = "rows "

  /// That of a copy as it is now, which is not written yet.
  ///
  /// - Throws: ``StoreError``, also ``StoreError/writeFailed(path:detail:)``
  package static func made(
    in folder: String, of name: String, bringsFiles: Bool = false
  ) throws -> CopyMark {
    let path = folder + "/" + CopyMark.name
    let folder = FileStatus.real(folder) ?? folder
    guard let end = CopyMark.end(in: folder, bringsFiles), let store = ContainerFiles.database(in: folder)
    else {
      throw StoreError.writeFailed(path: path, detail: "there is no store in the copy")
    }
    return CopyMark(
      bringsFiles: bringsFiles, seals: [try RowSeal.ofDatabase(store)], folder: folder,
      head: start + name + end)
  }

  /// nil if there is none in the folder, or it is not as Parley writes it there.
  ///
  /// - Parameter folder: its whole path.
  init?(in folder: String) {
    let path = folder + "/" + CopyMark.name
    guard !FileStatus.isLink(path), let bytes = try? RegularFile(path).bytes(limit: 64 << 10) else {
      return nil
    }
    var lines = String(decoding: bytes, as: UTF8.self).split(
      separator: "\n", omittingEmptySubsequences: false)
    guard lines.popLast() == "", let last = lines.popLast(), last.hasPrefix(CopyMark.rows) else { return nil }
    let head = lines.joined(separator: "\n") + "\n"
    let bringsFiles = [false, true].first { CopyMark.end(in: folder, $0).map(head.hasSuffix) ?? false }
    guard let bringsFiles, head.hasPrefix(CopyMark.start) else { return nil }
    let seals = last.dropFirst(CopyMark.rows.count).split(separator: " ").map(String.init)
    self.init(bringsFiles: bringsFiles, seals: seals, folder: folder, head: head)
  }

  private init(bringsFiles: Bool, seals: [String], folder: String, head: String) {
    (self.bringsFiles, self.seals, self.folder, self.head) = (bringsFiles, seals, folder, head)
  }

  private static func end(in folder: String, _ bringsFiles: Bool) -> String? {
    guard let store = ContainerFiles.database(in: folder).flatMap(FileStatus.init(path:)) else { return nil }
    return """
      , so that decisions can be written into its store.
      No app has it open. With another store, or anywhere else than here, it is taken for a container of an app, which is only read:
      \(folder)
      store \(store.inode)\(bringsFiles ? ", of a round with files" : "")

      """
  }

  /// Whether a folder has one, wherever it was made.
  static func lies(in folder: String) -> Bool {
    let path = folder + "/" + CopyMark.name
    return FileStatus(path: path)?.size != 0 && begins(path)
  }

  /// Whether a file has the words of one, as far as it goes.
  static func begins(_ path: String) -> Bool {
    let words = Array(start.utf8)
    guard !FileStatus.isLink(path), let bytes = try? RegularFile(path).bytes(at: 0, words.count) else {
      return false
    }
    return words.starts(with: bytes)
  }

  /// Puts it where it belongs, in the place of whatever lies there.
  ///
  /// - Throws: ``StoreError/writeFailed(path:detail:)``
  package func write() throws {
    let text = head + CopyMark.rows + seals.joined(separator: " ") + "\n"
    try DurableFile.write(Array(text.utf8), to: folder + "/" + CopyMark.name)
    DurableFile.sync(folder: folder)
  }
}

extension CopyMark {
  /// Says that these are the rows that Parley leaves, or one of these while it writes.
  ///
  /// - Throws: ``StoreError/writeFailed(path:detail:)``
  func seal(_ seals: [String]) throws {
    var mark = self
    mark.seals = seals.unique
    try mark.write()
  }

  /// Why a folder that was a copy's has none now.
  static func whyNone(in folder: String) -> String {
    let anew = "make a copy of the container anew"
    do {
      _ = try RegularFile(folder + "/" + name).bytes(at: 0, 1)
      return "its mark \(name) is not that of the store in it; \(anew)"
    } catch StoreError.fileMissing {
      return "its mark \(name) is gone; \(anew)"
    } catch StoreError.cannotRead(_, let detail, _) {
      return "its mark \(name) cannot be read: \(detail)"
    } catch {
      return "its mark \(name) is no file any more; \(anew)"
    }
  }

  static let isChanged = """
    its rows are not as Parley left them: an app has changed it, or another store lies in the place of the copy's; \
    make a copy of the container anew
    """
}
