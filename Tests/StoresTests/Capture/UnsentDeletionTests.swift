import Merging
import Testing

@testable import KeyedArchives
@testable import SQLiteDataStores
@testable import SQLiteFiles
@testable import StoreInterface

/// A row was deleted here, and the engine has put it back as another device's edit came in. The deletion still waits to be sent.
@Suite struct UnsentDeletionTests {
  let folder: TestFolder
  let app: PlayedApp
  static let milk = "1:notes"

  init() throws {
    folder = try TestFolder()
    app = try PlayedApp(in: folder)
    try app.capture()
    try app.receive(Self.record("a", 10, title: ("Milk", 10), body: ("1 l", 10)), at: 100)
    try app.edit(at: 150, "DELETE FROM notes")
    try app.receive(Self.record("b", 160, title: ("Oat milk", 160), body: ("1 l", 10)), at: 200)
    #expect(try app.rows("SELECT title, body FROM notes") == [[.text("Oat milk"), .text("1 l")]])
  }

  /// - Parameter made: when by the server's clock.
  private static func record(
    _ tag: String, _ time: Int64, title: (String, Int64), body: (String, Int64), madeAt made: Int64 = 1
  ) -> ArchivedRecord {
    var record = ArchivedRecord.milk(tag, time, title: title, body: body)
    record.createdAt = made * 1_000_000
    return record
  }

  private func conflict() throws -> RecordConflict {
    try SQLiteDataStore.open(path: app.path).conflict(Self.milk)
  }

  /// Whichever field that device has edited next, and be it of a record that it has made anew in between.
  @Test(
    arguments: [("Oat milk", "3 l", 1), ("Soy milk", "1 l", 1), ("Soy milk", "1 l", 250)]
      as [(String, String, Int64)])
  func theDeletionIsAskedAsAnotherRecordComesIn(title: String, body: String, made: Int64) throws {
    let next = Self.record("c", 260, title: (title, 260), body: (body, 260), madeAt: made)
    try app.receive(next, at: 300)
    #expect(try app.rows("SELECT title, body FROM notes") == [[.text(title), .text(body)]])
    let conflict = try conflict()
    #expect(!conflict.versions.client.isPresent && conflict.details.rowIsBack)
    // What is kept is the row as it is there, and not as it was put back first.
    #expect(conflict["title"]?.server == FieldVersion(.text(title), time: 260))
    #expect(conflict["body"]?.server == FieldVersion(.text(body), time: 260))
    #expect(conflict.details.ownOfRowBack?["title"] == nil && conflict.details.ownOfRowBack?["body"] == nil)
    #expect(app.queued == [Self.milk: .delete])
  }

  /// Over the deletion the app sends an edit of the row.
  @Test func anEditOfTheRowIsTheClients() throws {
    try app.receive(Self.record("c", 260, title: ("Oat milk", 160), body: ("3 l", 260)), at: 300)
    try app.edit(at: 400, "UPDATE notes SET title = 'Soy milk'")
    #expect(try conflict()["title"]?.client?.value == .text("Soy milk"))
    try app.upload(Self.milk, tag: "d", at: 410)
    #expect(try app.lastKnown(Self.milk)?.changeTag == "d")
    #expect(try conflict().versions.client.isPresent)
  }

  /// The engine has put the row back of that one, whatever somebody has edited in it since.
  @Test func besideAnEditTheServersIsTheNewest() throws {
    try app.receive(Self.record("c", 260, title: ("Soy milk", 260), body: ("1 l", 10)), at: 300)
    try app.edit(at: 400, "UPDATE notes SET body = '9 l'")
    let store = try SQLiteDataStore.open(path: app.path, rules: MergeRules(defaultRule: .server))
    let conflict = try store.conflict(Self.milk)
    let (title, body) = (try #require(conflict["title"]), try #require(conflict["body"]))
    #expect(title.server == FieldVersion(.text("Soy milk"), time: 260) && title.change == .same)
    #expect(title.suggestion.value == .text("Soy milk"))
    #expect(body.client?.value == .text("9 l") && body.change == .onlyClient)
  }

  /// That edit was made upon the server's, so that no policy puts it back, once it is sent.
  @Test func noPolicyPutsTheServersOverAnEditThatWasSent() throws {
    try app.receive(Self.record("c", 260, title: ("Soy milk", 260), body: ("1 l", 10)), at: 300)
    try app.edit(at: 400, "UPDATE notes SET title = 'Rice milk'")
    try app.acknowledge(Self.record("d", 460, title: ("Rice milk", 400), body: ("1 l", 10)), at: 500)
    let store = try SQLiteDataStore.open(path: app.path, rules: MergeRules(defaultRule: .server))
    let title = try #require(try store.conflict(Self.milk)["title"])
    #expect(title.client?.value == .text("Rice milk") && title.server?.value == .text("Oat milk"))
    #expect(title.suggestion.reason != .policy("server"))
  }

  @Test(arguments: WriteRoute.allCases) func whatIsKeptIsTheRowAsItIs(route: WriteRoute) throws {
    try app.receive(Self.record("c", 260, title: ("Oat milk", 160), body: ("3 l", 260)), at: 300)
    if route == .direct { try app.close() }
    let store = try SQLiteDataStore.open(
      path: app.path, access: .writing, route: route, clock: { 500 })
    let planned = try #require(try plan(Self.milk, in: store, [.record: .take(.server)]))
    #expect(try store.write([planned], note: nil).map(\.outcome) == [.fine])
    if route == .outbox { try app.drainOutbox(at: 600) }
    #expect(try summaries(of: store).isEmpty)
    let kept = try SQLiteDataStore.open(path: app.path).read { db in
      try db.firstRow("SELECT title || ', ' || body FROM notes") { $0.value(0) }
    }
    #expect(kept == .text("Oat milk, 3 l"))
  }

  /// Nobody has decided it, and the app has sent it: the row is there without its record, as the engine had made it of the last one.
  @Test func onceItIsSentItIsStillAsked() throws {
    try app.receive(Self.record("c", 260, title: ("Oat milk", 160), body: ("3 l", 260)), at: 300)
    #expect(try app.send(Self.milk, tag: "d", at: 350) == nil)
    #expect(try app.rows("SELECT title, body FROM notes") == [[.text("Oat milk"), .text("3 l")]])
    #expect(try app.rows("SELECT 1 FROM sqlitedata_icloud_metadata").isEmpty)
    let conflict = try conflict()
    #expect(conflict.kind == .deletedOnClient && conflict.details.rowIsBack)
    // Nor does whoever keeps it get back what it had before.
    #expect(conflict["body"]?.server == FieldVersion(.text("3 l"), time: nil))
    #expect(conflict["title"]?.server == FieldVersion(.text("Oat milk"), time: 160))
    try app.close()
    let store = try SQLiteDataStore.open(
      path: app.path, access: .writing, route: .direct, clock: { 500 })
    let planned = try #require(try plan(Self.milk, in: store, [.record: .take(.server)]))
    #expect(try store.write([planned], note: nil).map(\.outcome) == [.fine])
    let files = try StoreFilesInspector(app.path)
    #expect(try files.value("SELECT title || ', ' || body FROM notes") == .text("Oat milk, 3 l"))
    #expect(try files.pending(Self.milk).map(\.kind) == [.save])
  }
}
