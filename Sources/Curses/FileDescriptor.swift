import Foundation

/// Reading, sending and waiting, with interrupted system calls taken up again.
enum FileDescriptor {
  /// Everything that can be read now from one that does not block.
  static func drain(_ descriptor: Int32) -> [UInt8] {
    var all: [UInt8] = []
    var bytes = [UInt8](repeating: 0, count: 256)
    while true {
      let count = read(descriptor, &bytes, bytes.count)
      if count < 0 && errno == EINTR { continue }
      guard count > 0 else { return all }
      all += bytes[..<count]
    }
  }

  /// The next byte; nil at the end of the input, or if none comes within `patience`.
  static func byte(_ descriptor: Int32, within patience: Duration) -> UInt8? {
    guard wait([descriptor], until: .now + patience).contains(where: { $0.isReadable }) else { return nil }
    var byte: UInt8 = 0
    while true {
      let count = read(descriptor, &byte, 1)
      if count < 0 && errno == EINTR { continue }
      return count == 1 ? byte : nil
    }
  }

  /// Sends all of `bytes`; what cannot be sent, as nobody is at the other end any more, is nowhere to be seen.
  static func send(_ bytes: [UInt8], to descriptor: Int32) {
    var rest = bytes[...]
    while !rest.isEmpty {
      let count = rest.withUnsafeBytes { write(descriptor, $0.baseAddress, $0.count) }
      if count > 0 {
        rest = rest.dropFirst(count)
      } else if errno == EAGAIN {
        waitForRoom(descriptor)
      } else if errno != EINTR {
        return
      }
    }
  }

  private static func waitForRoom(_ descriptor: Int32) {
    var polled = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
    _ = poll(&polled, 1, -1)
  }

  struct State {
    var isReadable: Bool
    /// Nobody is at the other end any more.
    var isHungUp: Bool
  }

  /// Sleeps until one of them can be read, or until `deadline`; without one for ever.
  static func wait(_ descriptors: [Int32], until deadline: ContinuousClock.Instant?) -> [State] {
    var polled = descriptors.map { pollfd(fd: $0, events: Int16(POLLIN), revents: 0) }
    while poll(&polled, nfds_t(polled.count), milliseconds(until: deadline)) < 0, errno == EINTR {}
    return polled.map {
      State(
        isReadable: $0.revents & Int16(POLLIN) != 0,
        isHungUp: $0.revents & Int16(POLLHUP | POLLERR | POLLNVAL) != 0)
    }
  }

  private static func milliseconds(until deadline: ContinuousClock.Instant?) -> Int32 {
    guard let deadline else { return -1 }
    let rest = ContinuousClock.now.duration(to: deadline)
    // Rounded up, or the last part of a millisecond would be spent awake.
    return Int32(clamping: max(0, Int((rest / .milliseconds(1)).rounded(.up))))
  }
}

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
