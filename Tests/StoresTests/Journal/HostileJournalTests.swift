import GRDB
import Merging
import Testing

@testable import Journals
@testable import RowJournals
@testable import SQLiteDataStores
@testable import SQLiteFiles
@testable import StoreInterface

/// A journal that somebody changed between two runs: nothing it says is done without a check, and nothing of it crashes.
struct HostileJournalTests {
  static let id = Demo.reminder(12)

  let folder: TestFolder
  let path: String
  let files: StoreFilesInspector

  init() throws {
    folder = try TestFolder()
    path = try Demo.make(in: folder)
    files = try StoreFilesInspector(path)
    let store = try open()
    let planned = try #require(try plan(Self.id, in: store))
    #expect(try store.write([planned], note: nil).map(\.outcome) == [.fine])
    store.log.close()
  }

  private func open() throws -> SQLiteDataStore {
    try SQLiteDataStore.open(path: path, access: .writing, clock: { WriteTests.time })
  }

  private func change(_ sql: String, _ arguments: [Value] = []) throws {
    let queue = try DatabaseQueue(path: folder.path("Reminders.parley.sqlite"))
    try queue.writeWithoutTransaction { db in
      try db.execute(sql: "PRAGMA foreign_keys = OFF; PRAGMA ignore_check_constraints = ON")
      try db.run(sql, arguments)
    }
    try queue.close()
  }

  /// What a payload could be made into.
  static let payloads: [Value] = [
    .blob(Blob(bytes: [])), .blob(Blob(bytes: [1])), .blob(Blob(bytes: Array("{\"title\":1}".utf8))),
    .blob(Blob(bytes: [1, 1, 0x61, 99])),
    .blob(Blob(bytes: [1, 1, 0x61, 5] + Array(repeating: 0xFF, count: 9))), .null,
  ]

  private func refuses(_ what: String) throws {
    let before = try files.dump()
    let store = try open()
    _ = try store.journal.entries(limit: 9)
    _ = try store.lastWrite()
    let outcomes = try store.undoLastWrite().map(\.outcome)
    guard case .refused(nil, let reason)? = outcomes.first, outcomes.count == 1 else {
      Issue.record("\(what): \(outcomes)")
      return
    }
    #expect(reason.contains("Reminders.parley.sqlite") && reason.contains("backup"), "\(reason)")
    #expect(try files.dump() == before)
  }

  @Test(arguments: payloads)
  func aChangedPayloadIsNoticedAndRefused(payload: Value) throws {
    try change("UPDATE records SET payload = ?", [payload])
    try refuses("\(payload)")
  }

  @Test(arguments: [
    "UPDATE records SET kind = 'others'", "DELETE FROM records", "UPDATE records SET title = 'x'",
    "UPDATE records SET checksum = x''", "DELETE FROM blobs", "UPDATE blobs SET bytes = x'00'",
    "UPDATE records SET record = 'x'", "INSERT INTO marks SELECT 1, intent, record, 0 FROM records",
  ])
  func whatElseIsChangedInItIsNoticedAsWell(sql: String) throws {
    try change(sql)
    try refuses(sql)
  }

  /// With a checksum that fits.
  private func rewrite(_ edit: (inout StoredChange) -> Void) throws {
    let kept = try #require(try open().log.newestWrite()?.intent)
    var record = try open().log.changes(of: kept.records[0], in: kept.id)
    edit(&record.changes[0])
    try change("DELETE FROM records")
    let journal = try open().log
    try journal.write { db in try RecordIntent(record).insert(0, of: kept.id, in: db) }
    journal.close()
  }

  /// That it changed nothing would be untrue.
  @Test func whatAWriteChangedOfWhichTheChecksumDiffersIsToldAsNotKnown() throws {
    try change("UPDATE records SET checksum = x'00'")
    let store = try open()
    let entry = try #require(try store.journal.history(of: Self.id).first { $0.kind == .write })
    #expect(entry.changes.damage == "its checksum differs" && entry.changes.fields.isEmpty)
    #expect(try store.lastWrite()?.records.map(\.changes.damage) == ["its checksum differs"])
    try change("UPDATE receipts SET outcome = 'rolledBack'")
    #expect(try open().journal.history(of: Self.id).allSatisfy { $0.changes.damage == nil })
    try change("UPDATE receipts SET outcome = 'left'")
    let left = try #require(try open().journal.entries(limit: 9).first { $0.left != nil })
    #expect(left.changes.damage == "its checksum differs" && left.left?.fields.isEmpty == true)
  }

  @Test func aHashInThePlaceOfBytesIsRefused() throws {
    try rewrite { $0.before?["title"] = .blob(Blob(sha256: Array(repeating: 7, count: 32), count: 9)) }
    try refuses("a hash")
  }

  @Test func aRowWithoutAKeyIsRefused() throws {
    try rewrite {
      $0 = StoredChange(file: .app, table: $0.table, key: [:], before: $0.before, after: $0.after)
    }
    try refuses("no key")
  }

  /// The app may have changed the table since, too.
  @Test(arguments: [true, false])
  func aColumnThatIsGoneIsNamed(isInterrupted: Bool) throws {
    try rewrite { $0.before?["colour"] = .text("red") }
    if isInterrupted { try change("DELETE FROM receipts") }
    let words = #"the table reminders has no column "colour" any more"#
    let store = try open()
    if isInterrupted {
      #expect(try store.journal.entries(limit: 1).first?.text.hasSuffix(words) == true)
    } else {
      #expect(try store.undoLastWrite().map(\.outcome) == [.refused(field: "colour", words)])
    }
  }

  /// An interrupted write that cannot be relied on is left, and keeps nobody from opening the store.
  @Test(arguments: [
    "UPDATE records SET payload = x'ff'", "UPDATE records SET kind = 'gone'",
    "UPDATE records SET payload = NULL",
  ])
  func anIntentThatCannotBeReadIsLeft(sql: String) throws {
    try change("DELETE FROM receipts")
    try change(sql)
    let before = try files.dump()
    let store = try open()
    let entry = try #require(try store.journal.entries(limit: 1).first)
    #expect(entry.kind == .interrupted && entry.text.contains("left alone") && entry.text.contains("backup"))
    #expect(try files.dump() == before)
  }

  @Test(arguments: [
    "UPDATE intents SET undoes = id", "UPDATE intents SET undoes = 99", "DELETE FROM intents",
    "INSERT INTO receipts SELECT intent, 'nobody:x', 'written', NULL, 9223372036854775807 FROM receipts",
    "UPDATE stores SET kind = '', file = '..'", "DELETE FROM stores", "UPDATE decisions SET fingerprint = ''",
  ])
  func oddConnectionsNeitherCrashNorChangeTheStore(sql: String) throws {
    try change(sql)
    let before = try files.dump()
    let store = try open()
    _ = try? store.journal.entries(limit: 9)
    _ = try? store.lastWrite()
    _ = try? store.undo(.record("nobody:x"))
    #expect(try files.dump() == before)
  }
}
