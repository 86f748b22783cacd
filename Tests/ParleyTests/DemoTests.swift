import Foundation
import TerminalTestSupport
import Testing

@testable import parley

#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

@Suite("demo")
struct DemoTests {
  @Test("--write makes the store in a new folder, and prints its path")
  func write() throws {
    try withTemporaryFolder { folder in
      let run = Session().run(["demo", "--write", folder + "/a/b"])
      #expect(run == Run(status: .nothingLeft, output: "\(folder)/a/b/demo.sqlite\n", errors: ""))
      #expect(FileManager.default.fileExists(atPath: folder + "/a/b"))
    }
  }

  @Test("--write mixes with nothing that is there, and says why a folder cannot be made")
  func refused() throws {
    try withTemporaryFolder { folder in
      try ParleyTests.write("x", to: folder + "/full/x")
      #expect(Session().run(["demo", "--write", folder + "/full"]).status == .usage)
      #expect(Session().run(["demo", "--write", folder + "/full/x"]).status == .usage)
      let run = Session().run(["demo", "--write", folder + "/full/x/y"])
      #expect(run.status == .cannotOpen)
      #expect(run.errors.contains("cannot be made: Not a directory"))
    }
  }

  @Test("The folder of a sample store goes when the desk closes, whatever happened there")
  @MainActor func temporary() throws {
    let made = Made()
    var session = Session()
    session.onDemo = { made.folder = $0 }
    #expect(session.run("demo").status == .cannotOpen)
    let folder = try #require(made.folder)
    #expect(!FileManager.default.fileExists(atPath: folder))
  }

  @Test("Nothing is said to be kept of a store that goes")
  func thrownAway() {
    var session = Session([Samples.milk])
    session.input = "A\nq\n"
    let run = session.run("demo --plain")
    #expect(run.output.contains("1 draft is ready and not written. The sample and all decisions in it"))
    #expect(!run.output.contains("kept"), "\(run.output)")
    #expect(session.run("a.sqlite --plain").output.hasSuffix("All decisions are kept.\n"))
  }

  @Test("What a killed demo left behind is taken away by the next one")
  func killed() throws {
    try withTemporaryFolder { folder in
      func demo() throws -> PseudoTerminal {
        let terminal = try PseudoTerminal(
          [Binary.path, "demo"],
          environment: ["TMPDIR": folder, "HOME": folder, "SWIFT_BACKTRACE": "enable=no"])
        try terminal.waitForOutput(containing: "dentist")
        return terminal
      }
      func left() throws -> Int { try FileManager.default.contentsOfDirectory(atPath: folder).count }
      let killed = try demo()
      killed.kill(SIGKILL)
      _ = try killed.waitForExit()
      #expect(try left() == 1)
      let next = try demo()
      #expect(try left() == 1)
      next.type("q")
      _ = try next.waitForExit()
      #expect(try left() == 0)
    }
  }

  private final class Made { var folder: String? }
}
