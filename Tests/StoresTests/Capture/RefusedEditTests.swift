import Merging
import Testing

@testable import KeyedArchives
@testable import SQLiteDataStores
@testable import StoreInterface

/// The server does not permit an edit of a record in somebody else's zone, and the engine puts the server's record in its place.
@Suite struct RefusedEditTests {
  private let app: PlayedApp
  private let folder: TestFolder
  private static let milk = "1:notes"

  init() throws {
    folder = try TestFolder()
    app = try PlayedApp(in: folder)
    try app.captureAll()
  }

  private static func record(
    _ tag: String, _ time: Int64, owner: String, body: (String, Int64) = ("1 l", 10)
  ) -> ArchivedRecord {
    var record = ArchivedRecord.milk(tag, time, title: ("Milk", 10), body: body)
    record.ownerName = owner
    return record
  }

  private func inbox() throws -> [InboxRow] {
    try SQLiteDataStore.open(path: app.path).read { try InboxRow.page(before: .max, limit: 9, in: $0) }
  }

  /// Whether or not the server has anything new besides.
  @Test(arguments: ["1 l", "2 l"]) func itIsKept(body: String) throws {
    try app.receive(Self.record("a", 10, owner: "_owner"), at: 100)
    try app.edit(at: 150, "UPDATE notes SET title = 'Milk 2%'")
    let isNew = body != "1 l"
    let server = Self.record(
      isNew ? "b" : "a", isNew ? 160 : 10, owner: "_owner", body: (body, isNew ? 160 : 10))
    try app.receive(server, isForced: true, at: 200)
    #expect(try app.rows("SELECT title, body FROM notes") == [[.text("Milk"), .text(body)]])
    #expect(try inbox().count == 1)
    let title = try #require(try SQLiteDataStore.open(path: app.path).conflict(Self.milk)["title"])
    #expect(title.client?.value == .text("Milk 2%") && title.server?.value == .text("Milk"))
    #expect(title.suggestion.certainty == .yours)
  }

  /// No trigger heard that edit.
  @Test func oneThatIsOlderThanTheCaptureIsKept() throws {
    try app.receive(Self.record("a", 10, owner: "_owner"), at: 100)
    try app.edit(at: 150, "UPDATE notes SET title = 'Milk 2%'")
    try app.inTransaction {
      try $0.execute(sql: "DELETE FROM parley_unsent; UPDATE parley_since SET time = 170")
    }
    try app.receive(Self.record("a", 10, owner: "_owner"), isForced: true, at: 200)
    #expect(try app.rows("SELECT title FROM notes") == [[.text("Milk")]])
    let title = try #require(try SQLiteDataStore.open(path: app.path).conflict(Self.milk)["title"])
    #expect(title.client?.value == .text("Milk 2%") && title.server?.value == .text("Milk"))
  }

  /// A row is left where the archive does not tell that it had no edit, as of times that are too short to be looked for; what is told of
  /// it is sure.
  @Test func ofWhatIsOlderThanTheCaptureAndWasNotEditedNobodyIsAsked() throws {
    try app.receive(Self.record("a", 10, owner: "_owner"), at: 100)
    try app.inTransaction { try $0.execute(sql: "UPDATE parley_since SET time = 170") }
    try app.receive(Self.record("b", 160, owner: "_owner", body: ("2 l", 160)), at: 200)
    #expect(try inbox().count == 1)
    let conflict = try SQLiteDataStore.open(path: app.path).conflict(Self.milk)
    #expect(conflict.fields.allSatisfy { [.unchanged, .onlyServer].contains($0.change) })
    let asked = conflict.fields.filter { $0.change != .unchanged && $0.suggestion.certainty != .sure }
    #expect(asked.isEmpty, "\(asked)")
  }

  /// The app deletes what is shared no longer as what was deleted.
  @Test(arguments: ["_owner", Metadatabase.defaultOwner])
  func ofADeletionThereItIsToldThatNobodyKnows(owner: String) throws {
    try app.receive(Self.record("a", 10, owner: owner), at: 100)
    try app.edit(at: 150, "UPDATE notes SET title = 'Milk 2%'")
    try app.receiveDeletion(of: "notes", "true", at: 200)
    let conflict = try SQLiteDataStore.open(path: app.path).conflict(Self.milk)
    #expect(conflict.kind == .deletedOnServer)
    #expect(conflict.details.notes.contains(InboxRow.ofOthers) == (owner == "_owner"))
  }

  @Test(arguments: ["_owner", Metadatabase.defaultOwner])
  func whatNobodyEditedLeavesNone(owner: String) throws {
    try app.receive(Self.record("a", 10, owner: owner), at: 100)
    try app.receive(Self.record("b", 160, owner: owner, body: ("2 l", 160)), at: 200)
    #expect(try app.rows("SELECT body FROM notes") == [[.text("2 l")]])
    #expect(try inbox().isEmpty)
  }
}
