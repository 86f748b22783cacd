import ExactJSON
import Merging
import Testing

@testable import RevisionTrees

/// The vectors of ids, orders and canonical JSON. Skipped where the facts are not beside the project.
@Suite(.enabled(if: CloudantCases.areThere, "needs ../shared/cases/cloudant.json"))
struct VectorTests {
  let cases: CloudantCases

  init() throws { cases = try CloudantCases() }

  @Test func idsOfRevisionsComeOutAsOnADevice() throws {
    let vectors = try cases.list("revIdVectors")
    #expect(vectors.count >= 5)
    for vector in vectors {
      let id = RevisionID.cloudant(
        parent: vector["prev"]?.string, isDeleted: vector["deleted"]?.bool == true,
        body: Array((vector["json"]?.string ?? "").utf8))
      #expect(id == vector["rev"]?.string)
    }
  }

  @Test func idsAreOrderedAsTheCollationOrdersThem() throws {
    let vectors = try cases.list("revIdOrder")
    #expect(vectors.count >= 11)
    for vector in vectors {
      let (left, right) = (vector["a"]?.string ?? "?", vector["b"]?.string ?? "?")
      #expect(
        RevisionOrder.collate(left, right).signum()
          == vector["cdt"]?.integer)
      #expect(
        RevisionOrder.collate(right, left).signum()
          == -(vector["cdt"]?.integer ?? 9))
    }
  }

  @Test func couchDBsWinnerIsTheGreatestOfItsOwnOrder() throws {
    for vector in try cases.list("couchdbWinner") {
      let leaves = (vector["leaves"]?.elements ?? []).compactMap(\.string)
      #expect(leaves.count >= 2)
      #expect(leaves.max(by: RevisionOrder.couchDB.areInIncreasingOrder) == vector["winner"]?.string)
    }
  }

  @Test func canonicalJSONIsTheSameBytes() throws {
    let vectors = try cases.list("canonicalJsonVectors")
    #expect(vectors.count >= 3)
    for vector in vectors {
      let canonical = Array(try #require(vector["canonical"]?.string).utf8)
      #expect(vector["value"]?.canonical == canonical)
      #expect(try JSONValue(parsing: canonical).canonical == canonical)
    }
  }

  @Test func everyTreeHasItsWinnerAndItsConflicts() throws {
    var trees = 0
    for example in try cases.list("cases") {
      for (before, winners, conflicted) in [
        ("tree", "expectedWinner", "expectedConflictedIds"),
        ("expectedTreeAfter", "expectedWinnerAfter", "expectedConflictedIdsAfter"),
      ] {
        guard case .object(let expected)? = example[winners] else { continue }
        let document = try #require(expected.keys.first?.text)
        for (name, rows) in try CaseRow.trees(example[before], document: document) {
          let tree = RevisionTree(rows)
          let winner = tree.liveLeaves.first.map { tree.revisions[$0].id }
          #expect(winner == expected[JSONText(name)]?.string, "\(example["id"]?.string ?? "") \(name)")
          let isConflict = (example[conflicted]?.elements ?? []).contains(.string(name))
          #expect(tree.isConflict == isConflict, "\(example["id"]?.string ?? "") \(name)")
          trees += 1
        }
      }
    }
    #expect(trees > 20)
  }
}
