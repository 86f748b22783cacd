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

  /// Foundation's own look for the folder above ends the process at a name of one letter.
  @Test("--write takes a name of one letter, where one stands")
  func shortName() throws {
    try withTemporaryFolder { folder in
      let run = try Binary.shell("cd \(folder) && \"$PARLEY\" demo --write d")
      #expect(run.status == 0 && run.output == "d/Reminders.sqlite\n", "\(run)")
    }
  }

  /// To Foundation it is somebody's home.
  @Test("--write takes a folder that is called ~", arguments: ["sqlitedata", "cloudant", "smsync"])
  func tilde(store: String) throws {
    try withTemporaryFolder { folder in
      let run = try Binary.shell("cd \(folder) && \"$PARLEY\" demo --store \(store) --write '~/d'")
      #expect(run.status == 0 && run.output.hasPrefix("./~/d"), "\(run)")
      let path = folder + "/" + run.output.trimmingCharacters(in: .newlines)
      #expect(FileManager.default.fileExists(atPath: path), "\(run)")
    }
  }

  @Test("--write of a container tells how to open it with all that was made, and scripts the path alone")
  func container() throws {
    try withTemporaryFolder { folder in
      let run = Live.run("demo", "--store", "smsync", "--write", folder + "/demo")
      let told = "To open it as parley demo does: parley "
      let line = try #require(run.errors.split(separator: "\n").first { $0.hasPrefix(told) })
      let arguments = line.dropFirst(told.count).split(separator: " ").map(String.init)
      #expect(run.lines == [arguments[0]])
      #expect(arguments.contains("--ancestors") && arguments.contains("--index"))
      let listed = Live.run(["list"] + arguments)
      #expect(listed.status == .left && listed.errors.isEmpty, "\(listed.errors)")
      #expect(listed.output != Live.run("list", arguments[0]).output)
    }
  }

  @Test("--write of the server, which is no file, makes no folder")
  func server() throws {
    try withTemporaryFolder { folder in
      let run = Live.run("demo", "--store", "couchdb", "--write", folder + "/demo")
      #expect(run.status == .usage && run.errors.contains("Leave --write out"))
      #expect(!FileManager.default.fileExists(atPath: folder + "/demo"))
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

  @Test(
    "--write does not call a folder full that it may not look into",
    .enabled(if: geteuid() != 0, "root may look everywhere"))
  func unseen() throws {
    try withTemporaryFolder { folder in
      #expect(mkdir(folder + "/shut", 0o300) == 0)
      defer { chmod(folder + "/shut", 0o700) }
      let run = Session().run(["demo", "--write", folder + "/shut"])
      #expect(run.status == .cannotOpen)
      #expect(run.errors.contains("/shut cannot be read: Permission denied. Check its permissions"), "\(run)")
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

  @Test("A theme that is none is a wrong argument, with the sample as with a store")
  @MainActor func theme() {
    for command in ["demo", "a.sqlite"] {
      let run = Session().run("\(command) --theme nosuch")
      #expect(run.status == .usage && run.errors.contains("nosuch"), "\(run.errors)")
      #expect(!run.errors.contains("unknownTheme") && !run.errors.contains("Without a screen"))
    }
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

  @Test(
    "what is said of a sample that would stay is a command that makes it",
    arguments: [
      ("cloudant", "; parley demo --store cloudant --write FOLDER makes one that stays.\n"),
      ("sqlitedata", "; parley demo --write FOLDER makes one that stays.\n"),
      ("couchdb", ", as its server ends here.\n"),
    ])
  @MainActor func staying(kind: String, words: String) {
    let run = Live.run(["demo", "--store", kind, "--plain"], input: "/ is:sure\nA\nq\n")
    #expect(run.output.hasSuffix("thrown away" + words), "\(run.output)")
    let desk = Live.run("demo", "--store", kind)
    #expect(
      desk.status == .cannotOpen && desk.errors.contains("--write") == (kind != "couchdb"), "\(desk.errors)")
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
