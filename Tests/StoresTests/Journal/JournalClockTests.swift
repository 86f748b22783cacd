import Merging
import Synchronization
import Testing

@testable import Journals
@testable import RowJournals
@testable import SQLiteDataStores
@testable import SQLiteFiles
@testable import StoreInterface

/// Which decisions a write has written, whatever becomes of the clock meanwhile.
struct JournalClockTests {
  private let folder: TestFolder
  private let journal: Journal
  private let clock = Clock()

  init() throws {
    folder = try TestFolder()
    journal = Journal(path: folder.path("Reminders.parley.sqlite"), clock: { [clock] in clock.time })
  }

  private func decide(_ side: Side) throws {
    try journal.append([
      Decision(id: "a:b", subject: .record, choice: .take(side), fingerprint: "00ff", decidedAt: clock.time)
    ])
  }

  private func begin() throws -> Int64 {
    var intent = try journal.intent(undoes: nil, note: nil, lastDecision: journal.lastDecision())
    let change = StoredChange(
      file: .app, table: "b", key: ["id": .text("a")], before: ["title": .text("Milk")],
      after: ["title": .text("Oat milk")])
    try intent.append(RecordChanges(record: "a:b", title: "Milk", changes: [change]))
    return try #require(try intent.flush())
  }

  private func write() throws { try journal.finish(begin()) }

  private func isWritten() throws -> Bool? { try written().map { $0 == .yes } }

  /// Killed, and the app went on before it was finished: nobody knows how much of it was written. What was decided holds for that conflict,
  /// and not for one that looks the same.
  @Test func aWriteThatWasLeftMayHaveWrittenIt() throws {
    try decide(.client)
    #expect(try written() == .no)
    let begun = try begin()
    #expect(try written() == .perhaps, "nobody has finished it yet")
    try journal.append([Receipt("a:b", .left)], of: begun)
    #expect(try written() == .perhaps)
    let told = try journal.history(of: "a:b").map(\.event).compactMap {
      if case .decided(let it) = $0 { it.written } else { nil }
    }
    #expect(told == [.perhaps])
    try write()
    #expect(try written() == .yes)
  }

  /// Only the times were asked for it, and those of its receipts come after all that was decided meanwhile.
  @Test func whatIsDecidedBeforeItIsFinishedIsNotWritten() throws {
    try decide(.client)
    let begun = try begin()
    clock.time += 1
    try decide(.server)
    #expect(try written() == .no, "nobody has finished it yet")
    clock.time += 1
    try journal.append([Receipt("a:b", .completed)], of: begun)
    #expect(try written() == .no)
    let told = try journal.history(of: "a:b").map(\.event).compactMap {
      if case .decided(let it) = $0 { it.written } else { nil }
    }
    #expect(told == [.no, .yes])
  }

  /// It may have the journal open still when another one brings that up.
  @Test func whatAParleyOfBeforeHasWrittenItsTimesTell() throws {
    func forget() throws {
      try journal.write { try $0.execute(sql: "UPDATE intents SET lastDecision = NULL") }
    }
    try decide(.client)
    try write()
    try forget()
    #expect(try written() == .yes)
    clock.time += 1
    try decide(.server)
    #expect(try written() == .no)
    _ = try begin()
    try forget()
    #expect(try written() == .perhaps)
  }

  @Test(arguments: [
    (Receipt.Outcome.rolledBack, Decision.Written.no), (.notDone, .no), (.completed, .yes), (.written, .yes),
  ]) func whatBecameOfAWriteTellsWhetherItIsWritten(outcome: Receipt.Outcome, expected: Decision.Written)
    throws
  {
    try decide(.client)
    try journal.append([Receipt("a:b", outcome)], of: begin())
    #expect(try written() == expected)
  }

  private func written() throws -> Decision.Written? { try journal.decisions(for: ["a:b"]).last?.written }

  @Test(arguments: [1000, 500, 2000] as [Int64]) func itsRecordIsDecidedAndWrittenAgain(time: Int64) throws {
    try decide(.client)
    #expect(try isWritten() == false)
    try write()
    #expect(try isWritten() == true)
    clock.time = time + 1
    try decide(.server)
    #expect(try isWritten() == false)
    clock.time = time - 400
    try write()
    #expect(try isWritten() == true)
  }
}

private final class Clock: Sendable {
  private let now = Mutex<Int64>(1000)

  var time: Int64 {
    get { now.withLock(\.self) }
    set { now.withLock { $0 = newValue } }
  }
}
