import Foundation
import TerminalTestSupport

/// The built program on a terminal, from its start to the end of this value.
final class DeskRun {
  struct NotBuilt: Error {}

  let millisecondsToFirstRows: Double
  private let terminal: PseudoTerminal
  private let start = ContinuousClock.now

  init(on store: BenchmarkStore, columns: Int = 80, rows: Int = 24) throws {
    guard let path = BuiltProduct.path("parley") else { throw NotBuilt() }
    terminal = try PseudoTerminal([path, store.path], columns: columns, rows: rows)
    // The first row's title.
    try terminal.waitForOutput(containing: "Reminder 0")
    millisecondsToFirstRows = start.duration(to: .now) / .milliseconds(1)
  }

  /// From each key to the frame that shows what it did, with a rest after it as a person would make it.
  func millisecondsFromKeysToPaint(count: Int) throws -> Spread {
    var spread = Spread()
    for number in 0..<count {
      terminal.receive(until: .now + .milliseconds(10))
      terminal.receiveAll()
      terminal.forgetOutput()
      let start = ContinuousClock.now
      // Up and down between the first two rows: the mark goes with the cursor, and no other frame sends it.
      terminal.type(number.isMultiple(of: 2) ? "j" : "k")
      try terminal.waitForOutput(containing: "▸")
      spread.add(start.duration(to: .now) / .milliseconds(1))
    }
    return spread
  }

  /// Whether the desk says that it is still reading.
  func isReading() throws -> Bool {
    terminal.receiveAll()
    terminal.forgetOutput()
    // All of the screen anew, to its last line.
    terminal.type("\u{C}")
    let screen = try terminal.waitForOutput(containing: "help")
    return screen.contains("reading") || screen.contains("looking for stuck")
  }

  func secondsUntilAllIsRead() throws -> Double {
    while try isReading() { terminal.receive(until: .now + .milliseconds(100)) }
    return start.duration(to: .now) / .seconds(1)
  }

  /// What the program has in memory now.
  var megabytes: Int { (terminal.memory ?? 0) / 1024 }
}
