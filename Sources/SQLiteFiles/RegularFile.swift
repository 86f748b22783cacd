import Merging
import StoreInterface

#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// A file opened for reading that has an end and is never waited for. What a person names may as well be a pipe, a terminal
/// or `/dev/zero`: these are refused by what is open, and not by what was looked at a moment before.
package final class RegularFile {
  package let path: String
  private let descriptor: Int32

  /// - Throws: ``StoreError/cannotRead(path:detail:)``, ``StoreError/notAFile(path:kind:)``
  package init(_ path: String) throws(StoreError) {
    self.path = path
    descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY)
    guard descriptor >= 0 else { throw .cannotRead(path: path, detail: RegularFile.systemError) }
    guard let status = FileStatus(descriptor: descriptor), status.isRegular else {
      throw .notAFile(path: path, kind: FileStatus(descriptor: descriptor)?.kind ?? "no regular file")
    }
  }

  deinit { close(descriptor) }

  /// At most `count` bytes from `offset` on; none at the end.
  ///
  /// - Throws: ``StoreError/cannotRead(path:detail:)``
  package func bytes(at offset: Int, _ count: Int) throws(StoreError) -> [UInt8] {
    var bytes = [UInt8](repeating: 0, count: count)
    while true {
      let read = pread(descriptor, &bytes, count, off_t(offset))
      if read >= 0 { return Array(bytes.prefix(read)) }
      if errno != EINTR { throw .cannotRead(path: path, detail: RegularFile.systemError) }
    }
  }

  /// All of its bytes. A file may grow, and those of the system have no size: what counts is what is read.
  ///
  /// - Throws: ``StoreError/cannotRead(path:detail:)``, ``StoreError/tooLarge(path:limit:)``
  package func bytes(limit: Int) throws(StoreError) -> [UInt8] {
    var all: [UInt8] = []
    while true {
      let block = try bytes(at: all.count, 64 * 1024)
      if block.isEmpty { return all }
      guard all.count + block.count <= limit else { throw .tooLarge(path: path, limit: limit) }
      all += block
    }
  }

  private static var systemError: String { String(cString: strerror(errno)) }
}
