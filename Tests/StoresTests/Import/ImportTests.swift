import Foundation
import Merging
import Testing

@testable import KeyedArchives
@testable import SQLiteDataStores
@testable import StoreInterface

/// What an import takes, and what it leaves.
struct ImportTests {
  static let milk = ImportBench.milk
  static let bread = ImportBench.bread

  @Test func anArchiveEntersTheAppsInbox() throws {
    let bench = try ImportBench()
    let file = try bench.file(try #require(bench.archives[Self.milk]))
    let store = try bench.open()
    #expect(try store.importRecords(from: [file], isRehearsal: false).words == "1 new, 1 app")
    let row = try bench.files.rows(
      "SELECT recordName, recordType, path, receivedAt, isDeleted, ancestorRecord, clientRow FROM parley_inbox"
    )
    #expect(
      row == [
        [
          .text(Self.milk), .text("reminders"), .text("import"), .integer(WriteTests.time), .integer(0),
          .null,
          .null,
        ]
      ])
    let conflict = try store.conflict(Self.milk)
    #expect(conflict.details.ancestorNotChoosable == nil && conflict.details.notes.isEmpty)
    #expect(conflict["priority"]?.server?.value == .integer(3))
  }

  /// As it is with what the app gets meanwhile: a walk goes from what was newest when it began to what is oldest.
  @Test func whatIsImportedDuringAWalkIsInTheNextOne() throws {
    let bench = try ImportBench()
    let store = try bench.open()
    func bring(_ record: String) throws {
      let title = #""title": {"value": "Another one", "type": "STRING"}"#
      let file = try bench.file(ImportBench.json(record, fields: title))
      #expect(try store.importRecords(from: [file], isRehearsal: false).new == 1)
    }
    try bring(Self.bread)
    let walk = store.conflicts()
    #expect(try walk.next(limit: 1)?.summaries.map(\.id) == [Self.bread])
    try bring(Self.milk)
    #expect(try walk.next(limit: 1) == nil)
    #expect(try summaries(of: store, limit: 1).map(\.id) == [Self.milk, Self.bread])
  }

  /// Of another version of the app.
  @Test func aFieldThatTheTableHasNotIsTold() throws {
    let bench = try ImportBench()
    let file = try bench.file(try bench.archive(Self.milk) { $0.values["position"] = .integer(3) })
    let store = try bench.open()
    #expect(try store.importRecords(from: [file], isRehearsal: false).new == 1)
    let told = "the server's record has fields that this table has not: position"
    #expect(try store.conflict(Self.milk).details.notes == [told])
  }

  @Test func withoutAnInboxItIsKeptInTheJournal() throws {
    let bench = try ImportBench(inbox: .none)
    let before = try bench.files.dump()
    let file = try bench.file(try #require(bench.archives[Self.milk]))
    let store = try bench.open()
    #expect(try store.importRecords(from: [file], isRehearsal: false).words == "1 new, 1 journal")
    #expect(try bench.files.dump() == before)
    #expect(try summaries(of: store).map(\.id) == [Self.milk])
    #expect(try store.estimatedCount() == 1)
    #expect(try summaries(of: try bench.open(.reading)).map(\.title) == ["Milk 2%"])
  }

  @Test(.enabled(if: OtherProcess.shell != nil, "needs the sqlite3 shell, which plays the app"))
  func whileTheAppHasItsDatabaseOpenItIsKeptInTheJournal() throws {
    let bench = try ImportBench()
    let file = try bench.file(try #require(bench.archives[Self.milk]))
    let app = try OtherProcess(bench.path)
    app.run("SELECT count(*) FROM reminders;")
    defer { app.end() }
    let store = try bench.open()
    #expect(try store.importRecords(from: [file], isRehearsal: false).words == "1 new, 1 journal")
    #expect(try summaries(of: store).map(\.id) == [Self.milk])
    // Nothing of the app's is written, so it can be taken out again just as well.
    #expect(try store.undoLastWrite().map(\.outcome) == [.fine])
    #expect(try summaries(of: store).isEmpty)
  }

  @Test(arguments: [ImportBench.Inbox.empty, .none])
  func anImportIsInTheLogAndUndoTakesItOutAgain(inbox: ImportBench.Inbox) throws {
    let bench = try ImportBench(inbox: inbox)
    let before = try bench.files.dump()
    let files = try [Self.milk, Self.bread].map { try bench.file(try #require(bench.archives[$0])) }
    let store = try bench.open()
    #expect(try store.importRecords(from: files, isRehearsal: false).new == 2)
    let entries = try store.journal.entries(limit: 9)
    #expect(entries.map(\.kind) == [.import, .import])
    #expect(Set(entries.map(\.text)) == ["imported: Milk", "imported: Bread, rye"])
    let told = try #require(try store.lastWrite())
    #expect(told.records.map(\.id) == [Self.milk, Self.bread] && told.takingBack.contains("the inbox again"))
    #expect(try store.undoLastWrite().map(\.outcome) == [.fine, .fine])
    #expect(try summaries(of: store).isEmpty && store.log.waitingImports().isEmpty)
    #expect(try bench.files.dump() == before)
    #expect(try store.journal.entries(limit: 2).map(\.text).allSatisfy { $0.hasPrefix("taken back") })
    #expect(throws: StoreError.nothingToUndo) { try store.undoLastWrite() }
    #expect(try store.importRecords(from: files, isRehearsal: false).new == 2)
  }

  /// A record with an archive lies in the app's inbox, one of JSON in the journal; the file was the same wrong one.
  @Test func oneImportIsOneStepBackWhereverItLies() throws {
    let bench = try ImportBench()
    let before = try bench.files.dump()
    let store = try bench.open()
    let files = try [
      bench.file(try #require(bench.archives[Self.milk])), bench.file(ImportBench.json(Self.bread)),
    ]
    #expect(
      try store.importRecords(from: files, isRehearsal: false).words
        == "2 new, 1 withoutArchive, 1 app, 1 journal")
    #expect(try store.undoLastWrite().map(\.outcome) == [.fine, .fine])
    #expect(try summaries(of: store).isEmpty)
    #expect(try bench.files.dump() == before)
  }

  @Test(arguments: [ImportBench.Inbox.empty, .none])
  func whatWasWrittenOfAnImportIsNotTakenOut(inbox: ImportBench.Inbox) throws {
    let bench = try ImportBench(inbox: inbox)
    let files = try [Self.milk, Self.bread].map { try bench.file(try #require(bench.archives[$0])) }
    let store = try bench.open()
    #expect(try store.importRecords(from: files, isRehearsal: false).new == 2)
    _ = try store.write([try #require(try plan(Self.milk, in: store))], note: nil)
    let rename = "UPDATE reminders SET title = ? WHERE id = ?"
    let key = Value.text(Demo.key(12))
    let title = try bench.files.rows("SELECT title FROM reminders WHERE id = '\(Demo.key(12))'")[0][0]
    try bench.files.run(rename, [.text("Another"), key])
    #expect(
      try store.undo(.lastPossibleWrite).map(\.outcome) == [
        .moved("the row changed since it was written"),
        .moved("the inbox changed since it was written"), .fine,
      ])
    try bench.files.run(rename, [title, key])
    #expect(try store.undoLastWrite().map(\.id) == [Self.milk])
    #expect(try store.undoLastWrite().map(\.outcome) == [.fine])
    #expect(try summaries(of: store).isEmpty)
  }

  /// An import is no write: what was decided before it still waits.
  @Test func anImportMakesNoDecisionWritten() throws {
    let bench = try ImportBench(inbox: .none)
    let store = try bench.open()
    try store.journal.append([
      Decision(id: Self.milk, subject: .record, choice: .take(.server), fingerprint: "", decidedAt: 1)
    ])
    let file = try bench.file(try #require(bench.archives[Self.milk]))
    _ = try store.importRecords(from: [file], isRehearsal: false)
    #expect(try store.journal.decisions(for: [Self.milk]).map(\.isWritten) == [false])
  }

  /// What was decided once is not asked for again, but what somebody saved since is another edit, be the values the same.
  @Test func whatWasSavedAgainIsAskedAgain() throws {
    let bench = try ImportBench()
    let store = try bench.open()
    func bring(_ tag: String, after milliseconds: Int64) throws -> Int {
      let json = ImportBench.json(Self.milk, tag: tag, modified: 1_795_179_660_000 + milliseconds)
      return try store.importRecords(from: [try bench.file(json)], isRehearsal: false).new
    }
    #expect(try bring("d001", after: 0) == 1)
    let client = [Subject.field("title"): Choice.take(.client)]
    let decided = try store.conflict(Self.milk).decisions(
      about: [.field("title")], in: Resolution(choices: client), at: 1)
    try store.journal.append(decided)
    #expect(try summaries(of: store).map(\.undecided) == [0])
    let planned = try #require(try plan(Self.milk, in: store, client))
    #expect(try store.write([planned], note: nil).map(\.outcome) == [.fine])
    #expect(try bring("d001", after: 0) == 0 && bring("d002", after: 0) == 0)
    #expect(try bring("d003", after: 60_000) == 1)
    #expect(try summaries(of: store).map(\.undecided) == [1])
  }

  /// The keys in `$top`, or under `root`; binary or XML: the fixtures hold archives of CloudKit itself.
  @Test func anArchiveInXMLBecomesBinary() throws {
    let bench = try ImportBench()
    let archive = try #require(bench.archives[Self.milk])
    let plist = try PropertyListSerialization.propertyList(from: Data(archive), format: nil)
    let xml = try PropertyListSerialization.data(fromPropertyList: plist, format: .xml, options: 0)
    let store = try bench.open()
    #expect(
      try store.importRecords(from: [bench.file(Array(xml))], isRehearsal: false).words == "1 new, 1 app")
    guard case .blob(let kept)? = try bench.files.value("SELECT serverRecord FROM parley_inbox") else {
      Issue.record("nothing was kept")
      return
    }
    let bytes = try #require(kept.bytes)
    #expect(bytes.starts(with: Array("bplist00".utf8)))
    #expect(try ArchivedRecord(decoding: bytes) == ArchivedRecord(decoding: archive))
  }

  @Test func whatIsNoChangeIsNotTaken() throws {
    let bench = try ImportBench()
    let store = try bench.open()
    let ancestor = try #require(
      try bench.files.metadata("_lastKnownServerRecordAllFields", Self.milk)?.first)
    guard case .blob(let blob) = ancestor, let bytes = blob.bytes else { return }
    var sameValues = try ArchivedRecord(decoding: bytes)
    (sameValues.changeTag, sameValues.modifiedAt) = ("d001", Demo.now + 7)
    var older = try ArchivedRecord(decoding: try #require(bench.archives[Self.milk]))
    (older.changeTag, older.modifiedAt) = ("9001", (sameValues.createdAt ?? 0) - 1_000_000_000)
    let files = try [bytes, sameValues.encoded(), older.encoded()].map { try bench.file($0) }
    let before = try bench.files.dump()
    #expect(try store.importRecords(from: files, isRehearsal: false).words == "2 unchanged, 1 older")
    #expect(try bench.files.dump() == before)
  }

  @Test(arguments: [ImportBench.Inbox.empty, .none])
  func importedTwiceNothingDoubles(inbox: ImportBench.Inbox) throws {
    let bench = try ImportBench(inbox: inbox)
    let store = try bench.open()
    let archive = try bench.file(try #require(bench.archives[Self.milk]))
    let json = try bench.file(
      "[\(ImportBench.json(Self.bread)), \(ImportBench.json(Demo.reminder(16), deleted: true))]")
    let first = try store.importRecords(from: [archive, json, archive], isRehearsal: false)
    #expect(first.new == 2 && first.deleted == 1 && first.unchanged == 1 && first.withoutArchive == 1)
    #expect(try store.importRecords(from: [json, archive], isRehearsal: false).words == "3 unchanged")
    #expect(try summaries(of: store, limit: 1).count == 3)
  }

  @Test func theNewestVersionOfARecordCounts() throws {
    let bench = try ImportBench()
    let store = try bench.open()
    let titles = [(3, "third"), (1, "first"), (2, "second")]
    let files = try titles.map { number, title in
      try bench.file(
        try bench.archive(Self.milk) { record in
          record.changeTag = "d00\(number)"
          record.modifiedAt = Demo.now + Int64(number) * 1_000_000_000
          record.values["title"] = .string(title)
        })
    }
    #expect(try store.importRecords(from: [files[1]], isRehearsal: false).words == "1 new, 1 app")
    let later = try bench.open(at: WriteTests.time + 1)
    #expect(
      try later.importRecords(from: files, isRehearsal: false).words == "1 new, 2 older, 1 app")
    #expect(try later.conflict(Self.milk)["title"]?.server?.value == .text("third"))
    #expect(try summaries(of: later, limit: 1).map(\.id) == [Self.milk])
  }

  @Test func aServerThatWentBackToTheAncestorLeavesNoConflict() throws {
    let bench = try ImportBench()
    let store = try bench.open()
    let title = try store.importRecords(
      from: [bench.file(ImportBench.json(Self.bread, tag: "d001"))], isRehearsal: false)
    #expect(title.new == 1)
    let back = ImportBench.json(
      Self.bread, tag: "d002", modified: 1_795_179_700_000, fields: "\"title\": {\"value\": \"Bread\"}")
    let later = try bench.open(at: WriteTests.time + 1)
    #expect(try later.importRecords(from: [bench.file(back)], isRehearsal: false).new == 1)
    #expect(try summaries(of: later).isEmpty)
  }

  @Test func anArchiveTakesThePlaceOfTheSameRecordInJSON() throws {
    let bench = try ImportBench()
    let tag = try #require(try ArchivedRecord(decoding: bench.archives[Self.milk] ?? []).changeTag)
    let json = ImportBench.json(
      Self.milk, tag: tag, modified: 1_795_177_200_000,
      fields: "\"priority\": {\"value\": 3, \"type\": \"INT64\"}")
    let store = try bench.open()
    #expect(
      try store.importRecords(from: [bench.file(json)], isRehearsal: false).words
        == "1 new, 1 withoutArchive, 1 journal")
    #expect(try store.conflict(Self.milk).details.ancestorNotChoosable != nil)
    let later = try bench.open(at: WriteTests.time + 1)
    let archive = try bench.file(try #require(bench.archives[Self.milk]))
    #expect(try later.importRecords(from: [archive], isRehearsal: false).words == "1 new, 1 app")
    #expect(try later.conflict(Self.milk).details.ancestorNotChoosable == nil)
    #expect(try later.importRecords(from: [bench.file(json)], isRehearsal: false).words == "1 unchanged")
  }

  @Test func aRehearsalChangesNothing() throws {
    for inbox in [ImportBench.Inbox.empty, .none] {
      let bench = try ImportBench(inbox: inbox)
      let files = try [
        bench.file(try #require(bench.archives[Self.milk])), bench.file(ImportBench.json(Self.bread)),
      ]
      let before = try bench.folder.files()
      let store = try bench.open()
      #expect(try store.importRecords(from: files, isRehearsal: true).new == 2)
      #expect(try bench.folder.files() == before)
      #expect(try summaries(of: store).isEmpty)
    }
  }

  @Test func whatCannotBeTakenIsToldWithItsPlace() throws {
    let bench = try ImportBench()
    let store = try bench.open()
    let otherZone = try bench.archive(Self.milk) { $0.zoneName = "elsewhere" }
    let otherAccount = try bench.archive(Self.milk) { $0.ownerName = "_abc" }
    let noFields = try ArchivedRecord(decoding: bench.archives[Self.milk] ?? []).encodedSystemFields()
    let files = try [
      bench.file(otherZone), bench.file(otherAccount), bench.file(noFields), bench.file("bplist00garbage"),
      bench.file("<?xml version=\"1.0\"?><plist><array/></plist>"), bench.file("[{\"recordName\": 1e400}]"),
      bench.folder.path, bench.path, bench.files.files.metadatabase,
    ]
    let summary = try store.importRecords(from: files, isRehearsal: false)
    #expect(summary.words == "9 unreadable")
    #expect(summary.unreadable.map(\.file) == files)
    #expect(summary.unreadable.map(\.place) == [nil, nil, nil, nil, nil, "line 1, column 17", nil, nil, nil])
    let reasons = [
      "it lies in the zone elsewhere, the record here in co.pointfree.SQLiteData.defaultZone",
      "it is the archive of another account: its zone belongs to _abc, here to __defaultOwner__",
      "the acknowledgement carried no fields", "its archive cannot be read: ", "its archive cannot be read: ",
      "a number too large to be kept", "it is a folder, or no regular file",
      "it belongs to this store itself",
      "it belongs to this store itself",
    ]
    for (entry, reason) in zip(summary.unreadable, reasons) { #expect(entry.reason.hasPrefix(reason)) }
    #expect(try summaries(of: store).isEmpty)
  }

  /// The server calls an owner by the name of a user's record, and the app by none.
  @Test(arguments: ["_abc", Metadatabase.defaultOwner, nil])
  func whatJSONTellsOfItsOwnerIsNoOtherPlace(owner: String?) throws {
    let bench = try ImportBench()
    let owner = owner.map { #", "ownerRecordName": "\#($0)""# } ?? ""
    let place = #""zoneID": {"zoneName": "\#(Metadatabase.defaultZone)"\#(owner)}"#
    let made = #"{"created": {"timestamp": 1795179660000}, \#(place), "#
    let file = try bench.file(made + String(ImportBench.json(Self.milk).dropFirst()))
    let store = try bench.open()
    #expect(try store.importRecords(from: [file], isRehearsal: false).new == 1)
    let notes = try store.conflict(Self.milk).details.notes
    #expect(notes.contains { $0.hasSuffix("the record was deleted in between, and made anew") }, "\(notes)")
  }

  @Test func recordsOfUnknownTablesAreCountedByTable() throws {
    let bench = try ImportBench()
    let records = ["1:boards", "2:boards", "share-1", "1:parley_inbox"].map { ImportBench.json($0) }
    let file = try bench.file(records.joined(separator: "\n"))
    let summary = try bench.open().importRecords(from: [file], isRehearsal: false)
    #expect(summary.words == "4 unknown")
    #expect(summary.unknownTables == ["boards": 2, "share-1": 1, "parley_inbox": 1])
  }

  @Test func aFileThatIsNotThereStopsAllOfIt() throws {
    let bench = try ImportBench()
    let file = try bench.file(try #require(bench.archives[Self.milk]))
    let before = try bench.folder.files()
    #expect(throws: StoreError.fileMissing(path: "/nowhere.json")) {
      try bench.open().importRecords(from: [file, "/nowhere.json"], isRehearsal: false)
    }
    #expect(try bench.folder.files() == before)
  }

  @Test func aRecordThatIsNewHereIsInserted() throws {
    let bench = try ImportBench(inbox: .none)
    let id = Demo.reminder(900)
    let fields = """
      "id": {"value": "\(Demo.key(900))"}, "title": {"value": "From the other side"}, \
      "isCompleted": {"value": 0}, "remindersListID": {"value": "\(Demo.key(4))"}
      """
    let store = try bench.open()
    let json = try bench.file(ImportBench.json(id, fields: fields))
    #expect(try store.importRecords(from: [json], isRehearsal: false).new == 1)
    let planned = try #require(try plan(id, in: store, [.record: .take(.server)]))
    #expect(try store.write([planned], note: nil).map(\.outcome) == [.fine])
    #expect(
      try bench.files.metadata("zoneName, ownerName, lastKnownServerRecord", id)
        == [.text(Metadatabase.defaultZone), .text(Metadatabase.defaultOwner), .null])
    #expect(
      try bench.files.value("SELECT title FROM reminders WHERE id = ?", [.text(Demo.key(900))])
        == .text("From the other side"))
  }
}

extension TestFolder {
  /// The bytes of the files, without those in folders.
  func files() throws -> [String: Data] {
    var files: [String: Data] = [:]
    for name in try FileManager.default.contentsOfDirectory(atPath: path) {
      files[name] = try? Data(contentsOf: URL(filePath: path(name)))
    }
    return files
  }
}
