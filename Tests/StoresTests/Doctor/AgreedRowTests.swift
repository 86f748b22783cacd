import GRDB
import Merging
import TerminalTestSupport
import Testing

@testable import KeyedArchives
@testable import SQLiteDataStores
@testable import SQLiteFiles

/// A look at row and ancestor finds a record in order exactly where the inspection of all that is known of it does; of one in which
/// the app changed anything only the inspection tells.
struct AgreedRowTests {
  private static let table = """
    CREATE TABLE reminders (
      id TEXT PRIMARY KEY, title TEXT, priority INTEGER, estimate REAL, cover BLOB, sum NUMERIC, "é" ANY,
      listID TEXT REFERENCES lists(id), length AS (length(title)), sqlitedata_icloud_userModificationTime INTEGER
    )
    """
  private static let texts = ["Milk", "", "1", "\u{E9}", "e\u{301}", "\0", "2001-01-01 00:00:00.000", "home"]
  private static let archived: [ArchivedValue] =
    texts.map { .string($0) } + [
      .integer(1), .integer(0), .real(1), .real(-0.0), .real(.nan), .bool(true), .date(secondsSince2001: 0),
      .data([1, 2]), .null, .unsigned(.max), .asset(ArchivedAsset(size: 2)),
      .reference(recordName: "home:lists"),
    ]
  private static let stored: [Value] =
    texts.map { .text($0) } + [
      .integer(1), .integer(0), .real(1), .real(0), .blob(Blob(bytes: [1, 2])), .null,
      .opaque(kind: Value.brokenText, bytes: [0xFF]),
    ]

  private let queue: DatabaseQueue
  private let shape: TableShape

  init() throws {
    var configuration = Configuration()
    configuration.foreignKeysEnabled = false
    queue = try DatabaseQueue(configuration: configuration)
    let read: TableShape? = try queue.write { db in
      try db.execute(sql: Self.table)
      return try TableShape("reminders", in: db)
    }
    shape = try #require(read)
  }

  @Test func itIsSeenWhereNothingIsStuckAndNowhereElse() throws {
    var (agreed, others) = (0, 0)
    let failures = Attack("formats", short: 6000, seed: 23).failures { random in
      let (row, record) = Self.sample(using: &random)
      let (isSeen, isInOrder) = try queue.write { db in try answers(row, record, in: db) }
      if isSeen { agreed += 1 } else { others += 1 }
      try hold(isSeen == (isInOrder && record.changedKeys.isEmpty), "\(row) beside \(record): seen \(isSeen)")
    }
    #expect(failures == [])
    #expect(agreed > others / 10 && others > agreed / 10, "\(agreed) agreed, \(others) did not")
  }

  @Test(arguments: [
    ("title", Value.real(3), ArchivedValue.real(3)), ("title", .real(-1e20), .real(-1e20)),
    ("priority", .text("7"), .string("7")), ("estimate", .text(" 7"), .string(" 7")),
    ("estimate", .text("x"), .string("x")),
  ])
  func aValueThatItsColumnConvertsIsNoDifference(column: String, value: Value, archived: ArchivedValue) throws
  {
    var record = ArchivedRecord.dentist
    record.values = ["id": .string("r1"), ArchivedRecord.modificationTimeKey: .integer(1)]
    record.values[column] = archived
    let (isSeen, isInOrder) = try queue.write { db in
      try answers(["id": .text("r1"), column: value], record, in: db)
    }
    #expect(isSeen && isInOrder)
  }

  /// Both have something, often the same, of some of the columns.
  private static func sample(using random: inout FixedRandom) -> (row: [String: Value], ArchivedRecord) {
    var row: [String: Value] = ["id": .text("r1")]
    var record = ArchivedRecord.dentist
    record.values = ["id": .string("r1"), ArchivedRecord.modificationTimeKey: .integer(1)]
    func oneIn(_ count: Int) -> Bool { Int.random(in: 0..<count, using: &random) == 0 }
    for name in ["title", "priority", "estimate", "cover", "sum", "\u{E9}", "listID"] where !oneIn(2) {
      row[name] = random.oneOf(stored)
      if !oneIn(3) { record.values[name] = same(as: row[name]) }
      if oneIn(9) { record.values[name] = random.oneOf(archived) }
      if oneIn(2) { record.values[ArchivedRecord.modificationTimeKey(of: name)] = .integer(1) }
      if oneIn(9) {
        record.values[ArchivedRecord.assetHashKey(of: name)] = .data(Blob(bytes: [1, 2]).sha256)
      }
    }
    if oneIn(9) { record.values["strange"] = .string("Milk") }
    if oneIn(9) { record.values["length"] = .integer(9) }
    if oneIn(9) { record.values["id"] = nil }
    if oneIn(20) { record.values = [:] }
    if oneIn(20) { record.changedKeys = ["title"] }
    if oneIn(20) { (record.changeTag, record.modifiedAt) = (nil, nil) }
    return (row, record)
  }

  private static func same(as value: Value?) -> ArchivedValue? {
    switch value {
    case .text(let text)?: .string(text)
    case .integer(let integer)?: .integer(integer)
    case .real(let real)?: .real(real)
    case .blob(let blob)?: .data(blob.bytes ?? [])
    case .null?, .opaque?, nil: nil
    }
  }

  private func answers(
    _ row: [String: Value], _ record: ArchivedRecord, in db: Database
  ) throws -> (isSeen: Bool, isInOrder: Bool) {
    let name = RecordName(primaryKey: "r1", table: "reminders")
    try db.run("DELETE FROM reminders")
    // In one order, as SQLite compiles each statement that it does not know yet.
    let columns = row.sorted { $0.key < $1.key }
    let (names, places) = (columns.map { quoted($0.key) }, columns.map { _ in "?" })
    try db.run(
      "INSERT INTO reminders (\(names.joined(separator: ", "))) VALUES (\(places.joined(separator: ",")))",
      columns.map(\.value))
    let archive = record.encoded()
    let isSeen = try shape.withRow(of: name, in: db) { row in
      AgreedRow(ancestor: try ArchivedRecord(decoding: archive), shape: shape).isSeen(in: row)
    }
    let metadata = try db.firstRow(
      "SELECT 'zone', 'owner', 1, ?, 0, 0, NULL, NULL", [.blob(Blob(bytes: archive))]
    ) { MetadataRow($0) }
    let inspected = InspectedRecord(
      name: name, metadata: try #require(metadata), shape: shape, isSynced: true,
      row: try shape.row(of: name, in: db), ancestor: ArchivedVersion(archive, shape: shape), queued: nil,
      isUnsynced: false, now: 0, isListed: { false }, hasRow: { _ in true })
    return (isSeen == true, try inspected.stuck().isEmpty)
  }
}
