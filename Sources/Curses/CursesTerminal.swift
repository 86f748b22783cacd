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
package final class CursesTerminal {
  let input: Int32
  let output: Int32
  let screen: CursesScreen
  /// What a signal wrote into the pipe of ``ct_signals_listen()``.
  let signals: Int32
  let wantsMouse: Bool
  var clicks = Clicks()
  /// Events that came together with another one.
  var pending: [TerminalEvent] = []
  /// Chooses the theme by the background; nil where the theme was chosen by a person.
  var fitting: ((Colour?, Int) -> Theme)?
  /// Whether the terminal was asked and has not answered all.
  var isAsking = false
  /// Whether an answer comes after the first frame.
  var isLate = false
  private(set) var palette: Palette
  private let depth: ColourDepth
  private var colours: Colours?
  private var isOpen = true

  /// Takes the terminal over: alternate screen, raw keys, bracketed paste, and with `mouse` clicks and the wheel.
  ///
  /// - Parameter colours: from ``ColourChoice/depth(environment:)``. With ``ColourDepth/none``, or as long as the theme
  ///   names no colour, not one colour code is sent.
  package convenience init(theme: Theme, colours: ColourDepth, mouse: Bool) throws(TerminalError) {
    let name = getenv("TERM").map { String(cString: $0) } ?? ""
    try self.init(
      theme: theme, colours: colours, mouse: mouse, input: STDIN_FILENO, output: STDOUT_FILENO, name: name)
  }

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
  package var theme: Theme {
    didSet { if theme != oldValue { prepareTheme() } }
  }

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
