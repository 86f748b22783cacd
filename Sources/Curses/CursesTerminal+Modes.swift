import CNcurses
import CTerminal
import Terminal

#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

// What is switched on to draw, and switched off whenever somebody else has the terminal.
//
//   ?2004   bracketed paste: a paste is marked as one
//   ?1000   presses, releases and the wheel of the mouse; ?1006 the way they are told
extension CursesTerminal {
  /// Takes guard and signals before ncurses starts, which leaves alone what has a handler. Returns what to poll.
  static func guarded(_ output: Int32) throws(TerminalError) -> Int32 {
    guard ct_guard_install(output) == 0 else { throw .system(call: "tcgetattr", errno: errno) }
    let signals = ct_signals_listen()
    guard signals >= 0 else {
      let error = errno
      ct_guard_remove()
      throw .system(call: "pipe", errno: error)
    }
    return signals
  }

  static func unguarded() {
    ct_signals_ignore()
    ct_guard_remove()
  }

  func enter() {
    raw()
    noecho()
    nonl()
    set_escdelay(25)
    keypad(window, true)
    nodelay(window, true)
    screen.send("\u{1B}[?2004h")
    if wantsMouse { screen.send("\u{1B}[?1000;1006h") }
  }

  func leave() {
    // What is still to come would be typed into the shell.
    awaitAnswers(within: .milliseconds(200))
    isAsking = false
    screen.send("\u{1B}[?1006l\u{1B}[?1000l\u{1B}[?2004l")
    endwin()
    Self.unguarded()
  }

  func enterAgain() {
    ct_guard_install(output)
    ct_signals_listen()
    reset_prog_mode()
    // After SIGSTOP nothing was left, and ncurses believes that the keypad is still on; the terminal has forgotten.
    keypad(window, false)
    enter()
    clearok(window, true)
    pending.append(.resumed)
    noticeSize()
  }

  /// Asks the terminal itself: ncurses would hear of a new size only with the next key.
  func noticeSize() {
    var asked = winsize()
    guard ioctl(output, UInt(TIOCGWINSZ), &asked) == 0, asked.ws_col > 0, asked.ws_row > 0 else { return }
    let new = Size(columns: Int(asked.ws_col), rows: Int(asked.ws_row))
    guard new != size else { return }
    resize_term(Int32(new.rows), Int32(new.columns))
    clearok(window, true)
    pending.append(.resized(new))
  }
}
