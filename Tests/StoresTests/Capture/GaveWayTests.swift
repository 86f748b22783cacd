import Merging
import Testing

@testable import KeyedArchives
@testable import SQLiteDataStores
@testable import SQLiteFiles
@testable import StoreInterface

/// An edit that the server has refused gave way to its record, and then somebody else edits that very field: the row has that, and the edit
/// lies in the inbox alone.
@Suite struct GaveWayTests {
  let folder: TestFolder
  let app: PlayedApp
  static let milk = "1:notes"

  init() throws {
    folder = try TestFolder()
    app = try PlayedApp(in: folder)
    try app.captureAll()
  }

  private static func record(
    _ tag: String, _ time: Int64, title: (String, Int64) = ("Milk", 10), body: (String, Int64) = ("1 l", 10),
    owner: String = Metadatabase.defaultOwner
  ) -> ArchivedRecord {
    var record = ArchivedRecord.milk(tag, time, title: title, body: body)
    record.ownerName = owner
    return record
  }

  /// The save of a title was refused for good, and the engine takes all of what comes in next.
  private func giveWay() throws {
    try app.receive(Self.record("a", 10), at: 100)
    try app.edit(at: 150, "UPDATE notes SET title = 'Milk 2%'")
    try app.refuse(Self.milk, .serverRejectedRequest, at: 160)
    try app.receive(Self.record("b", 170, body: ("2 l", 170)), at: 200)
    #expect(try app.rows("SELECT title, body FROM notes") == [[.text("Milk"), .text("2 l")]])
  }

  /// - Returns: whether nothing of the row was kept, of each that lies in the inbox.
  private func isReplaced() throws -> [[Value]] {
    try app.rows("SELECT isReplaced FROM parley_inbox ORDER BY id")
  }

  private func conflict() throws -> RecordConflict {
    try SQLiteDataStore.open(path: app.path).conflict(Self.milk)
  }

  private func expect(_ title: FieldConflict?, _ server: FieldVersion<Value>) {
    #expect(title?.client == FieldVersion(.text("Milk 2%"), time: 150))
    #expect(title?.server == server && title?.suggestion.certainty != .sure)
  }

  @Test func aRefusedEditIsAskedAsThatFieldComesIn() throws {
    try giveWay()
    try app.receive(Self.record("c", 260, title: ("Oat milk", 260), body: ("2 l", 170)), at: 300)
    #expect(try isReplaced() == [[.integer(1)]])
    let conflict = try conflict()
    expect(conflict["title"], FieldVersion(.text("Oat milk"), time: 260))
    #expect(conflict["title"]?.ancestor?.value == .text("Milk"))
    #expect(conflict.details.withoutPolicy == ["title"])
    #expect(conflict["body"]?.change == .onlyServer && conflict["body"]?.client?.value == .text("1 l"))
    #expect(try summaries(of: SQLiteDataStore.open(path: app.path)).map(\.certainty) != [.sure])
  }

  /// In somebody else's zone the server's record takes the place of an edit that it does not permit: nothing else need be new in it.
  @Test func soIsOneThatTheServerDoesNotPermit() throws {
    try app.receive(Self.record("a", 10, owner: "_owner"), at: 100)
    try app.edit(at: 150, "UPDATE notes SET title = 'Milk 2%'")
    try app.receive(Self.record("a", 10, owner: "_owner"), isForced: true, at: 200)
    try app.receive(Self.record("c", 260, title: ("Oat milk", 260), owner: "_owner"), at: 300)
    #expect(try isReplaced() == [[.integer(1)]])
    #expect(try app.rows("SELECT title FROM notes") == [[.text("Oat milk")]])
    #expect(try summaries(of: SQLiteDataStore.open(path: app.path)).map(\.id) == [Self.milk])
    expect(try conflict()["title"], FieldVersion(.text("Oat milk"), time: 260))
  }

  /// Be it that another record is captured in between, over an edit of another field.
  @Test func soItIsOfTheFirstOfSeveralRecords() throws {
    try giveWay()
    try app.edit(at: 250, "UPDATE notes SET body = '9 l'")
    try app.receive(Self.record("c", 260, title: ("Oat milk", 260), body: ("2 l", 170)), at: 300)
    #expect(try isReplaced() == [[.integer(1)], [.integer(0)]])
    expect(try conflict()["title"], FieldVersion(.text("Oat milk"), time: 260))
    let sent = Self.record("d", 360, title: ("Oat milk", 260), body: ("9 l", 300))
    try app.acknowledge(sent, at: 350)
    try app.receive(Self.record("e", 460, title: ("Rice milk", 460), body: ("9 l", 300)), at: 500)
    #expect(try isReplaced().count == 2)
    expect(try conflict()["title"], FieldVersion(.text("Rice milk"), time: 460))
    #expect(try conflict()["body"]?.client?.value == .text("9 l"))
  }

  /// Somebody here has seen what came in, and sent another value.
  @Test func aLaterEditIsTheClients() throws {
    try giveWay()
    try app.receive(Self.record("c", 260, title: ("Oat milk", 260), body: ("2 l", 170)), at: 300)
    try app.edit(at: 400, "UPDATE notes SET title = 'Soy milk'")
    #expect(try conflict()["title"]?.client?.value == .text("Soy milk"))
    try app.upload(Self.milk, tag: "d", at: 410)
    #expect(try app.lastKnown(Self.milk)?.changeTag == "d")
    #expect(try conflict()["title"]?.client?.value == .text("Soy milk"))
  }

  /// It was sent, and the other device has changed that.
  @Test func anEditThatWasKeptIsNoNews() throws {
    try app.receive(Self.record("a", 10), at: 100)
    try app.edit(at: 150, "UPDATE notes SET title = 'Milk 2%'")
    try app.receive(Self.record("b", 170, body: ("2 l", 170)), at: 200)
    #expect(try isReplaced() == [[.integer(0)]])
    try app.upload(Self.milk, tag: "c", at: 210)
    try app.receive(Self.record("d", 360, title: ("Oat milk", 360), body: ("2 l", 170)), at: 400)
    let title = try #require(try conflict()["title"])
    #expect(title.change == .onlyClient && title.client?.value == .text("Oat milk"))
  }

  /// In an inbox of before nothing tells the one from the other.
  @Test func whereNobodyNotedThatItIsTakenForKept() throws {
    try giveWay()
    try app.receive(Self.record("c", 260, title: ("Oat milk", 260), body: ("2 l", 170)), at: 300)
    try app.inTransaction { try $0.execute(sql: "ALTER TABLE parley_inbox DROP COLUMN isReplaced") }
    #expect(try conflict()["title"]?.client?.value == .text("Oat milk"))
    let upgrade = try SQLiteDataStore.open(path: app.path).capture().upgrade
    #expect(upgrade == [#"ALTER TABLE "parley_inbox" ADD COLUMN "isReplaced" INTEGER;"#])
  }

  @Test(arguments: WriteRoute.allCases) func itIsWrittenOverTheNewest(route: WriteRoute) throws {
    try giveWay()
    try app.receive(Self.record("c", 260, title: ("Oat milk", 260), body: ("2 l", 170)), at: 300)
    if route == .direct { try app.close() }
    let store = try SQLiteDataStore.open(
      path: app.path, access: .writing, route: route, clock: { 500 })
    let planned = try #require(try plan(Self.milk, in: store, [.field("title"): .take(.client)]))
    #expect(try store.write([planned], note: nil).map(\.outcome) == [.fine])
    if route == .outbox { try app.drainOutbox(at: 600) }
    #expect(try summaries(of: store).isEmpty)
    #expect(try app.lastKnown(Self.milk)?.changeTag == "c")
    let written = try SQLiteDataStore.open(path: app.path).read { db in
      try db.firstRow("SELECT title || ', ' || body FROM notes") { $0.value(0) }
    }
    #expect(written == .text("Milk 2%, 2 l"))
  }
}
