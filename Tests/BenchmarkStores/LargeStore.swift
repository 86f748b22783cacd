import Foundation
import GRDB
import KeyedArchives
import Merging
import SQLiteDataStores
import SQLiteFiles
import Samples
import StoreInterface

/// A store of any size, for measuring: what a list costs must not depend on it.
///
/// One archive is made, and all others are copies of it in which name, key and title are overwritten in place: they have
/// the same length in every record.
public enum LargeStore {
  /// - Parameters:
  ///   - records: how many records the store has.
  ///   - conflicts: how many of them have a server record in the inbox; no more than there are records.
  ///   - uploaded: how many the server has; the others have no archive, and take a twentieth of the room.
  ///   - isIndexed: whether an index finds a record in the inbox. `parley capture` makes it; who made the table by hand may have none.
  ///   - isCaptured: whether the inbox was filled by the triggers of `parley capture`, with what the engine's merge replaced.
  /// - Returns: the path of the app's database.
  public static func make(
    in folder: String, records: Int, conflicts: Int, uploaded: Int = .max, isIndexed: Bool = true,
    isCaptured: Bool = false
  ) throws -> String {
    let builder = try StoreBuilder(
      folder: folder, name: "Large.sqlite", container: "iCloud.com.example.Large",
      tables: [(name: table.name, sql: sql)])
    try builder.write { db in
      if !isIndexed { try db.execute(sql: "DROP INDEX parley_inbox_recordName") }
      for number in 0..<records {
        let incoming: Incoming = number >= conflicts ? .nothing : isCaptured ? .captured : .probed
        try add(number, incoming, isUploaded: number < uploaded, in: db)
      }
    }
    try builder.close()
    return builder.database
  }

  /// What CloudKit's web services would answer of `records` records in which the server has changed the priority, one a line.
  public static func writeServerRecords(_ records: Int, to path: String) throws {
    var text = ""
    for number in 0..<records {
      text += """
        {"recordName":"\(key(number)):reminders","recordType":"reminders","recordChangeTag":"d00d",\
        "modified":{"timestamp":\(time / 1_000_000 + 60_000)},"fields":{"title":{"value":"\(title(number))"},\
        "priority":{"value":9}}}

        """
    }
    try text.write(toFile: path, atomically: true, encoding: .utf8)
  }

  /// The name of the first record, which is in conflict if any is.
  public static var firstRecord: String { key(0) + ":reminders" }

  /// The metadata of the store at `path`.
  public static func metadata(of path: String) -> String {
    folderAndName(path).folder + "/.Large.metadata-iCloud.com.example.Large.sqlite"
  }

  /// What it takes until the first page of the list is there, from opening the store, in nanoseconds.
  public static func timeToFirstPage(path: String, limit: Int = 100) throws -> (
    nanoseconds: Int64, summaries: Int
  ) {
    let start = WallClock.now()
    let store = try SQLiteDataStore.open(path: path)
    let page = try store.conflicts().next(limit: limit)
    return (WallClock.now() - start, page?.summaries.count ?? 0)
  }

  /// What a walk over all conflicts takes, in nanoseconds of this thread: in pages as `parley list` reads them.
  public static func timeToWalk(path: String, limit: Int = 200) throws -> (
    nanoseconds: Int64, summaries: Int
  ) {
    let start = ProcessorTime.ofThread()
    let walk = try SQLiteDataStore.open(path: path).conflicts()
    var count = 0
    while let page = try walk.next(limit: limit) { count += page.summaries.count }
    return (ProcessorTime.ofThread() - start, count)
  }

  private static let sql = """
    CREATE TABLE "reminders" (
      "id" TEXT NOT NULL PRIMARY KEY, "title" TEXT NOT NULL DEFAULT '', "notes" TEXT, "priority" INTEGER, "estimate" REAL
    ) STRICT
    """
  private static let table = SampleTable(
    name: "reminders", columns: ["id", "title", "notes", "priority", "estimate"])
  private static let time: Int64 = 1_795_000_000_000_000_000
  private static let clientTime = time + 60_000_000_000
  private static let (plainNotes, serverNotes) = ("Nothing to add.", "Much to add.")

  private static func key(_ number: Int) -> String { DemoSamples.key(number) }
  private static func title(_ number: Int) -> String {
    let digits = String(number)
    return "Reminder " + String(repeating: "0", count: max(0, 12 - digits.utf8.count)) + digits
  }

  private static let systemFields = ArchiveTemplate(record(0, edited: false).encodedSystemFields())
  private static let ancestor = ArchiveTemplate(record(0, edited: false).encoded())
  private static let server = ArchiveTemplate(record(0, edited: true).encoded())

  private static func row(_ number: Int) -> RowImage {
    [
      "id": .text(key(number)), "title": .text(title(number)), "notes": .text(plainNotes),
      "priority": .integer(1), "estimate": .real(0.5),
    ]
  }

  private static func record(_ number: Int, edited: Bool) -> ArchivedRecord {
    let edits: RowImage = edited ? ["notes": .text(serverNotes), "priority": .integer(3)] : [:]
    let times = edits.mapValues { _ in time + 3_600_000_000_000 }
    return table.archive(
      of: row(number).merging(edits) { _, edited in edited }, key: key(number), time: time, times: times,
      tag: edited ? "c00b" : "a00b", device: "Blob's Mac")
  }

  /// What came in about a record.
  private enum Incoming {
    case nothing
    /// Its server record, which the engine has not merged.
    case probed
    /// The same with what the engine has merged it into: its notes and its priority are the later ones.
    case captured
  }

  private static func add(
    _ number: Int, _ incoming: Incoming, isUploaded: Bool, in db: Database
  ) throws {
    let key = key(number)
    let (notes, priority): (String, Int64) =
      switch incoming {
      case .nothing: (plainNotes, 1)
      case .probed: (plainNotes, 2)
      case .captured: (serverNotes, 3)
      }
    try db.run(
      "INSERT INTO reminders (id, title, notes, priority, estimate) VALUES (?, ?, ?, ?, 0.5)",
      [.text(key), .text(title(number)), .text(notes), .integer(priority)])
    let known = incoming == .captured ? server : ancestor
    try db.run(
      """
      INSERT INTO sqlitedata_icloud_metadata (recordPrimaryKey, recordType, zoneName, ownerName, lastKnownServerRecord,
        _lastKnownServerRecordAllFields, userModificationTime) VALUES (?, 'reminders', ?, ?, ?, ?, ?)
      """,
      [
        .text(key), .text(Metadatabase.defaultZone), .text(Metadatabase.defaultOwner),
        isUploaded ? systemFields.archive(number) : .null, isUploaded ? known.archive(number) : .null,
        .integer(incoming == .nothing ? time : clientTime),
      ])
    if incoming != .nothing { try addIncoming(number, isCaptured: incoming == .captured, in: db) }
  }

  private static func addIncoming(_ number: Int, isCaptured: Bool, in db: Database) throws {
    let row = row(number).merging(["priority": .integer(2)]) { _, edited in edited }
    try db.run(
      """
      INSERT INTO parley_inbox (recordName, zoneName, ownerName, recordType, receivedAt, path, serverRecord,
        ancestorRecord, clientRow, clientTime) VALUES (?, ?, ?, 'reminders', ?, ?, ?, ?, ?, ?)
      """,
      [
        .text(key(number) + ":reminders"), .text(Metadatabase.defaultZone), .text(Metadatabase.defaultOwner),
        .integer(receivedAt(number, isCaptured)), .text(isCaptured ? "fetch" : "probe"),
        server.archive(number),
        isCaptured ? ancestor.archive(number) : .null, isCaptured ? .text(RowJSON.encode(row)) : .null,
        isCaptured ? .integer(clientTime) : .null,
      ])
  }

  /// What is captured was saved on the server first.
  private static func receivedAt(_ number: Int, _ isCaptured: Bool) -> Int64 {
    time + Int64(number) + (isCaptured ? 7_200_000_000_000 : 0)
  }

  /// An archive with the places where the number of record 0 stands.
  private struct ArchiveTemplate {
    let bytes: [UInt8]
    let places: [Int]

    init(_ bytes: [UInt8]) {
      self.bytes = bytes
      let zeros = Array("000000000000".utf8)
      // Keys and titles end in the same twelve digits, and nothing else has as many zeros in a row.
      places = bytes.indices.filter { start in
        bytes[start...].starts(with: zeros) && (start == 0 || bytes[start - 1] != UInt8(ascii: "0"))
      }
    }

    func archive(_ number: Int) -> Value {
      var bytes = bytes
      let digits = Array(String(number).utf8)
      for place in places {
        bytes.replaceSubrange((place + 12 - digits.count)..<(place + 12), with: digits)
      }
      return .blob(Blob(bytes: bytes))
    }
  }
}
