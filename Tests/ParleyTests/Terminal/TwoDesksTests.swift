import Foundation
import TerminalTestSupport
import Testing

@Suite(
  "Two desks on one store", .serialized, .onItsOwnThread,
  .enabled(if: TmuxTerminal.isInstalled, "tmux is not installed"))
struct TwoDesksTests {
  @Test("every decision is kept, and what the other desk decided is told before it is written")
  func decisionsOfBoth() throws {
    try SampleDesk.make { desk in
      try desk.onScreen { first in
        try first.press("j", until: "▸ ! 1 to decide reminders      Rotate")
        try first.press("c", until: "client taken")
        try first.press("k", until: "▸ ✓ ready       reminders      Rotate")
        try desk.onScreen { second in
          try second.press("j", until: "▸ ✓ ready       reminders      Rotate")
          try second.press("s", until: "server taken")
          try second.press("k", until: "▸ ✓ ready       reminders      Rotate")
          // Whoever decides before that is told by the answer instead, which no test on a terminal can be sure of.
          try first.waitFor("Another Parley decided dueDate of Rotate garden beds meanwhile: server taken.")
          try first.press("c", until: "client taken")
          let texts = try desk.objects("log").compactMap { $0["text"] as? String }
          #expect(texts == ["dueDate: client taken", "dueDate: server taken", "dueDate: client taken"])

          try second.waitFor("decided dueDate of Rotate garden beds meanwhile: client taken")
          try second.press("s", until: "server taken")
          try first.waitFor("Another Parley decided dueDate of Rotate garden beds meanwhile: server taken.")
          // A key clears what came without one.
          try first.press("w", until: "1 of 1 can be written")
        }
      }
    }
  }
}
