import Merging
import Terminal
import Testing

@testable import Desk

/// Everything that can be done is found by its words, and what can be seen can be taken away.
@Suite struct PaletteTests {
  /// Who knows a key finds what it does, and Enter does nothing else.
  @Test(arguments: [Topic.list, .record]) func aKeyFindsItsCommandFirst(topic: Topic) throws {
    let desk = TestDesk().typing(topic == .list ? "" : "<enter>")
    for binding in Keymap.bindings(on: topic) {
      guard case .character(let key) = binding.keys[0], key != " ", key != ":" else { continue }
      if case .move = binding.command { continue }
      var typed = desk.typing(":")
      typed.take(.terminal(.key(.character(key))))
      guard case .palette(let page)? = typed.state.pages.last else { return #expect(Bool(false)) }
      guard case .command(let first, _)? = page.entries(typed.state).first else {
        Issue.record("\(key) finds no command first")
        continue
      }
      #expect(first.keys.contains(.character(key)), "\(key) is \(first.command)")
    }
  }

  /// A rule is found by its name, and chosen where its effect is seen; only there it is kept.
  @Test func rulesAreFound() {
    let record = TestDesk().typing("<enter>g:rule server")
    #expect(record.screen.description.contains("rule server"), "\(record.screen)")
    #expect(
      record.screen.description.contains("chosen for reminders.title, not kept yet"), "\(record.screen)")
    let chosen = record.typing("<enter>")
    #expect(chosen.screen.description.contains("Rule for reminders.title"), "\(chosen.screen)")
    #expect(chosen.screen.description.contains("▸  server"), "\(chosen.screen)")
    #expect(chosen.typing("<enter>").screen.description.contains("changed here"), "\(chosen.screen)")
    let list = TestDesk().typing(":rule text").screen.description
    #expect(list.contains("chosen for every table"), "\(list)")
    #expect(!TestDesk().typing("6:rule text").screen.description.contains("chosen for"))
  }

  /// Nobody chooses what they do not see, and the next start would end with its mistake.
  @Test func aThemeThatCannotBeReadIsNotChosen() {
    var desk = TestDesk()
    (desk.state.themes, desk.state.theme) = (["night", "paper"], "night")
    desk.type(":theme paper")
    desk.take(.themeFailed("paper", shown: "night", "line 1 is no colour"))
    #expect(desk.state.theme == "night" && desk.state.status == .failed("line 1 is no colour"))
    desk.type("<enter>")
    #expect(desk.state.topic == .palette && desk.state.status?.isFailure == true, "\(desk.screen)")
  }

  /// Somebody else may settle it meanwhile, and the cursor is on another row then.
  @Test(arguments: ["", "<enter>"]) func whatWasChosenForOneRecordIsDoneToNoOther(keys: String) throws {
    var desk = TestDesk().typing(keys + ":take client")
    let id = try #require(desk.state.list.selectedConflict)
    desk.records.removeAll { $0.id == id }
    desk.take(.settled(id: id))
    desk.type("<enter>")
    #expect(desk.journal.isEmpty && desk.state.topic == .list, "\(desk.screen)")
    let words = "“take client” is not done: what it was chosen for is not here any more."
    #expect(desk.state.status == .told(words))
    desk.type(":take client<enter>")
    #expect(!desk.journal.isEmpty)
  }

  @Test(arguments: ["<enter>", "<enter><enter>"]) func norIfThatHasChangedMeanwhile(keys: String) {
    func conflict(_ title: String) -> RecordConflict {
      Sample.edit(
        "5:reminders", title: "Milk", client: ["title": .text(title)], at: Sample.now,
        server: ["title": (.text("Tea"), Sample.now)])
    }
    var desk = TestDesk([conflict("Oat milk")]).typing(keys + ":take client")
    desk.records = [conflict("Soy milk")]
    desk.take(.opened(desk.records[0], []))
    desk.type("<enter>")
    let words = "“take client” is not done: what it was chosen for has changed meanwhile."
    #expect(desk.journal.isEmpty && desk.state.status == .told(words), "\(desk.screen)")
    desk.type(":take client<enter>")
    #expect(!desk.journal.isEmpty)
  }

  /// Two commands of a screen are told apart without their keys.
  @Test(arguments: Keymap.screens) func eachCommandHasWordsOfItsOwn(topic: Topic) {
    let entries = PalettePage(over: topic, theme: nil).entries(TestDesk().state)
    var told: [String: Command] = [:]
    for entry in entries {
      guard case .command(let binding, _) = entry else { continue }
      let words = String(entry.text.split(separator: ": ", maxSplits: 1).last ?? "")
      #expect(told[words] == nil || told[words] == binding.command, "\(entry.text)")
      told[words] = binding.command
    }
  }

  @Test func itHasEveryCommandOfTheScreenWithItsKey() {
    for topic in [Topic.list, .record] {
      let page = PalettePage(over: topic, theme: nil)
      let told = page.entries(TestDesk().state).compactMap { entry -> Command? in
        if case .command(let binding, _) = entry { binding.command } else { nil }
      }
      for binding in Keymap.bindings(on: topic) {
        if case .move = binding.command { continue }
        if [.back, .anywhere(.palette)].contains(binding.command) { continue }
        #expect(told.contains(binding.command), "\(binding.label)")
      }
    }
  }

  /// Of all keys Y alone writes, whatever is asked for by words or clicked.
  @Test(arguments: [("BYw", Topic.review), ("B", .bulk)])
  func whatYDoesIsNotDoneByWords(keys: String, topic: Topic) throws {
    var desk = TestDesk().typing(keys)
    #expect(desk.state.topic == topic)
    let asked = desk.typing(":confirm<enter>")
    #expect(asked.state.topic == .palette && asked.journal == desk.journal)
    #expect(asked.state.status?.text == "Y alone does that, on the screen beneath: Esc, then Y.")
    #expect(asked.typing("<esc>").state.topic == topic)
    desk.type(":confirm")
    let row = try #require(desk.screen.description.split(separator: "\n").firstIndex { $0.contains("▸") })
    desk.take(.terminal(.doubleClick(Point(column: 6, row: row))))
    #expect(desk.state.topic == .palette && desk.state.status?.text.hasPrefix("Y alone") == true)
  }

  /// The next that is clicked is the one that is seen there.
  @Test func noLineMovesAwayUnderAClick() {
    var desk = TestDesk().typing(":")
    let lines = { (desk: TestDesk) in
      let all = desk.screen.description.split(separator: "\n", omittingEmptySubsequences: false)
      return all[3..<22].map { $0.replacing("▸", with: " ") }
    }
    let before = lines(desk)
    for row in [20, 4, 21, 15] {
      desk.take(.terminal(.click(Point(column: 8, row: row))))
      #expect(lines(desk) == before, "\(desk.screen)")
      let rows = desk.screen.description.split(separator: "\n", omittingEmptySubsequences: false)
      #expect(rows.firstIndex { $0.contains("▸") } == row, "\(desk.screen)")
    }
    #expect(lines(desk.typing("<down>")) != before, "a key shows what is around the cursor")
  }

  /// As in every line of text.
  @Test func itsWordsAreEditedAsAnyLineIs() {
    let desk = TestDesk().typing(":xab red<c-a>q")
    #expect(desk.screen.description.contains(": q_xab red"), "\(desk.screen)")
    #expect(!desk.typing("<c-k>").screen.description.contains("xab"))
    #expect(desk.typing("<c-k><c-_>").screen.description.contains(": q_xab red"))
  }

  @Test func theWordsOfTheHelpAreEditedAsAnyLineIs() {
    let desk = TestDesk().typing("?mark<left>")
    #expect(desk.screen.description.contains("/ mar_k"), "\(desk.screen)")
    let left = desk.typing("<c-c>")
    #expect(!left.hasQuit && left.state.topic == .help && left.screen.description.contains("type to search"))
  }

  @Test func whatIsFoundIsDone() {
    let desk = TestDesk().typing(":this cell<enter>")
    #expect(desk.state.topic == .palette, "it is a key of the record")
    #expect(desk.state.status?.text == "Space does that on the screen Record.")
    #expect(TestDesk().typing("<enter>:take server<enter>").journal.map(\.choice) == [.take(.server)])
    #expect(TestDesk().typing(":all from server<enter>").journal.count > 1, "a name, and a label")
    #expect(TestDesk().typing("<f9>sort<c-u>quit<enter>").hasQuit)
    #expect(TestDesk().typing(":hide<enter>").state.privacy == .hidden)
    #expect(TestDesk().typing(":zzz<enter>").state.status?.text == "Nothing has that in its words.")
    #expect(TestDesk().typing(":zzz<esc>").state.topic == .list)
  }

  @Test func itIsDrawn() throws {
    try expect(TestDesk().typing("<enter>:").screen, matches: "palette")
    try expect(TestDesk(columns: 40, rows: 10).typing("<enter>:take").screen, matches: "palette-take")
  }

  @Test func aThemeIsSeenAsTheCursorComesToIt() {
    var desk = TestDesk()
    (desk.state.themes, desk.state.theme, desk.state.keptTheme) = (
      ["auto", "night", "paper"], "auto", "auto"
    )
    let seen = desk.typing(":theme <down>")
    #expect(seen.effects.suffix(1) == [.showTheme("night")])
    #expect(seen.typing("<esc>").effects.suffix(1) == [.showTheme("auto")])
    #expect(seen.typing("<esc>").state.theme == "auto")
    let kept = seen.typing("<enter>")
    #expect(kept.state.theme == "night" && kept.state.topic == .list)
    #expect(kept.effects.suffix(1) == [.showTheme("night")])
  }
}

/// `y`.
extension PaletteTests {
  @Test func theCellUnderTheCursorIsCopiedAndThenTheRecord() {
    let desk = TestDesk().typing("<enter>gy")
    #expect(desk.effects.suffix(1) == [.copy(.text("Call Dr. Wu", of: "the server's title"))])
    let record = desk.state.open[Sample.dentist.id]
    #expect(desk.typing("y").effects.suffix(1) == [record.map { .copy(.record($0)) }])
    #expect(
      desk.typing("hhy").effects.suffix(1) == [.copy(.text("Call dentist", of: "the ancestor's title"))],
      "another key between them begins anew")
    #expect(
      TestDesk().typing("y").effects.suffix(1) == [.copy(.text(Sample.dentist.id, of: "the record's name"))])
  }

  /// All that is marked is meant, wherever the cursor is.
  @Test func theNamesOfMarkedRowsAreCopied() {
    let one = Copied.text(Sample.dentist.id, of: "the name of the marked record")
    #expect(TestDesk().typing(" jjy").effects.suffix(1) == [.copy(one)])
    let two = TestDesk().typing("  Gyy")
    let names = "\(Sample.dentist.id)\n\(Sample.tie.id)"
    #expect(two.effects.suffix(1) == [.copy(.text(names, of: "the names of 2 marked records"))])
  }

  /// As it stands on the screen: what is to decide is no text that somebody chose.
  @Test func theMergedTextIsCopied() {
    let record = Sample.record(
      "59:reminders", title: "Trip", ancestor: ["notes": .text("Take the train. Bring tea.")],
      client: ["notes": .text("Take the bus. Bring tea.")],
      server: ["notes": .text("Take the tram. Bring juice.")])
    let desk = TestDesk([record]).typing("<enter>m")
    let open = Copied.text(
      "Take the [ bus | tram ]. Bring juice.",
      of: "notes as far as it is merged, with 1 to decide in brackets")
    #expect(desk.typing("y").effects.suffix(1) == [.copy(open)])
    let merged = Copied.text("Take the bus. Bring juice.", of: "the merged notes")
    #expect(desk.typing("cy").effects.suffix(1) == [.copy(merged)])
    let all = desk.typing("cyy")
    #expect(all.effects.suffix(1) == [all.state.open["59:reminders"].map { .copy(.record($0)) }])
    #expect(desk.typing("cPy").state.status?.text == "What is hidden is not copied. P shows it.")
  }

  /// As the settings have them, with what is chosen and not kept.
  @Test func aRuleIsCopiedAndThenAllOfThem() {
    let desk = TestDesk().typing("Rjj<enter>j<enter>y")
    #expect(desk.effects.suffix(1) == [.copy(.text("reminders.title: client", of: "this rule"))])
    let all = "policies:\n  default: latest\n  reminders.title: client\n"
    #expect(desk.typing("y").effects.suffix(1) == [.copy(.text(all, of: "the rules of reminders"))])
    #expect(
      TestDesk().typing("Rjy").effects.suffix(1) == [.copy(.text("reminders: latest", of: "this rule"))])
  }

  @Test func nothingThatIsHiddenIsCopied() {
    let desk = TestDesk().typing("P<enter>y")
    #expect(desk.state.status?.text == "What is hidden is not copied. P shows it.")
    #expect(!desk.effects.contains { if case .copy = $0 { true } else { false } })
  }

  @Test(arguments: [40, 60, 80, 97, 120]) func whatKeysDoToAThemeIsToldWhole(columns: Int) {
    var desk = TestDesk(columns: columns, rows: 15)
    desk.state.themes = ["night", "solarized-light"]
    let lines = desk.typing(":theme").screen.description.split(separator: "\n")
    for line in lines where line.contains("theme ") && !line.contains("theme_") {
      #expect((columns == 40 || line.contains("until you quit")) && !line.contains("›"), "\(line)")
    }
    #expect(lines.contains { $0.contains("theme night") })
  }

  /// Whoever looks for the way before a theme was taken finds it, too.
  @Test func aThemeThatWasTakenCanBeKept() {
    var desk = TestDesk()
    (desk.state.themes, desk.state.theme, desk.state.keptTheme) = (["auto", "night"], "auto", "auto")
    desk.state.rules.file = "~/.config/parley/config.yaml"
    let early = desk.typing(":keep theme")
    #expect(early.screen.description.contains("keep theme auto"), "\(early.screen)")
    #expect(early.screen.description.contains("it is kept already"))
    let nothing = early.typing("<enter>")
    #expect(nothing.state.status?.text == "Theme auto is kept already.")
    #expect(!nothing.effects.contains { if case .keepTheme = $0 { true } else { false } })
    let taken = desk.typing(":theme night<enter>")
    #expect(
      taken.state.status?.text
        == "Theme night, until you quit. : keep writes it into ~/.config/parley/config.yaml.")
    let offered = taken.typing(":keep theme")
    #expect(offered.screen.description.contains("keep theme night"), "\(offered.screen)")
    let kept = offered.typing("<enter>")
    #expect(kept.effects.contains(.keepTheme("night")) && kept.state.theme == "night")
    #expect(kept.state.status?.text == "Theme night is kept.")
    #expect(kept.typing(":keep theme<enter>").state.status?.text == "Theme night is kept already.")
  }

  /// What keys of another screen share in its help stands once, by what each of them does.
  @Test(arguments: [
    ("both", "both server first", "both server first: both"),
    ("next change", "next change", "next, previous"),
    ("what if", "what if S newer, or answer 1", "what if 1:"),
  ])
  func noLineSaysAThingTwice(words: String, told: String, twice: String) {
    let screen = TestDesk().typing("<enter>:" + words).screen.description
    #expect(screen.contains(told) && !screen.contains(twice), "\(screen)")
  }

  /// Who comes from another program looks for its words.
  @Test(arguments: [("export", "JSON"), ("engine", "raw"), ("theirs", "take server")])
  func theWordsOfOtherProgramsFindIt(words: String, found: String) {
    let screen = TestDesk().typing("<enter>:" + words).screen.description
    #expect(screen.contains(found) && !screen.contains("nothing found"), "\(screen)")
  }
}
