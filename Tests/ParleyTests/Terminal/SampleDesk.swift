import Foundation
import StoreInterface
import TerminalTestSupport
import Testing

#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// A sample store in a folder of its own, and the built program on it in a real terminal.
///
/// ```swift
/// try SampleDesk.make { desk in
///   try desk.onScreen { screen in
///     try screen.keys("Enter")
///     try screen.waitFor("A Ancestor")
///   }
/// }
/// ```
struct SampleDesk {
  /// Taken away afterwards; tests may put more into it.
  let folder: String
  /// The app database.
  let store: String

  static func make(_ body: (SampleDesk) throws -> Void) throws {
    try withTemporaryFolder { folder in
      try body(SampleDesk(folder: folder, store: SampleStores.make(in: folder + "/store")))
    }
  }

  /// The desk in tmux, from where the list is complete: its screen as a person sees it.
  func onScreen(
    _ options: String..., columns: Int = 120, rows: Int = 40, environment: [String: String] = [:],
    _ body: (TmuxTerminal) throws -> Void
  ) throws {
    let screen = try TmuxTerminal.start(
      [Binary.path, store] + options, columns: columns, rows: rows, environment: complete(environment))
    defer { screen.stop() }
    try screen.waitUntil("the whole list") {
      $0.contains("8 stuck") && !$0.contains("looking for stuck") && !$0.contains("Reading")
    }
    try body(screen)
  }

  /// The desk on a pseudo-terminal, from its first rows on: the bytes it sends, and what it leaves behind.
  func onTerminal(
    _ options: String..., columns: Int = 80, rows: Int = 24, environment: [String: String] = [:]
  ) throws -> PseudoTerminal {
    let terminal = try start(options, columns: columns, rows: rows, environment: environment)
    try terminal.waitForOutput(containing: "dentist")
    #expect(!terminal.isRestored)
    return terminal
  }

  /// The same without waiting, for a desk that does not open.
  func start(
    _ options: [String] = [], columns: Int = 80, rows: Int = 24, environment: [String: String] = [:]
  ) throws -> PseudoTerminal {
    try PseudoTerminal(
      [Binary.path, store] + options, columns: columns, rows: rows, environment: complete(environment))
  }

  /// Nothing of the person who runs the tests is looked at.
  private func complete(_ environment: [String: String]) -> [String: String] {
    ["HOME": folder, "SWIFT_BACKTRACE": "enable=no"].merging(environment) { $1 }
  }

  /// What `parley list --json` and `parley log --json` say, an object a line.
  func objects(_ arguments: String...) throws -> [[String: Any]] {
    try Live.run(arguments + [store, "--json"]).objects()
  }

  /// How many records are ready to be written.
  func readyCount() throws -> Int { try objects("list").count { $0["state"] as? String == "ready" } }
}

extension TmuxTerminal {
  /// Presses a key, and waits for all that the screen says to it.
  @discardableResult
  func press(_ key: String, until texts: String...) throws -> String {
    try keys(key)
    return try waitFor(all: texts)
  }
}

extension TmuxTerminal {
  /// Ends the program by SIGKILL, and waits until it is gone.
  func killProgram() throws {
    let (process, server) = (try #require(try process()), try #require(Int32(try ask("#{pid}"))))
    kill(process, SIGKILL)
    let deadline = ContinuousClock.now + .seconds(20)
    while kill(process, 0) == 0, .now < deadline {
      // tmux 3.3 overhears its child's end now and then, and leaves it a zombie.
      kill(server, SIGCHLD)
      _ = try screen()
    }
    #expect(kill(process, 0) != 0)
  }
}

extension PseudoTerminal {
  var text: String { String(decoding: output, as: UTF8.self) }

  func contains(_ text: String) -> Bool { output.contains(Array(text.utf8)) }
}
