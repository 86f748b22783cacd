import Foundation
import TerminalTestSupport
import Testing

/// A picture of `Screenshots/pictures.txt`, and how its screen comes to be.
struct Picture: Sendable, CustomTestStringConvertible {
  enum Step: Sendable {
    case shows(String)
    case press(key: String, until: String)
    /// What is said below it, if the picture is one that moves.
    case frame(caption: String?)
  }

  /// What depends on the clock, and what stands for it.
  struct Mask: @unchecked Sendable {
    // A regular expression is not Sendable, but nothing changes this one.
    let pattern: Regex<AnyRegexOutput>
    let text: String
  }

  let name: String
  let columns, rows: Int
  let arguments: [String]
  let moves: Bool
  let steps: [Step]
  let masks: [Mask]

  var testDescription: String { name }

  /// Its screens as they are today, each below what is said to it. What was `taken` is waited for, as the text that a key
  /// waits for may stand on the screen before all of the frame does.
  func screens(like taken: String) throws -> String {
    var screens = ""
    try withTemporaryFolder { folder in
      let terminal = try TmuxTerminal.start(
        [Binary.path] + arguments, columns: columns, rows: rows,
        environment: ["HOME": folder, "TMPDIR": folder, "TZ": Self.zone(), "COLORTERM": "truecolor"])
      defer { terminal.stop() }
      var isLikeTaken = true
      for step in steps {
        switch step {
        case .shows(let text): try terminal.waitFor(text)
        case .press(let key, let text): try press(key, until: text, in: terminal)
        case .frame(let caption):
          screens += caption.map { "» \($0)\n" } ?? ""
          // What differs once, differs in all that follows.
          screens += try frame(of: terminal, within: isLikeTaken ? .seconds(20) : .zero) {
            taken.hasPrefix(screens + $0)
          }
          isLikeTaken = taken.hasPrefix(screens)
        }
      }
    }
    return screens
  }

  private func press(_ key: String, until text: String, in terminal: TmuxTerminal) throws {
    // Or it would be found at once, and the screen read before the key has done anything.
    try terminal.waitUntil("a screen without “\(text)”, before \(key) is pressed") {
      !$0.contains(text)
    }
    try terminal.press(key, until: text)
  }

  private func frame(
    of terminal: TmuxTerminal, within patience: Duration, _ isTaken: (String) -> Bool
  ) throws -> String {
    do {
      let words = "the screen of the picture"
      return masked(try terminal.waitUntil(words, within: patience) { isTaken(masked($0)) })
    } catch TestTerminalError.timedOut(_, let seen) {
      return masked(seen)
    }
  }

  private func masked(_ screen: String) -> String {
    masks.reduce(screen) { $0.replacing($1.pattern, with: $1.text) }
  }

  /// Where it is noon, so that no time of the last hours is on another day; `Screenshots/make` does the same.
  private static func zone(now: Date = Date()) -> String {
    let hour = Int(now.timeIntervalSince1970) / 3600 % 24 - 12
    return "Etc/GMT\(hour < 0 ? "" : "+")\(hour)"
  }
}
