import ExactJSON
import Foundation
import Merging
import Testing

@testable import CloudantStores
@testable import RevisionTrees

/// Every case of iOS: its tree is opened, decided as the case says, and compared row by row with the tree that it expects.
///
/// The library appends nothing where a leaf is kept as it is, which can delete a document everywhere
/// (Sources/CloudantStores/FORMAT.md, "Two hazards"). A desk always appends, so there the expected tree is the library's with one
/// more revision: the kept one again, with the id by the formula, before the tombstones. Skipped where the cases are not beside
/// the project.
@Suite(
  .enabled(
    if: CloudantCases.areThere && Shared.has(CloudantCases.blobs),
    "needs ../shared/cases/cloudant.json and ../shared/fixtures/cloudant"))
struct CaseWriteTests {
  struct Kept: Sendable, CustomTestStringConvertible {
    let id: String
    let document: String
    let side: Side
    var testDescription: String { id }
  }

  static let kept = [
    Kept(id: "cdt-01-biggest", document: "doc0", side: .client),
    Kept(id: "cdt-02-smallest", document: "doc0", side: .server),
    Kept(id: "cdt-05-att-biggest", document: "doc0", side: .client),
    Kept(id: "cdt-06-att-2b", document: "doc0", side: .server),
    Kept(id: "seed-keep-winner", document: "seed", side: .client),
  ]
  /// The library's resolver returns nothing, or something that it cannot use: nothing is written. A desk has no such resolver;
  /// it writes nothing unless it is asked to.
  static let undecided = ["cdt-03-nil", "cdt-10-no-parent", "cdt-11-many", "cdt-12-all-docs"]
  /// Each has a test of its own below.
  static let single = [
    "cdt-08-merge-att", "seed-edit-winner", "converge-same-merge", "hazard-opposite-keeps-appended",
    "edit-versus-delete", "all-deleted", "compact-after-keep-2b",
  ]

  let cases: CloudantCases
  private let blobs: String

  init() throws {
    cases = try CloudantCases()
    blobs = (Shared.folder ?? "") + "/" + CloudantCases.blobs
  }

  @Test func noCaseIsLeftOut() throws {
    let known =
      CaseWriteTests.kept.map(\.id) + CaseWriteTests.undecided + CaseWriteTests.single
      + AndroidCase.all.map(\.id) + AndroidCaseTests.single + AndroidCaseTests.notUsable
    #expect(known.sorted() == (try cases.list("cases").compactMap { $0["id"]?.string }.sorted()))
    #expect(known.count == 39)
  }

  @Test(arguments: kept)
  func keepingALeafAppendsItOnceMoreAndDeletesTheOthers(kept: Kept) throws {
    let example = try cases.named(kept.id)
    let before = try example.rows("tree", kept.document)
    let after = try example.rows("expectedTreeAfter", kept.document)
    let datastore = try Datastore(trees: [kept.document: before], blobs: blobs)
    let store = try datastore.open()
    let seen = try store.conflict(kept.document)
    try expectOffered(seen, example, kept.document)
    #expect(try store.resolve(kept.document, seen.taking(kept.side, in: Resolution()).choices) == .fine)
    let rows = try CaseRow.appendingKept(before: before, after: after)
    #expect(try datastore.rows(kept.document) == rows.map(\.words))
    // The library's winner is the parent of ours, which says the same.
    let winner = example["expectedWinnerAfter"]?[kept.document]?.string
    #expect(try store.tree(kept.document)?.winner == rows[before.count].id)
    #expect(rows.first { $0.sequence == rows[before.count].parent }?.id == winner)
    #expect(try summaries(of: store).isEmpty)
    #expect(try datastore.integrity() == "ok")
  }

  @Test(arguments: undecided)
  func whatNobodyDecidesStaysAsItIs(id: String) throws {
    let example = try cases.named(id)
    let conflicted = example.strings("expectedConflictedIds")
    let trees = try example.trees("tree", document: "doc0", repeatedFor: conflicted)
    let plain = CaseRow(sequence: 1, parent: nil, id: "1-plain", isCurrent: true, body: "{}")
    let datastore = try Datastore(
      trees: trees.merging(id == "cdt-12-all-docs" ? ["plain": [plain]] : [:]) { $1 })
    let store = try datastore.open()
    #expect(try summaries(of: store).map(\.id).sorted() == conflicted.sorted())
    if id == "cdt-12-all-docs" { #expect(trees.count == 21) }
    for document in trees.keys {
      let seen = try store.conflict(document)
      try expectOffered(seen, example, document)
      if let planned = try plan(document, in: store) {
        #expect(try store.check([planned]).map(\.outcome) == [.fine])
      }
    }
    let after = try example.trees(
      "expectedTreeAfter", document: "doc0", repeatedFor: example.strings("expectedConflictedIdsAfter"))
    for (document, rows) in after { #expect(try datastore.rows(document) == rows.map(\.words)) }
    #expect(after.count == trees.count)
  }

  @Test func anEditedWinnerIsAppendedAndTheOtherLeafDeleted() throws {
    let example = try cases.named("seed-edit-winner")
    let datastore = try Datastore(trees: try CaseRow.trees(example["tree"], document: "seed"))
    let store = try datastore.open()
    try expectOffered(try store.conflict("seed"), example, "seed")
    #expect(try store.resolve("seed", [.field("v"): .edit(.text("merged"))]) == .fine)
    #expect(
      try datastore.rows("seed") == example.rows("expectedTreeAfter", "seed").map(\.words))
    #expect(try store.tree("seed")?.winner == example["expectedWinnerAfter"]?["seed"]?.string)
    #expect(try summaries(of: store).isEmpty)
    #expect(try datastore.integrity() == "ok")
  }

  /// The library puts the merge on the revision that its resolver happened to change, here the loser; a desk puts it on the
  /// winner, so that all desks do alike. The content is the same.
  @Test func aMergeOfBothLeavesGoesOnTheWinner() throws {
    let example = try cases.named("cdt-08-merge-att")
    let before = try example.rows("tree", "doc0")
    let theirs = try #require(try example.rows("expectedTreeAfter", "doc0").first { $0.sequence == 6 })
    let datastore = try Datastore(trees: ["doc0": before], blobs: blobs)
    let store = try datastore.open()
    let choices: [Subject: Choice] = [.field("foo2.b"): .take(.server), .field("foo3.a"): .take(.client)]
    #expect(try store.resolve("doc0", choices) == .fine)
    let body = try #require(theirs.body)
    let (winner, loser) = (before[2], before[3])
    let merged = try #require(
      RevisionID.cloudant(parent: winner.id, isDeleted: false, body: Array(body.utf8)))
    let gone = try #require(RevisionID.cloudant(parent: loser.id, isDeleted: true, body: []))
    let kept = before.map { $0.marked($0 == winner || $0 == loser ? false : $0.isCurrent) }
    let rows =
      kept + [
        CaseRow(
          sequence: 6, parent: winner.sequence, id: merged, isCurrent: true, body: body,
          attachments: theirs.attachments.map { $0.carried(to: merged) }),
        CaseRow(
          sequence: 7, parent: loser.sequence, id: gone, isCurrent: true, isDeleted: true, body: ""),
      ]
    #expect(try datastore.rows("doc0") == rows.map(\.words))
    #expect(try summaries(of: store).isEmpty)
  }

  /// Both replicas decide alike: the merge goes on the winner, 3-q.
  @Test func twoDesksThatDecideAlikeMakeTheSameRevisionAndReplicationAddsNothing() throws {
    let rows = try cases.named("converge-same-merge").rows("expectedTreeAfter", "s")
    let start = rows.prefix(4).map { $0.marked($0.sequence > 2) }
    let replicas = try (1...2).map { _ in
      let datastore = try Datastore(trees: ["s": start])
      #expect(try datastore.open().resolve("s", [.field("v"): .edit(.text("q+p"))]) == .fine)
      #expect(try datastore.rows("s") == rows.map(\.words))
      return try Replica(copyOf: datastore)
    }
    try Replica.replicate(replicas[0], replicas[1])
    for replica in replicas { #expect(try replica.datastore.rows("s") == rows.map(\.words)) }
  }

  /// The hazard of two replicas that keep different leaves: each appends, so both stay to be seen.
  @Test func keepingOppositeLeavesLosesNothing() throws {
    let example = try cases.named("hazard-opposite-keeps-appended")
    let rows = try example.rows("expectedTreeAfter", "s")
    let start = rows.prefix(4).map { $0.marked($0.sequence > 2) }
    // 3-q wins, so it is the client; the first keeps 3-p.
    let replicas = try [Side.server, .client].map { side in
      let datastore = try Datastore(trees: ["s": start])
      #expect(try datastore.open().resolve("s", [.field("v"): .take(side)]) == .fine)
      return try Replica(copyOf: datastore)
    }
    try Replica.replicate(replicas[0], replicas[1])
    #expect(try replicas[0].datastore.rows("s") == rows.map(\.words))
    #expect(try replicas[0].content("s") == replicas[1].content("s"))
    for replica in replicas {
      let store = try replica.datastore.open(.reading)
      #expect(try summaries(of: store).map(\.id) == example.strings("expectedConflictedIdsAfter"))
      let winner = example["expectedWinnerAfter"]?["s"]?.string
      #expect(try store.tree("s")?.winner == winner)
    }
  }

  @Test func anEditAgainstADeletionIsAFindingAndNoConflict() throws {
    let example = try cases.named("edit-versus-delete")
    let datastore = try Datastore(trees: try CaseRow.trees(example["tree"], document: "d"))
    let store = try datastore.open(.reading)
    #expect(try summaries(of: store).map(\.id) == example.strings("expectedConflictedIds"))
    #expect(try store.tree("d")?.winner == example["expectedWinner"]?["d"]?.string)
    #expect(try findings(of: store).map(\.id) == ["deletion-lost:d"])
  }

  @Test func aDocumentWhoseLeavesAreAllDeletedIsNothingToDecide() throws {
    let example = try cases.named("all-deleted")
    let datastore = try Datastore(trees: try CaseRow.trees(example["tree"], document: "d"))
    let store = try datastore.open(.reading)
    #expect(try summaries(of: store).map(\.id) == example.strings("expectedConflictedIds"))
    #expect(example["expectedWinner"]?["d"] == .null)
    #expect(try store.tree("d")?.winner == "3-del")
    #expect(try findings(of: store).isEmpty)
  }

  /// After the app has compacted, the losing body and its file are gone. The journal still has the body, and no file.
  @Test func afterACompactionUndoSaysWhichFileIsGone() throws {
    let example = try cases.named("compact-after-keep-2b")
    let before = try cases.named("cdt-06-att-2b").rows("tree", "doc0")
    let after = try CaseRow.appendingKept(
      before: before, after: try example.rows("expectedTreeAfter", "doc0"))
    let datastore = try Datastore(trees: ["doc0": before], blobs: blobs)
    let store = try datastore.open()
    let seen = try store.conflict("doc0")
    #expect(try store.resolve("doc0", seen.taking(.server, in: Resolution()).choices) == .fine)
    try datastore.compact()
    // The kept leaf is no leaf any more: its body is in the revision that was appended.
    let compacted = after.map { $0.isCurrent ? $0 : $0.compacted }
    #expect(try datastore.rows("doc0") == compacted.map(\.words))
    let left = try FileManager.default.contentsOfDirectory(atPath: store.files.attachments)
    #expect(left.count == example["blobsLeft"]?.integer)
    guard case .refused("_attachments/bonsai-boston", let words)? = try store.undoLastWrite().first?.outcome
    else {
      Issue.record("it came back without its file")
      return
    }
    #expect(words.hasPrefix("its file is not in case attachments; put there, as from a backup"), "\(words)")
  }

  private func expectOffered(_ seen: RecordConflict, _ example: JSONValue, _ document: String) throws {
    let winner = example["expectedWinner"]?[document]?.string ?? example["expectedWinner"]?["doc0"]?.string
    #expect(seen.liveLeaves.first?.id == winner)
    let offered = example["offeredToResolver"]
    let ids = (offered?[document] ?? offered?["doc0"] ?? offered)?.elements?.compactMap(\.string) ?? []
    #expect(!ids.isEmpty && Set(seen.liveLeaves.map(\.id)) == Set(ids))
  }
}
