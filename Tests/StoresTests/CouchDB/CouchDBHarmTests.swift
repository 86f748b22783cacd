import CouchDBServers
import ExactJSON
import Foundation
import GRDB
import Merging
import RevisionTrees
import SQLiteFiles
import Testing

@testable import CouchDBStores
@testable import Journals
@testable import StoreInterface

/// What was once lost, or told untruly, when a server, a proxy or somebody else did what is not expected.
@Suite struct CouchDBHarmTests {
  let bench: CouchDBBench

  init() throws { bench = try CouchDBBench() }

  func graft(_ id: String, _ leaves: [String], ancestor: String? = nil) throws {
    let id = JSONValue.string(id).text
    let line = ancestor == nil ? "" : #","_revisions":{"start":2,"ids":["#
    try bench.database.graft(
      (ancestor.map { [#"{"_id":\#(id),"_rev":"1-aa",\#($0)}"#] } ?? [])
        + leaves.enumerated().map { index, members in
          let suffix = String(repeating: "b", count: 9 - index)
          return ancestor == nil
            ? #"{"_id":\#(id),"_rev":"1-\#(suffix)",\#(members)}"#
            : #"{"_id":\#(id),"_rev":"2-\#(suffix)"\#(line)"\#(suffix)","aa"]},\#(members)}"#
        })
  }

  func attached(_ base64: String, type: String = "application/x") -> String {
    #""_attachments":{"f":{"content_type":"\#(type)","data":"\#(base64)"}}"#
  }

  func write(_ id: String, _ choices: [Subject: Choice] = [:]) throws -> CheckedWrite.Outcome {
    let store = try bench.open()
    return try store.write([try #require(try plan(id, in: store, choices))], note: nil)[0].outcome
  }

  func undo() throws -> [CheckedWrite.Outcome] { try bench.open().undoLastWrite().map(\.outcome) }

  func live(_ id: String) throws -> [ServerRevision] {
    try bench.open().documents([id]).first?.live ?? []
  }

  func contents(_ id: String) throws -> [String] {
    try live(id).map { JSONValue.object($0.members).text }
  }
}

/// Attachments.
extension CouchDBHarmTests {
  static let damages: [Fault.Effect] = [
    .cutAnswer(afterBytes: 60), .wrongLength(-4),
    .answer(status: 200, headers: [(name: "Content-Type", value: "text/html")], body: Array("<html>".utf8)),
    .answer(status: 404, body: Array(#"{"error":"not_found","reason":"missing"}"#.utf8)),
  ]

  @Test(arguments: damages.indices)
  func bytesThatDoNotComeAsTheyAreToldReplaceNothing(index: Int) throws {
    try graft(
      "d", [#""n":1,\#(attached("b25l"))"#, #""n":1,\#(attached("dHdvdHdv"))"#],
      ancestor: #""n":1,\#(attached("b25l"))"#)
    bench.server.faults.add(Fault(Self.damages[index], count: 9, path: "/d/f"))
    let outcome = Result { try write("d") }
    if case .success(.fine) = outcome { Issue.record("it was written") }
    bench.server.faults.removeAll()
    #expect(try live("d").count == 2)
    #expect(try write("d") == .fine)
  }

  @Test func whatWasCompactedSinceComesBackFromTheJournal() throws {
    try graft("d", [#""n":1,\#(attached("b25l"))"#, #""n":2,\#(attached("dHdv"))"#])
    #expect(try write("d", [.record: .take(.client)]) == .fine)
    try bench.database.compact()
    #expect(try undo() == [.fine])
    let server = try bench.open().server
    #expect(
      try Set(live("d").map { try server.bytes("f", of: "d", $0.id)?.bytes }) == [
        Array("one".utf8), Array("two".utf8),
      ])
  }

  @Test func theyAreShownAsTheyWereAttachedAndOthersNever() throws {
    try graft("d", [#""n":1,\#(attached("b25l"))"#, #""n":2,\#(attached("dHdv"))"#])
    let store = try bench.open()
    let field = try #require(try store.conflict("d")["_attachments/f"])
    let content = { (version: FieldVersion?) in
      try version.flatMap { try store.content(of: field.name, $0.value, in: "d") }
    }
    #expect(try content(field.client) == Array("one".utf8))
    #expect(try content(field.server) == Array("two".utf8))
    #expect(throws: StoreError.noSuchRecord(id: "e")) { try store.content(of: field.name, .null, in: "e") }
    bench.server.faults.add(Fault(.answer(status: 200, body: Array("six".utf8)), count: 9, path: "/d/f"))
    #expect(throws: Refusal.self) { try content(field.client) }
  }

  @Test func ofADesignDocumentTheyAreSentToo() throws {
    try graft(
      "_design/app", [#""n":1,\#(attached("b25l"))"#, #""n":1,\#(attached("dHdv"))"#],
      ancestor: #""n":1,\#(attached("b25l"))"#)
    #expect(try write("_design/app") == .fine)
  }

  /// A 409, as somebody else has changed nothing but the bytes of an attachment.
  @Test func whatSomebodyElseAttachedIsNotTakenForOurs() throws {
    try graft("d", [#""n":1,\#(attached("b25l"))"#, #""n":2,\#(attached("b25l"))"#])
    let database = bench.database
    let other = #"{"_id":"d","_rev":"1-bbbbbbbbb","n":1,\#(attached("eHh4"))}"#
    whileHeld("_bulk_docs") { _ = try? database.edit(other) }
    #expect(try write("d", [.record: .take(.client)]) == .moved("it was changed while it was written"))
    #expect(try live("d").count == 2)
  }

  /// Does something while a request waits.
  func whileHeld(_ path: String, _ body: @escaping @Sendable () -> Void) {
    let gate = Gate()
    bench.server.faults.add(Fault(.wait(gate), path: path))
    Thread.detachNewThread {
      gate.waitUntilReached()
      body()
      gate.open()
    }
  }

  @Test func aWholeNumberNextToOursIsNotOurs() throws {
    try graft("d", [#""n":9007199254740993"#, #""n":5"#])
    let database = bench.database
    whileHeld("_bulk_docs") {
      _ = try? database.edit(#"{"_id":"d","_rev":"1-bbbbbbbbb","n":9007199254740992}"#)
    }
    #expect(try write("d", [.record: .take(.client)]) == .moved("it was changed while it was written"))
  }

  /// It keeps one revision of each line: what is there may have been made of ours.
  @Test func whatWasMadeOfWhatTheServerHasForgottenIsNotKnown() throws {
    try graft("d", [#""n":1"#, #""n":2"#])
    try bench.database.setRevisionsLimit(1)
    let database = bench.database
    whileHeld("_bulk_docs") { _ = try? database.edit(#"{"_id":"d","_rev":"1-bbbbbbbbb","n":7}"#) }
    let words = "the server does not know 1-bbbbbbbbb any more, and so not what was made of it"
    #expect(try write("d", [.record: .take(.client)]) == .notKnown(words))
    #expect(try bench.open().interruptedWrites().flatMap(\.records).map(\.state) == [.notKnown])
  }
}

/// Answers.
extension CouchDBHarmTests {
  @Test(arguments: ["[{}]", "[null]", #"[{"ok":false}]"#, "[]", #"[{"ok":true,"id":"other","rev":"2-a"}]"#])
  func aRowThatSaysNothingIsNoYes(rows: String) throws {
    try graft("d", [#""n":1"#, #""n":2"#])
    bench.server.faults.add(Fault(.answer(status: 201, body: Array(rows.utf8)), path: "_bulk_docs"))
    let outcome = Result { try write("d") }
    if case .success(.fine) = outcome { Issue.record("it was written") }
    #expect(try live("d").count == 2)
  }

  @Test func aLeafThatTheServerDoesNotTellIsALeaf() throws {
    try graft("d", [#""n":1"#, #""n":2"#])
    let store = try bench.open()
    let told = #"""
      {"results":[{"id":"d","docs":[{"ok":{"_id":"d","_rev":"1-bbbbbbbbb","n":1,"_revisions":{"start":1,"ids":["bbbbbbbbb"]}}},
      {"error":{"id":"d","rev":"1-bbbbbbbb","error":"timeout","reason":"timeout"}}]}]}
      """#
    bench.server.faults.add(Fault(.answer(status: 200, body: Array(told.utf8)), path: "_bulk_get"))
    let conflict = try store.conflict("d")
    #expect(conflict.liveLeaves.count == 2)
    #expect(conflict.details.notWritable != nil)
    bench.server.faults.add(
      Fault(.answer(status: 200, body: Array(#"{"results":[]}"#.utf8)), count: 9, path: "_bulk_get"))
    #expect(throws: StoreError.self) { try store.conflict("d") }
  }

  @Test func anErrorAtTheEndOfTheFeedIsTold() throws {
    let feed = "{\"results\":[\n{\"error\":\"timeout\",\"reason\":\"The request could not be processed\"}\n"
    bench.server.faults.add(Fault(.answer(status: 200, body: Array(feed.utf8)), path: "_changes"))
    #expect(
      throws: StoreError.server(path: bench.url, .refused(status: 200, "The request could not be processed"))
    ) {
      try summaries(of: try bench.open(.reading))
    }
  }

  @Test func namesThatDifferInTheirNormalFormAloneAreTwo() throws {
    for id in ["\u{e9}", "e\u{301}"] { try graft(id, [#""n":1"#, #""n":2"#]) }
    #expect(try summaries(of: try bench.open(.reading)).count == 2)
    #expect(try write("\u{e9}") == .fine)
    #expect(try summaries(of: try bench.open(.reading)).map { Array($0.id.utf8) } == [Array("e\u{301}".utf8)])
  }

  /// To a String both are one name.
  @Test func aKeyInTwoNormalFormsIsRenamedByNobody() throws {
    try graft("d", ["\"n\":1,\"e\u{301}\":1", "\"n\":2,\"\u{e9}\":1"])
    let reason = "its leaves spell a name in two Unicode normal forms, of which a write would keep one"
    let store = try bench.open()
    let conflict = try store.conflict("d")
    #expect(conflict.details.notWritable == reason)
    #expect(conflict.fields.map { Array($0.name.utf8) } == [Array("e\u{301}".utf8), Array("n".utf8)])
    let draft = PlannedWrite(seen: conflict, draft: Draft(id: "d", action: .save([])))
    #expect(try store.write([draft], note: nil).map(\.outcome) == [.refused(field: nil, reason)])
    #expect(try live("d").count == 2)
  }
}

/// Undo.
extension CouchDBHarmTests {
  @Test(arguments: [2, 3, 5])
  func aDeletionIsTakenBack(leaves: Int) throws {
    try graft("d", (1...leaves).map { #""n":\#($0)"# })
    let before = try contents("d")
    let store = try bench.open()
    let conflict = try store.conflict("d")
    let draft = PlannedWrite(seen: conflict, draft: Draft(id: "d", action: .delete))
    #expect(try store.write([draft], note: nil).map(\.outcome) == [.fine])
    #expect(try live("d").isEmpty)
    #expect(try undo() == [.fine])
    let after = try contents("d")
    #expect(after.first == before.first && Set(after) == Set(before))
  }

  @Test func oneThatWasRefusedInPartIsDoneByTheNext() throws {
    try graft("d", (1...4).map { #""n":\#($0)"# })
    let before = try contents("d")
    #expect(try write("d") == .fine)
    try bench.database.setValidation { write throws(ValidationRefusal) in
      if write.document.text.contains(#""n":3"#) { throw .forbidden("three is taken") }
    }
    guard case .partly = try undo()[0] else {
      Issue.record("it is refused in part")
      return
    }
    try bench.database.setValidation(nil)
    #expect(try undo() == [.fine])
    let after = try contents("d")
    #expect(after.first == before.first && Set(after) == Set(before) && after.count == 4)
  }

  @Test(arguments: [false, true])
  func aLeafThatSomebodyWentOnFromIsLeftToThem(isAgain: Bool) throws {
    try graft("d", [#""n":1"#, #""n":2"#, #""n":3"#])
    let database = bench.database
    let gate = Gate()
    bench.server.faults.add(Fault(.wait(gate), passing: 1, path: "_bulk_docs"))
    Thread.detachNewThread {
      gate.waitUntilReached()
      _ = try? database.edit(#"{"_id":"d","_rev":"1-bbbbbbbb","n":22}"#)
      gate.open()
    }
    guard case .partly = try write("d") else {
      Issue.record("it is written in part")
      return
    }
    let theirs = try #require(try live("d").first { $0.members["n"]?.integer == 22 })
    if isAgain { try database.edit(#"{"_id":"d","_rev":"\#(theirs.id)","n":22,"of":2}"#) }
    #expect(try undo() == [.fine])
    let left = isAgain ? #"{"n":22,"of":2}"# : #"{"n":22}"#
    #expect(try Set(contents("d")) == [#"{"n":1}"#, left, #"{"n":3}"#])
  }
}

/// Several Parleys, and what is left behind.
extension CouchDBHarmTests {
  @Test func whatAnotherParleyIsWritingIsNotInterrupted() throws {
    try graft("d", [#""n":1"#, #""n":2"#])
    let other = try bench.open()
    let gate = Gate()
    bench.server.faults.add(Fault(.wait(gate), path: "_bulk_docs"))
    let bench = bench
    let ended = DispatchSemaphore(value: 0)
    Thread.detachNewThread {
      _ = try? bench.open().write([plan("d", in: bench.open())].compactMap(\.self), note: nil)
      ended.signal()
    }
    gate.waitUntilReached()
    #expect(try other.interruptedWrites().isEmpty)
    LockProbe.$patience.withValue(.zero) {
      #expect(throws: WriterLock.heldError(bench.url)) { try other.undoLastWrite() }
    }
    gate.open()
    ended.wait()
    #expect(try undo() == [.fine])
  }

  @Test func whereTheBodyOfAnEditIsGoneNobodyKnowsWhoseItWas() throws {
    try graft("d", [#""n":1"#, #""n":2"#])
    #expect(try write("d") == .fine)
    let journal = try DatabaseQueue(path: bench.open().log.path)
    try journal.write { try $0.execute(sql: "DELETE FROM receipts") }
    try journal.close()
    let winner = try #require(try live("d").first)
    try bench.database.edit(#"{"_id":"d","_rev":"\#(winner.id)","n":7}"#)
    try bench.database.compact()
    let store = try bench.open()
    #expect(try store.interruptedWrites().flatMap(\.records).map(\.state) == [.notKnown])
    #expect(try store.finishInterruptedWrites().flatMap(\.records).map(\.outcome) == [.left])
  }
}

extension JSON {
  fileprivate var text: String { String(decoding: bytes(), as: UTF8.self) }
}

/// What a second round of attacks found.
extension CouchDBHarmTests {
  /// A revision without a parent goes where the server wants: on the deletion that wins, be it ours or not.
  @Test func aDeletionIsTakenBackWhereAnOlderOneWins() throws {
    try graft("d", [#""n":1"#, #""n":2"#, #""n":3"#])
    try bench.database.graft(
      #"{"_id":"d","_rev":"9-zz","_revisions":{"start":9,"ids":["zz","yy"]},"_deleted":true}"#)
    let before = try contents("d")
    let store = try bench.open()
    let draft = PlannedWrite(seen: try store.conflict("d"), draft: Draft(id: "d", action: .delete))
    #expect(try store.write([draft], note: nil).map(\.outcome) == [.fine])
    #expect(try undo() == [.fine])
    #expect(try Set(contents("d")) == Set(before))
    #expect(try contents("d").first == before.first)
  }

  /// The first row of a request refused, the others accepted: a part is written, and can be taken back.
  @Test func whatIsAcceptedBesideARefusalIsAPart() throws {
    try bench.database.graft(
      #"{"_id":"d","_rev":"9-a","_revisions":{"start":9,"ids":["a","x"]},"n":9}"#,
      #"{"_id":"d","_rev":"3-b","n":3}"#, #"{"_id":"d","_rev":"2-c","n":2}"#)
    try bench.database.setValidation { write throws(ValidationRefusal) in
      if write.previous?.text.contains(#""n":3"#) == true { throw .forbidden("three stays") }
    }
    let store = try bench.open()
    let finding = try #require(try findings(of: store).first { $0.id == "spurious:d" })
    guard case .partly = try store.mend([finding.id], note: nil)[0].outcome else {
      Issue.record("one of the two is deleted")
      return
    }
    #expect(try contents("d").count == 2)
    try bench.database.setValidation(nil)
    #expect(try undo() == [.fine])
    #expect(try Set(contents("d")) == [#"{"n":9}"#, #"{"n":3}"#, #"{"n":2}"#])
  }

  @Test(arguments: [Choice.take(.server), .take(.client)])
  func attachmentsOfAnyLeafComeBackAfterACompaction(choice: Choice) throws {
    try graft(
      "d",
      [
        #""n":1,\#(attached("b25l", type: "TEXT/plain"))"#,
        #""n":2,\#(attached("b25l", type: "application/x"))"#,
      ])
    let before = try live("d").map(\.attachments)
    #expect(try write("d", [.record: choice]) == .fine)
    try bench.database.compact()
    #expect(try undo() == [.fine])
    let types = { (told: [[JSONText: JSONValue]]) in told.map { $0["f"]?["content_type"] } }
    #expect(try types(live("d").map(\.attachments)) == types(before))
  }

  @Test func anErrorOfTheServersOwnIsLookedAt() throws {
    try graft("d", [#""n":1"#, #""n":2"#])
    let rows = #"[{"id":"d","error":"internal_server_error","reason":"timeout"}]"#
    bench.server.faults.add(Fault(.answer(status: 201, body: Array(rows.utf8)), path: "_bulk_docs"))
    #expect(
      try write("d") == .notKnown("the server failed at it: internal_server_error: timeout"),
      "it may go on with it")
    #expect(try live("d").count == 2)
    #expect(try bench.open().interruptedWrites().flatMap(\.records).map(\.state) == [.awaited])
  }

  /// Somebody resolves it while the known ones are read, and it is in conflict anew before the feed is.
  @Test func whatComesBackIntoConflictIsNotForgotten() throws {
    try graft("d", [#""n":1"#, #""n":2"#])
    #expect(try summaries(of: try bench.open(.reading)).count == 1)
    try bench.database.edit(#"{"_id":"d","_rev":"1-bbbbbbbb","_deleted":true}"#)
    let database = bench.database
    let gate = Gate()
    bench.server.faults.add(Fault(.wait(gate), path: "_changes"))
    Thread.detachNewThread {
      gate.waitUntilReached()
      try? database.graft(#"{"_id":"d","_rev":"1-cc","n":3}"#)
      gate.open()
    }
    #expect(try summaries(of: try bench.open(.reading)).map(\.id) == ["d"])
    #expect(try summaries(of: try bench.open(.reading)).map(\.id) == ["d"])
  }

  /// As a node of a cluster that is a moment behind.
  @Test func aDocumentThatIsToldShorterThanByTheFeedIsAskedForAgain() throws {
    try graft("d", [#""n":1"#, #""n":2"#])
    let told = #"{"results":[{"id":"d","docs":[{"ok":{"_id":"d","_rev":"1-bbbbbbbbb","n":1}}]}]}"#
    bench.server.faults.add(Fault(.answer(status: 200, body: Array(told.utf8)), path: "_bulk_get"))
    #expect(try summaries(of: try bench.open(.reading)).isEmpty)
    #expect(try summaries(of: try bench.open(.reading)).map(\.id) == ["d"])
  }

  /// Killed between its stages, an undo goes on at the next start, and the former winner wins.
  @Test(arguments: 1...8)
  func anUndoThatWasInterruptedEndsWithTheFormerWinner(number: Int) throws {
    try graft(
      "d\(number)", [#""n":1,"of":\#(number)"#, #""n":2,"of":\#(number)"#, #""n":3,"of":\#(number)"#])
    let before = try contents("d\(number)")
    #expect(try write("d\(number)") == .fine)
    bench.server.faults.add(
      Fault(.answer(status: 503, body: Array("{}".utf8)), passing: 1, count: 9, path: "_bulk_docs"))
    _ = try? undo()
    bench.server.faults.removeAll()
    let next = try bench.open()
    try next.finishInterruptedWrites()
    _ = try? next.undoLastWrite()
    let after = try contents("d\(number)")
    #expect(after.first == before.first && Set(after) == Set(before) && after.count == 3)
  }

  @Test func whatTheJournalKeepsIsReadBackAsItWas() throws {
    var append = DocumentAppends.Append(
      parent: "1-a", isDeleted: false, members: ["n": .literal("1.10")],
      attachments: ["f": .init(told: .object(["length": .literal("3")]), source: "1-b", sha256: [1, 2])])
    append.isFirstLife = true
    let leaf = DocumentAppends.Leaf(
      id: "1-b", members: ["n": .literal("2")], attachments: ["f": .null], kept: ["f": [1, 2]])
    let appends = DocumentAppends(
      document: "d", before: [leaf], stages: [[append], [.tombstone("1-c")]], winning: "1-z", ends: ["2-a"])
    #expect(try DocumentAppends(parsing: appends.payload().bytes) == appends)
  }
}

/// Addresses that were mistyped.
extension CouchDBHarmTests {
  @Test(arguments: ["http://u:12#PW@h/db", "http://u:12?PW@h/db", "http://u:12/PW@h/db"])
  func anAddressThatWouldBeCutInTwoIsNone(text: String) { #expect(ServerAddress(text) == nil) }
}

/// What a third round found.
extension CouchDBHarmTests {
  /// The winner was brought back on an older deletion; its own is a leaf still, and must not bring it back once more.
  @Test func whatAnOlderDeletionWasMadeToBearIsNotBroughtBackTwice() throws {
    try graft("d", [#""n":1"#, #""n":2"#])
    try bench.database.graft(
      #"{"_id":"d","_rev":"9-zz","_revisions":{"start":9,"ids":["zz","yy"]},"_deleted":true}"#)
    let before = try contents("d")
    let store = try bench.open()
    let draft = PlannedWrite(seen: try store.conflict("d"), draft: Draft(id: "d", action: .delete))
    #expect(try store.write([draft], note: nil).map(\.outcome) == [.fine])
    try bench.database.setValidation { write throws(ValidationRefusal) in
      if write.document.text.contains(#""n":2"#) { throw .forbidden("not two") }
    }
    _ = try undo()
    try bench.database.setValidation(nil)
    #expect(try undo() == [.fine])
    #expect(try contents("d") == before)
  }
}

/// Numbers that no server should send.
extension CouchDBHarmTests {
  @Test func aLengthThatIsALieTakesNoMemory() {
    let packed = Gzip.packed(Array("note".utf8))
    #expect(Gzip.unpacked(packed, atMost: .max) == Array("note".utf8))
    #expect(Gzip.unpacked(packed, atMost: 3) == nil)
    #expect(Gzip.unpacked(packed, atMost: -1) == nil)
    #expect(Gzip.unpacked(Array(packed.dropLast()), atMost: 4) == nil)
  }

  @Test func aGenerationThatIsNoneIsRead() throws {
    let text = #"{"_rev":"1-b","_revisions":{"start":-9223372036854775808,"ids":["b","a"]}}"#
    #expect(ServerRevision(try JSONValue(parsing: text))?.history.count == 2)
  }

  @Test func attachmentsWithoutALengthAreNotKeptAndHarmNothing() throws {
    let told = JSONValue.object(["stub": .literal("true")])
    let leaf = DocumentAppends.Leaf(id: "1-b", members: [:], attachments: ["f": told, "g": told])
    let appends = DocumentAppends(document: "d", before: [leaf], stages: [[.tombstone("1-b")]], winning: nil)
    var whole = try appends.withBytes(bench.open().server, of: nil)
    #expect(whole.notKept.count == 2)
    whole.notKept = []
    #expect(whole == appends)
  }
}
