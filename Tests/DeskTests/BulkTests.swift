import Merging
import StoreInterface
import Terminal
import Testing

@testable import Desk

/// Rules for many records at once, and what they come to.
@Suite struct BulkTests {
  private static let rules = BulkRule.allCases

  /// Every set of switches that there can be: of rivals at most one is on.
  private static let sets = (0..<(1 << rules.count)).compactMap { bits -> BulkRules? in
    let on = rules.filter { bits & 1 << $0.rawValue != 0 }
    return on.contains { $0.rivals.contains(where: on.contains) } ? nil : BulkRules(on)
  }

  private static func setting(_ rules: BulkRules, on desk: TestDesk) -> TestDesk {
    var desk = desk
    guard case .bulk(var page)? = desk.state.pages.last else { preconditionFailure("because B was pressed") }
    page.rules = rules
    desk.state.pages = [.bulk(page)]
    desk.state.bulk?.apply(rules)
    return desk
  }

  private static func preview(_ keys: String, of desk: TestDesk = TestDesk()) throws -> BulkPreview {
    try #require(desk.typing(keys).state.bulk?.preview)
  }

  @Test func onlyWhatIsSureIsOnFromTheBeginning() throws {
    let preview = try Self.preview("B")
    #expect(preview.taken.count == 1 && preview.left.count == 7)
    #expect(
      preview.reasons == [.newer: 2, .tie: 2, .deletion: 1, .noAncestor: 1, .bytes: 1])
    #expect(TestDesk().typing("BY").state.open.values.allSatisfy { $0.resolution.isEmpty })
    #expect(Set(TestDesk().typing("BY").journal.map(\.id)) == ["12:reminders"])
  }

  /// A rule that is on counts what stands below, and says of how many that is.
  @Test func theCountOfARuleAgreesWithTheRows() throws {
    let desk = TestDesk(columns: 120, rows: 40).typing("B")
    let lines = desk.screen.description.split(separator: "\n").map(String.init)
    let rows = try #require(desk.state.bulk).preview
    let told = try [BulkRule.onlyChanged, .agree].map { rule in
      let line = try #require(lines.first { $0.contains(rule.words) })
      return try #require(line.firstMatch(of: /(?<taken>\d+)( of (?<all>\d+))? fields?/))
    }
    #expect(told.compactMap { Int($0.taken) }.reduce(0, +) == rows.lines, "\(desk.screen)")
    #expect(told.allSatisfy { ($0.all.flatMap { Int($0) } ?? Int($0.taken) ?? 0) >= Int($0.taken) ?? 0 })
    #expect(desk.screen.description.contains("Left out, untouched: a draft needs every field decided"))
  }

  /// Two edits of a text that do not overlap are both kept by a rule, which stands before the clock's.
  @Test func editsThatDoNotOverlapAreMergedByARule() throws {
    let desk = TestDesk([ValueTests.letter], columns: 120, rows: 40).typing("B")
    #expect(desk.screen.description.contains("both changed, apart: merge both"))
    let byClock = Self.setting(BulkRules([.newer]), on: desk)
    #expect(byClock.state.bulk?.preview.lost == 1)
    let merged = Self.setting(BulkRules([.apart, .newer]), on: desk)
    #expect(merged.state.bulk?.preview.lost == 0 && merged.state.bulk?.preview.taken.count == 1)
    let made = merged.typing("Y")
    guard case .parts(let parts)? = made.journal.first?.choice else {
      Issue.record("no merge was decided: \(made.journal)")
      return
    }
    #expect(parts.value != nil)
    #expect(!TestDesk().typing("B").screen.description.contains("apart"))
  }

  /// No switch takes another one off the screen, whatever it leaves to it.
  @Test func theRulesStandStill() throws {
    let desk = TestDesk(columns: 120, rows: 40).typing("B")
    let listed = { (desk: TestDesk) in
      guard case .bulk(let page)? = desk.state.pages.last else { return [BulkRule]() }
      return BulkLayout(desk.state, page).rules
    }
    let before = listed(desk)
    #expect(before.count > 4)
    for rules in Self.sets { #expect(listed(Self.setting(rules, on: desk)) == before, "\(rules)") }
  }

  /// What nobody could take is left out with the reason.
  @Test func aSuggestionThatCannotBeTakenSaysWhy() {
    let untitled = Sample.edit(
      "7:reminders", client: [:], at: Sample.now, server: ["title": (.null, Sample.now)])
    let screen = TestDesk([untitled], columns: 120, rows: 40).typing("B").screen.description
    #expect(screen.contains("cannot be taken: title must have a value"), "\(screen)")
  }

  /// A law over every set of switches: what the preview promises is what is made, as whole drafts, and the rest is untouched.
  @Test func whatIsPromisedIsMade() throws {
    for records in [Sample.all, [Bookshop.walden, Bookshop.bare, Bookshop.twice], NoteStore.files] {
      let desk = TestDesk(records).typing("B")
      for rules in Self.sets {
        let asked = Self.setting(rules, on: desk)
        let bulk = try #require(asked.state.bulk)
        let promised = Set(bulk.preview.taken.map { bulk.records[$0].id })
        let made = asked.typing("Y")
        #expect(Set(made.journal.map(\.id)) == promised)
        for record in records {
          let after = DecidedConflict(record, record.resolution(from: made.journal))
          #expect((after.draft != nil) == promised.contains(record.id), "\(record.title): \(rules)")
        }
        #expect(promised.count + bulk.preview.left.count == records.count)
      }
    }
  }

  /// A law: nothing that a person decided is changed by any set of switches.
  @Test func whatAPersonDecidedStays() throws {
    let desk = TestDesk().typing("<enter>gjjae\u{8}9<enter><esc>jcjs1B")
    let decided = desk.records.map { $0.resolution(from: desk.journal) }
    for rules in Self.sets {
      let made = Self.setting(rules, on: desk).typing("Y")
      for (record, before) in zip(desk.records, decided) {
        let after = record.resolution(from: made.journal)
        for (subject, choice) in before.choices { #expect(after[subject] == choice) }
      }
    }
    #expect(decided.count { !$0.isEmpty } == 3)
  }

  /// A deletion against an edit is decided by a switch of its own, and by no other.
  @Test func recordsAsAWholeHaveSwitchesOfTheirOwn() throws {
    let desk = TestDesk([Sample.deletedOnServer]).typing("B")
    for rules in Self.sets {
      let isTaken = Self.setting(rules, on: desk).state.bulk?.preview.taken.isEmpty == false
      let ofWholes: [BulkRule] = [.keepEdit, .delete, .wholeToClient, .wholeToServer]
      #expect(isTaken == ofWholes.contains(where: rules.contains))
    }
    #expect(desk.typing("jj YwY").written.values.map(\.action).contains(.delete) == false)
    #expect(desk.typing("G<up> Y").journal.map(\.choice) == [.take(.server)])
    #expect(desk.typing("G<up><up> Y").journal.map(\.choice) == [.take(.client)])
  }

  @Test func aSwitchChangesThePreviewAtOnce() throws {
    let desk = TestDesk().typing("Bjj ")
    #expect(desk.state.bulk?.preview.taken.count == 3)
    #expect(desk.screen.description.contains("Makes 3 drafts."))
    #expect(desk.typing(" ").state.bulk?.preview == TestDesk().typing("B").state.bulk?.preview)
    // It grows as it is made anew.
    let rules = BulkRules([.newer, .tieToServer, .restToClient])
    let records = Sample.all.map { BulkRecord(DecidedConflict($0)) }
    var grown = BulkPreview()
    for (place, record) in records.enumerated() { grown.add(record, at: place, rules) }
    #expect(grown == BulkPreview(records, rules))
  }

  @Test func ofRivalsOneIsOn() {
    for rule in Self.rules {
      var rules = BulkRules(Self.rules.filter { $0 != rule })
      rules.toggle(rule)
      #expect(rules.contains(rule) && !rule.rivals.contains(where: rules.contains))
      rules.toggle(rule)
      #expect(!rules.contains(rule))
    }
  }

  @Test func whatIsGivenUpIsSaid() {
    // Everything to the server gives up what the client alone did, too.
    let screen = TestDesk([Sample.dentist]).typing("B j jjjjj ").screen.description
    #expect(screen.contains("[x] everything else: server"), "\(screen)")
    #expect(screen.contains("Gives up 4 changes, 1 that one side alone made."), "\(screen)")
    #expect(!TestDesk([Sample.sure]).typing("B").screen.description.contains("Gives up"))
  }

  /// The store is asked before anything is promised.
  @Test func whatTheStoreWouldRefuseIsNoDraft() {
    var desk = TestDesk(Self.many(3), findings: [])
    desk.outcomes["r1:reminders"] = .refused(field: "notes", "there is no such list")
    desk.type("B")
    let screen = desk.screen.description
    #expect(screen.contains("Makes 2 drafts.  When written: 2 rows change, 1 conflict stays open."))
    #expect(screen.contains("refused: notes: there is no such list"), "\(screen)")
    #expect(screen.contains("Left out 1:  1 refused by the store"), "\(screen)")
    #expect(Set(desk.typing("Y").journal.map(\.id)) == ["r0:reminders", "r2:reminders"])
  }

  /// The store itself is not written there.
  @Test func whatIsLeftToTheAppIsOnlyToChange() {
    var store = Sample.store
    store.can.insert(.leaveToApp)
    let (two, one) = (
      TestDesk(Self.many(3), findings: [], store: store), TestDesk(Self.many(2), findings: [], store: store)
    )
    #expect(two.typing("B").screen.description.contains("When written: 2 rows are to change"))
    #expect(one.typing("B").screen.description.contains("When written: 1 row is to change"))
  }

  @Test func untilTheStoreHasAnsweredItIsAtMostThat() {
    var desk = TestDesk(Self.many(2), findings: [])
    desk.answersWait = true
    desk.type("B")
    desk.answerNext()
    #expect(desk.screen.description.contains("When written: at most 1 row changes"))
    while !desk.waiting.isEmpty { desk.answerNext() }
    #expect(desk.screen.description.contains("When written: 1 row changes"))
    // An answer about other rules says nothing.
    desk.type("j  ")
    #expect(desk.waiting.count == 2)
    desk.answerNext()
    #expect(desk.screen.description.contains("at most 1 row changes"))
    desk.answerNext()
    #expect(desk.screen.description.contains("When written: 1 row changes"))
  }

  /// What is a draft already is neither made nor left out.
  @Test func theFiguresAddUpBesideEarlierDrafts() {
    for keys in ["", "jjc", "jjcjc"] {
      let desk = TestDesk(columns: 120).typing(keys + "B")
      let screen = desk.screen.description
      let drafts = keys.count { $0 == "c" }
      #expect(screen.contains("Left out \(7 - drafts):"), "\(screen)")
      #expect(screen.contains("Drafts already: \(drafts).") == (drafts > 0), "\(screen)")
      #expect(screen.contains("\(7 - drafts) conflicts stay open"), "\(screen)")
    }
  }

  @Test func whatCannotBeDecidedSaysWhy() throws {
    var waiting = Sample.sure
    waiting.details.waitingSince = 1
    var stuck = Sample.clock
    stuck.details.notWritable = "the table is gone"
    let preview = try Self.preview("jjcB", of: TestDesk([waiting, stuck, Sample.tie]))
    #expect(preview.reasons == [.waiting: 1, .notWritable: 1, .decided: 1])
  }
}

/// What a bulk act is about.
extension BulkTests {
  @Test(arguments: ["B", "A"]) func marksAreWhatItIsAbout(key: String) {
    let desk = TestDesk().typing("jjjj  j \(key)")
    #expect(desk.state.bulk?.ids == ["16:reminders", "12:reminders", "70:reminders"])
    #expect(desk.screen.description.contains("Apply rules to 3 marked rows"))
    // What is left out stays marked, to be looked at. A takes what it takes of one row, by the clock too.
    #expect(
      desk.typing("Y").state.list.marked
        == (key == "A" ? ["70:reminders"] : ["16:reminders", "70:reminders"]))
  }

  /// A key for one row would be about another row than those that are marked.
  @Test func aSideIsTakenForWhatIsMarked() {
    for (key, rule) in [("c", BulkRule.restToClient), ("s", .restToServer)] {
      let desk = TestDesk().typing("jjjj \(key)")
      #expect(desk.journal.isEmpty && desk.state.top(BulkPage.self)?.rules == BulkRules([rule]))
      #expect(desk.state.bulk?.ids == ["16:reminders"])
    }
    #expect(TestDesk().typing(" a").state.status?.text.contains("No rule takes the ancestor") == true)
  }

  @Test func withoutMarksItIsAllThatIsShown() {
    #expect(TestDesk().typing("3B").state.bulk?.ids == ["16:reminders", "66:reminders"])
    #expect(TestDesk().typing("/milk<enter>B").screen.description.contains("Apply rules to 1 row with milk"))
    #expect(TestDesk().typing("6B").state.status?.text.contains("No conflict is shown here") == true)
  }

  @Test func aRecordThatWasOpenedIsLookedAtAgain() {
    let desk = TestDesk().typing("BG<enter>")
    #expect(desk.state.pages.last?.record == "70:reminders")
    let back = desk.typing("c<esc>")
    #expect(back.state.topic == .bulk && back.state.bulk?.preview.reasons[.decided] == 1)
    #expect(back.state.bulk?.records.map(\.id) == TestDesk().typing("B").state.bulk?.records.map(\.id))
    // One that was written is no part of it any more.
    #expect(desk.typing("cwY<esc>").state.bulk?.records.count == 7)
  }

  @Test func whatAnotherProgramWritesChangesThePreview() {
    let clash = Sample.edit(
      "r0:reminders", client: ["priority": .integer(2)], at: Sample.now,
      server: ["priority": (.integer(3), Sample.now)])
    var desk = TestDesk(Self.many(3), findings: []).typing("B")
    desk.records = [clash, desk.records[1]]
    desk.take(.storeChanged)
    #expect(desk.state.bulk?.taken.map(\.id) == ["r1:reminders"])
    #expect(desk.state.bulk?.preview.reasons == [.tie: 1])
    // One of many when its person wants it.
    var many = TestDesk(Self.many(1_200), findings: []).typing("B")
    many.records[0] = clash
    many.take(.storeChanged)
    #expect(many.state.bulk?.taken.count == 1_200)
    #expect(many.state.status?.text.contains("r reads the preview again.") == true)
    #expect(many.typing("r").state.bulk?.taken.count == 1_199)
  }

  @Test func whatOthersChangeUnderAPreviewIsToldAndTheCursorStaysOnItsRecord() {
    var desk = TestDesk(Self.many(4), findings: []).typing("BG<up>")
    let place = desk.selectedInBulk
    #expect(place?.id == "r3:reminders" && place?.open == 0)
    desk.records[0] = Sample.edit(
      "r0:reminders", title: "Reminder 0", client: ["priority": .integer(2)], at: Sample.now,
      server: ["priority": (.integer(3), Sample.now)])
    desk.take(.storeChanged)
    #expect(desk.selectedInBulk?.id == "r3:reminders" && desk.selectedInBulk?.open == 0)
    #expect(desk.state.status?.text.hasPrefix("The store has changed: 1 row is not as shown before.") == true)
    // What this desk decides is no news.
    #expect(TestDesk().typing("BG<enter>c<esc>").state.status?.text.contains("changed") != true)
  }

  @Test func aClickSelectsAndADoubleClickOpensOrSwitches() {
    let desk = TestDesk().typing("B")
    let row = { (words: String) in
      desk.screen.description.split(separator: "\n").firstIndex { $0.contains(words) } ?? 0
    }
    var rule = desk
    rule.take(.terminal(.click(Point(column: 8, row: row("newer edit wins")))))
    #expect(rule.typing(" ").state.bulk?.preview.taken.count == 3)
    rule.take(.terminal(.doubleClick(Point(column: 8, row: row("newer edit wins")))))
    #expect(rule.state.bulk?.preview.taken.count == 3)
    for (words, id) in [("priority", "12:reminders"), ("Call dentist", "42:reminders")] {
      var opened = desk
      opened.take(.terminal(.doubleClick(Point(column: 9, row: row(words)))))
      #expect(opened.state.pages.last?.record == id)
    }
    var outside = desk
    outside.take(.terminal(.doubleClick(Point(column: 4, row: 1))))
    #expect(outside.state.pages == desk.state.pages)
  }

  @Test func onlyWhatIsInSightIsReadInFull() {
    let many = Self.many(1_500)
    var desk = TestDesk(many, findings: [])
    desk.effects = []
    desk.type("BGgG")
    var (read, shown) = ([String](), [String]())
    for case .bulk(let request) in desk.effects {
      if case .read(let ids) = request.question { read += ids }
      if case .show(let ids) = request.question { shown += ids }
    }
    #expect(read == many.map(\.id))
    #expect(shown.count < 60 && Set(shown).count == shown.count)
  }

  static func many(_ count: Int) -> [RecordConflict] {
    (0..<count).map { number in
      Sample.edit(
        "r\(number):reminders", title: "Reminder \(number)", client: ["notes": .text("\(number)")],
        at: Sample.now, server: ["priority": (.integer(Int64(number)), Sample.now)])
    }
  }
}

/// Making the drafts, and taking them back.
extension BulkTests {
  @Test func twoThousandSureRecordsCostFiveKeys() {
    let desk = TestDesk(Sample.all.filter { $0.id != Sample.sure.id } + Self.many(2_000))
    let written = desk.typing("4BYwY").written
    #expect(written.count == 2_000)
    #expect(written["r7:reminders"]?["priority"] == .integer(7))
    #expect(written["r7:reminders"]?["notes"] == .text("7"))
  }

  @Test func oneKeyTakesAllOfItBackAndOneDoesItAgain() {
    let desk = TestDesk(Self.many(1_200), findings: []).typing("j<enter>gc<esc>kB")
    let made = desk.typing("Y")
    #expect(made.state.list.counts[.ready] == 1_200)
    let back = made.typing("u")
    #expect(back.state.status == .told("1199 drafts taken back. U makes them again."))
    #expect(back.state.list.counts[.ready] == desk.state.list.counts[.ready])
    for record in desk.records.prefix(5) {
      #expect(record.resolution(from: back.journal) == record.resolution(from: desk.journal))
    }
    let again = back.typing("U")
    #expect(again.state.list.counts[.ready] == 1_200)
    #expect(again.typing("u").state.history == back.state.history)
    // What a person decided before it comes next.
    #expect(back.typing("u").journal.last?.choice == nil)
    #expect(back.typing("u").journal.count == back.journal.count + 1)
  }

  @Test func whatMovedMeanwhileIsLeftOutAndTold() {
    var desk = TestDesk(Self.many(3)).typing("B")
    desk.records[1] = Sample.edit(
      "r1:reminders", title: "Reminder 1", client: ["notes": .text("otherwise")], at: Sample.now, server: [:])
    desk.records.removeLast()
    desk.type("Y")
    #expect(Set(desk.journal.map(\.id)) == ["r0:reminders"])
    #expect(
      desk.state.status
        == .told("1 draft made. 2 were left out: they changed meanwhile. w reviews and writes, u takes back.")
    )
  }

  @Test func whatAnotherDecidedMeanwhileIsNotOverwritten() {
    var desk = TestDesk(Self.many(2)).typing("B")
    desk.another(decides: "r1:reminders", .field("notes"), .take(.server))
    desk.type("Y")
    #expect(desk.journal.filter { $0.id == "r1:reminders" }.map(\.choice) == [.take(.server)])
    // Nor is it taken back.
    var made = TestDesk(Self.many(2)).typing("BY")
    made.another(decides: "r1:reminders", .field("notes"), .take(.server))
    made.type("u")
    #expect(made.records[1].resolution(from: made.journal)[.field("notes")] == .take(.server))
    #expect(made.records[0].resolution(from: made.journal).isEmpty)
  }

  /// Esc keeps what is journalled, and `u` takes that back.
  @Test(arguments: ["<esc>", "<c-c>", "q"]) func itCanBeStopped(key: String) {
    var desk = TestDesk(Self.many(1_800), findings: []).typing("B")
    desk.answersWait = true
    desk.type("Y")
    desk.answerNext()
    #expect(desk.screen.description.contains("Making drafts: 500 of 1800. Esc stops"))
    desk.type(key)
    #expect(desk.state.topic == .bulk && !desk.hasQuit)
    desk.answerNext()
    #expect(desk.waiting.isEmpty)
    #expect(
      desk.state.status
        == .told("Stopped: 1000 of 1800 drafts made. w reviews and writes, u takes back."))
    #expect(Set(desk.journal.map(\.id)).count == 1_000 && desk.state.list.counts[.ready] == 1_000)
    // So can taking it back; the rest of it waits for the next time.
    desk.type("u")
    desk.type(key)
    desk.answerNext()
    #expect(desk.state.status == .told("Stopped: 500 of 1000 drafts taken back. U makes them again."))
    desk.answersWait = false
    desk.type("u")
    #expect(desk.state.list.counts[.ready] == 0)
  }

  /// What reads all anew, as the list does when it is whole, has no rule go away under the cursor.
  @Test func aRuleKeepsTheCursorWhileAllIsReadAgain() throws {
    var desk = TestDesk(columns: 120, rows: 40).typing("B<down><down>")
    let place = try #require(desk.state.page(BulkPage.self)?.cursor)
    guard case .rule(let rule) = place, ![.onlyChanged, .agree].contains(rule) else {
      Issue.record("\(place) is always told")
      return
    }
    desk.answersWait = true
    desk.type("r")
    #expect(desk.state.bulk?.isRead == false)
    #expect(desk.typing("<down><up>").state.page(BulkPage.self)?.cursor == place)
  }

  @Test func readingCanBeLeft() {
    var desk = TestDesk(Self.many(1_800), findings: [])
    desk.answersWait = true
    desk.type("B")
    desk.answerNext()
    #expect(desk.screen.description.contains("reading 50 of 1800"))
    #expect(desk.typing("Y").state.status?.text.contains("still being read") == true)
    desk.type("<esc>B")
    // An answer to what was left is passed over.
    while !desk.waiting.isEmpty { desk.answerNext() }
    #expect(desk.state.bulk?.records.map(\.id) == desk.records.map(\.id))
  }

  @Test func whatCannotBeKeptWasNeverMade() {
    var desk = TestDesk(Self.many(1_200), findings: []).typing("B")
    desk.answersWait = true
    desk.type("Y")
    desk.answerNext()
    desk.journalIsFull = true
    desk.answerNext()
    #expect(desk.state.status?.isFailure == true)
    #expect(desk.state.status?.text.contains("500 of 1200 drafts made.") == true)
    #expect(desk.state.status?.text.contains("The rest could not be kept: the disk is full") == true)
    #expect(desk.state.list.counts[.ready] == 500)
  }

  @Test(arguments: ["Y", "o", "d"]) func whereNothingIsDecidedThatIsSaid(key: String) {
    let desk = TestDesk([Sample.tie]).typing("B" + key)
    #expect(desk.state.topic == .bulk && desk.journal.isEmpty)
    #expect(desk.state.status?.text.contains("decide none of these") == true)
  }

  /// Nobody is told to wait for what has come.
  @Test func whoWasToldToWaitIsToldThatItIsRead() {
    var desk = TestDesk(Self.many(2), findings: [])
    desk.answersWait = true
    desk.type("BY")
    #expect(desk.state.status?.text.contains("still being read") == true && desk.journal.isEmpty)
    desk.answerNext()
    #expect(desk.state.status?.text == "It is read now.", "\(desk.screen)")
  }

  /// What the store refused already is no draft that is there.
  @Test func aRefusedDraftIsNoDraftAlready() {
    let desk = TestDesk([Sample.sure, Sample.clock], findings: []).typing("A")
    #expect(desk.typing("B").screen.description.contains("Drafts already: 1."), "\(desk.typing("B").screen)")
    var refused = DecidedConflict(Sample.sure, Sample.sure.accepting(.yours, in: Resolution()))
    #expect(BulkRecord(refused).exception == .decided)
    refused.refusal = DraftRefusal(field: nil, reason: "there is no such list")
    #expect(BulkRecord(refused).exception == .byStore)
  }

  @Test func whatWouldBeMadeIsShownAsSQL() {
    let desk = TestDesk().typing("Bjjd")
    #expect(desk.effects.contains { if case .exportBulk(_, _, .sql) = $0 { true } else { false } })
    #expect(desk.typing("<esc>").state.topic == .bulk && desk.journal.isEmpty)
  }

  @Test func whatWouldBeMadeIsShownAsJSON() {
    let desk = TestDesk().typing("Bjj o")
    #expect(desk.screen.description.contains("16:reminders") && !desk.screen.description.contains("87:"))
    #expect(desk.typing("<esc>").state.topic == .bulk && desk.journal.isEmpty)
  }

  /// The history of a record tells what was decided about it in bulk, until it is written.
  @Test func aRecordKnowsWhatWasDecidedAboutIt() {
    let made = TestDesk([Sample.sure]).typing("BY")
    #expect(
      made.state.history.steps(of: Sample.sure.id).map(\.subjects) == [[.field("notes"), .field("priority")]])
    #expect(made.typing("wY").state.history.steps(of: Sample.sure.id).isEmpty)
  }
}

extension TestDesk {
  /// What the cursor of a preview stands on.
  fileprivate var selectedInBulk: (id: String, open: Int)? {
    guard case .bulk(let page)? = state.pages.last else { return nil }
    return BulkLayout(state, page).selectedSubject
  }
}
