import CNcurses
import CTerminal
import Terminal

#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// The real terminal: draws grids and waits for events. The only code that calls ncurses.
///
/// One thread does it all, asleep in poll(2) until there is a key, a signal or a ring of ``Wake``. There are no timers.
/// From `init` to ``close()`` the terminal is guarded: whatever ends the process, it is left as it was found. One
/// terminal is open at a time.
@MainActor
public final class CursesTerminal {
  let input: Int32
  let output: Int32
  let window: UnsafeMutablePointer<WINDOW>
  /// What a signal wrote into the pipe of ``ct_signals_listen()``.
  let signals: Int32
  var clicks = Clicks()
  /// Events that came together with another one.
  var pending: [TerminalEvent] = []
  var palette: Palette
  private let screen: OpaquePointer
  private let files: [UnsafeMutablePointer<FILE>]
  private let depth: ColourDepth
  private let hasMouse: Bool
  private let canStrike: Bool
  private var colours: Colours?
  private var isOpen = true

  /// Takes the terminal over: alternate screen, raw keys, bracketed paste, and with `mouse` clicks and the wheel.
  ///
  /// - Parameter colours: from ``ColourChoice/depth(environment:)``. With ``ColourDepth/none``, or as long as the theme
  ///   names no colour, not one colour code is sent.
  public convenience init(theme: Theme, colours: ColourDepth, mouse: Bool) throws(TerminalError) {
    try self.init(theme: theme, colours: colours, mouse: mouse, input: STDIN_FILENO, output: STDOUT_FILENO)
  }

  /// The same on any file descriptors of a terminal.
  init(
    theme: Theme, colours depth: ColourDepth, mouse wantsMouse: Bool, input: Int32, output: Int32,
    name: String? = nil
  ) throws(TerminalError) {
    guard isatty(input) == 1, isatty(output) == 1 else { throw .notATerminal }
    (self.input, self.output, self.depth, self.theme) = (input, output, depth, theme)
    files = [try Self.stream(input, "r"), try Self.stream(output, "w")]
    signals = try Self.guarded(output)
    do {
      (screen, window) = try Self.newScreen(
        name ?? Self.environmentName, reading: files[0], writing: files[1])
    } catch {
      Self.giveUp(files)
      throw error
    }
    hasMouse = wantsMouse && Self.capability("kmous") != nil
    canStrike = Self.prepareStrike()
    palette = Palette(theme: theme, colours: nil, canStrike: canStrike)
    enter()
    // After keypad(), which is when ncurses learns its own keys.
    KeyCodes.define()
    prepareTheme()
  }

  /// How big the terminal is.
  public var size: Size { Size(columns: Int(getmaxx(window)), rows: Int(getmaxy(window))) }

  /// What the inks look like from the next ``draw(_:)`` on.
  public var theme: Theme {
    didSet { if theme != oldValue { prepareTheme() } }
  }

  /// Gives the terminal back. Nothing may be drawn afterwards; a second call does nothing.
  public func close() {
    guard isOpen else { return }
    isOpen = false
    leave()
    delscreen(screen)
    for file in files { fclose(file) }
  }

  /// Gives the terminal back while `body` runs (an editor, a pager), then takes it over again and draws everything
  /// anew. Signals stop and end the process meanwhile as they would any other.
  public func suspended<T>(_ body: () throws -> T) rethrows -> T {
    leave()
    defer { enterAgain() }
    return try body()
  }

  /// Sends the whole next frame anew, for a screen that something else has written on.
  public func redraw() { clearok(window, true) }

  private func prepareTheme() {
    if colours == nil, !theme.isColourless { colours = Colours(depth) }
    palette = Palette(theme: theme, colours: colours, canStrike: canStrike)
  }

  /// Sends what ncurses has no function for.
  func send(_ escapes: String) {
    fputs(escapes, files[1])
    fflush(files[1])
  }
}

// MARK: - Coming and going

extension CursesTerminal {
  private func enter() {
    raw()
    noecho()
    nonl()
    set_escdelay(25)
    keypad(window, true)
    nodelay(window, true)
    leaveok(window, false)
    curs_set(0)
    send("\u{1B}[?2004h")
    if hasMouse { send("\u{1B}[?1000;1006h") }
  }

  func leave() {
    send("\u{1B}[?1006l\u{1B}[?1000l\u{1B}[?2004l")
    endwin()
    ct_signals_ignore()
    ct_guard_remove()
  }

  func enterAgain() {
    ct_guard_install(output)
    ct_signals_listen()
    reset_prog_mode()
    // After a stop ncurses believes that the keypad is on; the terminal has forgotten.
    keypad(window, false)
    enter()
    clearok(window, true)
    pending.append(.resumed)
    noticeSize()
  }

  /// Asks the terminal itself: ncurses hears of a new size only with the next key.
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

extension CursesTerminal {
  private static var environmentName: String { getenv("TERM").map { String(cString: $0) } ?? "" }

  private static func stream(_ descriptor: Int32, _ mode: String) throws(TerminalError)
    -> UnsafeMutablePointer<FILE>
  {
    // ncurses closes nothing, and standard input and output must outlive it: hence copies.
    let copy = fcntl(descriptor, F_DUPFD_CLOEXEC, 3)
    guard copy >= 0, let file = fdopen(copy, mode) else { throw .system(call: "fdopen", errno: errno) }
    return file
  }

  /// Guard and signals come before ncurses, which leaves alone what has a handler.
  private static func guarded(_ output: Int32) throws(TerminalError) -> Int32 {
    guard ct_guard_install(output) == 0 else { throw .system(call: "tcgetattr", errno: errno) }
    let signals = ct_signals_listen()
    guard signals >= 0 else { throw .system(call: "pipe", errno: errno) }
    return signals
  }

  private static func giveUp(_ files: [UnsafeMutablePointer<FILE>]) {
    ct_signals_ignore()
    ct_guard_remove()
    for file in files { fclose(file) }
  }

  private static func newScreen(
    _ name: String, reading input: UnsafeMutablePointer<FILE>, writing output: UnsafeMutablePointer<FILE>
  ) throws(TerminalError) -> (OpaquePointer, UnsafeMutablePointer<WINDOW>) {
    useUTF8()
    // The size is the terminal's own, not what LINES and COLUMNS said when the shell started.
    use_env(false)
    use_tioctl(true)
    guard !name.isEmpty, let screen = newterm(name, output, input), let window = nc_stdscr() else {
      throw .unknownTerminal(name: name)
    }
    guard tigetstr("cup") != nil else {
      endwin()
      delscreen(screen)
      throw .cannotMoveCursor(name: name)
    }
    return (screen, window)
  }

  /// ncurses draws in the locale of the process; a terminal of today is UTF-8 even if nobody said so.
  private static func useUTF8() {
    setlocale(LC_CTYPE, "")
    if String(cString: nl_langinfo(nl_item(CODESET))) != "UTF-8" { setlocale(LC_CTYPE, "C.UTF-8") }
  }

  private static func prepareStrike() -> Bool { false }

  /// A string of the terminal's entry. ncurses answers -1 for a name that is not a string.
  private static func capability(_ name: String) -> UnsafeMutablePointer<CChar>? {
    let found = tigetstr(name)
    return Int(bitPattern: found) == -1 ? nil : found
  }
}
