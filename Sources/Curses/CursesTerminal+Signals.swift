import Terminal

#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

extension CursesTerminal {
  /// Does what the signals that came since ask for.
  func hearSignals() {
    let heard = Set(FileDescriptor.drain(signals).map(Int32.init))
    if heard.contains(SIGTSTP) {
      stop()
    } else if heard.contains(SIGCONT) {
      // Stopped by a signal that nobody can hear (SIGSTOP): the shell has used the terminal since.
      enterAgain()
    } else if heard.contains(SIGWINCH) {
      noticeSize()
    }
  }

  /// Stops as every program does at Ctrl-Z, with the terminal given back, and goes on when the shell says so.
  func stop() {
    suspended { _ = kill(0, SIGTSTP) }
  }
}
