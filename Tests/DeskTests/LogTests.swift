import Foundation
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

  /// By the next movement, or what is appended to the journal.
  @Test func aLogThatCouldNotBeReadSaysSoAndIsReadAgain() {
    var state = desk().state
    _ = state.update(.terminal(.key("J")), now: Sample.now)
    _ = state.update(.logOfStoreFailed("The journal is damaged."), now: Sample.now)
    let screen = state.draw().description
    #expect(
      screen.contains("The journal is damaged.") && !screen.contains("Nothing was decided"), "\(screen)")
    let limit = LogPage.part
    #expect(state.update(.journalChanged, now: Sample.now).contains(.readLogOfStore(limit: limit)))
  }

  @Test(arguments: [(40, 10), (80, 24)]) func theRecordTellsItsPast(columns: Int, rows: Int) throws {
    try expect(desk(columns, rows).typing("<enter>sH").screen, matches: "log")
  }

  /// What the journal does not hold any more nobody takes back.
  @Test func noUndoIsOfferedThatIsRefusedForSure() {
    var desk = desk()
    desk.writes[0].changes.damage = "its checksum differs"
    let screen = desk.typing("<enter>sH").screen.description
    #expect(screen.contains("left alone") && !screen.contains("parley undo"), "\(screen)")
  }

  @Test func whatNobodyKnowsOfAWriteIsNotToldAsNothing() {
    var desk = desk(120, 40)
    desk.writes[1].changes = WrittenChanges()
    desk.writes[1].changes.damage = "its checksum differs"
    let screen = desk.typing("<enter>sH").screen.description
    #expect(screen.contains("what it changed cannot be told: what the journal holds"), "\(screen)")
  }

  /// As the history of the record has it.
  @Test func theLogOfTheStoreSaysWhatWasTakenBack() {
    #expect(desk().typing("J").screen.description.contains("taken back since"))
  }

  /// In the record, among its decisions, and in both logs.
  @Test(arguments: ["", "H", "<esc>J"]) func whatWasTakenIsCalledTheSameEverywhere(keys: String) {
    let desk = TestDesk(columns: 120, rows: 40).typing("<enter>A" + keys)
    for words in ["done: both agree", "due: client taken"] {
      #expect(desk.screen.description.contains(words), "\(desk.screen)")
    }
  }

  /// Enter is about the act on top, and is offered where it goes somewhere.
  @Test func enterGoesToTheRecordOfTheActOnTop() {
    let last = { (desk: TestDesk) in String(desk.screen.description.split(separator: "\n").last ?? "") }
    let log = desk().typing("J")
    #expect(log.screen.description.contains("\n▸") && last(log).contains("Enter open"), "\(log.screen)")
    #expect(log.typing("<enter>").state.top.record == Self.dentist)
    #expect(log.typing("<enter><esc>").state.topic == .text)
    var gone = desk()
    gone.writes[0].record = "77:reminders"
    gone.type("J")
    #expect(!last(gone).contains("Enter"), "\(gone.screen)")
    let told = gone.typing("<enter>").state.status?.text
    #expect(told == "Call dentist is no longer in conflict. What was done to it stands here.")
    #expect(gone.typing("G<enter>").state.top.record == Self.dentist)
  }

  /// Other acts stay in sight: what is long is read under Enter, and found as a whole.
  @Test func aLongTextIsFoldedInTheLogOfTheStore() throws {
    var desk = desk()
    let text = (1...200).map { "line \($0)." }.joined(separator: " ")
    desk.writes[1].changes.fields = [
      LastWrite.FieldChange(name: "notes", before: .text("none"), after: .text(text))
    ]
    let log = desk.typing("J").screen.description
    #expect(log.contains("… Enter shows the whole of it when it is on top") && !log.contains("line 150."))
    let found = desk.typing("J/199.<enter>")
    #expect(found.screen.description.contains("… Enter shows the whole of it\n"), "\(found.screen)")
    let whole = found.typing("<enter>")
    #expect(try #require(whole.state.top(TextPage.self)).paragraphs[0].contains("line 200."))
    #expect(whole.screen.description.contains("Log: Call dentist"), "\(whole.screen)")
    #expect(whole.typing("P").screen.description.contains("Log: ***"))
    #expect(whole.typing("<esc>").screen == found.screen)
  }

  /// A decision by its value, and a write by both, where the one is a text that reads like the other.
  @Test(arguments: ["<enter>H", "J"]) func aValueIsToldAsEverywhere(keys: String) {
    var desk = desk(120, 40)
    desk.writes[1].changes.fields = [
      LastWrite.FieldChange(name: "priority", before: .integer(1), after: .text("1")),
      LastWrite.FieldChange(name: "extra", before: .missing, after: .null),
    ]
    let json = Value.opaque(kind: Value.jsonKind, bytes: Array(#"{"floor":2}"#.utf8))
    let decision = Decision(
      id: Self.dentist, subject: .field("shelf"), choice: .merged(json), fingerprint: "",
      decidedAt: Sample.now)
    desk.writes.append(JournalEntry(time: Sample.now, record: Self.dentist, event: .decided(decision)))
    let screen = desk.typing(keys).screen.description
    for words in ["priority: 1 → \"1\"", "extra: (none) → ∅", "shelf: merged to {\"floor\":2}"] {
      #expect(screen.contains(words), "\(screen)")
    }
  }

  @Test func theListTellsItToo() {
    let (list, record) = (desk().typing("H"), desk().typing("<enter>H"))
    #expect(list.state.topic == .text)
    #expect(list.screen == record.screen)
  }

  /// In both logs; in one of a command a line is an act, so there they have their sign.
  @Test(arguments: ["H", "<esc>J"]) func aValueThatWasTypedHasItsLines(keys: String) {
    var desk = TestDesk().typing("<enter>gje<c-u>")
    desk.take(.terminal(.paste("Bring both cards.\nPark behind.")))
    desk.type("<enter>" + keys)
    let lines = desk.screen.description.split(separator: "\n").map { $0.trimmingCharacters(in: .whitespaces) }
    #expect(lines.contains { $0.hasSuffix("notes: edited to \"Bring both cards.") }, "\(desk.screen)")
    #expect(lines.contains("Park behind.\""), "\(desk.screen)")
  }

  /// A lost value of several lines, and one of a long line.
  @Test func aValueOfSeveralLinesStandsBelowItsFirst() {
    var desk = TestDesk(columns: 60, rows: 40)
    desk.state.logsAsked.records = [Self.dentist]
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

  @Test func itsLinesAreSearched() {
    let found = desk().typing("H/phone<enter>")
    #expect(found.screen.description.contains("›    note: as she said on the phone"), "\(found.screen)")
    #expect(found.state.status?.text == "Line 1 of 1 that have it.")
    #expect(desk().typing("H/cake<enter>").state.status == .failed("Nothing in this text has cake."))
    #expect(desk().typing("Hn").state.status?.text == "/ finds words in this text.")
  }

  @Test func aFindingHasNone() {
    let desk = desk().typing("6H")
    #expect(desk.state.topic == .list)
    #expect(desk.state.status?.text == "H tells of a conflict's past, and J of everything in the store.")
  }
}

/// `J`: what became of all records so far.
@Suite struct LogOfStoreTests {
  private static func entry(_ number: Int, note: String? = nil) -> JournalEntry {
    JournalEntry(
      time: Sample.now - Int64(number) * Sample.minute, record: "\(number):reminders",
      title: "Reminder \(number)", event: .ended(.write), note: note)
  }

  private func desk(_ columns: Int = 80, _ rows: Int = 24, entries: Int = 1000) -> TestDesk {
    var desk = TestDesk(columns: columns, rows: rows)
    desk.writes = (1...entries).map { Self.entry($0, note: $0 % 5 == 0 ? "as she said on the phone" : nil) }
    return desk
  }

  @Test(arguments: [(40, 10), (80, 24), (120, 40)]) func theStoreTellsItsPast(columns: Int, rows: Int) throws
  {
    try expect(desk(columns, rows).typing("<enter>s<esc>J").screen, matches: "log-of-store")
  }

  /// A record that is no longer in conflict is in no list, and here it is.
  @Test func whatWasWrittenIsFoundHere() {
    var desk = TestDesk()
    desk.writes = [Self.entry(77)]
    let empty = desk.typing("/Reminder 77<enter>")
    #expect(empty.screen.description.contains("J has what was written, if anything was."), "\(empty.screen)")
    var narrow = empty
    narrow.take(.terminal(.resized(Size(columns: 40, rows: 10))))
    #expect(narrow.screen.description.contains("J has what was"), "\(narrow.screen)")
    #expect(empty.typing("J").screen.description.contains("Reminder 77"), "\(empty.typing("J").screen)")
    let palette = desk.typing(":log of the store<enter>")
    #expect(palette.screen.description.contains("Reminder 77"), "\(palette.screen)")
  }

  @Test func itsActsAreSearched() {
    let found = desk().typing("J/reminder 30<enter>")
    #expect(found.screen.description.contains("▸11:40:02  written: Reminder 30"), "\(found.screen)")
    let phone = desk().typing("J/phone<enter>")
    #expect(phone.screen.description.contains("5 of 200 or more"), "\(phone.screen)")
    #expect(phone.typing("n").screen.description.contains("10 of 200"))
    #expect(phone.typing("nN").screen.description.contains("5 of 200"))
    #expect(phone.typing("N").screen.description.contains("200 of "))
    #expect(
      desk().typing("J/cake<enter>").state.status == .failed("None of 200 acts has cake. G reads older ones.")
    )
    #expect(desk().typing("J/cake<esc>").state.topic == .text)
    #expect(desk(entries: 9).typing("J/cake<enter>").state.status == .failed("None of 9 acts has cake."))
    #expect(
      desk().typing("JP/phone<enter>").state.status?.text == "What is hidden is not searched. P shows it.")
  }

  /// What narrows it and words stand beside each other; n and N go on in what is left.
  @Test func itIsNarrowed() {
    let written = desk(entries: 9).typing("<enter>s<esc>J/kind:write<enter>")
    #expect(written.screen.description.contains("/ kind:write   1 of 9\n"), "\(written.screen)")
    #expect(!written.screen.description.contains("taken"), "\(written.screen)")
    let decided = written.typing("/kind:deci<enter>")
    #expect(decided.screen.description.contains("1 of 1\n") && decided.screen.description.contains("taken"))
    #expect(decided.typing("/<c-u><enter>").screen.description.contains("1 of 10\n"))
    let young = desk(entries: 9).typing("J/age:<lt>4m<enter>")
    #expect(young.screen.description.contains("1 of 3\n"), "\(young.screen)")
    #expect(desk().typing("J/id:7:rem<enter>").screen.description.contains("Reminder 7"))
    let phone = desk(entries: 20).typing("J/age:8m phone<enter>")
    #expect(phone.screen.description.contains("3 of 13"), "\(phone.screen)")
    #expect(phone.typing("n").screen.description.contains("8 of 13"), "\(phone.typing("n").screen)")
    let none = desk(entries: 9).typing("J/kind:undo<enter>").screen.description
    #expect(none.contains("None of 9 acts is of that. / changes what is looked for."), "\(none)")
    let wrong = desk(entries: 9).typing("J/kind:cake<enter>").state.status
    #expect(wrong?.text.hasPrefix("There is no kind:cake; after kind: goes decision, refusal") == true)
    #expect(desk(entries: 9).typing("J/kind:write<enter>P").screen.description.contains("/ ***"))
  }

  /// As in the list Esc shows all again, at the act that was on top; what is no kind narrows nothing.
  @Test func whatNarrowsItIsClearedFirst() {
    let narrowed = desk(entries: 9).typing("J/id:7:rem<enter>")
    #expect(narrowed.screen.description.contains("Esc clear"), "\(narrowed.screen)")
    #expect(!narrowed.screen.description.contains("h Esc"), "\(narrowed.screen)")
    let all = narrowed.typing("<esc>")
    #expect(
      all.screen.description.contains("7 of 9\n") && all.screen.description.contains("▸"), "\(all.screen)")
    #expect(all.typing("<esc>").state.topic == .list)
    let wrong = narrowed.typing("/kind:bogus<enter>")
    #expect(wrong.screen.description.contains("/ id:7:rem   1 of 1") && wrong.state.status?.isFailure == true)
  }

  /// What is looked for may be far back: it is read until a screen is full of it, or there is no more.
  @Test func olderActsAreReadForIt() {
    let desk = desk().typing("J/id:900<enter>")
    #expect(desk.screen.description.contains("Reminder 900"), "\(desk.screen)")
    let asked = desk.effects.compactMap { if case .readLogOfStore(let limit) = $0 { limit } else { nil } }
    #expect(asked == [200, 400, 800, 1600])
  }

  @Test func theActOnTopIsCopied() {
    let log = desk(entries: 9).typing("Jjjjj")
    guard case .copy(.text(let act, of: let name))? = log.typing("y").effects.last else {
      return #expect(Bool(false), "\(log.screen)")
    }
    #expect(name == "the act on top" && act.contains("Reminder 5"), "\(act)")
    #expect(act.contains("\n    note: as she said on the phone") && !act.contains("Reminder 6"), "\(act)")
    #expect(TestDesk().typing("Jy").state.status == .told("There is nothing here that could be copied."))
  }

  /// No more is read than somebody came to.
  @Test func itIsReadPartByPart() {
    var desk = desk().typing("J")
    func asked() -> [Int] {
      desk.effects.compactMap { if case .readLogOfStore(let limit) = $0 { limit } else { nil } }
    }
    #expect(asked() == [200] && desk.screen.description.contains("1 of 200 or more"))
    desk.type("<pagedown><pagedown>")
    #expect(asked() == [200])
    desk.type("G")
    #expect(asked() == [200, 400] && desk.screen.description.contains("Reminder 200"), "\(desk.screen)")
    desk.type("GGG")
    #expect(asked() == [200, 400, 800, 1600])
    desk.type("G")
    #expect(asked().count == 4 && desk.screen.description.contains("Reminder 1000"), "\(desk.screen)")
    #expect(desk.screen.description.contains("of 1000 ") == false, "\(desk.screen)")
    #expect(desk.typing("g").screen.description.contains("1 of 1000"))
  }

  /// A law: by single lines everything is seen in its order, down and up again, at every width.
  @Test(arguments: [(40, 10), (80, 24)]) func everyLineIsScrolledPast(columns: Int, rows: Int) {
    var desk = desk(columns, rows, entries: 40).typing("J")
    func lines() -> [String] {
      Array(
        desk.screen.description.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)[
          2..<(rows - 2)
        ].map { " " + $0.dropFirst() })
    }
    var screens = [lines()]
    for _ in 0..<500 {
      desk.type("j")
      if lines() == screens.last { break }
      #expect(Array(lines().dropLast()) == Array(screens[screens.count - 1].dropFirst()))
      screens.append(lines())
    }
    #expect(screens.last?.joined().contains("phone") == true && desk.screen.description.contains("of 40"))
    for screen in screens.reversed().dropFirst() {
      desk.type("k")
      #expect(lines() == screen)
    }
    #expect(desk.typing("Gg").screen == desk.screen && desk.typing("G").typing("k").screen != desk.screen)
  }

  /// What others do meanwhile comes above what is read.
  @Test func whatIsReadStaysInSight() {
    var desk = desk().typing("J<pagedown>")
    let before = desk.screen.description.split(separator: "\n")[2]
    desk.writes.insert(Self.entry(0), at: 0)
    desk.take(.logOfStore(Array(desk.writes.prefix(200))))
    #expect(desk.screen.description.split(separator: "\n")[2] == before)
  }

  @Test func hiddenItTellsNothing() {
    let screen = desk().typing("JP").screen.description
    #expect(!screen.contains("Reminder") && screen.contains("P shows"), "\(screen)")
  }

  @Test func anEmptyLogSaysSo() {
    #expect(TestDesk().typing("J").screen.description.contains("Nothing was decided so far, and nothing"))
    let narrow = TestDesk(columns: 40, rows: 10).typing("J").screen.description
    #expect(narrow.contains("written.") && !narrow.contains("nothi›"), "\(narrow)")
  }
}
