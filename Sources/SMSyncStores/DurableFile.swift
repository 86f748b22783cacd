import Foundation
import StoreInterface

/// A file that is whole on the disk, or not there under its name.
enum DurableFile {
  /// Of the file that takes its place.
  static let suffix = ".new"

  /// - Throws: ``StoreError/writeFailed(path:detail:)``
  static func write(_ bytes: [UInt8], to path: String) throws {
    let temporary = path + suffix
    unlink(temporary)
    let file = open(temporary, O_CREAT | O_EXCL | O_WRONLY | O_CLOEXEC | O_NOFOLLOW, 0o600)
    guard file >= 0 else { throw failure(path) }
    do {
      defer { close(file) }
      try write(bytes, to: file, path)
      guard fsync(file) == 0 else { throw failure(path) }
    } catch {
      unlink(temporary)
      throw error
    }
    guard rename(temporary, path) == 0 else {
      let error = failure(path)
      unlink(temporary)
      throw error
    }
  }

  private static func write(_ bytes: [UInt8], to file: Int32, _ path: String) throws {
    var written = 0
    while written < bytes.count {
      let count = bytes[written...].withUnsafeBytes { Foundation.write(file, $0.baseAddress, $0.count) }
      if count < 0 && errno == EINTR { continue }
      guard count > 0 else { throw failure(path) }
      written += count
    }
  }

  /// What was renamed in it, or removed, is so after a crash, too.
  static func sync(folder: String) {
    let file = open(folder, O_RDONLY | O_CLOEXEC)
    if file < 0 { return }
    fsync(file)
    close(file)
  }

  private static func failure(_ path: String) -> StoreError {
    .writeFailed(path: path, detail: String(cString: strerror(errno)))
  }
}
