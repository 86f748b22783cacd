import Curses
import Desk
import ExactJSON
import Foundation
import Journals

/// Where what is copied goes: the terminal is asked to take it, which goes through ssh, too. Terminals do not tell whether they did; what
/// none of them takes goes into a file that only this person can read.
struct Clipboard {
  let environment: [String: String]
  /// See ``JSON/init(_:foretells:)``.
  let foretells: Bool

  /// In bytes. xterm takes 100,000 in base64.
  static let longest = 74_000

  @MainActor func take(_ copied: Copied, _ terminal: CursesTerminal) -> Status {
    let (text, name) = told(copied)
    guard text.utf8.count <= Clipboard.longest, !isMute else { return keep(text, name) }
    terminal.copy(text, isInsideTmux: environment["TMUX"] != nil)
    return .told("Copied \(name), if this terminal lets programs do that.")
  }

  private func told(_ copied: Copied) -> (String, String) {
    switch copied {
    case .text(let text, let name): (text, name)
    case .record(let record): (JSON(record, foretells: foretells).text, "the record as JSON")
    }
  }

  /// Those that are known to have no clipboard.
  private var isMute: Bool {
    let term = environment["TERM"] ?? ""
    return term == "linux" || term.hasPrefix("vt")
  }

  private func keep(_ text: String, _ name: String) -> Status {
    let folder = JournalPath.stateFolder(environment)
    let file = folder + "/copied.txt"
    do {
      try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
      try? FileManager.default.removeItem(atPath: file)
      guard
        FileManager.default.createFile(
          atPath: file, contents: Data(text.utf8), attributes: [.posixPermissions: 0o600])
      else { return .failed("Nothing was copied: \(file) cannot be written.") }
      return .told("Copied \(name) into \(file), as no terminal takes it.")
    } catch {
      return .failed("Nothing was copied: \(folder) cannot be made.")
    }
  }
}
