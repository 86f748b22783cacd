import Foundation
import GRDB
import Journals
import TerminalTestSupport
import Testing

@Suite(
  "The desk beside other programs", .serialized, .onItsOwnThread,
  .enabled(if: TmuxTerminal.isInstalled, "tmux is not installed"))
struct OtherProcessTests {
  /// The app is this very process, which has the database open as an app has it.
  @Test("reads a store that its app has open, says who can write, and writes nothing")
  func heldByTheApp() throws {
    try SampleDesk.make { desk in
      let app = try DatabaseQueue(path: desk.store)
      _ = try app.read { try Int.fetchOne($0, sql: "SELECT count(*) FROM reminders") }
      try desk.onScreen { screen in
        #expect(try screen.screen().contains("read-only"))
        try screen.press("j", until: "▸ ! 1 to decide reminders      Rotate")
        try screen.press("c", until: "1 ready")
        let review = try screen.press("w", until: "read-only: ", "(process \(getpid())) has it open")
        #expect(!review.contains("✓ "))
        try screen.press("Y", until: "it can be written once that is closed")
      }
      #expect(try desk.objects("log").map { $0["kind"] as? String } == ["decision"])
      try app.close()
    }
  }

  @Test("notices that another program writes, says which decision no longer holds, and who may write")
  func noticed() throws {
    try SampleDesk.make { desk in
      try desk.onScreen { screen in
        try screen.press("Enter", until: "A Ancestor")
        try screen.press("g", until: "▸^  title")
        try screen.press("c", until: "client taken")
        let app = try DatabaseQueue(path: desk.store)
        try app.write {
          try $0.execute(
            sql: "UPDATE reminders SET title = 'Call the vet' WHERE title = ?",
            arguments: ["Call dentist today"])
        }
        try screen.waitFor("Your decision on title no longer holds.", "Call the vet")
        try screen.press("Escape", until: "read-only")
        try app.close()
        try screen.waitUntil("read-only goes away") { !$0.contains("read-only") }
      }
    }
  }

  @Test("a key that was pressed while another program had the journal decides no row that was not shown then")
  func heldJournal() throws {
    try SampleDesk.make { desk in
      try desk.onScreen(columns: 300) { screen in
        try screen.press("c", until: "Call dentist today: client taken.")
        let path = JournalPath.beside(desk.store)
        let journal = try DatabaseQueue(path: path)
        try journal.writeWithoutTransaction { db in
          try db.execute(sql: "BEGIN IMMEDIATE")
          for key in ["c", "s"] { try screen.keys(key) }
          // Whoever waits longer than the desk's patience does not get it either.
          try Self.expectBusy(path, waiting: 2)
          try db.execute(sql: "COMMIT")
        }
        try journal.close()
        try screen.waitFor("client taken.", "s was pressed before this screen was shown, so it")
      }
      let texts = try desk.objects("log").compactMap { $0["text"] as? String }
      #expect(texts.contains("dueDate: client taken") && !texts.contains { $0.hasSuffix("server taken") })
    }
  }

  private static func expectBusy(_ path: String, waiting seconds: Double) throws {
    var configuration = Configuration()
    configuration.busyMode = .timeout(seconds)
    let other = try DatabaseQueue(path: path, configuration: configuration)
    let error = #expect(throws: DatabaseError.self) { try other.write { _ in } }
    #expect(error?.resultCode == .SQLITE_BUSY)
    try other.close()
  }

  @Test("hands a value to $EDITOR and takes it back as a decision to confirm")
  func editor() throws {
    try SampleDesk.make { desk in
      let editor = desk.folder + "/editor"
      try write("#!/bin/sh\nsed -i.before '1s/.*/Call the dentist by noon/' \"$1\"\n", to: editor)
      try FileManager.default.setAttributes([.posixPermissions: 0o700], ofItemAtPath: editor)
      try desk.onScreen(environment: ["EDITOR": editor]) { screen in
        try screen.press("Enter", until: "A Ancestor")
        try screen.press("g", until: "▸^  title")
        try screen.press("E", until: "Call the dentist by noon")
        try screen.press("Enter", until: "✓ edited")
      }
      let title = try desk.objects("log").first?["text"] as? String
      #expect(title?.contains("Call the dentist by noon") == true)
    }
  }

  /// The system tells the desk alone, and an editor may read nothing of the terminal.
  @Test(
    "a terminal that is closed ends the editor, too, and no value is left in its file",
    arguments: ["exec tail -f /dev/null", "trap 'echo more >> \"$1\"; exit 0' HUP; tail -f /dev/null & wait"])
  func closedTerminal(editing: String) throws {
    try SampleDesk.make { desk in
      let editor = desk.folder + "/editor"
      let script = "#!/bin/sh\necho secret >> \"$1\"\necho it is edited\n\(editing)\n"
      try script.write(toFile: editor, atomically: true, encoding: .utf8)
      chmod(editor, 0o700)
      let terminal = try desk.onTerminal(environment: ["EDITOR": editor, "TMPDIR": desk.folder])
      terminal.type("\r")
      try terminal.waitForOutput(containing: "Ancestor")
      terminal.type("E")
      try terminal.waitForOutput(containing: "it is edited")
      let edited = {
        try FileManager.default.contentsOfDirectory(atPath: desk.folder).filter {
          $0.hasPrefix("parley-edit-")
        }
      }
      #expect(try edited().count == 1)
      terminal.hangUp()
      _ = try terminal.waitForExit()
      #expect(try edited().isEmpty)
      #expect(try desk.objects("log").isEmpty, "what was typed was not confirmed")
    }
  }

  @Test(
    "an editor that fails, or changes nothing, takes nothing over, and the record comes back",
    arguments: [
      ("false", "The editor (false) did not end well."), ("nosuchprog", "There is no program nosuchprog"),
      ("true", "Nothing was changed in the editor."),
      // What a terminal that is closed meanwhile tells both.
      ("kill -HUP $PPID; true", "Nothing was changed in the editor."),
    ])
  func failingEditor(editor: String, words: String) throws {
    try SampleDesk.make { desk in
      let folder = desk.folder + "/own"
      let left = "\(folder)/parley-edit-999999999-\(UUID().uuidString)"
      try FileManager.default.createDirectory(atPath: left, withIntermediateDirectories: true)
      try desk.onScreen(environment: ["EDITOR": editor, "TMPDIR": folder]) { screen in
        try screen.press("Enter", until: "A Ancestor")
        let text = try screen.press("E", until: words, "A Ancestor")
        #expect(!text.contains("Edit title"))
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder).isEmpty)
      }
    }
  }
}
