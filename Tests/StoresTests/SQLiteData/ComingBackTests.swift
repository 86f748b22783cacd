import Merging
import StoreInterface
import Testing

@testable import SQLiteDataStores
@testable import Samples

struct ComingBackTests {
  /// Each would have to be there before the other.
  @Test func ofRecordsThatPointToEachOtherNoneComesBack() {
    let records = ComingBack()
    let needed: [String: [String]] = ["a": ["b"], "b": ["a"], "c": ["d", "d"], "d": [], "e": ["a", "c"]]
    func comesBack(_ id: String) -> Bool { records.contains(id) { needed[$0] } }
    #expect(!comesBack("e") && !comesBack("a") && !comesBack("b"))
    #expect(comesBack("c") && comesBack("d"))
    #expect(!comesBack("f"), "nothing makes it")
  }

  /// As comments that answer each other, all of which were deleted. Each would take its room of the stack if it asked for the next.
  @Test(arguments: [true, false])
  func aLongChainComesBackIfItsLastOneDoes(isComing: Bool) {
    let records = ComingBack()
    var looks = 0
    func comesBack(_ number: Int) -> Bool {
      records.contains("\(number)") { name in
        looks += 1
        guard let number = Int(name), number < 20_000 else { return isComing ? [] : nil }
        return ["\(number + 1)"]
      }
    }
    #expect(comesBack(0) == isComing && comesBack(10_000) == isComing)
    #expect(looks == 20_001, "what was looked at is known")
  }

  private static let (note, list, shelf) = ("1:notes", "1:lists", "1:shelves")
  private static let tables = [
    (name: "shelves", key: ""), (name: "lists", key: ", shelf TEXT REFERENCES shelves"),
    (name: "notes", key: ", list TEXT REFERENCES lists"),
  ]

  private static func sample(
    _ table: String, _ title: String, _ key: String, _ pointer: RowImage = [:]
  ) -> Sample {
    let row: RowImage = ["id": .text(key), "title": .text(title)]
    return Sample(table: table, key: key, row: row.merging(pointer) { $1 }, time: 100)
  }

  /// The server has put the note into a list that was deleted here, as was the shelf of that; both were edited there.
  private static var samples: [Sample] {
    [
      sample("shelves", "Oak", "1").deletedHere(200).receiving(["title": (.text("Elm"), 300)], 400),
      sample("lists", "Plants", "1", ["shelf": .text("1")]).deletedHere(200)
        .receiving(["title": (.text("Roses"), 300)], 400),
      sample("lists", "House", "2"),
      sample("notes", "Water them", "1", ["list": .text("2")]).editedHere(["title": .text("Water")], 200)
        .receiving(["list": (.text("1"), 300)], 400),
    ]
  }

  private func makeStore(in folder: TestFolder) throws -> SQLiteDataStore {
    let tables = Self.tables.map { name, key in
      (name: name, sql: "CREATE TABLE \(name) (id TEXT NOT NULL PRIMARY KEY, title TEXT\(key))")
    }
    let builder = try StoreBuilder(folder: folder.path, name: "Notes.db", container: "c", tables: tables)
    try builder.write { db in
      for sample in Self.samples {
        let table = SampleTable(name: sample.table, columns: sample.row.keys.sorted())
        try builder.add(sample, table, in: db)
      }
    }
    try builder.close()
    return try SQLiteDataStore.open(path: folder.path("Notes.db"), access: .writing, clock: { 500 })
  }

  private func decide(_ id: String, _ choices: [Subject: Choice], in store: SQLiteDataStore) throws {
    let decisions = try store.conflict(id).decisions(
      about: Array(choices.keys), in: Resolution(choices: choices), at: 500)
    try store.journal.append(decisions)
  }

  /// Of three generations, of which two are gone here.
  @Test func aChildIsReadyForAsLongAsItsParentsOwnParentComesBackToo() throws {
    let folder = try TestFolder()
    let store = try makeStore(in: folder)
    func refusal() throws -> DraftRefusal? {
      let summary = try #require(try summaries(of: store).first { $0.id == Self.note })
      #expect(summary.isReady == (summary.refusal == nil) && summary.undecided == 0, "\(summary)")
      return summary.refusal
    }
    let missing = DraftRefusal(field: "list", reason: #"there is no record "1" in lists"#)
    try withExtendedLifetime(folder) {
      try decide(
        Self.note, [.field("list"): .take(.server), .field("title"): .take(.client)], in: store)
      #expect(try refusal() == missing)
      try decide(Self.list, [.record: .take(.server)], in: store)
      #expect(try refusal() == missing, "the list would point to nothing itself")
      try decide(Self.shelf, [.record: .take(.server)], in: store)
      #expect(try refusal() == nil)
      try store.journal.append(
        store.conflict(Self.shelf).decisions(about: [.record], in: Resolution(), at: 501))
      #expect(try refusal() == missing)
    }
  }
}
