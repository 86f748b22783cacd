import Foundation
import GRDB
import Merging
import Testing

@testable import SQLiteDataStores

/// Bytes in, bytes out: what a column holds is what the journal gives back.
struct JournalExactnessTests {
  static let id = Demo.reminder(25)

  let folder: TestFolder
  let path: String
  let files: StoreFilesInspector

  init() throws {
    folder = try TestFolder()
    path = try Demo.make(in: folder)
    files = try StoreFilesInspector(path)
  }

  private func open() throws -> SQLiteDataStore {
    try SQLiteDataStore.open(path: path, access: .writing, clock: { WriteTests.time })
  }

  /// `notes` is in conflict and written, the other column beside it is not.
  private func put(_ value: Value) throws {
    let column =
      switch value {
      case .integer: "priority"
      case .real: "estimate"
      case .blob: "cover"
      case .text, .opaque, .null: "title"
      }
    if value != .null {
      try files.run("UPDATE reminders SET \(column) = ? WHERE id = ?", [value, .text(Demo.key(25))])
    }
    if column == "title" {
      try files.run("UPDATE reminders SET notes = ? WHERE id = ?", [value, .text(Demo.key(25))])
    }
  }

  private func write(_ store: SQLiteDataStore) throws {
    let planned = try #require(try plan(Self.id, in: store, [.field("notes"): .take(.server)]))
    #expect(try store.write([planned], note: nil).map(\.outcome) == [.fine])
  }

  @Test(arguments: HardValues.all)
  func aWriteAndItsUndoLeaveEveryByteAsItWas(value: Value) throws {
    try put(value)
    let before = try files.dump()
    let store = try open()
    try write(store)
    #expect(try files.dump() != before)
    #expect(try store.undoLastWrite().map(\.outcome) == [.fine])
    #expect(try files.dump() == before)
  }

  /// As if Parley had died between the commits of the two files.
  @Test(arguments: HardValues.texts)
  func anInterruptedWriteIsFinishedWhateverTheTextsAre(text: String) throws {
    try put(.text(text))
    let store = try open()
    let metadatabase = try folder.contents().filter { $0.key.contains("metadata") }
    try write(store)
    let after = try files.dump()
    try store.log.write { db in try db.run("DELETE FROM receipts") }
    store.log.close()
    for (name, contents) in metadatabase { try contents.write(to: URL(filePath: folder.path(name))) }
    let next = try open()
    #expect(try files.dump() == after)
    #expect(try next.journal.entries(limit: 1).map(\.kind) == [.interrupted])
    #expect(try next.undoLastWrite().map(\.outcome) == [.fine])
  }
}
