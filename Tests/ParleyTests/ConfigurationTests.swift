import ArgumentParser
import Foundation
import Merging
import StoreInterface
import Terminal
import Testing

@testable import parley

@Suite struct ConfigurationTests {
  private func read(_ yaml: String) throws -> Configuration {
    try Configuration(yaml: yaml, file: "config.yaml", themes: ["auto", "night"])
  }

  @Test func anEmptyFileSetsNothing() throws {
    #expect(try read("") == Configuration())
    #expect(try read("# nothing\npolicies:\n") == Configuration())
  }

  @Test(arguments: ["{}", "---", "~", "null", "\u{FEFF}", "policies: ~", "stores: {}"])
  func nothingIsSaidInManyWays(text: String) throws { #expect(try read(text) == Configuration()) }

  @Test func theMarkOfAnEditorIsNoPartOfALine() throws {
    #expect(try read("\u{FEFF}tie: server\nmouse: false\n") == read("tie: server\nmouse: false\n"))
  }

  @Test(arguments: [
    (["--color", "never"], "color: always", false), (["--color", "always"], "color: never", true),
    ([], "color: always", true), (["--color", "auto"], "color: always", false), ([], "", false),
  ])
  func ofColoursTheCommandLineWinsThenTheConfigurationThenTheVariable(
    options: [String], yaml: String, isColoured: Bool
  ) throws {
    let look = DeskLook(try DeskOptions.parse(options), try read(yaml), ["NO_COLOR": "1"])
    #expect((look.depth != .none) == isColoured)
  }

  @Test func aThemeMayBeAFile() throws {
    #expect(try read("theme: ./mine.yaml").theme == "./mine.yaml")
  }

  @Test func whatTheStoreDoesNotHaveIsToldAndTheRestWorks() throws {
    try withTemporaryFolder { folder in
      let path = try SampleStores.make(in: folder + "/demo")
      let plain = Live.run("list", path)
      try write(
        "policies: {reminders.nosuch: text, remindrs: server, reminders.title: latest, reminders: latest}",
        to: folder + "/parley/config.yaml")
      func listed() -> Run { Live.run("list", path, environment: ["XDG_CONFIG_HOME": folder]) }
      let list = listed()
      #expect(list.status == .left && list.output == plain.output)
      #expect(
        list.errors.split(separator: "\n") == [
          "parley: The configuration has a policy for reminders.nosuch, and the table reminders has no such field.",
          "parley: The configuration has a policy for remindrs, and this store has no such table. If it is another "
            + "store's, put it under stores: FILE.",
        ])
      try write("theme: nosuch", to: folder + "/parley/config.yaml")
      let refused = listed()
      #expect(
        refused.status == .cannotOpen && refused.errors.contains("config.yaml:1: there is no theme “nosuch”"))
    }
  }

  @Test func aPolicyThatCannotFitItsColumnIsToldWhenTheStoreIsOpened() throws {
    try withTemporaryFolder { folder in
      let path = try SampleStores.make(in: folder + "/demo")
      try write(
        "policies: {reminders.title: counter, reminders.priority: counter, reminders.isCompleted: text}",
        to: folder + "/parley/config.yaml")
      let list = Live.run("list", path, environment: ["XDG_CONFIG_HOME": folder])
      #expect(
        list.errors.split(separator: "\n") == [
          "parley: The configuration has a policy for reminders.isCompleted, and it decides nothing: text fits no field of the type integer.",
          "parley: The configuration has a policy for reminders.title, and it decides nothing: counter fits no field of the type text.",
        ])
    }
  }

  @Test func aLogInQuotesMayHaveAnyName() throws { #expect(try read("log: '5'").log == "5") }

  @Test func theRulesOfAFolderAreThoseOfTheStoreInIt() throws {
    try withTemporaryFolder { folder in
      let path = try SampleStores.make(in: folder + "/demo")
      let name = (path as NSString).lastPathComponent
      try FileManager.default.createDirectory(atPath: folder + "/parley", withIntermediateDirectories: true)
      let yaml = "stores:\n  \(name):\n    policies:\n      reminders.title: server\n"
      try Data(yaml.utf8).write(to: URL(filePath: folder + "/parley/config.yaml"))
      func rules(_ path: String) -> Run {
        Live.run("config", "--rules", path, environment: ["XDG_CONFIG_HOME": folder])
      }
      for named in [path, folder + "/demo"] {
        let told = rules(named)
        #expect(told.output.contains("reminders.title: server") && told.status == .nothingLeft, "\(told)")
      }
      let none = rules(folder + "/none")
      #expect(none.errors.contains("There is no file") && none.status == .cannotOpen, "\(none)")
    }
  }

  @Test func writtenTwiceItSaysHowToGoOn() throws {
    try withTemporaryFolder { folder in
      func write() -> Run { Live.run("config", "--write", environment: ["XDG_CONFIG_HOME": folder]) }
      #expect(write().status == .nothingLeft)
      let again = write()
      #expect(again.status == .usage)
      #expect(again.errors.contains("is there already, and is not overwritten: change it there."))
      #expect(!again.errors.contains("standard output"))
    }
  }

  @Test func theKindsOfTheLogAreNamed() {
    let help = Live.run("log", "--help").output
    for kind in JournalEntry.Kind.allCases { #expect(help.contains(kind.rawValue), "\(kind)") }
  }

  @Test(arguments: [
    ("0", Int64(0)), ("1ns", 1), ("500ms", 500_000_000), ("2s", 2_000_000_000), ("5m", 300_000_000_000),
    ("1h", 3_600_000_000_000),
  ])
  func aMarginIsALengthOfTime(word: String, length: Int64) throws {
    let configuration = try read("margin: \(word)\nstores:\n  a.sqlite:\n    margin: 7s")
    #expect(configuration.rules(forStore: "/x/b.sqlite", tie: nil).margin == length)
    #expect(configuration.rules(forStore: "/x/a.sqlite", tie: nil).margin == 7_000_000_000)
    #expect(Configuration().rules(forStore: "/x/b.sqlite", tie: nil).margin == 0)
    #expect(try #require(configuration.lineOfMargin(inStore: "b.sqlite")) == (1, false))
    #expect(try #require(configuration.lineOfMargin(inStore: "a.sqlite")) == (4, true))
  }

  @Test(arguments: ["2", "-2s", "2 s", "two", "1d", "1000000s", "ms"])
  func whatIsNoLengthOfTimeIsToldWithItsLine(word: String) throws {
    let error = #expect(throws: CommandError.self) { try read("tie: client\nmargin: \(word)") }
    guard case .badConfiguration(let words)? = error else { return }
    #expect(words.hasPrefix("config.yaml:2: “\(word)” cannot stand after “margin”"))
  }

  /// All of it at once: nobody should have to mend a line to be told of the next.
  @Test func allThatIsWrongIsTold() throws {
    let yaml = """
      mouse: maybe
      theem: night
      policies:
        reminders: newest
        tags: server
        default: oldest
      stores:
        a.sqlite:
          tie: both
          margin: long
        b.sqlite:
          tie: server
      keys:
        list:
          fly: z
          open: "1"
      """
    let error = #expect(throws: CommandError.self) { try read(yaml) }
    guard case .badConfiguration(let words)? = error else { return }
    let lines = words.split(separator: "\n").compactMap { $0.split(separator: ":").dropFirst().first }
    #expect(lines.map(String.init) == ["1", "2", "4", "6", "9", "10", "15", "16"], "\(words)")
  }

  /// Every command and every form says the same.
  @Test func whatIsNewerByLessThanTheMarginIsToDecide() throws {
    try withTemporaryFolder { folder in
      let path = try SampleStores.make(in: folder + "/demo")
      try write("margin: 31m", to: folder + "/parley/config.yaml")
      func told(_ words: String...) -> String {
        Live.run(words, environment: ["XDG_CONFIG_HOME": folder]).output
      }
      let reason = "server newer by 30m 00s, margin 31m 00s"
      let times = /\ \(client [-0-9T:.]+Z, server [-0-9T:.]+Z\)/
      #expect(Live.run("show", path, "Coffee").output.contains("^ priority: server newer by 30m 00s\n"))
      #expect(told("list", path).contains("priority: \(reason)"))
      #expect(told("list", path, "--json", "--find", "Coffee").contains(#""certainty":"yours""#))
      for shown in [told("show", path, "Coffee"), told("show", path, "Coffee", "--json")] {
        let rest = try #require(shown.ranges(of: reason).first.map { shown[$0.upperBound...] })
        #expect(rest.prefixMatch(of: times) != nil, "\(rest.prefix(80))")
      }
    }
  }

  @Test func theMostSpecificEntryWins() throws {
    let configuration = try read(
      """
      theme: night
      color: never
      mouse: false
      ascii: true
      tombstones: signed
      advance: false
      tie: server
      policies:
        default: client
        counters.count: counter
        notes: server
      stores:
        Reminders.sqlite:
          tie: client
          policies:
            notes.text: text
      """)
    #expect(configuration.theme == "night" && configuration.colour == .never && configuration.mouse == false)
    #expect(configuration.tombstones == .signed && configuration.ascii == true)
    #expect(configuration.advance == false && Configuration().advance == nil)
    let rules = configuration.rules(forStore: "/x/Reminders.sqlite", tie: nil)
    #expect(rules.tie == .client)
    #expect(rules.rule(table: "notes", field: "text") == .text)
    #expect(rules.rule(table: "notes", field: "title") == .server)
    #expect(rules.rule(table: "counters", field: "count") == .counter)
    #expect(rules.rule(table: "other", field: "x") == .client)
    let others = configuration.rules(forStore: "Other.db", tie: nil)
    #expect(others.tie == .server && others.rule(table: "notes", field: "text") == .server)
    #expect(configuration.rules(forStore: "Other.db", tie: .client).tie == .client)
  }

  /// The default text with every comment taken away that is a setting.
  private func uncommented(_ text: String) -> String {
    text.split(separator: "\n").map { $0.hasPrefix("# ") ? $0 : $0.drop { $0 == "#" } }.joined(
      separator: "\n")
  }

  @Test func theDefaultTextSaysWhatHoldsWithoutIt() throws {
    let text = Configuration.defaultText(themes: ["auto", "night"])
    #expect(try read(text) == Configuration())
    let said = try read(uncommented(text))
    #expect(said.theme == "auto" && said.colour == .auto && said.mouse == true && said.ascii == nil)
    #expect(said.advance == true && said.tombstones == .plain && said.stores.isEmpty)
    #expect(said.rules(forStore: "/a.db", tie: nil) == Configuration().rules(forStore: "/a.db", tie: nil))
    for name in Configuration.names { #expect(text.contains("\n#\(name):"), "\(name)") }
    let examples = text.replacing("  # ", with: "    ").replacing("#   # ", with: "#")
    #expect(throws: Never.self) { try read(examples) }
  }

  /// Whatever a setting is, the reader takes it; what it does not know it answers with all of them.
  @Test(arguments: Configuration.settings(themes: ["auto"]).map { ($0.name, $0.value) })
  func everySettingIsRead(name: String, value: String) {
    #expect(throws: Never.self) { try read("\(name): \(value)") }
  }

  @Test func itIsWrittenToItsPlaceOnceAndNeverOverAnother() throws {
    try withTemporaryFolder { folder in
      let environment = ["XDG_CONFIG_HOME": folder + "/new"]
      let printed = Live.run("config", environment: environment)
      #expect(printed.status == .nothingLeft && printed.output.hasPrefix("# What Parley is set to."))
      let run = Live.run("config", "--write", environment: environment)
      #expect(run.output == folder + "/new/parley/config.yaml\n" && run.status == .nothingLeft)
      #expect(
        try String(contentsOfFile: folder + "/new/parley/config.yaml", encoding: .utf8) == printed.output)
      let again = Live.run("config", "--write", environment: environment)
      #expect(again.status == .usage && again.errors.contains("is there already, and is not overwritten"))
      let path = try SampleStores.make(in: folder + "/demo")
      #expect(Live.run("list", path, environment: environment).status == .left)
    }
  }

  private static let mistakes: [(String, String)] = [
    ("theme: night\ncolour: auto", "config.yaml:2: there is no “colour” here. Allowed are theme, color,"),
    ("tie: client\ntheme: nosuch", "config.yaml:2: there is no theme “nosuch”. Themes: auto, night."),
    (
      "theme: mine.yaml",
      "config.yaml:1: there is no theme “mine.yaml”. Themes: auto, night, or a file by its path, which has a “/”: "
        + "~/mine.yaml."
    ),
    ("tie: nobody", "config.yaml:1: “nobody” cannot stand after “tie”. Allowed are client, server."),
    ("policies:\n  notes: newest", "config.yaml:2: “newest” cannot stand after “notes”. Allowed are latest,"),
    ("mouse: maybe", "config.yaml:1: “maybe” cannot stand after “mouse”. Allowed are true, false."),
    (
      "keys:\n  list:\n    undo: zz",
      "config.yaml:3: there is no key “zz”: parley keys tells their names."
    ),
    ("keys: none", "config.yaml:1: keys is made of lines “name: value”."),
    (
      "keys:\n  list.review: q",
      "config.yaml:2: “list.review” stands where a screen does, and its commands have lines of their own: "
        + "“list:”, and further in below it “review: q”."
    ),
    ("keys:\n  Bogus.review: q", "config.yaml:2: there is no screen “Bogus”: list, record,"),
    (
      "keys:\n  list.review: [q, \"#\"]",
      "config.yaml:2: “list.review” stands where a screen does, and its commands have lines of their own: "
        + "“list:”, and further in below it “review: [q, '#']”."
    ),
    ("keys:\n  list.review: [[q]]", "config.yaml:2: “list.review” stands where a screen does, and its"),
    ("keys:\n  list.bogus: q", "config.yaml:2: there is no command “bogus” of List to give a key"),
    ("keys:\n  list.: q", "config.yaml:2: there is no command “” of List to give a key"),
    ("keys:\n  .review: q", "config.yaml:2: there is no screen “”: list, record,"),
    ("keys:\n  list.review: zz", "config.yaml:2: there is no key “zz”: parley keys tells their names."),
    (
      "keys:\n  review: q",
      "config.yaml:2: “review” stands where a screen does, and its commands have lines of their own: "
        + "“list:”, and further in below it “accept: z”."
    ),
    (
      "keys:\n  list:\n    review: q",
      "config.yaml:3: it leaves no key for “quit” of List: give “quit” another in a line of its own."
    ),
    ("log: 5", "config.yaml:1: “5” cannot stand after “log”. Allowed is the path of a file: ~/parley.log."),
    ("log: true", "config.yaml:1: “true” cannot stand after “log”."),
    ("log: [a]", "config.yaml:1: “log” needs a value."),
    ("keys:\n  list:\n    accept: {a: b}", "config.yaml:3: “accept” needs a key, or several in a list"),
    (
      "policies:\n  reminders:\n    title: text",
      "config.yaml:3: “reminders” takes a policy. That of a field stands in a line beside it: “reminders.title: text”."
    ),
    ("policies:\n  reminders: [a]", "config.yaml:2: “reminders” needs a value."),
    ("ascii: maybe", "config.yaml:1: “maybe” cannot stand after “ascii”. Allowed are true, false, auto."),
    ("- a", "config.yaml:1: the configuration is made of lines “name: value”."),
    (
      "stores:\n  A.db:\n    theme: x",
      "config.yaml:3: there is no “theme” here. Allowed are tie, margin, policies."
    ),
    (
      "tie: client\nstores:\n  /home/ann/A.db:\n    tie: server",
      "config.yaml:3: a store is named here by its file or its folder, and not by a path: “A.db”."
    ),
    (
      "stores:\n  \"https://couch.example:6984/shop\":\n    tie: server",
      "config.yaml:2: a store is named here by its file or its folder, and not by a path: “shop”."
    ),
    ("theme: night\n---\ntie: client", "config.yaml:2: this is not YAML: a second document begins here."),
    (
      "theme: " + String(repeating: "[", count: 2000),
      "config.yaml:1: this is not YAML: too many brackets or lines stand in one another."
    ),
    ("tie: client\ntheme: [", "config.yaml:3: this is not YAML: did not find expected node content."),
    ("tie: client\ntie: server", "config.yaml:2: “tie” stands here a second time. Keep one of the two."),
    ("a: &a [x]\nb: {? *a : 1}", "config.yaml:1: anchors and aliases (&name, *name) are not read here."),
  ]

  @Test(arguments: mistakes)
  func aMistakeIsToldWithItsLineAndWhatIsAllowed(yaml: String, words: String) {
    #expect {
      try read(yaml)
    } throws: { error in
      (error as? CommandError)?.words.hasPrefix(words) == true
    }
  }
}
