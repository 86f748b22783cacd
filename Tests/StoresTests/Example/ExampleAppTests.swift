import Foundation
import GRDB
import Merging
import Testing

@testable import KeyedArchives
@testable import SQLiteDataStores
@testable import StoreInterface

/// A server in memory: the last record that was saved.
private final class ExampleServer {
  private(set) var record: ArchivedRecord
  private var tags = 0

  init(_ record: ArchivedRecord) { self.record = record }

  var nextTag: String { "tag \(tags + 1)" }

  func save(_ record: ArchivedRecord) {
    tags += 1
    self.record = record
  }
}

/// A device with the app of `Notes.swift`, whose sync engine is played.
private struct ExampleDevice {
  static let milk = "1:notes"
  let folder: TestFolder
  let app: PlayedApp
  let server: ExampleServer

  init(_ server: ExampleServer) throws {
    folder = try TestFolder()
    app = try PlayedApp(in: folder)
    self.server = server
    try app.capture()
    try sync(at: 20)
  }

  var note: Note {
    get throws { try #require(try app.queue.read { try Note.fetchOne($0, key: "1") }) }
  }

  func edit(at time: Int64, _ change: (inout Note) -> Void) throws {
    app.setTime(time)
    var note = try note
    change(&note)
    try app.queue.write { try note.update($0) }
  }

  /// What came in, as far as the app's policies decide: nothing that it cannot read or write.
  func merge(at time: Int64) throws {
    let errors = try app.queue.write { try mergeNotes(in: $0, at: time) }
    #expect(errors.isEmpty, "\(errors)")
  }

  /// Fetches, lets the app merge, and sends.
  func sync(at time: Int64) throws {
    if try app.lastKnown(Self.milk)?.changeTag != server.record.changeTag {
      try app.receive(server.record, at: time)
    }
    app.setTime(time)
    try merge(at: time)
    guard app.queued[Self.milk] == .save,
      let record = try app.recordToSend(Self.milk, tag: server.nextTag)
    else { return }
    server.save(record)
    try app.acknowledge(record, at: time)
    app.dequeue(Self.milk)
  }

  /// Parley, while the app is not running.
  func parley(at time: Int64) throws -> SQLiteDataStore {
    try SQLiteDataStore.open(path: app.path, access: .writing, clock: { time })
  }
}

/// The whole story of an app without CloudKit: two devices, a server in memory, the library for what its policies decide, and
/// Parley for what is left to a person.
@Suite struct ExampleAppTests {
  private let server = ExampleServer(
    .sample(
      ExampleDevice.milk, tag: "tag 0", serverTime: 10,
      [
        "id": (.string("1"), 10), "title": (.string("Milk"), 10), "rank": (.integer(3), 10),
        "body": (.string("one litre of milk"), 10),
      ]))

  @Test func thePoliciesDecideWhatTheyCanAndAPersonTheRest() throws {
    let (phone, tablet) = (try ExampleDevice(server), try ExampleDevice(server))
    try bothEdit(phone, tablet)
    try expectMerged(phone, tablet)
    try bothEditTheTitleAtOneTime(phone, tablet)
    try aPersonDecides(on: tablet)
    try expectDecided(phone, tablet)
  }

  /// Between the engine's merge and the app's own somebody goes on typing: another column is settled all the same, and keeps
  /// what was typed; the column in conflict is a person's.
  @Test(arguments: [true, false]) func whatIsEditedMeanwhileStays(inAnotherColumn isAnother: Bool) throws {
    let (phone, tablet) = (try ExampleDevice(server), try ExampleDevice(server))
    try phone.edit(at: 100) { $0.rank = 5 }
    try phone.sync(at: 200)
    try tablet.edit(at: 150) { $0.rank = 4 }
    try tablet.app.receive(server.record, at: 300)
    try tablet.edit(at: 310) { if isAnother { $0.title = "Typed" } else { $0.rank = 40 } }
    try tablet.merge(at: 320)
    let (note, waiting) = (try tablet.note, try tablet.app.rows("SELECT recordName FROM parley_inbox"))
    #expect(note.title == (isAnother ? "Typed" : "Milk") && note.rank == (isAnother ? 6 : 40))
    #expect(waiting.isEmpty == isAnother)
  }

  /// Between both merges somebody takes back what came in: that is an edit, too, though the other side once had it.
  @Test func whatIsPutBackMeanwhileStays() throws {
    let (phone, tablet) = (try ExampleDevice(server), try ExampleDevice(server))
    try phone.edit(at: 100) { ($0.title, $0.rank) = ("Soy", 5) }
    try phone.sync(at: 200)
    try tablet.edit(at: 150) { $0.rank = 4 }
    try tablet.app.receive(server.record, at: 300)
    #expect(try tablet.note.title == "Soy")
    try tablet.edit(at: 310) { $0.title = "Milk" }
    try tablet.merge(at: 320)
    #expect(try tablet.note.title == "Milk" && tablet.note.rank == 4)
    #expect(try tablet.app.rows("SELECT recordName FROM parley_inbox") == [[.text(ExampleDevice.milk)]])
  }

  /// What came in after a conflict that waits rests on it: which of them is settled first is a person's.
  @Test func ofARecordOfWhichTwoConflictsWaitNothingIsSettled() throws {
    let tablet = try ExampleDevice(server)
    for (time, rank) in [(Int64(100), Int64(5)), (400, 9)] {
      try tablet.edit(at: time + 50) { $0.rank = Int(time) }
      var record = server.record
      record.values["rank"] = .integer(rank)
      record.values[ArchivedRecord.modificationTimeKey(of: "rank")] = .integer(time)
      record.changeTag = "tag \(time)"
      try tablet.app.receive(record, at: time + 100)
    }
    try tablet.merge(at: 600)
    #expect(try tablet.note.rank == 400)
    #expect(try tablet.app.rows("SELECT recordName FROM parley_inbox").count == 2)
  }

  /// A constraint refuses one of two, and two more rows were damaged by somebody: what the app can do something about is told.
  @Test func whatIsRefusedOrCannotBeReadHoldsUpNoOtherAndIsTold() throws {
    let tablet = try ExampleDevice(server)
    try tablet.app.receive(Self.record("2", rank: 3, at: 10, tag: "tag 0"), at: 30)
    try tablet.app.queue.write { db in
      try db.execute(sql: "UPDATE notes SET rank = 4")
      try db.execute(
        sql: """
          CREATE TEMP TRIGGER refuses BEFORE UPDATE ON main.notes WHEN NEW.rank = 6 AND NEW.id = '1' BEGIN
            SELECT RAISE(ABORT, 'no');
          END;
          INSERT INTO parley_inbox (recordName, zoneName, ownerName, recordType, receivedAt, path, isDeleted)
          VALUES ('0:notes', 'z', 'o', 'notes', 1, 'fetch', 0);
          INSERT INTO parley_inbox
            (recordName, zoneName, ownerName, recordType, receivedAt, path, isDeleted, clientRow, clientTime, serverRecord)
          VALUES ('9:notes', 'z', 'o', 'notes', 1, 'fetch', 0, '{"id":"9","title":"","body":null,"rank":1}', 1, x'00')
          """)
    }
    for id in ["1", "2"] { try tablet.app.receive(Self.record(id, rank: 5, at: 200, tag: "tag 9"), at: 300) }
    let errors = try tablet.app.queue.write { try mergeNotes(in: $0, at: 400) }
    #expect(errors.keys.sorted() == ["1:notes", "9:notes"])
    #expect(errors["9:notes"].map { "\($0)".hasPrefix("cannot be read") } == true)
    #expect(try tablet.app.rows("SELECT rank FROM notes ORDER BY id") == [[.integer(4)], [.integer(6)]])
    #expect(
      try tablet.app.rows("SELECT recordName FROM parley_inbox ORDER BY 1")
        == [[.text("0:notes")], [.text("1:notes")], [.text("9:notes")]])
  }

  /// A trigger that passes an update over makes GRDB find no row; an inbox of before has no such column.
  @Test func whatIsRefusedWithoutAConstraintAndAnOldInboxHoldUpNoOther() throws {
    let tablet = try ExampleDevice(server)
    try tablet.edit(at: 100) { $0.rank = 4 }
    try tablet.app.queue.write { db in
      try db.execute(
        sql: """
          CREATE TEMP TRIGGER passes BEFORE UPDATE OF rank ON main.notes WHEN NEW.rank = 6 BEGIN SELECT RAISE(IGNORE); END
          """)
    }
    try tablet.app.receive(Self.record("1", rank: 5, at: 200, tag: "tag 9"), at: 300)
    let errors = try tablet.app.queue.write { try mergeNotes(in: $0, at: 400) }
    #expect(Array(errors.keys) == ["1:notes"])
    #expect(try tablet.app.rows("SELECT recordName FROM parley_inbox") == [[.text("1:notes")]])
    let old = try #require(
      try tablet.app.queue.read {
        try Row.fetchOne($0, sql: "SELECT clientRow, serverRecord FROM parley_inbox")
      })
    #expect(try noteConflict(old) == nil)
  }

  /// SQLiteData takes what this device writes for the older edit, and never sends it.
  @Test func whatAClockAheadHasSetWaitsUntilThen() throws {
    let tablet = try ExampleDevice(server)
    try tablet.edit(at: 100) { $0.rank = 4 }
    try tablet.app.receive(Self.record("1", rank: 5, at: 900, tag: "tag 9"), at: 300)
    try tablet.merge(at: 400)
    #expect(try tablet.app.rows("SELECT recordName FROM parley_inbox") == [[.text("1:notes")]])
    try tablet.merge(at: 901)
    #expect(try tablet.app.rows("SELECT recordName FROM parley_inbox").isEmpty)
    #expect(try tablet.note.rank == 6)
  }

  /// An UPDATE of nothing would be sent.
  @Test func whatTheEngineMergedRightIsNotSentAgain() throws {
    let tablet = try ExampleDevice(server)
    try tablet.edit(at: 100) { $0.rank = 4 }
    var record = server.record
    record.values["title"] = .string("Soy")
    record.values[ArchivedRecord.modificationTimeKey(of: "title")] = .integer(90)
    record.changeTag = "tag 9"
    try tablet.app.receive(record, at: 200)
    tablet.app.dequeue(ExampleDevice.milk)
    try tablet.merge(at: 400)
    #expect(tablet.app.queued[ExampleDevice.milk] == nil)
    #expect(try tablet.app.rows("SELECT recordName FROM parley_inbox").isEmpty)
    #expect(try tablet.note.title == "Soy" && tablet.note.rank == 4)
  }

  private static func record(_ id: String, rank: Int64, at time: Int64, tag: String) -> ArchivedRecord {
    .sample(
      "\(id):notes", tag: tag, serverTime: time,
      [
        "id": (.string(id), 10), "title": (.string("Milk"), 10), "rank": (.integer(rank), time),
        "body": (.string("one litre of milk"), 10),
      ])
  }

  private static let root = URL(filePath: #filePath).deletingLastPathComponent()
    .appending(path: "../../..").standardized

  private static func text(_ path: String) throws -> String {
    try String(contentsOf: root.appending(path: path), encoding: .utf8)
  }

  @Test func thePageForAppDevelopersHasThisCode() throws {
    let code = try Self.text("Tests/StoresTests/Example/Notes.swift")
    #expect(try Self.text("Sources/SQLiteDataStores/FOR-APPS.md").contains("```swift\n\(code)```\n"))
  }

  @Test func whatTheReadmeShowsOfItIsThisCode() throws {
    let code = try Self.text("Tests/StoresTests/Example/Notes.swift")
    let blocks = try Self.text("README.md").components(separatedBy: "```swift\n").dropFirst()
    #expect(blocks.count == 1)
    for block in blocks {
      let shown = block.prefix(upTo: block.range(of: "```")?.lowerBound ?? block.endIndex)
      #expect(shown.contains("MergeField") && shown.contains("resolved()") && code.contains(shown))
    }
  }

  /// The engine alone would keep one count, and one text.
  private func bothEdit(_ phone: ExampleDevice, _ tablet: ExampleDevice) throws {
    try phone.edit(at: 100) { ($0.rank, $0.body) = (5, "two litre of milk") }
    try tablet.edit(at: 150) { ($0.rank, $0.body, $0.title) = (4, "one litre of oat milk", "Oats") }
    try phone.sync(at: 200)
    try tablet.sync(at: 300)
    try phone.sync(at: 400)
  }

  private func expectMerged(_ phone: ExampleDevice, _ tablet: ExampleDevice) throws {
    for device in [phone, tablet] {
      let note = try device.note
      #expect(note.title == "Oats" && note.rank == 6 && note.body == "two litre of oat milk")
      #expect(try summaries(of: device.parley(at: 400)).isEmpty)
    }
  }

  /// Nothing tells which of them is the newer: field 6 of the model.
  private func bothEditTheTitleAtOneTime(_ phone: ExampleDevice, _ tablet: ExampleDevice) throws {
    try phone.edit(at: 500) { $0.title = "Groats" }
    try tablet.edit(at: 500) { $0.title = "Porridge" }
    try phone.sync(at: 600)
    try tablet.sync(at: 700)
    #expect(try tablet.app.rows("SELECT recordName FROM parley_inbox") == [[.text(ExampleDevice.milk)]])
  }

  private func aPersonDecides(on tablet: ExampleDevice) throws {
    let store = try tablet.parley(at: 800)
    let title = try store.conflict(ExampleDevice.milk)["title"]
    #expect(title?.suggestion.certainty == .yours)
    #expect(title?.client?.value == .text("Porridge") && title?.server?.value == .text("Groats"))
    let planned = try #require(
      try plan(ExampleDevice.milk, in: store, [.field("title"): .edit(.text("Groats, Porridge"))]))
    #expect(try store.write([planned], note: nil).first?.outcome == .fine)
  }

  private func expectDecided(_ phone: ExampleDevice, _ tablet: ExampleDevice) throws {
    try tablet.app.drainOutbox(at: 900)
    try tablet.sync(at: 1000)
    try phone.sync(at: 1100)
    for device in [phone, tablet] {
      #expect(try device.note.title == "Groats, Porridge")
      #expect(try summaries(of: device.parley(at: 1200)).isEmpty)
    }
  }
}
