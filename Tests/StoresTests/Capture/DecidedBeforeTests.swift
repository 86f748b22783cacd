import Foundation
import GRDB
import Merging
import Testing

@testable import KeyedArchives
@testable import SQLiteDataStores
@testable import StoreInterface

/// A record that was decided when it had come as JSON, which has no archive: the app meets it once more as it uploads.
@Suite struct DecidedBeforeTests {
  let folder: TestFolder
  let app: PlayedApp
  static let milk = "1:notes"

  init() throws {
    folder = try TestFolder()
    app = try PlayedApp(in: folder)
    try app.capture()
    try app.receive(Self.record("a", 10, title: "Milk", body: "1 l"), at: 100)
    try app.edit(at: 150, "UPDATE notes SET title = 'Milk 2%', rank = 2")
  }

  private static func record(_ tag: String, _ time: Int64, title: String, body: String) -> ArchivedRecord {
    .sample(
      milk, tag: tag, serverTime: time,
      [
        "id": (.string("1"), 10), "title": (.string(title), time), "body": (.string(body), time),
        "rank": (nil, 10),
      ])
  }

  private static let met = record("b", 160, title: "Oat milk", body: "2 l")

  private static let json = """
    {"recordName": "1:notes", "recordType": "notes", "recordChangeTag": "b", "modified": {"timestamp": 160}, "fields": {
      "title": {"value": "Oat milk"}, "sqlitedata_icloud_userModificationTime_title": {"value": 160},
      "body": {"value": "2 l"}, "sqlitedata_icloud_userModificationTime_body": {"value": 160}}}
    """

  private func store(_ route: WriteRoute) throws -> SQLiteDataStore {
    try SQLiteDataStore.open(path: app.path, access: .writing, route: route, clock: { 300 })
  }

  /// The server's title, our rank.
  private func decide(_ route: WriteRoute) throws -> PlayedApp {
    if route == .direct { try app.close() }
    let store = try store(route)
    let file = folder.path("export.json")
    try Data(Self.json.utf8).write(to: URL(filePath: file))
    #expect(
      try store.importRecords(from: [file], isRehearsal: false).words == "1 new, 1 withoutArchive, 1 journal")
    let planned = try #require(try plan(Self.milk, in: store, [.field("title"): .take(.server)]))
    #expect(try store.write([planned], note: nil).map(\.outcome) == [.fine])
    if route == .outbox {
      try app.drainOutbox(at: 400)
      return app
    }
    let again = try PlayedApp(path: app.path)
    try again.capture()
    return again
  }

  /// By these an open desk sees that the store has another record, though nothing of it changes but the journal.
  @Test func whatIsBroughtInAndTakenOutAgainIsSeenInTheJournal() throws {
    try app.close()
    let (store, desk) = (try store(.direct), try store(.direct))
    let file = folder.path("export.json")
    try Data(Self.json.utf8).write(to: URL(filePath: file))
    var seen = [desk.journal.tracesOfKept()]
    try store.journal.append([
      Decision(
        id: Self.milk, subject: .field("body"), choice: .take(.server), fingerprint: "", decidedAt: 310)
    ])
    #expect(desk.journal.tracesOfKept() == seen[0], "a journal is made by a decision, too")
    #expect(
      try store.importRecords(from: [file], isRehearsal: false).words == "1 new, 1 withoutArchive, 1 journal")
    seen.append(desk.journal.tracesOfKept())
    #expect(seen[0] != seen[1])
    try store.journal.append([
      Decision(
        id: Self.milk, subject: .field("title"), choice: .take(.server), fingerprint: "", decidedAt: 310)
    ])
    #expect(desk.journal.tracesOfKept() == seen[1], "a decision brings no record in")
    #expect(try store.undoLastWrite().map(\.outcome) == [.fine])
    #expect(!seen.contains(desk.journal.tracesOfKept()))
  }

  @Test(arguments: WriteRoute.allCases) func isNotAskedForAgainByTheAppsOwnMerge(route: WriteRoute) throws {
    let app = try decide(route)
    try app.receive(Self.met, at: 500)
    #expect(try app.rows("SELECT 1 FROM parley_inbox").count == 1)
    let store = try store(.outbox)
    #expect(try summaries(of: store).isEmpty)
    #expect(throws: StoreError.noSuchRecord(id: Self.milk)) { try store.conflict(Self.milk) }
    #expect(
      try app.rows("SELECT title, body, rank FROM notes") == [[.text("Oat milk"), .text("2 l"), .integer(2)]])
  }

  @Test(arguments: WriteRoute.allCases) func isAskedForWhereTheServerWentOn(route: WriteRoute) throws {
    let app = try decide(route)
    try app.edit(at: 450, "UPDATE notes SET body = '5 l'")
    try app.receive(Self.met, at: 500)
    try app.receive(Self.record("c", 510, title: "Oat milk", body: "4 l"), at: 520)
    let conflict = try store(.outbox).conflict(Self.milk)
    #expect(conflict["body"]?.change == .different)
    #expect(conflict["title"]?.change == .unchanged)
  }

  @Test func isAskedForAgainOnceItWasTakenBack() throws {
    let app = try decide(.direct)
    try app.close()
    #expect(try store(.direct).undoLastWrite().map(\.outcome) == [.fine])
    let again = try PlayedApp(path: app.path)
    try again.capture()
    try again.receive(Self.met, at: 500)
    #expect(try summaries(of: store(.outbox)).map(\.id) == [Self.milk])
  }
}
