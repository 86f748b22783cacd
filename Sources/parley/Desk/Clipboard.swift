import Curses
import Desk
import ExactJSON
import Foundation
import Journals

/// Where what is copied goes: the terminal is asked to take it, which goes through ssh, too. Terminals do not tell whether they did, so it
/// goes into a file as well that only this person can read: one that ends with the session, where the system has such a place.
struct Clipboard {
  let environment: [String: String]
  /// See ``JSON/init(_:foretells:)``.
  let foretells: Bool

  /// In bytes. xterm takes 100,000 in base64.
  static let longest = 74_000

  @MainActor func take(_ copied: Copied, _ terminal: CursesTerminal) -> Status {
    let (text, name) = told(copied)
    guard text.utf8.count <= Clipboard.longest, !isMute else {
      return keep(text).status { "Copied \(name) into \($0), as no terminal takes it." }
    }
    terminal.copy(text, isInsideTmux: environment["TMUX"] != nil)
    let asked = "Copied \(name), if this terminal lets programs do that"
    guard case .success(let file) = keep(text) else { return .told("\(asked).") }
    return .told("\(asked); it is in \(file), too.")
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

  /// - Returns: the file that has it until the next is copied.
  private func keep(_ text: String) -> Result<String, NotKept> {
    let folder =
      environment["XDG_RUNTIME_DIR"].flatMap { $0.hasPrefix("/") ? $0 + "/parley" : nil }
      ?? JournalPath.stateFolder(environment)
    let file = folder + "/copied.txt"
    do {
      try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    } catch {
      return .failure(NotKept(reason: "\(folder) cannot be made"))
    }
    try? FileManager.default.removeItem(atPath: file)
    let isKept = FileManager.default.createFile(
      atPath: file, contents: Data(text.utf8), attributes: [.posixPermissions: 0o600])
    return isKept ? .success(file) : .failure(NotKept(reason: "\(file) cannot be written"))
  }

  fileprivate struct NotKept: Error {
    var reason: String
  }
}

extension Result<String, Clipboard.NotKept> {
  fileprivate func status(_ words: (_ file: String) -> String) -> Status {
    switch self {
    case .success(let file): .told(words(file))
    case .failure(let error): .failed("Nothing was copied: \(error.reason).")
    }
  }
}
