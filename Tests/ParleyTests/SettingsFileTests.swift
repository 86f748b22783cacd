import Desk
import ExactJSON
import Foundation
import Merging
import StoreInterface
import Testing

@testable import parley

/// Rules are written into the configuration line by line: what a person wrote there stays.
@Suite struct SettingsFileTests {
  private func write(
    _ policies: [String: String?], into text: String?, then check: (String, SettingsFile) throws -> Void
  ) throws {
    try withTemporaryFolder { folder in
      let path = folder + "/parley/config.yaml"
      if let text {
        try FileManager.default.createDirectory(
          atPath: folder + "/parley", withIntermediateDirectories: true)
        try Data(text.utf8).write(to: URL(filePath: path))
      }
      var file = try SettingsFile.read(environment: ["XDG_CONFIG_HOME": folder])
      try file.write(policies, ofStore: "a.sqlite")
      try check(String(decoding: try Data(contentsOf: URL(filePath: path)), as: UTF8.self), file)
    }
  }

  /// In its place, or at the end; comments and all else stay.
  @Test(arguments: [
    (String?.none, "theme: night\n"), ("# mine\n", "# mine\ntheme: night\n"),
    ("theme: auto # dark\nadvance: false\n", "theme: night # dark\nadvance: false\n"),
    ("# theme: auto\nadvance: false", "# theme: auto\nadvance: false\ntheme: night\n"),
    ("stores:\n  b.sqlite:\n    tie: server\n", "stores:\n  b.sqlite:\n    tie: server\ntheme: night\n"),
  ])
  func aThemeIsKept(before: String?, after: String) throws {
    try write([:], into: before) { _, file in
      var file = file
      try file.write(theme: "night")
      #expect(file.text == after && file.configuration.theme == "night")
      #expect(try String(contentsOfFile: #require(file.path), encoding: .utf8) == after)
    }
  }

  @Test func aThemeIsNotWrittenWhereNoLineCanBePut() throws {
    #expect(throws: CommandError.self) {
      try write([:], into: "{advance: false}\n") { _, file in
        var file = file
        try file.write(theme: "night")
      }
    }
  }

  @Test(arguments: [
    // Nothing there, nothing but comments, and other settings alone.
    (String?.none, "stores:\n  a.sqlite:\n    policies:\n      posts.likes: counter\n"),
    ("# mine\n", "# mine\nstores:\n  a.sqlite:\n    policies:\n      posts.likes: counter\n"),
    (
      "theme: night # dark",
      "theme: night # dark\nstores:\n  a.sqlite:\n    policies:\n      posts.likes: counter\n"
    ),
    // The store is not there, is empty, has other settings, or has policies.
    (
      "stores:\n  # old\n  b.sqlite:\n    tie: server\ntheme: night\n",
      "stores:\n  a.sqlite:\n    policies:\n      posts.likes: counter\n  # old\n  b.sqlite:\n    tie: server\ntheme: night\n"
    ),
    // What stands below moves down.
    (
      "stores:\n  a.sqlite:\n    margin: 1s\nmargin: 2s\n",
      "stores:\n  a.sqlite:\n    policies:\n      posts.likes: counter\n    margin: 1s\nmargin: 2s\n"
    ),
    (
      "stores:\n    a.sqlite:\n      tie: server # why\n",
      "stores:\n    a.sqlite:\n      policies:\n        posts.likes: counter\n      tie: server # why\n"
    ),
    (
      "stores:\n  a.sqlite:\n    policies:\n       # first\n       posts: client\n",
      "stores:\n  a.sqlite:\n    policies:\n       posts.likes: counter\n       # first\n       posts: client\n"
    ),
    // The entry is there: its value is another, and what stands behind it stays.
    (
      "stores:\n  a.sqlite:\n    policies:\n      posts.likes:   'latest'   # why\r\n      posts: client\n",
      "stores:\n  a.sqlite:\n    policies:\n      posts.likes:   counter   # why\r\n      posts: client\n"
    ),
    (
      "stores: {a.sqlite: {policies: {posts.likes: latest, posts: client}}} # short\n",
      "stores: {a.sqlite: {policies: {posts.likes: counter, posts: client}}} # short\n"
    ),
  ])
  func everyOtherLineStays(before: String?, after: String) throws {
    try write(["posts.likes": "counter"], into: before) { text, file in
      #expect(text == after)
      let rules = file.configuration.rules(forStore: "/x/a.sqlite", tie: nil)
      #expect(rules.rule(table: "posts", field: "likes") == .counter)
    }
  }

  /// What is taken out goes with its line, and every other byte stays.
  @Test(arguments: [
    (
      "stores:\n  a.sqlite:\n    policies:\n      posts.likes: counter\n",
      "stores:\n  a.sqlite:\n    policies:\n"
    ),
    (
      "stores:\r\n  a.sqlite:\r\n    policies:\r\n      posts: client # so\r\n      posts.likes:  'latest' # why\r\n    tie: server\r\n",
      "stores:\r\n  a.sqlite:\r\n    policies:\r\n      posts: client # so\r\n    tie: server\r\n"
    ),
    // Of every store, and of another one, it stays.
    (
      "\u{FEFF}policies:\n  posts.likes: set\nstores:\n  a.sqlite:\n    policies:\n      posts.likes: counter\n  b.sqlite:\n    policies:\n      posts.likes: counter",
      "\u{FEFF}policies:\n  posts.likes: set\nstores:\n  a.sqlite:\n    policies:\n  b.sqlite:\n    policies:\n      posts.likes: counter"
    ),
    (
      "stores:\n  a.sqlite:\n    policies:\n      posts: client\n      posts.likes: counter",
      "stores:\n  a.sqlite:\n    policies:\n      posts: client\n"
    ),
  ])
  func aRuleIsTakenOutWithItsLine(before: String, after: String) throws {
    try write(["posts.likes": nil], into: before) { text, file in
      #expect(text.unicodeScalars.elementsEqual(after.unicodeScalars), "\(text)")
      #expect(file.configuration.line(of: "posts.likes", inStore: "a.sqlite")?.isOfStore != true)
    }
  }

  /// With its neighbours on one line it cannot go.
  @Test func whatCannotBeTakenOutIsLeft() throws {
    let text = "stores: {a.sqlite: {policies: {posts.likes: latest, posts: client}}}\n"
    try withTemporaryFolder { folder in
      let path = folder + "/parley/config.yaml"
      try FileManager.default.createDirectory(atPath: folder + "/parley", withIntermediateDirectories: true)
      try Data(text.utf8).write(to: URL(filePath: path))
      var file = try SettingsFile.read(environment: ["XDG_CONFIG_HOME": folder])
      let error = #expect(throws: CommandError.self) {
        try file.write(["posts.likes": nil], ofStore: "a.sqlite")
      }
      #expect(error?.words.contains("stores: a.sqlite: policies: take out posts.likes") == true)
      #expect(try String(contentsOfFile: path, encoding: .utf8) == text)
    }
  }

  @Test func severalAreWrittenAtOnceAndTheirLinesAreKnown() throws {
    try write(["posts.likes": "counter", "posts": "client", "default": "server"], into: "tie: server\n") {
      text, file in
      let lines = file.configuration.lines
      for (place, line) in lines {
        let told = text.split(separator: "\n", omittingEmptySubsequences: false)[line - 1]
        #expect(told.contains(place.entry + ":"))
      }
      #expect(lines.count == 3)
    }
  }

  /// Names that YAML would read as something else.
  @Test(arguments: ["a: b.c", "#x", "it's.mine", "1.2", "- x", "été.ü"])
  func everyNameCanBeWritten(entry: String) throws {
    try write([entry: "counter"], into: nil) { _, file in
      #expect(file.configuration.stores["a.sqlite"]?.policies[entry] == .counter)
    }
  }

  /// Also where there is no rule that could be compared with it.
  @Test func rulesOfWhatIsNoStoreAreToldAndThatItIsNone() throws {
    try withTemporaryFolder { folder in
      try "no store".write(toFile: folder + "/a.sqlite", atomically: true, encoding: .utf8)
      let told = Live.run(
        "config", "--rules", folder + "/a.sqlite", environment: ["XDG_CONFIG_HOME": folder])
      #expect(told.status == .cannotOpen && told.output.hasPrefix("tie: client"), "\(told)")
    }
  }

  /// What was written is what `parley config` tells, with its line.
  @Test func configTellsTheRulesThatAreInForce() throws {
    try withTemporaryFolder { folder in
      var file = try SettingsFile.read(environment: ["XDG_CONFIG_HOME": folder])
      try file.write(["posts.likes": "counter"], ofStore: "a.sqlite")
      let told = Live.run("config", "--rules", "/x/a.sqlite", environment: ["XDG_CONFIG_HOME": folder])
      #expect(
        told.output == """
          tie: client
          margin: 0
          policies:
            default: latest   # the default
            posts.likes: counter   # \(folder)/parley/config.yaml:4

          """)
    }
  }

  /// Whatever says that nothing is set, and whatever an editor puts before it.
  @Test(arguments: [
    ("{}\n", ""), ("--- {}\n", "--- \n"), ("---\n", "---\n"), ("# mine\n{ } # none\n", "# mine\n # none\n"),
    ("~\n", ""), ("null\n", ""), ("\u{FEFF}", "\u{FEFF}"), ("\u{FEFF}{}\n", "\u{FEFF}"),
    ("\u{FEFF}tie: server\n", "\u{FEFF}tie: server\n"), ("---\ntie: server\n", "---\ntie: server\n"),
  ])
  func anEmptyFileIsWritten(before: String, kept: String) throws {
    try write(["posts.likes": "counter"], into: before) { text, file in
      #expect(
        text.unicodeScalars.elementsEqual(
          (kept + "stores:\n  a.sqlite:\n    policies:\n      posts.likes: counter\n").unicodeScalars))
      #expect(file.configuration.line(of: "posts.likes", inStore: "a.sqlite")?.isOfStore == true)
    }
  }

  @Test(arguments: [
    "stores: {}\n", "stores: ~ # none\n", "stores:\n  a.sqlite: {}\n",
    "stores:\n  a.sqlite:\n    policies: null\n",
  ])
  func whatIsSaidToBeEmptyIsFilled(before: String) throws {
    try write(["posts.likes": "counter"], into: before) { _, file in
      #expect(file.configuration.stores["a.sqlite"]?.policies == ["posts.likes": .counter])
    }
  }

  @Test(arguments: [
    ("a/b.sqlite", "b.sqlite"), ("b%20?.sqlite", "b%20?.sqlite"), ("a/b.d/", "b.d"), ("/x/a/.", "a"),
    ("/x/a/c/..", "a"), ("/x/../b", "b"), ("a/\u{301}b", "\u{301}b"), ("a/~", "~"),
    ("a/\u{FEFF}b", "b"),
  ])
  func aStoreIsCalledByTheEndOfItsPath(path: String, name: String) {
    #expect(StoreNames.end(of: path).hasSameBytes(as: name), "\(StoreNames.end(of: path))")
  }

  @Test func configTellsWhichRulesDecideNothing() throws {
    try withTemporaryFolder { folder in
      let path = try SampleStores.make(in: folder + "/demo")
      let name = StoreNames.end(of: path)
      var file = try SettingsFile.read(environment: ["XDG_CONFIG_HOME": folder])
      let entries = ["Reminders": "server", "reminders.Title": "server", "reminders.nosuch": "client"]
      try file.write(
        entries.merging(["reminders.title": "latest", "else.where": "text"]) { $1 }, ofStore: name)
      let told = Live.run("config", "--rules", path, environment: ["XDG_CONFIG_HOME": folder])
      #expect(
        told.errors == """
          parley: The configuration has a policy for Reminders, and it is spelled reminders: it decides nothing so.
          parley: The configuration has a policy for else.where, and this store has no such table. If it is another \
          store's, put it under stores: FILE.
          parley: The configuration has a policy for reminders.Title, and it is spelled reminders.title: it decides \
          nothing so.
          parley: The configuration has a policy for reminders.nosuch, and the table reminders has no such field.

          """, "\(told.errors)")
    }
  }

  /// Also of documents, and on a server, which is not asked for that.
  @Test(arguments: [false, true]) func configTellsWhichRulesDecideNothingOfDocuments(isServer: Bool) throws {
    try withTemporaryFolder { folder in
      let path =
        isServer ? "http://127.0.0.1:1/shop" : try SampleStores.make(.cloudant, in: folder + "/demo")
      var file = try SettingsFile.read(environment: ["XDG_CONFIG_HOME": folder])
      let entries = ["Docs.n": "set", "_design": "keys", "docs": "keys", "docs.n": "text", "posts.n": "text"]
      try file.write(entries, ofStore: StoreNames.end(of: path))
      let commands = isServer ? [["config", "--rules"]] : [["config", "--rules"], ["list"]]
      for command in commands {
        let told = Live.run(command + [path], environment: ["XDG_CONFIG_HOME": folder])
        #expect(
          told.errors == """
            parley: The configuration has a policy for Docs.n, and it is spelled docs.n: it decides nothing so.
            parley: The configuration has a policy for posts.n, and this store has no such table. If it is another \
            store's, put it under stores: FILE.

            """, "\(told.errors)")
      }
    }
  }

  @Test func configTellsWhichRulesDecideNothingOfFiles() throws {
    try withTemporaryFolder { folder in
      let path = try SampleStores.make(.smsync, in: folder + "/demo")
      var file = try SettingsFile.read(environment: ["XDG_CONFIG_HOME": folder])
      let entries = [
        "files.content": "text", "files.mimeType": "server", "files.nofield": "text", "notes.title": "text",
      ]
      try file.write(entries, ofStore: StoreNames.end(of: path))
      for command in [["config", "--rules"], ["list"]] {
        let told = Live.run(command + [path], environment: ["XDG_CONFIG_HOME": folder])
        #expect(
          told.errors == """
            parley: The configuration has a policy for files.nofield, and the table files has no such field.
            parley: The configuration has a policy for notes.title, and this store has no such table. If it is \
            another store's, put it under stores: FILE.

            """, "\(told.errors)")
      }
    }
  }

  @Test func whatSomebodyElseChangedIsNotWrittenOver() throws {
    try withTemporaryFolder { folder in
      let path = folder + "/parley/config.yaml"
      try FileManager.default.createDirectory(atPath: folder + "/parley", withIntermediateDirectories: true)
      try Data("tie: server\n".utf8).write(to: URL(filePath: path))
      var file = try SettingsFile.read(environment: ["XDG_CONFIG_HOME": folder])
      try Data("tie: client\n".utf8).write(to: URL(filePath: path))
      #expect(throws: CommandError.self) { try file.write(["posts": "client"], ofStore: "a.sqlite") }
      #expect(try String(contentsOfFile: path, encoding: .utf8) == "tie: client\n")
      #expect(try FileManager.default.contentsOfDirectory(atPath: folder + "/parley") == ["config.yaml"])
    }
  }

  /// Braces into which no line can be put: told, and left as they are.
  @Test func whatCannotBeEditedIsLeft() throws {
    try withTemporaryFolder { folder in
      let path = folder + "/parley/config.yaml"
      let text = "stores: {b.sqlite: {tie: server}}\n"
      try FileManager.default.createDirectory(atPath: folder + "/parley", withIntermediateDirectories: true)
      try Data(text.utf8).write(to: URL(filePath: path))
      var file = try SettingsFile.read(environment: ["XDG_CONFIG_HOME": folder])
      #expect(throws: CommandError.self) { try file.write(["posts": "client"], ofStore: "a.sqlite") }
      #expect(try String(contentsOfFile: path, encoding: .utf8) == text)
    }
  }

  /// A configuration kept elsewhere, as many keep theirs, and for its person alone.
  @Test func aLinkStaysALinkAndTheFileItsMode() throws {
    try withTemporaryFolder { folder in
      let (path, real) = (folder + "/parley/config.yaml", folder + "/dotfiles.yaml")
      try FileManager.default.createDirectory(atPath: folder + "/parley", withIntermediateDirectories: true)
      try Data("tie: server\n".utf8).write(to: URL(filePath: real))
      try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: real)
      try FileManager.default.createSymbolicLink(atPath: path, withDestinationPath: real)
      var file = try SettingsFile.read(environment: ["XDG_CONFIG_HOME": folder])
      try file.write(["posts": "client"], ofStore: "a.sqlite")
      #expect(try FileManager.default.destinationOfSymbolicLink(atPath: path) == real)
      #expect(try String(contentsOfFile: real, encoding: .utf8).hasSuffix("posts: client\n"))
      let mode = try FileManager.default.attributesOfItem(atPath: real)[.posixPermissions] as? Int
      #expect(mode == 0o600)
    }
  }

  /// What the desk writes is what the next start reads, whatever a store is opened by.
  @Test(arguments: [
    "shop/Reminders.sqlite", "d/bookshop", "d/bookshop/", "./Notes.xcappdata", ".", "link.sqlite",
    "https://example.com/books", "http://me:secret@example.com:5984/books/",
  ])
  func aRuleThatIsWrittenIsInForceAtTheNextStart(path: String) throws {
    try withTemporaryFolder { folder in
      let environment = ["XDG_CONFIG_HOME": folder]
      let book = RuleBook(MergeRules())
      var keeper = RuleKeeper(try SettingsFile.read(environment: environment), ofStore: path, nil)
      _ = try keeper.keep([MergeRules.defaultEntry: .server], inFile: true, in: book)
      let configuration = try Configuration.load(environment: environment)
      #expect(configuration.rules(forStore: path, tie: nil).defaultRule == .server)
      #expect(keeper.shelf(of: book.rules).places[MergeRules.defaultEntry] == .line(4, isOfStore: true))
      #expect(
        Live.run("config", "--rules", path, environment: environment).output.contains("default: server   # /")
      )
      #expect(configuration.rules(forStore: "elsewhere/db.sync", tie: nil).defaultRule == .latest)
    }
  }

  /// For the session first, then for good; what the settings say for every store comes back both times.
  @Test func aRuleIsTakenAwayForTheSessionAndForGood() throws {
    try withTemporaryFolder { folder in
      let environment = ["XDG_CONFIG_HOME": folder, "HOME": folder]
      let path = folder + "/parley/config.yaml"
      let every = "policies:\n  posts: server\n"
      try FileManager.default.createDirectory(atPath: folder + "/parley", withIntermediateDirectories: true)
      try Data((every + "stores:\n  a.sqlite:\n    policies:\n      posts: client\n").utf8)
        .write(to: URL(filePath: path))
      let settings = try SettingsFile.read(environment: environment)
      let book = RuleBook(settings.configuration.rules(forStore: "a.sqlite", tie: nil))
      var keeper = RuleKeeper(settings, ofStore: "x/a.sqlite", nil)
      func place() -> RuleShelf.Place? { keeper.shelf(of: book.rules).places["posts"] }
      #expect(
        try keeper.keep(["posts": nil], inFile: false, in: book)
          == "1 rule taken away until you quit. What was decided stays as it is.")
      #expect(place() == .away && book.rules["posts"] == .server)
      #expect(
        try keeper.keep(["posts": .client, "other": .server], inFile: false, in: book)
          == "2 rules kept until you quit. What was decided stays as it is.")
      #expect(place() == .line(6, isOfStore: true) && book.rules["posts"] == .client)
      let words = try keeper.keep(["posts": nil], inFile: true, in: book)
      #expect(
        words == "1 rule taken out of ~/parley/config.yaml, for every store named a.sqlite. "
          + "What was decided stays as it is.")
      #expect(place() == .line(2, isOfStore: false) && book.rules["posts"] == .server)
      #expect(
        try String(contentsOfFile: path, encoding: .utf8) == every + "stores:\n  a.sqlite:\n    policies:\n")
    }
  }

  /// It holds for a copy in another folder, too.
  @Test func whatIsWrittenSaysForWhatItHolds() throws {
    try withTemporaryFolder { folder in
      let environment = ["XDG_CONFIG_HOME": folder]
      let book = RuleBook(MergeRules())
      var keeper = RuleKeeper(
        try SettingsFile.read(environment: environment), ofStore: "x/Reminders.sqlite", nil)
      let words = try keeper.keep(["posts": .client, "lists": .server], inFile: true, in: book)
      #expect(
        words == "2 rules written into \(folder)/parley/config.yaml, for every store named "
          + "Reminders.sqlite. What was decided stays as it is.")
    }
  }

  /// The shell's home is where `~` leads.
  @Test func thePathOfTheSettingsIsShortenedByHomeAlone() throws {
    for (home, shown) in [
      ("/h", "~/.config/parley/config.yaml"), ("/other", "/h/.config/parley/config.yaml"),
    ] {
      let environment = ["HOME": home, "XDG_CONFIG_HOME": "/h/.config"]
      #expect(try SettingsFile.read(environment: environment).shownPath == shown)
    }
    let login = ["XDG_CONFIG_HOME": NSHomeDirectory() + "/.none"]
    #expect(try SettingsFile.read(environment: login).shownPath?.hasPrefix("/") == true)
  }

  /// Nothing is taken away for it, and no link.
  @Test func whatStandsBesideItStays() throws {
    try withTemporaryFolder { folder in
      let files = FileManager.default
      let path = folder + "/parley/config.yaml"
      try files.createDirectory(atPath: path + ".new", withIntermediateDirectories: true)
      try files.createSymbolicLink(atPath: path, withDestinationPath: folder + "/none.yaml")
      var file = try SettingsFile.read(environment: ["XDG_CONFIG_HOME": folder])
      let error = #expect(throws: CommandError.self) { try file.write(["posts": "client"], ofStore: "a") }
      #expect(error?.words.contains("it is a link to a file that is not there") == true)
      try Data("tie: server\n".utf8).write(to: URL(filePath: folder + "/none.yaml"))
      file = try SettingsFile.read(environment: ["XDG_CONFIG_HOME": folder])
      try file.write(["posts": "client"], ofStore: "a")
      #expect(try files.destinationOfSymbolicLink(atPath: path) == folder + "/none.yaml")
      #expect(
        try files.contentsOfDirectory(atPath: folder + "/parley").sorted() == [
          "config.yaml", "config.yaml.new",
        ])
    }
  }

  @Test func theSettingsOfAPersonAreNoneOfASample() throws {
    let settings = try SettingsFile.read(environment: ["XDG_CONFIG_HOME": "/nowhere"])
    for (obstacle, words) in [(RuleKeeper.Obstacle.sample, "thrown away"), (.readOnly, "--read-only")] {
      let shelf = RuleKeeper(settings, ofStore: "a", obstacle).shelf(of: MergeRules())
      #expect(shelf.refusal?.contains(words) == true)
    }
  }
}
