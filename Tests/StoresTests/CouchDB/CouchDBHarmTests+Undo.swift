import CouchDBServers
import ExactJSON
import Foundation
import Merging
import RevisionTrees
import SQLiteFiles
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

/// A deletion that somebody else went on from.
extension CouchDBHarmTests {
  private static let wordsOfMoved = "it went on since it was written"
  private static let moved = CheckedWrite.Outcome.moved(wordsOfMoved)

  private func delete(_ id: String) throws {
    let store = try bench.open()
    let draft = PlannedWrite(seen: try store.conflict(id), draft: Draft(id: id, action: .delete))
    #expect(try store.write([draft], note: nil).map(\.outcome) == [.fine])
  }

  private func expectNothingIsTakenBack(_ id: String) throws {
    let leaves = try bench.database.leaves(of: id)
    #expect(try bench.open().checkUndo(.lastWrite).map(\.checked.outcome) == [Self.moved])
    #expect(try undo() == [Self.moved])
    #expect(try bench.database.leaves(of: id) == leaves)
  }

  /// A server appends what comes without a parent to the deletion that wins: what ended there has no place to come back.
  @Test(arguments: [2, 3], [false, true])
  func oneOnWhichADocumentWasMadeAnewIsNotTakenBackInPart(leaves: Int, isCompacted: Bool) throws {
    try graft("d", (1...leaves).map { #""n":\#($0)"# })
    try delete("d")
    try bench.database.edit(#"{"_id":"d","n":99}"#)
    if isCompacted { try bench.database.compact() }
    try expectNothingIsTakenBack("d")
    #expect(try contents("d") == [#"{"n":99}"#])
  }

  @Test func oneBesideADraftThatSomebodyWentOnFromIsNotTakenBackInPart() throws {
    try graft("d", [#""n":1"#, #""n":2"#, #""n":3"#])
    #expect(try write("d") == .fine)
    let document = try #require(try bench.open().documents(["d"]).first)
    let tombstone = try #require(document.children(of: "1-bbbbbbbb").first)
    try bench.database.edit(#"{"_id":"d","_rev":"\#(tombstone)","n":55}"#)
    try expectNothingIsTakenBack("d")
  }

  /// Nothing of theirs is left there, so that all has a place.
  @Test(arguments: [2, 3])
  func oneIsTakenBackWhereWhatWasMadeAnewIsDeletedAgain(leaves: Int) throws {
    try graft("d", (1...leaves).map { #""n":\#($0)"# })
    let before = try contents("d")
    try delete("d")
    let anew = try bench.database.edit(#"{"_id":"d","n":99}"#)
    try bench.database.edit(#"{"_id":"d","_rev":"\#(anew)","_deleted":true}"#)
    #expect(try undo() == [.fine])
    let after = try contents("d")
    #expect(after.first == before.first && after.count == leaves && Set(after) == Set(before))
    #expect(throws: StoreError.nothingToUndo) { try undo() }
  }

  /// The journal was copied after the write, as with a home folder: who has the copy takes the same write back.
  @Test(arguments: [true, false], [false, true])
  func whatTheCopyOfAJournalTookBackIsTakenBackNoMoreOnceItWentOn(isDeletion: Bool, goesOn: Bool) throws {
    try graft("d", [#""n":1"#, #""n":2"#])
    if isDeletion { try delete("d") } else { _ = try write("d", [.field("n"): .edit(.integer(7))]) }
    try withTheJournalOfNow { () throws in
      #expect(try undo() == [.fine])
      if goesOn { #expect(try write("d", [.field("n"): .edit(.integer(66))]) == .fine) }
    }
    let leaves = try bench.database.leaves(of: "d")
    let words = isDeletion ? "it was taken back already, and went on since" : Self.wordsOfMoved
    let outcome = goesOn ? CheckedWrite.Outcome.moved(words) : .fine
    #expect(try bench.open().checkUndo(.lastWrite).map(\.checked.outcome) == [outcome])
    #expect(try undo() == [outcome])
    #expect(try bench.database.leaves(of: "d") == leaves)
  }

  /// Does something of which the journal knows nothing.
  private func withTheJournalOfNow(_ body: () throws -> Void) throws {
    let state = try #require(bench.environment["XDG_STATE_HOME"])
    try FileManager.default.copyItem(atPath: state, toPath: state + ".copy")
    try body()
    try FileManager.default.removeItem(atPath: state)
    try FileManager.default.moveItem(atPath: state + ".copy", toPath: state)
  }

  private static let notToBeKnown = CheckedWrite.Outcome.refused(
    field: nil,
    "10-x has what was deleted, and nobody can know whether it came back with that: the server does not have 9-zz any more, which it follows"
  )

  /// The deletion of long ago wins, so that the winner comes back on that.
  private func deleteBesideAnOlderDeletion() throws {
    try graft("d", [#""n":1"#, #""n":2"#])
    try bench.database.graft(
      #"{"_id":"d","_rev":"9-zz","_revisions":{"start":9,"ids":["zz","yy"]},"_deleted":true}"#)
    try delete("d")
  }

  /// Once it is compacted that deletion may be any revision.
  @Test(arguments: [false, true])
  func whatAnotherBroughtBackOnAnOlderDeletionIsNotBroughtBackTwice(isCompacted: Bool) throws {
    try deleteBesideAnOlderDeletion()
    try withTheJournalOfNow { () throws in #expect(try undo() == [.fine]) }
    if isCompacted { try bench.database.compact() }
    let (leaves, first) = (try bench.database.leaves(of: "d"), try #require(try live("d").first?.id))
    let outcome = try undo().map { outcome -> CheckedWrite.Outcome in
      guard case .refused(nil, let words) = outcome else { return outcome }
      return .refused(field: nil, words.replacing(first, with: "10-x"))
    }
    #expect(outcome == [isCompacted ? Self.notToBeKnown : .fine])
    #expect(try bench.database.leaves(of: "d") == leaves)
    #expect(try contents("d") == [#"{"n":1}"#, #"{"n":2}"#])
  }

  @Test func whatAnotherBroughtBackOnAnOlderDeletionAndWentOnFromIsTakenBackNoMore() throws {
    try deleteBesideAnOlderDeletion()
    try withTheJournalOfNow { () throws in
      #expect(try undo() == [.fine])
      #expect(try write("d", [.field("n"): .edit(.integer(66))]) == .fine)
    }
    let leaves = try bench.database.leaves(of: "d")
    #expect(try undo() == [.moved("it was taken back already, and went on since")])
    #expect(try bench.database.leaves(of: "d") == leaves)
  }

  /// Nobody's undo: it follows an edit.
  @Test func aLineOfTheSameContentThatFollowsNoDeletionIsNotWhatCameBack() throws {
    try graft("d", [#""n":1"#, #""n":2"#])
    try delete("d")
    try bench.database.graft(
      #"{"_id":"d","_rev":"1-aa","n":3}"#,
      #"{"_id":"d","_rev":"2-cc","_revisions":{"start":2,"ids":["cc","aa"]},"n":2}"#)
    #expect(try undo() == [.fine])
    #expect(try contents("d").sorted() == [#"{"n":1}"#, #"{"n":2}"#, #"{"n":2}"#])
  }

  /// Another replica's, which went on from what all descend from.
  @Test func aNewLeafOfTheSameContentIsNotWhatCameBack() throws {
    try graft("d", [#""n":1"#, #""n":2"#], ancestor: #""n":0"#)
    #expect(try write("d", [.record: .take(.client)]) == .fine)
    try bench.database.graft(
      #"{"_id":"d","_rev":"2-cc","_revisions":{"start":2,"ids":["cc","aa"]},"n":2}"#)
    #expect(try undo() == [.fine])
    #expect(try contents("d").sorted() == [#"{"n":1}"#, #"{"n":2}"#, #"{"n":2}"#])
  }

  /// Another replica decided alike, and its server makes ids otherwise.
  @Test func anotherReplicasRevisionWithTheContentOfADraftIsNotTheDraft() throws {
    try graft("d", [#""n":1"#, #""n":2"#])
    #expect(try write("d", [.field("n"): .edit(.integer(77))]) == .fine)
    let draft = try #require(try live("d").first?.id)
    try bench.database.edit(#"{"_id":"d","_rev":"\#(draft)","n":78}"#)
    try bench.database.graft(
      #"{"_id":"d","_rev":"2-f","_revisions":{"start":2,"ids":["f","bbbbbbbbb"]},"n":77}"#)
    try expectNothingIsTakenBack("d")
  }

  /// Another replica's, which begins anew: no line of before has what it descends from.
  @Test func aNewLineOfTheSameContentIsNotWhatCameBack() throws {
    try graft("d", [#""n":1"#, #""n":2"#])
    #expect(try write("d", [.record: .take(.client)]) == .fine)
    try bench.database.graft(
      #"{"_id":"d","_rev":"2-cc","_revisions":{"start":2,"ids":["cc","aa"]},"n":2}"#)
    #expect(try undo() == [.fine])
    #expect(try contents("d").sorted() == [#"{"n":1}"#, #"{"n":2}"#, #"{"n":2}"#])
  }

  /// The database was made anew under its name, and the answer to the write into that was lost: the id is of a write into the one before.
  @Test(arguments: ["2-e", "2-f"]) func anIDOfADatabaseOfBeforeCountsForNothing(id: String) throws {
    try graft("d", [#""n":1"#, #""n":2"#])
    let parent = try #require(try live("d").first?.id)
    #expect(try write("d", [.field("n"): .edit(.integer(77))]) == .fine)
    try bench.database.graft(
      #"{"_id":"d","_rev":"2-e","_revisions":{"start":2,"ids":["e","\#(parent.dropFirst(2))"]},"n":5}"#)
    var stale = AcceptedIDs()
    stale["d", parent] = id
    try bench.open().log.keep(stale)
    #expect(try undo() == [.fine])
    #expect(try contents("d").sorted() == [#"{"n":1}"#, #"{"n":2}"#, #"{"n":5}"#])
  }

  /// Likewise, and the server refused to end the other leaf: nothing is on that, whatever the journal has of the database before.
  @Test func anIDOfADatabaseOfBeforeIsOnNoLeaf() throws {
    try graft("d", [#""n":1"#, #""n":2"#])
    let loser = try #require(try live("d").last?.id)
    var stale = AcceptedIDs()
    stale["d", loser] = "3-ffffffffffffffffffffffffffffffff"
    try bench.open().log.keep(stale)
    try bench.database.setValidation { write throws(ValidationRefusal) in
      if write.document.text.contains("_deleted") { throw .forbidden("no deletion") }
    }
    guard case .partly = try write("d", [.field("n"): .edit(.integer(77))]) else {
      Issue.record("all of it was written")
      return
    }
    #expect(try undo() == [.fine])
    #expect(try contents("d").sorted() == [#"{"n":1}"#, #"{"n":2}"#])
  }

  /// An older Parley kept no ids: there is the content to go by.
  @Test func whatHasNoIdInTheJournalIsFoundByItsContent() throws {
    try graft("d", [#""n":1"#, #""n":2"#])
    let before = try contents("d")
    #expect(try write("d", [.field("n"): .edit(.integer(77))]) == .fine)
    let store = try bench.open()
    #expect(try store.log.acceptedIDs(of: ["d"])["d", "1-bbbbbbbb"] != nil)
    try store.log.write { try $0.run("DELETE FROM kept") }
    #expect(try undo() == [.fine])
    #expect(try contents("d") == before)
  }

  /// It keeps one revision of each line, so that nothing tells there what a draft has followed.
  @Test func whatAServerHasForgottenTheParentOfIsTakenBackWithTheSameWinner() throws {
    for number in 0..<4 {
      let id = "d\(number)"
      try graft(id, [#""n":1"#, #""n":\#(number + 2)"#])
      let before = try contents(id)
      try bench.database.setRevisionsLimit(1)
      #expect(try write(id, [.record: .take(.client)]) == .fine)
      #expect(try undo() == [.fine])
      #expect(try contents(id) == before)
    }
  }

  /// It was refused in part; what came back, they have.
  @Test func oneThatCameBackInPartIsTakenBackWhereSomebodyWentOnFromThat() throws {
    try graft("d", [#""n":1"#, #""n":2"#, #""n":3"#])
    #expect(try write("d") == .fine)
    try bench.database.setValidation { write throws(ValidationRefusal) in
      if write.document.text.contains(#""n":3"#) { throw .forbidden("three is taken") }
    }
    guard case .partly = try undo()[0] else {
      Issue.record("it is refused in part")
      return
    }
    try bench.database.setValidation(nil)
    let two = try #require(try live("d").first { $0.members["n"]?.integer == 2 })
    try bench.database.edit(#"{"_id":"d","_rev":"\#(two.id)","n":22}"#)
    #expect(try undo() == [.fine])
    #expect(try Set(contents("d")) == [#"{"n":1}"#, #"{"n":22}"#, #"{"n":3}"#])
  }
}

extension CouchDBHarmTests {
  /// "Nothing of it was taken back" is untrue then, though this one has made nothing.
  @Test func oneThatIsRefusedAgainIsToldWithWhatCameBackBefore() throws {
    try graft("d", [#""n":1"#, #""n":2"#, #""n":3"#])
    #expect(try write("d") == .fine)
    try bench.database.setValidation { write throws(ValidationRefusal) in
      if write.document.text.contains(#""n":3"#) { throw .forbidden("three is taken") }
    }
    let part = CheckedWrite.Outcome.partly(
      written: "1 of its 3 revisions", "the server refuses another: three is taken")
    #expect(try undo() == [part])
    #expect(try undo() == [part])
    try bench.database.setValidation(nil)
    #expect(try undo() == [.fine])
    #expect(try Set(contents("d")) == [#"{"n":1}"#, #"{"n":2}"#, #"{"n":3}"#])
  }
}

/// What an undo is told to bring back.
extension CouchDBHarmTests {
  /// The body of the winner, which is the client, stays as it is.
  @Test(arguments: [Choice.edit(.missing), .take(.server), .take(.client)])
  func anAttachmentThatComesBackIsToldLikeAnyField(choice: Choice) throws {
    try graft("d", [#""n":1,\#(attached("b25l"))"#, #""n":1,\#(attached("dHdv"))"#])
    let file = try #require(try bench.open().conflict("d")["_attachments/f"])
    #expect(try write("d", [.field(file.name): choice]) == .fine)
    let after = choice == .take(.server) ? file.server?.value : .missing
    let changed = LastWrite.FieldChange(name: file.name, before: file.client?.value, after: after)
    let written = WrittenChanges(fields: choice == .take(.client) ? [] : [changed])
    let store = try bench.open()
    #expect(try store.checkUndo(.lastWrite).map(\.changes) == [written])
    #expect(try store.lastWrite()?.records.map(\.changes) == [written])
    #expect(changed.before != nil && changed.before != file.server?.value)
  }

  /// The winner has no field, so nothing of it was deleted, and nothing comes back. Who signed its deletion is no field either.
  @Test func ofADeletionThatIsTakenBackNoFieldIsTold() throws {
    try bench.database.graft(#"{"_id":"d","_rev":"1-b"}"#, #"{"_id":"d","_rev":"1-a","n":2}"#)
    let store = try bench.open(signsTombstones: true)
    let planned = PlannedWrite(seen: try store.conflict("d"), draft: Draft(id: "d", action: .delete))
    #expect(try store.write([planned], note: nil).map(\.outcome) == [.fine])
    #expect(try live("d").isEmpty)
    #expect(try undo() == [.fine])
    let entry = try #require(try store.journal.history(of: "d").first { $0.kind == .undo })
    #expect(entry.changes == WrittenChanges())
  }
}

/// A journal that somebody has changed.
extension CouchDBHarmTests {
  @Test func whatAWriteChangedIsToldAsNotKnownWhereTheJournalIsDamaged() throws {
    try graft("d", [#""n":1"#, #""n":2"#])
    #expect(try write("d", [.field("n"): .take(.server)]) == .fine)
    let store = try bench.open()
    try store.log.write { try $0.run("UPDATE records SET checksum = x'00'") }
    #expect(try store.lastWrite()?.records.map(\.changes.damage) == ["its checksum differs"])
    let entry = try #require(try store.journal.history(of: "d").first { $0.kind == .write })
    #expect(entry.changes.damage == "its checksum differs")
    try store.log.write { try $0.run("DROP TABLE marks") }
    #expect(throws: StoreError.self) { try store.lastWrite() }
  }
}

/// Members that begin with _ and are kept all the same.
extension CouchDBHarmTests {
  private static let kept = [
    "_access", "_replication_id", "_replication_state", "_replication_state_reason",
    "_replication_state_time", "_replication_stats",
  ]

  private func leaf(_ value: Int) -> String {
    Self.kept.map { #""\#($0)":{"n":\#(value)},"# }.joined() + #""n":\#(value)"#
  }

  @Test func whatTheServerKeepsForOthersIsShownMergedAndBroughtBack() throws {
    try graft("d", [leaf(1), leaf(2)])
    let before = try contents("d")
    #expect(try bench.open().conflict("d").fields.map(\.name).sorted() == Self.kept + ["n"])
    #expect(try write("d", [.field("_replication_state"): .take(.server)]) == .fine)
    #expect(try live("d").map { $0.members["_replication_state"]?["n"]?.integer } == [2])
    try bench.database.compact()
    #expect(try undo() == [.fine])
    #expect(try contents("d").first == before.first && Set(contents("d")) == Set(before))
  }

  @Test func otherNamesThatBeginSoAreTheServers() {
    for name in ["_id", "_rev", "_revisions", "_attachments", "_replication_other"] {
      #expect(ServerRevision.isServers(name))
    }
  }
}

/// Attachments that somebody sent packed, as `Content-Encoding: gzip`: their length and digest are those of the packed bytes.
extension CouchDBHarmTests {
  private var serversFile: [Subject: Choice] { [.field("_attachments/f"): .take(.server)] }

  func attach(_ bytes: [UInt8], to revision: String, type: String, encoding: String?) throws {
    let headers = ["Content-Type": type].merging(encoding.map { ["Content-Encoding": $0] } ?? [:]) { $1 }
    let path = "/shop/d/f?rev=\(revision)"
    let answer = try LoopbackClient(bench.server.url).ask("PUT", path, headers: headers, body: bytes)
    #expect(answer.status == 201)
  }

  private func contentsOfF() throws -> [[UInt8]?] {
    try live("d").map { leaf in
      let told = try #require(leaf.attachments["f"])
      return try bench.open().server.content("f", told, of: "d", leaf.id)
    }
  }

  @Test(arguments: ["application/x", "text/plain"])
  func whatCameInPackedIsReadKeptSentAndBroughtBack(type: String) throws {
    try graft("d", [#""n":1"#, #""n":2"#])
    let (one, two) = (Array("one one one one".utf8), Array("two two two two two".utf8))
    for (revision, bytes) in zip(try live("d").map(\.id), [one, two]) {
      try attach(Gzip.packed(bytes), to: revision, type: type, encoding: "gzip")
    }
    let before = try contentsOfF()
    #expect(Set(before) == [one, two])
    #expect(try write("d", serversFile) == .fine)
    #expect(try contentsOfF() == [before[1]])
    try bench.database.compact()
    #expect(try undo() == [.fine])
    #expect(try Set(contentsOfF()) == [one, two])
    #expect(throws: StoreError.nothingToUndo) { try undo() }
  }

  @Test func whatCannotBeUnpackedIsToldBeforeItIsWritten() throws {
    try graft("d", [#""n":1"#, #""n":2"#])
    for revision in try live("d").map(\.id) {
      try attach(Array("no gzip".utf8), to: revision, type: "application/x", encoding: "gzip")
    }
    let store = try bench.open()
    let write = try #require(try plan("d", in: store, [.record: .take(.client)]))
    let note = try #require(try store.check([write])[0].note)
    #expect(note.contains("f of 2-") && note.contains("cannot be unpacked"))
    #expect(try store.write([write], note: nil).map(\.note) == [note])
  }

  /// Two members of a file of gzip: some read the first alone, others both.
  @Test func whatFollowsTheFirstPackedPieceIsNeverLeftOut() throws {
    let piece = Gzip.packed(Array("note".utf8))
    #expect(Gzip.unpackedWhole(piece) == Array("note".utf8))
    #expect(Gzip.unpackedWhole(piece + piece) == nil)
    #expect(Gzip.unpackedWhole(Array(piece.dropLast())) == nil)
    #expect(Gzip.unpackedWhole([]) == nil)
  }

  @Test func whatIsTooLongToBeKeptIsToldAndComesBackFromTheWinner() throws {
    let long = [UInt8](repeating: 7, count: DocumentAppends.longestKept + 1)
    try graft("d", [#""n":1"#, #""n":2"#])
    let revisions = try live("d").map(\.id)
    try attach(long, to: revisions[1], type: "application/x", encoding: nil)
    let edited = try bench.database.edit(#"{"_id":"d","_rev":"\#(revisions[0])","n":3}"#)
    try bench.database.edit(#"{"_id":"d","_rev":"\#(edited)","n":4}"#)
    let store = try bench.open()
    let write = try #require(
      try plan("d", in: store, serversFile))
    let written = try store.write([write], note: nil)[0]
    #expect(written.outcome == .fine)
    #expect(written.note?.contains("f of ") == true)
    try bench.database.compact()
    let undone = try undo()
    #expect(undone == [.fine], "\(String(describing: undone).prefix(400))")
    #expect(try live("d").map { $0.attachments["f"]?["length"]?.integer } == [nil, long.count])
  }
}

extension JSON {
  fileprivate var text: String { String(decoding: bytes(), as: UTF8.self) }
}
