import Foundation
import StoreInterface

/// A file that is whole on the disk, or not there under its name.
package enum DurableFile {
  /// Of the file that takes its place.
  package static let suffix = ".new"

  /// - Parameter mode: who may read and write it.
  /// - Throws: ``StoreError/writeFailed(path:detail:)``
  package static func write(_ bytes: [UInt8], to path: String, mode: mode_t = 0o600) throws {
    let temporary = path + suffix
    unlink(temporary)
    let file = open(temporary, O_CREAT | O_EXCL | O_WRONLY | O_CLOEXEC | O_NOFOLLOW, mode)
    guard file >= 0 else { throw StoreError.notWritten(path) }
    do {
      defer { close(file) }
      guard writeAll(bytes, to: file, at: 0), fsync(file) == 0 else { throw StoreError.notWritten(path) }
    } catch {
      unlink(temporary)
      throw error
    }
    guard rename(temporary, path) == 0 else {
      let error = StoreError.notWritten(path)
      unlink(temporary)
      throw error
    }
  }

  /// What was renamed in it, or removed, is so after a crash, too.
  package static func sync(folder: String) {
    let file = open(folder, O_RDONLY | O_CLOEXEC)
    if file < 0 { return }
    fsync(file)
    close(file)
  }
}

extension StoreError {
  /// That it could not be written, with what the system said last.
  package static func notWritten(_ path: String) -> StoreError {
    .writeFailed(path: path, detail: String(cString: strerror(errno)))
  }
}
