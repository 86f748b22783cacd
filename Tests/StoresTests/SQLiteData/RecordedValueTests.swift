import Merging
import TerminalTestSupport
import Testing

@testable import KeyedArchives
@testable import SQLiteDataStores
@testable import StoreInterface

/// What the library reads in a row and writes otherwise into a record is one value to it, and nobody's edit.
struct RecordedValueTests {
  private static let day = "2026-11-30 22:14:23"

  private static func date(_ text: String) throws -> ArchivedValue {
    .date(secondsSince2001: try #require(StoredDate.secondsSince2001(text)))
  }

  private func bench(_ row: String, _ record: ArchivedValue) throws -> DoctorBench {
    let bench = try DoctorBench()
    var archive = DoctorBench.reminders.archive(
      of: DoctorBench.row(1), key: "r1", time: DoctorBench.agreed, times: [:], tag: "a00b",
      device: "Blob's Mac")
    archive.values["notes"] = record
    try bench.run(
      "UPDATE \(DoctorBench.metadata) SET _lastKnownServerRecordAllFields = ? WHERE recordPrimaryKey = 'r1'",
      [.blob(Blob(bytes: archive.encoded()))])
    try bench.run("UPDATE reminders SET notes = \(row) WHERE id = 'r1'")
    return bench
  }

  @Test(arguments: [
    ("", "000"), (".000", "000"), (".6", "600"), (".678000", "678"), (".6789", "679"), (".678+02:00", "678"),
  ])
  func aDateInAnotherFormIsNoEdit(fraction: String, record: String) throws {
    let bench = try bench("'\(Self.day)\(fraction)'", Self.date("\(Self.day).\(record)"))
    #expect(try bench.found() == [])
  }

  @Test(arguments: [".001", ".", "x", " 000"]) func anotherDateOrNoneIsOne(rest: String) throws {
    let bench = try bench("'\(Self.day)\(rest)'", Self.date("\(Self.day).000"))
    #expect(try bench.found().count == 1)
  }

  @Test(arguments: [
    ("'AAAAAAAA-2222-3333-4444-55555555555A'", "aaaaaaaa-2222-3333-4444-55555555555a", 0),
    ("CAST(x'61FF' AS TEXT)", "a\u{FFFD}", 0),
    // In small letters the library writes none otherwise.
    ("'aaaaaaaa-2222-3333-4444-55555555555a'", "AAAAAAAA-2222-3333-4444-55555555555A", 1), ("'A'", "a", 1),
    ("CAST(x'61FF' AS TEXT)", "a", 1),
  ])
  func aTextInAnotherFormIsNoEdit(row: String, record: String, findings: Int) throws {
    #expect(try bench(row, .string(record)).found().count == findings)
  }

  private func record(_ tag: String, _ time: Int64, _ title: String) throws -> ArchivedRecord {
    let day: ArchivedValue? = try Self.date(Self.day + ".000")
    return .sample(
      "1:notes", tag: tag, serverTime: time,
      ["id": (.string("1"), 10), "title": (.string(title), time), "body": (day, Int64(10))])
  }

  /// The titles are decided, and the row keeps its form of the date.
  @Test func aDateInAnotherFormIsNoConflict() throws {
    let folder = try TestFolder()
    let app = try PlayedApp(in: folder)
    try app.capture()
    try app.receive(record("a", 20, "Milk"), at: 30)
    try app.edit(at: 40, "UPDATE notes SET title = 'Soy milk', body = '\(Self.day)'")
    try app.receive(record("b", 50, "Oat milk"), at: 60)
    try app.close()
    let store = try SQLiteDataStore.open(path: app.path, access: .writing, route: .direct, clock: { 100 })
    #expect(try store.conflict("1:notes")["body"]?.change == .unchanged)
    let planned = try #require(try plan("1:notes", in: store, [.field("title"): .take(.server)]))
    #expect(try store.write([planned], note: nil).map(\.outcome) == [.fine])
    let files = try StoreFilesInspector(app.path)
    #expect(try files.rows("SELECT title, body FROM notes") == [[.text("Oat milk"), .text(Self.day)]])
    #expect(try files.pending("1:notes").isEmpty)
  }

  private func dated(_ tag: String, _ time: Int64, _ day: String, at edited: Int64) throws -> ArchivedRecord {
    let body: ArchivedValue? = try Self.date(day + ".000")
    return .sample(
      "1:notes", tag: tag, serverTime: time,
      ["id": (.string("1"), 10), "title": (.string("Milk"), 10), "body": (body, edited)])
  }

  /// What was sent has the library's form, and what was captured before that the row's: nobody has edited it in between.
  @Test func aDateInAnotherFormThatWasSentSinceHasTheTimeOfItsEdit() throws {
    let folder = try TestFolder()
    let app = try PlayedApp(in: folder)
    try app.capture()
    try app.receive(dated("a", 20, "2026-11-28 08:00:00", at: 20), at: 30)
    try app.edit(at: 40, "UPDATE notes SET body = '\(Self.day)'")
    try app.receive(dated("b", 50, "2026-11-29 08:00:00", at: 50), at: 60)
    try app.acknowledge(dated("c", 70, Self.day, at: 60), at: 80)
    let body = try #require(try SQLiteDataStore.open(path: app.path).conflict("1:notes")["body"])
    #expect(body.client?.value == .text(Self.day + ".000"))
    #expect(body.client?.time == 40 && body.server?.time == 50)
  }
}
