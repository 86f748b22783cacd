import Foundation
import StoreInterface

/// A file that is whole on the disk, or not there under its name.
package enum DurableFile {
  /// Of the file that takes its place.
  package static let suffix = ".new"

  /// - Parameter model: a file of which it has owner and permissions; nil: it is for whoever writes it alone.
  /// - Throws: ``StoreError/writeFailed(path:detail:)``
  package static func write(_ bytes: [UInt8], to path: String, like model: String? = nil) throws {
    let temporary = path + suffix
    unlink(temporary)
    let file = open(temporary, O_CREAT | O_EXCL | O_WRONLY | O_CLOEXEC | O_NOFOLLOW, 0o600)
    guard file >= 0 else { throw StoreError.notWritten(path) }
    do {
      defer { close(file) }
      if let model, !give(file, to: model) { throw StoreError.notWritten(path) }
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

  /// Whatever the mask of new files says. The owner can only be given by root, who would else take the file from the app; the group by
  /// whoever is of it.
  private static func give(_ file: Int32, to model: String) -> Bool {
    var status = stat()
    guard stat(model, &status) == 0 else { return false }
    let isGiven = fchown(file, geteuid() == 0 ? status.st_uid : uid_t.max, status.st_gid) == 0
    return (isGiven || geteuid() != 0) && fchmod(file, mode_t(status.st_mode) & 0o777) == 0
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
