import Merging
import StoreInterface
import Terminal
import Testing

@testable import Desk

@Suite struct ListTests {
  /// The time of a day takes more room than how long ago it was, and not the side's.
  @Test(arguments: [80, 200]) func theSideStaysBesideATime(columns: Int) throws {
    let desk = TestDesk(columns: columns, rows: 50).typing("T")
    let isThere = desk.screen.description.split(separator: "\n").contains {
      $0.contains(/server +\d\d:\d\d/)
    }
    #expect(isThere, "\(desk.screen)")
  }

  /// Whatever the clock of a device said.
  @Test(arguments: [(Int64.min, "349y"), (.max, "in 235y"), (Sample.now - Sample.minute, "1m")])
  func anAgeIsToldHoweverFarAway(time: Int64, age: String) {
    #expect(TestDesk().state.time.ago(time) == age)
  }

  /// And says what it did, as it does in a record.
  @Test func capitalTChangesHowTheLastEditIsTold() {
    let (list, times) = (TestDesk(), TestDesk().typing("T"))
    #expect(times.state.status == .told("Last edits are shown as times."))
    let clock = /[0-9]{2}:[0-9]{2} *\n/
    #expect(
      !list.screen.description.contains(clock) && times.screen.description.contains(clock), "\(times.screen)")
    #expect(times.typing("T").state.status == .told("Last edits are shown as ages."))
    #expect(times.typing("Tj").screen == list.typing("j").screen)
    let record = TestDesk().typing("<enter>T")
    #expect(record.state.status == .told("Times are now shown as ages."))
    #expect(record.typing("T").state.status == .told("Times are now UTC."))
    #expect(record.typing("TT").state.status == .told("Times are now local."))
    let (utc, local) = (record.typing("T").screen.description, record.typing("TT").screen.description)
    #expect(utc.contains("12:04Z") && !local.contains("12:04Z") && local.contains("12:04"), "\(utc)")
    // So does the list, once a record has been told so.
    #expect(record.typing("T<esc>T").screen.description.contains("12:09Z"))
  }

  /// Keys that change what is shown say so where that may not be seen.
  @Test func hidingValuesAndReadingAgainAreTold() {
    let hidden = TestDesk().typing("P")
    #expect(hidden.state.status == .told("Values are hidden. P shows them again."))
    #expect(hidden.typing("P").state.status == .told("Values are shown again."))
    #expect(hidden.typing("j").screen.description.contains("reminders.sqlite   values hidden"))
    #expect(!TestDesk().screen.description.contains("values hidden"))
    #expect(TestDesk().typing("r").state.status == .told("The store is read again."))
  }

  @Test func aLongBannerIsCutBeforeTheNumbersAre() {
    var store = Sample.store
    store.banner = String(repeating: "no transport encryption ", count: 6)
    let head = TestDesk(columns: 120, rows: 40, store: store).screen.description.prefix(120)
    #expect(head.contains(store.name) && head.contains("no transport"), "\(head)")
    #expect(head.contains("open   0 ready   1 "), "\(head)")
  }

  /// Whatever the head has room for.
  @Test func whereTheWaitingAreNotCountedThereIsASign() {
    var waiting = Sample.deletedOnServer
    waiting.details.waitingSince = Sample.now
    let records = Sample.all.filter { $0.id != waiting.id } + [waiting]
    for columns in 40...120 {
      let head = TestDesk(records, columns: columns, rows: 24).typing("  ").screen.description.prefix(columns)
      #expect(head.contains("1 waiting") || head.contains("⇡ 1"), "\(columns): \(head)")
    }
  }

  /// In a pane beside a record: those that wait, too, and whatever is looked for or chosen.
  @Test(arguments: ["", "/rem<enter>", "2", "6", "7"]) func noFilterIsLostBesideARecord(keys: String) {
    var waiting = Sample.deletedOnServer
    waiting.details.waitingSince = Sample.now
    let records = Sample.all.filter { $0.id != waiting.id } + [waiting]
    let desk = TestDesk(records, columns: 200, rows: 50).typing(keys + (keys == "6" ? "" : "<enter>"))
    let line = desk.screen.description.split(separator: "\n")[1]
    for filter in ListFilter.allCases { #expect(line.contains("\(filter.rawValue) "), "\(line)") }
  }

  /// An edit ahead of this clock takes the room of its side.
  /// Their ids differ in the Unicode normal form alone.
  @Test func twinsStayTwoWhenTheStoreIsReadAgain() {
    let twins = ["caf\u{E9}", "cafe\u{301}"].map { name in
      Finding(
        id: "invalid-name:\(name):tags", table: "tags", record: name + ":tags", title: name, what: "",
        evidence: "",
        cause: "", remedy: "")
    }
    var desk = TestDesk([], findings: twins)
    desk.take(.storeChanged)
    #expect(desk.state.list.count == 2, "\(desk.screen)")
  }

  @Test func noTimeStandsInAnotherWord() {
    let record = Sample.edit(
      "1:reminders", client: ["title": .text("Milk")], at: Sample.now + 18 * 60 * Sample.minute, server: [:])
    let rows = TestDesk([record], findings: []).screen.description.split(separator: "\n")
    #expect(rows[4].hasSuffix("  in 18h"), "\(rows[4])")
    #expect(TestDesk().screen.description.contains("server 25m"))
  }

  /// What comes under a filter again is shown at once, as its number is; a bulk act is taken back as a whole.
  @Test(arguments: ["3", "3oo", "4"]) func whatComesBackUnderAFilterIsShown(filter: String) {
    let all = TestDesk().typing(filter).state.list
    let desk = TestDesk().typing("BY" + filter)
    let back = desk.typing("u")
    #expect(desk.state.list.count < all.count || filter != "4", "\(desk.screen)")
    #expect(back.state.list.count == all.count, "\(back.screen)")
    #expect((0..<all.count).map { back.state.list[$0]?.id } == (0..<all.count).map { all[$0]?.id })
    #expect(!"\(back.screen)".contains("+"), "\(back.screen)")
  }

  @Test func whatIsUndoneIsShownUnderItsFilter() {
    let desk = TestDesk().typing("4A14").typing("u")
    #expect(desk.state.list.count == 1 && desk.state.list.selected?.id == "12:reminders", "\(desk.screen)")
  }

  /// As from record to record.
  @Test func findingsAreGoneThroughOneByOne() {
    var other = Sample.finding
    (other.id, other.record, other.title) = ("neverUploaded 102", "102", "Invoice April")
    let desk = TestDesk(findings: [Sample.finding, other]).typing("6<enter>")
    let title = { (desk: TestDesk) in desk.state.top(FindingPage.self)?.finding.title }
    for (keys, expected) in [("n", "Invoice April"), ("<tab>", "Invoice April"), ("nN", "Invoice March")] {
      #expect(title(desk.typing(keys)) == expected)
    }
    #expect(desk.typing("nn").state.status?.text == "This is the last finding.")
    #expect(desk.typing("N").state.status?.text == "This is the first finding.")
    #expect(desk.typing("n<esc>").state.list.selected == .finding(other))
  }

  @Test func theHelpTellsWhatANumberWithAPlusIs() {
    #expect(TestDesk().typing("4A?").screen.description.contains("+1 decided, still shown"))
  }

  /// Words give way to them.
  @Test(arguments: ["", "o", "oo", "*", "*oo", "vj"], [(80, 24), (60, 15), (40, 10)])
  func theNumbersOfTheHeadAreWhole(keys: String, size: (columns: Int, rows: Int)) {
    for access in [StoreAccess.writable, .readOnly(reason: "its app has it open")] {
      let desk = TestDesk(columns: size.columns, rows: size.rows, access: access).typing(keys)
      let head = String("\(desk.screen)".prefix { $0 != "\n" })
      let isMarked = desk.state.list.markedCount > 0
      let numbers = [["8 open   0 ready   1 stuck"], ["8 open  ✓ 0  ✗ 1"], isMarked ? ["marked ›"] : []]
      #expect(
        numbers.prefix(size.columns > 40 ? 2 : 3).contains { $0.contains(where: head.hasSuffix) }, "\(head)")
      #expect(access.reason == nil || head.contains("read-only"), "\(head)")
      #expect(size.columns < 80 || keys.hasPrefix("*") || head.contains("0 ready"), "\(head)")
    }
  }

  @Test func aChosenFilterStaysInItsPlace() {
    let line = TestDesk(columns: 60, rows: 15).typing("6").screen.description.split(separator: "\n")[1]
    #expect(line.hasPrefix(" 1 All 9 2 ! 5 ") && line.contains(" [6 Stuck 1]"), "\(line)")
  }

  @Test func whatMendsAFindingIsSeenUnderTheList() {
    var finding = Sample.finding
    finding.cause = String(repeating: "The first save failed and the engine dropped it. ", count: 4)
    finding.canBeMended = "It is put into the queue once more, as the app would have put it there."
    let screen = TestDesk(findings: [finding]).typing("6").screen.description
    #expect(screen.contains("Mended by") && screen.contains("m mends it"), "\(screen)")
    #expect(screen.contains("Shown by"), "\(screen)")
  }

  @Test(arguments: ListFilter.allCases) func theNumberOfAFilterIsWhatItShows(filter: ListFilter) {
    let desk = TestDesk().typing("AjcjA").typing("\(filter.rawValue)")
    #expect(desk.state.list.count == desk.state.list.counts[filter] ?? 0)
  }

  @Test func everyConflictIsInOneFilterBesideAll() {
    let counts = TestDesk().typing("cjA").state.list.counts
    #expect(ListFilter.allCases.dropFirst().compactMap { counts[$0] }.reduce(0, +) == counts[.all])
  }

  @Test func aDecidedRowStaysUnderTheCursorUntilTheFilterIsChosenAgain() {
    let desk = TestDesk().typing("2c")
    #expect(desk.state.list.selected?.id == "42:reminders")
    #expect(desk.state.list.counts[.ready] == 1)
    #expect(desk.typing("2").state.list.position(of: "42:reminders") == nil)
  }

  /// In a pane there is no room for the names, and none is cut away.
  @Test(arguments: [(40, 12), (48, 20), (200, 50)]) func everyFilterIsSeen(columns: Int, rows: Int) {
    let desk = TestDesk(columns: columns, rows: rows).typing(columns == 200 ? "<enter>" : "")
    let line = desk.screen.description.split(separator: "\n")[1]
    for filter in ListFilter.allCases where filter != .waiting {
      #expect(line.contains("\(filter.rawValue) "), "\(desk.screen)")
    }
    #expect(line.contains("6 ✗ 1"), "\(desk.screen)")
  }

  /// That nothing is kept is not told as if nothing had happened.
  @Test func aStoreThatKeepsNothingSaysSo() {
    var store = Sample.store
    #expect(TestDesk([], findings: [], store: store).screen.description.contains("Nothing waits for you."))
    store.unseen = "This app keeps no conflicts."
    let screen = TestDesk([], findings: [], store: store).screen.description
    #expect(screen.contains("No conflicts are kept here.") && screen.contains("This app keeps no conflicts."))
    #expect(!screen.contains("Nothing waits for you."), "\(screen)")
  }

  @Test func wordsNarrowTheList() {
    let desk = TestDesk().typing("/dentist today<enter>")
    #expect(desk.state.list.count == 1)
    #expect(desk.typing("/<esc>").state.list.count == 9)
  }

  /// Wherever the cursor stood before, and whatever comes while the words are typed.
  @Test(arguments: ["", "G", "jjjj"]) func whoLooksForWordsStandsOnTheFirstRowThatHasThem(before: String) {
    let desk = TestDesk().typing(before + "/invoice<enter>")
    #expect(desk.state.list.count == 2 && desk.state.list.cursor == 0)
    #expect(desk.state.list.selected?.id == "91:reminders")
    #expect(desk.typing("<enter>").state.top(RecordPage.self)?.id == "91:reminders")
    var reading = TestDesk([]).typing("/invoice")
    reading.records = [Sample.deletedOnServer]
    let found = ConflictSummary(Sample.deletedOnServer, resolution: Resolution())
    reading.take(.found(ConflictPage(summaries: [found], seen: 1)))
    #expect(reading.typing("<enter>").state.list.selected?.id == "91:reminders", "\(reading.screen)")
  }

  /// A number that is there without words is not gone with them.
  @Test func whatWaitsKeepsItsNumberUnderEveryFilter() {
    var queued = Sample.finding
    (queued.id, queued.title, queued.isWaiting) = ("waiting-for-upload:1", "Milk", true)
    let desk = TestDesk(findings: [Sample.finding, queued], columns: 120, rows: 40)
    for keys in ["2", "/dentist<enter>", "4/x<enter>"] {
      let line = desk.typing(keys).screen.description.split(separator: "\n")[1]
      #expect(line.contains("7 Waiting"), "\(line)")
    }
    let beside = TestDesk(findings: [Sample.finding, queued], columns: 200, rows: 50).typing("<enter>")
    let head = beside.screen.description.split(separator: "\n")[0]
    #expect(head.contains("  ⇡ 1  "), "\(head)")
  }

  /// The numbers go before the name of the store does: the filters have them, too.
  @Test(arguments: [(80, 24), (40, 12), (60, 15), (120, 40)])
  func theHeadNamesTheStore(columns: Int, rows: Int) {
    for keys in [" ", " 6", "v", "", "o"] {
      let desk = TestDesk(columns: columns, rows: rows).typing(keys)
      let head = String(desk.screen.description.split(separator: "\n")[0])
      #expect(columns < 60 && keys != "" || head.contains(desk.state.store.name), "\(head) after \(keys)")
      #expect(!keys.hasPrefix(" ") || head.contains("1 marked"), "\(head)")
    }
  }

  @Test func aListThatIsLongerThanTheScreenSaysWhichRowsAreShown() {
    let many = TestDesk(BulkTests.many(40))
    #expect(many.screen.description.contains(" 1 to 11 of 41 "), "\(many.screen)")
    #expect(many.typing("G").screen.description.contains(" 31 to 41 of 41 "))
    #expect(!TestDesk().screen.description.contains(" of 9 "))
    #expect(TestDesk(columns: 40, rows: 10).screen.description.contains(" 1 to 4 of 9 "))
  }

  /// A preview has names whole where there is room for them, and what mends a finding whatever else there is.
  @Test func aPreviewIsCutWithAMarkAndKeepsWhatMends() {
    var finding = Sample.finding
    finding.cause = String(repeating: "It was given up after many tries. ", count: 8)
    finding.remedy = String(repeating: "Change any field of it in the app. ", count: 8)
    finding.canBeMended = "It is queued again."
    let desk = TestDesk([], findings: [finding])
    let preview = desk.screen.description.split(separator: "\n").dropLast(2).suffix(6).map(String.init)
    #expect(preview.last?.contains("m mends it It is queued again.") == true, "\(preview)")
    #expect(preview.dropLast().last?.hasSuffix("›") == true, "\(preview)")
    #expect(!TestDesk([], findings: [Sample.finding]).screen.description.contains("›"))
  }

  /// The word for all gives way before a number is cut.
  @Test func everyFilterHasItsNumberOnTheSmallestScreen() {
    let desk = TestDesk(BulkTests.many(2_000), findings: [], columns: 40, rows: 10)
    #expect(desk.screen.description.contains(" [1 2000] 2 !0 3 ^0 4 ~2000 5 ✓0 6 ✗0\n"), "\(desk.screen)")
    let few = TestDesk(BulkTests.many(9), findings: [], columns: 40, rows: 10)
    #expect(few.screen.description.contains(" [1 All 9] "), "\(few.screen)")
  }

  @Test func aPreviewNamesFieldsWholeWhereThereIsRoom() {
    let name = "remindersListID"
    let version = { (text: String, time: Int64) in
      RecordVersion.present([name: FieldVersion(.text(text), time: time)])
    }
    let conflict = RecordConflict(
      id: "1:reminders", table: "reminders", primaryKey: "1", title: "Milk",
      fields: [Field(name, kind: .text, declaredType: "TEXT")],
      versions: ThreeWay(
        ancestor: version("Family", Sample.synced), client: version("Health", Sample.now),
        server: version("Work", Sample.now)),
      rules: MergeRules(), details: Sample.tie.details)
    #expect(
      TestDesk([conflict], columns: 200, rows: 50).screen.description.contains("  \(name) "),
      "\(TestDesk([conflict], columns: 200, rows: 50).screen)")
    #expect(!TestDesk([conflict]).screen.description.contains(name + " C "))
  }

  @Test func aRecordThatChangedAfterItWasDecidedSaysSo() {
    var summary = ConflictSummary(Sample.cover, resolution: Resolution())
    summary.isMoved = true
    // A file may be read with another index only, and a document of a server with other ancestors.
    for (readWith, words) in [
      (ConflictSummary.ReadWith.nothing, "changed since;"), (.ancestors, "not as decided;"),
      (.indexAndAncestors, "not as decided;"),
    ] {
      var desk = TestDesk([])
      summary.readWith = readWith
      desk.take(.found(ConflictPage(summaries: [summary], seen: 1)))
      #expect(desk.screen.description.contains(words), "\(desk.screen)")
    }
  }

  @Test func theCursorStaysOnItsRowWhileMoreIsFound() {
    var desk = TestDesk(Array(Sample.all.prefix(3)))
    desk.type("G")
    let selected = desk.state.list.selected?.id
    desk.take(
      .found(ConflictPage(summaries: [ConflictSummary(Sample.cover, resolution: Resolution())], seen: 9)))
    #expect(desk.state.list.selected?.id == selected)
    #expect(selected == "finding " + Sample.finding.id)
    #expect(desk.state.list.count == 5)
  }

  @Test func aRecordThatIsGoneLeavesTheListWithAReason() {
    var desk = TestDesk()
    desk.records.removeFirst()
    desk.state.open.removeAll()
    desk.take(.settled(id: "42:reminders"))
    #expect(desk.state.list.summary("42:reminders") == nil)
  }

  /// A server that is away for a moment takes no conflict away.
  @Test func aRecordThatCannotBeReadStaysInTheListAndIsReadWhenItIsWantedAgain() {
    let id = "42:reminders"
    var desk = TestDesk()
    desk.state.open.removeAll()
    for key in ["", "<enter>"] {
      if !key.isEmpty {
        #expect(desk.state.update(.terminal(.key(.enter)), now: Sample.now).contains(.open(id: id)))
      }
      let effects = desk.state.update(.openFailed(id: id, "The server cannot be reached."), now: Sample.now)
      #expect(!effects.contains(.open(id: id)))
      #expect(desk.state.list.summary(id) != nil && desk.state.pages.isEmpty)
      #expect(desk.state.status == .failed("The server cannot be reached."))
    }
  }

  @Test func manyRecordsThatWereOnlyLookedAtAreForgotten() {
    let many = (0..<500).map { number in
      Sample.edit("\(number):reminders", client: ["notes": .text("\(number)")], at: Sample.now, server: [:])
    }
    var desk = TestDesk(many)
    for _ in 0..<499 { desk.type("j") }
    #expect(desk.state.open.count <= 200)
  }

  /// What is left may be sure, and the person's own choice is in it nevertheless.
  @Test func aRecordDecidedInPartTellsHowMuchOfItIs() {
    let before = TestDesk(columns: 120).screen.description
    #expect(!before.contains("decided"), "\(before)")
    let part = TestDesk(columns: 120).typing("<enter>gs<esc>").screen.description
    #expect(part.contains("; 1 decided"), "\(part)")
  }

  @Test func aClickSelectsAndADoubleClickOpens() {
    var desk = TestDesk()
    desk.take(.terminal(.click(Point(column: 10, row: 6))))
    #expect(desk.state.list.cursor == 2)
    desk.take(.terminal(.doubleClick(Point(column: 10, row: 5))))
    #expect(desk.state.topic == .record && desk.state.list.cursor == 1)
  }

  @Test func lettersCountByTheirPlaceOnOtherLayouts() {
    #expect(Keymap.command(for: .character("о"), on: .list) == .move(.down))
    #expect(Keymap.command(for: .character("ц"), on: .list) == .review)
    #expect(Keymap.command(for: .character("σ"), on: .record) == .take(.server))
    // What is typed everywhere counts by its place nowhere: in Greek this one is at q.
    #expect(Keymap.command(for: .character(";"), on: .list) == nil)
    // Russian, Greek, Georgian, Hebrew, Arabic, Hindi, Thai, Armenian, Korean, hiragana, katakana; Ukrainian
    let same: [(String, Command)] = [
      ("оξჯח\u{62A}\u{930}\u{E48}իㅓまマ", .move(.down)), ("ыіσსד\u{633}\u{947}\u{E2B}վㄴとト", .take(.server)),
    ]
    for (letters, command) in same {
      for letter in letters.unicodeScalars {
        #expect(Keymap.command(for: .character(Character(letter)), on: .record) == command, "\(letter)")
      }
    }
    for (letters, latin) in [
      ("ㅂㅃㅔㅖㅁㅣㅋㅡ", "qQpPalzm"), ("たせちりつっもいぃ", "qpalzZmeE"), ("タセチリツッモイィ", "qpalzZmeE"),
    ] {
      #expect(letters.map { OtherLayouts.latin($0) } == Array(latin), "\(letters)")
    }
    // Of two keys that were put together nobody knows which is meant.
    #expect(OtherLayouts.latin("나") == nil)
  }

  /// Of what is shown and what is not, however much is decided.
  @Test(arguments: ["", "2", "A", "/coffee<enter>"]) func tablesStandBesideEachOther(keys: String) throws {
    let desk = TestDesk().typing(keys + "t")
    let lines = desk.screen.description.split(separator: "\n").map(String.init)
    let head = try #require(lines.firstIndex { $0.contains("Table") })
    let rows = lines[(head + 1)...].prefix { !$0.contains("/table:") }.map { line in
      line.split(separator: " ").compactMap { Int($0) }
    }
    let sums = (0..<ListFilter.allCases.count).map { column in rows.reduce(0) { $0 + $1[column] } }
    let list = desk.state.list
    let counts = ListFilter.allCases.map { filter in
      filter == .all ? list.summaries.count + list.findings.count : list.counts[filter] ?? 0
    }
    #expect(sums == counts)
    if keys.isEmpty { try expect(desk.screen, matches: "tables") }
  }

  /// As the head of the list and its rules do.
  @Test func ofDocumentsTheKindsAreCounted() {
    let screen = Bookshop.desk().typing("t").screen.description
    #expect(screen.contains(" Kind "), "\(screen)")
    #expect(
      screen.contains("Enter shows one kind's documents, as the filter /table:=NAME does."), "\(screen)")
    #expect(!screen.contains(" table ") && !screen.contains("Table"), "\(screen)")
  }

  @Test func noTwoKeysOfAScreenMeanDifferentThings() {
    for topic in Topic.allCases {
      let keys = Keymap.bindings(on: topic).flatMap(\.keys)
      #expect(keys.count == Set(keys).count, "\(topic)")
    }
  }

  @Test func theCursorStaysOnItsRowInAnotherFilterAndInAStoreReadAgain() {
    let coffee = TestDesk().typing("jjjj")
    #expect(coffee.state.list.selected?.id == "16:reminders")
    #expect(coffee.typing("31").state.list.selected?.id == "16:reminders")
    #expect(coffee.typing("/o<esc>").state.list.selected?.id == "16:reminders")
    var again = coffee
    again.records.reverse()
    #expect(again.typing("r").state.list.selected?.id == "16:reminders")
    // Rows above it are written, and leave the list.
    let written = TestDesk().typing("cjcjjjwY<esc>")
    #expect(written.state.list.selected?.id == "16:reminders")
  }

  @Test func aRowThatAFilterHidesGivesTheCursorToTheNext() {
    #expect(TestDesk().typing("jj4").state.list.selected?.id == "12:reminders")
    #expect(TestDesk().typing("jj3").state.list.selected?.id == "16:reminders")
    #expect(TestDesk().typing("G1<up>2").state.list.selected?.id == "70:reminders")
  }

  @Test func aClashThatAPolicyDecidesIsNotCalledSure() {
    let clash = Sample.edit(
      "5:reminders", title: "Tea", client: ["priority": .integer(2), "notes": .text("a")], at: Sample.now,
      server: ["priority": (.integer(3), Sample.now), "due": (.text("x"), Sample.now)],
      rules: MergeRules(defaultRule: .server))
    let screen = TestDesk([clash], findings: []).screen.description
    #expect(screen.contains("~ policy") && screen.contains("1 by policy   2 sure"), "\(screen)")
    #expect(!screen.contains("no clash"))
  }

  /// The number of a filter and the rows below it.
  @Test func whatStaysInSightIsCountedBesideTheFilter() {
    let desk = TestDesk(columns: 120, rows: 40).typing("4A")
    #expect(desk.state.list.count == 1 + (desk.state.list.counts[.sure] ?? 0), "\(desk.screen)")
    #expect(
      desk.screen.description.contains("[4 Sure \(desk.state.list.counts[.sure] ?? 0)+1]"), "\(desk.screen)")
    #expect(!desk.typing("4").screen.description.contains("+1]"))
  }

  @Test(arguments: [
    ("/zzz<enter>", "Nothing here. Esc clears the words."), ("5", "Nothing here. 1 shows all."),
    ("5/zzz<enter>", "Nothing here. 1 looks among all, Esc clears the words."),
  ]) func whereNothingIsFoundTheWayToMoreIsTold(keys: String, words: String) {
    #expect(TestDesk().typing(keys).screen.description.contains(words))
  }
}
