import CouchDBServers
import ExactJSON
import Merging
import RevisionTrees
import Telling
import Testing

@testable import CouchDBStores
@testable import StoreInterface

/// One document that cannot be read keeps no other from being listed and written.
@Suite struct UnreadDocumentTests {
  let bench: CouchDBBench

  init() throws { bench = try CouchDBBench() }

  private func graft(_ id: String, leaves: Int = 2) throws {
    try bench.database.graft((1...leaves).map { #"{"_id":"\#(id)","_rev":"1-\#($0)","n":\#($0)}"# })
  }

  /// - Parameter levels: of one leaf; the other two are flat.
  private func graftDeep(_ levels: Int) throws {
    let deep = String(repeating: "[", count: levels) + String(repeating: "]", count: levels)
    try bench.database.graft(
      #"{"_id":"deep","_rev":"1-a","v":\#(deep)}"#, #"{"_id":"deep","_rev":"1-b","v":2}"#,
      #"{"_id":"deep","_rev":"1-c","_deleted":true}"#)
  }

  private func write(_ id: String, in store: CouchDBStore) throws -> [CheckedWrite.Outcome] {
    try store.write([plan(id, in: store)].compactMap(\.self), note: nil).map(\.outcome)
  }

  @Test func aLeafNestedTooDeeplyIsOfThatDocumentAlone() throws {
    for number in 1...5 { try graft("d\(number)") }
    try graftDeep(300)
    let store = try bench.open()
    #expect(try summaries(of: store).map(\.id).sorted() == ["d1", "d2", "d3", "d4", "d5", "deep"])
    let deep = try store.conflict("deep")
    #expect(deep.liveLeaves.count == 2 && deep.details.leaves.count == 3)
    #expect(deep.details.notWritable == "a live leaf of it cannot be read, and would be deleted unseen")
    #expect(deep.details.notes.isEmpty, "nobody knows what it descends from")
    let words = deep.liveLeaves.map(\.version).compactMap { version in
      if case .unknown(let reason) = version { reason } else { nil }
    }
    #expect(words == ["it cannot be read: nested deeper than 200 levels"])
    #expect(try write("d3", in: store) == [.fine])
    #expect(throws: StoreError.self) { try store.server.get(["deep"], ["rev": "1-a"]) }
  }

  @Test func itIsFoundByTheDoctorAndNotMended() throws {
    try graftDeep(300)
    let store = try bench.open()
    let found = try findings(of: store)
    #expect(found.map(\.id) == ["unreadable:deep"])
    #expect(found.map(\.canBeMended) == [nil])
    #expect("\(found[0].evidence)" == "A leaf of it: nested deeper than 200 levels.")
  }

  /// What a server says of it may quote what it could not read.
  @Test func theServersOwnReasonIsInNoReport() throws {
    try graft("d")
    let store = try bench.open()
    let told = #"""
      {"results":[{"id":"d","docs":[{"ok":{"_id":"d","_rev":"1-2","n":1}},
      {"error":{"id":"d","rev":"1-1","error":"badarg","reason":"cannot decode zebra of anna@example.com"}}]}]}
      """#
    bench.server.faults.add(Fault(.answer(status: 200, body: Array(told.utf8)), path: "_bulk_get"))
    let document = try #require(try store.server.documents(["d"]).first)
    let conflict = try #require(document.conflict(MergeRules()))
    let finding = try #require(document.findings.first)
    let reasons = conflict.liveLeaves.map(\.version).compactMap { version in
      if case .unknown(let reason) = version { reason } else { nil }
    }
    #expect(reasons == ["it cannot be read: badarg: “cannot decode zebra of anna@example.com”"])
    for privacy in [Privacy.hidden, .redacted(by: RedactionKey())] {
      let words = privacy.told(reasons[0], of: conflict)
      let evidence = "\(privacy.told(finding, in: store.info).evidence)"
      let cover = "badarg: “\(privacy.shown("cannot decode zebra of anna@example.com"))”"
      #expect(words == "it cannot be read: " + cover && evidence == "A leaf of it: \(cover).")
    }
  }

  @Test func anAncestorNestedTooDeeplyIsNotKnown() throws {
    let deep = String(repeating: "[", count: 300) + String(repeating: "]", count: 300)
    try graft("d")
    try bench.database.graft(
      #"{"_id":"deep","_rev":"1-a","v":\#(deep)}"#,
      #"{"_id":"deep","_rev":"2-b","_revisions":{"start":2,"ids":["b","a"]},"v":1}"#,
      #"{"_id":"deep","_rev":"2-c","_revisions":{"start":2,"ids":["c","a"]},"v":2}"#)
    let store = try bench.open()
    #expect(try summaries(of: store).map(\.id).sorted() == ["d", "deep"])
    let conflict = try store.conflict("deep")
    #expect(conflict.details.notWritable == nil)
    let planned = try #require(try plan("deep", in: store, [.record: .take(.client)]))
    #expect(try store.write([planned], note: nil).map(\.outcome) == [.fine])
  }

  /// To whom five seconds are over whenever anybody looks at the clock, as long as the server owes the answer to one of these questions for
  /// documents.
  private func patient(silentOf numbers: Set<Int> = []) throws -> CouchDBStore {
    let (faults, clock) = (bench.server.faults, LookedAtClock())
    var patience = CouchDBServer.Patience()
    patience.long = 90
    patience.now = {
      let asked = faults.requests.map { $0.path.hasSuffix("_bulk_get") }
      let isSilent = asked.last == true && numbers.contains(asked.count(where: \.self))
      return clock.look(passing: isSilent ? 5 : 0)
    }
    return try bench.open(patience: patience)
  }

  /// As a server that takes minutes to find five thousand leaves.
  @Test func oneOfManyLeavesIsAskedForAloneAndToldWhereItIsNotAnswered() throws {
    try graft("many", leaves: 60)
    try graft("two")
    let silence = Fault.Effect.neverAnswer(isCarriedOut: false)
    bench.server.faults.add(Fault(silence, path: "_bulk_get"))
    // The other one comes between.
    bench.server.faults.add(Fault(silence, passing: 1, path: "_bulk_get"))
    let walk = try patient(silentOf: [1, 3]).conflicts()
    var found: [RecordConflict] = []
    while let page = try walk.next(limit: 7) { found += page.conflicts ?? [] }
    #expect(found.map(\.id).sorted() == ["many", "two"])
    #expect(found.map(\.liveLeaves.count).sorted() == [2, 60])
    #expect(
      found.compactMap(\.details.notWritable) == [
        "a live leaf of it cannot be read, and would be deleted unseen"
      ])
    #expect(try summaries(of: patient()).count == 2, "and the next time it is answered")
  }

  private static let deep = String(repeating: "[", count: 300) + String(repeating: "]", count: 300)

  /// Else it would be in conflict for good, and nothing could resolve it.
  @Test(arguments: [true, false]) func aDeletedOneThatCannotBeReadIsNoLiveLeaf(isSettled: Bool) throws {
    try bench.database.graft(
      #"{"_id":"d","_rev":"1-a","_deleted":true,"v":\#(Self.deep)}"#, #"{"_id":"d","_rev":"1-b","n":1}"#)
    if !isSettled { try bench.database.graft(#"{"_id":"d","_rev":"1-c","n":2}"#) }
    let store = try bench.open()
    #expect(try summaries(of: store).map(\.id) == (isSettled ? [] : ["d"]))
    #expect(try findings(of: store).isEmpty)
    let document = try #require(try store.documents(["d"]).first)
    #expect(document.live.map(\.id) == (isSettled ? ["1-b"] : ["1-c", "1-b"]))
    if isSettled { return }
    #expect(try store.conflict("d").details.notWritable == nil)
    #expect(try write("d", in: store) == [.fine])
    #expect(try summaries(of: store).isEmpty)
  }

  /// The winner would tell it, and is what cannot be read.
  @Test func whereNobodyTellsWhetherItIsDeletedThatIsSaid() throws {
    try bench.database.graft(
      #"{"_id":"d","_rev":"1-a","_deleted":true,"v":\#(Self.deep)}"#,
      #"{"_id":"d","_rev":"1-b","v":\#(Self.deep)}"#)
    let words = "A leaf of it: nested deeper than 200 levels; nobody tells whether it is live or deleted."
    #expect(try findings(of: bench.open()).map { "\($0.evidence)" } == [words])
  }

  /// What lost lies two levels deeper in its deletion than in its leaf.
  @Test(arguments: [192, 193, 194]) func aSignedDeletionIsNotDeeperThanWhatIsRead(levels: Int) throws {
    let deep = String(repeating: "[", count: levels) + String(repeating: "]", count: levels)
    try bench.database.graft(
      #"{"_id":"d","_rev":"1-b","n":1}"#, #"{"_id":"d","_rev":"1-a","v":\#(deep)}"#)
    let server = try bench.open().server
    let document = try #require(try server.documents(["d"]).first)
    let fields = [FieldDraft(name: "n", value: .integer(1), source: .edited)]
    let draft = Draft(id: "d", action: .save(fields))
    let appends = try DocumentAppends(draft, on: document, signedBy: "mia")
    #expect(try AppendRound.carryOut([appends], server).isEmpty)
    let written = try #require(try server.documents(["d"]).first)
    #expect(written.live.count == 1 && written.unreadLeaf == nil)
    let told = try #require(written.revisions.values.first { $0.isDeleted }?.members["parley"])
    #expect(told["resolvedBy"] == .string("mia"))
    #expect((told["lost"] != nil) == (levels == 192))
  }

  /// It was not purged: nobody sees what is there.
  @Test func anUndoBesideALeafThatCannotBeReadIsRefusedForThat() throws {
    try graft("d")
    let store = try bench.open()
    #expect(try write("d", in: store) == [.fine])
    let leaves = try #require(try store.documents(["d"]).first).revisions.values
    let deletion = try #require(leaves.first { $0.isDeleted }).id
    try bench.database.graft(
      #"{"_id":"d","_rev":"3-z","_revisions":{"start":3,"ids":["z","\#(deletion.dropFirst(2))","1"]},"v":\#(Self.deep)}"#
    )
    guard case .refused(nil, let why)? = try store.undoLastWrite().first?.outcome else {
      Issue.record("nobody knows what is there")
      return
    }
    #expect(why.hasPrefix("one of its leaves cannot be read: nested deeper than 200 levels"), "\(why)")
  }

  /// It hides nothing of what was appended, and that is seen.
  @Test func anUndoIsDoneBesideALiveLeafThatCannotBeRead() throws {
    try graft("d")
    let store = try bench.open()
    #expect(try write("d", in: store) == [.fine])
    try bench.database.graft(#"{"_id":"d","_rev":"1-z","v":\#(Self.deep)}"#)
    #expect(try store.undoLastWrite().map(\.outcome) == [.fine])
    #expect(try store.interruptedWrites().isEmpty)
  }

  static let failures: [Fault.Effect] = [
    .answer(status: 500, body: Array(#"{"error":"internal_server_error","reason":"a shard is gone"}"#.utf8)),
    .answer(
      status: 200,
      body: Array(
        #"""
        {"results":[{"id":"bad","docs":[{"error":
        {"id":"bad","rev":"undefined","error":"internal_server_error","reason":"a shard is gone"}}]}]}
        """#.utf8)),
    .cutAnswer(afterBytes: 40),
  ]

  /// As a document whose copies are damaged.
  @Test(arguments: failures.indices) func oneAtWhichTheServerFailsIsOfThatDocumentAlone(index: Int) throws {
    for id in ["a", "bad", "c"] { try graft(id) }
    bench.server.faults.add(
      Fault(Self.failures[index], count: 999) {
        $0.path.hasSuffix("_bulk_get") && String(decoding: $0.body, as: UTF8.self).contains("bad")
      })
    let store = try bench.open()
    #expect(try summaries(of: store).map(\.id).sorted() == ["a", "bad", "c"])
    let bad = try store.conflict("bad")
    #expect(bad.liveLeaves.count == 2)
    #expect(bad.details.notWritable == "a live leaf of it cannot be read, and would be deleted unseen")
    #expect(try findings(of: store).contains { $0.id == "unreadable:bad" })
    #expect(try write("c", in: store) == [.fine])
  }

  /// Its answer is lost, and then the server fails at this document alone.
  private func loseAWriteThatCannotBeRead() throws {
    try graft("bad")
    let store = try bench.open()
    let planned = try #require(try plan("bad", in: store))
    bench.server.faults.add(Fault(.cutAnswer(afterBytes: 0), path: "_bulk_docs"))
    bench.server.faults.add(
      Fault(Self.failures[0], count: 999) {
        $0.path.hasSuffix("_bulk_get") && String(decoding: $0.body, as: UTF8.self).contains("bad")
      })
    guard case .notKnown? = try store.write([planned], note: nil).first?.outcome else {
      Issue.record("nobody can know it")
      return
    }
  }

  /// Whether one of the document's leaves is ours nobody can say while none is told.
  @Test func aWriteOfWhichNothingCanBeReadAfterwardsStaysOpen() throws {
    try loseAWriteThatCannotBeRead()
    #expect(try bench.open(after: 900).finishInterruptedWrites().isEmpty)
    bench.server.faults.removeAll()
    let finished = try bench.open(after: 901).finishInterruptedWrites()
    #expect(finished.flatMap(\.records).map(\.outcome) == [.completed])
  }

  /// The server answers, and for all others.
  @Test func whatCannotBeReadIsToldSoAndNotAsWaitingForAnAnswer() throws {
    try loseAWriteThatCannotBeRead()
    let store = try bench.open(after: 900)
    let told = try #require(try store.interruptedWrites().first)
    #expect(told.records.map(\.state) == [.unread])
    #expect(told.words == "A write was interrupted: of its 1 record 1 is in a state that cannot be read now.")
    #expect(told.hindrance == "what is there cannot be read")
    let finding = try #require(try findings(of: store).first(where: \.isInterrupted))
    #expect(finding.remedy.hasPrefix("It cannot be finished now: what is there cannot be read."))
  }

  /// As what a server can never tell again: it was told by each command, and nothing ended it.
  @Test func aWriteThatCannotBeReadIsGivenUpByWhoeverHasSeenIt() throws {
    try loseAWriteThatCannotBeRead()
    let store = try bench.open(after: 900)
    let finding = try #require(try findings(of: store).first(where: \.isInterrupted))
    #expect(finding.takesSide && finding.canBeMended?.hasPrefix("It is given up: ") == true)
    let unseen = try store.mend([finding.id], note: nil).map(\.outcome)
    #expect(unseen == [.notKnown("what is there cannot be read")])
    #expect(try store.mend([finding.id], seen: [finding], note: nil).map(\.outcome) == [.fine])
    #expect(try !store.hasInterruptedWrites())
    #expect(try store.journal.entries(limit: 1).map(\.kind) == [.interrupted])
    bench.server.faults.removeAll()
    #expect(try store.undo(.records(["bad"])).map(\.outcome) == [.fine])
    #expect(try store.documents(["bad"]).first?.live.count == 2)
  }

  @Test(arguments: [403, 416, 500]) func anAttachmentThatIsNotGivenIsOfThatDocumentAlone(status: Int) throws {
    let attached = { (base64: String) in
      #""_attachments":{"f":{"content_type":"application/x","data":"\#(base64)"}}"#
    }
    try bench.database.graft(
      #"{"_id":"bad","_rev":"1-a","n":1,\#(attached("b25l"))}"#,
      #"{"_id":"bad","_rev":"2-c","_revisions":{"start":2,"ids":["c","a"]},"n":1,\#(attached("b25l"))}"#,
      #"{"_id":"bad","_rev":"2-b","_revisions":{"start":2,"ids":["b","a"]},"n":1,\#(attached("dHdv"))}"#)
    try graft("good")
    bench.server.faults.add(Fault(.answer(status: status), count: 99, path: "/bad/f"))
    let store = try bench.open()
    #expect(try summaries(of: store).map(\.id).sorted() == ["bad", "good"])
    let planned = try ["bad", "good"].map { try #require(try plan($0, in: store)) }
    let words = "the server does not give its bytes (HTTP \(status))" + (status < 500 ? "" : "; do it again")
    #expect(
      try store.write(planned, note: nil).map(\.outcome) == [
        .refused(field: "_attachments/f", words), .fine,
      ])
  }
}
