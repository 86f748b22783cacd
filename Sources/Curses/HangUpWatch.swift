import Foundation

/// Tells our process group when the terminal is closed, while another program is in its foreground. The system tells only the first
/// program of a terminal, which may be us, and not those that it has started: an editor that reads nothing would go on for ever.
final class HangUpWatch: Sendable {
  /// What ends it: both ends of a pipe.
  private let (waiting, ending): (Int32, Int32)
  private let isOver = DispatchSemaphore(value: 0)

  /// For a standard input that is a terminal, or was one before it was closed; nil where the system has no pipe left. Who starts it
  /// ignores SIGHUP.
  init?() {
    var ends: [Int32] = [-1, -1]
    guard pipe(&ends) == 0 else { return nil }
    (waiting, ending) = (ends[0], ends[1])
    for descriptor in ends { _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC) }
    Thread.detachNewThread { [self] in
      watch()
      isOver.signal()
    }
  }

  /// Nobody is told anything any more when this returns.
  func end() {
    close(ending)
    isOver.wait()
    close(waiting)
  }

  private func watch() {
    var descriptors = [
      pollfd(fd: STDIN_FILENO, events: 0, revents: 0), pollfd(fd: waiting, events: 0, revents: 0),
    ]
    while poll(&descriptors, 2, -1) < 0, errno == EINTR {}
    if descriptors[1].revents == 0 { kill(0, SIGHUP) }
  }
}
