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
    #expect(decided(way).screen.description.contains("server"), "\(decided(way).screen)")
    // Who has left it is not brought back.
    var left = TestDesk().typing(way)
    for effect in left.state.update(.journalChanged, now: left.now) {
      if case .readLog = effect { left.type("<esc>") }
    }
    left.take(.log(id: "42:reminders", []))
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
    desk.records.removeAll { $0.id == "42:reminders" }
    desk.take(.storeChanged)
    #expect(page(desk) == nil && desk.state.status?.text.contains("no longer in conflict") == true)
  }
}
