import ExactJSON
import Foundation
import SQLiteFiles

/// What lies in the place of a ``CopyMark`` while a copy is made. Whoever makes it holds it locked: one that nobody holds was left by a
/// Parley that was killed, so that what lies there is known to be half of a copy, and the next one takes its place.
///
///     Half of a copy that Parley makes of a container, …
///     Nothing reads it; …
///     /the/folder
///     Documents/
///     Documents/SMSyncServerModel.sqlite
///
/// Each name is there before the file is, that of a folder with a `/` at its end: what is not named, or is something else than it was
/// made as, is a person's own, and is never taken away. A mark that names what lies elsewhere is none of Parley's.
final class UnfinishedMark {
  private let file: Int32
  private var end = 0

  private static let start = "Half of a copy that Parley makes of a container, or was ended while it made it."

  private static func head(_ folder: String) -> String {
    start + "\nNothing reads it; parley write --copy to this place makes it anew:\n\(folder)\n"
  }

  private init(_ file: Int32) { self.file = file }

  deinit { close(file) }

  /// Whether half of a copy lies in a folder, wherever it was made.
  static func lies(in folder: String) -> Bool {
    let path = folder + "/" + CopyMark.name
    guard !FileStatus.isLink(path), let mark = try? RegularFile(path) else { return false }
    return (try? mark.bytes(at: 0, start.utf8.count)) == Array(start.utf8)
  }

  enum Found: Equatable {
    /// No half of a copy.
    case nothing
    /// One that was made in another folder, or whose mark is not as Parley leaves it.
    case moved
    /// One, with nothing beside what Parley has made; or the place of whose mark was taken, and no more.
    case half
    /// One, and what somebody has put there, by its path in the folder.
    case halfWith(String)
    /// One, and a file in it, by its path, that has other bytes than the container's.
    case halfWithOther(String)
  }

  /// - Parameters:
  ///   - folder: its whole path.
  ///   - original: what it is half of.
  static func found(in folder: String, of original: CopiedBytes) -> Found {
    guard let names = names(in: folder) else { return lies(in: folder) ? .moved : .nothing }
    let made = Set(names + names.flatMap(companions) + own)
    let isNamed = text(in: folder) != ""
    if let other = other(in: folder, "", than: made) { return isNamed ? .halfWith(other) : .nothing }
    guard let other = original.firstOther(of: made.sorted(), in: folder) else { return .half }
    return isNamed ? .halfWithOther(other) : .nothing
  }

  /// The first that is not as it was made, by its path in the folder. Parley makes no link: behind one lies what is somebody else's.
  private static func other(in folder: String, _ prefix: String, than made: Set<String>) -> String? {
    guard let inside = try? FolderNames(folder + "/" + prefix) else { return prefix }
    if let odd = inside.odd.first { return prefix + odd }
    for name in inside.names.map({ prefix + $0 }) {
      let place = folder + "/" + name
      let status = FileStatus.isLink(place) ? nil : FileStatus(path: place)
      if status?.isFolder == true, made.contains(name + "/") {
        if let other = other(in: folder, name + "/", than: made) { return other }
      } else if status?.isRegular != true || !made.contains(name) {
        return name
      }
    }
    return nil
  }

  /// What lies beside the store without being named, as whoever looked into it may have left it.
  static func companions(of name: String) -> [String] {
    folderAndName("/" + name).name == ContainerFiles.databaseName ? [name + "-wal", name + "-shm"] : []
  }

  /// What was made in a folder, in its order, that of a folder with a `/` at its end; nil if that was no half of a copy.
  static func names(in folder: String) -> [String]? {
    guard let text = text(in: folder) else { return nil }
    if text.isEmpty { return [] }
    guard text.hasPrefix(head(folder)) else { return nil }
    // The last one counts once its line has an end.
    let lines = String(text.dropFirst(head(folder).count)).parts(between: "\n")
    let names = lines.dropLast().map { $0.removingPercentEncoding ?? String($0) }
    return names.allSatisfy { ContainerFiles.staysInside(withoutSlash($0)) } ? names : nil
  }

  private static let own = [CopyMark.name, CopyMark.name + DurableFile.suffix]
  private static let sizeLimit = 256 << 20

  /// nil also of one that has a second name: written to, what lies under that would be another.
  private static func text(in folder: String) -> String? {
    let path = folder + "/" + CopyMark.name
    guard !FileStatus.isLink(path), FileStatus(path: path)?.hasOtherNames == false,
      let bytes = try? RegularFile(path).bytes(limit: sizeLimit)
    else { return nil }
    return String(decoding: bytes, as: UTF8.self)
  }

  /// - Parameter file: the mark's, open for writing.
  /// - Returns: nil if somebody else holds it, or knows it by another name.
  static func take(_ file: Int32) -> UnfinishedMark? {
    let mark = UnfinishedMark(file)
    guard flock(file, LOCK_EX | LOCK_NB) == 0 else { return nil }
    return FileStatus(descriptor: file)?.hasOtherNames == false ? mark : nil
  }

  /// Says that half of a copy lies there, of which nothing is made yet.
  ///
  /// - Returns: whether it could be written.
  func begin(_ folder: String) -> Bool {
    end = 0
    return ftruncate(file, 0) == 0 && append(UnfinishedMark.head(folder))
  }

  /// Says what is made next, by its path in the folder.
  ///
  /// - Returns: whether it could be written.
  func tell(_ name: String) -> Bool { append(UnfinishedMark.escaped(name) + "\n") }

  private func append(_ text: String) -> Bool {
    let bytes = Array(text.utf8)
    guard writeAll(bytes, to: file, at: end) else { return false }
    end += bytes.count
    return true
  }

  /// A name may hold the end of a line.
  private static func escaped(_ name: String) -> String {
    name.replacingEach("%", with: "%25").replacingEach("\n", with: "%0A")
  }
}
