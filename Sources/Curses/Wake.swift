#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// Wakes the thread that waits for a key. Any thread may ring; many rings before it looks are one.
package final class Wake: Sendable {
  private let reading: Int32
  private let writing: Int32

  package init() throws(TerminalError) {
    var ends: [Int32] = [-1, -1]
    guard pipe(&ends) == 0 else { throw .system(call: "pipe", errno: errno) }
    for end in ends {
      _ = fcntl(end, F_SETFL, O_NONBLOCK)
      _ = fcntl(end, F_SETFD, FD_CLOEXEC)
    }
    (reading, writing) = (ends[0], ends[1])
  }

  deinit {
    close(reading)
    close(writing)
  }

  package func ring() {
    // A full pipe means that a ring is waiting already.
    withUnsafeBytes(of: UInt8(1)) { _ = write(writing, $0.baseAddress, 1) }
  }

  /// Readable while a ring waits.
  var fileDescriptor: Int32 { reading }

  /// Takes all rings back. False if there were none.
  func silence() -> Bool { !FileDescriptor.drain(reading).isEmpty }
}
