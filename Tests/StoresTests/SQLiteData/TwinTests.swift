import ExactJSON
import Merging
import Testing

@testable import SQLiteDataStores
@testable import SQLiteFiles
@testable import Samples
@testable import StoreInterface

/// Two records whose keys differ in their Unicode normal form alone: to Swift one text, to SQLite and to every engine two.
@Suite struct TwinTests {
  static let keys = ["caf\u{E9}", "cafe\u{301}"]
  static let ids = keys.map { $0 + ":tags" }

  let folder: TestFolder
  let store: SQLiteDataStore

  init() throws {
    folder = try TestFolder()
    let sql =
      #"CREATE TABLE "tags" ("id" TEXT PRIMARY KEY NOT NULL, "title" TEXT NOT NULL, "note" TEXT) STRICT"#
    let builder = try StoreBuilder(
      folder: folder.path, name: "Twins.db", container: "c", tables: [(name: "tags", sql: sql)])
    try builder.write { db in
      for key in Self.keys {
        let row: RowImage = ["id": .text(key), "title": .text("a"), "note": .null]
        let sample = Sample(table: "tags", key: key, row: row, time: 100)
          .editedHere(["title": .text("mine of \(key.utf8.count)")], 200)
          .receiving(["note": (.text("theirs of \(key.utf8.count)"), 300)], 400)
        try builder.add(sample, SampleTable(name: "tags", columns: ["id", "title", "note"]), in: db)
      }
    }
    try builder.close()
    store = try SQLiteDataStore.open(path: folder.path("Twins.db"), access: .writing, clock: { 500 })
  }

  private var listed: [JSONText] { get throws { try summaries(of: store).map { JSONText($0.id) } } }

  @Test func bothAreListedWithTheirOwnValues() throws {
    #expect(try Set(listed) == Set(Self.ids.map { JSONText($0) }))
    for (key, id) in zip(Self.keys, Self.ids) {
      #expect(try store.conflict(id)["note"]?.server?.value == .text("theirs of \(key.utf8.count)"))
    }
  }

  @Test(arguments: [0, 1]) func whatIsWrittenIsOneOfThem(index: Int) throws {
    let (id, other) = (Self.ids[index], Self.ids[1 - index])
    let planned = try #require(try plan(id, in: store))
    #expect(try store.write([planned], note: nil).map(\.outcome) == [.fine])
    #expect(try listed == [JSONText(other)])
    #expect(try store.conflict(other)["note"]?.client?.value == .null)
    #expect(try store.undoLastWrite().map(\.outcome) == [.fine])
    #expect(try listed.count == 2)
  }

  @Test func whatIsDecidedIsOfOneOfThem() throws {
    let conflict = try store.conflict(Self.ids[0])
    try store.journal.append(
      conflict.decisions(
        about: [.field("title")], in: Resolution(choices: [.field("title"): .take(.server)]), at: 500))
    let undecided = try summaries(of: store).map { ($0.id.utf8.count, $0.undecided) }
    #expect(undecided.sorted { $0.0 < $1.0 }.map(\.1) == [1, 2])
  }
}

/// A collection of names is of bytes.
@Suite struct RecordNamesTests {
  private static let names = ["", "a", "b", "caf\u{E9}", "cafe\u{301}"]

  /// Against sets of the bytes, for every two sets of these names.
  @Test func whatIsDoneWithSetsIsDoneWithBytes() {
    let all = (0..<(1 << Self.names.count)).map { bits in
      Self.names.enumerated().filter { bits & 1 << $0.offset != 0 }.map(\.element)
    }
    func bytes(_ names: some Sequence<String>) -> Set<[UInt8]> { Set(names.map { Array($0.utf8) }) }
    for left in all {
      for right in all {
        let (one, other) = (RecordNames(left), RecordNames(right))
        let (first, second) = (bytes(left), bytes(right))
        #expect(
          bytes(one.union(other)) == first.union(second) && bytes(one.union(right)) == first.union(second))
        #expect(bytes(one.intersection(other)) == first.intersection(second))
        #expect(bytes(one.symmetricDifference(other)) == first.symmetricDifference(second))
        #expect(bytes(one.subtracting(right)) == first.subtracting(second))
        #expect(one.isSuperset(of: right) == first.isSuperset(of: second))
        #expect(one.isDisjoint(with: right) == first.isDisjoint(with: second))
        #expect((one == other) == (first == second) && one.count == first.count)
      }
    }
    #expect((Self.names + Self.names).unique.map { Array($0.utf8) } == Self.names.map { Array($0.utf8) })
  }

  @Test func whatIsKnownOfOneIsNotKnownOfTheOther() {
    var known: ByRecord<Int> = [:]
    known[Self.names[3]] = 1
    known[Self.names[4], default: 1] += 1
    #expect(known[Self.names[3]] == 1 && known[Self.names[4]] == 2 && known.count == 2)
    #expect(known.updateValue(3, forKey: Self.names[3]) == 1 && known.removeValue(forKey: Self.names[4]) == 2)
    #expect(known == [Self.names[3]: 3] && known.mapValues { $0 + 1 }[Self.names[3]] == 4)
    #expect(ByRecord(grouping: Self.names, by: { $0 }).count == Self.names.count)
  }
}
