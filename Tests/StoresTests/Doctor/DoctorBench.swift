import GRDB
import Merging
import Testing

@testable import KeyedArchives
@testable import SQLiteDataStores
@testable import SQLiteFiles
@testable import Samples
@testable import StoreInterface

/// A store of reminders in which tests get single records stuck.
final class DoctorBench {
  static let now = Demo.now
  static let minute: Int64 = 60_000_000_000

  let folder: TestFolder
  let path: String
  let files: StoreFilesInspector

  /// - Parameter records: by their numbers; each is in order, and agreed on with the server an hour ago.
  init(_ records: [Int] = [1]) throws {
    folder = try TestFolder()
    let builder = try StoreBuilder(
      folder: folder.path, name: "Doctor.sqlite", container: "iCloud.test", tables: DoctorBench.tables)
    try builder.write { db in
      try builder.add(DoctorBench.list, DoctorBench.lists, in: db)
      for number in records {
        try builder.add(DoctorBench.reminder(number), DoctorBench.reminders, in: db)
      }
    }
    try builder.close()
    path = builder.database
    files = try StoreFilesInspector(path)
  }

  static let agreed = now - 60 * minute
  static let lists = SampleTable(name: "lists", columns: ["id", "title"])
  static let reminders = SampleTable(
    name: "reminders", columns: ["id", "title", "notes", "cover", "listID"], parent: ("listID", "lists"))
  static let list = Sample(
    table: "lists", key: "home", row: ["id": .text("home"), "title": .text("Home")], time: agreed)

  static func row(_ number: Int) -> RowImage {
    [
      "id": .text("r\(number)"), "title": .text("Milk"), "notes": .text("two"),
      "cover": .blob(Blob(bytes: [1, 2, 3])), "listID": .text("home"),
    ]
  }

  static func reminder(_ number: Int) -> Sample {
    Sample(table: "reminders", key: "r\(number)", row: row(number), time: agreed)
  }

  static let tables = [
    (
      name: "lists",
      sql: #"CREATE TABLE "lists" ("id" TEXT NOT NULL PRIMARY KEY, "title" TEXT NOT NULL) STRICT"#
    ),
    (
      name: "reminders",
      sql: """
      CREATE TABLE "reminders" (
        "id" TEXT NOT NULL PRIMARY KEY, "title" TEXT NOT NULL, "notes" TEXT, "cover" BLOB,
        "listID" TEXT REFERENCES "lists"("id") ON DELETE SET NULL
      ) STRICT
      """
    ),
  ]

  func open(_ access: SQLiteDataStore.Access = .reading, now: Int64 = DoctorBench.now) throws
    -> SQLiteDataStore
  {
    try SQLiteDataStore.open(path: path, access: access, clock: { now })
  }

  /// Every finding as "what: record".
  func found() throws -> [String] { try findings(of: open(), limit: 2).map { "\($0.what): \($0.record)" } }

  /// The records of which nothing is wrong yet.
  func onTheirWay() throws -> [String] { try findings(of: open()).filter(\.isWaiting).map(\.record) }

  func found(_ what: String) throws -> Finding? {
    try findings(of: open()).first { $0.what == what }
  }

  func run(_ sql: String, _ arguments: [Value] = []) throws { try files.run(sql, arguments) }

  static let metadata = Metadatabase.metadata

  func addPending(
    _ kind: PendingZoneChange.Kind, _ recordName: String, zone: String = Metadatabase.defaultZone
  ) throws {
    let change = PendingZoneChange(
      kind: kind, recordName: recordName, zoneName: zone, ownerName: Metadatabase.defaultOwner)
    try run("INSERT INTO \(Metadatabase.pending) VALUES (?)", [.blob(Blob(bytes: change.encoded()))])
  }

  func addEngineState(_ names: [String], scope: String = "2") throws {
    let changes = names.map {
      PendingZoneChange(
        kind: .save, recordName: $0, zoneName: Metadatabase.defaultZone, ownerName: Metadatabase.defaultOwner)
    }
    try addEngineState(changes, scope: scope)
  }

  func addEngineState(_ changes: [PendingZoneChange], scope: String) throws {
    try run(
      "INSERT INTO \(Metadatabase.state) VALUES (?, ?)",
      [.text(scope), .text(EngineState.json(EngineState.encoded(pending: changes)))])
  }

  /// The ancestor of a record with other times.
  func setAncestor(_ number: Int, time: Int64 = agreed, times: [String: Int64]) throws {
    let archive = DoctorBench.reminders.archive(
      of: DoctorBench.row(number), key: "r\(number)", time: time, times: times, tag: "a00b",
      device: "Blob's Mac")
    try run(
      "UPDATE \(DoctorBench.metadata) SET _lastKnownServerRecordAllFields = ? WHERE recordPrimaryKey = ?",
      [.blob(Blob(bytes: archive.encoded())), .text("r\(number)")])
  }
}
