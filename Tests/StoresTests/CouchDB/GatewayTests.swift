import CouchDBServers
import ExactJSON
import Foundation
import Merging
import RevisionTrees
import Synchronization
import Telling
import Testing

@testable import CouchDBStores
@testable import Journals
@testable import StoreInterface

/// What lies between here and a server: it may answer in its place, and hand a request on when nobody waits for it any more.
@Suite struct GatewayTests {
  let bench: CouchDBBench

  init() throws { bench = try CouchDBBench() }

  private func graft(_ id: String = "d") throws {
    try bench.database.graft(#"{"_id":"\#(id)","_rev":"1-b","n":1}"#, #"{"_id":"\#(id)","_rev":"1-a","n":2}"#)
  }

  private func live(_ id: String = "d") throws -> Int {
    try bench.open().documents([id]).first?.live.count ?? 0
  }

  private func write(_ ids: [String] = ["d"]) throws -> [CheckedWrite.Outcome] {
    let store = try bench.open()
    return try store.write(ids.compactMap { try plan($0, in: store) }, note: nil).map(\.outcome)
  }

  static let html = [(name: "Content-Type", value: "text/html")]
  static let faults: [Fault.Effect] = [
    .answer(status: 504, headers: html, body: Array("<html>".utf8)),
    .answer(status: 502, headers: html, body: Array("<html>".utf8)),
    .answer(status: 503, body: Array(#"{"error":"x","reason":"overloaded"}"#.utf8)),
    .answer(status: 408, body: Array(#"{"error":"x","reason":"timed out"}"#.utf8)),
    .cutRequest(afterBytes: 10),
  ]

  @Test(arguments: faults.indices)
  func whatItMayHandOnLaterIsNotKnownAndFinishedByTheNextStart(index: Int) throws {
    try graft()
    bench.server.faults.add(Fault(Self.faults[index], path: "_bulk_docs"))
    guard case .notKnown(let words)? = try write().first else {
      Issue.record("nobody can know it")
      return
    }
    #expect(words.hasPrefix("nobody told what became of it; "))
    #expect(try live() == 2)
    // Now it is handed on.
    let draft = try bench.database.edit(#"{"_id":"d","_rev":"1-b","n":1}"#)
    let next = try bench.open()
    #expect(try next.interruptedWrites().flatMap(\.records).map(\.state) == [.half])
    #expect(try next.finishInterruptedWrites().flatMap(\.records).map(\.outcome) == [.completed])
    #expect(try live() == 1)
    // With the id of the deletion alone the draft would be nobody's.
    #expect(try next.log.acceptedIDs(of: ["d"])["d", "1-b"] == draft)
  }

  /// The draft was accepted, and its answer came: so that is known, whatever becomes of the rest.
  @Test(arguments: [302, 401, 403, 404, 409])
  func aDraftWhoseDeletionsAreNotTakenIsAPart(status: Int) throws {
    try graft()
    bench.server.faults.add(
      Fault(
        .answer(
          status: status, headers: [(name: "Location", value: "https://elsewhere/")],
          body: Array(#"{"error":"x","reason":"no more"}"#.utf8)),
        passing: 1, path: "_bulk_docs"))
    guard case .partly("1 of its 2 revisions", let why)? = try write().first else {
      Issue.record("the draft is known to be there")
      return
    }
    #expect(why.hasPrefix("the rest could not be asked for: \(bench.url) "), "\(why)")
    #expect(try live() == 2)
    #expect(try bench.open().interruptedWrites().isEmpty)
    #expect(try bench.open().undo(.lastWrite).map(\.outcome) == [.fine])
  }

  private func loseAWrite() throws {
    try graft()
    bench.server.faults.add(Fault(Self.faults[0], path: "_bulk_docs"))
    guard case .notKnown? = try write().first else { throw Damage("nobody can know it") }
  }

  @Test func whatHasNotComeForAQuarterOfAnHourIsTakenBackByTheNextStart() throws {
    try loseAWrite()
    let soon = try bench.open(after: 899)
    #expect(try soon.finishInterruptedWrites().isEmpty)
    let next = try bench.open(after: 900)
    #expect(try next.finishInterruptedWrites().flatMap(\.records).map(\.outcome) == [.rolledBack])
    #expect(try write() == [.fine])
  }

  /// It keeps two revisions of each line: what the draft was to follow is none of these once somebody went on from the draft.
  @Test(arguments: [0, 900])
  func whatWasHandedOnAndForgottenByTheServerIsNotCalledUnwritten(seconds: Int64) throws {
    try bench.database.setRevisionsLimit(2)
    try loseAWrite()
    let draft = try bench.database.edit(#"{"_id":"d","_rev":"1-b","n":1}"#)
    try bench.database.edit(#"{"_id":"d","_rev":"\#(draft)","n":5}"#)
    let next = try bench.open(after: seconds)
    #expect(try next.interruptedWrites().flatMap(\.records).map(\.state) == [.notKnown])
    let finished = try next.finishInterruptedWrites().flatMap(\.records)
    #expect(finished.map(\.outcome) == [.left])
    #expect(finished.map(\.detail) == [JournalEntry.OwnDetail.notKnown.rawValue])
  }

  /// Of one write some may be there in part, while of others nothing has come.
  @Test func whatIsHalfWrittenCanBeFinishedBesideWhatMayStillCome() throws {
    for id in ["d", "e"] { try graft(id) }
    bench.server.faults.add(Fault(Self.faults[0], path: "_bulk_docs"))
    #expect(try write(["d", "e"]).allSatisfy { $0 != .fine })
    try bench.database.edit(#"{"_id":"d","_rev":"1-b","n":1}"#)
    let store = try bench.open(after: 60)
    let told = try #require(try store.interruptedWrites().first)
    #expect(told.records.map(\.state) == [.half, .awaited] && told.hindrance == nil)
    let found = try findings(of: store).filter(\.isInterrupted)
    #expect(found.map { $0.canBeMended != nil } == [true, false])
    #expect(found.last?.remedy.hasPrefix("It cannot be finished now: a request that is on its way") == true)
    #expect(try store.mend(found.prefix(1).map(\.id), note: nil).map(\.outcome) == [.fine])
    #expect(try ["d", "e"].map(live) == [1, 2])
    #expect(try store.interruptedWrites().flatMap(\.records).map(\.state) == [.awaited])
  }

  @Test func whatMayStillComeIsToldAndCanBeTakenBackOnceItHasCome() throws {
    try loseAWrite()
    let early = try bench.open(after: 60)
    #expect(try early.finishInterruptedWrites().isEmpty)
    let told = try #require(try early.interruptedWrites().first)
    #expect(told.records.map(\.state) == [.awaited])
    #expect(told.hindrance == "a request that is on its way may write the rest until 2026-11-20T13:15:01Z")
    // Now it is handed on.
    try bench.database.edit(#"{"_id":"d","_rev":"1-b","n":1}"#)
    #expect(try bench.open(after: 61).undo(.lastWrite).map(\.outcome) == [.fine])
    #expect(try live() == 2)
  }

  /// The same is decided and written again while nobody knows of the first: there is one write to take back, and then the older ones.
  @Test func whatIsWrittenOnceMoreMeanwhileIsTakenBackOnce() throws {
    try graft("old")
    #expect(try write(["old"]) == [.fine])
    try loseAWrite()
    #expect(try write(["d"]) == [.fine])
    let next = try bench.open(after: 1)
    #expect(try next.finishInterruptedWrites().flatMap(\.records).map(\.outcome) == [.rolledBack])
    #expect(try (0..<2).map { _ in try next.undo(.lastWrite).map(\.id) } == [["d"], ["old"]])
    #expect(try ["d", "old"].map(live) == [2, 2])
  }

  /// All of it is known: it is on the server, with a receipt.
  @Test func whatIsWrittenOnceMoreMeanwhileIsNotToldAsInterrupted() throws {
    try loseAWrite()
    #expect(try write(["d"]) == [.fine])
    let next = try bench.open(after: 1)
    #expect(try !next.hasInterruptedWrites())
    #expect(try next.interruptedWrites().isEmpty)
    #expect(try !findings(of: next).contains { $0.id == "interrupted:d" })
  }

  /// Of the next write of the same document nobody can say that nothing of it is written.
  @Test func whatCouldNotBeLookedAtAgainIsNotCalledUnwritten() throws {
    try loseAWrite()
    let store = try bench.open(after: 1)
    let planned = try #require(try plan("d", in: store))
    try bench.database.edit(#"{"_id":"d","_rev":"1-b","n":1}"#)
    bench.server.faults.add(Fault(Self.faults[0], path: "_bulk_get"))
    let outcome = try #require(try store.write([planned], note: nil).first?.outcome)
    guard case .notKnown(let words) = outcome else {
      Issue.record("\(outcome)")
      return
    }
    #expect(words.hasPrefix("a write of it that was interrupted is not finished, and"))
    #expect(try store.mend(["interrupted:d"], note: nil).map(\.outcome) == [.fine])
    #expect(try live() == 1)
  }

  @Test func whatMayStillComeIsFoundAndNotMended() throws {
    try loseAWrite()
    let store = try bench.open(after: 1)
    let finding = try #require(try store.findings().next(limit: 9)?.first)
    #expect(finding.id == "interrupted:d" && finding.canBeMended == nil)
    #expect(finding.remedy.hasPrefix("It cannot be finished now: a request that is on its way"))
    guard case .notKnown? = try store.mend([finding.id], note: nil).first?.outcome else {
      Issue.record("nobody can know it")
      return
    }
  }

  /// A server that does not answer is not waited for by each of them.
  @Test func manyThatWereInterruptedAreAskedForAtOnce() throws {
    let ids = (0..<40).map { "d\($0)" }
    try ids.forEach(graft)
    let store = try bench.open()
    _ = try store.write(ids.compactMap { try plan($0, in: store) }, note: nil)
    try store.log.write { try $0.run("DELETE FROM receipts") }
    let asked = bench.server.faults.requests.count
    #expect(try store.interruptedWrites().flatMap(\.records).map(\.state).allSatisfy { $0 == .complete })
    #expect(bench.server.faults.requests.count - asked <= 3)
  }

  /// Of many the answer to some is lost: the others can be taken back at once, and these once they have come.
  @Test func whatIsWrittenBesideWhatIsNotKnownIsTheLastWrite() throws {
    try ["a", "b", "old"].forEach(graft)
    #expect(try write(["old"]) == [.fine])
    let store = try bench.open()
    let planned = try ["a", "b"].map { try #require(try plan($0, in: store)) }
    _ = try store.write(planned, note: nil)
    let write = try #require(try store.log.newestWrite()).intent
    try store.log.write { try $0.run("DELETE FROM receipts WHERE intent = ?", [.integer(write.id)]) }
    let rest = write.records.filter { $0.id == "b" }
    try store.log.leaveOpen(rest, of: write.id, isAll: false, askedAt: 7)
    try store.log.append([Receipt("a", .written)], of: write.id)
    let open = try store.log.openIntents()
    #expect(open.map { $0.records.map(\.id) } == [["b"]] && open.map(\.startedAt) == [7])
    #expect(try open.map { try store.log.begun($0.id) } == [write.id])
    #expect(try store.lastWrite()?.records.map(\.id) == ["a"])
    #expect(try store.finishInterruptedWrites().flatMap(\.records).map(\.id) == ["b"])
    #expect(try (0..<3).map { _ in try store.undo(.lastWrite).map(\.id) } == [["b"], ["a"], ["old"]])
    #expect(try ["a", "b", "old"].map(live) == [2, 2, 2])
  }

  /// As the others of an earlier write are known it gets a number of its own, which is higher than that of what was written meanwhile.
  @Test func whatIsNotKnownYetOfAnEarlierWriteHidesNoLaterOne() throws {
    try ["q", "r", "y", "z"].forEach(graft)
    bench.server.faults.add(Fault(Self.faults[0], path: "_bulk_docs"))
    #expect(try write(["q", "r", "z"]).allSatisfy { $0 != .fine })
    let first = try #require(try bench.open().interruptedWrites().first?.id)
    #expect(try write(["y"]) == [.fine])
    for (id, last) in [("z", "y"), ("q", "q")] {
      try bench.database.edit(#"{"_id":"\#(id)","_rev":"1-b","n":1}"#)
      let store = try bench.open(after: 60)
      #expect(try store.finishInterruptedWrites().flatMap(\.records).map(\.id) == [id])
      let write = try #require(try store.lastWriteNames())
      let open = try #require(try store.interruptedWrites().first)
      let number = try #require(open.id)
      #expect(write.records == [last] && open.begunWith == first && number > write.id)
      #expect([open].begun(after: write.id).isEmpty)
    }
    // What has come meanwhile is the last one as soon as it is finished.
    try bench.database.edit(#"{"_id":"r","_rev":"1-b","n":1}"#)
    let store = try bench.open(after: 61)
    #expect(try store.interruptedWrites().begun(after: store.lastWriteNames()?.id).count == 1)
    #expect(try store.undo(.lastWrite).map(\.id) == ["r"])
  }

  @Test func ofAWriteOfWhichOneAnswerIsLostTheRestIsTakenBack() throws {
    let ids = (0..<301).map { "d\($0)" }
    try ids.forEach(graft)
    bench.server.faults.add(Fault(Self.faults[0], count: 1, path: "_bulk_docs"))
    let outcomes = try write(ids)
    let written = outcomes.count { $0 == .fine }
    #expect(written < ids.count)
    let store = try bench.open(after: 1)
    #expect(try store.lastWrite()?.records.count ?? 0 == written)
    #expect(try store.interruptedWrites().flatMap(\.records).count == ids.count - written)
  }

  @Test func aClockThatWasSetBackLeavesNothingOpenForDays() throws {
    try loseAWrite()
    let next = try bench.open(after: -86401)
    #expect(try next.finishInterruptedWrites().flatMap(\.records).map(\.outcome) == [.rolledBack])
  }

  @Test func aClockThatWasSetBackByAnHourEndsNoWaiting() throws {
    try loseAWrite()
    #expect(try bench.open(after: -3600).finishInterruptedWrites().isEmpty)
  }

  /// curl would send it a second time by itself, and what the server says to that is not all there is.
  @Test func whatWritesIsSentOnANewConnection() throws {
    try graft()
    bench.server.faults.add(Fault(.cutAnswer(afterBytes: 0), path: "_bulk_docs"))
    _ = try write()
    let sent = bench.server.faults.requests.filter { $0.path.hasSuffix("_bulk_docs") }.map(\.body)
    #expect(sent.count == Set(sent).count, "each once: \(sent.count)")
  }

  @Test func aGatewaysPageAboutTheLengthIsHalvedLikeTheServersOwn() throws {
    try ["a", "b"].forEach(graft)
    bench.server.faults.add(
      Fault(.answer(status: 413, headers: Self.html, body: Array("<html>".utf8)), path: "_bulk_docs"))
    #expect(try write(["a", "b"]) == [.fine, .fine])
  }

  /// The server refuses what is on its way, as the revision that it begins with is a leaf no longer.
  @Test func whatCanComeNoMoreIsNotWaitedFor() throws {
    try loseAWrite()
    try bench.database.edit(#"{"_id":"d","_rev":"1-b","n":7}"#)
    let next = try bench.open(after: 1)
    #expect(try next.finishInterruptedWrites().flatMap(\.records).map(\.outcome) == [.rolledBack])
  }

  /// Its parts are asked for one after the other, and the last one's age counts.
  @Test func aLongWriteIsAsYoungAsItsLastPart() throws {
    let store = try bench.open()
    var time = StoreBench.time
    nonisolated(unsafe) let clock = { time }
    let log = Journal(path: store.log.path + ".other", clock: { clock() })
    var writer = log.intent(undoes: nil, note: nil)
    for name in ["a", "b"] {
      try writer.append(RecordIntent(id: name, title: name, payload: nil))
      try writer.flush()
      time += 5
    }
    #expect(try log.openIntents().map(\.startedAt) == [StoreBench.time + 5])
  }

  /// A blank now and then is no silence. Time goes by as soon as the drafts are sent.
  @Test func anAnswerThatNeverEndsIsNotWaitedForAndNotKnown() throws {
    try graft()
    let (faults, clock) = (bench.server.faults, LookedAtClock())
    faults.add(Fault(.streamForever(piece: " "), path: "_bulk_docs"))
    var patience = CouchDBServer.Patience()
    patience.now = {
      clock.look(passing: faults.requests.contains { $0.path.hasSuffix("_bulk_docs") } ? 1 : 0)
    }
    let store = try bench.open(patience: patience)
    let outcomes = try store.write([#require(try plan("d", in: store))], note: nil).map(\.outcome)
    let words = "had not ended its answer after 5 minutes, though bytes kept coming."
    guard case .notKnown(let told)? = outcomes.first, told.contains(words) else {
      Issue.record("\(outcomes)")
      return
    }
    let next = try bench.open(after: 900)
    #expect(try next.finishInterruptedWrites().flatMap(\.records).map(\.outcome) == [.rolledBack])
  }

  /// Makes time go by as soon as a client has seen all that was sent to it: never so much at once that it would be silence.
  private final class Time: Sendable {
    private let condition = NSCondition()
    private let state = Mutex((looks: 0, seconds: 0))
    private let end: Int

    init(until seconds: Int) { end = seconds }

    var seconds: Int { state.withLock { $0.seconds } }
    private var looks: Int { state.withLock { $0.looks } }

    func look() {
      condition.withLock {
        state.withLock { $0.looks += 1 }
        condition.broadcast()
      }
    }

    /// One blank with each part of it. Of the looks that begin from now on each finds all there is.
    func blank() -> String? {
      if seconds > end { return nil }
      condition.withLock {
        let enough = looks + 4
        while looks < enough { condition.wait() }
        pass(50)
      }
      return " "
    }

    func pass(_ seconds: Int) { state.withLock { $0.seconds += seconds } }
  }

  @Test func theReasonOfARefusalIsNotWaitedForWithoutEnd() throws {
    let (time, start) = (Time(until: 300), ContinuousClock.now)
    var patience = CouchDBServer.Patience()
    patience.now = { start + .seconds(time.seconds) }
    let server = try bench.open(.reading, patience: patience).server
    bench.server.faults.add(Fault(.stream(status: 500, next: { time.blank() }), path: "_changes"))
    let connection = try server.streaming { time.look() }
    #expect(throws: StoreError.server(path: bench.url, .slow(seconds: 300))) {
      try server.begin(server.url(["_changes"]), on: connection)
    }
  }

  @Test func whatSomebodyDoesBetweenTwoPiecesIsNoSilence() throws {
    let (time, start) = (Time(until: .max), ContinuousClock.now)
    var patience = CouchDBServer.Patience()
    patience.now = { start + .seconds(time.seconds) }
    let server = try bench.open(.reading, patience: patience).server
    bench.server.faults.add(Fault(.stream(status: 200, next: { time.blank() }), path: "_changes"))
    let connection = try server.streaming { time.look() }
    try server.begin(server.url(["_changes"]), on: connection)
    for _ in 0..<3 {
      time.pass(3600)
      #expect(try connection.next() != nil)
    }
  }

  /// It is given up for good: each try would cost as much again.
  @Test(arguments: [true, false]) func aFeedThatSendsTooMuchIsListenedToNoLonger(isEndless: Bool) throws {
    let store = try bench.open(.reading)
    let effect: Fault.Effect =
      isEndless
      ? .streamForever(piece: String(repeating: " ", count: 1 << 20))
      : .answer(status: 200, body: TooManyValuesTests.list)
    bench.server.faults.add(Fault(effect, count: 9, path: "_changes"))
    _ = store.traces()
    let words = "the server sends more than a feed of changes has, and is listened to no longer"
    #expect(store.becomesDeaf { $0 == words })
    #expect(bench.server.faults.requests.count { $0.path.hasSuffix("_changes") } == 1)
  }

  @Test func aFeedThatIsCutIsToldUntilItIsHeardAgain() throws {
    var patience = CouchDBServer.Patience()
    patience.afterBreak = 0
    let store = try bench.open(.reading, patience: patience)
    bench.server.faults.add(Fault(.answer(status: 503), count: 9999, path: "_changes"))
    _ = store.traces()
    #expect(store.becomesDeaf { $0 != nil })
    bench.server.faults.removeAll()
    #expect(store.becomesDeaf { $0 == nil })
  }

  /// Two questions at once: the one is refused, of the other nobody knows.
  @Test func aRefusalBesideItMakesItNoMoreKnown() {
    let refused = StoreError.server(path: "p", .refused(status: 403, "no"))
    let cut = StoreError.server(path: "p", .cut("gone"))
    #expect(refused.leavesRequestOpen == false && cut.leavesRequestOpen)
    #expect(QuestionsAtOnce<Int>.first(refused, cut) as? StoreError == cut)
    #expect(QuestionsAtOnce<Int>.first(cut, refused) as? StoreError == cut)
    #expect(QuestionsAtOnce<Int>.first(nil, refused) as? StoreError == refused)
  }

  private struct Gone: RevisionSource {
    let name = "http://other/shop"

    func bodies(of revisions: [(document: String, revision: String)]) throws -> [JSONText: RevisionBody] {
      throw StoreError.server(path: name, .notReached("no route to it"))
    }
  }

  @Test func aReplicaThatCannotBeAskedForAnAncestorIsTold() throws {
    try bench.database.graft(
      #"{"_id":"d","_rev":"2-b","_revisions":{"start":2,"ids":["b","a"]},"v":1}"#,
      #"{"_id":"d","_rev":"2-c","_revisions":{"start":2,"ids":["c","a"]},"v":2}"#)
    let document = try #require(try bench.open().server.documents(["d"], ancestors: Gone()).first)
    let conflict = try #require(document.conflict(MergeRules()))
    let words =
      "http://other/shop could not be asked for it: http://other/shop cannot be reached: no route to it."
    #expect(conflict.details.notes.contains { $0.hasPrefix(words) })
    let report = Privacy.redacted(by: RedactionKey()).notes(of: conflict).joined()
    #expect(report.contains(" could not be asked for it: #") && !report.contains("shop"), "\(report)")
  }

  @Test(
    arguments: [
      ("0", 0), ("-5", 0), ("30", 30), ("86400", 86400), ("Fri, 20 Nov 2026 13:00:30 GMT", 30),
      ("Fri, 20 Nov 2026 12:00:00 GMT", 0), ("Sat, 21 Nov 2026 13:00:00 GMT", 86400), ("soon", nil),
    ] as [(String, Int?)])
  func theTimeToAskAgainIsANumberOrADate(text: String, seconds: Int?) {
    // 2026-11-20 13:00 UTC.
    #expect(RetryAfter.seconds(text, now: Date(timeIntervalSince1970: 1_795_179_600)) == seconds)
  }

  @Test func aWaitThatIsTooLongIsTold() throws {
    bench.server.faults.add(Fault(.answer(status: 429, headers: [(name: "Retry-After", value: "86400")])))
    #expect(throws: StoreError.server(path: bench.url, .busy(seconds: 86400))) { try bench.open() }
  }

  @Test func whatAValidationFunctionSaysEndsWithOneFullStop() throws {
    try graft()
    try bench.database.setValidation { _ throws(ValidationRefusal) in throw .forbidden("Not by night.") }
    let outcome = try #require(try write().first)
    let words = CheckedWrite(id: "d", title: "d", outcome: outcome).words(fine: nil)
    #expect(words == "d was refused: Not by night. Nothing of it was written; decide it otherwise.")
  }
}
