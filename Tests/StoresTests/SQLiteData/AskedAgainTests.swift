import Merging
import Testing

@testable import Journals
@testable import SQLiteDataStores
@testable import Samples
@testable import StoreInterface

/// What was refused by the store, and fits once others are decided that nobody asked about by their names.
struct AskedAgainTests {
  let folder: TestFolder
  let store: SQLiteDataStore
  private static let (parent, child) = ("p:comments", "c:comments")

  /// The parent was deleted on the server and edited here, where the child belongs to it, which the server has moved to another one.
  init() throws {
    folder = try TestFolder()
    let sql = """
      CREATE TABLE comments (id TEXT NOT NULL PRIMARY KEY, title TEXT, answers TEXT REFERENCES comments)
      """
    let builder = try StoreBuilder(
      folder: folder.path, name: "Comments.db", container: "c", tables: [(name: "comments", sql: sql)])
    try builder.write { db in
      let table = SampleTable(name: "comments", columns: ["id", "title", "answers"])
      for sample in Self.samples { try builder.add(sample, table, in: db) }
    }
    try builder.close()
    store = try SQLiteDataStore.open(
      path: folder.path("Comments.db"), access: .writing, clock: { 500 })
  }

  private static var samples: [Sample] {
    [
      sample("o"), sample("p").editedHere(["title": .text("C")], 200).receiving(.deletion, 400),
      sample("c", "p").editedHere(["title": .text("C")], 200).receiving(["answers": (.text("o"), 300)], 400),
    ]
  }

  private static func sample(_ key: String, _ answers: String? = nil) -> Sample {
    let row: RowImage = [
      "id": .text(key), "title": .text("A"), "answers": answers.map { .text($0) } ?? .null,
    ]
    return Sample(table: "comments", key: key, row: row, time: 100)
  }

  private func decide(_ id: String, _ choices: [Subject: Choice]) throws {
    let decisions = try store.conflict(id).decisions(
      about: Array(choices.keys), in: Resolution(choices: choices), at: 500)
    try store.journal.append(decisions)
  }

  private func refuseTheParent() throws {
    try decide(Self.parent, [.record: .take(.server)])
    let write = try #require(try plan(Self.parent, in: store, [.record: .take(.server)]))
    #expect(try store.checkDecided([write]).first?.outcome.refusal != nil)
    #expect(try store.journal.refusedRecords(limit: 5) == [Self.parent])
  }

  @Test func aDeletionFitsOnceWhatBelongsToItIsDecidedToMove() throws {
    try refuseTheParent()
    #expect(try store.checkRefusedAgain().first?.outcome.refusal != nil)
    try decide(Self.child, [.field("answers"): .take(.server), .field("title"): .take(.client)])
    #expect(try store.checkRefusedAgain().first?.outcome == .fine)
    #expect(try store.journal.refusedRecords(limit: 5).isEmpty, "it is known to fit")
    #expect(try store.checkRefusedAgain().isEmpty)
  }

  /// It is asked for those alone that are refused as they are decided now, as there is room for few.
  @Test func whatIsDecidedOtherwiseIsRefusedNoMore() throws {
    try refuseTheParent()
    try decide(Self.parent, [.record: .take(.client)])
    #expect(try store.journal.refusedRecords(limit: 5).isEmpty)
  }
}
