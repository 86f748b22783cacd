import Foundation
import SQLiteFiles
import StoreInterface

/// A folder that a copy is made in, by its whole path: what is made there, and nothing else, can be taken away again.
///
/// Another process may make one at the same place at the same time. Whoever makes the first file in it has it: everybody else fails
/// before anything is copied, so that no two copies mix, and nobody takes away what another has made. What one that was killed has
/// left is replaced (``UnfinishedMark``).
final class NewFolder {
  let path: String
  /// What was not copied, each with its reason.
  private(set) var leftOut: [String] = []
  private var mark: UnfinishedMark?
  private let original: CopiedBytes
  /// This one and those it lies in that were not there, the innermost first.
  private let missing: [String]
  private(set) var made: MadeInFolder

  /// - Throws: ``StoreError/writeFailed(path:detail:)`` for one that is no empty folder, or lies in the container, or holds what
  ///   somebody has put into half of a copy;
  ///   ``StoreError/copyIsThere(path:)``
  init(_ folder: String, of files: ContainerFiles) throws {
    let failure = { (detail: String) in StoreError.writeFailed(path: folder, detail: detail) }
    guard let (path, missing) = NewFolder.place(folder) else {
      throw failure("its path leads over a folder that is not there, and nobody can tell where to")
    }
    guard !NewFolder.isInside(path, files.root ?? files.documents + "/Temporary") else {
      throw failure("it lies in the container itself, which is only read")
    }
    let found = missing.isEmpty ? try? FolderNames(path) : FolderNames()
    if CopyMark(in: path) != nil { throw StoreError.copyIsThere(path: folder) }
    let original = CopiedBytes(of: files)
    let half = UnfinishedMark.found(in: path, of: original)
    if found?.all.isEmpty != true, let reason = NewFolder.whyNotReplaced(half) { throw failure(reason) }
    (self.path, self.missing, self.original) = (path, missing, original)
    made = MadeInFolder(folder: path)
  }

  /// Why what lies there stays; nil if nothing of it is a person's.
  private static func whyNotReplaced(_ found: UnfinishedMark.Found) -> String? {
    switch found {
    case .half: nil
    case .nothing: "it is there already and not an empty folder, and the copy would mix with what is there"
    case .moved:
      """
      it is there already and not an empty folder: it is half of a copy that was made elsewhere, or whose mark was changed. Take \
      out what is yours and delete it, or name another folder
      """
    case .halfWith(let name):
      "it is half of a copy, and \(name) in it is nothing that Parley has made: take that out, or name another folder"
    case .halfWithOther(let name):
      """
      it is half of a copy, and \(name) in it is not as the container has it now, so it may be yours: take out what is yours and \
      delete the rest, or name another folder
      """
    }
  }

  /// Where a folder will lie: what is there of its path without symbolic links, and the rest. nil if the rest
  /// goes up again, or over a link that leads nowhere.
  private static func place(_ path: String) -> (path: String, missing: [String])? {
    if let real = FileStatus.real(path) { return (real, []) }
    let path = withoutSlash(path)
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
    guard let outer = FileStatus.real(container) else { return false }
    return path == outer || path.hasPrefix(outer + "/")
  }
}

extension NewFolder {
  /// Of a folder that nobody makes yet: whether the system would let it be made, as far as can be told without trying.
  ///
  /// - Throws: ``StoreError/writeFailed(path:detail:)``
  func checkCanBeMade() throws {
    let first = missing.last ?? path + "/" + CopyMark.name
    let outer = folderAndName(first).folder
    guard FileStatus(path: outer)?.isFolder == true else {
      errno = ENOTDIR
      throw StoreError.notWritten(first)
    }
    guard FileStatus.isWritable(outer) else { throw StoreError.notWritten(first) }
  }

  /// Makes the folder, with the place of its mark in it, which is taken by one process alone.
  ///
  /// - Throws: ``StoreError/writeFailed(path:detail:)`` if another one was faster,
  ///   ``StoreError/cannotRead(path:detail:isForbidden:)``
  func claim() throws {
    for folder in missing.reversed() { try claim(folder) }
    let target = path + "/" + CopyMark.name
    if UnfinishedMark.found(in: path, of: original) == .half {
      try take(open(target, O_WRONLY | O_CLOEXEC | O_NOFOLLOW))
      try removeHalfOfACopy()
      made.names.append(CopyMark.name)
    } else {
      try makeFile(CopyMark.name) { try take($0) }
    }
    guard try FolderNames(path).all == [CopyMark.name] else {
      throw NewFolder.taken(path)
    }
    guard mark?.begin(path) == true else { throw StoreError.notWritten(target) }
  }

  private func take(_ file: Int32) throws {
    guard file >= 0, let mark = UnfinishedMark.take(file) else { throw NewFolder.taken(path) }
    self.mark = mark
  }

  /// While its mark is held: nobody else looks at it. It stays as it is until the rest is gone, and names what that is.
  private func removeHalfOfACopy() throws {
    guard UnfinishedMark.found(in: path, of: original) == .half, let names = UnfinishedMark.names(in: path)
    else {
      throw NewFolder.taken(path)
    }
    MadeInFolder(folder: path, names: [CopyMark.name + DurableFile.suffix] + names).remove()
  }

  /// - Parameter kind: what it is, as in "a symbolic link".
  func leaveOut(_ name: String, _ kind: String) { leftOut.append("\(name) (\(kind))") }

  /// Folders around it may be made by others, too; this one may not.
  private func claim(_ folder: String) throws {
    if mkdir(folder, 0o700) == 0 { return made.around.append(folder) }
    guard errno == EEXIST else { throw StoreError.notWritten(folder) }
    if folder == path { throw NewFolder.taken(path) }
  }

  private static func taken(_ path: String) -> StoreError {
    .writeFailed(
      path: path, detail: "somebody else makes something there at this moment, and the copy would mix with it"
    )
  }

  /// - Parameter name: relative to it.
  func makeFolder(_ name: String) throws {
    let folder = path + "/" + name
    try tell(name + "/")
    guard mkdir(folder, 0o700) == 0 else { throw StoreError.notWritten(folder) }
    made.names.append(name + "/")
  }

  /// - Parameter write: into the file, and closes it.
  func makeFile(_ name: String, _ write: (Int32) throws -> Void) throws {
    let target = path + "/" + name
    try tell(name)
    let file = open(target, O_CREAT | O_EXCL | O_WRONLY | O_CLOEXEC | O_NOFOLLOW, 0o600)
    guard file >= 0 else { throw errno == EEXIST ? NewFolder.taken(path) : StoreError.notWritten(target) }
    made.names.append(name)
    try write(file)
  }

  private func tell(_ name: String) throws {
    if let mark, !mark.tell(name) { throw StoreError.notWritten(path + "/" + name) }
  }

  /// Takes away what was made.
  func remove() {
    made.remove()
    made = MadeInFolder(folder: path)
  }
}
