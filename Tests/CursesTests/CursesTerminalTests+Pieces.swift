import Terminal
import TerminalTestSupport
import Testing

@testable import Curses

/// What comes in pieces, as over a slow line.
extension CursesTerminalTests {
  /// Н as a Russian keyboard has it, where others have Y. The rest comes while the terminal waits for it.
  @Test(arguments: ["Н", "日", "👍"] as [Character])
  func aLetterBehindAnEscapeWhoseBytesComeOneByOneIsOneWithIt(letter: Character) throws {
    let bytes = Array(String(letter).utf8)
    try with(screen()) { terminal in
      terminal.pauses.inSequence = .seconds(10)
      pty.type([0x1B, bytes[0]])
      pty.type(bytes.dropFirst().map { [$0] }, eachAfter: 0.06)
      #expect(terminal.nextEvent(timeout: .seconds(10)) == .event(.keyBehindEscape(.character(letter))))
    }
  }
}
