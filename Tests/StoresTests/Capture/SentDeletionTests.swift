import Merging
import Testing

@testable import KeyedArchives
@testable import SQLiteDataStores
@testable import SQLiteFiles
@testable import StoreInterface

/// A record that was deleted here and edited there, where the app sent the deletion before anybody decided: the server has the
/// record no more, the engine has forgotten it, and the row is there as it was put back when the edit came in.
@Suite struct SentDeletionTests {
  let folder: TestFolder
  let app: PlayedApp
  static let milk = "1:notes"

  init() throws {
    folder = try TestFolder()
    app = try PlayedApp(in: folder)
    try app.capture()
    try app.receive(Self.record("a", 10, title: "Milk"), at: 100)
    try app.edit(at: 150, "DELETE FROM notes")
    try app.receive(Self.record("b", 160, title: "Oat milk"), at: 200)
    #expect(try app.send(Self.milk, tag: "c", at: 250) == nil)
  }

  private static func record(_ tag: String, _ time: Int64, title: String) -> ArchivedRecord {
    .sample(
      milk, tag: tag, serverTime: time,
      [
        "id": (.string("1"), 10), "title": (.string(title), time), "body": (nil, 10), "rank": (nil, 10),
        "size": (nil, 10), "picture": (nil, 10), "seenAt": (nil, 10),
      ])
  }

  private func decide(_ side: Side, _ route: WriteRoute) throws {
    let store = try SQLiteDataStore.open(
      path: app.path, access: .writing, route: route, clock: { 300 })
    let planned = try #require(try plan(Self.milk, in: store, [.record: .take(side)]))
    #expect(planned.seen.details.rowIsBack)
    #expect(try store.write([planned], note: nil).map(\.outcome) == [.fine])
    #expect(try summaries(of: store).isEmpty == (route == .direct))
  }

  private static let known = "_lastKnownServerRecordAllFields, lastKnownServerRecord, _isDeleted"

  @Test func isKeptByAnUploadOfANewRecord() throws {
    try app.close()
    try decide(.server, .direct)
    let files = try StoreFilesInspector(app.path)
    #expect(try files.value("SELECT title FROM notes") == .text("Oat milk"))
    #expect(try files.pending(Self.milk).map(\.kind) == [.save])
    #expect(try files.metadata(Self.known, Self.milk) == [.null, .null, .integer(0)])
    #expect(try files.metadata("userModificationTime", Self.milk) == [.integer(300)])
  }

  @Test func isKeptByTheAppWithoutAnAncestor() throws {
    try decide(.server, .outbox)
    try app.drainOutbox(at: 400)
    #expect(try app.rows("SELECT title FROM notes") == [[.text("Oat milk")]])
    #expect(app.queued == [Self.milk: .save])
    #expect(try app.lastKnown(Self.milk) == nil)
  }

  @Test func isDeletedWithItsRow() throws {
    try app.close()
    try decide(.client, .direct)
    #expect(try StoreFilesInspector(app.path).value("SELECT count(*) FROM notes") == .integer(0))
  }
}
