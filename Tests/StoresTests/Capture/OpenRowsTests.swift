import GRDB
import Merging
import Testing

@testable import KeyedArchives
@testable import SQLiteDataStores
@testable import SQLiteFiles
@testable import StoreInterface

/// Several conflicts of one record: the app went on merging and uploading while nobody had decided.
@Suite struct OpenRowsTests {
  let folder: TestFolder
  let app: PlayedApp
  static let milk = "1:notes"

  /// The title clashed; the app's own merge was uploaded, and the server's title is nowhere but in the inbox.
  init() throws {
    folder = try TestFolder()
    app = try PlayedApp(in: folder)
    try app.capture()
    try app.receive(Self.record("a", 10, title: "Milk"), at: 100)
    try app.edit(at: 150, "UPDATE notes SET title = 'Milk 2%'")
    try app.receive(Self.record("b", 160, title: "Oat milk"), at: 200)
    try app.upload(Self.milk, tag: "c", at: 210)
  }

  private static func record(
    _ tag: String, _ time: Int64, title: String, body: (String, Int64) = ("1 l", 10),
    rank: (Int64?, Int64) = (nil, 10)
  ) -> ArchivedRecord {
    .sample(
      milk, tag: tag, serverTime: time,
      [
        "id": (.string("1"), 10), "title": (.string(title), min(time, 200)),
        "body": (.string(body.0), body.1), "rank": (rank.0.map { .integer($0) }, rank.1), "size": (nil, 10),
        "picture": (nil, 10), "seenAt": (nil, 10),
      ])
  }

  private func store(_ route: WriteRoute = .outbox) throws -> SQLiteDataStore {
    try SQLiteDataStore.open(path: app.path, access: .writing, route: route, clock: { 500 })
  }

  private func listed() throws -> [String] {
    try [1, 2, 7].map { try summaries(of: store(), limit: $0).map(\.id) }.reduce(
      summaries(of: store()).map(\.id)
    ) { $0 == $1 ? $0 : ["other pages, another list"] }
  }

  /// What is to be decided now.
  private func clashing() throws -> [String] {
    guard let conflict = try? store().conflict(Self.milk) else { return [] }
    for limit in [1, 2, 7] {
      guard try conflicts(of: store(), limit: limit).first(where: { $0.id == Self.milk }) == conflict else {
        return ["a walk tells it otherwise"]
      }
    }
    return conflict.fields.filter { $0.change == .different }.map(\.name)
  }

  private func inbox() throws -> Int { try app.rows("SELECT 1 FROM parley_inbox").count }

  private func decide(_ side: Side, _ fields: String...) throws {
    let choices = Dictionary(uniqueKeysWithValues: fields.map { (Subject.field($0), Choice.take(side)) })
    let store = try store()
    let planned = try #require(try plan(Self.milk, in: store, choices))
    #expect(try store.write([planned], note: nil).map(\.outcome) == [.fine])
  }

  /// The body clashes as well.
  private func clashAgain() throws {
    try app.edit(at: 250, "UPDATE notes SET body = '2 l'")
    try app.receive(Self.record("d", 260, title: "Milk 2%", body: ("3 l", 260)), at: 300)
    #expect(try inbox() == 2)
  }

  @Test func whatOnlyATagCameAfterStays() throws {
    #expect(try listed() == [Self.milk])
    try app.edit(at: 250, "UPDATE notes SET rank = 1")
    try app.receive(Self.record("d", 260, title: "Milk 2%"), at: 300)
    #expect(try inbox() == 2)
    #expect(try listed() == [Self.milk] && clashing() == ["title"])
    #expect(try store().conflict(Self.milk)["title"]?.server?.value == .text("Oat milk"))
  }

  @Test func theNewestIsDecidedFirstAndTheOtherAfterIt() throws {
    try clashAgain()
    #expect(try listed() == [Self.milk] && clashing() == ["body"])
    let details = try store().conflict(Self.milk).details
    #expect(
      details.hasEarlier && details.notes.contains { $0.contains("conflict of this record waits, too") })
    try decide(.client, "body")
    #expect(try inbox() == 2)
    try app.drainOutbox(at: 600)
    #expect(try inbox() == 1)
    #expect(try listed() == [Self.milk] && clashing() == ["title"])
    #expect(try !store().conflict(Self.milk).details.hasEarlier)
    try decide(.server, "title")
    try app.drainOutbox(at: 700)
    #expect(try inbox() == 0 && listed().isEmpty)
    #expect(try app.rows("SELECT title, body FROM notes") == [[.text("Oat milk"), .text("2 l")]])
  }

  private func say(_ side: Side, _ field: String) throws {
    let store = try store()
    let resolution = Resolution(choices: [.field(field): .take(side)])
    try store.journal.append(
      store.conflict(Self.milk).decisions(about: [.field(field)], in: resolution, at: 500))
  }

  private func decided() throws -> DecidedConflict {
    let store = try store()
    return try #require(try store.journal.decided([store.conflict(Self.milk)]).first)
  }

  /// It was told that it holds no longer, though nothing of that one had changed, until it was taken back.
  @Test func whatWasDecidedAboutTheEarlierOneHoldsUpNoOther() throws {
    try say(.server, "title")
    try clashAgain()
    try say(.client, "body")
    let later = try decided()
    #expect(later.outdated.isEmpty && !later.isMoved && later.draft != nil)
    #expect(later.resolution.choices == [.field("body"): .take(.client)])
    let listed = try summaries(of: store()).first
    #expect(listed?.outdated == 0 && listed?.isMoved == false)
    try decide(.client, "body")
    try app.drainOutbox(at: 600)
    #expect(try clashing() == ["title"])
    #expect(try decided().resolution[.field("title")] == .take(.server))
  }

  /// What the app notes of a save that was refused is about a row that Parley has deleted since: the next one is another record.
  @Test func whatIsMadeAnewAfterADirectDeletionIsNotTheRowOfBefore() throws {
    try clashAgain()
    try app.refuse(Self.milk, .serverRejectedRequest, at: 310)
    try app.close()
    let store = try store(.direct)
    let delete = try #require(try store.conflict(Self.milk).alternative(.delete))
    let planned = try #require(try plan(Self.milk, in: store, [.record: .alternative(delete.id)]))
    #expect(try store.write([planned], note: nil).map(\.outcome) == [.fine])
    let again = try PlayedApp(path: app.path)
    try again.capture()
    // The deletion is sent.
    try again.synchronizing(at: 600) { try $0.execute(sql: "DELETE FROM sqlitedata_icloud_metadata") }
    try again.edit(at: 610, "INSERT INTO notes (id, title, body) VALUES ('1', 'Soy milk', '9 l')")
    #expect(try again.rows("SELECT 1 FROM parley_sending").count == 1)
    let conflict = try self.store().conflict(Self.milk)
    #expect(conflict.kind == .noAncestor && conflict["title"]?.server?.value == .text("Oat milk"))
  }

  /// It counted as written with that one, and was told no more.
  @Test func whatWasDecidedAboutTheEarlierOneIsToldWhereItHoldsNoLonger() throws {
    try say(.server, "title")
    try clashAgain()
    try say(.client, "body")
    try decide(.client, "body")
    try app.drainOutbox(at: 600)
    #expect(try decided().outdated.isEmpty)
    try app.edit(at: 610, "UPDATE notes SET title = 'Soy milk'")
    let earlier = try decided()
    #expect(earlier.resolution.isEmpty && earlier.isMoved)
    #expect(earlier.outdated.map(\.subject) == [.field("title")])
    #expect(try summaries(of: store()).first?.outdated == 1)
    let log = try store().tellingOvertaken(store().journal.entries(limit: 99)).filter(\.isOvertaken)
    #expect(log.map(\.record) == [Self.milk])
  }

  @Test func aWriteSettlesOnlyWhatItIsMadeOfAndUndoBringsItBack() throws {
    try clashAgain()
    try app.close()
    let files = try StoreFilesInspector(app.path)
    let before = try files.dump()
    let store = try store(.direct)
    let planned = try #require(try plan(Self.milk, in: store, [.field("body"): .take(.server)]))
    #expect(try store.write([planned], note: nil).map(\.outcome) == [.fine])
    #expect(try files.inboxCount(Self.milk) == .integer(1))
    #expect(try summaries(of: store).map(\.id) == [Self.milk])
    #expect(try store.conflict(Self.milk)["title"]?.change == .different)
    #expect(try store.undoLastWrite().map(\.outcome) == [.fine])
    #expect(try files.dump() == before)
  }

  @Test func anImportHidesNothing() throws {
    try bring(Self.record("e", 400, title: "Milk 2%", rank: (3, 400)))
    #expect(try listed() == [Self.milk])
    #expect(try store().conflict(Self.milk)["rank"]?.change == .onlyServer)
    try decide(.server, "rank")
    try app.drainOutbox(at: 600)
    #expect(try listed() == [Self.milk] && clashing() == ["title"])
  }

  /// What the server had when it was brought in, the later record tells.
  @Test func anImportIsSettledWithTheConflictThatCameInAfterIt() throws {
    try bring(Self.record("d", 240, title: "Milk 2%", body: ("3 l", 240)))
    try app.edit(at: 250, "UPDATE notes SET body = '2 l'")
    try app.receive(Self.record("e", 400, title: "Milk 2%", body: ("4 l", 400)), at: 410)
    #expect(try inbox() == 3)
    try decide(.client, "body")
    try app.drainOutbox(at: 600)
    #expect(try inbox() == 1 && clashing() == ["title"])
  }

  /// The app's clock was an hour ahead when it came in.
  @Test func noClockHidesWhatCameInAfterwards() throws {
    try app.inTransaction { try $0.execute(sql: "UPDATE parley_inbox SET receivedAt = 9000") }
    try decide(.client, "title")
    try app.drainOutbox(at: 600)
    #expect(try inbox() == 0 && listed().isEmpty)
    try clashAfterwards()
    #expect(try listed() == [Self.milk] && clashing() == ["title"])
  }

  private func clashAfterwards() throws {
    try app.upload(Self.milk, tag: "d", at: 610)
    try app.edit(at: 650, "UPDATE notes SET title = 'Soy milk'")
    try app.receive(Self.record("e", 660, title: "Rice milk"), at: 700)
  }

  @Test(arguments: [(9_000, false), (200, true)])
  func whatAnOutboxOfBeforeWouldSettleTooIsRefusedWithTheWayOut(receivedAt: Int64, clashes: Bool) throws {
    if clashes { try clashAgain() }
    try app.inTransaction {
      try $0.execute(sql: "ALTER TABLE parley_outbox DROP COLUMN settles")
      try $0.execute(sql: "UPDATE parley_inbox SET receivedAt = ?", arguments: [receivedAt])
    }
    let store = try store()
    let planned = try #require(try plan(Self.milk, in: store))
    guard case .refused(nil, let reason)? = try store.write([planned], note: nil).first?.outcome else {
      Issue.record("it was written")
      return
    }
    #expect(reason.contains("parley_outbox is of an older form") && reason.contains("--direct"))
    #expect(try app.rows("SELECT 1 FROM parley_outbox").isEmpty)
  }

  /// Into the inbox, as an import does.
  private func bring(_ record: ArchivedRecord) throws {
    try app.inTransaction { db in
      try db.run(
        """
        INSERT INTO parley_inbox (recordName, zoneName, ownerName, recordType, receivedAt, path, serverRecord)
        VALUES ('1:notes', ?, ?, 'notes', 405, 'import', ?)
        """,
        [
          .text(Metadatabase.defaultZone), .text(Metadatabase.defaultOwner),
          .blob(Blob(bytes: record.encoded())),
        ])
    }
  }
}
