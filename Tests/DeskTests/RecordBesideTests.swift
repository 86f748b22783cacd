import Merging
import StoreInterface
import Terminal
import Testing

@testable import Desk

/// What stands beside a wide record says what is so, and nothing else.
@Suite struct RecordBesideTests {
  private func screen(
    _ record: RecordConflict, _ keys: String = "<enter>", access: StoreAccess = .writable, columns: Int = 200
  ) -> String {
    let desk = TestDesk([record], findings: [], columns: columns, rows: 50, access: access)
    return desk.typing(keys).screen.description
  }

  @Test func itStandsThereOnlyWhereTheRecordKeepsItsRoom() {
    #expect(screen(Sample.dentist, columns: 194).contains("What happens next"))
    #expect(!screen(Sample.dentist, columns: 193).contains("What happens next"))
  }

  /// Its distance from now is more than there are numbers for.
  @Test func aTimeBeforeAllTimesIsDrawn() {
    let record = Sample.edit(
      "12:reminders", title: "Milk", client: ["due": .text("2026-11-25 00:00:00.000")], at: .min,
      server: ["due": (.text("2026-11-24 00:00:00.000"), .min)])
    #expect(screen(record).contains("no edit is ahead of this clock"))
  }

  @Test func whatIsLeftToDecideIsTheFirstStep() {
    #expect(screen(Sample.dentist).contains("1  you decide list; A accepts the"))
    #expect(screen(Sample.sure).contains("1  A accepts what is suggested"))
    #expect(screen(Sample.deletedOnServer).contains("1  you decide the whole row: c or s"))
    #expect(screen(Sample.sure, "<enter>A").contains("1  w shows what will be written, Y"))
  }

  @Test func oneThatIsLeftHasNoNumber() {
    let record = Sample.edit(
      "12:reminders", title: "Milk", client: ["due": .text("2026-11-25 00:00:00.000")], at: Sample.now,
      server: ["due": (.text("2026-11-24 00:00:00.000"), Sample.now), "priority": (.integer(3), Sample.now)])
    #expect(screen(record).contains("1  you decide due; A accepts the"))
    #expect(!screen(record).contains("the other 1"))
  }

  @Test func aRecordThatCannotBeWrittenIsNotPromisedAWrite() {
    var record = Sample.sure
    record.details.notWritable = "its archive is damaged"
    let screen = screen(record)
    #expect(screen.contains("! it cannot be written, as said") && !screen.contains("Y writes it"))
  }

  @Test func aRecordThatWaitsHasNothingToDecide() {
    var record = Sample.sure
    record.details.waitingSince = Sample.now - Sample.minute
    let screen = screen(record)
    #expect(screen.contains("1  its draft waits for the app") && !screen.contains("A accepts what"))
  }

  @Test func whoKeepsTheStoreIsNamed() {
    let screen = screen(Sample.sure, access: .readOnly(reason: "Reminders (pid 4242) has it open."))
    #expect(screen.contains("! Reminders (pid 4242) has it open.") && !screen.contains("✓ drafts can be"))
  }

  @Test func anEditOfTheFutureIsDoubted() {
    let ahead = Sample.edit(
      "12:reminders", title: "Milk", client: ["notes": .text("2%")], at: Sample.now,
      server: ["priority": (.integer(3), Sample.now + 5 * Sample.minute)])
    #expect(screen(ahead).contains("! the server's newest edit: in 5m"))
    #expect(screen(Sample.sure).contains("✓ no edit is ahead of this clock"))
  }

  @Test func aValueOfAnotherTypeIsNamed() {
    let odd = Sample.edit(
      "12:reminders", title: "Milk", client: ["priority": .text("high")], at: Sample.now, server: [:])
    #expect(screen(odd).contains("! priority is of another type"))
    #expect(screen(Sample.sure).contains("✓ types fit the columns"))
  }

  /// What a wide screen has beside the record is read on any other.
  @Test func whatStandsBesideIsReadOnANarrowScreen() {
    let desk = TestDesk().typing("<enter>i")
    #expect(desk.state.topic == .text)
    for words in ["What happens next", "Checks"] {
      #expect(desk.screen.description.contains(words), "\(desk.screen)")
    }
    #expect(desk.typing("G").screen.description.contains("record name"), "\(desk.typing("G").screen)")
    #expect(!desk.typing("P").screen.description.contains("record name"))
  }

  /// The lines of a section are broken once: none of them is filled up, and then broken behind its end.
  @Test(arguments: [40, 60, 80]) func whatIsReadIsBrokenForItsScreen(columns: Int) {
    var info = Sample.store
    info.writing = String(repeating: "Straight into the database and its queue. ", count: 4)
    let desk = TestDesk(columns: columns, rows: 24, store: info).typing("<enter>i")
    let alone: Set<String> = ["the", "its", "and"]
    for keys in ["", "<pagedown>", "G"] {
      let screen = desk.typing(keys).screen.description
      let words = screen.split(separator: "\n").map { $0.split(separator: " ").joined(separator: " ") }
      #expect(alone.isDisjoint(with: words), "\(screen)")
    }
    var other = TestDesk(columns: 100, rows: 24, store: info).typing("<enter>i")
    other.take(.terminal(.resized(Size(columns: columns, rows: 24))))
    #expect(other.screen == desk.screen, "\(other.screen)")
  }

  /// A page with nothing but its heading tells nobody why.
  @Test(arguments: ["", "4", "5"]) func ofARehearsalWithoutAStoreNothingIsTold(whatIf: String) {
    var store = Sample.store
    store.can = []
    let desk = TestDesk([], findings: [], store: store).typing("L\(whatIf)ti")
    #expect(desk.state.topic == .record, "\(desk.screen)")
    let words = "A rehearsal is in no store, so nothing else is known of it."
    #expect(desk.state.status == .told(words), "\(desk.screen)")
  }

  @Test func aStoreThatCannotBeWrittenIsToldInTheRecord() {
    let isTold = { (access: StoreAccess) in
      TestDesk(access: access).typing("<enter>").screen.description.contains("read-only   ")
    }
    #expect(isTold(.readOnly(reason: "in use")) && !isTold(.writable))
  }
}
