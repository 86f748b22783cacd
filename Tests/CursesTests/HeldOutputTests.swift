#if os(Linux)
  import Foundation
  import TerminalTestSupport
  import Testing

  @testable import Curses

  @MainActor
  @Suite(.serialized) struct HeldOutputTests {
    private let pty: PseudoTerminal
    private let held: HeldOutput

    init() throws {
      pty = try PseudoTerminal(columns: 60, rows: 10)
      held = try #require(HeldOutput(of: pty.programSide))
    }

    private func write(_ text: String) { FileDescriptor.send(Array(text.utf8), to: pty.programSide) }

    private var received: String {
      pty.receiveAll()
      return String(decoding: pty.output, as: UTF8.self)
    }

    @Test func theTerminalGetsAllOfAFrameAtItsEnd() {
      defer { held.close() }
      held.holding {
        write("one ")
        write("two")
        #expect(received == "")
      }
      #expect(received == "one two")
    }

    @Test func theNextFrameHasNothingOfTheOneBefore() {
      defer { held.close() }
      held.holding { write("a long one") }
      held.holding { write("/short") }
      held.holding {}
      #expect(received == "a long one/short")
    }

    @Test func whatIsWrittenBetweenFramesGoesToTheTerminal() {
      defer { held.close() }
      held.holding { write("in ") }
      write("between")
      #expect(received == "in between")
      #expect(isatty(pty.programSide) == 1)
    }

    @Test func childrenHaveNoPartInIt() {
      defer { held.close() }
      held.holding { #expect(fcntl(pty.programSide, F_GETFD) & FD_CLOEXEC != 0) }
      #expect(fcntl(pty.programSide, F_GETFD) & FD_CLOEXEC != 0)
    }

    @Test(arguments: [0, O_NONBLOCK])
    func aTerminalThatIsFullGetsTheRestOnceItHasRoom(mode: Int32) async {
      let text = String(repeating: "0123456789", count: 20_000)
      _ = fcntl(pty.programSide, F_SETFL, mode)
      nonisolated(unsafe) let terminal = pty
      let reader = Task.detached {
        while terminal.output.count < text.utf8.count, terminal.receive(until: .now + .seconds(20)) {}
      }
      held.holding { write(text) }
      held.close()
      await reader.value
      #expect(received == text)
    }
  }
#endif
