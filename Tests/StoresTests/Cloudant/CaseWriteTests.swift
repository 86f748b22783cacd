import Merging
import Testing

@testable import Stores

/// The trees that the cases expect after a resolution. A desk always appends, so only cases in which the library does too
/// come out row by row; of the others the desk's own tree is told here. Skipped where the facts are not beside the project.
@Suite(.enabled(if: CloudantCases.areThere, "needs ../shared/cases/cloudant.json"))
struct CaseWriteTests {
  let cases: CloudantCases

  init() throws { cases = try CloudantCases() }

  @Test func theStoreFindsTheConflictsOfEveryCase() throws {
    var seen = 0
    for example in try cases.list("cases") {
      guard case .object(let winners)? = example["expectedWinner"], let document = winners.keys.first?.text
      else {
        continue
      }
      let trees = try CaseRow.trees(example["tree"], document: document)
      if trees.isEmpty { continue }
      let store = try Datastore(trees: trees).open(.reading)
      let expected = Set((example["expectedConflictedIds"]?.elements ?? []).compactMap(\.string))
      let listed = Set(try summaries(of: store).map(\.id))
      #expect(listed == expected.intersection(trees.keys), "\(example["id"]?.string ?? "")")
      for id in listed {
        #expect(try store.conflict(id).liveLeaves.first?.id == winners[JSONText(id)]?.string)
      }
      seen += 1
    }
    #expect(seen >= 12)
  }

  @Test func anEditedWinnerIsAppendedAndTheOtherLeafDeleted() throws {
    try expectTree(of: "seed-edit-winner", document: "seed", [.field("v"): .edit(.text("merged"))])
  }

  /// Both replicas decide alike: the merge goes on the winner, 3-q.
  @Test func twoDesksThatDecideAlikeMakeTheSameRevision() throws {
    let after = try CaseRow.trees(try cases.named("converge-same-merge")["expectedTreeAfter"], document: "s")
    let rows = try #require(after["s"])
    let start = rows.prefix(4).map { $0.asLeaf(isLeaf: $0.sequence > 2) }
    for _ in 1...2 {
      let datastore = try Datastore(trees: ["s": start])
      #expect(try datastore.open().resolve("s", [.field("v"): .edit(.text("q+p"))]) == .fine)
      #expect(try datastore.rows("s") == rows.map(\.words))
    }
  }

  /// The hazard of two replicas that keep different leaves: each appends, so both stay to be seen.
  @Test func keepingOppositeLeavesLosesNothing() throws {
    let after = try CaseRow.trees(
      try cases.named("hazard-opposite-keeps-appended")["expectedTreeAfter"], document: "s")
    let rows = try #require(after["s"])
    let start = rows.prefix(4).map { $0.asLeaf(isLeaf: $0.sequence > 2) }
    var ids: Set<String> = []
    for side in [Side.client, .server] {
      let datastore = try Datastore(trees: ["s": start])
      #expect(try datastore.open().resolve("s", [.field("v"): .take(side)]) == .fine)
      ids.formUnion(
        try datastore.rows("s").compactMap { $0.split(separator: " ").dropFirst().first.map(String.init) })
    }
    #expect(ids == Set(rows.map(\.id)))
  }

  private func expectTree(of id: String, document: String, _ choices: [Subject: Choice]) throws {
    let example = try cases.named(id)
    let datastore = try Datastore(trees: try CaseRow.trees(example["tree"], document: document))
    #expect(try datastore.open().resolve(document, choices) == .fine)
    let after = try #require(try CaseRow.trees(example["expectedTreeAfter"], document: document)[document])
    #expect(try datastore.rows(document) == after.map(\.words))
    #expect(try datastore.integrity() == "ok")
  }
}

extension CaseRow {
  fileprivate func asLeaf(isLeaf: Bool) -> CaseRow {
    CaseRow(
      sequence: sequence, parent: parent, id: id, isCurrent: isLeaf, isDeleted: isDeleted, body: body,
      attachments: attachments)
  }
}
