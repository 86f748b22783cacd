import Merging
import Testing

@testable import KeyedArchives
@testable import SQLiteDataStores
@testable import SQLiteFiles
@testable import StoreInterface

/// What `parley capture` prints, run by an app whose engine then merges.
@Suite struct CaptureTests {
  let folder: TestFolder
  let app: PlayedApp
  static let milk = "1:notes"

  init() throws {
    folder = try TestFolder()
    app = try PlayedApp(in: folder)
    try app.capture()
    try app.receive(Self.first, at: 100)
  }

  private static let first = record("a", 10, title: ("Milk", 10), body: ("1 l", 10))

  private static func record(
    _ tag: String, _ time: Int64, title: (String, Int64), body: (String?, Int64),
    rank: (Int64?, Int64) = (nil, 10)
  ) -> ArchivedRecord {
    .sample(
      milk, tag: tag, serverTime: time,
      [
        "id": (.string("1"), 10), "title": (.string(title.0), title.1),
        "body": (body.0.map { .string($0) }, body.1), "rank": (rank.0.map { .integer($0) }, rank.1),
        "size": (nil, 10), "picture": (nil, 10), "seenAt": (nil, 10),
      ])
  }

  private func inbox() throws -> [InboxRow] {
    try SQLiteDataStore.open(path: app.path).read { try InboxRow.page(before: .max, limit: 100, in: $0) }
  }

  private func conflict() throws -> RecordConflict {
    try SQLiteDataStore.open(path: app.path).conflict(Self.milk)
  }

  @Test func aMergeLeavesOneRowWithTheThreeVersions() throws {
    try app.edit(at: 50, "UPDATE notes SET title = 'Milk 2%' WHERE id = '1'")
    let server = Self.record("b", 60, title: ("Oat milk", 60), body: ("2 l", 60))
    try app.receive(server, at: 200)
    let rows = try inbox()
    try #require(rows.count == 1)
    #expect(try ArchivedRecord(decoding: rows[0].serverRecord ?? []) == server)
    #expect(try ArchivedRecord(decoding: rows[0].ancestorRecord ?? []).changeTag == "a")
    #expect(
      rows[0].clientRow.map { String(decoding: $0, as: UTF8.self) }
        == #"{"id":"1","title":"Milk 2%","body":"1 l","size":null,"rank":null,"picture":null,"seenAt":null}"#)
    #expect(rows[0].clientTime == 50)
    #expect(rows[0].receivedAt == 200)
    #expect(try app.rows("SELECT title, body FROM notes") == [[.text("Milk 2%"), .text("2 l")]])
  }

  /// Nothing differs. So a counter that both raised by as much is raised once, but where something else is kept.
  @Test(arguments: [nil, "2 l"] as [String?]) func whatBothChangedAlikeLeavesNoneByItself(body: String?)
    throws
  {
    try app.edit(at: 50, "UPDATE notes SET rank = 7 WHERE id = '1'")
    if let body { try app.edit(at: 51, "UPDATE notes SET body = ? WHERE id = '1'", [.text(body)]) }
    try app.receive(Self.record("b", 60, title: ("Milk", 10), body: ("1 l", 10), rank: (7, 60)), at: 200)
    #expect(try inbox().count == (body == nil ? 0 : 1))
    guard body != nil else { return }
    let rank = try #require(try conflict()["rank"])
    #expect(rank.change == .same && rank.ancestor?.value == .null && rank.client?.value == .integer(7))
  }

  @Test func theConflictShowsWhatWasCapturedAndWhen() throws {
    try app.edit(at: 50, "UPDATE notes SET title = 'Milk 2%' WHERE id = '1'")
    try app.receive(Self.record("b", 60, title: ("Oat milk", 60), body: ("2 l", 60)), at: 200)
    let conflict = try conflict()
    let title = try #require(conflict["title"])
    #expect(title.ancestor == FieldVersion(.text("Milk"), time: 10))
    #expect(title.client == FieldVersion(.text("Milk 2%"), time: 50))
    #expect(title.server == FieldVersion(.text("Oat milk"), time: 60))
    #expect(title.suggestion.value == .text("Oat milk"))
    let body = try #require(conflict["body"])
    #expect(body.client == FieldVersion(.text("1 l"), time: 10))
    #expect(body.change == .onlyServer)
    // What the engine made of it by itself: it keeps an edit that was not sent, whatever the times.
    #expect(conflict.details.mergedRow?["title"] == .text("Milk 2%"))
    #expect(conflict.details.mergedRow?["body"] == .text("2 l"))
    // The played server counts milliseconds, and this app nanoseconds: their clocks differ.
    #expect(conflict.details.notes.allSatisfy { $0.hasPrefix("this device's clock was behind") })
  }

  /// The engine takes a NULL in a blob's column for no edit, and gives the row the server's bytes.
  @Test(arguments: [[0x0A], [0x01]] as [[UInt8]]) func aPictureThatWasTakenAwayIsAnEdit(bytes: [UInt8]) throws
  {
    func record(_ tag: String, _ time: Int64, _ bytes: [UInt8], _ bytesTime: Int64) -> ArchivedRecord {
      var record = Self.record(tag, time, title: ("Milk", 10), body: ("1 l", 10), rank: (Int64(time), time))
      record.values["picture"] = .asset(ArchivedAsset(size: Int64(bytes.count)))
      record.values[ArchivedRecord.assetHashKey(of: "picture")] = .data(Blob(bytes: bytes).sha256)
      record.values[ArchivedRecord.modificationTimeKey(of: "picture")] = .integer(bytesTime)
      return record
    }
    try heardAll()
    try app.receive(record("b", 20, [0x01], 20), files: ["picture": [0x01]], at: 30)
    #expect(try inbox().isEmpty && app.rows("SELECT picture FROM notes") == [[.blob(Blob(bytes: [0x01]))]])
    try app.edit(at: 50, "UPDATE notes SET picture = NULL")
    try app.receive(record("c", 60, bytes, bytes == [0x01] ? 20 : 60), files: ["picture": bytes], at: 70)
    #expect(try app.rows("SELECT picture FROM notes") == [[.blob(Blob(bytes: bytes))]])
    let picture = try #require(try conflict()["picture"])
    #expect(picture.client?.value ?? .null == .null && picture.server?.value == .blob(Blob(bytes: bytes)))
  }

  /// Of what is older than the capture it takes for granted that it was edited.
  private func heardAll() throws {
    try app.inTransaction { try $0.execute(sql: "UPDATE parley_since SET time = 1") }
  }

  /// The engine writes NULL then, in the merge; whoever takes it away since leaves the same.
  @Test func aPictureWhoseFileWasNotThereIsAPersons() throws {
    func record(_ tag: String, _ time: Int64, _ byte: UInt8) -> ArchivedRecord {
      var record = Self.record(tag, time, title: ("Milk \(time)", time), body: ("1 l", 10))
      record.values["picture"] = .asset(ArchivedAsset(size: 1))
      record.values[ArchivedRecord.assetHashKey(of: "picture")] = .data(Blob(bytes: [byte]).sha256)
      record.values[ArchivedRecord.modificationTimeKey(of: "picture")] = .integer(time)
      return record
    }
    try heardAll()
    try app.receive(record("b", 20, 1), files: ["picture": [1]], at: 30)
    try app.edit(at: 50, "UPDATE notes SET title = 'Milk 2%'")
    try app.receive(record("c", 60, 2), at: 70)
    try app.synchronizing(at: 70) { try $0.execute(sql: "UPDATE notes SET picture = NULL") }
    let conflict = try conflict()
    let picture = try #require(conflict["picture"])
    #expect(picture.ancestor == nil && picture.suggestion.certainty != .sure)
    #expect(conflict.details.withoutPolicy.contains("picture"))
    #expect(!conflict.details.notes.contains("the row was edited after this record came in"))
    #expect(conflict.details.notes.contains { $0.hasPrefix("picture: NULL stands here") })
  }

  @Test func aPictureThatIsNewOnTheServerIsNoEdit() throws {
    try heardAll()
    var server = Self.record("b", 60, title: ("Milk", 10), body: ("1 l", 10))
    server.values["picture"] = .asset(ArchivedAsset(size: 1))
    server.values[ArchivedRecord.assetHashKey(of: "picture")] = .data(Blob(bytes: [0x01]).sha256)
    server.values[ArchivedRecord.modificationTimeKey(of: "picture")] = .integer(60)
    try app.receive(server, files: ["picture": [0x01]], at: 70)
    #expect(try inbox().isEmpty && app.rows("SELECT picture FROM notes") == [[.blob(Blob(bytes: [0x01]))]])
  }

  @Test func aMergeThatWritesNothingLeavesARowToo() throws {
    try app.edit(at: 50, "UPDATE notes SET title = 'Milk 2%', body = '3 l', rank = 1")
    try app.receive(
      .sample(Self.milk, tag: "b", serverTime: 60, ["title": (.string("Oat milk"), 60)]), at: 200)
    let rows = try inbox()
    #expect(rows.count == 1)
    #expect(rows.first?.clientTime == 50)
    #expect(try conflict()["title"]?.change == .different)
  }

  @Test func nothingIsLeftByWhatIsNoConflict() throws {
    // A fetch without a local change, a person's edit, its acknowledgement, another fetch; a record that is new here.
    try app.receive(Self.record("b", 20, title: ("Milk", 10), body: ("2 l", 20)), at: 30)
    try app.edit(at: 50, "UPDATE notes SET title = 'Milk 2%'")
    try app.acknowledge(Self.record("c", 60, title: ("Milk 2%", 50), body: ("2 l", 20)), at: 61)
    try app.receive(Self.record("d", 70, title: ("Milk 2%", 50), body: ("4 l", 70)), at: 80)
    try app.receive(.sample("2:notes", tag: "a", serverTime: 9, ["title": (.string("Bread"), 9)]), at: 90)
    try app.edit(at: 95, "DELETE FROM notes WHERE id = '2'")
    #expect(try inbox().isEmpty)
    #expect(try app.rows("SELECT count(*) FROM parley_merging") == [[.integer(0)]])
  }

  @Test func anAcknowledgementAfterAFailedMergeLeavesNothing() throws {
    try app.edit(at: 50, "UPDATE notes SET title = 'Milk 2%'")
    #expect(throws: (any Error).self) {
      // The title must not be NULL: the row is refused after the merge began.
      try app.receive(
        .sample(Self.milk, tag: "b", serverTime: 55, ["body": (nil, 55), "rank": (.string("x"), 55)]), at: 56)
    }
    try app.acknowledge(Self.record("c", 60, title: ("Milk 2%", 50), body: ("1 l", 10)), at: 61)
    #expect(try inbox().isEmpty)
  }

  @Test func theAppsOwnTouchOfATimeIsNoLocalChange() throws {
    try app.inTransaction { db in
      try db.execute(
        sql: """
          CREATE TEMP TRIGGER touch AFTER UPDATE OF body ON notes BEGIN
            UPDATE notes SET seenAt = sqlitedata_icloud_currentTime() WHERE id = NEW.id;
          END
          """)
    }
    try app.receive(Self.record("b", 20, title: ("Milk", 10), body: ("2 l", 20)), at: 30)
    #expect(try inbox().isEmpty)
  }

  @Test func aChangeOfLettersOnlyCountsWhateverTheCollation() throws {
    try app.edit(at: 50, "UPDATE notes SET body = '1 L'")
    try app.receive(Self.record("b", 60, title: ("Milk", 10), body: ("1 l", 10), rank: (2, 60)), at: 200)
    #expect(try inbox().count == 1)
    #expect(try conflict()["body"]?.change == .onlyClient)
  }

  @Test func aNewTagAloneIsKeptAndIsNoConflict() throws {
    try app.edit(at: 50, "UPDATE notes SET title = 'Milk 2%'")
    try app.receive(Self.record("b", 60, title: ("Milk", 10), body: ("1 l", 10)), at: 200)
    #expect(throws: StoreError.noSuchRecord(id: Self.milk)) { try conflict() }
  }

  @Test func withoutAnAncestorTheOverwrittenRowIsKept() throws {
    try app.edit(at: 40, "INSERT INTO notes (id, title) VALUES ('3', 'Ours')")
    try app.receive(.sample("3:notes", tag: "a", serverTime: 30, ["title": (.string("Other"), 30)]), at: 200)
    #expect(try app.rows("SELECT title FROM notes WHERE id = '3'") == [[.text("Other")]])
    let conflict = try SQLiteDataStore.open(path: app.path).conflict("3:notes")
    #expect(conflict.kind == .noAncestor)
    #expect(conflict["title"]?.client == FieldVersion(.text("Ours"), time: 40))
    #expect(conflict["title"]?.suggestion.value == .text("Ours"))
    #expect(conflict.details.notes.contains { $0.hasPrefix("there is no ancestor") })
  }

  @Test func aRecordThatWasDeletedHereAndEditedThereIsAConflict() throws {
    try app.edit(at: 50, "DELETE FROM notes")
    try app.receive(Self.record("b", 60, title: ("Oat milk", 60), body: ("1 l", 10)), at: 200)
    let conflict = try conflict()
    #expect(conflict.kind == .deletedOnClient)
    // A deletion has no time of its own: this is that of the row.
    #expect(conflict.versions.client == .deleted(time: 10))
  }

  @Test func aFetchedDeletionKeepsTheRowAndCountsIfItWasEdited() throws {
    try app.receive(.sample("2:notes", tag: "a", serverTime: 9, ["title": (.string("Bread"), 9)]), at: 20)
    try app.edit(at: 50, "UPDATE notes SET title = 'Milk 2%' WHERE id = '1'")
    try app.receiveDeletion(of: "notes", "true", at: 200)
    #expect(try app.rows("SELECT count(*) FROM notes") == [[.integer(0)]])
    let store = try SQLiteDataStore.open(path: app.path)
    #expect(try summaries(of: store).map(\.id) == [Self.milk])
    let conflict = try conflict()
    #expect(conflict.kind == .deletedOnServer)
    #expect(conflict["title"]?.client == FieldVersion(.text("Milk 2%"), time: 50))
  }

  @Test func valuesAreKeptExactly() throws {
    let values: [Value] = [
      .integer(9_007_199_254_740_993), .integer(.min), .integer(-9_007_199_254_740_991), .real(2), .real(0.1),
      .real(0.1 + 0.2), .real(-1e300), .real(.leastNonzeroMagnitude), .real(.infinity),
      .text("a\"b\\\n\u{1}é\u{1F6D2}"), .text(""),
      .text("\u{FEFF}notes"), .text("a\u{0}b"),
      .opaque(kind: Value.brokenText, bytes: [0x61, 0xFF, 0x22, 0xC3]),
      .blob(Blob(bytes: [0, 255, 16])), .blob(Blob(bytes: [])), .null,
    ]
    for value in values {
      let column =
        switch value {
        case .integer: "rank"
        case .real: "size"
        case .blob: "picture"
        case .text, .null, .opaque: "body"
        }
      try app.edit(at: 50, "UPDATE notes SET body = 'x', size = 1, rank = 1, picture = x'00'")
      try app.edit(at: 51, "UPDATE notes SET \(column) = ?, title = 'Milk 2%'", [value])
      try app.receive(Self.record("b", 60, title: ("Oat milk", 60), body: ("2 l", 60)), at: 200)
      let json = try #require(try inbox().first?.clientRow)
      #expect(try RowJSON.decode(json)?[column] == value, "\(json)")
    }
  }

  @Test func aCapturedRowThatCannotBeReadIsToldInWords() throws {
    try app.edit(at: 50, "UPDATE notes SET title = 'Milk 2%' WHERE id = '1'")
    try app.receive(Self.record("b", 60, title: ("Oat milk", 60), body: ("2 l", 60)), at: 200)
    try app.inTransaction { try $0.run("UPDATE parley_inbox SET clientRow = '{\"a'") }
    let notes = try conflict().details.notes
    let note = try #require(notes.first { $0.hasPrefix("the captured row cannot be read (") })
    #expect(!note.contains("JSONProblem") && !note.contains("offset"))
  }

  @Test func namesWithQuotesAndIntegerKeysAreCaptured() throws {
    let name = "7:" + PlayedApp.odd
    func record(_ tag: String, _ text: String, _ time: Int64) -> ArchivedRecord {
      .sample(
        name, tag: tag, serverTime: time,
        ["number": (.integer(7), 1), PlayedApp.oddColumn: (.string(text), time)])
    }
    try app.receive(record("a", "one", 10), at: 100)
    try app.edit(at: 150, "UPDATE \(quoted(PlayedApp.odd)) SET \(quoted(PlayedApp.oddColumn)) = 'two'")
    try app.receive(record("b", "three", 160), at: 200)
    let conflict = try SQLiteDataStore.open(path: app.path).conflict(name)
    #expect(conflict[PlayedApp.oddColumn]?.client == FieldVersion(.text("two"), time: 150))
    #expect(conflict[PlayedApp.oddColumn]?.ancestor?.value == .text("one"))
    #expect(try inbox().count == 1)
  }

  @Test func twoRecordsOnTopOfEachOtherAreOneConflict() throws {
    try app.edit(at: 50, "UPDATE notes SET title = 'Milk 2%'")
    try app.receive(Self.record("b", 60, title: ("Oat milk", 60), body: ("2 l", 60)), at: 200)
    try app.receive(Self.record("c", 70, title: ("Oat milk", 60), body: ("3 l", 70)), at: 300)
    #expect(try inbox().count == 2)
    let conflict = try conflict()
    #expect(conflict["title"]?.change == .different)
    #expect(conflict["title"]?.ancestor?.value == .text("Milk"))
    #expect(conflict["title"]?.client == FieldVersion(.text("Milk 2%"), time: 50))
    #expect(conflict["body"]?.change == .onlyServer)
  }

  /// The last edit is what the server had two merges ago, and "third" in between shows that somebody made it.
  @Test func anEditBackToWhatTheServerHadTwoMergesAgoIsTheClients() throws {
    for (number, titles) in [("first", "second"), ("third", "fourth"), ("second", "fifth")].enumerated() {
      let time = 50 + 50 * Int64(number)
      try app.edit(at: time, "UPDATE notes SET title = '\(titles.0)'")
      let server = Self.record("b\(number)", time + 10, title: (titles.1, time + 10), body: ("1 l", 10))
      try app.receive(server, at: time + 20)
    }
    #expect(try app.rows("SELECT title FROM notes") == [[.text("second")]])
    let title = try #require(try conflict()["title"])
    #expect(title.client?.value == .text("second") && title.server?.value == .text("fifth"), "\(title)")
  }

  @Test func theSQLCanBeRunAgain() throws {
    try app.capture()
    try app.edit(at: 50, "UPDATE notes SET title = 'Milk 2%'")
    try app.receive(Self.record("b", 60, title: ("Oat milk", 60), body: ("2 l", 60)), at: 200)
    #expect(try inbox().count == 1)
  }

  @Test func anInboxOfBeforeGetsTheColumnOnce() throws {
    try app.inTransaction { try $0.execute(sql: "ALTER TABLE parley_inbox DROP COLUMN clientTime") }
    let old = try SQLiteDataStore.open(path: app.path).capture()
    #expect(old.upgrade == [#"ALTER TABLE "parley_inbox" ADD COLUMN "clientTime" INTEGER;"#])
    try app.capture()
    #expect(try SQLiteDataStore.open(path: app.path).capture().upgrade.isEmpty)
  }
}
