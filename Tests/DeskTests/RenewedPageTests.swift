import Merging
import StoreInterface
import Terminal
import Testing

@testable import Desk

/// Pages that show what is in store or journal go on with it, whoever changes that.
@Suite struct RenewedPageTests {
  private func decided(_ keys: String) -> TestDesk {
    var desk = TestDesk(columns: 120, rows: 40).typing(keys)
    desk.another(decides: "42:reminders", .field("title"), .take(.server))
    desk.take(.heard)
    desk.take(.journalChanged)
    return desk
  }

  @Test func theRulesCountAgainWhatOthersDecide() {
    let open = { (desk: TestDesk) in desk.state.trial?.tally.sum(by: MergeRules()).open ?? 0 }
    let before = TestDesk(columns: 120, rows: 40).typing("R")
    #expect(open(before) > 1 && open(decided("R")) == open(before) - 1)
    var written = before
    written.written = Dictionary(
      uniqueKeysWithValues: before.records.map { ($0.id, Draft(id: $0.id, action: .delete)) })
    written.take(.storeChanged)
    #expect(open(written) == 0, "\(written.screen)")
  }

  /// What is not written any more cannot be taken back, and nothing is waited for.
  @Test func whatSomebodyTookBackMeanwhileGoesFromThePageOfAnUndo() throws {
    var desk = TestDesk(columns: 120, rows: 40).typing("cjcwY<esc>")
    desk.answersWait = true
    desk.type("u")
    let ids = try #require(desk.state.top(ReviewPage.self)?.ids)
    #expect(ids.count == 2 && desk.state.top(ReviewPage.self)?.stage == .checking)
    desk.take(.checked([CheckedWrite(id: ids[1], title: "", outcome: .fine)], .writable))
    let page = try #require(desk.state.top(ReviewPage.self))
    #expect(page.stage == .ready && page.ids == [ids[1]] && page.canConfirm(on: desk.state))
    #expect(desk.state.status?.text.hasPrefix("Somebody has taken back ") == true)
    // Where nothing is said of any there is nothing to confirm, and nothing to wait for.
    desk.take(.storeChanged)
    desk.take(.checked([], .writable))
    let left = try #require(desk.state.top(ReviewPage.self))
    #expect(
      left.stage == .ready && left.ids == [ids[1]] && !left.canConfirm(on: desk.state), "\(desk.screen)")
    #expect(desk.screen.description.contains("Somebody has taken it back meanwhile."), "\(desk.screen)")
  }

  /// What was not ready may be by what another decides, and goes into the review; what no longer is goes.
  @Test func theReviewHasWhatOthersMakeReady() {
    var desk = TestDesk().typing("cw")
    let reviewed = { (desk: TestDesk) in desk.state.top(ReviewPage.self)?.drafts.map(\.id) ?? [] }
    #expect(reviewed(desk) == ["42:reminders"])
    desk.another(decides: "87:reminders", .field("due"), .take(.server))
    #expect(Set(reviewed(desk)) == ["42:reminders", "87:reminders"])
    desk.another(decides: "87:reminders", .field("due"), nil)
    #expect(reviewed(desk) == ["42:reminders"])
  }

  /// Who reads something over a review comes back to what is so now, and nothing is confirmed of before.
  @Test(arguments: ["?", ":", "D", "d", "o", "i", "<enter>"])
  func whatMovesUnderAPageOverTheReviewIsToldThere(key: String) {
    var desk = TestDesk().typing("cjcw" + key)
    #expect(desk.state.top(ReviewPage.self) == nil, "\(desk.screen)")
    desk.outcomes["42:reminders"] = .moved("the row has changed")
    desk.take(.storeChanged)
    #expect(desk.state.page(ReviewPage.self)?.checks.contains { $0.outcome != .fine } == true)
    let screen = desk.typing("<esc>").screen.description
    #expect(screen.contains("! 1 of 2 can be written") && !screen.contains("nothing moved"), "\(screen)")
  }

  /// Of a text that was made of a review or a preview for programs, and not of what lies over that.
  @Test(arguments: ["cjcwo", "cjcwd", "Bo", "Bd"], ["?", ":"])
  func whatIsReadUnderAHelpIsToldToBeOfBeforeByWhoComesBack(way: String, key: String) {
    let words = "Here stands what was there before: Esc, and the \(way.contains("w") ? "review" : "preview")"
    var desk = TestDesk().typing(way + key)
    desk.outcomes["42:reminders"] = .moved("the row changed")
    desk.records.removeLast(2)
    desk.take(.storeChanged)
    #expect(desk.state.status?.text.contains("Here stands") != true, "\(desk.screen)")
    let back = desk.typing("<esc>")
    #expect(back.state.topic == .text && back.state.status?.text.hasPrefix(words) == true, "\(back.screen)")
    #expect(TestDesk().typing(way + key + "<esc>").state.status == nil)
  }

  @Test func whatMovesUnderAPageOverATakingBackIsToldThere() {
    var desk = TestDesk().typing("cjcwY<esc>u?")
    desk.outcomes["42:reminders"] = .moved("the row has changed")
    desk.take(.storeChanged)
    let screen = desk.typing("<esc>").screen.description
    #expect(screen.contains("! 1 of 2 can be taken back; the rest is left alone"), "\(screen)")
  }

  /// All answers go to the one above.
  @Test func aReviewUnderATakingBackIsReadAgain() {
    var desk = TestDesk().typing("cwY<esc>cw")
    let reviewed = desk.state.top(ReviewPage.self)?.drafts.map(\.id) ?? []
    #expect(reviewed.count == 1)
    desk.type("DGu")
    #expect(desk.screen.description.contains("Take back the last write"), "\(desk.screen)")
    for id in reviewed { desk.outcomes[id] = .moved("the row has changed") }
    desk.take(.storeChanged)
    let screen = desk.typing("<esc><esc>").screen.description
    #expect(screen.contains("Review") && screen.contains("it moved: the row has changed"), "\(screen)")
  }

  @Test func aPreviewOfRulesIsReadAgainWhereOthersDecide() {
    var desk = TestDesk(columns: 120, rows: 40).typing("B")
    let before = desk.state.bulk?.records
    desk.answersWait = true
    desk.another(decides: "42:reminders", .field("title"), .take(.server))
    #expect(!desk.waiting.isEmpty)
    while !desk.waiting.isEmpty { desk.answerNext() }
    #expect(desk.state.bulk?.records != before, "\(desk.screen)")
  }

  /// It is read again once what was in its way is gone, and what was said of that is over.
  @Test(arguments: [false, true]) func whatCouldNotBeReadIsReadOnceItCan(isOfServer: Bool) {
    var desk = TestDesk()
    let id = desk.state.list.selectedConflict ?? ""
    desk.state.open = [:]
    desk.state.list.reading = id
    _ = desk.state.update(.openFailed(id: id, "It is locked by sqlite3."), now: desk.now)
    #expect(desk.screen.description.contains("It could not be read."), "\(desk.screen)")
    #expect(desk.state.status == .failed("It is locked by sqlite3."))
    // It is tried again; what was said since stays, and the reason is told where nothing is.
    for said in [Status.told("Copied."), nil] {
      desk.state.status = said
      #expect(desk.state.update(.unreadIsReadAgain, now: desk.now) == [.open(id: id)])
      _ = desk.state.update(.openFailed(id: id, "It is locked by sqlite3."), now: desk.now)
      #expect(desk.state.status == said ?? .failed("It is locked by sqlite3."))
    }
    let event: DeskEvent = isOfServer ? .deafnessChanged(nil) : .accessChanged(.writable)
    #expect(desk.state.update(event, now: desk.now).contains(.open(id: id)))
    desk.state.status = .failed("It is locked by sqlite3.")
    _ = desk.state.update(.opened(Sample.dentist, []), now: desk.now)
    #expect(desk.state.status == nil && !desk.screen.description.contains("could not be read"))
  }

  private func line(_ words: String, of desk: TestDesk) -> String {
    String(desk.screen.description.split(separator: "\n").first { $0.contains(words) } ?? "")
  }

  /// Also under a help, which goes away again.
  @Test(arguments: ["t", "t?"]) func tablesAreCountedAgain(way: String) {
    var desk = TestDesk().typing(way)
    let counts = { (desk: TestDesk) -> [String] in
      let shown = way == "t" ? desk : desk.typing("<esc>")
      return line("▸reminders ", of: shown).split(separator: " ").map(String.init)
    }
    #expect(counts(desk).prefix(2) == ["▸reminders", "9"], "\(desk.screen)")
    desk.records.removeFirst(3)
    desk.take(.storeChanged)
    let fewer = counts(desk)
    #expect(fewer.prefix(2) == ["▸reminders", "6"], "\(desk.screen)")
    desk.another(decides: "16:reminders", .field("priority"), .take(.server))
    let again = desk.typing(way == "t" ? "<esc>" : "<esc><esc>").typing(way)
    #expect(counts(desk) != fewer && counts(desk) == counts(again), "\(desk.screen)")
  }

  @Test func whoReadsTheCountsStaysWhereTheyAre() {
    let row = Sample.sure
    let records = (0..<30).map { number in
      RecordConflict(
        id: "\(number):lists", table: "table\(number)", primaryKey: "\(number)", title: "Row \(number)",
        fields: row.fields.map(\.field), versions: row.versions, details: row.details)
    }
    var desk = TestDesk(records, findings: []).typing("tjjj")
    let read = line("▸", of: desk)
    #expect(read.contains("▸table11 ") && desk.screen.description.contains("30 tables"), "\(desk.screen)")
    desk.records.removeFirst()
    desk.take(.storeChanged)
    #expect(line("▸", of: desk) == read && desk.screen.description.contains("29 tables"), "\(desk.screen)")
    // Of the others are left table1 to table9.
    desk.records.removeLast(20)
    desk.take(.storeChanged)
    #expect(line("▸", of: desk).contains("▸table3 "), "\(desk.screen)")
  }

  /// The last is seen with what stands below it, and each row of it leads to the rows of its table.
  @Test func theCountsOfATableLeadToItsRows() throws {
    let row = Sample.sure
    let records = (0..<30).map { number in
      RecordConflict(
        id: "\(number):lists", table: "table \(number)", primaryKey: "\(number)", title: "Row \(number)",
        fields: row.fields.map(\.field), versions: row.versions, details: row.details)
    }
    let desk = TestDesk(records, findings: []).typing("2t")
    let words = { (desk: TestDesk) in desk.state.list.words }
    #expect(desk.screen.description.contains("Enter its rows"), "\(desk.screen)")
    let opened = desk.typing("j<enter>")
    #expect(words(opened) == "table:=\"table 1\"" && opened.state.topic == .list, "\(opened.screen)")
    #expect(opened.state.list.filter == .all && opened.state.list.count == 1, "not 10 to 19")
    let last = desk.typing("G")
    #expect(
      last.screen.description.contains("▸table 9 ") && last.screen.description.contains("filter /table:="))
    #expect(words(last.typing("<enter>")) == "table:=\"table 9\"")
    var clicked = desk
    clicked.take(.terminal(.click(Point(column: 5, row: 5))))
    #expect(clicked.screen.description.contains("▸table 10 "), "\(clicked.screen)")
    clicked.take(.terminal(.doubleClick(Point(column: 5, row: 5))))
    #expect(words(clicked) == "table:=\"table 10\"", "\(clicked.screen)")
  }

  /// Another table may have that name in its own, and a name may have a quote in it. What is done about all that is shown is done about
  /// the rows that were counted.
  @Test(arguments: ["reminders", "my reminders", #"the "reminders""#, #"a"b"#, "=reminders", "reminders:b"])
  func theRowsOfATableAreThoseThatWereCounted(name: String) {
    let tables = ["reminders", "remindersLists", "my reminders", "=reminders", "ab", name]
    let place = Set(tables).sorted().firstIndex(of: name) ?? 0
    let desk = counts(of: tables).typing(String(repeating: "j", count: place) + "<enter>")
    let shown = (0..<desk.state.list.count).compactMap { row -> String? in
      if case .conflict(let summary)? = desk.state.list[row] { summary.table } else { nil }
    }
    #expect(shown == tables.filter { $0 == name }, "\(desk.screen)")
  }

  /// One row of each; a table that is named twice has two.
  private func counts(of tables: [String], rows: Int = 24) -> TestDesk {
    let row = Sample.sure
    let records = tables.enumerated().map { number, table in
      RecordConflict(
        id: "\(number):x", table: table, primaryKey: "\(number)", title: "Row \(number)",
        fields: row.fields.map(\.field), versions: row.versions, details: row.details)
    }
    return TestDesk(records, findings: [], rows: rows).typing("t")
  }

  /// Until the cursor is moved, which stays where it was.
  @Test func whatWasFoundAmongTheCountsStaysInSight() {
    var desk = counts(of: (0..<30).map { "table\($0)" }).typing("/shows<enter>")
    for (columns, rows) in [(80, 24), (80, 15), (120, 20)] {
      desk.take(.terminal(.resized(Size(columns: columns, rows: rows))))
      #expect(desk.screen.description.contains("›Enter shows"), "\(desk.screen)")
    }
    desk.another(decides: "3:x", .field("notes"), .take(.client))
    desk.another(decides: "3:x", .field("priority"), .take(.server))
    #expect(desk.screen.description.contains("›Enter shows"), "\(desk.screen)")
    desk.type("j")
    desk.take(.terminal(.resized(Size(columns: 80, rows: 12))))
    #expect(desk.screen.description.contains("▸table1 "), "\(desk.screen)")
  }

  /// `Enter` opens no record there, and `j` and `k` scroll nothing.
  @Test func theKeysOfTheCountsAreToldByWhatTheyDo() {
    for tables in [["lists", "tags"], (0..<30).map { "table\($0)" }] {
      let desk = counts(of: tables)
      #expect(desk.screen.description.contains(" k j table  Enter its rows "), "\(desk.screen)")
      for way in ["?", ":enter"] {
        let told = desk.typing(way).screen.description
        #expect(told.contains("open at the cursor"), "\(told)")
      }
    }
    #expect(!counts(of: ["lists"]).screen.description.contains("k j"), "there is no other")
  }

  /// Counts of five digits have no room on forty columns.
  @Test func theCountsOfATableHaveALineEach() {
    let desk = TestDesk(columns: 40, rows: 12)
    let counts = TableCounts(["lists": [.all: 12_345], "reminders": [.all: 23_456], "tags": [.all: 1]])
    let lines = counts.page(desk.state).lines(desk.state).map { $0.runs.map(\.text).joined() }
    for (line, name) in zip(lines, ["Table ", "lists ", "remi› ", "tags "]) {
      #expect(line.hasPrefix(name) && line.hasSuffix("›") && DisplayText.width(line) <= 37, "\(lines)")
    }
    #expect(lines.count > 4 && lines[4].isEmpty, "\(lines)")
  }

  @Test(arguments: ["J", "<enter>H"]) func theLogsTellWhatOthersDecide(way: String) {
    let nothing = "Nothing was decided"
    #expect(TestDesk().typing(way).screen.description.contains(nothing))
    #expect(!decided(way).screen.description.contains(nothing), "\(decided(way).screen)")
    // Who has left it is not brought back.
    var left = TestDesk().typing(way)
    _ = left.state.update(.journalChanged, now: left.now)
    if way != "J" { left.type("<esc>") }
    for _ in 0..<2 { left.take(.log(id: "42:reminders", [])) }
    #expect(left.state.topic == (way == "J" ? .text : .record))
  }

  @Test func whatIsGivenUpIsToldAnew() {
    let before = TestDesk(columns: 120, rows: 40).typing("<enter>gs<esc>D")
    #expect(before.state.top(GivenUpPage.self)?.losses.isEmpty == false)
    var forgotten = before
    forgotten.another(decides: "42:reminders", .field("title"), nil)
    forgotten.take(.journalChanged)
    #expect(forgotten.state.top(GivenUpPage.self)?.losses.isEmpty == true, "\(forgotten.screen)")
    #expect(decided("D").state.top(GivenUpPage.self)?.losses.count == 1)
  }

  /// Nor is anybody by an answer that comes late.
  @Test func whoHasLeftWhatWasGivenUpIsNotBroughtBack() {
    var desk = TestDesk().typing("<enter>gs<esc>D")
    for _ in 0..<2 { _ = desk.state.update(.journalChanged, now: desk.now) }
    desk.type("<esc>")
    for _ in 0..<2 { desk.take(.givenUp([])) }
    #expect(desk.state.topic == .list, "\(desk.screen)")
    #expect(desk.typing("D").state.topic == .givenUp)
  }

  /// Of a record that is just coming back the list does not tell what it is called yet.
  @Test func titlesStay() {
    var desk = TestDesk(columns: 120, rows: 40).typing("<enter>gs<esc>D")
    desk.state.list.remove(["42:reminders"])
    desk.state.open = [:]
    desk.take(.journalChanged)
    #expect(desk.state.top(GivenUpPage.self)?.losses.map(\.title) == ["Call dentist"], "\(desk.screen)")
  }

  @Test func whatIsReadStaysWhereItIsAndWhoIsAtTheBeginningSeesWhatIsNew() {
    for way in ["J", "<enter>H"] {
      var desk = TestDesk(rows: 12).typing("<enter>gcgxgcgxgc<esc>" + way + "jjj")
      let top = { (desk: TestDesk) in desk.screen.description.split(separator: "\n")[2] }
      let (read, newest) = (top(desk), top(desk.typing("g")))
      for choice in [Choice.take(.server), .take(.client)] {
        desk.another(decides: "42:reminders", .field("list"), choice)
      }
      desk.take(.journalChanged)
      #expect(top(desk) == read, "\(desk.screen)")
      var first = desk.typing("g")
      first.another(decides: "42:reminders", .field("list"), .take(.server))
      first.take(.journalChanged)
      let lines = first.screen.description.split(separator: "\n")
      #expect(newest != read && lines.first { $0.contains("list: ") }?.contains("server taken") == true)
    }
  }

  /// What belongs to it is in conflict still.
  @Test func aFamilyStaysWhereItsRecordIsWritten() {
    var desk = TestDesk(FamilyTests.records, findings: [], columns: 120, rows: 40).typing("f")
    desk.written[FamilyTests.inbox.id] = Draft(id: FamilyTests.inbox.id, action: .delete)
    desk.take(.storeChanged)
    #expect(desk.state.family?.members.count == FamilyTests.records.count - 1, "\(desk.screen)")
    desk.written = [:]
    desk.take(.storeChanged)
    #expect(desk.state.family?.members.count == FamilyTests.records.count, "\(desk.screen)")
  }

  @Test func aFamilyHasAgainWhatIsTakenBack() {
    var desk = TestDesk(FamilyTests.records, findings: [], columns: 120, rows: 40).typing("fBYwY<esc>")
    let rest = desk.state.family?.members.count ?? 0
    desk.type("uY<esc>")
    #expect(desk.state.topic == .family && rest < FamilyTests.records.count, "\(desk.screen)")
    #expect(desk.state.family?.members.count == FamilyTests.records.count, "\(desk.screen)")
  }

  @Test func theLifeOfARecordIsThatOfWhatItIsNow() throws {
    let page = { (desk: TestDesk) in desk.state.page(WalkthroughPage.self) }
    var desk = decided("<enter>L")
    #expect(page(desk)?.resolution[.field("title")] == .take(.server), "\(desk.screen)")
    let turned = page(decided("<enter>L<tab>").typing("<backtab>"))
    #expect(turned?.resolution[.field("title")] == .take(.server))
    desk.records.removeAll { $0.id == "42:reminders" }
    desk.take(.storeChanged)
    #expect(page(desk) == nil && desk.state.status?.text.contains("no longer in conflict") == true)
  }
}
