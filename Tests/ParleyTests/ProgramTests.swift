import Foundation
import Merging
import SQLiteDataStores
import SQLiteFiles
import StoreInterface
import Telling
import Terminal
import Testing

@testable import parley

@Suite("The program")
struct ProgramTests {
  @Test(
    "Errors of a store are told in words on standard error, each with its status",
    arguments: [
      (StoreError.notFound(path: "a"), Status.cannotOpen), (.fileMissing(path: "a"), .cannotOpen),
      (.notADatabase(path: "a", detail: "d"), .cannotOpen),
      (.metadataMissing(path: "a", folder: "f", others: []), .cannotOpen),
      (.metadataAmbiguous(path: "a", candidates: ["b", "c"]), .cannotOpen),
      (.databaseAmbiguous(path: "a", candidates: ["b", "c"]), .cannotOpen),
      (.notAStore(path: "a", detail: "d"), .cannotOpen), (.damaged(path: "a", detail: "d"), .cannotOpen),
      (.locked(path: "a", holder: nil), .cannotOpen), (.journalTooNew(path: "a", version: 2), .cannotOpen),
      (.outboxTooNew(path: "a", version: 2), .cannotOpen),
      (.journalUnusable(path: "a", detail: "d"), .cannotOpen), (.journalFull(path: "a"), .cannotOpen),
      (.journalForbidden(path: "a", detail: "d"), .cannotOpen), (.journalGone(path: "a"), .cannotOpen),
      (.cannotRead(path: "a", detail: "d"), .cannotOpen), (.notAFile(path: "a", kind: "k"), .cannotOpen),
      (.tooLarge(path: "a", limit: 1), .cannotOpen),
      (.noSuchRecord(id: "a"), .usage), (.noSuchField(record: "a", field: "f", known: []), .usage),
      (.noSuchAttachment(record: "a", name: "f", known: []), .usage),
      (.refusedChoice(record: "a", field: nil, .nothingToDecide), .refused),
      (.readOnly(path: "a", reason: "r"), .refused), (.tooNewToWrite(path: "a", reason: "r"), .refused),
      (.moved(record: "a", detail: "d"), .moved),
      (.refused(record: "a", field: nil, detail: "d"), .refused),
      (.writeFailed(path: "a", detail: "d"), .refused), (.copyIsThere(path: "a"), .refused),
      (.nothingToUndo, .refused),
    ])
  func storeErrors(_ error: StoreError, _ status: Status) {
    var session = Session()
    session.openError = error
    // The store that was named is offered.
    let words = error.words.replacing(" PATH", with: " a")
    #expect(session.run("list a") == Run(status: status, output: "", errors: "parley: \(words)\n"))
  }

  @Test(
    "Wrong arguments end with 2 and show the usage",
    arguments: [
      "", "list", "list a --nope", "write a --tie nobody", "list a b", "log a --limit x",
      "--color sometimes a",
    ])
  func usage(_ arguments: String) {
    let run = Session().run(arguments)
    #expect(run.status == .usage)
    #expect(run.output.isEmpty)
    #expect(run.errors.hasPrefix("parley: "))
    #expect(!run.errors.hasPrefix("parley: Error"))
    #expect(run.errors.lowercased().contains("usage: parley"))
  }

  @Test("A password in an address is warned of before its server is asked, and shown by nothing")
  func passwordInAnAddress() {
    let run = Live.run("list", "http://me:hush@127.0.0.1:1/db")
    #expect(run.status == .cannotOpen && run.output.isEmpty, "\(run)")
    #expect(run.errors.hasPrefix("parley: A password in an address is seen by everybody"), "\(run.errors)")
    #expect(run.errors.contains("127.0.0.1") && !run.errors.contains("hush"), "\(run.errors)")
  }

  @Test("Certificates beside an address that everybody can listen to are refused before its server is asked")
  func certificatesOfAnOpenLine() {
    let run = Live.run("list", "http://127.0.0.1:1/db", "--ca", "/ca.pem")
    #expect(run.status == .usage && run.output.isEmpty, "\(run)")
    #expect(run.errors.contains("over http, which knows no certificates"), "\(run.errors)")
    // The other replica's may be meant.
    let other = Live.run(
      "list", "http://127.0.0.1:1/db", "--ca", "/ca.pem", "--ancestors", "https://127.0.0.1:1/db")
    #expect(other.status == .cannotOpen, "\(other)")
  }

  @Test("A file of certificates that is not there, or has none, is named before its server is asked")
  func noCertificates() throws {
    try withTemporaryFolder { folder in
      try "parley".write(toFile: folder + "/none", atomically: true, encoding: .utf8)
      for (file, why) in [
        ("/none", "there is none in it"), ("/nowhere", "it is not there"), ("", "it is a folder"),
      ] {
        let run = Live.run("list", "https://127.0.0.1:1/db", "--ca", folder + file)
        let words = "\(folder + file) names no certificate to trust: \(why)."
        #expect(run.status == .cannotOpen && run.errors.contains(words), "\(run)")
      }
    }
  }

  @Test(
    "A file of certificates behind a folder that may not be entered is not told as missing",
    .enabled(if: geteuid() != 0, "root may enter every folder"))
  func certificatesOutOfSight() throws {
    try withTemporaryFolder { folder in
      #expect(mkdir(folder + "/shut", 0o600) == 0)
      let run = Live.run("list", "https://127.0.0.1:1/db", "--ca", folder + "/shut/ca.pem")
      let words = "ca.pem names no certificate to trust: this user may not enter a folder on the way."
      #expect(run.status == .cannotOpen && run.errors.contains(words), "\(run)")
    }
  }

  @Test("A page of Fauxton is answered by the address to give, without its login")
  func fauxton() {
    let run = Live.run("list", "http://me:hush@127.0.0.1:1/_utils/#database/a%2Fb/_all_docs")
    #expect(run.errors.contains("it is a page of Fauxton; the address to give is http://127.0.0.1:1/a%2Fb."))
    #expect(run.status == .cannotOpen && !run.errors.contains("hush"), "\(run)")
    let page = Live.run("list", "http://127.0.0.1:1/_utils")
    #expect(page.errors.contains("the address to give is http://127.0.0.1:1."), "\(page)")
  }

  /// Else a name could say what Parley says.
  @Test("A path with a line break is one line of an error") func brokenPath() {
    let run = Live.run("list", "x\nparley: All is written.")
    #expect(run.status == .cannotOpen && run.errors.split(separator: "\n").count == 1, "\(run)")
  }

  @Test(
    "What is not there is told before it is told what it is not",
    arguments: [["--ancestors", "b"], ["--index", "b"], ["--copy", "b"]])
  func missing(options: [String]) {
    let command = options[0] == "--copy" ? "write" : "list"
    let run = Live.run([command, "nowhere"] + options)
    #expect(run.status == .cannotOpen && run.errors.contains("There is no file nowhere"), "\(run)")
  }

  @Test("A copy needs a name") func unnamedCopy() {
    let run = Live.run("write", "nowhere", "--copy", "")
    #expect(run.status == .usage && run.errors.contains("--copy needs the name"), "\(run)")
  }

  @Test("A path alone is read as the argument parser reads it, with all options") func pathAlone() throws {
    // Of two words the parser is asked.
    let texts = try [["a.sqlite"], ["a.sqlite", "--"]].map { arguments in
      var text = ""
      dump(try Parley.command(of: arguments), to: &text)
      return text
    }
    #expect(texts[0].contains("OpenCommand") && texts[0].contains("a.sqlite") && texts[0] == texts[1])
  }

  @Test(
    "A command is known by the first word, and options may stand before a path",
    arguments: [
      ("list a", "List"), ("a --plain", "Open"), ("--theme night a", "Open"), ("--plain ./list", "Open"),
      ("open list", "Open"),
    ])
  func command(_ line: String, _ name: String) throws {
    guard case .own(let command) = try Parley.command(of: line.split(separator: " ").map(String.init)) else {
      Issue.record("It is the parser's own")
      return
    }
    #expect("\(type(of: command))" == name + "Command")
  }

  @Test("The name alone is answered with what it is and how to begin") func start() {
    let run = Session().run("")
    #expect(run.status == .usage && run.output.isEmpty)
    for words in ["parley demo", "parley STORE", "parley --help", "client and server disagree"] {
      #expect(run.errors.contains(words), "\(run.errors)")
    }
    #expect(!run.errors.contains("Missing"))
  }

  @Test(
    "Help and version are answers, not errors",
    arguments: [
      ("--help", "EXIT STATUS"), ("list --help", "Exits with 0"), ("help resolve", "--accept"),
      ("--version", "0.1.0"),
    ])
  func help(_ arguments: String, _ words: String) {
    let run = Session().run(arguments)
    #expect(run.status == .nothingLeft)
    #expect(run.errors.isEmpty)
    #expect(run.output.contains(words))
  }

  @Test(
    "Every command's help tells its exit statuses",
    arguments: ["list", "show", "resolve", "write", "undo", "log"])
  func statuses(_ command: String) {
    #expect(Session().run([command, "--help"]).output.contains("Exits with 0"))
  }

  @Test("The numbers of the exit statuses are those of the documentation")
  func numbers() {
    #expect(Status.allCases.map(\.rawValue) == [0, 1, 2, 3, 4, 5, 6, 130])
  }

  @Test(
    "A path is quoted so that a shell reads it as it is",
    arguments: [
      ("a/b-1.sqlite", "a/b-1.sqlite"), ("my notes", "'my notes'"), ("it's", #"'it'\''s'"#), ("", "''"),
      ("~x", "'~x'"), ("=x", "'=x'"), ("x=", "x="), ("it'\u{301}s", "'it'\\''\u{301}s'"),
    ])
  func quoting(_ path: String, _ quoted: String) {
    #expect(Array(shellQuoted(path).utf8) == Array(quoted.utf8))
  }

  @Test(
    "What is not shown as it is any shell prints as it is",
    arguments: [
      "Caf\u{E9} \u{2014} 100%.db", "-\u{E9}\\n%s", "\u{1B}[31m", "it's \"\u{E9}\"\n$HOME `x`!", "\u{2014}7",
    ])
  func quotingByBytes(_ word: String) throws {
    let quoted = LineWriter.Letters.$sent.withValue([.ascii]) { shellQuoted(word) }
    #expect(quoted.utf8.allSatisfy { $0 >= 0x20 && $0 < 0x7F }, "\(quoted)")
    #expect(try Array(Binary.shell("printf '%s' \(quoted)").output.utf8) == Array(word.utf8), "\(quoted)")
    // A shell takes these away at the end of what is printed.
    #expect(shellQuoted("a\n") == #"$'a\012'"#)
  }

  @Test(
    "A mistyped option is answered with one that is one slip away, and never with the one that writes",
    arguments: [
      ("doctor a --fix", nil), ("write a --yess", nil), ("write a --table x", nil), ("list a --state x", nil),
      ("list a --quiet", nil), ("undo a --yes1", nil), ("list a --josn", "--json"),
      ("log a --limt 1", "--limit"),
      ("list a --metdata x", "--metadata"),
    ] as [(String, String?)])
  func suggestedOptions(_ arguments: String, _ option: String?) {
    let run = Session().run(arguments)
    #expect(run.status == .usage)
    #expect(run.errors.contains("Unknown option"))
    #expect(run.errors.contains("Did you mean") == (option != nil))
    if let option { #expect(run.errors.contains("Did you mean '\(option)'?")) }
  }

  @Test(
    "A name that begins with - is told with the way to give it, and asks for no help by the h in it",
    arguments: [
      "resolve a -x:things --accept all", "open -x:things", "list a -h:things", "show a -h=3", "apply a -hf",
      "write a -x:things --yes", "undo a -ch", "import a -h.json", "log a -5:h", "capture a -xh",
      "doctor a -x:things --mend --yes", "walkthrough -sh", "themes -night", "keys -sh", "config -sh",
      "completions -bash", "demo -th", "-x:things", "help -xh", "show a -5:t", "show a -abc", "show a --x:t",
    ])
  func dashedNames(_ arguments: String) {
    let run = Session().run(arguments)
    #expect(run.status == .usage && run.output.isEmpty, "\(run)")
    #expect(run.errors.contains("begins with - comes last, behind --"), "\(run.errors)")
  }

  @Test(
    "It is refused in the same words whether there is an h in it or not, with how its command is used",
    arguments: ["list", "resolve", "open", ""])
  func dashedNameUsage(_ command: String) {
    let runs = ["-xh", "-xy"].map { Session().run("\(command) a.sqlite \($0)") }
    #expect(runs[0].errors == runs[1].errors.replacing("-xy", with: "-xh"), "\(runs)")
    let name = command.isEmpty ? "open" : command
    #expect(runs[0].errors.contains("behind =.\nUsage: parley \(name) "), "\(runs[0].errors)")
    #expect(runs[0].errors.contains("See 'parley \(name) --help'"), "\(runs[0].errors)")
  }

  @Test("Behind -- it is the name that it is, and a help is asked for by the whole word alone")
  func dashedNameBehind() {
    let run = Session().run("resolve a --accept all -- -x:things")
    #expect(run.status == .usage && run.errors.contains("is called -x:things"), "\(run)")
    for word in ["-h", "--help", "-help"] {
      #expect(Session().run("resolve a \(word)").status == .nothingLeft)
    }
    #expect(Session().run("list a -josn").errors.contains("Did you mean '--json'?"))
  }

  @Test(
    "Values are edited by what VISUAL names, then EDITOR, and by vi where neither names anything",
    arguments: [
      ([:], "vi", "which is taken where neither VISUAL nor EDITOR names one"),
      (["VISUAL": "", "EDITOR": " "], "vi", "which is taken where neither VISUAL nor EDITOR names one"),
      (["VISUAL": "", "EDITOR": "ed"], "ed", "which EDITOR names"),
      (["VISUAL": "code --wait", "EDITOR": "ed"], "code --wait", "which VISUAL names"),
    ] as [([String: String], String, String)])
  func editor(environment: [String: String], editor: String, why: String) {
    let told = OutsideEditor.command(environment)
    #expect(told.editor == editor && told.why == why, "\(told)")
  }

  @Test("Whose attachment is meant is asked of an attachment alone")
  func sideOfNoAttachment() {
    let run = Session().run("show a --of server")
    #expect(run.status == .usage && run.output.isEmpty, "\(run)")
    #expect(run.errors.contains("--of goes with --attachment"), "\(run.errors)")
  }

  @Test(
    "An option that other programs have is answered with what is called otherwise here",
    arguments: [
      ("doctor a --fix", "'--fix'. --mend tells what it would mend, and does so with --yes.\n"),
      (
        "list a --table x",
        "'--table'. The list is filtered by words: --find 'table:…', see parley list --help.\n"
      ),
      ("list a --state x", "'--state'. The list is filtered by words: --find 'is:…', see "),
      ("list a --filter x", "'--filter'. The list is filtered by words: --find WORDS, see "),
      (
        "write a --table x",
        "'--table'. Records are found by words: --find 'table:…', see parley list --help.\n"
      ),
      ("doctor a --table x", "'--table'.\n"),
    ])
  func meantOptions(_ arguments: String, _ words: String) {
    let run = Session().run(arguments)
    #expect(run.status == .usage && run.errors.contains("Unknown option " + words), "\(run.errors)")
  }

  @Test("help output prints what scripts have to know, as the file beside the code tells it")
  func helpOutput() throws {
    let file = try #require(try ProjectFile.all("md").first { $0.path == "Sources/parley/OUTPUT.md" })
    let run = Session().run("help output")
    #expect(run.status == .nothingLeft && run.output.contains("## Exit status"))
    #expect(run.output.split(separator: "\n") == file.lines.filter { !$0.isEmpty })
    #expect(Session().run("--help").output.contains("parley help output"))
  }

  @Test("in a terminal a page is broken by paragraphs, and its tables and examples are left")
  func paragraphs() throws {
    let page = """
      # Heading
      One line
      and the next.

      - an item
        that goes on
      - another
      | a | b |
      |---|---|
      ```json
      {"a":
        1}
      ```
      Behind it,
      more.
      """
    let told = BrokenLine.paragraphs(of: page).split(separator: "\n", omittingEmptySubsequences: false)
    #expect(
      told == [
        "# Heading", "One line and the next.", "", "- an item that goes on", "- another", "| a | b |",
        "|---|---|", "```json", "{\"a\":", "  1}", "```", "Behind it, more.",
      ])
    // Every word of the real one is there, in its order.
    let file = try #require(try ProjectFile.all("md").first { $0.path == "Sources/parley/OUTPUT.md" })
    let whole = file.lines.joined(separator: "\n")
    let words = { (text: String) in text.split { $0 == " " || $0 == "\n" } }
    #expect(words(BrokenLine.paragraphs(of: whole)) == words(whole))
  }

  @Test(
    "The help of a command that Ctrl-C can stop before it has changed anything tells how that ends",
    arguments: ["resolve", "apply", "write", "undo", "import", "doctor"])
  func interruptedStatus(command: String) {
    let help = Session().run("help \(command)").output
    #expect(
      help.split(whereSeparator: \.isWhitespace).joined(separator: " ").contains("130 if Ctrl-C"), "\(help)")
  }

  @Test(
    "A mistyped command is told as one, and what it could be",
    arguments: [
      ("listt a", "There is no command listt. Did you mean list?"),
      ("lst", "There is no command lst. Did you mean list?"),
      ("Write a --yes", "There is no command Write. Did you mean write?"),
      ("help lsit", "There is no command lsit. Did you mean list?"),
      ("help foo", "There is no command foo. Commands: open, demo, list,"),
      ("frobnicate a", "There is no command frobnicate. Commands: open, demo, list,"),
      ("opne a", "There is no command opne. Did you mean open?"),
    ])
  func unknownCommands(_ arguments: String, _ words: String) {
    let run = Session().run(arguments)
    #expect(run.status == .usage && run.output.isEmpty)
    #expect(run.errors.hasPrefix("parley: \(words)"), "\(run.errors)")
  }

  @Test("A path is no mistyped command", arguments: ["./lst", "~/list", "lst.db", "--color never nosuch"])
  func pathsAreNoCommands(_ arguments: String) {
    var session = Session()
    session.openError = .notFound(path: arguments)
    #expect(session.run(arguments).status == .cannotOpen)
  }

  @Test("Output that cannot be printed ends with 3 and says so")
  func outputFails() {
    struct Full: Error {}
    var surroundings = Surroundings(
      output: LineWriter { _ in throw CommandError.cannotPrint(detail: "No space left on device") },
      errors: LineWriter { _ in }, redaction: .fixed, isWatched: false, width: nil, environment: [:],
      now: { 0 },
      open: { _ in WatchedStore([Samples.milk]) }, makeDemo: { _, folder, _ in folder },
      checkIsContainer: { _ in }, checkCopy: { _, _ in }, copyContainer: { request, _ in (request, [], nil) })
    #expect(Program.run(["list", "a"], in: surroundings) == .cannotOpen)
    surroundings.open = { _ in throw Full() }
    #expect(Program.run(["list", "a"], in: surroundings) == .cannotOpen)
  }
}

@Suite("themes")
struct ThemesTests {
  @Test("lists the themes, and prints one as it was written")
  func builtIn() {
    let session = Session()
    #expect(session.run("themes").lines == Theme.builtInNames)
    let night = session.run("themes night")
    #expect(night.status == .nothingLeft)
    #expect(night.output.contains("\nserver: "))
    #expect(session.run("themes --json").lines.first == #"{"name":"auto","file":null}"#)
  }

  @Test("an unknown theme ends with 2 and names those there are")
  func unknown() {
    let run = Session().run("themes dusk")
    #expect(run.status == .usage)
    #expect(
      run.errors
        == "parley: There is no theme dusk. Themes: \(Theme.builtInNames.joined(separator: ", ")).\n")
  }

  @Test("a file is meant by a path with a slash, which is told where one of that name is there")
  func file() throws {
    let here = FileManager.default.currentDirectoryPath
    let names = try FileManager.default.contentsOfDirectory(atPath: here)
    let name = try #require(names.first { FileStatus(path: here + "/" + $0)?.isRegular == true })
    let run = Session().run(["themes", name])
    #expect(run.status == .usage && run.errors.hasSuffix(" The file of that name is meant by ./\(name).\n"))
    try withTemporaryFolder { folder in
      let night = Session().run("themes night").output
      try write(night, to: folder + "/mine.yaml")
      let own = Live.run("themes", "~/mine.yaml", environment: ["HOME": folder])
      #expect(own.status == .nothingLeft && own.output == night, "\(own)")
    }
  }

  @Test("of what is no theme nothing is printed but the error", arguments: [[], ["--json"]])
  func broken(options: [String]) throws {
    try withTemporaryFolder { folder in
      let file = folder + "/passwd"
      try write("root:x:0:0\n", to: file)
      let run = Live.run(["themes", file] + options)
      #expect(run.status == .cannotOpen && run.output.isEmpty, "\(run)")
      #expect(run.errors.contains(file), "\(run)")
    }
  }

  @Test("a person's own themes are listed with their files, and win by name")
  func own() throws {
    try withTemporaryFolder { folder in
      try write("text: default\n", to: folder + "/parley/themes/night.yaml")
      try write("text: mauve\n", to: folder + "/parley/themes/mine.yaml")
      var session = Session()
      session.environment = ["XDG_CONFIG_HOME": folder]
      #expect(session.run("themes").lines[1] == "night  \(folder)/parley/themes/night.yaml")
      #expect(session.run("themes").lines.last == "mine  \(folder)/parley/themes/mine.yaml")
      #expect(session.run("themes night").output == "text: default\n")
      let shelf = ThemeShelf(environment: session.environment)
      #expect(try !shelf.theme("night").names(.server))
      #expect { try shelf.theme("mine") } throws: { error in
        (error as? CommandError)?.words.contains("mine.yaml") == true
      }
    }
  }
}
