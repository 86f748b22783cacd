import Merging
import StoreInterface
import Terminal
import Testing

@testable import Desk

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

  /// Of one row alone it takes what is suggested: nobody has asked to put two texts together.
  @Test func acceptingPutsNoTextsTogether() {
    #expect(
      TestDesk().typing("jjjj A").state.top(BulkPage.self)?.rules
        == BulkRules([.onlyChanged, .agree, .policy, .newer]))
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

  /// What is taken back stands elsewhere in the preview then, and so does all between.
  @Test func whatIsTakenBackInARecordLeavesTheCursorOfThePreviewOnIt() {
    let desk = TestDesk().typing("BYBjj G<up><up><up><up>")
    let place = desk.selectedInBulk?.id
    let back = desk.typing("<enter>u<esc>")
    #expect(place != nil && back.selectedInBulk?.id == place, "\(desk.screen)\(back.screen)")
  }

  @Test(arguments: [("B", "rows"), ("*B", "marked rows")])
  func whatIsGoneIsCountedNoMore(
    keys: String, words: String
  ) {
    var desk = TestDesk(Self.many(4), findings: []).typing(keys)
    #expect(desk.screen.description.contains("Apply rules to 4 \(words)"), "\(desk.screen)")
    desk.records.removeLast(2)
    desk.take(.storeChanged)
    #expect(desk.screen.description.contains("Apply rules to 2 \(words)"), "\(desk.screen)")
    #expect(desk.state.status?.text.hasSuffix("This is what is there now.") == true, "\(desk.screen)")
  }

  /// What lies over a preview does not say of itself that it is as the preview is.
  @Test(arguments: [
    ("o", "Here stands what was there before: Esc, and the preview has what is there now."),
    ("d", "Here stands what was there before: Esc, and the preview has what is there now."),
    ("?", "2 rows are not as shown before. The preview has what is there now."),
  ])
  func whatIsReadOfAPreviewIsToldToBeOfBefore(key: String, words: String) {
    var desk = TestDesk(Self.many(4), findings: []).typing("B" + key)
    #expect(desk.state.topic != .bulk, "\(desk.screen)")
    desk.records.removeLast(2)
    desk.take(.storeChanged)
    #expect(desk.state.status?.text.hasSuffix(words) == true, "\(desk.screen)")
    #expect(desk.typing("<esc>").screen.description.contains("Apply rules to 2 rows"), "\(desk.screen)")
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
}

extension TestDesk {
  /// What the cursor of a preview stands on.
  fileprivate var selectedInBulk: (id: String, open: Int)? {
    guard case .bulk(let page)? = state.pages.last else { return nil }
    return BulkLayout(state, page).selectedSubject
  }
}
