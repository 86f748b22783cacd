import Merging
import Terminal
import Testing

@testable import Desk

/// The screens as golden text, typed with keys. At the three sizes of the design where the layout changes with the size (list,
/// record, editor, help, tree); what is only another content of the same layout at one.
@Suite struct ScreenTests {
  static let sizes = [(80, 24), (100, 30), (120, 40)]

  @Test(arguments: sizes) func list(columns: Int, rows: Int) throws {
    try expect(TestDesk(columns: columns, rows: rows).screen, matches: "list")
  }

  @Test func listOnAFinding() throws {
    try expect(TestDesk().typing("6").screen, matches: "list-stuck")
  }

  @Test(arguments: sizes) func record(columns: Int, rows: Int) throws {
    try expect(TestDesk(columns: columns, rows: rows).typing("<enter>").screen, matches: "record")
  }

  @Test(arguments: sizes) func recordWithDecisions(columns: Int, rows: Int) throws {
    try expect(
      TestDesk(columns: columns, rows: rows).typing("<enter>A<tab>s").screen, matches: "record-decided")
  }

  @Test func recordWithAllFields() throws {
    try expect(TestDesk().typing("<enter>=").screen, matches: "record-all-fields")
  }

  /// Each may be what is left to decide, above the first row as well as below the last.
  @Test(arguments: [("=", "1-7 of 10"), ("=gjjjjj", "3-9 of 10"), ("=G", "4-10 of 10")])
  func fieldsThatHaveNoRoomAreTold(keys: String, words: String) {
    let line = { (desk: TestDesk) in String(desk.screen.description.split(separator: "\n")[3]) }
    #expect(line(TestDesk().typing("<enter>" + keys)).hasPrefix("    \(words) "))
    #expect(line(TestDesk().typing("<enter>")).hasPrefix("              Wed"), "all of them are seen")
    let low = TestDesk(columns: 100, rows: 10).typing("<enter>g").screen.description
    #expect(low.contains("\n    1 of 6 "), "\(low)")
  }

  @Test func recordDeletedOnTheServer() throws {
    try expect(TestDesk().typing("jj<enter>").screen, matches: "record-deleted")
  }

  @Test func recordWithoutAncestor() throws {
    try expect(
      TestDesk().typing("jjj<enter>").screen, matches: "record-no-ancestor")
  }

  @Test func recordWithHostileText() throws {
    try expect(
      TestDesk().typing("jjjjjj<enter>").screen, matches: "record-hostile")
  }

  /// By five minutes, where the clocks may be six apart.
  @Test(arguments: [(80, 24), (120, 40)]) func recordWithinTheMargin(columns: Int, rows: Int) throws {
    let coffee = Sample.edit(
      "16:reminders", title: "Coffee", client: ["priority": .integer(2)], at: Sample.now - 30 * Sample.minute,
      server: ["priority": (.integer(3), Sample.now - 25 * Sample.minute)],
      rules: MergeRules(margin: 6 * Sample.minute))
    let desk = TestDesk([coffee], columns: columns, rows: rows)
    try expect(desk.typing("<enter>A").screen, matches: "record-margin")
  }

  @Test func recordWithoutTheBytes() throws {
    try expect(
      TestDesk().typing("jjjjjjj<enter>As").screen, matches: "record-cover")
  }

  @Test(arguments: sizes) func editor(columns: Int, rows: Int) throws {
    try expect(TestDesk(columns: columns, rows: rows).typing("<enter>gjjje").screen, matches: "editor")
  }

  @Test func editorRefusesAWrongType() throws {
    try expect(
      TestDesk().typing("<enter>gjjjjex").screen, matches: "editor-wrong-type")
  }

  @Test func value() throws {
    try expect(TestDesk().typing("<enter>gj<enter>").screen, matches: "value")
  }

  @Test func review() throws {
    try expect(TestDesk().typing("cjcw").screen, matches: "review")
  }

  @Test func reviewRefused() throws {
    var desk = TestDesk()
    desk.outcomes["87:reminders"] = .refused(field: "due", "NOT NULL constraint failed")
    desk.outcomes["42:reminders"] = .moved("the row's title is now Call dentist tomorrow")
    try expect(desk.typing("cjcw").screen, matches: "review-refused")
  }

  @Test func written() throws {
    try expect(TestDesk().typing("cwY").screen, matches: "written")
  }

  @Test(arguments: [(40, 10), (60, 15), (80, 24), (120, 40), (200, 50)])
  func reviewWithAllThatHappens(columns: Int, rows: Int) throws {
    try expect(WrittenTests.reviewed(columns: columns, rows: rows).screen, matches: "review-mixed")
    try expect(WrittenTests.written(columns: columns, rows: rows).screen, matches: "written-mixed")
  }

  @Test(arguments: sizes) func help(columns: Int, rows: Int) throws {
    try expect(TestDesk(columns: columns, rows: rows).typing("<enter>?").screen, matches: "help")
  }

  @Test func listHelp() throws {
    try expect(TestDesk().typing("?").screen, matches: "help-list")
  }

  /// Values that a cell cuts get the rows that no other needs.
  @Test func freeRowsAreForLongValues() throws {
    let desk = TestDesk(columns: 120, rows: 40).typing("<enter>gj")
    try expect(desk.screen, matches: "record-notes")
    #expect(desk.screen.description.contains("Bring both"))
    #expect(!TestDesk(columns: 120, rows: 29).typing("<enter>").screen.description.contains("Bring both"))
  }

  /// However many rows that are: a text of twelve lines is not cut in a pane with free ones.
  @Test func aLongValueGetsAllRowsThatAreFree() {
    let text = { (word: String) in Value.text((1...12).map { "\(word) \($0)" }.joined(separator: "\n")) }
    let record = Sample.record(
      "57:reminders", title: "Letter", ancestor: ["notes": text("old")], client: ["notes": text("mine")],
      server: ["notes": text("theirs")])
    let screen = TestDesk([record], columns: 200, rows: 50).typing("<enter>").screen.description
    let cells = screen.split(separator: "\n").prefix(24).joined(separator: "\n")
    for end in ["old 12", "mine 12", "theirs 12"] { #expect(cells.contains(end), "\(end) in \(cells)") }
  }

  @Test(arguments: [(60, 15), (60, 10)]) func lowRecord(columns: Int, rows: Int) throws {
    let screen = TestDesk(columns: columns, rows: rows).typing("<enter>").screen
    try expect(screen, matches: "record")
    #expect(screen.description.contains("R  to decide"))
  }

  @Test(arguments: [(59, 20), (40, 12), (40, 10)]) func narrowRecord(columns: Int, rows: Int) throws {
    try expect(TestDesk(columns: columns, rows: rows).typing("<enter>gjj").screen, matches: "record")
  }

  @Test func narrowList() throws { try expect(TestDesk(columns: 40, rows: 12).screen, matches: "list") }

  @Test func tooSmall() throws { try expect(TestDesk(columns: 30, rows: 8).screen, matches: "too-small") }

  /// Who sees nothing of a page decides and writes nothing on it, and can leave it.
  @Test(arguments: [(39, 24), (80, 9), (30, 8)]) func nothingIsDoneUnseen(columns: Int, rows: Int) {
    var review = TestDesk().typing("4Aw")
    review.take(.terminal(.resized(Size(columns: columns, rows: rows))))
    let count = review.effects.count
    review.type("YcAxs")
    review.take(.terminal(.doubleClick(Point(column: 1, row: 3))))
    review.take(.terminal(.paste("Y")))
    #expect(review.effects.count == count && review.state.topic == .review)
    #expect(review.typing("<esc>").state.topic == .list)
    #expect(review.typing("<esc>q").effects.last == .quit)
    review.take(.terminal(.resized(Size(columns: 40, rows: 10))))
    #expect(review.typing("Y").effects.count > count)
  }

  @Test func wide() throws {
    try expect(TestDesk(columns: 200, rows: 50).typing("<enter>").screen, matches: "record")
    try expect(TestDesk(columns: 200, rows: 50).screen, matches: "list-split")
  }

  @Test func readOnly() throws {
    let desk = TestDesk(
      access: .readOnly(reason: "Reminders (pid 4242) has the database open; quit it to write."))
    try expect(desk.typing("cwY").screen, matches: "review-read-only")
  }

  @Test func privateHidesValues() {
    let screen = TestDesk().typing("P<enter>").screen.description
    #expect(!screen.contains("dentist") && !screen.contains("Health") && screen.contains("***"))
  }

  /// Edits that are seconds apart have two times.
  @Test func timesOfOneMinuteAreToldWithSeconds() {
    let second: Int64 = 1_000_000_000
    let record = Sample.edit(
      "58:reminders", title: "Close", client: ["notes": .text("a b")], at: Sample.now - 2 * second,
      server: ["notes": (.text("c d"), Sample.now - second)])
    let heading = TestDesk([record]).typing("<enter>").screen.description.split(separator: "\n")[3]
    #expect(heading.contains("12:10:00") && heading.contains("12:10:01"), "\(heading)")
    let usual = TestDesk([Sample.clock]).typing("<enter>").screen.description.split(separator: "\n")[3]
    #expect(usual.hasSuffix("11:45"), "\(usual)")
  }

  /// Of an older day they have a date as well, which no narrow column has room for. Without it they would be times of today, so the
  /// seconds go, which stand below.
  @Test(arguments: [
    (80, 7, "11-01 12:10:02 11-01 12:10:09"), (60, 7, "11-01 12:10 11-01 12:10"),
    (60, 300, "11-01 12:10 11-01 12:15"),
  ])
  func timesOfOneDayLongAgoAreNotCut(columns: Int, later: Int64, times: String) {
    let then = Sample.now - 20 * 1440 * Sample.minute
    let record = Sample.edit(
      "58:reminders", title: "Close", client: ["notes": .text("a b")], at: then,
      server: ["notes": (.text("c d"), then + later * 1_000_000_000)])
    let screen = TestDesk([record], columns: columns, rows: 24).typing("<enter>").screen.description
    let heading = screen.split(separator: "\n")[3].split(separator: " ").joined(separator: " ")
    #expect(heading.hasSuffix(" \(times)") && screen.contains("2026-11-01 12:10:02"), "\(screen)")
  }

  /// When stands below, too.
  @Test(arguments: [(80, "deleted 2026-11-01"), (72, "deleted 11-01"), (60, "deleted")])
  func aDeletionLongAgoIsNotCut(columns: Int, words: String) {
    let today = Sample.deletedOnServer
    let record = RecordConflict(
      id: today.id, table: today.table, primaryKey: today.primaryKey, title: today.title,
      fields: today.fields.map(\.field),
      versions: ThreeWay(
        ancestor: today.versions.ancestor, client: today.versions.client,
        server: .deleted(time: Sample.now - 20 * 1440 * Sample.minute)), details: today.details)
    let screen = TestDesk([record], columns: columns, rows: 24).typing("<enter>").screen.description
    #expect(screen.split(separator: "\n")[3].hasSuffix(" \(words)"), "\(screen)")
    #expect(screen.contains("  S  deleted 2026-11-01"), "\(screen)")
  }

  @Test func whyAnAncestorIsNotKnownIsSaidOnce() {
    var record = Sample.noAncestor
    record.details.notes = ["ancestor not known: it was lost"]
    record = RecordConflict(
      id: record.id, table: record.table, primaryKey: record.primaryKey, title: record.title,
      fields: record.fields.map(\.field),
      versions: ThreeWay(
        ancestor: .unknown(reason: "it was lost"), client: record.versions.client,
        server: record.versions.server), details: record.details)
    let screen = TestDesk([record]).typing("<enter>").screen.description
    #expect(screen.ranges(of: "ncestor not known").count == 1, "\(screen)")
  }

  @Test func leftOfTheFirstCellIsTheList() {
    #expect(TestDesk().typing("<enter>h").state.topic == .record)
    #expect(TestDesk().typing("<enter>hh").state.topic == .list)
    #expect(TestDesk().typing("<enter><left><left>").state.topic == .list)
  }

  /// Of a record that is decided as a whole: nothing before, and then what its side has, or that it is gone.
  @Test(arguments: [(40, 10), (60, 15), (80, 24), (120, 40)])
  func aDeletionShowsWhatBecomesOfIt(columns: Int, rows: Int) {
    let open = TestDesk([Sample.deletedOnServer], columns: columns, rows: rows).typing("<enter>")
    #expect(open.screen.description.contains("to decide: c or s"), "\(open.screen)")
    #expect(!open.screen.description.contains("R  Old invoice"), "\(open.screen)")
    let (kept, gone) = (open.typing("c").screen.description, open.typing("s").screen.description)
    #expect(kept.contains("client"), "\(kept)")
    #expect(gone.contains("deleted") && !gone.contains("to decide"), "\(gone)")
    if columns == 120 {
      #expect(kept.components(separatedBy: "Old invoice, paid").count > 3, "\(kept)")
      #expect(gone.contains("deleted   ") || gone.contains("deleted\n"), "\(gone)")
    }
  }

  @Test func whatIsUnchangedIsNotSuggested() {
    let desk = TestDesk(columns: 120, rows: 40).typing("<enter>=G")
    #expect(!desk.screen.description.contains("suggested, not yet decided"), "\(desk.screen)")
  }
}
