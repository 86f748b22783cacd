import Foundation
import Journals
import Merging
import SQLiteFiles
import StoreInterface

/// A copy of a container, into which decisions may be written: the container itself never is.
///
/// Symbolic links are not copied, nor is what is no file, and nothing outside of the container is: who asks for a copy is told. The copy has a mark, by which it is known as one, and a
/// journal of its own, with the decisions of the original's and no others.
package enum ContainerCopy {
  /// What whoever asked for a copy is told.
  package struct Told: Sendable, Equatable {
    /// What was left out of it, each with its reason.
    package var leftOut: [String] = []
    /// Where journals went that lay at this place from an earlier copy, or container.
    package var setAside: [String] = []
    /// By which it can be taken away again.
    package let made: MadeInFolder
  }

  /// Copies the container at `path` into `folder`, which is not there yet, or empty, and which nobody else makes meanwhile.
  ///
  /// How much of it is done goes to ``StoreCall/current``, which may end it.
  ///
  /// - Parameter finish: what else has to succeed, with the files of the copy, which nobody else can open before: whatever fails,
  ///   nothing is left of the copy.
  /// - Throws: ``StoreError/stopped(path:)``, ``StoreError/writeFailed(path:detail:)``, also while a round is in flight or may be; ``StoreError/copyIsThere(path:)``,
  ///   ``StoreError/locked(path:holder:)``, ``StoreError/beingWritten(path:)``, ``StoreError/cannotRead(path:detail:isForbidden:)``
  @discardableResult
  package static func make(
    of path: String, in folder: String, finish: (ContainerFiles) throws -> Void = { _ in }
  ) throws -> Told {
    let (files, probe, new, bringsFiles) = try beginning(of: path, in: folder)
    var log: NewLog?
    do {
      try new.claim()
      try copy(files, watching: probe, to: new)
      let mark = try CopyMark.made(
        in: new.path, of: files.name, bringsFiles: bringsFiles || files.mark?.bringsFiles == true)
      let copied = try ContainerFiles(madeIn: new.path, mark: mark)
      log = try NewLog(of: copied)
      try finish(copied)
      // Whoever does not want it any more said so too late for its bytes, and would have all of it.
      try StoreCall.current.check(path)
      // Last: a copy that was ended before its decisions were there would pass for one in which nothing was decided.
      try mark.write()
      return Told(leftOut: new.leftOut, setAside: log?.setAside ?? [], made: new.made)
    } catch {
      // Half of a copy, without its mark, would be taken for a container.
      log?.remove()
      new.remove()
      throw error
    }
  }

  /// Fails where ``make(of:in:finish:)`` would before it copies anything. Nothing is made.
  package static func check(of path: String, in folder: String) throws {
    try beginning(of: path, in: folder).new.checkCanBeMade()
  }

  private typealias Beginning = (files: ContainerFiles, probe: LockProbe, new: NewFolder, bringsFiles: Bool)

  private static func beginning(of path: String, in folder: String) throws -> Beginning {
    let files = try ContainerFiles(path: path)
    let probe = try FileStatus.checkDatabase(files.database)
    let new = try NewFolder(folder, of: files)
    try checkIsAtRest(files, probe, for: folder)
    return (files, probe, new, try checkNoRound(in: path, for: folder))
  }

  private static func checkIsAtRest(
    _ files: ContainerFiles, _ probe: LockProbe, for folder: String
  ) throws {
    if let user = LockProbe.user(ofAny: [probe]) {
      throw StoreError.locked(path: files.database, holder: user.description)
    }
    if let trouble = LogTrouble(beside: files.database) {
      throw StoreError.writeFailed(path: folder, detail: trouble.words)
    }
  }

  /// In the container itself: what is no plain file does not come along.
  ///
  /// - Returns: whether it brings files.
  private static func checkNoRound(in path: String, for folder: String) throws -> Bool {
    let (round, bringsFiles) = try SMSyncStore.open(path: path, finishing: false).round()
    if let round { throw StoreError.writeFailed(path: folder, detail: round.words) }
    return bringsFiles
  }

  /// - Throws: ``StoreError/beingWritten(path:)``, where it is not the same store behind the copy that it was before.
  private static func copy(_ files: ContainerFiles, watching probe: LockProbe, to new: NewFolder) throws {
    let before = FileStatus.traces(ofDatabase: files.database)
    try copy(files, to: new, CopyProgress(files))
    guard FileStatus.traces(ofDatabase: files.database) == before, probe.holder() == nil else {
      throw StoreError.beingWritten(path: files.database)
    }
  }

  /// Takes a copy away again into which nothing was written, with its journal: it would block the next one at its place. What somebody
  /// else has put into it stays.
  ///
  /// - Parameter made: what ``make(of:in:finish:)`` made of it.
  /// - Returns: whether it is gone.
  package static func removeUnwritten(_ made: MadeInFolder) throws -> Bool {
    guard let log = try unwrittenLog(made) else { return false }
    // First, as it may lie in a folder that was made, too.
    NewLog.remove(log)
    made.remove()
    return !CopyMark.lies(in: made.folder)
  }

  /// Whether nothing was written into it, so that ``removeUnwritten(_:)`` would take it away.
  package static func isUnwritten(_ made: MadeInFolder) throws -> Bool { try unwrittenLog(made) != nil }

  /// The journal of such a copy. Neither is open any more when this returns.
  private static func unwrittenLog(_ made: MadeInFolder) throws -> String? {
    let store = try SMSyncStore.open(path: made.folder, finishing: false)
    return try store.isCopy && store.lastWrite() == nil ? store.log.path : nil
  }

  /// A database alone comes with what lies beside it under its own names.
  private static func copy(_ files: ContainerFiles, to folder: NewFolder, _ progress: CopyProgress) throws {
    if let root = files.whole { return try copyContents(root, to: folder, "", progress) }
    try folder.makeFolder("Documents")
    for suffix in ["", "-wal", "-journal"] where FileStatus(path: files.database + suffix) != nil {
      try copyFile(
        files.database + suffix, to: folder, "Documents/" + ContainerFiles.databaseName + suffix, progress)
    }
    let temporary = files.documents + "/Temporary"
    if FileStatus.isLink(temporary) {
      folder.leaveOut("Documents/Temporary", FileStatus.link)
    } else if FileStatus(path: temporary)?.isFolder == true {
      try copyFolder(temporary, to: folder, "Documents/Temporary", progress)
    }
  }

  private static func copyFolder(
    _ source: String, to folder: NewFolder, _ name: String, _ progress: CopyProgress
  ) throws {
    try folder.makeFolder(name)
    try copyContents(source, to: folder, name + "/", progress)
  }

  private static func copyContents(
    _ source: String, to folder: NewFolder, _ prefix: String, _ progress: CopyProgress
  ) throws {
    let inside = try FolderNames(source)
    for name in inside.odd { folder.leaveOut(prefix + name, "its name is not UTF-8") }
    for name in inside.names where !belongsToItsPlace(source, prefix, name) {
      try copyOne(source + "/" + name, to: folder, prefix + name, progress)
    }
  }

  /// SQLite makes the store's `-shm` anew, and a copy has a mark of its own.
  private static func belongsToItsPlace(_ source: String, _ prefix: String, _ name: String) -> Bool {
    if prefix.isEmpty, name == CopyMark.name { return CopyMark(in: source) != nil }
    let place = source + "/" + name
    return ContainerFiles.stores.contains { prefix + name == $0 + "-shm" } && !FileStatus.isLink(place)
      && FileStatus(path: place)?.isRegular == true
  }

  private static func copyOne(
    _ source: String, to folder: NewFolder, _ name: String, _ progress: CopyProgress
  ) throws {
    if FileStatus.isLink(source) { return folder.leaveOut(name, FileStatus.link) }
    guard let status = FileStatus(path: source) else { return }
    if name == CopyMark.name {
      folder.leaveOut(name, "the copy's own mark lies there")
    } else if status.isFolder {
      try copyFolder(source, to: folder, name, progress)
    } else if status.isRegular {
      try copyFile(source, to: folder, name, progress)
    } else {
      folder.leaveOut(name, status.kind)
    }
  }

  private static func copyFile(
    _ source: String, to folder: NewFolder, _ name: String, _ progress: CopyProgress
  ) throws {
    let file = try RegularFile(source)
    try folder.makeFile(name) { try copy(file, into: $0, folder.path + "/" + name, progress) }
  }

  private static func copy(
    _ file: RegularFile, into copy: Int32, _ target: String, _ progress: CopyProgress
  ) throws {
    defer { close(copy) }
    var offset = 0
    while true {
      let block = try file.bytes(at: offset, 1 << 20)
      try progress.advance(block.count)
      if block.isEmpty { break }
      guard writeAll(block, to: copy, at: offset) else { throw StoreError.notWritten(target) }
      offset += block.count
    }
    guard fsync(copy) == 0 else { throw StoreError.notWritten(target) }
  }
}

/// The journal of a copy that is being made. One that lies there already is that of an earlier copy, or container, of this name: what
/// was decided in it was decided about nothing that is here, and its receipts tell of rows that are not.
private struct NewLog {
  private typealias Move = (from: String, to: String)

  private let path: String
  private let former: [Move]

  var setAside: [String] { former.map(\.to) }

  init(of copy: ContainerFiles) throws {
    former = try NewLog.setAside(of: copy)
    path = NewLog.path(copy)
  }

  /// There may be one under each of the names that it can have. Where one stays, all do.
  private static func setAside(of copy: ContainerFiles) throws -> [Move] {
    var former: [Move] = []
    while let path = lying(copy) {
      let aside = freeName(path)
      do {
        try move(path, to: aside)
      } catch {
        bringBack(former)
        throw error
      }
      former.append((path, aside))
    }
    return former
  }

  private static func lying(_ copy: ContainerFiles) -> String? {
    let path = path(copy)
    return FileStatus(path: path) == nil ? nil : path
  }

  private static func path(_ copy: ContainerFiles) -> String {
    let log = Journal(kind: SMSyncStore.kind, database: copy.anchor, reading: .ofFiles, clock: { 0 })
    defer { log.close() }
    return log.path
  }

  /// No store takes that for its journal.
  private static func freeName(_ path: String) -> String {
    var number = 1
    while FileStatus(path: path + ".earlier-\(number)") != nil { number += 1 }
    return path + ".earlier-\(number)"
  }

  /// What belongs to it goes first: beside another journal it would be taken for that one's. Without it a journal does not have what was
  /// written last, so where one of the files stays, all do.
  private static func move(_ path: String, to other: String) throws {
    var moved: [String] = []
    for suffix in ["-wal", "-shm", ""] where FileStatus(path: path + suffix) != nil {
      guard rename(path + suffix, other + suffix) == 0 else {
        let reason = String(cString: strerror(errno))
        for suffix in moved.reversed() { rename(other + suffix, path + suffix) }
        throw StoreError.writeFailed(
          path: path, detail: "the journal of an earlier copy cannot be set aside: " + reason)
      }
      moved.append(suffix)
    }
  }

  /// Takes it away, and brings back what lay there.
  func remove() {
    NewLog.remove(path)
    NewLog.bringBack(former)
  }

  private static func bringBack(_ former: [Move]) {
    for (from, to) in former.reversed() { try? move(to, to: from) }
  }

  static func remove(_ path: String) {
    for suffix in ["", "-wal", "-shm", ".lock"] { unlink(path + suffix) }
  }
}

extension SMSyncStore {
  fileprivate func round() throws -> (inFlight: RoundInFlight?, bringsFiles: Bool) {
    try readFiles { (try $0.reader.roundInFlight(files), try $0.reader.bringsFiles()) }
  }

  /// Takes over what was decided in another container's journal about the conflicts that are here, too.
  package func takeDecisions(from original: SMSyncStore) throws {
    let walk = conflicts()
    while let page = try walk.next(limit: 500) {
      let decisions = try original.log.decisions(for: page.summaries.map(\.id))
      let inForce = try original.conflicts(page.summaries.map(\.id)).flatMap { conflict in
        let own = decisions.filter { $0.id.hasSameBytes(as: conflict.id) }
        let resolution = conflict.resolution(from: own)
        return own.filter { $0.choice != nil && resolution[$0.subject] == $0.choice }
      }
      try log.append(inForce)
    }
  }
}
