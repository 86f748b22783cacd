#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

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
    case .notATerminal:
      "This needs a terminal, and standard input or output is a file or a pipe."
    case .unknownTerminal(let name) where name.isEmpty:
      "TERM is not set, so there is no telling how to draw. Try TERM=xterm-256color."
    case .unknownTerminal(let name):
      "The terminal “\(name)” (TERM) is not in terminfo here. Try TERM=xterm-256color."
    case .cannotMoveCursor(let name):
      "The terminal “\(name)” (TERM) cannot move its cursor, so there is no drawing on it."
    case .system(let call, let errno):
      "\(call) failed: \(String(cString: strerror(errno)))"
    }
  }
}
