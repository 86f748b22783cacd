import Foundation
import TerminalTestSupport
import Testing

/// A picture of `Screenshots/pictures.txt`, and how its screen comes to be.
struct Picture: Sendable, CustomTestStringConvertible {
  enum Step: Sendable {
    case shows(String)
    case press(key: String, until: String)
    case says(String)
  }

  /// What depends on the clock, and what stands for it.
  struct Mask: Sendable {
    let pattern, text: String
  }

  let name: String
  let columns, rows: Int
  let arguments: [String]
  let steps: [Step]
  let masks: [Mask]

  /// One that moves has a frame for each thing that is said.
  var moves: Bool { steps.contains { if case .says = $0 { true } else { false } } }

  var testDescription: String { name }

  /// The screen when the picture is taken; of one that moves all of them, each below what is said to it.
  func screens() throws -> String {
    var frames: [String] = []
    try withTemporaryFolder { folder in
      let terminal = try TmuxTerminal.start(
        [Binary.path] + arguments, columns: columns, rows: rows,
        environment: ["HOME": folder, "TMPDIR": folder, "TZ": Self.zone(), "COLORTERM": "truecolor"])
      defer { terminal.stop() }
      for step in steps {
        if let words = try Self.take(step, in: terminal) {
          frames.append("» \(words)\n" + (try masked(terminal.screen())))
        }
      }
      if !moves { frames = [try masked(terminal.screen())] }
    }
    return frames.joined()
  }

  /// Does a step, and returns what is said to the frame if it is one.
  private static func take(_ step: Step, in terminal: TmuxTerminal) throws -> String? {
    switch step {
    case .shows(let text): try terminal.waitFor(text)
    case .press(let key, let text):
      // Or it would be found at once, and the screen read before the key has done anything.
      try #require(try !terminal.screen().contains(text), "“\(text)” is there before \(key) is pressed")
      try terminal.press(key, until: text)
    case .says(let words): return words
    }
    return nil
  }

  private func masked(_ screen: String) throws -> String {
    try masks.reduce(screen) { $0.replacing(try Regex($1.pattern), with: $1.text) }
  }

  /// Where it is noon, so that no time of the last hours is on another day; `Screenshots/make` does the same.
  private static func zone(now: Date = Date()) -> String {
    let hour = Int(now.timeIntervalSince1970) / 3600 % 24 - 12
    return "Etc/GMT\(hour < 0 ? "" : "+")\(hour)"
  }
}
