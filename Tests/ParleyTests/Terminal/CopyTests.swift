import Foundation
import TerminalTestSupport
import Testing

@Suite("Copying on a terminal", .serialized, .onItsOwnThread)
struct CopyTests {
  @Test("y asks the terminal to take the cell under the cursor, by OSC 52, and keeps it in a file")
  func clipboard() throws {
    try SampleDesk.make { desk in
      let terminal = try desk.onTerminal(environment: ["XDG_RUNTIME_DIR": desk.folder])
      terminal.type("\r")
      try terminal.waitForOutput(containing: "Ancestor")
      terminal.type("gy")
      let text = Data("Call Dr. Wu".utf8).base64EncodedString()
      try terminal.waitForOutput(containing: "\u{1B}]52;c;\(text)\u{7}")
      terminal.type("\u{3}")
      #expect(try terminal.waitForExit() == .exited(1))
      let file = desk.folder + "/parley/copied.txt"
      #expect(FileManager.default.contents(atPath: file) == Data("Call Dr. Wu".utf8))
      let mode = try FileManager.default.attributesOfItem(atPath: file)[.posixPermissions] as? Int
      #expect(mode == 0o600)
    }
  }
}
