import Foundation
import TerminalTestSupport
import Testing

@Suite("Copying on a terminal", .serialized, .onItsOwnThread)
struct CopyTests {
  @Test("y asks the terminal to take the cell under the cursor, by OSC 52")
  func clipboard() throws {
    try SampleDesk.make { desk in
      let terminal = try desk.onTerminal()
      terminal.type("\r")
      try terminal.waitForOutput(containing: "Ancestor")
      terminal.type("y")
      let text = Data("Call Dr. Wu".utf8).base64EncodedString()
      try terminal.waitForOutput(containing: "\u{1B}]52;c;\(text)\u{7}")
      terminal.type("\u{3}")
      #expect(try terminal.waitForExit() == .exited(1))
    }
  }
}
