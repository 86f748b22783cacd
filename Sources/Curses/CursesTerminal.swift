import CNcurses
import CTerminal
import Foundation
import Terminal

/// The real terminal: draws grids and waits for events. The only code that calls ncurses.
///
/// One thread does it all, asleep in poll(2) until there is a key, a signal or a ring of ``Wake``. There are no timers.
/// From `init` to ``close()`` the terminal is guarded: whatever ends the process, it is left as it was found. One
/// terminal is open at a time.
@MainActor
package final class CursesTerminal {
  let input: Int32
  let output: Int32
  let screen: CursesScreen
  /// What a signal wrote into the pipe of ``ct_signals_listen()``.
  let signals: Int32
  let wantsMouse: Bool
  var clicks = Clicks()
  /// A character of which the last bytes have not come yet.
  var typing = TypedCharacter()
  var pauses = Pauses()
  /// Called before more of a sequence, or of a letter behind an Escape, is waited for. A test sends it then, and never too early.
  var willWait: (Duration) -> Void = { _ in }
  /// Events that came together with another one.
  var pending: [TerminalEvent] = []
  /// Chooses the theme by the background; nil where the theme was chosen by a person.
  var fitting: ((Colour?, Int) -> Theme)?
  /// Whether the terminal was asked and has not answered all.
  var isAsking = false
  /// When it was asked last.
  var asked = ContinuousClock.now
  /// A sequence whose end has not come yet.
  var unfinished: EscapeSequence?
  /// A paste whose end has not come yet.
  var openPaste: Paste?
  /// Whether an answer comes after the first frame.
  var isLate = false
  /// What the terminal calls itself, where terminfo does not know it, so that it is drawn as ``commonName``.
  package private(set) var unknownName: String?
  /// Whether it is sent ASCII alone.
  package var isASCII = false
  private(set) var palette: Palette { didSet { drawn = nil } }
  /// What ncurses has of the last frame; nil where that is to be drawn as a whole.
  var drawn: Grid?
  private let depth: ColourDepth
  private var colours: Colours?
  private var isOpen = true

  /// Takes the terminal over: alternate screen, raw keys, bracketed paste, and with `mouse` clicks and the wheel.
  ///
  /// - Parameter colours: from ``ColourChoice/depth(environment:)``. With ``ColourDepth/none``, or as long as the theme
  ///   names no colour, not one colour code is sent.
  package convenience init(theme: Theme, colours: ColourDepth, mouse: Bool) throws(TerminalError) {
    let name = getenv("TERM").map { String(cString: $0) } ?? ""
    let known = Self.known(name)
    try self.init(
      theme: theme, colours: colours, mouse: mouse, input: STDIN_FILENO, output: STDOUT_FILENO, name: known)
    if known != name { unknownName = name }
  }

  /// What almost every terminal of today understands, whatever it calls itself.
  package static let commonName = "xterm-256color"

  /// The name by which terminfo knows a terminal: over ssh its own may be missing on the other machine.
  private static func known(_ name: String) -> String {
    guard !name.isEmpty, isatty(STDOUT_FILENO) == 1 else { return name }
    return TerminalEntry.isKnown(name, output: STDOUT_FILENO) ? name : commonName
  }

  /// Whether colours, and strokes through words, are seen.
  package var showsStrokesInColour: Bool { screen.canStrike && screen.colours >= 8 && !theme.isColourless }

  /// The same on any file descriptors of a terminal, called `name` in terminfo.
  init(
    theme: Theme, colours depth: ColourDepth, mouse: Bool, input: Int32, output: Int32, name: String
  ) throws(TerminalError) {
    guard isatty(input) == 1, isatty(output) == 1 else { throw .notATerminal }
    (self.input, self.output, self.depth, self.theme) = (input, output, depth, theme)
    signals = try Self.guarded(output)
    do {
      screen = try CursesScreen(name: name, depth: depth, input: input, output: output)
    } catch {
      Self.unguarded()
      throw error
    }
    wantsMouse = mouse && screen.hasMouse
    palette = Palette(theme: theme, colours: nil, canStrike: screen.canStrike)
    enter()
    // After keypad(), which is when ncurses learns its own keys.
    KeyCodes.define()
    prepareTheme()
  }

  /// How big the terminal is.
  package var size: Size { Size(columns: Int(getmaxx(window)), rows: Int(getmaxy(window))) }

  /// What the inks look like from the next ``draw(_:)`` on.
  package var theme: Theme { didSet { if theme != oldValue { prepareTheme() } } }

  /// Gives the terminal back. Nothing may be drawn afterwards; a second call does nothing.
  package func close() {
    guard isOpen else { return }
    isOpen = false
    leave()
    screen.close()
  }

  /// Sends the whole next frame anew, for a screen that something else has written on.
  package func redraw() { clearok(window, true) }

  /// Gives the terminal back while `body` runs (an editor, a pager), then takes it over again and draws everything
  /// anew. Signals stop and end the process meanwhile as they would any other.
  package func suspended<T>(_ body: () throws -> T) rethrows -> T {
    leave()
    defer { enterAgain() }
    return try body()
  }

  var window: UnsafeMutablePointer<WINDOW> { screen.window }

  private func prepareTheme() {
    if colours == nil, !theme.isColourless { colours = Colours(depth, paletteColours: screen.paletteColours) }
    palette = Palette(
      theme: theme.fitted(colours: screen.colours), colours: colours, canStrike: screen.canStrike)
  }
}

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

  /// From now on who asks the program to end, by SIGTERM or by closing the terminal, waits until ``letEnd()``. Any thread may call both.
  nonisolated package static func holdEnd() { ct_guard_hold() }
  nonisolated package static func letEnd() { ct_guard_let_go() }
  /// Whether somebody has asked it since.
  nonisolated package static func isAskedToEnd() -> Bool { ct_guard_has_heard() != 0 }

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
    (isAsking, typing, unfinished, openPaste) = (false, TypedCharacter(), nil, nil)
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
    drawn = nil
    clearok(window, true)
    pending.append(.resized(new))
  }

  /// Does what the signals that came since ask for.
  func hearSignals() {
    let heard = Set(FileDescriptor.drain(signals).map(Int32.init))
    if heard.contains(SIGTSTP) {
      stop()
    } else if heard.contains(SIGCONT) {
      // Stopped by a signal that nobody can hear (SIGSTOP): the shell has used the terminal since.
      enterAgain()
    } else if heard.contains(SIGWINCH) {
      hearSize()
    }
  }

  /// Where it is what it was, it may have been another one in between, and what had no room then is gone from the screen.
  private func hearSize() {
    let before = size
    noticeSize()
    guard size == before else { return }
    redraw()
    pending.append(.resized(size))
  }

  /// Stops as every program does at Ctrl-Z, with the terminal given back, and goes on when the shell says so.
  func stop() { suspended { _ = kill(0, SIGTSTP) } }

  /// Asks the terminal to put `text` into the clipboard (OSC 52). Terminals may refuse, and none tells.
  ///
  /// - Parameter isInsideTmux: tmux keeps the request to itself unless it is wrapped (and even then, if its
  ///   `allow-passthrough` is off).
  package func copy(_ text: String, isInsideTmux: Bool) {
    screen.send(Self.copyRequest(text, isInsideTmux: isInsideTmux))
  }

  static func copyRequest(_ text: String, isInsideTmux: Bool) -> String {
    let request = "\u{1B}]52;c;\(Data(text.utf8).base64EncodedString())\u{7}"
    return isInsideTmux ? "\u{1B}Ptmux;\u{1B}\(request)\u{1B}\\" : request
  }
}
