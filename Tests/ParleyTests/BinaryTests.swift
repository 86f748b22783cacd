import Foundation
import Testing

@testable import parley

#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// The name `read` is taken inside the test.
private func systemRead(_ descriptor: Int32, _ bytes: UnsafeMutableRawPointer, _ count: Int) -> Int {
  read(descriptor, bytes, count)
}

@Suite("The built program")
struct BinaryTests {
  /// What a folder holds before the program runs in it, and what it must say of `a.sqlite` there.
  struct Trouble: Sendable, CustomTestStringConvertible {
    var testDescription: String
    var files: [String: String]
    var path = "a.sqlite"
    var words: [String]
  }

  static let troubles = [
    Trouble(testDescription: "nothing", files: [:], words: ["There is no file", "parley demo"]),
    Trouble(
      testDescription: "a folder", files: ["a.sqlite/x": ""],
      words: ["a.sqlite is not a store that syncs", "it is a folder"]),
    Trouble(
      testDescription: "another file without a metadatabase", files: ["a.sqlite": "root:x:0:0"],
      words: ["a.sqlite is not a database", "it does not begin like one"]),
    Trouble(
      testDescription: "an empty file", files: ["a.sqlite": ""],
      words: ["a.sqlite is not a database", "it is empty"]),
    Trouble(
      testDescription: "no metadatabase", files: ["a.sqlite": "SQLite format 3\0"],
      words: ["holds no metadatabase", "--metadata FILE"]),
    Trouble(
      testDescription: "a renamed database",
      files: ["a.sqlite": "SQLite format 3\0", ".b.metadata-c.sqlite": "x"],
      words: [".b.metadata-c.sqlite", "If the database was renamed"]),
    Trouble(
      testDescription: "two metadatabases",
      files: ["a.sqlite": "x", ".a.metadata-b.sqlite": "x", ".a.metadata-c.sqlite": "x"],
      words: ["2 metadatabases", ".a.metadata-b.sqlite", ".a.metadata-c.sqlite", "--metadata FILE"]),
    Trouble(
      testDescription: "garbage",
      files: [
        "a.sqlite": String(repeating: "garbage ", count: 200),
        ".a.metadata-b.sqlite": String(repeating: "garbage ", count: 200),
      ], words: ["a.sqlite is not a database"]),
  ]

  @Test(
    "on every kind of store it does, prints and ends as the program inside a test, which other tests are about",
    arguments: DemoKind.ofFiles)
  func asInsideATest(kind: DemoKind) throws {
    try withTemporaryFolder { folder in
      let (path, other) = try (
        SampleStores.make(kind, in: folder + "/a"), SampleStores.make(kind, in: folder + "/b")
      )
      for command in [
        ["list"], ["resolve", "--accept", "all", "--note", "ticket 7"], ["write"],
        ["write", "--yes", "--json"],
        ["undo", "--yes"], ["list", "--json"],
      ] {
        let built = try Binary.run([command[0], path] + command.dropFirst())
        let inside = Live.run([command[0], other] + command.dropFirst())
        #expect(built.status == inside.status.rawValue, "\(command)")
        #expect(built.output == inside.output.replacing(folder + "/b", with: folder + "/a"), "\(command)")
        #expect(built.errors == inside.errors.replacing(folder + "/b", with: folder + "/a"), "\(command)")
      }
    }
  }

  @Test(
    "what is no file is named, and a pipe is not waited for",
    arguments: [("pipe", "a pipe"), ("/dev/null", "a device")])
  func noFile(name: String, words: String) throws {
    try withTemporaryFolder { folder in
      let path = name.hasPrefix("/") ? name : folder + "/" + name
      if !name.hasPrefix("/") { #expect(mkfifo(path, 0o600) == 0) }
      for command in ["list", "doctor", "capture", "undo"] {
        let result = Live.run(command, path)
        #expect(result.status == .cannotOpen)
        #expect(result.errors.contains("\(path) is not a database that can be read: it is \(words)."))
      }
    }
  }

  @Test("a desk that lacks a terminal names a command that does without", arguments: ["demo", "walkthrough"])
  func noTerminal(command: String) throws {
    let result = try Binary.run(command)
    #expect(result.status == 3)
    #expect(result.errors.contains("Without one: parley \(command) --"))
  }

  @Test(
    "of a proxy that cannot be used nothing is told that has its password",
    arguments: ["ann:s3cr/t@127.0.0.1:9", "ann:s3cret@127.0.0.1:99999"])
  func proxyPassword(proxy: String) throws {
    let environment = ["http_proxy=\(proxy)", "no_proxy=", "NO_PROXY="]
    let result = try Binary.run(["list", "http://127.0.0.1:9/shop"], environment: environment)
    #expect(result.status == 3 && result.errors.contains("cannot be reached"), "\(result.errors)")
    #expect(!result.errors.contains("s3cr") && !result.errors.contains("ann:"), "\(result.errors)")
  }

  @Test("what is meant for another kind of store is refused with the reason")
  func otherKind() throws {
    try withTemporaryFolder { folder in
      _ = try SampleStores.make(.cloudant, in: folder + "/demo")
      let capture = Live.run("capture", folder + "/demo")
      #expect(capture.status == .usage && capture.errors.contains("there is nothing to capture"))
      let list = Live.run("list", folder + "/demo", "--metadata", "/nope")
      #expect(list.status == .usage && list.errors.contains("has no metadatabase. Leave --metadata out."))
    }
  }

  @Test("settings in another encoding are told as that")
  func settingsInAnotherEncoding() throws {
    try withTemporaryFolder { folder in
      let file = folder + "/night.yaml"
      try Data("client: red".data(using: .utf16) ?? Data()).write(to: URL(fileURLWithPath: file))
      let run = Live.run("themes", file)
      #expect(
        run.status == .cannotOpen && run.errors == "parley: \(file) is not UTF-8 text. Save it as UTF-8.\n")
    }
  }

  @Test("a folder with one store is that store, one with two lists them")
  func folder() throws {
    try withTemporaryFolder { folder in
      let path = try SampleStores.make(in: folder + "/demo")
      let list = Live.run("list", folder + "/demo/")
      #expect(list.status == .left)
      #expect(list.output == Live.run("list", path).output)
      for name in try FileManager.default.contentsOfDirectory(atPath: folder + "/demo") {
        try FileManager.default.copyItem(
          atPath: folder + "/demo/" + name,
          toPath: folder + "/demo/" + name.replacing("Reminders", with: "Other"))
      }
      let all = Live.run("list", folder + "/demo")
      #expect(all.status == .left && all.output.contains("Other.sqlite  25 conflicts."))
      let both = Live.run("show", folder + "/demo")
      #expect(both.status == .cannotOpen)
      #expect(
        both.errors.contains("holds 2 stores: \(folder)/demo/Other.sqlite, \(folder)/demo/Reminders.sqlite."))
    }
  }

  @Test(
    "of a folder's stores one of which nobody can tell the database is told, and the others are listed",
    arguments: [[], ["--json"]])
  func folderWithTwoOfOneName(format: [String]) throws {
    try withTemporaryFolder { folder in
      let demo = folder + "/demo"
      let path = try SampleStores.make(in: demo)
      for name in try FileManager.default.contentsOfDirectory(atPath: demo) {
        try FileManager.default.copyItem(
          atPath: demo + "/" + name, toPath: demo + "/" + name.replacing("Reminders", with: "Other"))
      }
      try FileManager.default.copyItem(atPath: path, toPath: demo + "/Other.db")
      let run = Live.run(["list", demo] + format)
      #expect(run.status == .cannotOpen && run.lines.count == 1, "\(run)")
      #expect(run.output.contains("/demo/Reminders.sqlite"), "\(run)")
      let files = "\(demo)/Other.db, \(demo)/Other.sqlite. Open the one that the app syncs by its path.\n"
      #expect(run.errors.hasPrefix("parley: Of ") && run.errors.hasSuffix(files), "\(run)")
      #expect(Live.run("list", demo + "/Other.db").lines.count == 25)
    }
  }

  @Test("tells what is wrong with a store, ends with 3, and changes nothing", arguments: troubles)
  func trouble(_ trouble: Trouble) throws {
    try withTemporaryFolder { folder in
      for (name, text) in trouble.files { try write(text, to: "\(folder)/\(name)") }
      let before = try FileManager.default.subpathsOfDirectory(atPath: folder).sorted()
      for command in [
        ["list"], ["show"], ["log"], ["undo"], ["undo", "--yes"], ["write", "--yes"],
        ["resolve", "--accept", "sure"],
      ] {
        let result = Live.run([command[0], "\(folder)/\(trouble.path)"] + command.dropFirst())
        #expect(result.status == .cannotOpen)
        #expect(result.output.isEmpty)
        #expect(result.errors.hasPrefix("parley: "))
        for words in trouble.words { #expect(result.errors.contains(words)) }
      }
      #expect(try FileManager.default.subpathsOfDirectory(atPath: folder).sorted() == before)
    }
  }

  @Test("answers help and version, and ends with 2 for wrong arguments")
  func usage() throws {
    #expect(try Binary.run("--version").output == "0.1.0\n")
    #expect(try Binary.run("list", "--help").status == 0)
    let wrong = try Binary.run("list", "--nope", "x")
    #expect(wrong.status == 2)
    #expect(wrong.errors.contains("--nope"))
  }

  @Test("opens a database that is called like a command by its path")
  func calledLikeACommand() throws {
    #expect(Live.run("list").status == .usage)
    #expect(Live.run("./list").errors.contains("There is no file ./list"))
  }

  @Test(
    "ends quietly when nobody reads on, even if it was started with the signal ignored",
    arguments: ["", "trap '' PIPE; "])
  func closedPipe(_ trap: String) throws {
    try withTemporaryFolder { folder in
      // A pipe that has lost its only reader before the program begins, so that nothing is left to chance.
      let pipe = "mkfifo '\(folder)/pipe'; exec 3<>'\(folder)/pipe' 4>'\(folder)/pipe' 3<&-; "
      let result = try Binary.shell(trap + pipe + "\"$PARLEY\" --help >&4; echo $?")
      #expect(result.output == "141\n")
      #expect(!result.errors.contains("parley:") && !result.errors.contains("Fatal error"))
    }
  }

  @Test(
    "says so when the output has no room", .enabled(if: FileManager.default.fileExists(atPath: "/dev/full")))
  func fullDisk() throws {
    let result = try Binary.shell("\"$PARLEY\" themes > /dev/full")
    #expect(result.status == 3)
    #expect(result.errors.hasPrefix("parley: The output could not be printed: No space left on device."))
  }

  @Test(
    "a name on the command line that no terminal shows reaches neither output as it is",
    arguments: ["\u{1B}[31mred", "\u{9B}1m", "\u{202E}abc", "a\u{200F}b", "it's\u{7}"])
  func namesAreMadeSafe(name: String) throws {
    try withTemporaryFolder { folder in
      let path = folder + "/" + name
      // The kind that is made and written fastest: the words are those of all.
      let demo = Live.run("demo", "--store", "cloudant", "--write", path).output
      let database = path + "/bookshop.touchdb"
      #expect(!demo.contains(name))
      #expect(Live.run("resolve", database, "book-emma", "--accept", "all").status == .nothingLeft)
      for command in [["write"], ["write", "--yes"], ["undo"], ["undo", "--yes"], ["doctor", "--mend"]] {
        let result = Live.run([command[0], database] + command.dropFirst())
        #expect(!(result.output + result.errors).contains(name), "\(command)")
      }
      // What is told to paste works.
      let told = Live.run("write", database).errors
      let line = try #require(told.firstMatch(of: /parley write (.*) --yes\n/)).1
      let pasted = try Binary.shell("bash -c 'ls \(line.replacing("'", with: "'\\''"))'")
      #expect(pasted.status == 0, "\(pasted.errors)")
    }
  }

  @Test("a slow reader of a pipe that does not block gets all of it")
  func nonBlockingOutput() throws {
    try withTemporaryFolder { folder in
      let path = try SampleStores.make(in: folder + "/demo")
      let whole = Live.run("show", path, "--json").output
      #expect(whole.utf8.count > 65536)
      var ends: [Int32] = [0, 0]
      #expect(pipe(&ends) == 0)
      #expect(fcntl(ends[1], F_SETFL, O_NONBLOCK) == 0)
      let process = try Binary.start(["show", path, "--json"], output: ends[1])
      close(ends[1])
      var read: [UInt8] = []
      var block = [UInt8](repeating: 0, count: 512)
      while case let count = systemRead(ends[0], &block, block.count), count > 0 { read += block[..<count] }
      close(ends[0])
      #expect(Binary.wait(for: process) == 1)
      #expect(String(decoding: read, as: UTF8.self) == whole)
    }
  }

  @Test("output that is closed is told, and no database takes its place", arguments: [">&-", "1<&- 2<&-"])
  func closedOutput(_ closed: String) throws {
    try withTemporaryFolder { folder in
      let path = try SampleStores.make(in: folder + "/demo")
      let before = try Data(contentsOf: URL(filePath: path))
      let result = try Binary.shell("\"$PARLEY\" list '\(path)' \(closed); echo $?")
      #expect(result.output == "3\n")
      #expect(try Data(contentsOf: URL(filePath: path)) == before)
    }
  }

  @Test(
    "a version that cannot be printed is told in words",
    .enabled(if: FileManager.default.fileExists(atPath: "/dev/full")), arguments: ["--version", "--help"])
  func fullDiskOfHelp(_ option: String) throws {
    let result = try Binary.shell("\"$PARLEY\" \(option) > /dev/full")
    #expect(result.status == 3)
    #expect(result.errors.hasPrefix("parley: The output could not be printed: No space left on device."))
  }

  @Test(
    "what would be written and cannot be shown is not asked for",
    .enabled(if: FileManager.default.fileExists(atPath: "/dev/full")))
  func fullDiskOfADraft() throws {
    try withTemporaryFolder { folder in
      let path = try SampleStores.make(in: folder + "/demo")
      Live.run("resolve", path, "--accept", "all")
      let result = try Binary.shell("\"$PARLEY\" write '\(path)' > /dev/full")
      #expect(result.status == 3 && !result.errors.contains("--yes"))
    }
  }

  @Test(
    "what is no file is refused wherever a file is named, and never waited for", arguments: ["pipe", "zero"])
  func noFileAnywhere(kind: String) throws {
    try withTemporaryFolder { folder in
      let path = try SampleStores.make(in: folder + "/demo")
      func put(_ place: String) throws {
        try FileManager.default.createDirectory(
          atPath: (place as NSString).deletingLastPathComponent, withIntermediateDirectories: true)
        #expect(kind == "pipe" ? mkfifo(place, 0o600) == 0 : symlink("/dev/zero", place) == 0)
      }
      let words = kind == "pipe" ? "is a pipe, where" : "is a device, where"
      try put(folder + "/value")
      let record = "5eed0000-0000-4000-8000-000000000016"
      let set = Live.run("resolve", path, record, "--set", "notes=file:\(folder)/value")
      #expect(set.status == .cannotOpen && set.errors.contains(words))
      let imported = Live.run("import", path, folder + "/value")
      #expect(imported.status == .refused && imported.output.contains("or - for standard input"))
      let applied = Live.run("apply", path, folder + "/value")
      #expect(applied.status == .cannotOpen && applied.errors.contains(words), "\(applied)")
      #expect(applied.errors.hasSuffix(" standard input: parley apply \(path) -\n"), "\(applied)")
      try put(folder + "/parley/themes/mine.yaml")
      let theme = Live.run("themes", "mine", environment: ["XDG_CONFIG_HOME": folder])
      #expect(theme.status == .cannotOpen && theme.errors.contains(words))
      try put(folder + "/parley/config.yaml")
      let settings = Live.run("list", path, environment: ["XDG_CONFIG_HOME": folder])
      #expect(settings.status == .cannotOpen && settings.errors.contains(words))
      try put(path + "-journal")
      let list = Live.run("list", path)
      #expect(list.status == .cannotOpen && list.errors.contains("-journal " + words))
    }
  }

  @Test("where too few files may be open it says so, and does nothing", arguments: ["list", "write", "undo"])
  func tooFewFiles(command: String) throws {
    try withTemporaryFolder { folder in
      let path = try SampleStores.make(in: folder + "/demo")
      let before = try Data(contentsOf: URL(fileURLWithPath: path))
      let run = try Binary.shell("ulimit -n 20; exec \"$PARLEY\" \(command) '\(path)'")
      #expect(run.status == ExitStatus.cannotOpen.rawValue && run.output.isEmpty)
      #expect(run.errors.contains("only 20 files open here") && run.errors.contains("ulimit -n 48"))
      #expect(try Data(contentsOf: URL(fileURLWithPath: path)) == before)
    }
  }

  @Test(
    "what opens nothing answers there all the same",
    arguments: ["--version", "--help", "help undo", "undo --help", "help output", "help --man"])
  func fewFilesAndNothingToOpen(command: String) throws {
    let run = try Binary.shell("ulimit -n 20; exec \"$PARLEY\" \(command)")
    #expect(run.status == ExitStatus.nothingLeft.rawValue, "\(run)")
    #expect(!run.output.isEmpty && run.errors.isEmpty, "\(run)")
  }

  @Test("a limit that it may raise it raises")
  func fewFilesAtFirst() throws {
    try withTemporaryFolder { folder in
      let path = try SampleStores.make(in: folder + "/demo")
      let run = try Binary.shell("ulimit -S -n 8; exec \"$PARLEY\" list '\(path)'")
      #expect(run.status == ExitStatus.left.rawValue && run.errors.isEmpty)
    }
  }
}
