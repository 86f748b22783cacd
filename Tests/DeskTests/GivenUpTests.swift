import ExactJSON
import Merging
import StoreInterface
import Telling
import Terminal
import Testing

@testable import Desk

/// What was decided against a side can be found again, and is what the review called given up.
@Suite struct GivenUpTests {
  private static let fields = [Field("title", kind: .text), Field("notes", kind: .text)]

  private static func version(_ title: Int, _ notes: Int) -> RecordVersion {
    .present(["title": "t\(title)", "notes": "n\(notes)"].mapValues { FieldVersion(.text($0), time: 1) })
  }

  private static func conflict(
    _ ancestor: RecordVersion?, _ client: RecordVersion, _ server: RecordVersion, third: RecordVersion? = nil
  ) -> RecordConflict {
    let versions = third.map { [client, server, $0] } ?? []
    let leaves = versions.enumerated().map { Leaf(id: "2-\($0)", isDeleted: false, version: $1) }
    var conflict = RecordConflict(
      id: "1:docs", table: "docs", primaryKey: "1", title: "One", fields: fields,
      versions: ThreeWay(ancestor: ancestor, client: client, server: server),
      details: .init(serverTag: leaves.dropFirst().first?.id, leaves: leaves))
    conflict.details.alternatives = conflict.versionsAsAlternatives
    return conflict
  }

  /// Three values of two fields on each side, a deletion of each, no ancestor, and a third leaf.
  private static let conflicts: [RecordConflict] = {
    let versions = [version(1, 1), version(1, 2), version(2, 1), version(2, 2), version(3, 3)]
    let sides = versions + [.deleted(time: 2), .unknown(reason: "damaged")]
    let pairs = sides.flatMap { client in sides.map { (client, $0) } }
    let leaves = versions.prefix(3).flatMap { third in
      versions.map { conflict(version(1, 1), versions[1], $0, third: third) }
    }
    return [version(1, 1), nil].flatMap { ancestor in pairs.map { conflict(ancestor, $0, $1) } } + leaves
  }()

  private static func choices(of subject: Subject, in conflict: RecordConflict) -> [Choice] {
    let typed = ["t1", "t2", "n2", "typed"].flatMap { [Choice.edit(.text($0)), .merged(.text($0))] }
    let ways = conflict.alternatives.map { conflict.choice(ofAlternative: $0.id) }
    let all = Side.allCases.map { Choice.take($0) } + (subject == .record ? ways : typed)
    return all.filter { conflict.refusal(of: $0, for: subject) == nil }
  }

  /// What the journal lists, when this was decided one after the other.
  private static func listed(_ choices: [(Subject, Choice)], of conflict: RecordConflict) -> [GivenUp] {
    var decisions: [Decision] = []
    for (subject, choice) in choices {
      decisions += conflict.decisions(
        about: [subject], in: Resolution(choices: [subject: choice]), at: Int64(decisions.count))
    }
    return decisions.reversed().map { JournalEntry($0) }.givingUp.flatMap { $0.givenUp ?? [] }
  }

  @Test func aLawWhatIsListedOfAFieldIsWhatTheReviewCallsGivenUp() {
    var count = 0
    for conflict in Self.conflicts where !conflict.isWhole {
      for field in conflict.fields {
        let subject = Subject.field(field.name)
        for choice in Self.choices(of: subject, in: conflict) {
          let record = DecidedConflict(conflict, Resolution(choices: [subject: choice]))
          let reviewed = ShownRecord(record).edits(lostBy: field.draft(choice)).map(GivenUp.init)
          #expect(Self.listed([(subject, choice)], of: conflict) == reviewed)
          #expect(record.givenUp == reviewed)
          count += reviewed.count
        }
      }
    }
    #expect(count > 300)
  }

  @Test func aLawWhatIsListedOfARecordIsWhatTheReviewCallsGivenUp() {
    var count = 0
    for conflict in Self.conflicts {
      for choice in Self.choices(of: .record, in: conflict) {
        let listed = Self.listed([(.record, choice)], of: conflict)
        #expect(listed.count == Self.reviewed(choice, of: conflict), "\(choice): \(listed)")
        count += listed.count
      }
    }
    #expect(count > 100)
  }

  /// By the words of the review: it names a deletion, a record, or each field.
  private static func reviewed(takingWholeFrom side: Side, of conflict: RecordConflict) -> Int {
    if conflict.lost(takingWholeFrom: side, .open) == nil { return 0 }
    guard conflict.version(side == .client ? .server : .client).isPresent else { return 1 }
    return max(1, conflict.fields.count { $0.change != .unchanged && $0.field.isWritable })
  }

  /// How many edits the review says to lose.
  private static func reviewed(_ choice: Choice, of conflict: RecordConflict) -> Int {
    if case .take(let side) = choice, conflict.details.file == nil {
      return reviewed(takingWholeFrom: side, of: conflict)
    }
    guard let way = conflict.alternative(in: Resolution(choices: [.record: choice])) else { return 0 }
    return Losses(conflict).of(way).reduce(0) { count, loss in
      switch loss {
      case .deletion, .value, .other: count + 1
      case .edits(_, let fields), .values(_, let fields): count + fields.count
      }
    }
  }

  @Test func aLawOnlyWhatCountsIsListed() {
    let conflict = Self.conflict(Self.version(1, 1), Self.version(2, 2), Self.version(3, 3))
    let title = Subject.field("title")
    for first in Self.choices(of: title, in: conflict) {
      for second in Self.choices(of: title, in: conflict) {
        let both = Self.listed([(title, first), (title, second)], of: conflict)
        #expect(both == Self.listed([(title, second)], of: conflict))
      }
      let whole = Self.listed([(title, first), (.record, .alternative("server"))], of: conflict)
      #expect(whole == Self.listed([(.record, .alternative("server"))], of: conflict))
    }
  }

  @Test func aLawTheJournalKeepsAllOfIt() {
    let long = String(repeating: "x", count: KeptGivenUp.limit + 1)
    let values: [Value] = [
      .null, .integer(.min), .real(.infinity), .real(-0.0), .text(""), .text("a\n\u{202E}\"é"),
      .blob(Blob(bytes: [0, 255])), .opaque(kind: "CKLocation", bytes: [1]), .missing,
    ]
    let edits = values.map { GivenUp(.client, .edit(field: "f\u{0}", $0)) }
    let others = [GivenUp.What.deletion, .record, .unknown].map { GivenUp(.server, leaf: 3, $0) }
    let upload = GivenUp(.client, party: "the earlier upload", .edit(field: "content", .text("one")))
    let changes = [("a", "b"), (nil, "b"), ("a", nil), ("", "b")].flatMap { old, new in
      [nil, "rows[1]"].map { GivenUp(.client, .change(field: "f", LostPart(name: $0, old: old, new: new))) }
    }
    var titled = GivenUp(.client, .edit(field: "list", .text("9")))
    titled.title = "Health"
    let more = GivenUp(.server, leaf: 3, .more(field: "f", 41))
    let all = edits + others + changes + [upload, titled, more, GivenUp(nil, .other("the key"))]
    #expect(KeptGivenUp(all).all == all)
    #expect(
      KeptGivenUp([GivenUp(.client, .edit(field: "a", .text(long)))]).all
        == [GivenUp(.client, .edit(field: "a", nil))])
    #expect(KeptGivenUp(stored: #"[{"side":"nobody"}]"#).all == nil)
  }

  /// Earlier Parleys kept each change of hundreds of leaves: more values than a record ever has were taken for none.
  @Test func aLawWhatWasKeptIsReadHoweverManyTheyAre() {
    let values = repeatElement("0", count: JSONReader.Rules().values).joined(separator: ",")
    let kept = KeptGivenUp(stored: #"[{"side":"client","is":"record","more":[\#(values)]}]"#)
    #expect(kept.all == [GivenUp(.client, .record)])
  }

  @Test func aWriteGivesUpWhatWasDecidedUntilItIsTakenBack() {
    let conflict = Self.conflict(Self.version(1, 1), Self.version(2, 2), Self.version(3, 3))
    let resolution = Resolution(choices: [.field("title"): .take(.server)])
    let decision = JournalEntry(conflict.decisions(about: [.field("title")], in: resolution, at: 1)[0])
    var write = JournalEntry(time: 2, record: "1:docs", title: "One", event: .ended(.write))
    let lost = [GivenUp(.client, .edit(field: "title", .text("t2")))]
    #expect([write, decision].givingUp.map(\.givenUp) == [lost, lost])
    write.isUndone = true
    #expect([write, decision].givingUp.map(\.kind) == [.decision])
  }

  @Test(arguments: [(80, 24), (120, 40)]) func theListTellsAllThatWasGivenUp(columns: Int, rows: Int) throws {
    let desk = TestDesk(columns: columns, rows: rows).typing("<enter>gs<esc>D")
    try expect(desk.screen, matches: "given-up")
  }

  @Test func whatWasGivenUpIsOpenedAndCopied() {
    let page = TestDesk().typing("<enter>gs<esc>GD")
    #expect(page.screen.description.contains("Call dentist "), "\(page.screen)")
    #expect(page.screen.description.contains("title: server taken"), "\(page.screen)")
    let open = page.typing("<enter>")
    #expect(open.state.top.record == "42:reminders" && open.typing("<esc>").state.topic == .givenUp)
    let copied = page.typing("y").effects.last
    #expect(copied == .copy(.text("Call dentist today", of: "what was given up of title")))
    var settled = page
    settled.state.list = TestDesk([]).state.list
    settled.state.open = [:]
    #expect(settled.typing("<enter>").state.status?.text.contains("no longer in conflict") == true)
    #expect(settled.typing("<enter>").screen.description.contains("Call dentist today"))
  }

  @Test func whatWasGivenUpIsFoundByItsWords() {
    var desk = TestDesk(BulkTests.many(60)).typing("*sYD")
    let selected = { (desk: TestDesk) in desk.state.top(GivenUpPage.self)?.selected?.title }
    let titles = desk.state.top(GivenUpPage.self)?.losses.map(\.title) ?? []
    #expect(Set(titles).count == 60, "\(desk.screen)")
    desk.type("/\(titles[40])<enter>")
    #expect(selected(desk) == titles[40] && desk.screen.description.contains(titles[40]), "\(desk.screen)")
    #expect(desk.screen.description.contains("41 of 60"), "\(desk.screen)")
    desk.type("g/server taken<enter>")
    #expect(selected(desk) == titles[0])
    #expect(selected(desk.typing("n")) == titles[1] && selected(desk.typing("N")) == titles[59])
    #expect(desk.typing("/zzz<enter>").state.status?.text == "Nothing in what was given up has zzz.")
    // Every one can be come to, and is in sight then.
    for title in titles.prefix(20) {
      #expect(selected(desk) == title && desk.screen.description.contains("  ▸ "), "\(desk.screen)")
      desk.type("j")
    }
  }

  /// Who finds here what a customer misses gets back the write of that record alone.
  @Test func theWriteThatGaveItUpIsTakenBack() {
    let written = TestDesk().typing("cjcjcwY<esc>D")
    let title = written.state.top(GivenUpPage.self)?.selected?.title ?? ""
    let review = written.typing("u")
    #expect(review.screen.description.contains("Take back 1 of 3"), "\(review.screen)")
    let done = review.typing("Y")
    #expect(done.written.count == 2 && done.screen.description.contains(title), "\(done.screen)")
    #expect(done.typing("<esc>").state.topic == .list)
    let draft = TestDesk().typing("<enter>gs<esc>Du")
    #expect(draft.state.status?.text.hasPrefix("It is not written: Enter opens it") == true)
  }

  /// Where nothing is written there is no write to take back, and the footer says so.
  @Test func takingBackIsOfferedOfWhatIsWritten() {
    let draft = TestDesk().typing("<enter>gs<esc>D")
    #expect(!draft.screen.description.contains("take its write back"), "\(draft.screen)")
    let written = TestDesk().typing("cwY<esc>D")
    #expect(written.screen.description.contains("u take its write back"), "\(written.screen)")
  }

  /// A record that is in no list may be settled by somebody else, and its decision never written.
  @Test func ofWhatNobodyWroteNoWriteIsPromised() {
    var desk = TestDesk().typing("<enter>gs<esc>")
    desk.records.removeAll { $0.id == "42:reminders" }
    desk.take(.storeChanged)
    desk.type("D")
    #expect(desk.state.top(GivenUpPage.self)?.losses.count == 1, "\(desk.screen)")
    #expect(!desk.screen.description.contains("take its write back"), "\(desk.screen)")
    let told = desk.typing("<enter>").state.status?.text ?? ""
    #expect(told.hasSuffix("is no longer in conflict. y copies what was given up."), "\(told)")
    // Somebody may have written it since, so the store is asked.
    #expect(desk.typing("u").state.status?.text.contains("no write stands") == true)
    let written = TestDesk().typing("cwY<esc>D<enter>").state.status?.text ?? ""
    #expect(written.hasSuffix("y copies what was given up; Esc, and u takes its write back."), "\(written)")
  }

  /// The next that is clicked is the one that is seen there.
  @Test func noLineMovesAwayUnderAClick() {
    let records = (1...12).map { number in
      Sample.edit(
        "\(number):reminders", title: "Milk \(number)", client: ["priority": .integer(2)], at: Sample.now,
        server: ["priority": (.integer(3), Sample.now)])
    }
    var desk = TestDesk(records, findings: []).typing(String(repeating: "sj", count: 12) + "D")
    let lines = { (desk: TestDesk) in
      let all = desk.screen.description.split(separator: "\n", omittingEmptySubsequences: false)
      return all[2..<22].map { $0.replacing("▸", with: " ") }
    }
    let before = lines(desk)
    for row in [20, 3, 12, 20] {
      desk.take(.terminal(.click(Point(column: 8, row: row))))
      #expect(lines(desk) == before, "\(desk.screen)")
    }
    #expect(desk.state.top(GivenUpPage.self)?.cursor == 6, "\(desk.screen)")
    #expect(lines(desk.typing("j")) != before, "a key shows what is around the cursor")
  }

  /// Of a long text: whose it is first, some lines from where it differs, and the whole of it by Enter.
  @Test(arguments: [(120, 40), (80, 24), (40, 10)]) func aLongTextIsFolded(columns: Int, rows: Int) throws {
    let lines = (1...40).map { "\($0). The window in room \($0) has to be painted." }
    let text = lines.joined(separator: "\n")
    let edited = text.replacing("room 23 has", with: "room 23 need not")
    let record = Sample.record(
      "60:reminders", title: "Landlord", ancestor: ["notes": .text(text)],
      client: ["notes": .text(edited)],
      server: ["notes": .text(text.replacing("room 23 has", with: "room 23 had"))])
    let desk = TestDesk([record], columns: columns, rows: rows).typing("<enter>s<esc>D")
    try expect(desk.screen, matches: "given-up-long")
    let screen = desk.screen.description
    #expect(screen.contains("Landlord") && screen.contains("notes of the client: \"…"), "\(screen)")
    #expect(screen.contains("need not") && screen.contains("… Enter shows the whole of it"), "\(screen)")
    let whole = desk.typing("<enter>")
    #expect(whole.state.topic == .text && whole.screen.description.contains(" 1. The window"))
    #expect(whole.typing("G").screen.description.contains("40. The window"), "\(whole.typing("G").screen)")
    #expect(whole.typing("y").effects.last == .copy(.text(edited, of: "what was given up of notes")))
  }

  /// Both changed two places, and each one alone.
  private static let trip = Sample.record(
    "50:reminders", title: "Trip",
    ancestor: ["notes": .text("Take the train at nine. Bring tea. Call Ann. Pack light.")],
    client: ["notes": .text("Take the bus at nine. Bring coffee. Call Ann today. Pack light.")],
    server: ["notes": .text("Take the tram at nine. Bring juice. Call Ann. Pack warm.")])

  private static let settings = Sample.record(
    "52:reminders", title: "Settings", ancestor: ["notes": .text(#"{"rows":{"7":1},"sort":"name"}"#)],
    client: ["notes": .text(#"{"rows":{"7":2},"sort":"name"}"#)],
    server: ["notes": .text(#"{"rows":{"7":1,"8":3},"sort":"size"}"#)])

  private static let lostOfTrip = [
    #"notes of the server: "train" → "tram""#, #"notes of the client: "tea" → "coffee""#,
    #"notes of the client: added "today""#,
  ]

  private static func lost(_ desk: TestDesk) -> [String] {
    desk.journal.reversed().map { JournalEntry($0) }.givingUp.flatMap { $0.givenUp ?? [] }.map {
      $0.words(.open).replacing(" today", with: "today")
    }
  }

  @Test func whatAMergeLeavesOutIsGivenUp() {
    let desk = TestDesk([Self.trip], advances: true).typing("<enter>mcs]s")
    #expect(Self.lost(desk) == Self.lostOfTrip, "\(desk.screen)")
    #expect(Self.lost(desk.typing("u")) == Array(Self.lostOfTrip.prefix(2)))
    #expect(Self.lost(desk.typing("uu")).isEmpty, "it decides nothing")
    #expect(Self.lost(TestDesk([Self.trip]).typing("<enter>mbb")).isEmpty)
    #expect(desk.state.list.summaries.map(\.givenUp) == [[.client, .server]])
  }

  /// Who decides elsewhere hands on the value alone.
  @Test func whatAMergeLeftOutIsFoundInItsValue() throws {
    let desk = TestDesk([Self.trip], advances: true).typing("<enter>mcs]s")
    guard case .parts(let parts)? = desk.journal.last?.choice, let value = parts.value else {
      preconditionFailure("because it is put together")
    }
    let lost = Self.trip.givenUp(by: .merged(value), for: .field("notes"))
    let told = lost.map { $0.words(.open).replacing(" today", with: "today") }
    #expect(told == Self.lostOfTrip)
  }

  @Test func aKeyThatAMergeLeavesOutIsNamed() {
    let desk = TestDesk([Self.settings]).typing("<enter>m]c]c")
    #expect(
      Self.lost(desk) == [
        "notes of the server: rows.8: added 3", #"notes of the server: sort: "name" → "size""#,
      ],
      "\(desk.screen)")
  }

  /// Of what somebody typed only the words are lost that are not in it, wherever they stand.
  @Test(
    arguments: [
      ("Take the bus, not the tram, at nine. Bring coffee, juice. Call Ann today. Pack warm.", []),
      (
        "Take the bus at nine. Bring coffee. Call Ann today. Pack warm.",
        [#"notes of the server: "train" → "tram""#, #"notes of the server: "tea" → "juice""#]
      ),
      (
        "Today: take the bus or tram at nine, with juice and coffee beans. Call Ann. Pack warmly.",
        [#"notes of the client: added "today""#, #"notes of the server: "light" → "warm""#]
      ),
    ])
  func ofAnEditTheWordsAreLostThatAreNotInIt(typed: String, lost: [String]) {
    let desk = TestDesk([Self.trip]).typing("<enter>e<c-u>\(typed)<enter>")
    #expect(Set(Self.lost(desk)) == Set(lost), "\(desk.screen)")
    #expect(desk.journal.last?.choice == .edit(.text(typed)))
  }

  /// Nothing was there before.
  @Test func ofTwoNewTextsTheWordsAreLostThatAreNotInTheEdit() {
    let record = Sample.record(
      "59:reminders", title: "New", ancestor: ["notes": .null],
      client: ["notes": .text("Ring the bell twice")], server: ["notes": .text("Ring the old bell")])
    let desk = TestDesk([record])
    #expect(Self.lost(desk.typing("<enter>e<c-u>Ring the old bell twice<enter>")).isEmpty)
    let lost = Self.lost(desk.typing("<enter>e<c-u>Ring the bell<enter>"))
    #expect(lost.count == 2 && lost[0].contains("twice\"") && lost[1].contains("old"), "\(lost)")
    #expect(lost.allSatisfy { !$0.contains("Ring") }, "\(lost)")
  }

  @Test func aLinesEndAmongWordsThatAreGivenUpHasItsSign() {
    let part = LostPart(old: " ", new: ", X-ray\n")
    #expect(part.words(.open) == ##"" " → ", X-ray↵""##)
    let lost = GivenUp(.server, .change(field: "notes", part))
    #expect(lost.words(.open) == ##"notes of the server: " " → ", X-ray↵""##)
    #expect(lost.words(.open, lineEnd: "\n").hasSuffix("ray\n\""))
  }

  @Test func anEditThatHasNothingOfASideGivesUpAllOfIt() {
    let desk = TestDesk([Self.trip]).typing("<enter>e<c-u>Stay at home<enter>")
    #expect(Self.lost(desk).map { $0.prefix(19) } == ["notes of the client", "notes of the server"])
    #expect(Self.lost(desk)[0].contains("Take the bus"), "\(Self.lost(desk))")
  }

  @Test func aDocumentAndAFileTellItToo() throws {
    let desk = TestDesk([try Bookshop.box()], findings: [], store: Bookshop.store).typing("<enter>mc")
    #expect(Self.lost(desk) == ["size of the server: w: 1 → 3"])
    #expect(desk.typing("<esc>w").screen.description.contains("given up, of the server: w: 1 → 3"))
    let file = try ContainerDesk.desk().typing("jjjj<enter>mc]c")
    #expect(
      !Self.lost(file).isEmpty && Self.lost(file).allSatisfy { $0.contains("content of the server: ") },
      "\(file.screen)")
  }

  @Test(arguments: [(80, 24), (120, 40)]) func theReviewTellsWhatAMergeLeavesOut(columns: Int, rows: Int)
    throws
  {
    let desk = TestDesk([Self.trip], columns: columns, rows: rows, advances: true).typing(
      "<enter>mcs]s<esc>w")
    try expect(desk.screen, matches: "review-merged")
    try expect(desk.typing("D").screen, matches: "given-up-merged")
  }

  /// What was decided and written is lost once.
  @Test func aLossIsListedOnce() {
    var desk = TestDesk().typing("<enter>gs<esc>")
    desk.writes = [
      JournalEntry(time: Sample.now, record: "42:reminders", title: "Call dentist", event: .ended(.write))
    ]
    let screen = desk.typing("D").screen.description
    #expect(screen.contains("1 of 1"), "\(screen)")
    #expect(screen.components(separatedBy: "title of the client").count == 2, "\(screen)")
  }

  @Test func aReferenceIsCalledAsTheRecordCallsIt() {
    let screen = TestDesk().typing("<enter>gjjs<esc>D").screen.description
    #expect(screen.contains("list of the client: 9 Health"), "\(screen)")
  }

  @Test(arguments: ["<enter>s", "<enter>s<enter>", "<enter>s<tab>m", "<enter>s<esc>Aw"])
  func whatWasGivenUpIsToldWhereverTheQuestionArises(keys: String) {
    let desk = TestDesk().typing(keys)
    let given = desk.typing("D")
    #expect(given.state.topic == .givenUp, "\(given.screen)")
    #expect(given.typing("<esc>").state.topic == desk.state.topic)
  }

  @Test func whatIsInConflictNoLongerIsReadAsAWhole() {
    let long = (1...300).map { "word\($0)" }.joined(separator: " ")
    let record = Sample.record(
      "55:reminders", title: "Long", ancestor: ["notes": .text("a")], client: ["notes": .text(long)],
      server: ["notes": .text("b")])
    var desk = TestDesk([record]).typing("<enter>s<esc>D")
    desk.state.list = TestDesk([]).state.list
    desk.state.open = [:]
    desk.type("<enter>")
    #expect(desk.state.topic == .text && desk.screen.description.contains("word1 word2"), "\(desk.screen)")
    #expect(desk.typing("G").screen.description.contains("word300"))
    #expect(desk.typing("y").effects.last == .copy(.text(long, of: "what was given up of notes")))
    #expect(!desk.typing("P").screen.description.contains("word1"))
  }

  @Test func theListFindsWhatWasDecidedAgainstASide() {
    let desk = TestDesk().typing("<enter>s<esc>/gave:client<enter>")
    #expect(desk.state.list.count == 1)
    #expect(TestDesk().typing("/gave:client<enter>").state.list.count == 0)
    #expect(desk.typing("/<c-u>gave:server<enter>").state.list.count == 0)
  }

  @Test func hiddenNothingIsTold() {
    let screen = TestDesk().typing("<enter>s<esc>DP").screen.description
    #expect(!screen.contains("dentist") && screen.contains("P shows"))
  }

  @Test func theRecordIsOpenedAtTheFieldThatLostSomething() {
    let field = { (keys: String) in TestDesk().typing(keys).state.page(RecordPage.self)?.field }
    #expect(field("<enter>gs<esc>D<enter>") == "title")
    #expect(field("<enter>gsjjD<enter>") == "title")
  }
}
