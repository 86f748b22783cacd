import Foundation
import SQLiteFiles
import StoreInterface

/// Held by the one Parley that writes a store which has no lock of its own, such as one on a server: another would take what is just
/// being written for something interrupted. It is a file beside the journal, and ends with the process that holds it.
package struct WriterLock: Sendable {
  private let path: String

  package init(beside journal: String) { path = journal + ".lock" }

  /// Runs `body` while nobody else holds it.
  ///
  /// - Throws: ``StoreError/locked(path:holder:)``, which names `store`.
  package func holding<Result>(for store: String, _ body: () throws -> Result) throws -> Result {
    guard let file = takenSoon() else {
      if FileStatus(path: path)?.isFolder == true {
        throw StoreError.journalForbidden(path: path, detail: "it is a folder")
      }
      if access(path, R_OK | W_OK) != 0 {
        throw StoreError.journalForbidden(path: path, detail: String(cString: strerror(errno)))
      }
      throw StoreError.locked(path: store, holder: "another Parley")
    }
    defer { release(file) }
    return try body()
  }

  package var isHeld: Bool {
    guard FileStatus(path: path) != nil else { return false }
    guard let file = taken(make: false) else { return true }
    release(file)
    return false
  }

  /// Who only looks whether it is held holds it for a moment.
  private func takenSoon() -> Int32? {
    for _ in 0..<5 {
      if let file = taken(make: true) { return file }
      usleep(10_000)
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
