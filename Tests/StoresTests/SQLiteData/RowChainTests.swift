import GRDB
import Merging
import Testing

@testable import Journals
@testable import SQLiteDataStores
@testable import Samples
@testable import StoreInterface

/// Rows of one table each of which points to the one before it, as comments do that answer each other.
struct RowChainTests {
  private static let count = 20

  /// In the order in which they point to each other, in the other, and in none.
  private static var orders: [[Int]] {
    let all = Array(0..<count)
    return [all, all.reversed(), all.map { $0 * 7 % count }]
  }

  private func store(
    in folder: TestFolder, _ route: WriteRoute = .direct, of samples: [Sample]
  ) throws -> SQLiteDataStore {
    let sql = """
      CREATE TABLE comments (id TEXT NOT NULL PRIMARY KEY, title TEXT, answers TEXT REFERENCES comments)
      """
    let builder = try StoreBuilder(
      folder: folder.path, name: "Comments.db", container: "c", tables: [(name: "comments", sql: sql)])
    try builder.write { db in
      try db.execute(sql: ParleyTables.outbox)
      let table = SampleTable(name: "comments", columns: ["id", "title", "answers"])
      for sample in samples { try builder.add(sample, table, in: db) }
    }
    try builder.close()
    return try SQLiteDataStore.open(
      path: folder.path("Comments.db"), access: .writing, route: route, clock: { 500 })
  }

  /// Deleted here, and edited on the server; or the other way round.
  private static func sample(_ number: Int, answering other: Int? = nil, isToGo: Bool = false) -> Sample {
    let answers = number == 0 ? Value.null : .text("\(other ?? number - 1)")
    let row: RowImage = ["id": .text("\(number)"), "title": .text("A"), "answers": answers]
    let agreed = Sample(table: "comments", key: "\(number)", row: row, time: 100)
    return isToGo
      ? agreed.editedHere(["title": .text("C")], 200).queued(.save).receiving(.deletion, 400)
      : agreed.deletedHere(200).receiving(["title": (.text("S"), 300)], 400)
  }

  /// - Returns: what would become of them, and how often any was tried.
  private func rehearse(
    _ writes: [PlannedWrite], in store: SQLiteDataStore
  ) throws -> (outcomes: [CheckedWrite.Outcome], tries: Int) {
    let steps = store.steps(about: writes.map(\.seen.id))
    var tries = 0
    let tasks = writes.map { write in
      let task = steps.task(WriteOrder(write), note: nil)
      return WriteTask<WriteSession>(
        task.label,
        perform: { session in
          tries += 1
          return try task.perform(session)
        })
    }
    return (try steps.rehearse(tasks).map(\.outcome), tries)
  }

  @Test(arguments: WriteRoute.allCases, [false, true])
  func eachIsTriedTwiceAtMostInWhateverOrderTheyCome(route: WriteRoute, areToGo: Bool) throws {
    let folder = try TestFolder()
    let samples = (0..<Self.count).map { Self.sample($0, isToGo: areToGo) }
    let store = try store(in: folder, route, of: samples)
    let writes = try (0..<Self.count).map { number in
      try #require(try plan("\(number):comments", in: store, [.record: .take(.server)]))
    }
    for order in Self.orders {
      let (outcomes, tries) = try rehearse(order.map { writes[$0] }, in: store)
      #expect(outcomes == order.map { _ in .fine })
      #expect(tries < 2 * Self.count)
    }
  }

  /// To see that they fit, each is made after what it answers, and not after all of the others that go into the outbox with it.
  @Test func whatAnswersOneThatComesBackIsTriedAfterThatOneAlone() throws {
    let folder = try TestFolder()
    let count = 60
    let store = try store(in: folder, .outbox, of: (0..<count).map { Self.sample($0, answering: 0) })
    let writes = try (0..<count).map { number in
      try #require(try plan("\(number):comments", in: store, [.record: .take(.server)]))
    }
    let steps = store.steps(about: writes.map(\.seen.id))
    var made: [Int] = []
    let tasks = writes.map { write in
      let task = steps.task(WriteOrder(write), note: nil)
      return WriteTask<WriteSession>(
        task.label,
        perform: { session in
          defer { made.append((try? Int.fetchOne(session.db, sql: "SELECT total_changes()")) ?? .max) }
          return try task.perform(session)
        })
    }
    #expect(try steps.rehearse(tasks).map(\.outcome) == writes.map { _ in .fine })
    // The last one costs what the second does.
    try #require(made.count == count)
    #expect(made[count - 1] - made[count - 2] == made[2] - made[1])
  }

  /// The list calls that sure which a write would take, and nothing else, however long the chain is.
  @Test func whatPointsToTheLastOneOfManyPointsToSomethingOnceAllComeBack() throws {
    let last = Value.text("149")
    let other = Sample(
      table: "comments", key: "x", row: ["id": .text("x"), "title": .text("A"), "answers": .null], time: 100
    ).editedHere(["title": .text("C")], 200).queued(.save).receiving(["answers": (last, 300)], 400)
    let folder = try TestFolder()
    let store = try store(in: folder, of: (0..<150).map { Self.sample($0) } + [other])
    func decide(_ number: Int) throws {
      let resolution = Resolution(choices: [.record: .take(.server)])
      let conflict = try store.conflict("\(number):comments")
      try store.journal.append(conflict.decisions(about: [.record], in: resolution, at: 1))
    }
    for number in 1..<150 { try decide(number) }
    #expect(try store.conflict("x:comments").details.unreferenced == ["answers": [last]])
    try decide(0)
    #expect(try store.conflict("x:comments").details.unreferenced.isEmpty)
  }
}
