import Merging
import Terminal
import Testing

@testable import Desk

/// What is on the screen can be clicked.
@Suite struct MouseTests {
  private func clicking(_ text: String, _ desk: TestDesk, twice: Bool = false) throws -> TestDesk {
    let lines = desk.screen.description.split(separator: "\n", omittingEmptySubsequences: false)
    let row = try #require(
      twice ? lines.firstIndex { $0.contains(text) } : lines.lastIndex { $0.contains(text) })
    let line = String(lines[row])
    let start = try #require(line.range(of: text)?.lowerBound)
    let point = Point(column: DisplayText.width(String(line[..<start])), row: row)
    var desk = desk
    desk.take(.terminal(twice ? .doubleClick(point) : .click(point)))
    return desk
  }

  @Test(arguments: ListFilter.allCases.filter { $0 != .waiting })
  func aFilterIsClicked(filter: ListFilter) throws {
    let title = "\(filter.rawValue) \(filter.title(findings: "stuck"))"
    #expect(try clicking(title, TestDesk(columns: 120, rows: 40)).state.list.filter == filter)
    #expect(try clicking(title, TestDesk()).state.list.filter == filter)
    #expect(
      try clicking(title, TestDesk(columns: 120, rows: 40).typing("/e<enter>")).state.list.filter == filter)
  }

  @Test func aHeadingOrdersTheListAndTheSameAgainTurnsIt() throws {
    let desk = TestDesk()
    #expect(try clicking("State", desk).state.list.order == .toDecide)
    #expect(try clicking("Record", desk).state.list.order == .title)
    let newest = try clicking("Last edit", desk)
    #expect(newest.state.list.order == .newest)
    let oldest = try clicking("Last edit", newest)
    #expect(oldest.state.list.order == .oldest)
    #expect(try clicking("Last edit", oldest).state.list.order == .newest)
    #expect(try clicking("Record", clicking("Record", desk)).state.list.order == .found)
  }

  @Test func theFooterIsClicked() throws {
    #expect(try clicking("open", TestDesk()).state.topic == .record)
    #expect(try clicking("? help", TestDesk()).state.topic == .help)
    let record = TestDesk().typing("<enter>")
    #expect(try clicking("s server", record).journal.map(\.choice) == [.take(.server)])
    #expect(try clicking("server  a", record).journal.map(\.choice) == [.take(.server)])
    #expect(try clicking("back", TestDesk().typing("<enter><enter>")).state.topic == .record)
  }

  /// The message goes, and what it covered can be clicked.
  @Test func aClickOnAMessageUncoversTheFooter() throws {
    var desk = TestDesk().typing("U")
    #expect(desk.state.status != nil)
    desk = try clicking("Nothing to redo", desk)
    #expect(desk.state.status == nil && desk.state.topic == .list)
    #expect(try clicking("? help", desk).state.topic == .help)
    // Elsewhere a click does what it does, as a key would.
    let row = try clicking("Rotate garden", TestDesk().typing("U"))
    #expect(row.state.status == nil && row.state.list.selected?.id == "87:reminders")
  }

  @Test func theBoxOfARuleIsClicked() throws {
    let desk = TestDesk().typing("B")
    let on = try clicking("[ ] both changed: newer", desk)
    #expect(on.screen.description.contains("[x] both changed: newer"))
    let words = try clicking("both changed: newer", desk)
    #expect(words.screen.description.contains("[ ] both changed: newer"))
  }

  /// Two keys that do alike stand before the same words.
  @Test func theKeyThatIsClickedCounts() throws {
    let story = TestDesk().typing("L")
    let next = try clicking("l step", story)
    #expect(next.screen.description != story.screen.description)
    #expect(try clicking("h l step", next).screen.description == story.screen.description)
  }

  @Test func noClickWrites() throws {
    let review = TestDesk().typing("<enter>A<tab>c<tab>sw")
    #expect(review.state.topic == .review)
    let clicked = try clicking("Y ", review)
    #expect(clicked.written.isEmpty && clicked.state.status?.text == "No click writes: capital Y does.")
  }

  @Test func aCellIsTakenByADoubleClick() throws {
    let record = TestDesk(columns: 120, rows: 40).typing("<enter>")
    let taken = try clicking("Call dentist today", record, twice: true)
    #expect(taken.journal.map(\.choice) == [.take(.client)])
    #expect(try clicking(" title", record, twice: true).state.topic == .value)
  }
}
