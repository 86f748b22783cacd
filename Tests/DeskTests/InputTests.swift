import Terminal
import Testing

@testable import Desk

/// Lines of text take the keys of a shell, and every screen those of a reader.
@Suite struct InputTests {
  @Test(arguments: [
    ("call the dentist", "<c-w>", "call the ", ""), ("call the  ", "<c-w>", "call ", ""),
    ("a/b c-d", "<c-w>", "a/b ", ""), ("", "<c-w><c-k><a-b><a-f>", "", ""),
    ("call the dentist", "<a-b>", "call the ", "dentist"), ("call, the.", "<a-b><a-b>", "", "call, the."),
    ("call the", "<c-a><a-f>", "call", " the"), ("call the", "<c-a><a-f><c-k>", "call", ""),
    ("call", "<c-a><c-f>", "c", "all"), ("call", "<c-b><c-b><c-e>", "call", ""),
    ("zwei Wörter", "<a-b>", "zwei ", "Wörter"),
    ("a/b c-d", "<a-backspace>", "a/b c-", ""), ("call the dentist", "<c-a><a-d>", "", " the dentist"),
    // What was erased last is put in elsewhere.
    ("call the dentist", "<a-backspace><c-a><c-y>", "dentist", "call the "),
    ("one two", "<c-w><c-y><c-y>", "one twotwo", ""), ("one", "<c-u><c-y>", "one", ""),
    ("a", "<c-y>", "a", ""),
    ("call the dentist", "<a-b><c-u>", "", "dentist"), ("call the", "<c-a><c-u>", "", "call the"),
    ("abcd", "<c-t>", "abdc", ""), ("abcd", "<c-b><c-t>", "abdc", ""),
    ("abcd", "<c-a><c-f><c-t>", "ba", "cd"),
    ("a", "<c-t>", "a", ""), ("abcd", "<c-a><c-t>", "", "abcd"), ("", "<c-t>", "", ""),
  ])
  func keys(text: String, keys: String, before: String, after: String) {
    var desk = TestDesk().typing("/")
    desk.take(.terminal(.paste(text)))
    desk.type(keys)
    #expect(desk.state.list.typing?.before == before && desk.state.list.typing?.after == after)
    #expect(desk.state.list.words == before + after)
  }

  /// Who types looks for something else; who moves in it, or erases, looks for nearly the same.
  @Test(arguments: [
    ("milk", "milk"), ("<c-e> milk", "dent milk"), ("<left>i", "denit"), ("<backspace>", "den"),
    ("m<c-_>", "dent"), ("", "dent"),
  ])
  func theFirstLetterTakesThePlaceOfWhatWasLookedForBefore(keys: String, words: String) {
    let desk = TestDesk().typing("/dent<enter>/\(keys)<enter>")
    #expect(desk.state.list.words == words && !desk.state.list.isTyping)
  }

  /// As in a shell: what was looked for before, on whatever page, comes back, and what is typed now with it.
  @Test(arguments: [
    ("<c-p>", "milk"), ("<c-p><c-p>", "dent"), ("<c-p><c-p><c-p>", "dent"), ("<c-p><c-p><c-n>", "milk"),
    ("now<c-p><c-n>", "now"), ("now<c-p><c-p><c-n><c-n><c-n>", "now"), ("<c-n>", ""), ("<c-p>s<c-_>", "milk"),
    ("<c-p><c-_>", ""),
  ])
  func whatWasTypedBeforeComesBack(keys: String, words: String) {
    let before = TestDesk().typing("/dent<enter>/milk<enter>/dent<enter>/milk<enter><esc>")
    #expect(before.typing("/" + keys + "<enter>").state.list.words == words)
    let elsewhere = before.typing("<enter>sHJ").typing("<esc><esc>J/" + keys)
    guard case .log(let page)? = elsewhere.state.pages.last else { return #expect(Bool(false)) }
    #expect(page.search.typing?.text == words)
  }

  @Test func whatStandsInTheLineIsNotGivenAgain() {
    let desk = TestDesk().typing("/dent<enter>/milk<enter>/<c-p>")
    #expect(desk.state.list.typing?.text == "dent")
    #expect(TestDesk().typing("/<c-p>").state.list.typing?.text == "")
  }

  @Test func aPasteTakesItsPlaceToo() {
    var desk = TestDesk().typing("/dent<enter>/")
    desk.take(.terminal(.paste("milk")))
    #expect(desk.state.list.words == "milk")
  }

  /// Who copies a line has its end as well, and nothing has that in its words.
  @Test(
    arguments: ["/", ":", "?", "J/", "<enter><enter>/", "jjjjjAwn", "jjjjjAw/"],
    [("dent\n", "dent"), ("read\r\n\n", "read"), ("read\nthe", "read the"), ("\n", "")])
  func aPastedLineEndIsNotLookedFor(way: String, given: (pasted: String, typed: String)) {
    var desk = TestDesk().typing(way)
    desk.take(.terminal(.paste(given.pasted)))
    #expect(desk.screen == TestDesk().typing(way + given.typed).screen, "\(desk.screen)")
  }

  /// The line goes along with its cursor, and tells how many rows have the words however long they are.
  @Test(arguments: [40, 60, 80]) func aLongFilterIsReadWhereItIsTyped(columns: Int) {
    let words = (1...30).map { "word\($0)" }.joined(separator: " ")
    let line = { (desk: TestDesk) in desk.screen.description.split(separator: "\n")[1] }
    let desk = TestDesk(columns: columns).typing("/" + words)
    #expect(line(desk).hasPrefix(" / ‹") && line(desk).contains("word30_   0 of 9"), "\(line(desk))")
    let middle = desk.typing("<a-b><a-b><a-b>")
    #expect(line(middle).contains("word27 _word28") && line(middle).contains("   0 of 9"), "\(line(middle))")
    let start = desk.typing("<home>")
    #expect(line(start).hasPrefix(" / _word1 ") && line(start).contains("›   0 of 9"), "\(line(start))")
    let kept = line(desk.typing("<enter>"))
    #expect(kept.hasPrefix(" / word1 wo") && (columns < 60 || kept.contains(" 6")), "\(kept)")
    #expect(kept.contains("[1 All 0]") && (columns < 60 || !kept.hasSuffix("›")), "\(kept)")
  }

  /// So do the other lines that are typed in.
  @Test(arguments: ["wn", "w/", ":"]) func aLongLineIsReadWhereItIsTyped(keys: String) {
    let words = (1...30).map { "word\($0)" }.joined(separator: " ")
    let screen = TestDesk().typing("jjjjjA" + keys + words).screen.description
    #expect(screen.contains(" word30") && screen.contains("‹"), "\(screen)")
  }

  /// Letters that are typed for a filter would decide a record.
  @Test(arguments: ["<enter>", "Gkk<enter>", "<enter>jm", "jjAw<enter>"])
  func aSlashGoesToTheFilterFromARecordAndItsMerges(way: String) {
    let desk = TestDesk().typing(way)
    let before = desk.journal
    let typed = desk.typing("/")
    #expect(typed.state.topic == .input && typed.state.pages.isEmpty)
    let found = typed.typing("csAx<enter>")
    #expect(found.journal == before && found.state.list.words == "csAx")
  }

  /// As tmux sends both that are pressed within half a second.
  @Test(
    arguments: ["", "<enter>", "<enter><enter>", "/milk", " ", "jjjjjAw", "?", "?/read", ":", "L"],
    [("<a-j>", "j"), ("<a-enter>", "<enter>")])
  func aKeyWithAltThatIsNoneOfItsOwnIsEscAndThatKey(way: String, keys: (alt: String, key: String)) {
    let both = TestDesk().typing(way + "<esc>" + keys.key)
    let desk = TestDesk().typing(way + keys.alt)
    #expect(desk.state.pages == both.state.pages, "\(desk.screen)\n\(both.screen)")
    #expect(desk.state.list.cursor == both.state.list.cursor && desk.state.topic == both.state.topic)
    #expect(desk.journal == both.journal)
  }

  /// Who leaves a record so should not decide it by what follows, nor what is beneath any other page.
  @Test(arguments: ["<enter>", "<enter><enter>", "jjjjjAw", "?", ":", "L"])
  func whatComesInSightByItIsNotDecidedByIt(way: String) {
    let left = TestDesk().typing(way + "<esc>")
    let desk = TestDesk().typing(way + "<a-s>")
    #expect(desk.state.pages == left.state.pages && desk.journal == left.journal, "\(desk.screen)")
    #expect(desk.state.status?.text.contains("s was pressed before this screen was shown") == true)
  }

  /// Of any key, also of those with which no Alt is a key of its own.
  @Test(arguments: ["A", "Y", " ", "ы", "s"] as [Character])
  func noKeyDecidesWhatComesInSightByIt(letter: Character) throws {
    for way in ["<enter>", "<enter><enter>", "jjjjjAw?", "jjjjjAw:", ":", "L", "BY?", "6<enter>"] {
      let left = TestDesk().typing(way + "<esc>")
      let desk = TestDesk().typing(way).taking(.terminal(.keyBehindEscape(.character(letter))))
      #expect(desk.journal == left.journal && desk.written == left.written, "\(way): \(desk.screen)")
      #expect(desk.state.pages.count == left.state.pages.count, "\(way): \(desk.screen)")
    }
  }

  /// As they act behind an Esc that came before them.
  @Test(arguments: [5, 6])
  func noOtherKeyDecidesWhatComesInSightByIt(number: Int) {
    let record = TestDesk().typing("<enter><enter>")
    let desk = record.taking(.terminal(.keyBehindEscape(.function(number))))
    #expect(desk.journal.isEmpty, "\(desk.screen)")
    #expect(!record.typing("<esc>").taking(.terminal(.key(.function(number)))).journal.isEmpty)
  }

  /// Wherever it falls: on a hint, a row, or a choice. Nor does it take the cursor there.
  @Test(arguments: [
    "<enter>", "<enter><enter>", "<enter>ge", "jjjjjAw?", "jjjjjAw:", ":", "L", "BY?", "6<enter>",
    "/milk<enter>",
  ])
  func noClickIsAboutWhatComesInSightByIt(way: String) {
    let desk = TestDesk().typing(way)
    let left = desk.typing("<esc>")
    var others = 0
    for row in 0..<24 {
      for column in stride(from: 2, to: 80, by: 8) {
        let point = Point(column: column, row: row)
        let clicked = desk.taking(.terminal(.clickBehindEscape(point)))
        #expect(isAlike(clicked, left), "\(way) at \(point): \(clicked.screen)")
        if !isAlike(left.taking(.terminal(.click(point))), left) { others += 1 }
      }
    }
    #expect(others > 0, "\(way): a click behind what Esc shows does something")
  }

  private func isAlike(_ desk: TestDesk, _ other: TestDesk) -> Bool {
    desk.journal == other.journal && desk.written == other.written && desk.state.list == other.state.list
      && desk.state.pages == other.state.pages
  }

  /// What Esc did not change was in sight before.
  @Test func aClickIsDoneWhereEscDoesNothing() {
    let event = TerminalEvent.click(Point(column: 12, row: 7))
    let clicked = TestDesk().taking(.terminal(.clickBehindEscape(Point(column: 12, row: 7))))
    #expect(clicked.state.list.cursor == TestDesk().taking(.terminal(event)).state.list.cursor)
    #expect(clicked.state.list.cursor != TestDesk().state.list.cursor)
  }

  /// The row is the one that was there before.
  @Test func whatWasInSightBeforeIsDecidedByIt() {
    #expect(!TestDesk().typing("<a-s>").journal.isEmpty)
    for way in ["", " "] {
      #expect(TestDesk().typing(way + "<a-s>").journal == TestDesk().typing(way + "<esc>s").journal)
    }
  }

  /// What was not seen before is not decided.
  @Test func behindAnEditorItDecidesNothing() {
    let desk = TestDesk().typing("<enter>ge<a-s>")
    #expect(desk.state.topic == .record && desk.journal.isEmpty, "\(desk.screen)")
    #expect(desk.state.status?.text.hasPrefix("s was pressed before this screen was shown") == true)
  }

  @Test func theEditorTakesThemToo() {
    let desk = TestDesk().typing("<enter>ge<c-w><a-b>big <c-e>!<enter>")
    #expect(desk.journal.map(\.choice) == [.edit(.text("Call big Dr. !"))])
  }

  @Test(arguments: ["/dent", "jjjjjAwn", "jjjjjAw/", "<enter>gjme"]) func f10QuitsFromALineOfText(way: String)
  {
    let desk = TestDesk().typing(way)
    #expect(desk.state.topic == .input && desk.typing("<f10>").hasQuit)
  }

  @Test(arguments: ["", "X", "/dent", "<enter>geEv", "?", "?/rea", ":", ":rea", "jjjjjAw/x"])
  func ctrlLOnlyDrawsAgain(way: String) {
    let desk = TestDesk().typing(way)
    let again = desk.typing("<c-l>")
    #expect(again.effects.suffix(1) == [.redraw] && again.screen.description == desk.screen.description)
    #expect(again.typing("a").screen.description == desk.typing("a").screen.description)
  }

  @Test(arguments: [Topic.help, .palette]) func whereWordsAreTypedTheKeysOfALineAreToldToo(topic: Topic) {
    let (own, told) = (Keymap.bindings(on: topic), Keymap.told(on: topic))
    #expect(
      told.contains { $0.command == .line(.wordBack) }
        && told.prefix(own.count).map(\.keys) == own.map(\.keys))
    for binding in told.dropFirst(own.count) {
      for key in binding.keys {
        #expect(
          Keymap.command(for: key, on: topic) == nil
            && Keymap.command(for: key, on: .input) == binding.command)
      }
    }
    let line = TestDesk().typing((topic == .help ? "?/" : ":") + "read<c-a>th<delete>")
    #expect(line.typing("<c-e>s").screen.description.contains("theads"), "\(line.screen)")
  }

  /// As `q` and `?` there: until something is looked for, letters are keys.
  @Test(arguments: ["", "<enter>", "<enter><enter>"]) func theCommandsAreReachedFromAHelp(way: String) {
    let beneath = TestDesk().typing(way + ":")
    #expect(TestDesk().typing(way + "?:").screen == beneath.screen)
    #expect(TestDesk().typing(way + "?/a<f9>").screen == beneath.screen)
    #expect(TestDesk().typing(way + "?/:").state.topic == .help)
    #expect(TestDesk().typing(way + "?:<esc>").state.pages == TestDesk().typing(way).state.pages)
  }

  @Test(arguments: ["/dent", "<enter>e", "jjjjjAwn"]) func ctrlCLeavesAnInputAndNotTheDesk(way: String) {
    let desk = TestDesk().typing(way)
    #expect(desk.state.topic == .input || desk.state.topic == .editor)
    let left = desk.typing("<c-c>")
    #expect(!left.hasQuit && left.state.topic != desk.state.topic)
    #expect(left.typing("<c-c>").hasQuit)
  }

  /// Where several keys share a line with a word each, they stand in the order of the words.
  @Test func theHelpSaysWhichKeyIsWhich() {
    for (topic, way, line) in [
      (Topic.list, "?", "Space v * Ins   mark row, range, all"),
      (.list, "?", "c s a F5 F6     all from C, S or A"),
      (.record, "<enter>?first", "g G Home End    first, last"),
    ] {
      let screen = TestDesk().typing(way).screen.description
      #expect(screen.contains(line), "\(topic): \(screen)")
    }
  }

  /// As in less; in words that are looked for it is a blank.
  @Test func spaceGoesDownAHelp() {
    let help = TestDesk(columns: 60, rows: 15).typing("?")
    #expect(help.typing(" ").screen == help.typing("<pagedown>").screen)
    #expect(help.typing(" ").screen != help.screen)
    #expect(help.typing("mark row").screen.description.contains("/ mark row"))
  }

  @Test func theHelpIsClearedAndThenClosed() {
    let help = TestDesk().typing("?")
    #expect(help.typing("q").state.topic == .list && help.typing("?").state.topic == .list)
    let searched = help.typing("/quit")
    #expect(searched.screen.description.contains("/ quit"))
    #expect(searched.typing("<esc>").state.topic == .help)
    #expect(searched.typing("<esc><esc>").state.topic == .list)
    #expect(help.typing("zzz").screen.description.contains("No key of this screen"))
  }

  @Test func pagesAndBackAreWhereReadersHaveThem() {
    #expect(TestDesk().typing("<c-f>").state.list.cursor == TestDesk().typing("<pagedown>").state.list.cursor)
    #expect(TestDesk().typing("<c-f><c-b>").state.list.cursor == 0)
    #expect(TestDesk().typing("l").state.topic == .record)
    #expect(TestDesk().typing("<right>").state.topic == .record)
    #expect(TestDesk().typing("l<enter>h").state.topic == .record)
    #expect(TestDesk().typing("jjjjjAw<left>").state.topic == .list)
  }

  /// As in readline: what was typed in one go, word by word, and each erasing.
  @Test func whatIsTypedIsTakenBack() {
    var line = InputLine("milk")
    for key in [Key](" and tea".map { .character($0) }) { _ = line.take(key) }
    let undo = Key.control("_")
    _ = line.take(undo)
    #expect(line.text == "milk and")
    _ = line.take(.control("u"))
    _ = line.take(undo)
    #expect(line.text == "milk and")
    for _ in 0..<5 { _ = line.take(undo) }
    #expect(line.text == "milk")
  }
}
