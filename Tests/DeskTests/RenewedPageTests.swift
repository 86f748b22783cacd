import Merging
import StoreInterface
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
