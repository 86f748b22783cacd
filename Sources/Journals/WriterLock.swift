import Foundation
import SQLiteFiles
import StoreInterface

/// Held by the one Parley that writes a store which has no lock of its own, such as one on a server: another would take what is just
/// being written for something interrupted. It is a file beside the journal, and ends with the process that holds it.
package struct WriterLock: Sendable {
  private let path: String

  package init(beside journal: String) { path = journal + ".lock" }

  /// Runs `body` while nobody else holds it. Who does is waited for as one that has a database: most writes end within that time, and
  /// who only looks whether it is held holds it for a moment.
  ///
  /// - Throws: ``StoreError/readOnly(path:reason:)``, which names `store`; ``StoreError/stopped(path:)`` where nobody waits any more;
  ///   ``StoreError/journalForbidden(path:detail:)``
  package func holding<Result>(for store: String, _ body: () throws -> Result) throws -> Result {
    var file: Int32?
    defer { if let file { release(file) } }
    let access = try LockProbe.patient {
      file = try takenToWrite()
      return file == nil ? Self.isHeldByAnother : .writable
    }
    try access.check(store)
    return try body()
  }

  /// The store itself can be read meanwhile.
  static let isHeldByAnother = StoreAccess.inUse(
    reason: "another Parley has it for writing; it can be written once that is done")

  package var isHeld: Bool {
    guard FileStatus(path: path) != nil else { return false }
    guard let file = taken(make: false) else { return true }
    release(file)
    return false
  }

  /// nil if somebody holds it.
  ///
  /// - Throws: ``StoreError/journalForbidden(path:detail:)``
  private func takenToWrite() throws -> Int32? {
    if let file = taken(make: true) { return file }
    if FileStatus(path: path)?.isFolder == true {
      throw StoreError.journalForbidden(path: path, detail: "it is a folder")
    }
    if access(path, R_OK | W_OK) != 0 {
      throw StoreError.journalForbidden(path: path, detail: String(cString: strerror(errno)))
    }
    return nil
  }

  /// Not by closing alone: a process that is just being started has the file open, too, until it is another program.
  private func release(_ file: Int32) {
    _ = flock(file, LOCK_UN)
    close(file)
  }

  /// nil if somebody holds it.
  private func taken(make: Bool) -> Int32? {
    if make, PrivateFile.makeFolder(folderAndName(path).folder) { PrivateFile.make(path) }
    let file = open(path, O_RDWR | O_CLOEXEC)
    guard file >= 0 else { return nil }
    if flock(file, LOCK_EX | LOCK_NB) == 0 { return file }
    close(file)
    return nil
  }
}
