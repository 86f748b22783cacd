import Merging
import Testing

@testable import KeyedArchives
@testable import SQLiteDataStores
@testable import SQLiteFiles
@testable import StoreInterface

/// A conflict was captured, what the engine made of it was uploaded, and then somebody deleted the record: the engine forgets it, be it that
/// a deletion made here was sent or that one was fetched.
@Suite struct GoneSinceTests {
  let folder: TestFolder
  let app: PlayedApp
  static let milk = "1:notes"
  /// Times as devices have them: nine bytes.
  static let start: Int64 = 1_790_000_000_000_000_000

  enum Deleted: CaseIterable, Sendable { case here, elsewhere }

  init() throws {
    folder = try TestFolder()
    app = try PlayedApp(in: folder)
    try app.capture()
    try app.receive(Self.record("a", 10, title: "Milk"), at: Self.start + 100)
    try app.edit(at: Self.start + 150, "UPDATE notes SET title = 'Milk 2%'")
    try app.receive(Self.record("b", 160, title: "Oat milk"), at: Self.start + 200)
    try app.upload(Self.milk, tag: "c", at: Self.start + 250)
    #expect(try app.rows("SELECT 1 FROM parley_unsent").isEmpty)
  }

  private static func record(_ tag: String, _ time: Int64, title: String) -> ArchivedRecord {
    .sample(
      milk, tag: tag, serverTime: start / 1_000_000,
      [
        "id": (.string("1"), start), "title": (.string(title), start + time), "body": (nil, start),
        "rank": (nil, start), "size": (nil, start), "picture": (nil, start), "seenAt": (nil, start),
      ])
  }

  private func delete(_ side: Deleted) throws {
    switch side {
    case .here:
      try app.edit(at: Self.start + 300, "DELETE FROM notes")
      #expect(try app.send(Self.milk, tag: "d", at: Self.start + 310) == nil)
    case .elsewhere: try app.receiveDeletion(of: "notes", "true", at: Self.start + 300)
    }
    #expect(try app.rows("SELECT isDeleted FROM parley_inbox") == [[.integer(0)]])
    #expect(try app.rows("SELECT 1 FROM sqlitedata_icloud_metadata").isEmpty)
  }

  private func store() throws -> SQLiteDataStore {
    try SQLiteDataStore.open(path: app.path, access: .writing, route: .direct, clock: { Self.start + 400 })
  }

  @Test(arguments: Deleted.allCases) func nobodyHasDeletedItAndNothingIsSuggested(side: Deleted) throws {
    try delete(side)
    let conflict = try store().conflict(Self.milk)
    #expect(conflict.kind == .edit && !conflict.hasRow)
    let title = try #require(conflict["title"])
    #expect(title.client == FieldVersion(.text("Milk 2%"), time: Self.start + 150))
    #expect(title.server?.value == .text("Oat milk"))
    #expect(title.isOpenWithoutSuggestion && title.suggestion.reason == .goneSince)
    #expect(conflict.accepting(.yours, in: Resolution()).isEmpty)
    #expect(conflict.details.notes.contains { $0.hasPrefix("the record was deleted since") })
    #expect(try summaries(of: store()).map(\.certainty) == [.yours])
  }

  @Test(arguments: Deleted.allCases) func bothEditsAreGivenUpByWhoeverLeavesItDeleted(side: Deleted) throws {
    try delete(side)
    let conflict = try store().conflict(Self.milk)
    let losses = Losses(conflict).of(try #require(conflict.alternative(.delete)))
    let edits = ["the client", "the server"].map { Alternative.Loss.edits(by: $0, fields: ["title"]) }
    #expect(losses == edits, "\(losses)")
  }

  @Test(arguments: [(Side.client, "Milk 2%"), (.server, "Oat milk")])
  func aSideThatIsTakenIsMadeAgain(side: Side, title: String) throws {
    try delete(.elsewhere)
    try app.close()
    let store = try store()
    let planned = try #require(try plan(Self.milk, in: store, [.field("title"): .take(side)]))
    #expect(try store.write([planned], note: nil).map(\.outcome) == [.fine])
    let files = try StoreFilesInspector(app.path)
    #expect(try files.value("SELECT title FROM notes") == .text(title))
    #expect(try files.pending(Self.milk).map(\.kind) == [.save])
    #expect(try files.metadata("lastKnownServerRecord", Self.milk) == [.null])
    #expect(try files.inboxCount(Self.milk) == .integer(0))
  }

  /// Where something tells it.
  @Test func whatIsMarkedOrQueuedWasDeletedHere() throws {
    try app.edit(at: Self.start + 300, "DELETE FROM notes")
    #expect(try store().conflict(Self.milk).kind == .deletedOnClient)
    #expect(try app.send(Self.milk, tag: "d", at: Self.start + 310) == nil)
    #expect(try store().conflict(Self.milk).kind == .edit)
    let change = PendingZoneChange(
      kind: .delete, recordName: Self.milk, zoneName: Metadatabase.defaultZone,
      ownerName: Metadatabase.defaultOwner)
    let state = EngineState.json(EngineState.encoded(pending: [change]))
    let queues: [(String, Value)] = [
      ("INSERT INTO \(Metadatabase.pending) VALUES (?)", .blob(Blob(bytes: change.encoded()))),
      ("INSERT INTO \(Metadatabase.state) VALUES ('2', ?)", .text(state)),
    ]
    for (sql, value) in queues {
      try app.inTransaction { try $0.run(sql, [value]) }
      #expect(try store().conflict(Self.milk).kind == .deletedOnClient, "\(sql)")
      try app.inTransaction { db in
        try db.execute(sql: "DELETE FROM \(Metadatabase.pending); DELETE FROM \(Metadatabase.state)")
      }
    }
  }

  @Test func aRowThatIsMissingWithItsMetadataThereWasDeletedHere() throws {
    try app.inTransaction { db in
      try db.execute(sql: "DROP TRIGGER app_delete_notes; DELETE FROM notes")
    }
    #expect(try app.rows("SELECT _isDeleted FROM sqlitedata_icloud_metadata") == [[.integer(0)]])
    #expect(try store().conflict(Self.milk).kind == .deletedOnClient)
  }
}
