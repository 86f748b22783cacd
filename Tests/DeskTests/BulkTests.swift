import Merging
import StoreInterface
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

  static func many(_ count: Int) -> [RecordConflict] {
    (0..<count).map { number in
      Sample.edit(
        "r\(number):reminders", title: "Reminder \(number)", client: ["notes": .text("\(number)")],
        at: Sample.now, server: ["priority": (.integer(Int64(number)), Sample.now)])
    }
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

  /// From a record that was opened in the preview.
  @Test func whoTypesNoFilterAfterAllHasThePreviewStill() {
    let desk = TestDesk().typing("BG<enter>/<esc>")
    #expect(desk.state.topic == .record)
    #expect(desk.typing("<esc>").state.topic == .bulk && desk.state.bulk != nil, "\(desk.screen)")
    #expect(Set(desk.typing("<esc>Y").journal.map(\.id)) == ["12:reminders"])
  }

  @Test func whatIsTakenBackInARecordOfThePreviewLeavesThePreview() {
    let desk = TestDesk().typing("BYBjj G<enter>u")
    #expect(desk.journal.last?.choice == nil && desk.state.topic == .record, "\(desk.screen)")
    let back = desk.typing("<esc>")
    #expect(back.state.topic == .bulk && back.state.bulk?.isRead == true, "\(back.screen)")
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
