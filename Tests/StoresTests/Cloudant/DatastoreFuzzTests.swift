import ExactJSON
import Foundation
import GRDB
import Merging
import TerminalTestSupport
import Testing

@testable import CloudantStores
@testable import SQLiteFiles
@testable import Samples
@testable import StoreInterface

/// Datastores with bytes changed in their rows and in their files, the same in each run. Whatever is read or refused: nothing
/// crashes or hangs, reading writes nothing, and writing never removes a row.
@Suite struct DatastoreFuzzTests {
  private let folder: TestFolder
  private let path: String

  init() throws {
    folder = try TestFolder()
    path = try Demo.makeDatastore(in: folder)
  }

  @Test func whateverLiesInTheRowsIsReadOrRefused() throws {
    let whole = try Data(contentsOf: URL(filePath: path))
    let attack = Attack("formats", short: 24)
    let failures = attack.failures { random in
      try whole.write(to: URL(filePath: path))
      for _ in 0..<random.oneOf([1, 4]) { try mutateRows(using: &random) }
      try readEverything()
    }
    #expect(failures == [])
  }

  /// Draft by draft and finding by finding: each is written or refused, and no row goes away.
  @Test func whatCanBeWrittenRemovesNothing() throws {
    let whole = try Data(contentsOf: URL(filePath: path))
    let attack = Attack("formats", short: 4)
    let failures = attack.failures { random in
      try removeJournals()
      try whole.write(to: URL(filePath: path))
      try mutateRows(using: &random)
      let before = try rows()
      do { try writeEverything() } catch is StoreError {}
      try hold(before.isSubset(of: rows()), "rows are gone")
    }
    #expect(failures == [])
  }

  private func removeJournals() throws {
    for name in try FileManager.default.contentsOfDirectory(atPath: folder.path)
    where name.contains(".parley.") {
      try FileManager.default.removeItem(atPath: folder.path(name))
    }
  }

  private func writeEverything() throws {
    let store = try CloudantStore.open(path: path, access: .writing, clock: { Demo.now })
    let ids = try findings(of: store, limit: 100).map(\.id)
    _ = try store.mend(ids, note: nil)
    let planned = try summaries(of: store, limit: 100).compactMap { summary in
      (try? plan(summary.id, in: store)).flatMap(\.self)
    }
    _ = try store.check(planned)
    _ = try store.write(planned, note: nil)
    _ = try store.undoLastWrite()
    _ = try store.undoLastWrite()
  }

  @Test func whateverLiesInTheFileIsReadOrRefused() throws {
    let whole = try Data(contentsOf: URL(filePath: path))
    var (tries, refused) = (0, 0)
    let attack = Attack("formats", short: 48, seed: 7)
    let failures = attack.failures { random in
      // The first 16 bytes say that it is a database at all. Half of the runs leave the schema alone too.
      let sound = random.oneOf([16, 4096])
      let rest = random.damaged(Array(whole.dropFirst(sound)), changes: 40)
      try (whole.prefix(sound) + Data(rest)).write(to: URL(filePath: path))
      refused += try readEverything() ? 0 : 1
      tries += 1
    }
    #expect(failures == [])
    #expect(tries < 12 || (1..<tries).contains(refused), "a run in which all are alike tests nothing")
  }

  @Test func whateverABodyIsItIsReadOrNot() {
    let body = Array(
      #"{"a":[1,-0.5e-7,null,{"b":"\ud83d\ude00\u0000"}],"c":"é😀","d":{"e":12345678901234567890123}}"#.utf8)
    let failures = Attack("formats", short: 8000).failures { random in
      let damaged = random.damaged(body, changes: 4)
      guard let value = try? JSONValue(parsing: damaged) else { return }
      try hold(JSONValue(parsing: value.canonical) == value, "what is read is read again as another")
    }
    #expect(failures == [])
  }

  /// A row that says it is an earlier one: searching on from there comes back to it again and again.
  @Test func rowsInDisorderEndAWalk() throws {
    let datastore = try Datastore(["aa", "bb", "cc", "dd"].map { ($0, [SampleRevision("1-x", "{}")]) })
    var bytes = Array(try Data(contentsOf: URL(filePath: datastore.path)))
    // A cell: length, number of the row, length of the header, types of doc_id and docid, docid.
    let cell: [UInt8] = [5, 3, 3, 0, 17] + Array("cc".utf8)
    let place = try #require(bytes.indices.first { bytes[$0...].starts(with: cell) })
    bytes[place + 1] = 1
    try Data(bytes).write(to: URL(filePath: datastore.path))
    let store = try datastore.open(.reading)
    let detail = "its rows are not in the order of their keys"
    #expect(throws: StoreError.damaged(path: datastore.path, detail: detail)) { try findings(of: store) }
  }

  private func mutateRows(using random: inout FixedRandom) throws {
    let queue = try database()
    try queue.inDatabase { db in
      try db.execute(sql: "PRAGMA foreign_keys = OFF; BEGIN")
      let sequences = try Int64.fetchAll(db, sql: "SELECT sequence FROM revs")
      for sequence in sequences where UInt8.random(in: 0..<3, using: &random) == 0 {
        try mutate(sequence, of: sequences, in: db, using: &random)
      }
      for rowid in try Int64.fetchAll(db, sql: "SELECT rowid FROM attachments")
      where Bool.random(using: &random) {
        let column = ["key", "type", "length", "encoding", "filename"].randomElement(using: &random) ?? "key"
        let bytes = random.damaged(Array("0123456789".utf8), changes: 3)
        try db.run(
          "UPDATE attachments SET \(column) = ? WHERE rowid = ?",
          [.blob(Blob(bytes: bytes)), .integer(rowid)])
      }
      try db.execute(sql: "COMMIT")
    }
    try queue.close()
  }

  private func mutate(
    _ sequence: Int64, of sequences: [Int64], in db: Database, using random: inout FixedRandom
  ) throws {
    let body = try db.firstRow("SELECT json FROM revs WHERE sequence = ?", [.integer(sequence)]) {
      $0.bytes(0)
    }
    let id = try db.firstRow("SELECT revid FROM revs WHERE sequence = ?", [.integer(sequence)]) {
      $0.bytes(0)
    }
    let (column, value): (String, Value) =
      switch UInt8.random(in: 0..<7, using: &random) {
      case 0, 1: ("json", .blob(Blob(bytes: random.damaged(body ?? [], changes: 3))))
      case 2: ("json", .null)
      case 3: ("parent", .integer(sequences.randomElement(using: &random) ?? 0))
      case 4: ("revid", .opaque(kind: Value.brokenText, bytes: random.damaged(id ?? [], changes: 2)))
      case 5:
        ("current", [.null, .integer(0), .integer(1), .text("x")].randomElement(using: &random) ?? .null)
      default:
        ("deleted", [.null, .integer(0), .integer(1), .integer(7)].randomElement(using: &random) ?? .null)
      }
    // A row whose new id is there already keeps its own.
    try? db.run("UPDATE revs SET \(column) = ? WHERE sequence = ?", [value, .integer(sequence)])
  }

  private func database() throws -> DatabaseQueue {
    var configuration = Configuration()
    configuration.prepareDatabase(DatastoreBuilder.addCollations)
    return try DatabaseQueue(path: path, configuration: configuration)
  }

  private func rows() throws -> Set<[Value]> {
    let queue = try database()
    defer { try? queue.close() }
    return try queue.read { db in
      var rows: Set<[Value]> = []
      try db.forEachRow("SELECT sequence, doc_id, revid, parent, deleted, json FROM revs") { row in
        rows.insert((0..<6).map { row.value(Int32($0)) })
      }
      return rows
    }
  }

  /// false if the datastore was refused in words.
  @discardableResult private func readEverything() throws -> Bool {
    let before = try Data(contentsOf: URL(filePath: path))
    let names = try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted()
    let isRead = try readAll()
    try hold(Data(contentsOf: URL(filePath: path)) == before, "reading changed the datastore")
    try hold(
      FileManager.default.contentsOfDirectory(atPath: folder.path).sorted() == names, "reading made a file")
    return isRead
  }

  private func readAll() throws -> Bool {
    do {
      let store = try CloudantStore.open(path: path, clock: { Demo.now })
      for summary in try summaries(of: store, limit: 100) {
        // A name that is not UTF-8 is shown, and cannot be asked for.
        _ = try? store.conflict(summary.id)
        _ = try store.tree(summary.id)?.lines()
      }
      _ = try findings(of: store, limit: 100)
      return true
    } catch is StoreError {
      return false
    }
  }
}
