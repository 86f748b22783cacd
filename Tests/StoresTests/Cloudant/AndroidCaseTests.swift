import Merging
import TerminalTestSupport
import Testing

@testable import RevisionTrees
@testable import StoreInterface

/// Every case of sync-android. Skipped where the facts are not beside the project.
@Suite(.enabled(if: CloudantCases.areThere, "needs ../shared/cases/cloudant.json"))
struct AndroidCaseTests {
  static let single = ["and-04-0", "and-04-2", "and-04-10", "and-04-1000", "and-17", "and-27"]
  static let notUsable = ["and-19"]

  let cases: CloudantCases

  init() throws { cases = try CloudantCases() }

  @Test(.disabled("and-11 resolves by adding an attachment from a file, which a desk does not do"))
  func anAttachmentFromAFile() {}

  @Test(.disabled("and-19 is about a call of the library, create, that a desk does not have"))
  func resurrection() {}

  @Test(arguments: AndroidCase.all)
  func theTreeHasItsLeavesAndItsWinner(example: AndroidCase) throws {
    let json = try cases.named(example.id)
    let replica = try Replica(platform: .android)
    _ = try replica.play(example.steps)
    let tree = try replica.tree("doc")
    let leaves = Set(tree.leaves.map { AndroidCaseTests.told(tree.revisions[$0]) })
    #expect(leaves == Set(json.strings("leaves").map(AndroidCaseTests.told)))
    let store = try replica.datastore.open(.reading)
    let isConflict = try summaries(of: store).map(\.id) == ["doc"]
    #expect(isConflict == json["expectedConflicted"]?.bool)
    let told = try #require(json["expectedWinner"]?.string)
    let winner = try #require(try store.tree("doc")?.winner)
    #expect(told.contains(AndroidCaseTests.told(winner)), "\(told)")
    #expect(try findings(of: store).allSatisfy { !$0.id.hasPrefix("flags-disagree") })
  }

  @Test(arguments: AndroidCase.all.filter { $0.decision != nil })
  func aDecisionComesOutAsInTheLibrary(example: AndroidCase) throws {
    let json = try cases.named(example.id)
    let replica = try Replica(platform: .android)
    let names = try replica.play(example.steps)
    let before = try replica.datastore.rows("doc")
    let store = try replica.datastore.open()
    let choices = try choices(try #require(example.decision), try store.conflict("doc"), names)
    let told = try #require(json["expectedAfter"]?.string)
    guard let choices else {
      #expect(told.hasPrefix("nothing written"))
      if let planned = try plan("doc", in: store) { _ = try store.check([planned]) }
      #expect(try replica.datastore.rows("doc") == before)
      return
    }
    #expect(try store.resolve("doc", choices) == .fine)
    let rows = try replica.datastore.rows("doc")
    // Where the library only deletes the others, a desk appends what is kept as well.
    let isKept = if case .keep? = example.decision { true } else { false }
    #expect(told.hasPrefix("sequence +\(rows.count - before.count - (isKept ? 1 : 0))"), "\(told)")
    #expect(Array(rows.prefix(before.count)).map(body) == before.map(body))
    #expect(try summaries(of: store).isEmpty)
    let winner = try #require(rows.first { $0.contains(" current ") })
    #expect(rows.filter { $0.contains(" current") } == [winner])
    #expect(winner.contains(Replica.body(example.name)))
    #expect(
      winner.split(separator: "+").dropFirst().map { String($0.prefix { $0 != " " }) } == example.attached)
    #expect(try replica.datastore.integrity() == "ok")
  }

  @Test(arguments: [0, 2, 10, 1000])
  func asManyDocumentsAreInConflictAsWereMade(count: Int) throws {
    let json = try cases.named("and-04-\(count)")
    let replica = try Replica(platform: .android)
    try replica.datastore.fill(count)
    let store = try replica.datastore.open(.reading)
    let found = try summaries(of: store, limit: 100)
    #expect("\(found.count) ids" == json["expectedConflicted"]?.string)
    #expect(json["expectedWinner"]?.string == "2-a in each")
    for summary in found.prefix(5) { #expect(try store.tree(summary.id)?.winner == "2-a") }
  }

  @Test func aSecondConflictIsResolvedLikeTheFirst() throws {
    let json = try cases.named("and-17")
    let replica = try Replica(platform: .android)
    _ = try replica.play(AndroidCase.two)
    let store = try replica.datastore.open()
    #expect(try store.resolve("doc", [.field("name"): .edit(.text("merged"))]) == .fine)
    #expect(try summaries(of: store).isEmpty)
    try replica.insert("doc", ["3-a", "4-a"], Replica.body("Jerry"))
    #expect(!(try summaries(of: store).isEmpty) == json["expectedConflicted"]?.bool)
    #expect(try store.conflict("doc").liveLeaves.count == 2)
    #expect(json["resolver"]?.string == "second resolver is offered 2 revisions")
    #expect(try store.resolve("doc") == .fine)
    #expect(try summaries(of: store).isEmpty)
  }

  /// A comb of branches whose leaves are deleted one by one, in an order that is the same in each run.
  @Test func theGreatestLiveLeafWinsUntilAllAreDeleted() throws {
    #expect(try cases.named("and-27")["id"] != nil)
    let replica = try Replica(platform: .android)
    var (line, leaves, random) = ([String](), [String](), FixedRandom(state: 27))
    for generation in 1...12 {
      for leaf in ["b", "c"] where generation > 1 {
        leaves.append("\(generation)-\(leaf)")
        try replica.insert("doc", line + ["\(generation)-\(leaf)"], "{}")
      }
      line.append("\(generation)-a")
    }
    try replica.insert("doc", line, "{}")
    leaves.append("12-a")
    let store = try replica.datastore.open(.reading)
    while let gone = leaves.randomElement(using: &random) {
      #expect(
        try store.tree("doc")?.winner == leaves.max { RevisionOrder.cloudant.areInIncreasingOrder($0, $1) })
      leaves.removeAll { $0 == gone }
      let generation = RevisionID(gone).generation
      try replica.insert("doc", [gone, "\(generation + 1)-\(gone)-deleted"], "{}", isDeleted: true)
    }
    #expect(try store.tree("doc")?.winner == "13-12-c-deleted")
  }

  private func choices(
    _ decision: AndroidCase.Decision, _ seen: RecordConflict, _ names: [String: String]
  ) throws -> [Subject: Choice]? {
    switch decision {
    case .none: return nil
    case .write(let name): return [.field("name"): .edit(.text(name))]
    case .keep(let word):
      let leaf = try #require(names[word])
      return Dictionary(
        uniqueKeysWithValues: try seen.subjects.map { ($0, try #require(seen.choice(of: leaf, for: $0))) })
    }
  }

  /// A row without its flags, which move.
  private func body(_ row: String) -> String { row.replacing(" current", with: "") }

  private static func told(_ revision: RevisionTree.Revision) -> String {
    told(revision.id) + (revision.isDeleted ? " deleted" : "")
  }

  /// An id as the cases tell it.
  private static func told(_ id: String) -> String {
    let id = id.replacing(" (att1)", with: "").replacing("<random32hex>", with: "<random>")
    let suffix = id.drop { $0 != "-" }.dropFirst()
    return suffix.utf8.count == 32 ? "\(id.prefix { $0 != "-" })-<random>" : id
  }
}

extension AndroidCase {
  fileprivate var name: String { if case .write(let name)? = decision { name } else { "Tom" } }
}

extension Datastore {
  /// So many documents with two roots, in one transaction.
  fileprivate func fill(_ count: Int) throws {
    try database { db in
      for document in 0..<count {
        try db.run("INSERT INTO docs (docid) VALUES (?)", [.text("doc\(document)")])
        let key = Value.integer(db.lastInsertedRowID)
        let insert = "INSERT INTO revs (doc_id, revid, parent, current, json) VALUES (?, ?, ?, ?, '{}')"
        try db.run(insert, [key, .text("1-\(document)"), .null, .integer(0)])
        try db.run(insert, [key, .text("1-a"), .null, .integer(0)])
        try db.run(insert, [key, .text("2-a"), .integer(db.lastInsertedRowID), .integer(1)])
      }
    }
  }
}
