import Foundation
import SQLiteFiles

/// What lies in the place of a ``CopyMark`` while a copy is made. Whoever makes it holds it locked: one that nobody holds was left by a
/// Parley that was killed, so that what lies there is known to be half of a copy, and the next one takes its place.
final class UnfinishedMark {
  private let file: Int32

  private static let start = "Half of a copy that Parley makes of a container, or was ended while it made it."

  private static func text(_ folder: String) -> String {
    start + "\nNothing reads it; parley write --copy to this place makes it anew:\n\(folder)\n"
  }

  private init(_ file: Int32) { self.file = file }

  deinit { close(file) }

  /// Whether half of a copy lies in a folder, wherever it was made.
  static func lies(in folder: String) -> Bool { text(in: folder)?.hasPrefix(start) == true }

  /// Whether one does that was made there, or the place of whose mark was taken and no more.
  ///
  /// - Parameters:
  ///   - folder: its whole path.
  ///   - names: what else a copy would have in it: anything else is somebody's own, and stays.
  static func isReplaceable(in folder: String, names: Set<String>) -> Bool {
    guard let found = try? FileManager.default.contentsOfDirectory(atPath: folder) else { return false }
    let own = [CopyMark.name, CopyMark.name + DurableFile.suffix]
    let others = found.filter { !own.contains($0) }
    switch text(in: folder) {
    case UnfinishedMark.text(folder): return others.allSatisfy(names.contains)
    case "": return others.isEmpty
    default: return false
    }
  }

  private static func text(in folder: String) -> String? {
    let path = folder + "/" + CopyMark.name
    guard !FileStatus.isLink(path), let bytes = try? RegularFile(path).bytes(limit: 64 << 10) else {
      return nil
    }
    return String(decoding: bytes, as: UTF8.self)
  }

  /// - Parameter file: the mark's, open for writing.
  /// - Returns: nil if somebody else holds it.
  static func take(_ file: Int32, of folder: String) -> UnfinishedMark? {
    let mark = UnfinishedMark(file)
    guard flock(file, LOCK_EX | LOCK_NB) == 0, ftruncate(file, 0) == 0 else { return nil }
    let text = Array(text(folder).utf8)
    guard pwrite(file, text, text.count, 0) == text.count else { return nil }
    return mark
  }
}
