import Foundation
import TerminalTestSupport
import Testing

@testable import parley

/// What a review checks is taken back as what a command does: see ``InterruptedCheckTests``.
@Suite("A desk that is left in the middle of a check", .serialized, .onItsOwnThread)
struct LeftCheckTests {
  enum Way: String, CaseIterable {
    case key = "F10"
    case closedWindow = "a closed window"

    func leave(_ terminal: PseudoTerminal) {
      switch self {
      case .key: terminal.type("\u{1B}[21~")
      case .closedWindow: terminal.hangUp()
      }
    }
  }

  /// On a busy machine the check may have come to its end before anybody looks.
  @Test("leaves the files as they were", arguments: Way.allCases)
  func files(way: Way) throws {
    for _ in 0..<10 where try isInTheMiddle(leftBy: way) { return }
    Issue.record("no check was in the middle")
  }

  /// - Returns: whether what was checked stood in the files.
  private func isInTheMiddle(leftBy way: Way) throws -> Bool {
    var isInTheMiddle = false
    try withTemporaryFolder { folder in
      let path = try InterruptedCheckTests.decided.copy(to: folder)
      let before = try InterruptedCheckTests.bytes(of: path)
      let terminal = try PseudoTerminal(
        [Binary.path, path], environment: ["HOME": folder, "SWIFT_BACKTRACE": "enable=no"])
      try waitForAll(on: terminal)
      terminal.type("w")
      try InterruptedCheckTests.wait(forChangeOf: path) { terminal.receive(until: .now + .milliseconds(1)) }
      isInTheMiddle = try InterruptedCheckTests.bytes(of: path) != before
      way.leave(terminal)
      _ = try terminal.waitForExit()
      try InterruptedCheckTests.expectUntouched(path, before)
    }
    return isInTheMiddle
  }

  /// Of a list that is still read a review has the first records alone. Each frame has what changed; Ctrl-L draws all of it, which takes
  /// the desk from its reading, so it is pressed once a second.
  private func waitForAll(on terminal: PseudoTerminal) throws {
    let deadline = ContinuousClock.now + .seconds(300)
    while !terminal.contains("Ready 1500") {
      try #require(.now < deadline, "the list never had all records: \(terminal.text)")
      terminal.type("\u{0C}")
      let next = ContinuousClock.now + .seconds(1)
      while terminal.receive(until: next) {}
    }
  }
}
