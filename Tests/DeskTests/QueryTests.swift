import Merging
import StoreInterface
import Terminal
import Testing

@testable import Desk

/// What can be looked for in the list, and in what order it stands.
@Suite struct QueryTests {
  private static let desk = TestDesk()

  private func found(_ words: String, by desk: TestDesk = Self.desk) -> [String] {
    let list = desk.typing("/\(words)<enter>").state.list
    return (0..<list.count).compactMap { list[$0]?.id.split(separator: ":").first.map(String.init) }
  }

  @Test(arguments: [
    // What the client has, the server, the ancestor, and whom a key points to.
    ("both cards", "42"), ("x-ray", "42"), ("INSURANCE today", "42"), ("2%", "12"),
    // Words, in whatever order, in title, value and reason.
    ("wu dentist", "42"), ("garden tie", ""), ("garden same", "87"),
    ("table:remin garden", "87"), ("field:due garden", "87"), ("field:nosuch", ""),
    ("table:=reminders garden", "87"), ("table:=Reminders garden", "87"), ("table:=remin", ""),
    ("kind:noancestor", "3"), ("kind:deleted", "91"), ("kind:deletion", "91"), ("is:clock", "16"),
    ("is:ready", ""),
    // A record by its own name, and by a whole one without id:.
    ("id:42", "42"), ("id:12:rem", "12"), ("42:remin", "42"), ("id:nosuch", ""),
    ("\"both cards\"", "42"), ("\"cards both\"", ""), ("\"both car", "42"),
    ("age:1h is:decide", "70"), ("age:<5m is:decide garden", "87"), ("12:04", ""), ("age:soon", ""),
  ])
  func words(words: String, id: String) {
    let found = found(words)
    if id.isEmpty { #expect(found.isEmpty, "\(found)") } else { #expect(found.contains(id), "\(found)") }
  }

  @Test(arguments: [
    ("is:clok", "no is:clok; after is: goes decide, clock, sure, ready, stuck, waiting or refused"),
    (
      "milk kind:new",
      "no kind:new; after kind: goes edit, noAncestor, deletedOnClient, deletedOnServer, onlyOnClient or onlyOnServer"
    ),
    ("age:soon", "no age:soon; after age: goes 30m, 2h, <3d or 1w"),
  ])
  func aWordThatIsNoneIsAnsweredWithThoseThereAre(words: String, known: String) {
    let typed = Self.desk.typing("/\(words)")
    #expect("\(typed.screen)".contains("there is \(known.prefix(30))"), "\(typed.screen)")
    let entered = "\(typed.typing("<enter>").screen)".split(whereSeparator: \.isWhitespace).joined(
      separator: " ")
    #expect(entered.contains("There is \(known)."), "\(entered)")
  }

  @Test(arguments: [
    "is:", "is:cl", "kind:", "kind:deleted", "age:", "age:<", "age:<2h", "http://x", "is", "",
  ])
  func whatIsNotTypedToItsEndIsNoMistake(words: String) {
    #expect(ListQuery(words, now: 0).problem() == nil)
  }

  /// A name and its colon are the beginning of something: nothing is left out by them.
  @Test(arguments: ListQuery.names.map { $0 + ":" } + ["age:<", "table:="]) func aNameAloneLeavesNothingOut(
    words: String
  ) {
    let (all, begun) = (Self.desk.state.list.count, Self.desk.typing("/" + words))
    #expect(begun.state.list.count == all, "\(begun.screen)")
    #expect(
      Self.desk.typing("/garden \(words)").state.list.count == Self.desk.typing("/garden").state.list.count)
  }

  /// What is found no more stays in sight until it is looked for again, and its number is told.
  @Test func whatStaysThoughItIsFoundNoMoreIsCounted() {
    let decided = Self.desk.typing("/is:sure<enter>A").screen.description
    #expect(decided.contains("[1 All 1+1]") || decided.contains("[1 All 0+1]"), "\(decided)")
  }

  @Test func allWordsHaveToHold() {
    for first in ["dent", "table:rem", "is:decide", "field:list"] {
      for second in ["milk", "kind:edit", "age:1m", "is:sure"] {
        #expect(Set(found("\(first) \(second)")) == Set(found(first)).intersection(found(second)))
      }
    }
  }

  @Test func anAccentIsFoundHoweverItWasWritten() {
    let record = Sample.edit(
      "1:reminders", title: "Tea", client: ["notes": .text("Cafe\u{301} \0 noir")], at: Sample.now,
      server: [:])
    let desk = TestDesk([record], findings: [])
    #expect(found("CAF\u{C9}", by: desk) == ["1"] && found("noir", by: desk) == ["1"])
  }

  @Test func aSummaryStaysSmall() {
    let long = String(repeating: "long ", count: 100_000)
    let record = Sample.edit("1:reminders", client: ["notes": .text(long)], at: Sample.now, server: [:])
    #expect(ConflictSummary(record, resolution: Resolution()).searchText.utf8.count < 1_000)
  }

  private static let long = (1...200).map { "word\($0)" }.joined(separator: " ")

  /// A record of which the summary has only some.
  private static func longRecord(_ id: String = "1:reminders", with word: String = "zebra") -> RecordConflict
  {
    Sample.record(
      id, title: "Long", ancestor: ["notes": .text(long)],
      client: ["notes": .text(long.replacing("word150", with: word))],
      server: ["notes": .text(long.replacing("word190", with: "Émile"))])
  }

  /// By whatever any side has in it.
  @Test(arguments: ["zebra", "word3", "word150", "word90", "word190", "émile word90", "ÉMILE zebra long"])
  func aLongTextIsFoundByAnyPlace(words: String) {
    let desk = TestDesk([Self.longRecord(), Sample.sure], findings: [])
    #expect(found(words, by: desk) == ["1"])
    #expect(found(words + " giraffe", by: desk).isEmpty && found(words + " is:stuck", by: desk).isEmpty)
    #expect(desk.typing("/\(words)<enter>").state.list.matching[.all] == 1)
  }

  /// What is typed is there at once; what stands in long values comes when it is found.
  @Test func longValuesAreReadMeanwhile() throws {
    var desk = TestDesk(
      (1...3).map { Self.longRecord("\($0):reminders", with: "zebra\($0)") } + [Sample.sure])
    desk.searchesWait = true
    desk.type("/ord88")
    #expect(desk.state.list.count == 0 && "\(desk.screen)".contains("Nothing so far"), "\(desk.screen)")
    let old = try #require(desk.questions.last)
    desk.type("<backspace>7")
    let new = try #require(desk.questions.last)
    #expect(desk.questions.count == 2 && old.words == ["ord88"] && new.words == ["ord87"])
    desk.answer(old)
    #expect(desk.state.list.count == 0, "it was typed on")
    desk.answer(new)
    #expect(desk.state.list.count == 3 && desk.state.list.cursor == 0 && !"\(desk.screen)".contains("so far"))
    desk.type("<enter>j")
    #expect(desk.state.list.selected?.id == "2:reminders")
    // The store is read again: they stay while they are looked for once more.
    desk.type("r")
    #expect(desk.state.list.count == 3 && desk.state.list.selected?.id == "2:reminders")
    desk.take(.searchFailed(try #require(desk.questions.last), "the disk is gone"))
    #expect(desk.state.status?.text.contains("the disk is gone") == true)
    #expect(desk.typing("<esc>gn").state.list.selected?.id == "1:reminders" || desk.state.list.count == 3)
  }

  @Test func shortRowsAreNotReadForIt() {
    var desk = TestDesk([Sample.sure])
    desk.searchesWait = true
    #expect(desk.typing("/nosuchword").questions.isEmpty)
    // What a key points to is shown by its title, which no row has.
    let dentist = TestDesk([Sample.dentist]).typing("/health")
    #expect(dentist.state.list.count == 1, "\(dentist.screen)")
  }

  /// A record that is opened from a search shows where the words are.
  @Test func theWordsAreFoundInTheRecord() {
    let desk = TestDesk()
    let opened = desk.typing("/x-ray<enter><enter>")
    #expect(opened.state.top(RecordPage.self)?.field == "notes", "\(opened.screen)")
    #expect("\(opened.screen)".contains("▸^ /notes"), "\(opened.screen)")
    #expect("\(TestDesk(columns: 40, rows: 12).typing("/x-ray<enter><enter>").screen)".contains("^ / notes"))
    #expect(!"\(desk.typing("<enter>").screen)".contains("/title"))
    // Of a name that is looked for, too; what is in the title of the list alone is in no field.
    #expect("\(desk.typing("/field:due<enter><enter>").screen)".contains("/due"))
    let first = desk.typing("/table:rem garden<enter><enter>").state.top(RecordPage.self)
    #expect(first?.field == "due", "what is to decide first")
  }

  @Test func aValueIsOpenedWhereTheWordsAre() {
    let desk = TestDesk([Self.longRecord()], findings: [])
    for (words, change) in [("zebra", 0), ("émile", 1), ("word émile", 1), ("word3", 0)] {
      let value = desk.typing("/\(words)<enter><enter><enter>").state.top(ValuePage.self)
      #expect(value?.change == change, "\(words)")
    }
  }

  @Test func whatIsDecidedMeanwhileIsFoundAsItIsNow() {
    let desk = Self.desk.typing("/is:ready<enter>").typing("<esc>c/is:ready<enter>")
    #expect(desk.state.list.selected?.id == "42:reminders")
    #expect(Self.desk.typing("/garden<enter><esc>c/decided garden<enter>").state.list.count == 1)
  }

  @Test(arguments: ListOrder.allCases)
  func everyOrderHasAllRowsAndTheCursorOnItsRow(order: ListOrder) {
    var list = Self.desk.typing("jjj").state.list
    let (rows, selected) = (list.count, list.selected?.id)
    list.show(in: order)
    #expect(list.count == rows && list.selected?.id == selected)
    let summaries = (0..<rows).compactMap { place -> ConflictSummary? in
      if case .conflict(let summary)? = list[place] { summary } else { nil }
    }
    for (one, other) in zip(summaries, summaries.dropFirst()) { #expect(!order.isBefore(other, one)) }
    if case .conflict? = list[rows - 1] { Issue.record("findings stand behind") }
  }

  @Test(arguments: ListOrder.allCases) func whatIsFoundLaterGoesToItsPlace(order: ListOrder) {
    var (list, all) = (ListState(), ListState())
    let summaries = Sample.all.map { ConflictSummary($0, resolution: Resolution()) }
    for summary in summaries {
      list.show(in: order)
      list.append([summary])
    }
    all.append(summaries)
    all.show(in: order)
    #expect((0..<list.count).map { list[$0]?.id } == (0..<all.count).map { all[$0]?.id })
  }

  /// Of what is stuck, and of what waits, there may be nothing else to see.
  @Test(arguments: [
    (ListOrder.found, ["Fence", "Lamp", "Apples", "Books"]),
    (.toDecide, ["Fence", "Lamp", "Apples", "Books"]),
    (.newest, ["Books", "Lamp", "Fence", "Apples"]), (.oldest, ["Fence", "Lamp", "Books", "Apples"]),
    (.title, ["Apples", "Books", "Fence", "Lamp"]),
  ])
  func findingsStandInTheOrderThatIsTold(order: ListOrder, titles: [String]) {
    let edits: [(title: String, minutes: Int64?)] = [
      ("Fence", 9), ("Lamp", 5), ("Apples", nil), ("Books", 2),
    ]
    let findings = edits.map { Self.finding($0.title, minutes: $0.minutes) }
    for isReadBefore in [true, false] {
      var list = ListState()
      if isReadBefore { list.append(findings) }
      list.show(.stuck, ListQuery("", now: 0))
      list.show(in: order)
      if !isReadBefore { for finding in findings { list.append([finding]) } }
      #expect(Self.titles(list) == titles)
      #expect(list.cursor == titles.firstIndex(of: "Fence"), "it hangs on the first that came")
    }
  }

  private static func finding(_ title: String, minutes: Int64?) -> Finding {
    Finding(
      id: "neverUploaded:\(title)", table: "reminders", record: title, title: title, what: "never uploaded",
      evidence: "the row is not in the queue", cause: "The first save failed.", remedy: "Upload it again.",
      time: minutes.map { Sample.now - $0 * Sample.minute })
  }

  private static func titles(_ list: ListState) -> [String] {
    (0..<list.count).compactMap { place in
      if case .finding(let finding)? = list[place] { finding.title } else { nil }
    }
  }

  @Test func theHeaderTellsTheOrder() {
    let desk = TestDesk(columns: 120, rows: 40).typing("oo")
    #expect(desk.screen.description.contains("reminders.sqlite   newest edit first"))
    #expect(!desk.typing("ooo").screen.description.contains("first "))
    #expect(desk.typing("r").state.list.order == .newest)
  }

  /// What may stand behind a name is told while it is typed.
  @Test(arguments: [
    ("", "also id: table:"), ("is:", "decide clock sure"), ("milk gave:s", "client server"),
    ("age:", "30m 2h"),
    ("is: ", "also id:"), ("foo:", "also id:"),
  ])
  func whatMayBeTypedIsTold(words: String, hint: String) {
    #expect(ListQuery(words, now: 0).hint.contains(hint))
  }
}
