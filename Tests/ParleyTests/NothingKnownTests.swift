import Foundation
import GRDB
import Testing

@testable import parley

/// Stores of which nobody can tell that there are no conflicts.
@Suite struct NothingKnownTests {
  static let changes = [
    ("DROP TABLE parley_inbox", "parley: This app keeps no conflicts: "),
    (
      "PRAGMA foreign_keys = OFF; DROP TABLE reminders; DELETE FROM parley_inbox",
      "parley: Not all is here: reminders is a table that syncs, "
    ),
  ]

  /// - Returns: the path of the store.
  private func make(_ change: String, in folder: String) throws -> String {
    let path = try SampleStores.make(in: folder)
    let queue = try DatabaseQueue(path: path)
    try queue.writeWithoutTransaction { try $0.execute(sql: change) }
    try queue.close()
    return path
  }

  /// Also where another program reads the list: it took such a store for one that is done.
  @Test(arguments: changes) func whatCannotBeKnownIsToldToAPipe(change: String, words: String) throws {
    try withTemporaryFolder { folder in
      let path = try make(change, in: folder + "/demo")
      let commands = [
        ["list", path], ["list", path, "--json"], ["list", path, "--find", "milk"], ["show", path],
        ["resolve", path, "--accept", "all"], ["write", path, "--yes"], ["write", path, "--yes", "--json"],
      ]
      for command in commands {
        let run = Live.run(command)
        #expect(run.status == .nothingLeft && run.errors.hasPrefix(words), "\(command) \(run)")
        #expect(!run.output.contains("there are no conflicts"), "\(command) \(run)")
      }
    }
  }

  @Test func inATerminalItIsToldOnce() throws {
    try withTemporaryFolder { folder in
      let path = try make(Self.changes[0].0, in: folder + "/demo")
      let run = Live.run(["list", path], width: 80)
      #expect(run.output.contains("This app keeps no conflicts:") && run.errors.isEmpty, "\(run)")
    }
  }

  @Test func ofSeveralStoresEachTellsIt() throws {
    try withTemporaryFolder { folder in
      _ = try make(Self.changes[0].0, in: folder + "/demo")
      let other = try SampleStores.make(.cloudant, in: folder + "/other")
      try FileManager.default.copyItem(atPath: other, toPath: folder + "/demo/bookshop.touchdb")
      let run = Live.run("list", folder + "/demo", "--json")
      #expect(run.lines.count == 2 && run.errors.hasPrefix("parley: This app keeps no conflicts: "), "\(run)")
    }
  }
}
