import Merging
import Testing

@testable import Desk

/// A record whose draft was left to the app.
@Suite struct WaitingTests {
  private static var waiting: [RecordConflict] {
    Sample.all.prefix(2).map { conflict in
      var details = conflict.details
      if conflict.id == Sample.all[0].id { details.waitingSince = Sample.now }
      return RecordConflict(
        id: conflict.id, table: conflict.table, primaryKey: conflict.primaryKey, title: conflict.title,
        fields: conflict.fields.map(\.field), versions: conflict.versions, details: details)
    }
  }

  @Test func itSaysSoInTheListAndHasAFilterOfItsOwn() {
    let desk = TestDesk(Self.waiting, findings: [])
    #expect("\(desk.screen)".contains("⇡ waiting"))
    #expect(desk.state.list.counts[.all] == 2)
    #expect(desk.state.list.counts[.ready] == nil)
    #expect(desk.state.list.openCount == 1)
    #expect(desk.state.list.counts[.waiting] == 1)
    let waiting = desk.typing("7")
    #expect("\(waiting.screen)".contains("[7 Waiting 1]") && "\(waiting.screen)".contains("1 waiting"))
    #expect(waiting.state.list.selected?.id == Sample.all[0].id && waiting.state.list.count == 1)
    #expect(!"\(TestDesk().screen)".contains("Waiting"))
  }

  @Test(arguments: ["a", "c", "s", "<enter>c"]) func itCannotBeDecided(keys: String) {
    let desk = TestDesk(Self.waiting, findings: []).typing(keys)
    #expect(desk.journal.isEmpty)
    #expect("\(desk.screen)".contains("waits for the app"))
    if keys.hasPrefix("<enter>") { #expect("\(desk.screen)".contains("⇡ waiting")) }
  }

  @Test func whatIsQueuedAndHealthyWaitsAndIsNotStuck() {
    var queued = Sample.finding
    (queued.id, queued.title, queued.isWaiting) = ("waiting-for-upload:1", "Milk", true)
    let desk = TestDesk(Self.waiting, findings: [Sample.finding, queued])
    #expect("\(desk.screen)".contains("1 open   0 ready   2 waiting   1 stuck"))
    #expect(desk.typing("6").state.list.count == 1)
    let narrow = TestDesk(Self.waiting, findings: [Sample.finding, queued], columns: 52)
    #expect("\(narrow.screen)".contains("1 open  ✓ 0  ⇡ 2  ✗ 1\n"), "\(narrow.screen)")
    let waiting = desk.typing("7")
    #expect(waiting.state.list.count == 2 && waiting.typing("G").state.list.selected == .finding(queued))
    #expect("\(waiting.screen)".contains("⇡ waiting     reminders Milk"))
    #expect(desk.typing("/is:waiting<enter>").state.list.count == 2)
    // The line of filters may have it.
    let rows = "\(desk.typing("/Milk<enter>").screen)".split(separator: "\n").dropFirst(2)
    #expect(!rows.contains { $0.contains("✗") })
  }

  @Test func itIsNotReviewed() {
    let desk = TestDesk(Self.waiting, findings: []).typing("w")
    #expect("\(desk.screen)".contains("Nothing is ready"))
  }
}
