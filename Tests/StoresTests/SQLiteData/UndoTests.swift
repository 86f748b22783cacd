import Merging
import Testing

@testable import Stores

struct UndoTests {
  let folder: TestFolder
  let store: SQLiteDataStore
  let files: StoreFilesInspector

  init() throws {
    folder = try TestFolder()
    let path = try Demo.make(in: folder)
    store = try SQLiteDataStore.open(path: path, access: .writing, clock: { WriteTests.time })
    files = try StoreFilesInspector(path)
  }

  private func write(_ ids: [String], _ choices: [Subject: Choice] = [:]) throws {
    let planned = try ids.map { try #require(try plan($0, in: store, choices)) }
    #expect(try store.write(planned, note: nil).allSatisfy { $0.outcome == .fine })
  }

  @Test(arguments: [Side.client, .server])
  func undoBringsBackEveryRowOfEveryTable(side: Side) throws {
    let before = try files.dump()
    try write([Demo.reminder(91), Demo.reminder(92)], [.record: .take(side)])
    try write([42, 29, 24, 30].map(Demo.reminder), [.field("cover"): .take(.client)])
    #expect(try store.undoLastWrite().map(\.outcome) == [.fine, .fine, .fine, .fine])
    #expect(try store.undoLastWrite().map(\.id) == [Demo.reminder(91), Demo.reminder(92)])
    #expect(try files.dump() == before)
    #expect(throws: StoreError.nothingToUndo) { try store.undoLastWrite() }
  }

  @Test func decisionsAreStillThereAfterwards() throws {
    let conflict = try store.conflict(Demo.reminder(12))
    let decision = Decision(
      id: conflict.id, subject: .field("title"), choice: .edit(.text("Oat milk")),
      fingerprint: conflict.fingerprint(of: .field("title")), decidedAt: 7)
    try store.journal.append([decision])
    try write([conflict.id], [.field("title"): .edit(.text("Oat milk"))])
    _ = try store.undoLastWrite()
    #expect(try store.journal.decisions(for: [conflict.id]) == [decision])
    #expect(try summaries(of: store).first { $0.id == conflict.id }?.undecided == 1)
  }

  @Test(arguments: [
    ("UPDATE reminders SET notes = 'Oat' WHERE id = '\(Demo.key(12))'", "the row"),
    ("DELETE FROM sqlitedata_icloud_pendingRecordZoneChanges", "its pending change"),
    ("UPDATE sqlitedata_icloud_metadata SET userModificationTime = 7", "its sync metadata"),
  ])
  func whatMovedSinceIsLeftAlone(change: String, what: String) throws {
    try write([Demo.reminder(12)])
    try files.run(change)
    let before = try files.dump()
    #expect(try store.undoLastWrite().map(\.outcome) == [.moved("\(what) changed since it was written")])
    #expect(try files.dump() == before)
  }

  @Test func aWriteAfterAnUndoCanBeTakenBackAsWell() throws {
    let before = try files.dump()
    for _ in 1...2 {
      try write([Demo.reminder(12)])
      #expect(try store.undoLastWrite().map(\.outcome) == [.fine])
    }
    #expect(try files.dump() == before)
    #expect(try store.journal.entries(limit: 10).map(\.kind) == [.undo, .write, .undo, .write])
  }
}
