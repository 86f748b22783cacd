import Merging
import StoreInterface
import Testing

@testable import Desk

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
    let one = TestDesk(Self.many(1), findings: []).typing("BYu")
    #expect(one.state.status == .told("1 draft taken back. U makes it again."), "\(one.screen)")
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

  /// However many parts it has, it is one act of the journal, by whose time `u` finds it whole in the next session.
  @Test func allOfItHasOneTime() {
    var desk = TestDesk(Self.many(1_200), findings: []).typing("B")
    desk.answersWait = true
    desk.type("Y")
    while !desk.waiting.isEmpty {
      desk.now += 1
      desk.answerNext()
    }
    #expect(Set(desk.journal.map(\.id)).count == 1_200 && Set(desk.journal.map(\.decidedAt)).count == 1)
    // What is still to be done comes after what another has decided meanwhile.
    var beside = TestDesk(Self.many(1_200), findings: []).typing("B")
    beside.answersWait = true
    beside.type("Y")
    beside.now += 1
    beside.another(decides: "r1:reminders", .field("notes"), .take(.server))
    beside.take(.othersDecided([beside.journal[beside.journal.count - 1]], inForce: []))
    while !beside.waiting.isEmpty { beside.answerNext() }
    #expect(Set(beside.journal.map(\.decidedAt)).count > 1)
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

  /// Nobody is told to wait for what has come, and what was pressed before that is not done.
  @Test func whoWasToldToWaitIsToldThatItIsRead() {
    var desk = TestDesk(Self.many(2), findings: [])
    desk.answersWait = true
    desk.type("BY")
    #expect(desk.state.status?.text.contains("still being read") == true && desk.journal.isEmpty)
    desk.answerNext()
    #expect(desk.state.status == .told("It is read now. \(PassingWordsTests.leftY)"), "\(desk.screen)")
    desk.answersWait = false
    desk.now += Sample.minute
    #expect(desk.journal.isEmpty && !desk.typing("Y").journal.isEmpty)
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
