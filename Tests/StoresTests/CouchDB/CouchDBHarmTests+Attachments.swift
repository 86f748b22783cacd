import CouchDBServers
import ExactJSON
import Merging
import RevisionTrees
import Testing

@testable import CouchDBStores
@testable import StoreInterface

/// What a revision takes over from its parent. A device that takes a stub for known fills it from the leaf that won there, whichever
/// that is; what is sent anew it asks for, as the server tells that it came with this very revision.
extension CouchDBHarmTests {
  /// Whether each attachment of each live leaf came with that leaf.
  private func areNew(_ id: String) throws -> [[Bool]] {
    try live(id).map { leaf in
      leaf.attachments.values.map { $0["revpos"]?.integer == RevisionID(leaf.id).generation }
    }
  }

  private func bytesOfF() throws -> [[UInt8]?] {
    let server = try bench.open().server
    return try live("d").map { try server.bytes("f", of: "d", $0.id)?.bytes }
  }

  @Test(arguments: ["dHdv", nil])
  func whatTheWinnerKeepsIsSentAnewWhereAnotherLeafHasItOtherwise(other: String?) throws {
    let theirs = other.map { "," + attached($0) } ?? ""
    try graft(
      "d", [#""n":1,\#(attached("b25l"))"#, #""n":2\#(theirs)"#], ancestor: #""n":0,\#(attached("b25l"))"#)
    let before = try bytesOfF()
    #expect(try write("d", [.field("n"): .take(.client), .field("_attachments/f"): .take(.client)]) == .fine)
    #expect(try areNew("d") == [[true]])
    #expect(try bytesOfF() == [before[0]])
    #expect(try undo() == [.fine])
    #expect(try areNew("d") == [[true], other == nil ? [] : [true]])
    #expect(try bytesOfF() == before)
  }

  private func graftWithAncestorsFile() throws {
    try graft(
      "d", [#""n":1,\#(attached("b25l"))"#, #""n":1,\#(attached("dHdv"))"#],
      ancestor: #""n":1,\#(attached("c2l4"))"#)
  }

  @Test func whatTheAncestorHasIsWrittenFromThere() throws {
    try graftWithAncestorsFile()
    let before = try bytesOfF()
    #expect(try write("d", [.field("_attachments/f"): .take(.ancestor)]) == .fine)
    #expect(try bytesOfF() == [Array("six".utf8)])
    #expect(try undo() == [.fine])
    #expect(try bytesOfF() == before)
  }

  @Test func whatTheAncestorHadIsRefusedOnceItIsCompacted() throws {
    try graftWithAncestorsFile()
    let (store, before) = (try bench.open(), try bytesOfF())
    let write = try #require(try plan("d", in: store, [.field("_attachments/f"): .take(.ancestor)]))
    try bench.database.compact()
    let words = "an attachment is taken as a revision on the server has it, or left out"
    let refused = CheckedWrite.Outcome.refused(field: "_attachments/f", words)
    #expect(try store.write([write], note: nil).map(\.outcome) == [refused])
    #expect(try bytesOfF() == before)
  }

  /// As a replica lends the ancestor's body, and no bytes: it was taken, and refused by every write.
  @Test func whatOnlyAnotherReplicaHasIsRefusedAsItIsDecided() throws {
    try graftWithAncestorsFile()
    let other = try bench.server.makeDatabase("other")
    try other.graft(#"{"_id":"d","_rev":"1-aa","n":1,\#(attached("c2l4"))}"#)
    let store = try CouchDBStore.open(
      CouchDBServer(try #require(ServerAddress(bench.url)), .netrc(file: nil)),
      ancestors: bench.open(url: bench.server.url + "/other").server, environment: bench.environment)
    func verdict(_ side: Side) throws -> ValueVerdict {
      let seen = DecidedConflict(try store.conflict("d"))
      return try store.verdict(on: .take(side), for: .field("_attachments/f"), of: seen)
    }
    #expect(try verdict(.ancestor) == .fits)
    try bench.database.compact()
    #expect(try verdict(.ancestor) == .refused(DocumentAppends.noSuchAttachment))
    #expect(try verdict(.server) == .fits)
  }

  @Test func whatAllLeavesHaveAlikeIsNotSentAnew() throws {
    try graft("d", [#""n":1,\#(attached("b25l"))"#, #""n":2,\#(attached("b25l"))"#])
    #expect(try write("d", [.record: .take(.client)]) == .fine)
    #expect(try areNew("d") == [[false]])
  }

  /// Some need one more revision before the former winner wins.
  @Test(arguments: 1...8)
  func anUndoSendsAllAnew(number: Int) throws {
    try graft(
      "d",
      [
        #""n":1,"of":\#(number),\#(attached("b25l"))"#, #""n":2,"of":\#(number),\#(attached("dHdv"))"#,
      ])
    let before = try bytesOfF()
    #expect(try write("d", [.record: .take(.client)]) == .fine)
    #expect(try undo() == [.fine])
    #expect(try areNew("d") == [[true], [true]])
    #expect(try bytesOfF() == before)
  }

  @Test func whatTheServerDoesNotGiveStaysAsTheParentHasIt() throws {
    try graft("d", [#""n":1,\#(attached("b25l"))"#, #""n":2,\#(attached("dHdv"))"#])
    let before = try bytesOfF()
    bench.server.faults.add(Fault(.answer(status: 403), count: 99, path: "/d/f"))
    #expect(try write("d", [.record: .take(.client)]) == .fine)
    bench.server.faults.removeAll()
    #expect(try areNew("d") == [[false]])
    #expect(try bytesOfF() == [before[0]])
    #expect(try undo() == [.fine])
    #expect(try areNew("d") == [[true], [true]])
  }

  @Test func whatIsTooLongStaysAsTheParentHasIt() throws {
    try graft("d", [#""n":1"#, #""n":2"#])
    let winner = try #require(try live("d").first?.id)
    let long = [UInt8](repeating: 7, count: DocumentAppends.longestRepeated + 1)
    try attach(long, to: winner, type: "application/x", encoding: nil)
    #expect(try write("d", [.record: .take(.client)]) == .fine)
    #expect(try areNew("d") == [[false]])
    #expect(try bytesOfF().map { $0?.count } == [long.count])
  }
}
