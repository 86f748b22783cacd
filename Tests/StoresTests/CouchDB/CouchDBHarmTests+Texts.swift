import CouchDBServers
import ExactJSON
import Merging
import RevisionTrees
import Testing

@testable import CouchDBStores
@testable import StoreInterface

/// Texts that are attached. A server tells them by the digest of what it stores, which is packed, so that of one length they were all taken
/// for one.
extension CouchDBHarmTests {
  private func text(_ base64: String) -> String { attached(base64, type: "text/plain") }

  private var six: String { #""n":1,\#(text("c2l4"))"# }

  /// In nothing but the text do they differ.
  private func graftTexts() throws {
    try graft("d", [#""n":1,\#(text("b25l"))"#, #""n":1,\#(text("dHdv"))"#])
  }

  private func writeServersText() throws -> CheckedWrite.Outcome {
    try write("d", [.field("_attachments/f"): .take(.server)])
  }

  private func texts() throws -> [String] {
    let server = try bench.open().server
    return try live("d").map { leaf in
      let stored = try #require(try server.bytes("f", of: "d", leaf.id))
      let bytes = try #require(stored.isPacked ? Gzip.unpackedWhole(stored.bytes) : stored.bytes)
      return String(decoding: bytes, as: UTF8.self)
    }
  }

  @Test func oneThatSomebodyElseAttachedMeanwhileIsNotTheDraft() throws {
    try graftTexts()
    let (database, six) = (bench.database, six)
    whileHeld("_bulk_docs") { _ = try? database.edit(#"{"_id":"d","_rev":"1-bbbbbbbbb",\#(six)}"#) }
    #expect(try writeServersText() == .moved("it was changed while it was written"))
    #expect(try Set(texts()) == ["six", "two"])
  }

  @Test func oneThatSomebodyElseAttachedSinceIsNotWhatTheUndoBroughtBack() throws {
    try graftTexts()
    #expect(try writeServersText() == .fine)
    let draft = try #require(try live("d").first?.id)
    try bench.database.edit(#"{"_id":"d","_rev":"\#(draft)",\#(six)}"#)
    #expect(try undo() == [.moved("it went on since it was written")])
    #expect(try texts() == ["six"])
  }

  /// Its answer is lost, so it is looked for: the server packs it by itself, and tells it otherwise than the leaf that had it.
  @Test func oneThatWasPackedOtherwiseIsFoundByItsBytes() throws {
    try graft("d", [#""n":1"#, #""n":1"#])
    for (revision, words) in zip(try live("d").map(\.id), ["one one one one", "two two two two"]) {
      var packed = Gzip.packed(Array(words.utf8))
      packed[4] = 1  // The time at which it was packed.
      try attach(packed, to: revision, type: "text/plain", encoding: "gzip")
    }
    let before = try texts()
    bench.server.faults.add(Fault(.cutAnswer(afterBytes: 0), path: "_bulk_docs"))
    _ = try? writeServersText()
    try bench.open().finishInterruptedWrites()
    #expect(try texts() == [before[1]])
    #expect(try undo() == [.fine])
    #expect(try texts() == before)
  }

  /// Nothing is to be decided about it, and each leaf's has to be read by what is told of that leaf's own.
  @Test func oneThatTwoLeavesHaveUnderTwoDigestsComesBack() throws {
    try graft("d", [#""n":1,\#(text("b25l"))"#])
    try bench.sendPacked("one", as: "f", of: #""_id":"d","_rev":"1-aa","n":2"#, to: "d?new_edits=false")
    let digests = try live("d").map { $0.attachments["f"]?["digest"] }
    #expect(digests.count == 2 && digests[0] != digests[1])
    let store = try bench.open()
    let planned = try #require(try plan("d", in: store, [.field("n"): .take(.server)]))
    let written = try store.write([planned], note: nil)
    #expect(written.map(\.outcome) == [.fine] && written[0].note == nil, "\(written)")
    #expect(try undo() == [.fine])
    #expect(try texts() == ["one", "one"])
  }

  /// Nobody can tell then whether what is there is the draft: to call it another's would be no more true than to call it ours.
  @Test func oneThatTheServerDoesNotGiveIsNotKnown() throws {
    try graftTexts()
    let (bench, six) = (bench, six)
    whileHeld("_bulk_docs") {
      _ = try? bench.database.edit(#"{"_id":"d","_rev":"1-bbbbbbbbb",\#(six)}"#)
      bench.server.faults.add(Fault(.answer(status: 403), count: 99, path: "/d/f"))
    }
    let words = "what was made of 1-bbbbbbbbb cannot be read any more, or now"
    #expect(try writeServersText() == .notKnown(words))
    bench.server.faults.removeAll()
    #expect(try Set(texts()) == ["six", "two"])
  }

  /// It is usual where a proxy filters pages. The server unpacks then, and the digest is that of the packed bytes.
  @Test func oneThatComesUnpackedIsTakenAsTheDocumentHasIt() throws {
    try graftTexts()
    let before = try texts()
    bench.server.faults.lose(header: "accept-encoding")
    #expect(try writeServersText() == .fine)
    try bench.database.compact()
    #expect(try undo() == [.fine])
    bench.server.faults.removeAll()
    #expect(try texts() == before)
  }

  /// To do it again would be no way out.
  @Test func oneThatIsChangedOnTheWayIsRefusedForThat() throws {
    try graft("d", [#""n":1,\#(text("b25l"))"#, #""n":1,\#(text("dHdvdHdv"))"#])
    bench.server.faults.add(Fault(.answer(status: 200, body: Array("six".utf8)), count: 99, path: "/d/f"))
    let words =
      "its bytes come otherwise than the server tells them: something on the way changes them; reach the server without it"
    #expect(try writeServersText() == .refused(field: "_attachments/f", words))
  }
}
