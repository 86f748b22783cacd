import ExactJSON
import Foundation
import GRDB
import Merging
import SQLiteFiles
import StoreInterface
import Telling
import Testing

@testable import RevisionTrees
@testable import SMSyncStores
@testable import SQLiteDataStores

/// To Swift a sign with a combining accent behind it is another character than the sign alone; to SQLite, to the system and to every format
/// it is the sign, and an accent.
@Suite struct AccentTests {
  private static let accent = "\u{301}"

  @Test(arguments: [
    "a\"\(accent)b", "\"\(accent)", "\"\"\(accent)\"", "a'\(accent)b", "'\(accent)''\(accent)",
  ])
  func whatIsQuotedForSQLiteIsWhatItReads(name: String) throws {
    let queue = try DatabaseQueue()
    try queue.inDatabase { db in
      try db.execute(sql: "CREATE TABLE \(quoted(name)) (\(quoted(name)) TEXT)")
      try db.execute(sql: "INSERT INTO \(quoted(name)) VALUES (\(literal(name)))")
      let read = try #require(try db.firstRow("SELECT \(quoted(name)) FROM \(quoted(name))") { $0.text(0) })
      #expect(read.hasSameBytes(as: name))
      let table = try #require(try TableShape(name, in: db))
      #expect(table.columns.first?.name.hasSameBytes(as: name) == true)
    }
  }

  @Test func aPathIsTakenApartAtItsSlashes() {
    let (folder, name) = folderAndName("a/b/\(Self.accent)c")
    #expect(folder == "a/b" && name.hasSameBytes(as: "\(Self.accent)c"))
  }

  /// With some signs before it, as the Arabic one for a number, a dot is another character.
  @Test(arguments: [("A\u{600}.sqlite", "A\u{600}"), ("a.\u{301}b", "a"), (".a", ".a"), ("a.b.c", "a.b")])
  func aNameEndsBeforeItsLastDot(name: String, stem: String) {
    #expect(SQLiteFiles.stem(name).hasSameBytes(as: stem))
  }

  @Test(arguments: ["../\(accent)x", "a/../\(accent)x", "..", "a/../b", "/\(accent)x", "a//\(accent)b"])
  func noPathLeadsOutOfAContainer(path: String) {
    #expect(!ContainerFiles.staysInside(path))
  }

  @Test func aNameThatBeginsWithAnAccentStaysInside() {
    #expect(ContainerFiles.staysInside("a/\(Self.accent)x"))
  }

  @Test func aDatabasesNameMayBeginWithOne() throws {
    let name = try #require(
      MetadatabaseName.readings(of: ".\(Self.accent)R.metadata-iCloud.com.example.sqlite").first)
    #expect(name.stem.hasSameBytes(as: "\(Self.accent)R") && name.container == "iCloud.com.example")
  }

  @Test func aFindingsRecordMayBeginWithAnAccent() {
    let record = "\(Self.accent)1:reminders"
    let finding = Finding(
      id: "neverUploaded:\(record)", table: "reminders", record: record, title: "", what: "", evidence: "",
      cause: "", remedy: "")
    #expect(finding.subject.hasSameBytes(as: record))
  }

  @Test func norDoesARedactedReportTellIt() {
    let record = "\(Self.accent)Secret:tags"
    let finding = Finding(
      id: "invalid-name:\(record)", table: "tags", record: record, title: "", what: "", evidence: "",
      cause: "", remedy: "")
    let store = StoreInfo(name: "", path: "", kind: "", writing: "")
    let told = Privacy.redacted(by: RedactionKey()).told(finding, in: store)
    #expect(told.id == "invalid-name:\(told.record)" && !told.id.contains("ecret"), "\(told.id)")
  }

  @Test func aRevisionsSuffixMayToo() {
    let id = RevisionID("3-\(Self.accent)x")
    #expect(id.generation == 3 && String(id.suffix).hasSameBytes(as: "\(Self.accent)x"))
  }

  /// SQLite has two tables, Swift has one name: a row of the one would be taken for that of the other.
  @Test func tablesOfOneNameAreReadAndWrittenByNobody() throws {
    let folder = try TestFolder()
    let path = try Demo.make(in: folder)
    let store = try SQLiteDataStore.open(path: path, access: .writing, clock: { Demo.now })
    let planned = try #require(try plan(Demo.reminder(13), in: store, [.field("title"): .take(.server)]))
    let files = try StoreFilesInspector(path)
    for name in ["caf\u{E9}", "cafe\u{301}"] { try files.run("CREATE TABLE \(quoted(name)) (a)") }
    let reason =
      "it has two tables called caf\u{E9}, which differ in their Unicode form alone: nothing here can tell them apart"
    #expect(try store.write([planned], note: nil).map(\.outcome) == [.refused(field: nil, reason)])
    #expect(throws: StoreError.cannotRead(path: path, detail: reason)) {
      try SQLiteDataStore.open(path: path)
    }
  }
}
