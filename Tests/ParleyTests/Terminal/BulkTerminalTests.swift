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
        try screen.press("4", until: "[4 Sure 5]")
        try screen.press("B", until: "Makes 5 drafts.", "Bread, rye", "20 conflicts stay open.")
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

  /// In one piece with the key that makes them.
  @Test("who leaves while drafts are made is told of as many as are there")
  func left() throws {
    try SampleDesk.make { desk in
      let terminal = try desk.onTerminal()
      terminal.type("4B")
      try terminal.waitForOutput(containing: "Y make 5 drafts")
      terminal.type("Y\u{1B}[21~")
      _ = try terminal.waitForExit()
      let ready = try desk.readyCount()
      let isTold = terminal.contains("5 drafts are ready and not written.")
      #expect([0, 5].contains(ready) && isTold == (ready == 5), "\(ready): \(terminal.text)")
    }
  }
}
