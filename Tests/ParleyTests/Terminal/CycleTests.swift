import Foundation
import TerminalTestSupport
import Testing

@Suite(
  "The desk in a terminal, from opening a store to a written draft", .serialized, .onItsOwnThread,
  .enabled(if: TmuxTerminal.isInstalled, "tmux is not installed"))
struct CycleTests {
  @Test("decides field by field, writes, and takes the write back")
  func cycle() throws {
    try SampleDesk.make { desk in
      try desk.onScreen { screen in
        try screen.press("Enter", until: "▸!  remindersL")
        try screen.press("g", until: "▸^  title")
        try screen.press("s", until: "✓ server taken")
        try screen.press("A", until: "1 to decide.")
        try screen.press("Tab", until: "▸!  remindersL")
        try screen.press("c", until: "✓ client taken")
        try screen.press("w", until: "✓ 1 of 1 can be written")
        #expect(try desk.objects("list").count == 25)
        try screen.press("d", until: "UPDATE \"main\".\"reminders\" SET \"notes\" = ")
        try screen.press("Escape", until: "Y write 1")
        try screen.press("o", until: "JSON of 1 draft")
        try screen.press("Escape", until: "Y write 1")

        try screen.press("Y", until: "Written 1 of 1")
        #expect(try desk.objects("list").count == 24)

        try screen.keys("Escape")
        try screen.waitUntil("the list without what was written") {
          $0.contains("24 open   0 ready") && !$0.contains("Call dentist") && !$0.contains("No record")
        }
        try screen.press("u", until: "can be taken back")
        try screen.press("Y", until: "Taken back 1 of 1")
        try screen.press("Escape", until: "24 open   1 ready")
      }
      #expect(try desk.objects("list").count == 25)
      #expect(try desk.readyCount() == 1)
      #expect(try desk.objects("log").prefix(2).map { $0["kind"] as? String } == ["undo", "write"])
    }
  }

  /// What another process reads no kill takes back, so each is read as soon as it is on the screen.
  @Test("keeps every decision that was on the screen, also when it is killed")
  func killed() throws {
    try SampleDesk.make { desk in
      // In the record field by field, and in the list for the whole row under the cursor.
      let decisions: [(keys: [String], seen: String, ready: Int)] = [
        (["A"], "1 to decide.", 0),
        (["k", "Enter", "Tab", "s"], "✓ ready", 1),
        (["Escape", "j", "c"], "Rotate garden beds: client taken.", 2),
        (["j", "s"], "3 ready", 3),
        (["G", "g", "j", "j", "j", "j", "j", "j", "A"], "Coffee: 1 taken.", 4),
      ]
      try desk.onScreen { screen in
        for decision in decisions {
          for key in decision.keys {
            try screen.keys(key)
            if key == "Enter" { try screen.waitFor("A Ancestor") }
            if key == "Escape" { try screen.waitFor("Conflicts") }
          }
          try screen.waitFor(decision.seen)
          #expect(try desk.readyCount() == decision.ready)
        }
        try screen.killProgram()
      }
      try desk.onScreen { screen in
        try screen.waitFor("4 ready")
        try screen.press("Enter", until: "A Ancestor", "✓  remindersL", "✓ server taken")
      }
    }
  }

  /// As of a paste, in a terminal that marks none.
  @Test("keys that come at once decide nothing that was not shown when they came")
  func atOnce() throws {
    try SampleDesk.make { desk in
      try desk.onScreen { screen in
        try screen.press("Enter", until: "A Ancestor")
        try screen.press("g", until: "▸^  title")
        try screen.type("cs")
        try screen.waitFor("client taken", "s was pressed before this screen was shown")
      }
      let texts = try desk.objects("log").compactMap { $0["text"] as? String }
      #expect(texts == ["title: client taken"])
    }
  }

  @Test("quits with 1 while conflicts are left, says what is ready, and leaves no file but the journal")
  func quits() throws {
    try SampleDesk.make { desk in
      let before = try desk.files()
      let terminal = try desk.onTerminal()
      terminal.type("jc")
      try terminal.waitForOutput(containing: "client taken")
      terminal.type("q")
      #expect(try terminal.waitForExit() == .exited(1))
      #expect(terminal.isRestored)
      #expect(terminal.text.hasSuffix("1 draft is ready and not written. All decisions are kept.\r\n"))
      #expect(
        try desk.files().subtracting(before).allSatisfy { $0.hasPrefix("Reminders.parley.sqlite") })
    }
  }
}

extension SampleDesk {
  fileprivate func files() throws -> Set<String> {
    Set(try FileManager.default.contentsOfDirectory(atPath: folder + "/store"))
  }
}
