import Foundation
import Testing

@testable import parley

@Suite("keys")
struct KeysTests {
  private func withKeys(_ lines: String, _ body: (_ run: (String...) -> Run) throws -> Void) throws {
    try withTemporaryFolder { folder in
      try write(Data(lines.utf8), to: folder + "/parley/config.yaml")
      try body { Live.run(["keys"] + $0, environment: ["XDG_CONFIG_HOME": folder]) }
    }
  }

  @Test("of one's own that another command had are told, with the command that lost it")
  func lost() throws {
    let told = "parley: On the screen Record “s” is “take client” now, and no longer “take server”.\n"
    try withKeys("keys:\n  record:\n    take client: [s]\n") { run in
      #expect(run().errors == told && run("--json").errors == told)
      #expect(run().status == .nothingLeft && !run().output.isEmpty)
    }
    try withKeys("keys:\n  record:\n    take client: [z]\n") { run in #expect(run().errors.isEmpty) }
  }

  /// Who named a wrong command is sent here for the right one.
  @Test("are told without one's own where the configuration has a mistake, which is told too")
  func mistake() throws {
    try withKeys("keys:\n  list:\n    nosuch: z\n") { run in
      let told = run()
      #expect(told.status != .nothingLeft && told.errors.contains("there is no command “nosuch”"))
      #expect(told.output.contains("next to decide"))
    }
  }

  @Test("of several commands that the help tells in one line have each its own words")
  func ownWords() throws {
    try withKeys("") { run in
      let lines = run().lines.map { line in
        line.split(separator: "  ").map { $0.trimmingCharacters(in: .whitespaces) }
      }
      for told in [
        ["2", "filter to decide", "to decide: !"], ["3", "filter clock", "to decide: ^"],
        ["4", "filter sure", "to decide: ~"], ["6", "filter stuck", "stuck"], ["v", "mark range", "range"],
        ["+", "faster", "faster"], ["a", "take ancestor", "all from C, S or A"],
      ] {
        #expect(lines.contains(told), "\(told)")
      }
    }
  }

  @Test("stand in columns, however many a command has")
  func columns() throws {
    try withKeys("") { run in
      let lines = run().lines.filter { $0.hasPrefix("  ") }
      let starts = try zip(lines, run("--json").objects()).map { line, object in
        let keys = (object["keys"] as? [String] ?? []).joined(separator: "  ")
        return keys.count + line.dropFirst(2 + keys.count).prefix { $0 == " " }.count
      }
      #expect(Set(starts).count == 1 && starts.count > 50, "\(Set(starts))")
    }
  }
}
