import Foundation
import StoreInterface
import TerminalTestSupport
import Testing

@testable import parley

@Suite(
  "The desk in a terminal, on a datastore whose documents are trees of revisions", .serialized,
  .onItsOwnThread,
  .enabled(if: TmuxTerminal.isInstalled, "tmux is not installed"))
struct DocumentTests {
  /// The sample datastore, and the built program on it from where its list is complete.
  private func onScreen(columns: Int = 120, rows: Int = 40, _ body: (TmuxTerminal, String) throws -> Void)
    throws
  {
    try withTemporaryFolder { folder in
      let path = try SampleStores.make(.cloudant, in: folder + "/store")
      let screen = try TmuxTerminal.start(
        [Binary.path, path], columns: columns, rows: rows,
        environment: ["HOME": folder, "SWIFT_BACKTRACE": "enable=no"])
      defer { screen.stop() }
      try screen.waitUntil("the whole list") {
        $0.contains("4 findings") && !$0.contains("looking for") && !$0.contains("Reading")
      }
      try body(screen, path)
    }
  }

  /// A document as `show --json` tells it; nil if it is in no conflict.
  private func document(_ id: String, _ path: String) throws -> [String: Any]? {
    try Live.run("show", path, id, "--json").objects().first
  }

  private func leaves(_ id: String, _ path: String) throws -> [String] {
    let leaves = try document(id, path)?["leaves"] as? [[String: Any]] ?? []
    return leaves.filter { $0["deleted"] as? Bool == false }.compactMap { $0["id"] as? String }
  }

  @Test("shows a tree, turns leaves, takes one's value, writes it and takes it back")
  func cycle() throws {
    try onScreen { screen, path in
      let before = try leaves("book-walden", path)
      #expect(before.count == 3)
      try screen.keys("/")
      try screen.press("Walden", until: "/ Walden_")
      try screen.press("Enter", until: "▸ ~ sure        docs           Walden")
      try screen.press("L", until: "live  S server", "winner  C client", "deleted")
      try screen.press("j", until: "Enter shows it in the server's column")
      try screen.press("Enter", until: "leaf 3 of 3")

      try screen.press("s", until: "✓ leaf 3 taken")
      try screen.press("]", until: "leaf 2 of 3", "✓ leaf 3 taken")
      try screen.press("A", until: "2 taken.")
      try screen.press("w", until: "✓ 1 of 1 can be written")
      try screen.press("Y", until: "Written 1 of 1")
      #expect(try leaves("book-walden", path).isEmpty)

      try screen.press("u", until: "can be taken back")
      try screen.press("Y", until: "Taken back 1 of 1")
      let after = try leaves("book-walden", path)
      #expect(after.count == 3)
    }
  }

  /// The leaves come back under other ids, but it is the same that was decided, seen and taken back.
  @Test("drafts made in bulk can be made again after their write was taken back")
  func bulkAgain() throws {
    try onScreen { screen, _ in
      try screen.press("B", until: "Makes 5 drafts.")
      try screen.press("Y", until: "5 drafts made.")
      try screen.press("w", until: "Y write 5")
      try screen.press("Y", until: "Written 5 of 5")
      try screen.press("u", until: "Y take back")
      try screen.press("Y", until: "What was decided stays so")
      try screen.press("Escape", until: "B bulk")
      try screen.press("u", until: "5 drafts taken back. U makes them again.")
      try screen.press("U", until: "5 drafts made again.")
    }
  }

  @Test("keeps a decision for another leaf when it is killed, whichever leaf was shown")
  func killed() throws {
    try onScreen { screen, path in
      try screen.keys("/")
      try screen.press("Many", until: "/ Many_")
      try screen.press("Enter", until: "▸ ! 1 to decide docs           Many hands")
      try screen.press("Enter", until: "leaf 2 of 40")
      try screen.press("[", until: "leaf 40 of 40")
      try screen.press("s", until: "✓ ready")
      try screen.press("]", until: "leaf 2 of 40")
      try screen.killProgram()
      #expect(Live.run("list", path, "--json").output.contains(#""state":"ready""#))
    }
  }

  @Test("finds a revision among many while it is typed, at 80 columns")
  func many() throws {
    try onScreen(columns: 80, rows: 24) { screen, path in
      let last = try #require(try leaves("book-many-hands", path).last)
      try screen.keys("/")
      try screen.press("Many", until: "/ Many_")
      try screen.press("Enter", until: "▸ ! 1 to decide docs      Many hands")
      try screen.press("L", until: "34 more leaves")
      try screen.keys("/")
      try screen.waitFor("/ _")
      try screen.press(last, until: "line 40 of 40")
      try screen.press("Enter", until: "Enter show", last)
      try screen.press("=", until: "line 7 of 7")
      try screen.press("Escape", until: "Conflicts")
    }
  }
}
