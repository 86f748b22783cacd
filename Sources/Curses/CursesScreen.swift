import CNcurses
import Foundation
import Terminal

/// What ncurses opens: a screen on two file descriptors.
@MainActor
struct CursesScreen {
  let window: UnsafeMutablePointer<WINDOW>
  let canStrike: Bool
  /// Colour numbers below this are the user's palette; the others may be 0xRRGGBB.
  let paletteColours: Int
  /// How many colours there are.
  let colours: Int
  /// Whether the terminal's entry knows of a mouse.
  let hasMouse: Bool
  private let screen: OpaquePointer
  private let input: UnsafeMutablePointer<FILE>
  private let output: UnsafeMutablePointer<FILE>
  /// Nil where nothing can be held back.
  private let held: HeldOutput?

  /// Opens the terminal called `name` in terminfo.
  init(name: String, depth: ColourDepth, input: Int32, output: Int32) throws(TerminalError) {
    Self.prepareProcess()
    guard !name.isEmpty, var entry = TerminalEntry(name: name, output: output) else {
      throw .unknownTerminal(name: name)
    }
    guard entry.canMoveCursor else { throw .cannotMoveCursor(name: name) }
    if depth == .exact { entry.useExactColours() }
    (self.input, self.output) = (try Self.stream(input, "r"), try Self.stream(output, "w"))
    let files = (input: self.input, output: self.output)
    guard let screen = entry.whileInstalled({ newterm(name, files.output, files.input) }),
      let window = nc_stdscr()
    else {
      fclose(self.input)
      fclose(self.output)
      throw .unknownTerminal(name: name)
    }
    (self.screen, self.window) = (screen, window)
    (canStrike, hasMouse) = (entry.canStrike, entry.hasMouse)
    (paletteColours, colours) = (entry.paletteColours, entry.colours)
    held = HeldOutput(of: fileno(self.output))
  }

  /// What ncurses sends while `body` runs comes to the terminal at its end, all at once.
  func inOnePiece(_ body: () -> Void) {
    if let held { held.holding(body) } else { body() }
  }

  /// After `endwin`.
  func close() {
    delscreen(screen)
    held?.close()
    fclose(input)
    fclose(output)
  }

  /// Sends what ncurses has no function for.
  func send(_ escapes: String) {
    fputs(escapes, output)
    fflush(output)
  }

  private static func prepareProcess() {
    // ncurses draws in the locale of the process; a terminal of today is UTF-8 even if nobody said so.
    setlocale(LC_CTYPE, "")
    if String(cString: nl_langinfo(nl_item(CODESET))) != "UTF-8" {
      // Not every system has the first.
      let names = ["C.UTF-8", "en_US.UTF-8", "UTF-8"]
      _ = names.first { setlocale(LC_CTYPE, $0) != nil }
    }
    // The size is the terminal's own, not what LINES and COLUMNS said when the shell started.
    use_env(false)
    use_tioctl(true)
  }

  private static func stream(
    _ descriptor: Int32, _ mode: String
  ) throws(TerminalError) -> UnsafeMutablePointer<FILE> {
    // Standard input and output must outlive the screen: hence copies.
    let copy = fcntl(descriptor, F_DUPFD_CLOEXEC, 3)
    guard copy >= 0, let file = fdopen(copy, mode) else { throw .system(call: "fdopen", errno: errno) }
    return file
  }
}

/// Why the screen cannot be opened.
package enum TerminalError: Error, Sendable, Equatable {
  /// Standard input or output is a file or a pipe.
  case notATerminal
  /// `TERM` is empty or names nothing that terminfo knows.
  case unknownTerminal(name: String)
  /// A terminal whose cursor cannot be moved: `dumb`.
  case cannotMoveCursor(name: String)
  /// A system call failed: its name and errno.
  case system(call: String, errno: Int32)
}

extension TerminalError: CustomStringConvertible {
  package var description: String {
    switch self {
    case .notATerminal: "This needs a terminal, and standard input or output is a file or a pipe."
    case .unknownTerminal(let name) where name.isEmpty:
      "TERM is not set, so there is no telling how to draw. Try TERM=xterm-256color."
    case .unknownTerminal(let name):
      "The terminal “\(name)” (TERM) is not in terminfo here, nor is xterm-256color. Install ncurses-base, or ncurses-term."
    case .cannotMoveCursor(let name):
      "The terminal “\(name)” (TERM) cannot move its cursor, so there is no drawing on it."
    case .system(let call, let errno): "\(call) failed: \(String(cString: strerror(errno)))"
    }
  }
}
