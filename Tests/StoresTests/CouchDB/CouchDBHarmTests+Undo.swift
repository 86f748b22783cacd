import CouchDBServers
import ExactJSON
import Merging
import RevisionTrees
import Testing

@testable import CouchDBStores
@testable import Journals
@testable import StoreInterface

/// What a write has left, and is not found.
extension CouchDBHarmTests {
  @Test(arguments: [
    "-0", "[-0]", "-0.0", "123456789012345678901234567890e5", "810903680426306056251091919310058400e-51",
  ])
  func aNumberThatTheServerWritesAnotherWayIsTakenBack(number: String) throws {
    try graft("d", [#""n":1"#, #""n":2"#])
    let before = try contents("d")
    let value = Value(try JSONValue(parsing: number))
    #expect(try write("d", [.field("n"): .edit(value)]) == .fine)
    #expect(try undo() == [.fine])
    #expect(try contents("d").first == before.first && Set(contents("d")) == Set(before))
  }

  @Test func wherePartOfItIsNotFoundNothingIsTakenBack() throws {
    try graft("d", [#""n":1"#, #""n":2"#, #""n":3"#])
    #expect(try write("d") == .fine)
    let tree = try #require(try bench.open().documents(["d"]).first?.tree)
    let tombstone = try #require(tree.deletedLeaves.first.map { tree.revisions[$0].id })
    #expect(try bench.database.purge("d", [tombstone]) == [tombstone])
    let leaves = try bench.database.leaves(of: "d")
    guard case .moved = try undo()[0] else {
      Issue.record("it says that it is undone")
      return
    }
    #expect(try bench.database.leaves(of: "d") == leaves)
  }

  /// As if it had stored another number than any that is known.
  @Test func aDraftOfWhichSomethingElseWasMadeIsNoneThatIsTakenBack() throws {
    try graft("d", [#""n":1"#, #""n":2"#])
    let appends = DocumentAppends(
      document: "d", before: try live("d").map { DocumentAppends.Leaf($0) },
      stages: [
        [.init(parent: "1-bbbbbbbbb", isDeleted: false, members: ["n": .literal("5")], attachments: [:])],
        [.tombstone("1-bbbbbbbb")],
      ], winning: nil)
    try bench.database.edit(#"{"_id":"d","_rev":"1-bbbbbbbbb","n":6}"#)
    try bench.database.edit(#"{"_id":"d","_rev":"1-bbbbbbbb","_deleted":true}"#)
    let document = try #require(try bench.open().documents(["d"]).first)
    #expect(throws: Moved.self) { try DocumentAppends(undoing: appends, on: document) }
  }
}
