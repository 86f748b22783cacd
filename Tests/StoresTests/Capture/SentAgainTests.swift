import Merging
import Testing

@testable import KeyedArchives
@testable import SQLiteDataStores
@testable import SQLiteFiles
@testable import StoreInterface

/// A value that the app has sent and the server has taken, with a time at which other devices refuse it: their own is not
/// earlier. Decided for it, it is sent once more over the record of before, and the app meets the newer one on the way.
@Suite struct SentAgainTests {
  let folder: TestFolder
  let app: PlayedApp
  static let milk = "1:notes"
  private static let sent = record("c", 10_100, title: ("Milk 2%", 10_000))

  init() throws {
    folder = try TestFolder()
    app = try PlayedApp(in: folder)
    try app.capture()
    try app.receive(Self.record("a", 10, title: ("Milk", 10)), at: 100)
    try app.edit(at: 150, "UPDATE notes SET title = 'Milk 2%'")
    // By a clock that is ahead.
    try app.receive(Self.record("b", 10_000, title: ("Oat milk", 10_000)), at: 200)
    try app.acknowledge(Self.sent, at: 210)
  }

  private static func record(_ tag: String, _ time: Int64, title: (String, Int64)) -> ArchivedRecord {
    .milk(tag, time, title: title, body: (nil, 10))
  }

  private func store(_ route: WriteRoute) throws -> SQLiteDataStore {
    try SQLiteDataStore.open(path: app.path, access: .writing, route: route, clock: { 300 })
  }

  private func decide(_ route: WriteRoute) throws -> PlayedApp {
    if route == .direct { try app.close() }
    let store = try store(route)
    let planned = try #require(try plan(Self.milk, in: store, [.field("title"): .take(.client)]))
    #expect(try store.write([planned], note: nil).map(\.outcome) == [.fine])
    if route == .outbox {
      try app.drainOutbox(at: 400)
      return app
    }
    let again = try PlayedApp(path: app.path)
    try again.capture()
    return again
  }

  private func listed() throws -> [String] { try summaries(of: store(.outbox)).map(\.id) }

  @Test(arguments: WriteRoute.allCases) func winsAndIsNotAskedForAgain(route: WriteRoute) throws {
    let app = try decide(route)
    try app.clash(Self.sent, at: 500)
    #expect(try app.rows("SELECT 1 FROM parley_inbox").count == 1)
    #expect(try listed().isEmpty)
    let sent = try #require(try app.recordToSend(Self.milk, tag: "d"))
    #expect(sent.values["title"] == .string("Milk 2%"))
    #expect((10_001...1_010_000).contains(sent.modificationTime(of: "title") ?? 0))
  }

  @Test(arguments: WriteRoute.allCases) func isAskedForWhereTheServerWentOn(route: WriteRoute) throws {
    let app = try decide(route)
    try app.clash(Self.sent, at: 500)
    try app.receive(Self.record("e", 20_000, title: ("Rice milk", 20_000)), at: 600)
    #expect(try listed() == [Self.milk])
  }

  @Test func isAskedForAgainOnceItWasTakenBack() throws {
    let app = try decide(.direct)
    try app.close()
    #expect(try store(.direct).undoLastWrite().map(\.outcome) == [.fine])
    #expect(try listed() == [Self.milk])
  }
}
