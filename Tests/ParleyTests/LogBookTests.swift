import Foundation
import Merging
import StoreInterface
import TerminalTestSupport
import Testing

@testable import parley

@Suite("--log")
struct LogBookTests {
  /// Every text of a sample that could be known again.
  private func secrets(_ path: String) throws -> Set<String> {
    var found: Set<String> = []
    func collect(_ value: Any) {
      switch value {
      case let text as String where text.count > 5: found.insert(text)
      case let members as [String: Any]: members.values.forEach(collect)
      case let elements as [Any]: elements.forEach(collect)
      default: break
      }
    }
    for object in try Live.run("show", path, "--json").objects() {
      for key in ["id", "primaryKey", "title", "serverDevice"] { object[key].map(collect) }
      for field in object["fields"] as? [[String: Any]] ?? [] {
        for side in ["ancestor", "client", "server"] {
          (field[side] as? [String: Any])?["value"].map(collect)
        }
      }
    }
    return found
  }

  @Test("A law: whatever is done, the log tells the calls and no value", arguments: DemoKind.ofFiles)
  func nothingIsTold(kind: DemoKind) throws {
    try withTemporaryFolder { folder in
      let path = try SampleStores.make(kind, in: folder + "/demo")
      let secrets = try secrets(path)
      let log = folder + "/parley.log"
      for command in [
        "list", "show --json", "resolve --accept all --note zebra", "write --yes", "undo --yes",
        "doctor --redact",
        "doctor --mend --yes", "log", "show nosuch", "resolve nosuch --set title=zebra",
      ] {
        let words = command.split(separator: " ").map(String.init)
        Live.run([words[0], path] + words.dropFirst() + ["--log", log])
      }
      Live.run([path, "--plain", "--log", log], input: "e zebra\nc\nw\nno\n")
      let text = try String(contentsOfFile: log, encoding: .utf8)
      for secret in secrets.union(["zebra", folder]) { #expect(!text.contains(secret), "\(secret)") }
      #expect(secrets.count > 20)
      for words in [
        "store ", "write of ", "undo: ", "decide: ", "page: ", "parley 0.1.0 write --yes", "ends with ",
      ] {
        #expect(text.contains(words), "\(words)")
      }
      #expect(
        text.contains("failed, CommandError.unknownRecord") && text.contains("answer LinearAnswer.edit"))
      let mode = try FileManager.default.attributesOfItem(atPath: log)[.posixPermissions] as? Int
      #expect(mode == 0o600)
    }
  }

  @Test("The desk's too, with its keys as keys alone")
  func desk() throws {
    try SampleDesk.make { desk in
      let log = desk.folder + "/desk.log"
      let terminal = try desk.onTerminal("--log", log)
      terminal.type("/zebra\r")
      try terminal.waitForOutput(containing: "zebra")
      terminal.type("\u{3}")
      #expect(try terminal.waitForExit() == .exited(1))
      let text = try String(contentsOfFile: log, encoding: .utf8)
      #expect(!text.contains("zebra") && !text.contains("dentist") && text.contains("desk 80x24"))
      #expect(text.contains("desk TerminalEvent.key") && text.contains("ends with 1"))
    }
  }

  @Test("A case is told without what it holds")
  func names() {
    #expect(LogBook.name(of: StoreError.noSuchRecord(id: "zebra")) == "StoreError.noSuchRecord")
    #expect(LogBook.name(of: Choice.take(.client)) == "Choice.take")
    #expect(LogBook.name(of: StoreAccess.writable) == "StoreAccess.writable")
    #expect(LogBook.name(of: Value.text("zebra")) == "Value.text")
    #expect(
      LogBook.heading(["list", "/zebra.db", "--set=zebra", "--json"], [:]) == "parley 0.1.0 list --set --json"
    )
  }

  @Test("Behind -- stands what was typed, however it begins")
  func behindTheEndOfOptions() {
    #expect(
      LogBook.heading(["show", "/zebra.db", "--log", "l", "--", "--Zebra-Name"], [:])
        == "parley 0.1.0 show --log")
  }

  @Test("A log that cannot be written is told, and nothing is done")
  func unwritable() throws {
    try withTemporaryFolder { folder in
      let path = try SampleStores.make(in: folder + "/demo")
      let run = Live.run("list", path, "--log", folder + "/none/parley.log")
      #expect(run.status == .cannotOpen && run.output.isEmpty && run.errors.contains("cannot be written"))
    }
  }

  @Test("What is there and is no log is left as it is, be it the store or anything else")
  func otherFiles() throws {
    try withTemporaryFolder { folder in
      let (path, notes) = (try SampleStores.make(in: folder + "/demo"), folder + "/notes.txt")
      try write("2026-11-20: as she said\n", to: notes)
      let journal = folder + "/demo/Other.parley.sqlite"
      for file in [path, notes, journal] + ["-wal", "-shm", "-journal"].map({ path + $0 }) {
        let before = FileManager.default.contents(atPath: file)
        let run = Live.run("list", path, "--log", file)
        #expect(run.status == .usage && run.output.isEmpty, "\(run)")
        #expect(run.errors.hasPrefix("parley: \(file) is no place for a log: "), "\(run.errors)")
        #expect(FileManager.default.contents(atPath: file) == before, "\(file)")
      }
    }
  }

  @Test(
    "A log goes on, also where its first line was cut off",
    arguments: ["", "2026-11-2", "2026-11-20T13:00:02Z open\n", "2026-11-20T13:00:02.250Z +0.4ms open\n"])
  func goesOn(text: String) throws {
    try withTemporaryFolder { folder in
      let (path, log) = (try SampleStores.make(in: folder + "/demo"), folder + "/parley.log")
      try write(text, to: log)
      #expect(Live.run("list", path, "--log", log).status == .left)
      let now = try String(contentsOfFile: log, encoding: .utf8)
      #expect(now.hasPrefix(text) && now.contains(" page: "), "\(now)")
    }
  }

  @Test("What is no regular file, or is open already, takes a log whatever it has")
  func noFile() throws {
    try withTemporaryFolder { folder in
      let (path, notes, pipe) = (
        try SampleStores.make(in: folder + "/demo"), folder + "/notes.txt", folder + "/pipe"
      )
      #expect(Live.run("list", path, "--log", "/dev/null").status == .left)
      #expect(mkfifo(pipe, 0o600) == 0)
      let end = open(pipe, O_RDWR | O_NONBLOCK)
      defer { close(end) }
      #expect(Live.run("list", path, "--log", pipe).status == .left)
      var byte: UInt8 = 0
      #expect(read(end, &byte, 1) == 1)
      try write("as she said\n", to: notes)
      let opened = open(notes, O_WRONLY | O_APPEND)
      defer { close(opened) }
      #expect(Live.run("list", path, "--log", "/dev/fd/\(opened)").status == .left)
      let text = try String(contentsOfFile: notes, encoding: .utf8)
      #expect(text.hasPrefix("as she said\n") && text.contains(" page: "), "\(text)")
    }
  }

  @Test("~ in the configuration is what HOME says, as in a shell")
  func home() throws {
    try withTemporaryFolder { folder in
      let path = try SampleStores.make(in: folder + "/demo")
      try FileManager.default.createDirectory(atPath: folder + "/parley", withIntermediateDirectories: true)
      try "log: ~/a.log\n".write(toFile: folder + "/parley/config.yaml", atomically: true, encoding: .utf8)
      let run = Live.run(["list", path], environment: ["HOME": folder, "XDG_CONFIG_HOME": folder])
      #expect(run.errors == "")
      #expect(FileManager.default.fileExists(atPath: folder + "/a.log"))
      #expect(expandingHome("~", ["HOME": folder]) == folder)
      #expect(expandingHome("~x/~", ["HOME": folder]) == "~x/~")
    }
  }
}
