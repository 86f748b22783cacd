import Merging
import StoreInterface
import Terminal
import Testing

@testable import Desk

/// `H`: what became of a record so far.
@Suite struct LogTests {
  private static let dentist = "42:reminders"

  /// A write that was taken back, and one that was left alone.
  private static var writes: [JournalEntry] {
    var left = JournalEntry(
      time: Sample.now - Sample.minute, record: dentist, title: "Call dentist",
      event: .ended(.write, interrupted: .left, detail: "somebody else changed it since"))
    left.left = JournalEntry.Left(
      fields: [LastWrite.FieldChange(name: "done", before: .integer(0), after: .integer(1))], isTakenUp: false
    )
    var write = JournalEntry(
      time: Sample.now - 60 * Sample.minute, record: dentist, title: "Call dentist", event: .ended(.write),
      note: "as she said on the phone")
    write.changes.fields = [
      LastWrite.FieldChange(name: "title", before: .text("Call dentist today"), after: .text("Call Dr. Wu"))
    ]
    write.isUndone = true
    return [left, write]
  }

  private func desk(_ columns: Int = 80, _ rows: Int = 24) -> TestDesk {
    var desk = TestDesk(columns: columns, rows: rows)
    desk.writes = Self.writes
    return desk
  }

  @Test(arguments: [(40, 10), (80, 24)]) func theRecordTellsItsPast(columns: Int, rows: Int) throws {
    try expect(desk(columns, rows).typing("<enter>sH").screen, matches: "log")
  }

  @Test func theListTellsItToo() {
    let (list, record) = (desk().typing("H"), desk().typing("<enter>H"))
    #expect(list.state.topic == .text)
    #expect(list.screen == record.screen)
  }

  /// A lost value of several lines, and one of a long line.
  @Test func aValueOfSeveralLinesStandsBelowItsFirst() {
    var desk = TestDesk(columns: 60, rows: 40)
    desk.take(
      .log(
        id: Self.dentist,
        [
          JournalEntry(
            time: Sample.now, record: Self.dentist, title: "Call dentist", event: .ended(.write),
            note: "first line\nsecond line\n" + String(repeating: "long ", count: 20) + "end")
        ]))
    let lines = desk.screen.description.split(separator: "\n")
    for words in ["note: first", "second line", "long ", "end"] {
      #expect(lines.contains { $0.hasPrefix("     " + words) || words == "end" && $0.hasSuffix("end") })
    }
    #expect(lines.filter { $0.contains("long") }.allSatisfy { $0.hasPrefix("     long") }, "\(desk.screen)")
  }

  @Test func aRecordWithoutAPastSaysSo() {
    let screen = TestDesk().typing("jH").screen.description
    #expect(screen.contains("Rotate garden beds") && screen.contains("Nothing was decided about it so far"))
  }

  @Test func hiddenItTellsNothing() {
    let screen = desk().typing("HP").screen.description
    #expect(!screen.contains("dentist") && !screen.contains("phone") && screen.contains("P shows"))
  }

  @Test func whoWentOnMeanwhileIsNotCalledBack() {
    for keys in ["j", "?", "<enter>n"] {
      var desk = desk().typing(keys)
      let pages = desk.state.pages
      desk.take(.log(id: Self.dentist, Self.writes))
      #expect(desk.state.pages == pages, "after \(keys)")
    }
  }

  @Test func aFindingHasNone() {
    let desk = desk().typing("6H")
    #expect(desk.state.topic == .list)
    #expect(desk.state.status?.text == "H tells of a conflict's past, and parley log of everything.")
  }
}
