import CouchDBServers
import ExactJSON
import Foundation
import Merging
import Testing

@testable import CouchDBStores
@testable import Journals
@testable import StoreInterface

/// How drafts reach a server, which has no transactions.
@Suite struct CouchDBWriteTests {
  let bench: CouchDBBench

  init() throws { bench = try CouchDBBench(documentSize: 100_000) }

  /// One side sold some, the other changed the title.
  private func graftMilk(_ id: String = "milk") throws {
    try bench.database.graft(
      #"{"_id":"\#(id)","_rev":"1-aa","stock":5,"title":"Milk"}"#,
      #"{"_id":"\#(id)","_rev":"2-bb","_revisions":{"start":2,"ids":["bb","aa"]},"stock":4,"title":"Milk"}"#,
      #"{"_id":"\#(id)","_rev":"2-aa","_revisions":{"start":2,"ids":["aa","aa"]},"stock":5,"title":"Oat milk"}"#
    )
  }

  private func accept(_ id: String, in store: CouchDBStore) throws -> PlannedWrite {
    try #require(try plan(id, in: store))
  }

  private func write(_ id: String = "milk") throws -> CheckedWrite.Outcome {
    let store = try bench.open()
    return try #require(try store.write([accept(id, in: store)], note: nil).first).outcome
  }

  private func members(_ id: String = "milk") throws -> [[String: String]] {
    try #require(try bench.open().server.documents([id]).first).live.map { revision in
      Dictionary(uniqueKeysWithValues: revision.members.map { ($0.key.text, $0.value.text) })
    }
  }

  private var posts: [String] {
    bench.server.faults.requests.filter { $0.path.hasSuffix("_bulk_docs") }.map {
      String(decoding: $0.body, as: UTF8.self)
    }
  }

  @Test func theDraftIsAcceptedBeforeAnyLeafIsDeleted() throws {
    try graftMilk()
    #expect(try write() == .fine)
    #expect(try members() == [["stock": "4", "title": "\"Oat milk\""]])
    #expect(
      posts == [
        #"{"docs":[{"_id":"milk","_rev":"2-bb","stock":4,"title":"Oat milk"}]}"#,
        #"{"docs":[{"_deleted":true,"_id":"milk","_rev":"2-aa"}]}"#,
      ])
  }

  /// What a document has is asked for once, so that it was seen long before it is written.
  @Test func whatIsDecidedOtherwiseSinceItWasSeenIsNotWritten() throws {
    try graftMilk()
    let store = try bench.open()
    let seen = try accept("milk", in: store)
    let other = try #require(
      seen.seen.draft(seen.seen.accepting(.yours, in: Resolution(choices: [.field("title"): .take(.client)])))
    )
    for (draft, outcome) in [
      (other, CheckedWrite.Outcome.moved("it was decided otherwise meanwhile")), (seen.draft, .fine),
    ] {
      let order = WriteOrder(seen, decided: WriteOrder.Drafting { _ in draft })
      #expect(try store.write([order], note: nil).map(\.outcome) == [outcome])
    }
    #expect(posts.count == 2)
  }

  /// Swift takes them for equal; the server, and whoever made both, does not.
  @Test func documentsWhoseNamesDifferInTheirNormalFormAloneAreDecidedEachForItself() throws {
    let (composed, decomposed) = ("caf\u{E9}", "cafe\u{301}")
    for id in [composed, decomposed] { try graftMilk(id) }
    let store = try bench.open()
    func isDecided(_ id: String) throws -> Bool {
      let decisions = try store.journal.decisions(for: [composed, decomposed])
      return try !store.conflict(id).resolution(from: decisions).isEmpty
    }
    func decide(_ id: String) throws {
      let seen = try store.conflict(id).fingerprint(of: .record)
      try store.journal.append([
        Decision(id: id, subject: .record, choice: .take(.server), fingerprint: seen, decidedAt: 1)
      ])
    }
    try decide(decomposed)
    #expect(try !isDecided(composed) && isDecided(decomposed))
    try decide(composed)
    #expect(try isDecided(composed) && isDecided(decomposed))
    #expect(try write(decomposed) == .fine)
    #expect(try (members(composed).count, members(decomposed).count) == (2, 1))
  }

  @Test func deletionsTellWhoResolvedItAndWhatLostWhereThatIsWanted() throws {
    try graftMilk()
    let store = try bench.open(signsTombstones: true)
    let before = try members()
    #expect(try store.write([accept("milk", in: store)], note: nil).map(\.outcome) == [.fine])
    let told = #""parley":{"lost":{"stock":5},"resolvedBy":"nobody whom the server knows by name"}"#
    #expect(posts.last == #"{"docs":[{"_deleted":true,"_id":"milk","_rev":"2-aa",\#(told)}]}"#)
    #expect(store.info.writing.contains("who resolved it"))
    #expect(try store.undoLastWrite().map(\.outcome) == [.fine])
    #expect(try members() == before)
  }

  @Test func whereTheDraftIsRefusedNothingIsDeleted() throws {
    try graftMilk()
    try bench.database.setValidation { _ throws(ValidationRefusal) in throw .forbidden("no stock by night") }
    #expect(try write() == .refused(field: nil, "no stock by night"))
    #expect(try members().count == 2)
    #expect(posts.count == 1)
    #expect(try bench.open().interruptedWrites().isEmpty)
    let log = try bench.open().journal.entries(limit: 1)
    #expect(log.map(\.text) == ["not written: Milk: no stock by night"])
    #expect(log.map(\.kind) == [.notDone])
  }

  /// A mistake in it is no failure of which nobody knows what became: the row is the server's answer about this document.
  @Test(arguments: ["TypeError", "ReferenceError", "Error", "unknown_error", "compilation_error"])
  func aValidationFunctionThatFailsRefuses(error: String) throws {
    try graftMilk()
    try bench.database.setValidation { _ throws(ValidationRefusal) in
      throw .broken(error: error, reason: "{[]}")
    }
    #expect(try write() == .refused(field: nil, "\(error): {[]}"))
    #expect(try bench.open().interruptedWrites().isEmpty)
    try bench.database.setValidation(nil)
    #expect(try write() == .fine, "it is asked for anew at once")
  }

  /// A journal of before there was a word for that.
  @Test func whatIsRefusedIsKeptInAnOldJournalToo() throws {
    try graftMilk()
    let store = try bench.open()
    let nothing = Decision(id: "milk", subject: .record, choice: nil, fingerprint: "", decidedAt: 1)
    try store.journal.append([nothing])
    store.log.close()
    try OldJournal.make(store.log.path, version: 4)
    try whereTheDraftIsRefusedNothingIsDeleted()
  }

  @Test func whereADeletionIsRefusedThatIsToldAsAPart() throws {
    try graftMilk()
    try bench.database.setValidation { write throws(ValidationRefusal) in
      if write.document.isDeletion { throw .forbidden("nothing is deleted") }
    }
    let store = try bench.open()
    let outcome = try store.write([accept("milk", in: store)], note: nil)[0].outcome
    guard case .partly(_, let why) = outcome else {
      Issue.record("\(outcome)")
      return
    }
    #expect(why.contains("nothing is deleted"))
    #expect(try summaries(of: store).map(\.id) == ["milk"], "it is still in conflict")
    try bench.database.setValidation(nil)
    #expect(try store.undoLastWrite().map(\.outcome) == [.fine])
    #expect(Set(try members().map { $0["title"] }) == ["\"Milk\"", "\"Oat milk\""])
  }

  @Test func whatSomebodyElseChangedWhileItWasWrittenIsMoved() throws {
    try graftMilk()
    let gate = Gate()
    bench.server.faults.add(Fault(.wait(gate), path: "_bulk_docs"))
    let database = bench.database
    let store = try bench.open()
    let planned = try accept("milk", in: store)
    Thread.detachNewThread {
      gate.waitUntilReached()
      _ = try? database.edit(#"{"_id":"milk","_rev":"2-bb","stock":0,"title":"Milk"}"#)
      gate.open()
    }
    #expect(
      try store.write([planned], note: nil).map(\.outcome) == [.moved("it was changed while it was written")])
    #expect(try members().count == 2)
    #expect(posts.count == 1)
  }

  private func asked(_ path: String) -> Int {
    bench.server.faults.requests.count { $0.path.hasSuffix(path) }
  }

  /// A revision never changes: where the leaves are those that were seen, nothing of them is to be read.
  @Test func whatWasSeenIsNotReadAgain() throws {
    try graftMilk()
    try bench.database.graft(
      #"{"_id":"milk","_rev":"2-cc","_revisions":{"start":2,"ids":["cc","aa"]},"_deleted":true}"#)
    let store = try bench.open()
    let planned = try accept("milk", in: store)
    let before = (asked("_bulk_get"), asked("_revs_diff"))
    #expect(try store.write([planned], note: nil).map(\.outcome) == [.fine])
    #expect((asked("_bulk_get"), asked("_revs_diff")) == (before.0, before.1 + 2))
    #expect(try store.undoLastWrite().map(\.outcome) == [.fine])
    #expect(try members().map { $0["title"] } == ["\"Milk\"", "\"Oat milk\""])
  }

  @Test func whereTheServerDoesNotTellTheLeavesTheyAreRead() throws {
    try graftMilk()
    bench.server.faults.add(
      Fault(
        .answer(status: 405, body: Array(#"{"error":"method_not_allowed"}"#.utf8)), count: 9,
        path: "_revs_diff"))
    #expect(try write() == .fine)
    #expect(try members() == [["stock": "4", "title": "\"Oat milk\""]])
  }

  @Test(arguments: [true, false])
  func aLeafThatComesInBeforeOrAfterItsDraftIsNeverDeletedUnseen(isBefore: Bool) throws {
    try graftMilk()
    let store = try bench.open()
    let planned = try accept("milk", in: store)
    let (gate, database) = (Gate(), bench.database)
    let soy = #"{"_id":"milk","_rev":"2-dd","_revisions":{"start":2,"ids":["dd","aa"]},"title":"Soy milk"}"#
    if isBefore {
      try database.graft(soy)
    } else {
      bench.server.faults.add(Fault(.wait(gate), path: "_bulk_docs"))
    }
    Thread.detachNewThread {
      if isBefore { return }
      gate.waitUntilReached()
      _ = try? database.graft(soy)
      gate.open()
    }
    let outcome = try store.write([planned], note: nil)[0].outcome
    let words = "another leaf came in meanwhile, so the document is still in conflict"
    #expect(
      outcome == (isBefore ? .moved("its leaves are others now") : .partly(written: "the draft", words)))
    #expect(try members().contains { $0["title"] == "\"Soy milk\"" })
  }

  /// Of three leaves the third stands in no column, and is ended all the same by whoever decides about the whole.
  @Test(arguments: [#""stock":2,"title":"Soy""#, #""stock":3,"title":"Oats""#])
  func aThirdLeafThatIsEditedIsNotEndedByWhatWasDecidedBefore(edit: String) throws {
    try bench.database.graft(
      #"{"_id":"tea","_rev":"1-aa","stock":5,"title":"Tea"}"#,
      #"{"_id":"tea","_rev":"4-cc","_revisions":{"start":4,"ids":["cc","c3","c2","aa"]},"stock":4,"title":"Tea"}"#,
      #"{"_id":"tea","_rev":"4-bb","_revisions":{"start":4,"ids":["bb","b3","b2","aa"]},"stock":5,"title":"Chai"}"#,
      #"{"_id":"tea","_rev":"2-a0","_revisions":{"start":2,"ids":["a0","aa"]},"stock":3,"title":"Soy"}"#)
    let seen = try bench.open().conflict("tea")
    let decisions = seen.alternatives.flatMap { alternative in
      let choice = Resolution(choices: [.record: .alternative(alternative.id)])
      return seen.decisions(about: [.record], in: choice, at: 1)
    }
    #expect(decisions.count > 3 && decisions.allSatisfy { seen.isReady(seen.resolution(from: [$0])) })
    try bench.database.graft(
      #"{"_id":"tea","_rev":"3-a1","_revisions":{"start":3,"ids":["a1","a0","aa"]},\#(edit)}"#)
    let now = try bench.open().conflict("tea")
    for decision in decisions {
      let decided = DecidedConflict(now, decisions: [decision])
      #expect(decided.draft == nil && decided.isMoved && decided.outdated == [decision], "\(decision)")
    }
  }

  /// Whoever typed it would never hear that it was not written.
  @Test func whatWasDecidedAboutAFieldThatIsNoMoreInConflictIsNotDroppedUnsaid() throws {
    try bench.database.graft(
      #"{"_id":"tea","_rev":"1-aa","stock":5,"sold":0}"#,
      #"{"_id":"tea","_rev":"4-cc","_revisions":{"start":4,"ids":["cc","c3","c2","aa"]},"stock":4,"sold":0}"#,
      #"{"_id":"tea","_rev":"2-a0","_revisions":{"start":2,"ids":["a0","aa"]},"stock":3,"sold":9}"#)
    let seen = try bench.open().conflict("tea")
    func decided(_ choices: [Subject: Choice], on conflict: RecordConflict) -> [Decision] {
      conflict.decisions(about: Array(choices.keys), in: Resolution(choices: choices), at: 1)
    }
    let decisions = decided([.field("stock"): .take(.client), .field("sold"): .edit(.integer(77))], on: seen)
    #expect(DecidedConflict(seen, decisions: decisions).summary.isReady)
    try bench.database.graft(
      #"{"_id":"tea","_rev":"3-a1","_revisions":{"start":3,"ids":["a1","a0","aa"]},"stock":3,"sold":0}"#)
    let now = try bench.open().conflict("tea")
    let moved = DecidedConflict(now, decisions: decisions)
    #expect(moved.undecided.isEmpty && moved.isMoved && !moved.summary.isReady)
    for again in [[Subject.field("sold"): Choice.edit(.integer(77))], [.record: .alternative("client")]] {
      let anew = DecidedConflict(now, decisions: decisions + decided(again, on: now))
      #expect(!anew.isMoved && anew.summary.isReady, "\(again)")
    }
  }

  /// The request came through or not: either is found out by asking.
  @Test(arguments: [true, false], [0, 1])
  func anAnswerThatIsLostIsFoundInTheDatabase(isCarriedOut: Bool, post: Int) throws {
    try graftMilk()
    bench.server.faults.add(
      isCarriedOut
        ? Fault(.cutAnswer(afterBytes: 10), passing: post, path: "_bulk_docs")
        : Fault(.cutRequest(afterBytes: 10), passing: post, path: "_bulk_docs"))
    let store = try bench.open()
    let planned = try accept("milk", in: store)
    let outcome = Result { try store.write([planned], note: nil).map(\.outcome) }
    #expect(try members().count == ((try? outcome.get()) == [.fine] ? 1 : 2))
    // What is not there then may come yet: the next start asks.
    try bench.open(after: 900).finishInterruptedWrites()
    if try members().count == 1 { #expect(try store.undoLastWrite().map(\.outcome) == [.fine]) }
    #expect(try members().count == 2)
    #expect(try store.interruptedWrites().isEmpty)
  }

  /// Wherever an answer ends: what is told is what is there, and it is in conflict or resolved, never lost.
  @Test func whereverTheConnectionEndsWhatIsToldIsTrue() throws {
    for (index, cut) in stride(from: 0, through: 400, by: 8).enumerated() {
      let id = "milk\(index)"
      try graftMilk(id)
      bench.server.faults.add(
        index.isMultiple(of: 2)
          ? Fault(.cutAnswer(afterBytes: cut), passing: index / 2 % 2, path: "_bulk_docs")
          : Fault(.cutRequest(afterBytes: cut), passing: index / 2 % 2, path: "_bulk_docs"))
      let store = try bench.open()
      let outcome = Result { try store.write([accept(id, in: store)], note: nil)[0].outcome }
      bench.server.faults.removeAll()
      try store.finishInterruptedWrites()
      let leaves = try members(id).count
      switch outcome {
      case .success(.fine): #expect(leaves == 1, "\(cut)")
      case .failure, .success(.notKnown): #expect(leaves == 2, "\(cut)")
      case .success(let other): Issue.record("\(other) at \(cut)")
      }
    }
  }

  @Test func whatTheServerKeepsSilentAboutIsLookedAtByTheNextStart() throws {
    try graftMilk()
    bench.server.faults.add(
      Fault(.cutAnswer(afterBytes: 0), count: 100, to: { $0.path.hasSuffix("_bulk_docs") }))
    bench.server.faults.add(
      Fault(.cutRequest(afterBytes: 5), passing: 4, count: 100, to: { $0.path.hasSuffix("_bulk_get") }))
    let store = try bench.open()
    let planned = try accept("milk", in: store)
    guard case .notKnown = try store.write([planned], note: nil)[0].outcome else {
      Issue.record("nobody can know it")
      return
    }
    bench.server.faults.removeAll()
    let next = try bench.open()
    #expect(try next.interruptedWrites().flatMap(\.records).map(\.id) == ["milk"])
    #expect(try next.finishInterruptedWrites().flatMap(\.records).map(\.outcome) == [.completed])
    #expect(try members().count == 1)
    #expect(try next.undoLastWrite().map(\.outcome) == [.fine])
    #expect(try members().count == 2)
  }

  @Test func oneBadRowIsFoundAmongManyAndTheOthersAreWritten() throws {
    for number in 1...9 { try graftMilk("milk\(number)") }
    try bench.database.graft(
      #"{"_id":"odd","_rev":"1-bb","title":"odd"}"#, #"{"_id":"odd","_rev":"1-aa","title":"even"}"#)
    let store = try bench.open()
    let conflict = try store.conflict("odd")
    let field = FieldDraft(
      name: "title", value: .text(String(repeating: "x", count: 100_000)), source: .edited)
    let long = PlannedWrite(seen: conflict, draft: Draft(id: "odd", action: .save([field])))
    let others = try (1...9).map { try accept("milk\($0)", in: store) }
    let outcomes = try store.write(others.prefix(4) + [long] + others.dropFirst(4), note: nil).map(\.outcome)
    guard case .refused(_, let why) = outcomes[4] else {
      Issue.record("\(outcomes[4])")
      return
    }
    #expect(why.contains("document_too_large"))
    #expect(outcomes.filter { $0 == .fine }.count == 9)
  }

  @Test func anUndoBringsBackTheSameLeavesWithTheSameWinner() throws {
    for number in 1...40 { try graftMilk("milk\(number)") }
    let store = try bench.open()
    let ids = (1...40).map { "milk\($0)" }
    let before = try ids.map { try members($0) }
    #expect(
      try store.write(ids.map { try accept($0, in: store) }, note: nil).allSatisfy { $0.outcome == .fine })
    #expect(try store.undoLastWrite().allSatisfy { $0.outcome == .fine })
    #expect(try ids.map { try members($0) } == before, "the winner first")
    #expect(throws: StoreError.nothingToUndo) { try store.undoLastWrite() }
  }

  @Test func anUndoLeavesAloneWhatWentOn() throws {
    try graftMilk()
    #expect(try write() == .fine)
    let winner = try #require(try bench.database.leaves(of: "milk").first)
    try bench.database.edit(#"{"_id":"milk","_rev":"\#(winner)","title":"Soy milk"}"#)
    #expect(try bench.open().undoLastWrite().map(\.outcome) == [.moved("it went on since it was written")])
  }

  /// A stub would take the bytes of the winner's branch, whatever its digest says.
  @Test func anAttachmentOfAnotherLeafIsSentAsBytes() throws {
    let inline = { (text: String) in
      #""_attachments":{"note":{"content_type":"application/x","data":"\#(text)"}}"#
    }
    try bench.database.graft(
      #"{"_id":"milk","_rev":"1-aa","title":"Milk",\#(inline("b25l"))}"#,
      #"{"_id":"milk","_rev":"2-bb","_revisions":{"start":2,"ids":["bb","aa"]},"title":"Milk!",\#(inline("b25l"))}"#,
      #"{"_id":"milk","_rev":"2-aa","_revisions":{"start":2,"ids":["aa","aa"]},"title":"Milk",\#(inline("dHdv"))}"#
    )
    #expect(try write() == .fine)
    let server = try bench.open().server
    let leaf = try #require(try server.documents(["milk"]).first?.live.first?.id)
    #expect(try server.bytes("note", of: "milk", leaf)?.bytes == Array("two".utf8))
    #expect(try bench.open().undoLastWrite().map(\.outcome) == [.fine])
    let document = try #require(try server.documents(["milk"]).first)
    #expect(
      try document.live.map { try server.bytes("note", of: "milk", $0.id)?.bytes }
        == ["one", "two"].map { Array($0.utf8) })
  }

  @Test func twoDesksThatDecideAlikeEndInOneLeaf() throws {
    try graftMilk()
    let other = try bench.server.makeDatabase("other")
    try bench.database.replicate(to: other)
    let (here, there) = (try bench.open(), try bench.open(url: bench.server.url + "/other"))
    // A replica has no body of the ancestor: so alike means decided alike.
    for store in [here, there] {
      let conflict = try store.conflict("milk")
      let fields = ["stock": Value.integer(4), "title": .text("Oat milk")].map {
        FieldDraft(name: $0.key, value: $0.value, source: .edited)
      }
      let draft = Draft(id: "milk", action: .save(fields))
      #expect(
        try store.write([PlannedWrite(seen: conflict, draft: draft)], note: nil).map(\.outcome) == [.fine])
    }
    try bench.database.replicate(to: other)
    try other.replicate(to: bench.database)
    for store in [here, there] { #expect(try store.server.documents(["milk"]).first?.live.count == 1) }
  }
}

extension JSON {
  fileprivate var isDeletion: Bool {
    guard case .object(let members) = self else { return false }
    return members.contains { $0.name == "_deleted" }
  }
}

/// Numbers that somebody types.
extension CouchDBWriteTests {
  private func verdict(on typed: String) throws -> ValueVerdict {
    let store = try bench.open()
    let value = Value(try JSONValue(parsing: typed))
    let seen = DecidedConflict(try store.conflict("milk"))
    return try store.verdict(on: .edit(value), for: .field("stock"), of: seen)
  }

  @Test(arguments: [
    ("9007199254740993.0", "9007199254740992.0"), ("123456789012345678e1", "1.2345678901234568e+18"),
    ("1e-400", "0.0"), ("[1,{\"a\":9007199254740993.0}]", "9007199254740992.0"), ("5e-324", "0.0"),
  ])
  func aNumberOfWhichTheServerWouldKeepAnotherIsRefused(typed: String, kept: String) throws {
    try graftMilk()
    guard case .refused(let words) = try verdict(on: typed) else {
      Issue.record("it was taken")
      return
    }
    #expect(words.hasPrefix("the server would keep \(kept) in place of "))
    #expect(words.hasSuffix(" in digits alone") == (kept != "0.0"))
  }

  /// What was typed is told as it was typed, in each list and in the log.
  @Test(arguments: [
    ("12345678901234567890.5", "1.2345678901234567e+19"), ("0.1000000000000000055511151231257827", "0.1"),
    ("0.30000000000000004441", "0.30000000000000004"), ("[3.14159265358979323846]", "3.141592653589793"),
    ("-0.12345678901234567", "-0.12345678901234566"), ("15e-311", "1.4999999999999e-310"),
  ])
  func aFractionOfWhichTheServerWouldKeepAnotherIsRefused(typed: String, kept: String) throws {
    try graftMilk()
    guard case .refused(let words) = try verdict(on: typed) else {
      Issue.record("it was taken")
      return
    }
    let number = typed.filter { !"[]".contains($0) }
    #expect(words == "the server would keep \(kept) in place of \(number)")
  }

  /// The server tells it as it keeps it, so that what goes on from a leaf stays what it is.
  @Test func aNumberThatALeafHasGoesThroughADraftAsItIs() throws {
    let (told, ancestors) = ("12345678901234567000.0", "0.1")
    try bench.database.graft(
      #"{"_id":"milk","_rev":"1-aa","stock":5,"title":"Milk","weight":0.1000000000000000055511151231257827}"#,
      #"{"_id":"milk","_rev":"2-bb","_revisions":{"start":2,"ids":["bb","aa"]},"stock":12345678901234567890.5,"title":"Milk","weight":0.1}"#,
      #"{"_id":"milk","_rev":"2-aa","_revisions":{"start":2,"ids":["aa","aa"]},"stock":5,"title":"Oat milk","weight":0.1}"#
    )
    for typed in [told, ancestors, "[\(told)]"] {
      if case .refused(let words) = try verdict(on: typed) { Issue.record("\(words)") }
    }
    #expect(try write() == .fine)
    #expect(try members() == [["stock": told, "title": "\"Oat milk\"", "weight": ancestors]])
  }

  @Test(arguments: [
    "123456789012345678901234567890", "12345678901234567000.0", "1e23", "1e2", "1.10", "0.1", "-0", "0e9",
    "0.00", "0.30000000000000004", "5.0e-324", "[1,2.5]", "\"1e-400\"", "true",
  ])
  func aNumberThatIsReadBackAsItWasGivenIsTaken(typed: String) throws {
    try graftMilk()
    if case .refused(let words) = try verdict(on: typed) { Issue.record("\(words)") }
  }
}
