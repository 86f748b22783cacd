import Foundation

#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// A program in tmux: its screen as a person sees it. Every one has a server of its own, so tests do not meet.
///
/// ```swift
/// let terminal = try TmuxTerminal.start(["parley", "demo"], columns: 80, rows: 24)
/// defer { terminal.stop() }
/// try terminal.keys("j", "Enter")
/// let screen = try terminal.waitFor("Ancestor")
/// ```
public final class TmuxTerminal {
  private let folder: URL
  private let environment: [String: String]

  /// Whether tmux is installed; tests that need it are skipped where it is not.
  public static let isInstalled =
    (try? Command.output(["tmux", "-V"], environment: TestEnvironment.complete([:])))?.status == .exited(0)

  /// Starts `command` in a window of this size.
  public static func start(
    _ command: [String], columns: Int = 80, rows: Int = 24, environment: [String: String] = [:]
  ) throws -> TmuxTerminal {
    let terminal = try TmuxTerminal(environment)
    try terminal.tmux(
      ["new-session", "-d", "-x", "\(columns)", "-y", "\(rows)", "-s", "test", "--"] + command)
    return terminal
  }

  private init(_ environment: [String: String]) throws {
    folder = URL(fileURLWithPath: "/tmp/parley-tmux-\(UUID().uuidString.prefix(8))")
    self.environment = TestEnvironment.complete(environment)
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    try Self.configuration.write(to: folder.appendingPathComponent("conf"), atomically: true, encoding: .utf8)
  }

  private static let configuration = """
    set -g default-terminal tmux-256color
    set -ga terminal-features ",*:RGB"
    set -g escape-time 0
    set -g status off
    set -g remain-on-exit on
    set -g mouse off
    """

  /// Presses keys, in tmux's names: `Enter`, `Escape`, `Up`, `C-z`, `F1`, or one character.
  public func keys(_ keys: String...) throws { try tmux(["send-keys", "-t", "test"] + keys) }

  /// Types text letter by letter, as it stands.
  public func type(_ text: String) throws { try tmux(["send-keys", "-t", "test", "-l", text]) }

  /// What stands on the screen now, without colours.
  public func screen() throws -> String { try tmux(["capture-pane", "-t", "test", "-p"]) }

  /// What stands on the screen now, with the escape codes of its colours.
  public func colouredScreen() throws -> String { try tmux(["capture-pane", "-t", "test", "-p", "-e"]) }

  /// Waits until the screen shows all of `texts`, and returns the screen. What a test wants to see belongs here, not
  /// in an expectation behind it: a busy machine may stop between two halves of a frame for longer than two looks.
  @discardableResult
  public func waitFor(_ texts: String..., within patience: Duration = .seconds(20)) throws -> String {
    try waitFor(all: texts, within: patience)
  }

  /// The same, for texts in an array.
  @discardableResult
  public func waitFor(all texts: [String], within patience: Duration = .seconds(20)) throws -> String {
    try waitUntil("\(texts)", within: patience) { screen in texts.allSatisfy(screen.contains) }
  }

  /// Waits until `condition` holds for the screen and it stands still, as a look may fall between two halves of a frame;
  /// returns the screen.
  @discardableResult
  public func waitUntil(
    _ words: String, within patience: Duration = .seconds(20), _ condition: (String) -> Bool
  ) throws -> String {
    let deadline = ContinuousClock.now + patience
    var screen = ""
    repeat {
      let before = screen
      screen = try self.screen()
      if screen == before, condition(screen) { return screen }
      // Whoever looks without a rest takes from the program the time to draw.
      poll(nil, 0, 5)
    } while ContinuousClock.now < deadline
    throw TestTerminalError.timedOut(waitingFor: words, seen: screen)
  }

  /// What tmux says of the window, by its own formats: `#{pane_pid}`, `#{cursor_x}`.
  public func ask(_ format: String) throws -> String {
    try tmux(["display-message", "-p", "-t", "test", format]).trimmingCharacters(in: .newlines)
  }

  /// The process that was started.
  public func process() throws -> Int32? { Int32(try ask("#{pane_pid}")) }

  /// The column, from 0, in which the terminal itself has the last `text` of the screen: what a wide character or a
  /// mark before it takes is counted by tmux, not by us.
  public func column(of text: String) throws -> Int? {
    try tmux(["copy-mode", "-t", "test"])
    defer { _ = try? tmux(["send-keys", "-t", "test", "-X", "cancel"]) }
    // From the end of the last line: the search goes upwards.
    for move in [["bottom-line"], ["end-of-line"], ["search-backward-text", text]] {
      try tmux(["send-keys", "-t", "test", "-X"] + move)
    }
    // What is not found leaves the cursor where it was.
    let lines = try screen().split(separator: "\n", omittingEmptySubsequences: false)
    guard let row = Int(try ask("#{copy_cursor_y}")), lines[row].contains(text) else { return nil }
    return Int(try ask("#{copy_cursor_x}"))
  }

  /// From now on the bytes that the program sends go to a file, too.
  public func record(to file: String) throws { try tmux(["pipe-pane", "-t", "test", "cat > '\(file)'"]) }

  public func resize(columns: Int, rows: Int) throws {
    try tmux(["resize-window", "-t", "test", "-x", "\(columns)", "-y", "\(rows)"])
  }

  /// Ends the program and the server.
  public func stop() {
    _ = try? tmux(["kill-server"])
    try? FileManager.default.removeItem(at: folder)
  }

  @discardableResult
  private func tmux(_ arguments: [String]) throws -> String {
    let socket = folder.appendingPathComponent("socket").path
    let configuration = folder.appendingPathComponent("conf").path
    let (status, text) = try Command.output(
      ["tmux", "-u", "-S", socket, "-f", configuration] + arguments, environment: environment)
    guard status == .exited(0) else { throw TestTerminalError.tmux(text) }
    return text
  }
}
