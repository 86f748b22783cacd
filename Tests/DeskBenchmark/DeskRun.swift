import Foundation
import TerminalTestSupport

/// The built program on a terminal, from its start to the end of this value.
final class DeskRun {
  struct NotBuilt: Error {}

  /// To the end of the first frame, whatever is in it.
  let millisecondsToFirstFrame: Double
  let millisecondsToFirstRows: Double
  private let terminal: PseudoTerminal
  private let title: String
  private let start = ContinuousClock.now

  convenience init(on store: BenchmarkStore, columns: Int = 80, rows: Int = 24) throws {
    // With a theme that was chosen once: a terminal that does not answer when it is asked for its background costs a tenth of a second.
    try self.init(
      "parley", [store.path], showing: store.title, endingWith: "help", columns, rows,
      environment: ["XDG_CONFIG_HOME": try Self.settings(beside: store.path)])
  }

  private static func settings(beside store: String) throws -> String {
    let folder = URL(fileURLWithPath: store).deletingLastPathComponent().appending(path: "settings")
    let file = folder.appending(path: "parley/config.yaml")
    try FileManager.default.createDirectory(
      at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
    try Data("theme: night\n".utf8).write(to: file)
    return folder.path
  }

  /// A program that only draws a frame, and another one for each key.
  convenience init(probe columns: Int, _ rows: Int) throws {
    try self.init("curses-probe", [], showing: "\(columns)x\(rows)", endingWith: "struck", columns, rows)
  }

  private init(
    _ program: String, _ arguments: [String], showing title: String, endingWith end: String,
    _ columns: Int, _ rows: Int,
    environment: [String: String] = [:]
  ) throws {
    guard let path = BuiltProduct.path(program) else { throw NotBuilt() }
    terminal = try PseudoTerminal(
      [path] + arguments, columns: columns, rows: rows, environment: environment)
    self.title = title
    try terminal.waitForOutput(containing: end)
    millisecondsToFirstFrame = start.duration(to: .now) / .milliseconds(1)
    try terminal.waitForOutput(containing: title)
    millisecondsToFirstRows = start.duration(to: .now) / .milliseconds(1)
  }

  /// What one key made the program send.
  struct Answer {
    /// Until the last of it was there.
    let milliseconds: Double
    let bytes: Int
  }

  /// Types a key, and takes in what comes until nothing more does. A key that nothing answers took for ever.
  func answer(to key: String) -> Answer {
    terminal.receiveAll()
    terminal.forgetOutput()
    let start = ContinuousClock.now
    terminal.type(key)
    guard terminal.receive(until: start + .seconds(5)) else {
      return Answer(milliseconds: .infinity, bytes: 0)
    }
    var last = ContinuousClock.now
    while terminal.receive(until: ContinuousClock.now + .milliseconds(60)) { last = .now }
    return Answer(milliseconds: start.duration(to: last) / .milliseconds(1), bytes: terminal.output.count)
  }

  /// From each key to the frame that shows what it did, with a rest after it as a person would make it.
  ///
  /// The key hides or shows all values, so that every row changes, and no frame of the background can be taken for its.
  func millisecondsFromKeysToPaint(count: Int, showing text: String? = nil) throws -> Spread {
    let text = text ?? title
    var spread = Spread()
    for number in 0..<count {
      terminal.receive(until: .now + .milliseconds(10))
      terminal.receiveAll()
      terminal.forgetOutput()
      let start = ContinuousClock.now
      terminal.type("P")
      try terminal.waitForOutput(containing: number.isMultiple(of: 2) ? "***" : text)
      spread.add(start.duration(to: .now) / .milliseconds(1))
    }
    return spread
  }

  /// From the list to a field's whole value side by side, which `text` is part of.
  func openValue(showing text: String) throws {
    terminal.type("\r")
    try terminal.waitForOutput(containing: "Ancestor")
    terminal.forgetOutput()
    terminal.type("\r")
    try terminal.waitForOutput(containing: text)
  }

  /// From the keys that open the next row to the record with all its versions.
  func millisecondsToOpenRecords(count: Int) throws -> Spread {
    var spread = Spread()
    for _ in 0..<count {
      terminal.forgetOutput()
      let start = ContinuousClock.now
      terminal.type("j\r")
      try terminal.waitForOutput(containing: "Ancestor")
      spread.add(start.duration(to: .now) / .milliseconds(1))
      terminal.forgetOutput()
      terminal.type("\u{1B}")
      try terminal.waitForOutput(containing: "Last edit")
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
