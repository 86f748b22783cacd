import Foundation
import GRDB
import Merging
import StoreInterface
import Testing

@testable import SQLiteDataStores
@testable import SQLiteFiles

/// A copy is decided and written, and put back over the files that it was made of.
struct PutBackTests {
  private let device: TestFolder
  private let copy: TestFolder
  private let path = "Reminders.sqlite"

  /// The app has made edits that lie in its `-wal` alone, and was ended.
  init() throws {
    let (device, copy) = (try TestFolder(), try TestFolder())
    (self.device, self.copy) = (device, copy)
    let folder = try TestFolder()
    let queue = try DatabaseQueue(path: Demo.make(in: folder))
    defer { try? queue.close() }
    try queue.writeWithoutTransaction { db in
      try db.execute(sql: "PRAGMA journal_mode = WAL; PRAGMA wal_autocheckpoint = 0")
      try db.execute(sql: "UPDATE reminders SET notes = 'in the log' WHERE notes IS NOT NULL")
      try db.execute(sql: ParleyTables.outbox)
      for other in [device, copy] { try other.copyContents(of: folder.path) }
    }
  }

  private func write(_ route: WriteRoute = .direct) throws -> PlannedWrite {
    let store = try SQLiteDataStore.open(
      path: copy.path(path), access: .writing, route: route, clock: { Demo.now })
    let planned = try #require(try plan(Demo.reminder(42), in: store))
    #expect(try store.write([planned], note: nil).map(\.outcome) == [.fine])
    return planned
  }

  /// Whoever does so with `cp` leaves what the copy does not have.
  @Test func whatWasWrittenIsThereThoughTheOldLogWas() throws {
    let planned = try write()
    for name in try copy.contents().keys {
      try? FileManager.default.removeItem(atPath: device.path(name))
      try FileManager.default.copyItem(atPath: copy.path(name), toPath: device.path(name))
    }
    let queue = try DatabaseQueue(path: device.path(path))
    let title = try queue.read {
      try String.fetchOne($0, sql: "SELECT title FROM reminders WHERE id = ?", arguments: [Demo.key(42)])
    }
    #expect(try queue.read { try String.fetchOne($0, sql: "PRAGMA integrity_check") } == "ok")
    #expect(title.map(Value.text) == planned.draft["title"])
  }

  @Test(arguments: WriteRoute.allCases) func whatStaysOfTheLogIsEmpty(route: WriteRoute) throws {
    _ = try write(route)
    #expect(FileStatus(path: copy.path(path + "-wal"))?.size == 0)
  }

  @Test func noLogStaysWhereNoneWas() throws {
    let queue = try DatabaseQueue(path: copy.path(path))
    _ = try queue.read { try Int.fetchOne($0, sql: "SELECT count(*) FROM reminders") }
    try queue.close()
    #expect(FileStatus(path: copy.path(path + "-wal")) == nil)
    _ = try write()
    #expect(FileStatus(path: copy.path(path + "-wal")) == nil)
  }
}
