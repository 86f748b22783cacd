import Foundation
import TerminalTestSupport
import Testing

@Suite("Values that are hard on a terminal", .serialized, .onItsOwnThread)
struct ValuesOnTerminalTests {
  /// The sample's title is `Pasted ESC[31mred BEL text`; with the theme mono no other escape code is of a colour.
  @Test(
    "escape sequences in values are shown and never sent, on any screen",
    .enabled(if: TmuxTerminal.isInstalled, "tmux is not installed"))
  func escapes() throws {
    try SampleDesk.make { desk in
      try desk.onScreen("--theme", "mono") { screen in
        try screen.record(to: desk.folder + "/sent")
        let shown = "Pasted ␛[31mred␇ text"
        // All of the list again, now that it is recorded; then the record, its whole value, the editor and the review.
        try screen.keys("C-l")
        try screen.type("/pasted\n")
        try screen.waitUntil("one row") { $0.contains(shown) && !$0.contains("Water plants") }
        try screen.press("Enter", until: "A Ancestor", shown)
        try screen.press("c", until: "✓ client taken", shown)
        try screen.press("Enter", until: "change 1 of", "␛[31mred␇")
        try screen.press("Escape", until: "A Ancestor")
        try screen.press("e", until: "Stored as  TEXT", shown)
        try screen.keys("Escape")
        try screen.waitUntil("the record") { !$0.contains("Edit title") }
        try screen.press("w", until: "1 of 1 can be written", shown)
        try screen.keys("C-c")
        let sent = try sentBytes(desk.folder + "/sent")
        // All bytes of it in a failure's message would help nobody.
        let (isShown, isSent) = (
          sent.contains(Array("␛[31mred␇".utf8)), sent.contains(Array("\u{1B}[31m".utf8))
        )
        #expect(isShown && !isSent)
        #expect(sent.firstIndex(of: 7) == nil)
      }
    }
  }

  /// tmux hands the bytes on by a process of its own: the last are those with which the screen is left.
  private func sentBytes(_ file: String) throws -> [UInt8] {
    let deadline = ContinuousClock.now + .seconds(20)
    var sent: [UInt8] = []
    repeat {
      sent = try Array(Data(contentsOf: URL(fileURLWithPath: file)))
    } while !sent.contains(Array("\u{1B}[?1049l".utf8)) && .now < deadline
    return sent
  }

  @Test("names of files in an error are shown as harmlessly")
  func escapesInErrors() throws {
    try withTemporaryFolder { folder in
      let terminal = try PseudoTerminal([Binary.path, folder + "/a\u{1B}[31m.sqlite"])
      #expect(try terminal.waitForExit() == .exited(3))
      #expect(terminal.contains("a␛[31m.sqlite"))
      #expect(!terminal.contains("\u{1B}"))
    }
  }

  @Test(
    "wide characters, emoji and marks keep the columns, as the terminal counts them",
    .enabled(if: TmuxTerminal.isInstalled, "tmux is not installed"))
  func columns() throws {
    try SampleDesk.make { desk in
      try desk.onScreen { screen in
        // The first has nothing wide; its age reads 1h for most of an hour, however long ago the sample was made.
        var side: Int?
        for title in ["Spare", "買い物", "Caf", "Pasted"] {
          try screen.type("/\(title)\n")
          let reason = title == "Spare" ? "notes: server newer" : "title: server newer"
          // One row, and its preview without these words.
          try screen.waitUntil("one row") {
            $0.contains(reason) && $0.contains("Blob's iPad   1h") && !$0.contains("Water plants")
          }
          // The columns may be others before all is read.
          #expect(try screen.column(of: reason) == screen.column(of: "Why"))
          let found = try #require(try screen.column(of: "Blob's iPad   1h"))
          side = side ?? found
          #expect(found == side)
          try screen.keys("/")
          try screen.press("Escape", until: "Water plants")
        }
        try screen.type("/買い物\n")
        try screen.press("Enter", until: "R Result", "S Server", "●買い物メモ")
        let heading = try #require(try screen.column(of: "S Server"))
        // The cell's own mark stands before it; the whole value below is in another notation.
        #expect(try screen.column(of: "●買い物メモ") == heading - 1)
      }
    }
  }
}
