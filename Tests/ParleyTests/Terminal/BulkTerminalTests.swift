import StoreInterface
import TerminalTestSupport
import Testing

@testable import parley

@Suite(
  "Rules for many, in a terminal", .serialized, .onItsOwnThread,
  .enabled(if: TmuxTerminal.isInstalled, "tmux is not installed"))
struct BulkTerminalTests {
  @Test("five keys write all that is sure; one takes drafts back, one makes them again")
  func fiveKeys() throws {
    try SampleDesk.make { desk in
      try desk.onScreen(columns: 80, rows: 24) { screen in
        try screen.press("4", until: "[4 Sure 6]")
        // One of the six names a list that is gone, so the store would refuse it.
        let preview = try screen.press("B", until: "Left out 1:  1 refused by the store")
        #expect(preview.contains("Bread, rye"))
        #expect(preview.contains("Makes 5 drafts.") && preview.contains("20 conflicts left to decide."))
        try screen.press("Y", until: "5 drafts made. w reviews and writes, u takes back.")
        try screen.press("u", until: "5 drafts taken back. U makes them again.")
        try screen.press("U", until: "5 drafts made again.")
        #expect(
          try Live.run("list", desk.store, "--json").objects().count { $0["state"] as? String == "ready" }
            == 5)
        try screen.press("w", until: "Y write 5")
        try screen.press("Y", until: "Written 5 of 5")
      }
    }
  }

  /// The leaves come back under other ids, but it is the same that was decided, seen and taken back.
  @Test("drafts of documents can be made again after their write was taken back")
  func againAfterUndo() throws {
    try withTemporaryFolder { folder in
      let path = try SampleStores.make(.cloudant, in: folder + "/store")
      let screen = try TmuxTerminal.start(
        [Binary.path, path], columns: 100, rows: 30,
        environment: ["HOME": folder, "SWIFT_BACKTRACE": "enable=no"])
      defer { screen.stop() }
      try screen.waitUntil("the whole list") { $0.contains("4 findings") && !$0.contains("looking for") }
      try screen.press("B", until: "Makes 5 drafts.")
      try screen.press("Y", until: "5 drafts made.")
      try screen.press("w", until: "Y write 5")
      try screen.press("Y", until: "Written 5 of 5")
      try screen.press("u", until: "Y take back")
      try screen.press("Y", until: "What was decided stays so")
      try screen.press("Escape", until: "B rules")
      try screen.press("u", until: "5 drafts taken back. U makes them again.")
      try screen.press("U", until: "5 drafts made again.")
    }
  }
}
