import Merging
import Telling
import Testing

@testable import KeyedArchives
@testable import SQLiteDataStores
@testable import StoreInterface

/// A record that came as JSON, from the inbox to the write.
struct JSONRecordTests {
  static let milk = ImportBench.milk
  let bench: ImportBench
  let store: SQLiteDataStore

  init() throws {
    bench = try ImportBench()
    store = try bench.open()
  }

  private func bring(_ fields: String, of id: String = milk) throws -> RecordConflict {
    let file = try bench.file(ImportBench.json(id, fields: fields))
    #expect(
      try store.importRecords(from: [file], isRehearsal: false).words == "1 new, 1 withoutArchive, 1 journal")
    return try store.conflict(id)
  }

  @Test func fieldsHaveTheTimeOfTheRecordUnlessTheirOwnCanBeRead() throws {
    let time = "sqlitedata_icloud_userModificationTime_title"
    let conflict = try bring(
      """
      "title": {"value": "Oat milk"}, "\(time)": {"value": 1795179000000000007, "type": "INT64"}, \
      "priority": {"value": 3}
      """)
    #expect(conflict["title"]?.server == FieldVersion(.text("Oat milk"), time: 1_795_179_000_000_000_007))
    #expect(conflict["priority"]?.server == FieldVersion(.integer(3), time: 1_795_179_660_000_000_000))
    #expect(conflict.details.serverTag == "d001" && conflict.details.serverDevice == "iPhone")
  }

  /// Whoever asked may not read what is encrypted: a field that is not told is not known, and never NULL for that.
  @Test func aFieldThatIsNotToldIsNotKnown() throws {
    let conflict = try bring("\"title\": {\"value\": \"Oat milk\"}, \"notes\": {\"value\": null}")
    #expect(conflict["priority"]?.server == nil && conflict["priority"]?.change == .unchanged)
    #expect(conflict["notes"]?.server?.value == .null)
  }

  /// In 2033: by that clock everything here would be older.
  @Test func aTimeThatLiesAheadProvesNothing() throws {
    try bench.files.run("UPDATE reminders SET title = 'Milk 1%' WHERE id = '\(Demo.key(12))'")
    let file = try bench.file(ImportBench.json(Self.milk, modified: 2_000_000_000_000))
    let summary = try store.importRecords(from: [file], isRehearsal: false)
    #expect(summary.new == 1 && summary.timesAhead == 1)
    let conflict = try store.conflict(Self.milk)
    #expect(conflict["title"]?.suggestion.certainty == .yours)
    #expect(conflict["title"]?.suggestion.reason == .timeAhead(.server))
    #expect(conflict.accepting(.byClock, in: Resolution())[.field("title")] == nil)
    #expect(conflict.details.notes.contains { $0.hasPrefix("a time of the server lies in the future") })

    let newer = try bench.file(ImportBench.json(Self.milk, tag: "d002", modified: 2_000_000_000_001))
    #expect(
      try bench.open(at: 1_999_999_999_000_000_000).importRecords(from: [newer], isRehearsal: true).timesAhead
        == 0)
    let later = try bench.open(.reading, at: 1_999_999_999_000_000_000).conflict(Self.milk)
    #expect(later["title"]?.suggestion.certainty == .byClock)
  }

  @Test func aValueOfAnotherTypeIsForAPersonToLookAt() throws {
    let conflict = try bring(
      "\"priority\": {\"value\": \"high\", \"type\": \"STRING\"}", of: ImportBench.bread)
    let priority = try #require(conflict["priority"])
    #expect(priority.server?.value == .text("high"))
    #expect(priority.suggestion.certainty == .yours)
    #expect(priority.suggestion.reason.description == "the value is no whole number")
  }

  @Test func aNullWithATimeIsNull() throws {
    let conflict = try bring(
      "\"title\": {\"value\": \"x\"}, \"sqlitedata_icloud_userModificationTime_priority\": {\"value\": 9}")
    #expect(conflict["priority"]?.server == FieldVersion(.null, time: 9))
  }

  @Test func aBlobIsKnownByItsHashAndAnAssetWithoutByItsChecksum() throws {
    let hash = "AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8="
    let asset = "{\"fileChecksum\": \"AQID\", \"size\": 420, \"downloadURL\": \"https://example.com/secret\"}"
    let hashed = try bring(
      """
      "cover": {"value": \(asset), "type": "ASSETID"}, "cover_hash": {"value": "\(hash)", "type": "BYTES"}
      """)
    #expect(hashed["cover"]?.server?.value == .blob(Blob(sha256: Array(0..<32), count: 420)))
    let bare = try bring("\"cover\": {\"value\": \(asset), \"type\": \"ASSETID\"}", of: ImportBench.bread)
    #expect(
      bare["cover"]?.server?.value
        == .opaque(kind: "asset of 420 bytes, known by its checksum only", bytes: [1, 2, 3]))
    #expect(bare["cover"]?.suggestion.certainty != nil)
  }

  /// The only plain fields of SQLiteData's records are assets, so this is what most JSON has of them.
  @Test func anAssetWithTheAncestorsChecksumIsTheAncestorsBlob() throws {
    let id = Demo.reminder(29)
    let column = "_lastKnownServerRecordAllFields"
    guard case .blob(let blob)? = try bench.files.metadata(column, id)?.first else { return }
    var ancestor = try ArchivedRecord(decoding: blob.bytes ?? [])
    ancestor.values["cover"] = .asset(ArchivedAsset(signature: [1, 2, 3], size: 620))
    try bench.files.run(
      "UPDATE sqlitedata_icloud_metadata SET \(column) = ? WHERE recordName = ?",
      [.blob(Blob(bytes: ancestor.encoded())), .text(id)])
    let conflict = try bring(
      "\"title\": {\"value\": \"Poster\"}, \"cover\": {\"value\": {\"fileChecksum\": \"AQID\"}}", of: id)
    #expect(conflict["cover"]?.change == .onlyClient)
    #expect(conflict["cover"]?.server == conflict["cover"]?.ancestor)
  }

  /// The app does not see a NULL in a blob's column, and merges once more as it uploads over a record that came as JSON.
  @Test func bytesThatAreTakenAwayAreRefusedWithTheReason() throws {
    let id = Demo.reminder(29)
    let asset = #"{"fileChecksum": "AQID", "size": 420}"#
    let conflict = try bring(
      #""title": {"value": "Poster"}, "cover": {"value": \#(asset), "type": "ASSETID"}"#, of: id)
    let draft = Draft(id: id, action: .save([FieldDraft(name: "cover", value: .null, source: .edited)]))
    let outcome = try store.check([PlannedWrite(seen: conflict, draft: draft)]).first?.outcome
    guard case .refused("cover", let reason)? = outcome else {
      Issue.record("\(outcome as Any)")
      return
    }
    #expect(reason.hasPrefix("without the server's archive the app does not see that bytes were taken away"))
  }

  @Test func theAncestorsValueIsRefusedWithTheReason() throws {
    let conflict = try bring("\"title\": {\"value\": \"Oat milk\"}")
    let refusal = conflict.refusal(of: .take(.ancestor), for: .field("title"))
    #expect(refusal.map { $0.words.contains("without the server's archive") } == true)
    #expect(conflict.details.notes.contains { $0.hasPrefix("it was imported from JSON") })
    let draft = Draft(
      id: Self.milk, action: .save([FieldDraft(name: "title", value: .text("Milk"), source: .ancestor)]))
    guard
      case .refused("title", let reason)? = try store.check([PlannedWrite(seen: conflict, draft: draft)])
        .first?
        .outcome
    else {
      Issue.record("it was not refused")
      return
    }
    #expect(reason.contains("the ancestor cannot be advanced"))
  }

  @Test func itsWriteLeavesTheAncestorAndQueuesWhatTheServerDoesNotHave() throws {
    let blobs = "lastKnownServerRecord, _lastKnownServerRecordAllFields"
    let ancestor = try bench.files.metadata(blobs, Self.milk)
    _ = try bring("\"title\": {\"value\": \"Oat milk\"}, \"priority\": {\"value\": 3}")
    let planned = try #require(try plan(Self.milk, in: store, [.field("title"): .take(.client)]))
    #expect(try store.write([planned], note: nil).map(\.outcome) == [.fine])
    #expect(try bench.files.metadata(blobs, Self.milk) == ancestor)
    #expect(try bench.files.pending(Self.milk).map(\.kind) == [.save])
    #expect(
      try bench.files.rows("SELECT title, priority FROM reminders WHERE id = ?", [.text(Demo.key(12))])
        == [[.text("Milk 2%"), .integer(3)]])
    #expect(throws: StoreError.noSuchRecord(id: Self.milk)) { try store.conflict(Self.milk) }
  }

  /// A field goes up only if its time in the ancestor, which stays, is not later than the row's.
  @Test func aSlowClockDoesNotKeepItFromBeingSent() throws {
    _ = try bring("\"title\": {\"value\": \"Oat milk\"}, \"notes\": {\"value\": \"1 litre\"}")
    let slow = try bench.open(at: 5)
    let planned = try #require(try plan(Self.milk, in: slow, [.field("title"): .take(.client)]))
    #expect(try slow.write([planned], note: nil).map(\.outcome) == [.fine])
    guard case .integer(let time)? = try bench.files.metadata("userModificationTime", Self.milk)?.first else {
      return
    }
    #expect(time >= 1_795_179_660_000_000_000)
  }

  @Test func aDraftThatIsTheServersVersionIsNotSentAndIsUndone() throws {
    // Here the store itself changes in nothing: the client made the same edit as the server.
    let id = Demo.reminder(24)
    let before = try bench.files.dump()
    let row = try #require(
      try bench.files.rows("SELECT title FROM reminders WHERE id = ?", [.text(Demo.key(24))]).first?.first)
    #expect(row == .text("Water plants"))
    let file = try bench.file(
      ImportBench.json(id, modified: 1_795_176_060_000, fields: "\"title\": {\"value\": \"Water plants\"}"))
    #expect(try store.importRecords(from: [file], isRehearsal: false).new == 1)
    let planned = try #require(try plan(id, in: store))
    #expect(try store.write([planned], note: nil).map(\.outcome) == [.fine])
    #expect(try bench.files.pending(id).isEmpty)
    #expect(try summaries(of: store).isEmpty)
    #expect(try store.undoLastWrite().map(\.outcome) == [.fine])
    #expect(try summaries(of: store).map(\.id) == [id])
    #expect(try bench.files.dump() == before)
  }

  @Test func whatWasDecidedOnceIsNotAskedForAgain() throws {
    _ = try bring("\"title\": {\"value\": \"Oat milk\"}")
    let planned = try #require(try plan(Self.milk, in: store, [.field("title"): .take(.client)]))
    _ = try store.write([planned], note: nil)
    let same = try bench.file(ImportBench.json(Self.milk))
    #expect(try store.importRecords(from: [same], isRehearsal: false).words == "1 unchanged")
    let newer = try bench.file(
      ImportBench.json(
        Self.milk, tag: "d002", modified: 1_795_179_999_000, fields: "\"title\": {\"value\": \"Soy milk\"}"))
    #expect(try store.importRecords(from: [newer], isRehearsal: false).new == 1)
    #expect(try store.conflict(Self.milk)["title"]?.server?.value == .text("Soy milk"))
  }

  /// Nobody has deleted what was never here: to take the client's nothing would delete the record everywhere.
  @Test func aRecordThatIsNotHereIsNoDeletion() throws {
    let id = Demo.reminder(901)
    let conflict = try bring(
      """
      "id": {"value": "\(Demo.key(901))"}, "title": {"value": "From the other side"}, \
      "isCompleted": {"value": 0}, "remindersListID": {"value": "\(Demo.key(4))"}
      """, of: id)
    #expect(conflict.versions.client == .absent && conflict.kind == .onlyOnServer)
    #expect(conflict.wholeReason == .onlyOn(.server) && conflict.wholeSuggestion == .take(.server))
    #expect(conflict.refusal(of: .take(.client), for: .record) == .sideHasNoVersion(.client))
    #expect(conflict.givenUp(by: .take(.server), for: .record).isEmpty)
    #expect(conflict.alternatives.map(\.id) == ["server", "delete"])
    // The engine has nothing of it, and takes what it has nothing of for never sent.
    let draft = try #require(try plan(id, in: store))
    let checked = try #require(try store.write([draft], note: nil).first)
    #expect(checked.outcome == .fine && checked.upload == .atNextLaunch)
    #expect(try findings(of: store).filter { $0.record == id }.isEmpty)
    #expect(try store.undoLastWrite().map(\.outcome) == [.fine])
    #expect(try store.conflict(id) == conflict)
  }

  /// As where it could not be stored when it came in: what the app deletes it marks.
  @Test func aRowThatIsMissingWithoutAMarkIsNoDeletion() throws {
    try bench.files.run("DELETE FROM reminders WHERE id = '\(Demo.key(12))'")
    let conflict = try bring("\"title\": {\"value\": \"Oat milk\"}")
    #expect(conflict.versions.client == .absent && conflict.kind == .onlyOnServer)
    #expect(conflict.refusal(of: .take(.client), for: .record) == .sideHasNoVersion(.client))
    try bench.files.run(
      "UPDATE sqlitedata_icloud_metadata SET _isDeleted = 1 WHERE recordName = '\(Self.milk)'")
    #expect(try store.conflict(Self.milk).kind == .deletedOnClient)
  }

  @Test func aDeletionInJSONIsADeletion() throws {
    let file = try bench.file(ImportBench.json(Self.milk, deleted: true))
    #expect(try store.importRecords(from: [file], isRehearsal: false).words == "1 deleted, 1 app")
    #expect(try store.conflict(Self.milk).kind == .deletedOnServer)
    let gone = try bench.file(ImportBench.json(Demo.reminder(901), deleted: true))
    #expect(try store.importRecords(from: [gone], isRehearsal: false).words == "1 unchanged")
  }
}
