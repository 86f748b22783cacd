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

  @Test("the page of a write hears of a later one, and offers it no more than it says so")
  func writesOfBoth() throws {
    try SampleDesk.make { desk in
      let milk = "5eed0000-0000-4000-8000-000000000012"
      try desk.onScreen { screen in
        try screen.press("j", until: "▸ ! 1 to decide reminders      Rotate")
        try screen.press("c", until: "client taken")
        try screen.press("w", until: "1 of 1 can be written")
        try screen.press("Y", until: "u takes it back.")
        Live.run("resolve", desk.store, milk, "--accept", "all")
        #expect(Live.run("write", desk.store, milk, "--yes").output.contains("written: "))
        try screen.waitFor("Another was done since.")
        try screen.press("u", until: "u takes nothing back here.")
        #expect(Live.run("undo", desk.store, "--yes").errors.isEmpty)
        try screen.waitFor("u takes it back.")
        try screen.press("u", until: "Take back the last write")
      }
    }
  }
}
