import Merging
import Terminal
import Testing

@testable import Desk

/// What is on the screen can be clicked.
@Suite struct MouseTests {
  private func clicking(_ text: String, _ desk: TestDesk, twice: Bool = false) throws -> TestDesk {
    let point = try place(of: text, desk, first: twice)
    var desk = desk
    desk.take(.terminal(twice ? .doubleClick(point) : .click(point)))
    return desk
  }

  private func place(of text: String, _ desk: TestDesk, first: Bool = false) throws -> Point {
    let lines = desk.screen.description.split(separator: "\n", omittingEmptySubsequences: false)
    let row = try #require(
      first ? lines.firstIndex { $0.contains(text) } : lines.lastIndex { $0.contains(text) })
    let line = String(lines[row])
    let start = try #require(line.range(of: text)?.lowerBound)
    return Point(column: DisplayText.width(String(line[..<start])), row: row)
  }

  @Test(
    arguments: [
      ("<enter>?", "decides: takes the cell"), ("?", "opens the row"),
      ("<enter><enter>?", "decides: takes a side"),
    ], [(80, 24), (40, 75)])
  func theHelpTellsWhatADoubleClickDoes(of screen: (keys: String, words: String), size: (Int, Int)) {
    let help = TestDesk(columns: size.0, rows: size.1).typing(screen.keys).screen.description
    #expect(help.contains("double click \(screen.words)"), "\(help)")
  }

  @Test(arguments: ListFilter.allCases.filter { $0 != .waiting })
  func aFilterIsClicked(filter: ListFilter) throws {
    let title = "\(filter.rawValue) \(filter.title(findings: "stuck"))"
    #expect(try clicking(title, TestDesk(columns: 120, rows: 40)).state.list.filter == filter)
    #expect(try clicking(title, TestDesk()).state.list.filter == filter)
    #expect(
      try clicking(title, TestDesk(columns: 120, rows: 40).typing("/e<enter>")).state.list.filter == filter)
  }

  @Test func theNumbersOfTheHeadersAreClicked() throws {
    for (columns, words) in [(120, "stuck"), (44, "✗ 1")] {
      let desk = TestDesk(columns: columns, rows: 30).typing("2")
      var clicked = desk
      let line = desk.screen.description.prefix { $0 != "\n" }
      let found = try #require(line.range(of: words), "\(line)")
      clicked.take(
        .terminal(.click(Point(column: DisplayText.width(String(line[..<found.lowerBound])), row: 0))))
      #expect(clicked.state.list.filter == .stuck, "\(line)")
      clicked.take(.terminal(.click(Point(column: 2, row: 0))))
      #expect(clicked.state.list.filter == .stuck)
    }
    let record = TestDesk().typing("<enter>g")
    let next = try clicking("1 to decide   2 by clock", record)
    #expect(
      next.state.page(RecordPage.self)?.field == record.typing("<tab>").state.page(RecordPage.self)?.field)
  }

  @Test func whatIsHiddenIsShownByAClick() throws {
    for columns in [80, 120, 200] {
      let desk = TestDesk(columns: columns, rows: 50).typing("<enter>")
      let shown = try clicking("4 unchanged hidden", desk)
      #expect(shown.state.showsUnchanged && !desk.state.showsUnchanged)
      #expect(!(try clicking("= hides the unchanged fields", shown)).state.showsUnchanged)
    }
  }

  @Test func theHintAndTheWordsOfTheFilterAreClicked() throws {
    #expect(
      try clicking("/ filter", TestDesk(columns: 120, rows: 40).typing("<down>")).state.list.typing != nil)
    let narrowed = TestDesk(columns: 120, rows: 40).typing("/dentist<enter>")
    #expect(try clicking("/ dentist", narrowed).state.list.typing?.text == "dentist")
  }

  @Test func theValuesBelowTheListOpenTheirRecord() throws {
    var desk = TestDesk(columns: 120, rows: 40)
    let point = try place(of: "1 to decide   2 by clock", desk)
    desk.take(.terminal(.click(point)))
    #expect(desk.state.topic == .list)
    desk.take(.terminal(.doubleClick(point)))
    #expect(desk.state.topic == .record)
  }

  @Test func aHeadingOrdersTheListAndTheSameAgainTurnsIt() throws {
    let desk = TestDesk()
    #expect(try clicking("State", desk).state.list.order == .toDecide)
    for head in ["Table", "Why"] {
      #expect(try clicking(head, desk.typing("o")).state.list.order == .toDecide, "\(head)")
    }
    #expect(try clicking("Record", desk).state.list.order == .title)
    let newest = try clicking("Last edit", desk)
    #expect(newest.state.list.order == .newest)
    let oldest = try clicking("Last edit", newest)
    #expect(oldest.state.list.order == .oldest)
    #expect(try clicking("Last edit", oldest).state.list.order == .newest)
    #expect(try clicking("Record", clicking("Record", desk)).state.list.order == .found)
  }

  /// As Up and Down copy it, in every size of the box.
  @Test(arguments: [(40, 10), (80, 24), (200, 50)])
  func aVersionInTheEditorIsClicked(columns: Int, rows: Int) throws {
    let editor = TestDesk(columns: columns, rows: rows).typing("<enter>ge<c-u>mine")
    let server = try clicking("S  Call Dr. Wu", editor)
    #expect(server.state.top(EditorPage.self)?.copied == .server, "\(server.screen)")
    let words = "The server's is copied; Ctrl-_ brings back what was typed."
    #expect(server.state.status == .told(words), "\(server.screen)")
    #expect(server.typing("<c-_><enter>").journal.last?.choice == .edit(.text("mine")))
    #expect(server.typing("<enter>").journal.last?.choice == .take(.server))
    #expect(server.typing("<down>").state.top(EditorPage.self)?.input.text == "mine")
    #expect(try clicking("Call Dr. Wu", editor, twice: true).journal.isEmpty)
  }

  /// Two clicks open the record of the act that they fall on.
  @Test func anActOfTheLogIsClicked() throws {
    let log = TestDesk().typing("<enter>c<esc>j<enter>c<esc>J")
    let older = try clicking("Call dentist", log, twice: true)
    #expect(older.state.topic == .record && older.state.top.record == "42:reminders", "\(older.screen)")
    #expect(try clicking("Call dentist", log).screen == log.screen)
  }

  @Test func theFooterIsClicked() throws {
    #expect(try clicking("open", TestDesk()).state.topic == .record)
    #expect(try clicking("? help", TestDesk()).state.topic == .help)
    let record = TestDesk().typing("<enter>g")
    #expect(try clicking("s server", record).journal.map(\.choice) == [.take(.server)])
    #expect(try clicking("server  A", record).journal.map(\.choice) == [.take(.server)])
    #expect(try clicking("back", TestDesk().typing("<enter><enter>")).state.topic == .record)
  }

  /// The message goes, and what it covered can be clicked.
  @Test func aClickOnAMessageUncoversTheFooter() throws {
    var desk = TestDesk().typing("U")
    #expect(desk.state.status != nil)
    desk = try clicking("Nothing to redo", desk)
    #expect(desk.state.status == nil && desk.state.topic == .list)
    #expect(try clicking("? help", desk).state.topic == .help)
    // Elsewhere a click does what it does, as a key would.
    let row = try clicking("Rotate garden", TestDesk().typing("U"))
    #expect(row.state.status == nil && row.state.list.selected?.id == "87:reminders")
  }

  /// As by the arrows and the digits.
  @Test(arguments: [(80, 24, ""), (80, 24, "<enter>"), (120, 40, "")])
  func theStepsAndAnswersOfAStoryOfFilesAreClicked(columns: Int, rows: Int, keys: String) throws {
    let number = try #require(WalkthroughPage.stories.firstIndex(of: "fred-first"))
    var desk = TestDesk(columns: columns, rows: rows)
    desk.state.pages = [.walkthrough(WalkthroughPage(.told(number)))]
    desk.type(keys)
    let second = try #require(desk.state.top(WalkthroughPage.self)?.files).entries[1]
    let clicked = try clicking(second.label.padding(to: 3) + second.title, desk).state.top(
      WalkthroughPage.self)
    #expect(clicked?.step == 1)
    let answers = try #require(desk.state.top(WalkthroughPage.self)?.files).story.answers
    for (index, answer) in answers.enumerated() {
      let page = try clicking("\(index + 1) \(answer.title)", desk).state.top(WalkthroughPage.self)
      #expect(page?.answer == answer, "\(answer.title)")
    }
  }

  @Test func theBoxOfARuleIsClicked() throws {
    let desk = TestDesk().typing("B")
    let on = try clicking("[ ] both changed: newer", desk)
    #expect(on.screen.description.contains("[x] both changed: newer"))
    let words = try clicking("both changed: newer", desk)
    #expect(words.screen.description.contains("[ ] both changed: newer"))
  }

  /// Two keys that do alike stand before the same words.
  @Test func theKeyThatIsClickedCounts() throws {
    let story = TestDesk().typing("L<tab>")
    let next = try clicking("l step", story)
    #expect(next.screen.description != story.screen.description)
    #expect(try clicking("h l step", next).screen.description == story.screen.description)
  }

  @Test func noClickWrites() throws {
    let review = TestDesk().typing("<enter>A<tab>c<tab>sw")
    #expect(review.state.topic == .review)
    let clicked = try clicking("Y ", review)
    #expect(clicked.written.isEmpty && clicked.state.status?.text == "No click writes: capital Y does.")
  }

  @Test func aStepAndACourseOfAStoryAreClicked() throws {
    let story = TestDesk().typing("L<tab>")
    #expect(try clicking(" 9b ", story).screen == story.typing("lllllllll").screen)
    #expect(try clicking("4 C deletes", story).screen == story.typing("4").screen)
    for (columns, rows) in [(80, 24), (120, 34), (200, 50)] {
      let all = TestDesk(columns: columns, rows: rows).typing("L<tab><enter>")
      let alone = try clicking("draft on top", all, twice: true)
      #expect(alone.screen == all.typing("lllllllll<enter>").screen, "\(alone.screen)")
    }
  }

  @Test func theListBesideARecordIsClicked() throws {
    let record = TestDesk(columns: 200, rows: 50).typing("<enter>")
    let other = try clicking("Rotate garden", record)
    #expect(other.state.top.record == "87:reminders" && other.state.list.selected?.id == "87:reminders")
  }

  @Test func aCellIsTakenByADoubleClick() throws {
    let record = TestDesk(columns: 120, rows: 40).typing("<enter>")
    let taken = try clicking("Call dentist today", record, twice: true)
    #expect(taken.journal.map(\.choice) == [.take(.client)])
    #expect(try clicking(" title", record, twice: true).state.topic == .value)
  }
}

/// The pages that are about one record, or about many.
extension MouseTests {
  private static let trip = Sample.record(
    "58:reminders", title: "Trip",
    ancestor: ["notes": .text("Take the train at nine. Bring tea. Call Ann.")],
    client: ["notes": .text("Take the bus at nine. Bring coffee. Call Ann.")],
    server: ["notes": .text("Take the tram at nine. Bring juice. Call Ann.")])

  private func choices(_ desk: TestDesk) -> Set<PartChoice> {
    guard case .parts(let parts)? = desk.journal.last?.choice else { return [] }
    return Set(parts.choices.values)
  }

  /// The line of a choice is its key.
  @Test(arguments: [
    ("a  train", PartChoice.take(.ancestor)), ("c  bus", .take(.client)), ("s  tram", .take(.server)),
    ("b  bus tram", .both(first: .client)), ("B: server", .both(first: .server)),
  ])
  func aChoiceOfAMergeIsClicked(line: String, choice: PartChoice) throws {
    for columns in [80, 120] {
      let desk = TestDesk([Self.trip], columns: columns, rows: 40).typing("<enter>m")
      #expect(try choices(clicking(line, desk)) == [choice], "\(desk.screen)")
    }
  }

  @Test func theSecondPressOnAChoiceDecidesNoOther() throws {
    let desk = TestDesk([Self.trip], columns: 120, rows: 40, advances: true).typing("<enter>m")
    let point = try place(of: "c  bus", desk)
    var twice = desk
    for event in [TerminalEvent.click(point), .doubleClick(point)] { twice.take(.terminal(event)) }
    #expect(twice.journal.count == 1 && choices(twice) == [.take(.client)])
  }

  /// Two slow clicks at one place are about one row.
  @Test func whatWasClickedStaysUnderThePointer() {
    var desk = TestDesk(BulkTests.many(60), findings: [], columns: 120, rows: 40).typing("G")
    var cursors: [Int] = []
    for _ in 0..<3 {
      desk.take(.terminal(.click(Point(column: 12, row: 7))))
      cursors.append(desk.state.list.cursor)
    }
    #expect(Set(cursors).count == 1 && cursors[0] < 59, "\(cursors)")
    // A key shows what is around the cursor again.
    let selected = desk.typing("j").screen.description.split(separator: "\n").firstIndex { $0.contains("▸") }
    #expect(selected != 8, "\(desk.typing("j").screen)")
  }

  /// Nor does anything move away in a preview, among rules, or in the list beside a record.
  @Test(arguments: [
    ("BG", 12), ("BGg", 9), ("GR", 8), ("G<enter>", 9), ("f", 5), ("A w", 6),
  ])
  func nothingMovesUnderAHand(keys: String, row: Int) {
    var desk = TestDesk(BulkTests.many(60), findings: [], columns: 200, rows: 24).typing(keys)
    var rows: [[Substring]] = []
    for _ in 0..<3 {
      desk.take(.terminal(.click(Point(column: 12, row: row))))
      let lines = desk.screen.description.split(separator: "\n", omittingEmptySubsequences: false)
      rows.append(lines[4..<18].map { $0.prefix(40).drop { "▸* ".contains($0) } })
    }
    #expect(Set(rows).count == 1, "\(rows)")
  }

  /// A list shows what is around its cursor, so the first of two clicks moves the rows.
  @Test func aDoubleClickOpensWhatWasUnderTheFirst() throws {
    for (keys, row) in [("G", 7), ("", 14), ("BG", 12)] {
      var desk = TestDesk(BulkTests.many(60), findings: [], columns: 120, rows: 40).typing(keys)
      let point = Point(column: 12, row: row)
      let line = desk.screen.description.split(separator: "\n", omittingEmptySubsequences: false)[row]
      for event in [TerminalEvent.click(point), .doubleClick(point)] { desk.take(.terminal(event)) }
      let id = try #require(desk.state.top.record)
      let title = try #require(desk.state.list.summary(id)?.title)
      #expect(line.contains(title), "\(line) is not \(title)")
    }
  }

  @Test func wordsAreTypedWhereTheirLineIsClicked() throws {
    let desk = TestDesk([Self.trip], columns: 80, rows: 40).typing("<enter>m")
    #expect(try clicking("e  types words", desk).state.topic == .input)
    let editing = try clicking("E opens", desk)
    #expect(editing.effects.contains { if case .editOutside = $0 { true } else { false } })
  }

  /// Where the sides stand under each other their lines are clicked as their columns are.
  @Test func aSideIsTakenByADoubleClickOnItsLine() throws {
    let desk = TestDesk([Self.trip]).typing("<enter>m")
    let taken = try clicking("S   Take", desk, twice: true)
    #expect(choices(taken) == [.take(.server)], "\(desk.screen)")
    let whole = try clicking("C   Take", TestDesk([Self.trip]).typing("<enter><enter>"), twice: true)
    #expect(choices(whole).contains(.take(.client)))
  }

  @Test func rulesAreClicked() throws {
    let desk = TestDesk().typing("R")
    let there = try clicking("due ", desk)
    #expect(there.screen.description.contains("▸   due"), "\(there.screen)")
    let choosing = try clicking("due ", desk, twice: true)
    #expect(choosing.screen.description.contains("Rule for reminders.due"), "\(choosing.screen)")
    let chosen = try clicking("server  ", choosing, twice: true)
    #expect(chosen.screen.description.contains("changed here"), "\(chosen.screen)")
  }

  @Test func anAlternativeIsClicked() throws {
    let records = Sample.all.map { conflict in
      var conflict = conflict
      conflict.details.alternatives = conflict.versionsAsAlternatives
      return conflict
    }
    let desk = TestDesk(records).typing("<enter>o")
    #expect(try clicking("delete it", desk).screen.description.contains("▸ delete it"))
    let taken = try clicking("take the server's record", desk, twice: true)
    #expect(taken.journal.map(\.subject) == [.record] && taken.state.topic == .record)
  }

  /// A record of files tells its answers by their names, each behind its key.
  @Test func anAnswerOfAFileIsClicked() throws {
    let open = try ContainerDesk.desk()
    let place = try #require(open.records.firstIndex { $0.title.contains("letter") })
    let desk = open.typing(String(repeating: "j", count: place) + "<enter>")
    #expect(desk.screen.description.contains("letter.txt"), "\(desk.screen)")
    let server = try clicking("accept the server's", desk)
    #expect(server.journal.count == 1 && server.journal[0].subject == .record, "\(desk.screen)")
    #expect(try clicking("send both", desk).state.topic == .alternatives)
  }

  @Test func aVersionUnderTheFieldsIsTakenByADoubleClick() throws {
    let record = TestDesk().typing("<enter>")
    let taken = try clicking("  S  ", record, twice: true)
    #expect(taken.journal.map(\.choice) == [.take(.server)], "\(record.screen)")
  }

  @Test func aFamilyIsClicked() throws {
    let desk = TestDesk([FamilyTests.inbox, Sample.sure, Sample.clock], findings: []).typing("f")
    let there = try clicking("Milk", desk)
    #expect(there.screen.description.contains("▸ ~"), "\(there.screen)")
    #expect(try clicking("Coffee", desk, twice: true).state.topic == .record)
  }

  @Test func aReviewIsClicked() throws {
    let desk = TestDesk(rows: 40).typing("<enter>A<tab>c<tab>sw")
    #expect(try clicking("notes ", desk).screen.description.contains("▸      notes"), "\(desk.screen)")
    #expect(try clicking("notes ", desk, twice: true).state.topic == .record)
    let left = try clicking("✓  reminders", desk)
    #expect(left.state.leftOut.count == 1 && left.written.isEmpty, "\(left.screen)")
    #expect(try clicking("Note for the log", desk).state.topic == .input)
  }
}
