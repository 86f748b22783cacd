import GRDB
import Merging
import StoreInterface
import Testing

@testable import KeyedArchives
@testable import SQLiteDataStores

/// An ancestor that is not there, not whole, not readable, or later than the record that came in.
@Suite struct AncestorTests {
  let folder: TestFolder
  let app: PlayedApp
  static let milk = "1:notes"

  init() throws {
    folder = try TestFolder()
    app = try PlayedApp(in: folder)
    try app.capture()
    try app.receive(Self.record("a", 10, "Milk"), at: 100)
    try app.edit(at: 150, "UPDATE notes SET title = 'Milk 2%'")
  }

  private static func record(_ tag: String, _ time: Int64, _ title: String) -> ArchivedRecord {
    .sample(milk, tag: tag, serverTime: time, ["id": (.string("1"), 10), "title": (.string(title), time)])
  }

  /// As a probe brings it, which knows nothing of an ancestor.
  private func probe(_ record: ArchivedRecord) throws {
    try app.inTransaction { db in
      try db.run(
        """
        INSERT INTO parley_inbox (recordName, zoneName, ownerName, recordType, receivedAt, path, serverRecord)
        VALUES (?, ?, ?, 'notes', 200, 'probe', ?)
        """,
        [
          .text(Self.milk), .text(record.zoneName), .text(record.ownerName),
          .blob(Blob(bytes: record.encoded())),
        ])
    }
  }

  private func setAncestor(_ archive: Value) throws {
    try app.inTransaction {
      try $0.run("UPDATE sqlitedata_icloud_metadata SET _lastKnownServerRecordAllFields = ?", [archive])
    }
  }

  private func conflict() throws -> RecordConflict {
    try SQLiteDataStore.open(path: app.path).conflict(Self.milk)
  }

  enum Damage: CaseIterable, Sendable {
    case missing, unsaved, withoutFields, unreadable, later

    var note: String {
      switch self {
      case .missing, .unsaved: "there is no ancestor: this device and the server never agreed on the record"
      case .withoutFields: "ancestor not known: the acknowledgement carried no fields"
      case .unreadable: "ancestor not known: its archive cannot be read"
      case .later: "ancestor not known: the app received it after this record"
      }
    }
  }

  @Test(arguments: Damage.allCases)
  func withoutAKnownAncestorNothingIsSureAndANoteSaysWhy(damage: Damage) throws {
    switch damage {
    case .missing: try setAncestor(.null)
    case .unsaved:
      var sent = Self.record("", 10, "Milk")
      (sent.changeTag, sent.modifiedAt) = (nil, nil)
      try setAncestor(.blob(Blob(bytes: sent.encoded())))
    case .withoutFields:
      try setAncestor(.blob(Blob(bytes: Self.record("a", 10, "Milk").encodedSystemFields())))
    case .unreadable: try setAncestor(.blob(Blob(bytes: Array("not an archive".utf8))))
    case .later: try setAncestor(.blob(Blob(bytes: Self.record("z", 900, "Milk").encoded())))
    }
    try probe(Self.record("b", 160, "Oat milk"))
    let conflict = try conflict()
    #expect(conflict.kind == .noAncestor)
    #expect(conflict["title"]?.suggestion.certainty == .yours)
    #expect(conflict["title"]?.ancestor == nil)
    #expect(conflict.details.notes.contains { $0.hasPrefix(damage.note) }, "\(conflict.details.notes)")
    // Where both made the record nothing went before, and a policy can know that.
    let isLost = ![.missing, .unsaved].contains(damage)
    #expect(conflict.details.withoutPolicy.contains("title") == isLost)
  }

  /// By its own values this record says that the server took "Oat milk" back; it is only an old one.
  @Test func anOutdatedRecordDoesNotTakeBackWhatCameAfterIt() throws {
    try app.acknowledge(Self.record("z", 900, "Oat milk"), at: 950)
    try app.edit(at: 960, "UPDATE notes SET title = 'Oat milk'")
    try probe(Self.record("b", 160, "Milk"))
    let title = try #require(try conflict()["title"])
    #expect(title.change == .different)
    #expect(title.suggestion.certainty == .yours)
  }

  @Test func anOutdatedRecordIsWrittenWithoutMovingTheAncestorBack() throws {
    try app.acknowledge(Self.record("z", 900, "Oat milk"), at: 950)
    try probe(Self.record("b", 160, "Milk"))
    let ancestor = try app.rows("SELECT _lastKnownServerRecordAllFields FROM sqlitedata_icloud_metadata")
    try app.close()
    let store = try SQLiteDataStore.open(path: app.path, access: .writing, route: .direct, clock: { 1_000 })
    let planned = try #require(try plan(Self.milk, in: store))
    #expect(try store.write([planned], note: nil).map(\.outcome) == [.fine])
    let files = try StoreFilesInspector(app.path)
    #expect(
      try files.rows("SELECT _lastKnownServerRecordAllFields FROM sqlitedata_icloud_metadata") == ancestor)
  }

  @Test func withoutTheServersClockAStrangeTagIsNewer() {
    func stamp(_ tag: String, _ time: Int64? = nil) -> ServerStamp { ServerStamp(tag: tag, time: time) }
    #expect(stamp("c").isNewer(than: stamp("b"), ancestorTag: "a"))
    #expect(!stamp("a").isNewer(than: stamp("b"), ancestorTag: "a"))
    #expect(!stamp("b").isNewer(than: stamp("b"), ancestorTag: "a"))
    #expect(!stamp("c").isNewer(than: stamp("b"), ancestorTag: nil))
    #expect(stamp("c", 2).isNewer(than: stamp("b", 1), ancestorTag: nil))
    #expect(!stamp("c", 1).isNewer(than: stamp("b", 2), ancestorTag: "a"))
  }
}
