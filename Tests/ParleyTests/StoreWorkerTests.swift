import ExactJSON
import Foundation
import MemoryStores
import Merging
import StoreInterface
import Synchronization
import Testing

@testable import Desk
@testable import parley

/// What the desk's worker makes of a store, without a terminal.
struct StoreWorkerTests {
  private let store = MemoryStore(conflicts: [Samples.milk, Samples.dentist])

  private func write(_ conflict: RecordConflict) throws -> LastWrite {
    let draft = try #require(conflict.draft(conflict.accepting(.yours, in: Resolution())))
    #expect(
      try store.write([PlannedWrite(seen: conflict, draft: draft)], note: nil).map(\.outcome) == [.fine])
    return try #require(try store.lastWrite())
  }

  /// The first answer; how far it is, is none.
  private func answer(
    of store: MemoryStore? = nil, patience: Duration = .seconds(60), _ ask: (StoreWorker) -> Void
  ) throws -> DeskEvent {
    let inbox = try EventInbox()
    let worker = StoreWorker(store: store ?? self.store, inbox: inbox, patience: patience)
    ask(worker)
    var events: [DeskEvent] = []
    let deadline = ContinuousClock.now + .seconds(60)
    while events.isEmpty, .now < deadline {
      inbox.takeAll { if case .progressed = $0 {} else { events.append($0) } }
      sched_yield()
    }
    return try #require(events.first)
  }

  /// What others do between the first look and the first record would be told of by nobody.
  @Test func whatIsToBeWatchedIsLookedAtBeforeAnythingIsRead() throws {
    let store = WatchedStore([Samples.milk])
    StoreWorker(store: store, inbox: try EventInbox()).startWatching()
    #expect(store.glances == 1)
  }

  /// Who has a store open is in nobody's way for it.
  @Test func withEachGlanceTheStoreIsLetGo() throws {
    let store = WatchedStore([Samples.milk])
    let worker = StoreWorker(store: store, inbox: try EventInbox(), glancing: .milliseconds(1))
    worker.startWatching()
    let deadline = ContinuousClock.now + .seconds(60)
    while store.lettings < 2, .now < deadline { sched_yield() }
    #expect(store.lettings >= 2)
    withExtendedLifetime(worker) {}
  }

  /// To draw each of thousands of records would take longer than to write it.
  @Test func howFarLongWorkIsIsToldAtOnceAndThenNowAndThen() {
    let (pace, start) = (Pace(least: .milliseconds(40)), ContinuousClock.now)
    let told = [0, 1, 39, 40, 41, 79, 80, 200, 201].filter { pace.isDue(at: start + .milliseconds($0)) }
    #expect(told == [0, 40, 80, 200])
    // Behind the last one nothing is told until all is written.
    #expect([0, 1, 2].map { StoreCall.Progress(done: $0, all: 3).isLast } == [false, false, true])
  }

  @Test(arguments: [1, 2, 50]) func theFirstPageFillsTheScreenAndNoMore(rows: Int) throws {
    let conflicts = (0..<60).map { number in
      RecordConflict(
        id: "\(number):reminders", table: "reminders", primaryKey: "\(number)", title: "",
        fields: Samples.milk.fields.map(\.field),
        versions: Samples.milk.versions)
    }
    guard
      case .found(let page) = try answer(of: MemoryStore(conflicts: conflicts), { $0.startWalk(rows: rows) })
    else {
      Issue.record("the first answer is no page")
      return
    }
    #expect(page.summaries.count == rows)
  }

  /// Another Parley wrote after the screen had shown what would be taken back.
  @Test func onlyTheWriteThatWasShownIsTakenBack() throws {
    let shown = try write(Samples.milk)
    let newer = try write(Samples.dentist)
    for ask in [{ $0.checkUndo(shown) }, { $0.undoWrite(shown, of: nil) }] as [(StoreWorker) -> Void] {
      guard case .reviewFailed(let words) = try answer(ask) else {
        Issue.record("an older write was taken back, or looked at")
        return
      }
      #expect(
        words == "This is no longer the last write. Esc goes back, and u there takes back what was done last."
      )
      #expect(try store.lastWrite()?.id == newer.id)
    }
    guard case .undid(let undone) = try answer({ $0.undoWrite(newer, of: nil) }) else {
      Issue.record("the last write was not taken back")
      return
    }
    #expect(undone.map(\.id) == [Samples.dentist.id])
  }

  @Test func aPageThatTellsOfAWriteHearsWhichIsTheNewest() throws {
    for conflict in [Samples.milk, Samples.dentist] {
      let written = try write(conflict)
      guard
        case .newestWrite(let newest?, let standing) = try answer({ $0.readNewestWrite(beside: written.id) })
      else {
        Issue.record("no write was told")
        return
      }
      #expect(newest.id == written.id && standing == newest && newest.records == [conflict.id])
    }
  }

  private static let milk = NamedRecord(id: Samples.milk.id, title: "Milk")

  /// Of one record also where others were written since.
  @Test func anOlderWriteOfARecordIsTakenBackAlone() throws {
    _ = try write(Samples.milk)
    let newer = try write(Samples.dentist)
    guard case .lastWrite(let older?, alone: Self.milk) = try answer({ $0.readLastWrite(of: Self.milk) })
    else {
      Issue.record("the write was not found")
      return
    }
    #expect(older.isOlder && older.records.map(\.id) == [Samples.milk.id])
    guard case .checked(let checked, _) = try answer({ $0.checkUndo(older) }) else {
      Issue.record("it was not checked")
      return
    }
    #expect(checked.map(\.id) == [Samples.milk.id] && checked.allSatisfy { $0.outcome == .fine })
    var other = older
    other.records[0].changes.newRecords = ["written since"]
    guard case .reviewFailed = try answer({ $0.undoWrite(other, of: nil) }) else {
      Issue.record("another write than the one that was shown was taken back")
      return
    }
    guard case .undid(let undone) = try answer({ $0.undoWrite(older, of: nil) }) else {
      Issue.record("it was not taken back")
      return
    }
    #expect(undone.map(\.id) == [Samples.milk.id])
    #expect(try store.lastWrite()?.records.map(\.id) == newer.records.map(\.id))
    guard case .lastWrite(let last?, alone: Self.milk) = try answer({ $0.readLastWrite(of: Self.milk) })
    else {
      Issue.record("the last write was not told")
      return
    }
    #expect(!last.isOlder)
  }

  /// Each by itself; where one fails, what is behind it stays, and that is told.
  @Test func someOfAWriteAreTakenBack() throws {
    let newer = try write(Samples.milk)
    let ids = [Samples.milk.id]
    guard case .undid(let undone) = try answer({ $0.undoWrite(newer, of: ids) }) else {
      Issue.record("it was not taken back")
      return
    }
    #expect(undone.map(\.id) == ids && undone.allSatisfy { $0.outcome == .fine })
    #expect(try store.lastWrite() == nil)
  }

  /// About what was mended nothing may be decided, and the desk says what stays so.
  @Test func theLastWriteTellsWhetherAnythingIsDecidedAboutIt() throws {
    let id = try write(Samples.milk).id
    for isDecided in [false, true] {
      guard case .lastWrite(let last?, _) = try answer({ $0.readLastWrite(of: nil) }) else {
        Issue.record("no write was told")
        return
      }
      #expect(last.id == id && last.isDecided == isDecided)
      let subject = Subject.field("priority")
      try store.journal.append([
        Decision(
          id: Samples.milk.id, subject: subject, choice: .take(.server),
          fingerprint: Samples.milk.fingerprint(of: subject), decidedAt: 1)
      ])
    }
  }

  /// With what is decided in the journal, as the desk keeps it before it shows it.
  private func planned(_ conflict: RecordConflict, in store: (any ConflictStore)? = nil) throws -> Planned {
    let resolution = conflict.accepting(.yours, in: Resolution())
    let decisions = conflict.decisions(about: Array(resolution.choices.keys), in: resolution, at: 1)
    try store?.journal.append(decisions)
    return Planned(seen: conflict, draft: try #require(conflict.draft(resolution)))
  }

  /// It can be typed as it stands there.
  @Test func aWriteThatIsRefusedNamesTheStoreInWhatItOffers() throws {
    let opened = OpenedStore()
    opened.take(StoreRequest(path: "a b.sqlite", access: .writing))
    let held = MemoryStore(conflicts: [Samples.milk], readOnlyReason: "somebody holds it")
    let inbox = try EventInbox()
    let worker = StoreWorker(store: held, inbox: inbox, filling: opened.filling())
    worker.write([try planned(Samples.milk, in: held)], note: nil)
    let told = events(inbox) { if case .reviewFailed = $0 { true } else { false } }
    guard case .reviewFailed(let words)? = told.last else {
      Issue.record("it was written: \(told)")
      return
    }
    #expect(words.contains("parley resolve 'a b.sqlite' --export > FILE"), "\(words)")
  }

  @Test func whatCannotBeReadNamesTheStoreInWhatItOffers() throws {
    let opened = OpenedStore()
    opened.take(StoreRequest(path: "a b.sqlite", access: .writing))
    let held = WatchedStore([Samples.milk])
    held.fail(with: .readOnly(path: "a b.sqlite", reason: "somebody holds it"))
    let inbox = try EventInbox()
    let worker = StoreWorker(store: held, inbox: inbox, filling: opened.filling())
    worker.open(Samples.milk.id)
    let opening = events(inbox) { if case .openFailed = $0 { true } else { false } }
    worker.startWalk(rows: 1)
    let walking = events(inbox) { if case .walkFailed = $0 { true } else { false } }
    let told = (opening + walking).compactMap { event -> String? in
      switch event {
      case .openFailed(_, let words), .walkFailed(let words): words
      default: nil
      }
    }
    #expect(told.count == 2, "\(opening) \(walking)")
    #expect(told.allSatisfy { $0.contains("parley resolve 'a b.sqlite' --export > FILE") }, "\(told)")
  }

  /// The review asks for both at once, and shows what it showed before.
  @Test func whatAnInterruptedUndoTakesBackIsNotWrittenByTheSameKey() throws {
    let store = WatchedStore([Samples.milk, Samples.dentist])
    store.leave(
      InterruptedWrite(
        act: .undo, records: [.init(id: Samples.milk.id, title: "Milk", state: .complete)]))
    let inbox = try EventInbox()
    let worker = StoreWorker(store: store, inbox: inbox)
    let both = try [Samples.milk, Samples.dentist].map { try planned($0, in: store) }
    func written() throws -> [CheckedWrite.Outcome] {
      worker.finishInterrupted()
      worker.write(both, note: nil)
      var told: [CheckedWrite.Outcome]?
      let deadline = ContinuousClock.now + .seconds(60)
      while told == nil, .now < deadline {
        inbox.takeAll { if case .wrote(let outcomes) = $0 { told = outcomes.map(\.outcome) } }
        sched_yield()
      }
      return try #require(told)
    }
    let moved = CheckedWrite.Outcome.moved("an undo of it, which was interrupted, was finished just now")
    #expect(try written() == [moved, .fine])
    #expect(store.writtenDrafts.count == 1)
    #expect(try written().first == .fine, "once it was told, it is written as anything else")
  }

  /// As by another Parley, in the moment before the desk has heard of it.
  @Test func whatNobodyHasDecidedIsNotWritten() throws {
    let store = MemoryStore(conflicts: [Samples.milk])
    let told = try answer(of: store) { $0.write([try! planned(Samples.milk)], note: nil) }
    guard case .wrote(let outcomes) = told, case .moved? = outcomes.first?.outcome else {
      Issue.record("\(told)")
      return
    }
  }

  /// Nobody presses a key for that.
  @Test func whatNobodyAnsweredForIsToldAsInterrupted() throws {
    let dumb = MemoryStore(conflicts: [Samples.milk], rule: { _ in .notKnown("no answer came") })
    let inbox = try EventInbox()
    let worker = StoreWorker(store: dumb, inbox: inbox)
    worker.write([try planned(Samples.milk, in: dumb)], note: nil)
    var events: [String] = []
    let deadline = ContinuousClock.now + .seconds(60)
    while events.count < 2, .now < deadline {
      inbox.takeAll { event in
        switch event {
        case .wrote(let outcomes): events.append("wrote \(outcomes.count)")
        case .interrupted: events.append("interrupted")
        default: break
        }
      }
      sched_yield()
    }
    #expect(events == ["wrote 1", "interrupted"] || events == ["interrupted", "wrote 1"])
  }

  /// Waiting has an end for one record; what is about many is not cut off in silence.
  @Test func onlyWhatIsAboutOneRecordHasADeadline() throws {
    let late = StoreCall(deadline: .now)
    #expect(throws: StoreError.noAnswer(path: store.info.path)) {
      try late.answered { try store.conflict(Samples.milk.id) }
    }
    guard case .openFailed(_, let words) = try answer(patience: .zero, { $0.open(Samples.milk.id) }) else {
      Issue.record("it waited")
      return
    }
    #expect(words == StoreError.noAnswer(path: store.info.path).words)
    let ids = [Samples.milk.id, Samples.dentist.id]
    guard case .drafts(let drafts) = try answer(patience: .zero, { $0.readDrafts(ids) }) else {
      Issue.record("the drafts were not read")
      return
    }
    #expect(drafts.map(\.conflict.id) == ids)
  }

  /// What a part of a bulk act decides is in the journal when it is answered; what has moved is left alone.
  @Test func aPartOfABulkActIsKeptBeforeItIsAnswered() throws {
    let records = [Samples.milk, Samples.dentist].map { BulkRecord(DecidedConflict($0)) }
    let rules = BulkRules([.restToClient])
    let request = BulkRequest(act: 3, question: .work(.decide(records, rules), at: 7))
    guard case .bulk(let answered) = try answer({ $0.answer(request) }),
      case .worked(let result) = answered.content
    else {
      Issue.record("it was not done")
      return
    }
    let kept = try store.journal.decisions(for: records.map(\.id))
    #expect(Set(kept.map(\.id)) == Set(records.map(\.id)) && kept.allSatisfy { $0.decidedAt == 7 })
    #expect(result.changes.map(\.taken.count).reduce(0, +) == kept.count && result.moved == 0)
    // They are decided now, so the same again is about something else.
    guard case .bulk(let again) = try answer({ $0.answer(request) }),
      case .worked(let nothing) = again.content
    else { return }
    #expect(nothing.changes.isEmpty && nothing.moved == 2)
    #expect(try store.journal.decisions(for: records.map(\.id)) == kept)
  }

  /// What it says at the end would not have it.
  @Test func nothingIsDecidedBehindWhoHasLeftTheDesk() throws {
    let records = [Samples.milk, Samples.dentist].map { BulkRecord(DecidedConflict($0)) }
    let request = BulkRequest(
      act: 3, question: .work(.decide(records, BulkRules([.restToClient])), at: 7))
    // What is asked behind it is answered behind it.
    let event = try answer { worker in
      worker.stop()
      worker.answer(request)
      worker.readGivenUp()
    }
    guard case .givenUp = event else {
      Issue.record("it was done: \(event)")
      return
    }
    #expect(try store.journal.decisions(for: records.map(\.id)).isEmpty)
  }

  /// Asked again it knows who belongs there, and tells how each is decided by then; who is gone is left out.
  @Test func aFamilyIsToldAsItIsDecidedNow() throws {
    let known = [Samples.dentist.id, "nobody"].map {
      Relative(id: $0, kind: .child, of: Samples.milk.id, field: "list")
    }
    for relatives in [nil, known] {
      let event = try answer { $0.readFamily(Samples.milk.id, known: relatives) }
      guard case .family(let id, let members) = event else {
        Issue.record("it was not told")
        return
      }
      #expect(id == Samples.milk.id)
      #expect(members.map(\.id) == [id] + (relatives == nil ? [] : [Samples.dentist.id]))
    }
  }

  private func exported(_ format: ExportFormat) throws -> DeskEvent? {
    let records = [BulkRecord(DecidedConflict(Samples.milk))]
    return try answer { $0.export(records, BulkRules([.restToServer]), format) }
  }

  @Test func aStoreThatIsNotWrittenBySQLSaysSo() throws {
    guard case .notDone(let words)? = try exported(.sql) else {
      Issue.record("something was shown")
      return
    }
    #expect(words == "This store is not written by SQL.")
  }

  @Test func theJSONOfABulkActIsThatOfResolve() throws {
    guard case .exported(let page)? = try exported(.json) else {
      Issue.record("nothing was shown")
      return
    }
    #expect(page.title == "JSON of 1 draft" && page.holdsValues)
    #expect(page.paragraphs[0].contains("\"decided\"") && page.paragraphs[0].contains(Samples.milk.id))
    // It is read in lines, and copied as one.
    #expect(page.paragraphs[0].hasPrefix("{\n  \""), "\(page.paragraphs[0])")
    guard case .text(let copied, _)? = page.copied else {
      Issue.record("nothing is copied")
      return
    }
    #expect(copied.hasPrefix("{\"") && copied.hasSuffix("}\n") && copied.split(separator: "\n").count == 1)
    let texts = [page.paragraphs[0], String(copied.dropLast())]
    let values = try texts.map { try JSONValue(parsing: Array($0.utf8)) }
    #expect(values[0] == values[1])
    #expect(try store.journal.decisions(for: [Samples.milk.id]).isEmpty)
  }

  /// The one who leaves a check is not told of it; the one who stops a write is, of every record.
  @Test func aCheckThatIsLeftIsSilentAndAWriteThatIsStoppedIsNot() throws {
    let stop = Mutex<(@Sendable () -> Void)?>(nil)
    let stopping = MemoryStore(
      conflicts: [Samples.milk, Samples.dentist],
      rule: { _ in
        stop.withLock { $0 }?()
        return nil
      })
    let planned = try [Samples.milk, Samples.dentist].map { try self.planned($0, in: stopping) }
    let next = try answer(of: stopping) { worker in
      stop.withLock { $0 = { worker.stopReview() } }
      worker.check(planned)
      worker.readLastWrite(of: nil)
    }
    guard case .lastWrite = next else {
      Issue.record("a check was told that nobody waited for")
      return
    }
    let told = try answer(of: stopping) { worker in
      stop.withLock { $0 = { worker.stopReview() } }
      worker.write(planned, note: nil)
    }
    guard case .wrote(let results) = told else {
      Issue.record("what became of the write was not told")
      return
    }
    #expect(results.map(\.outcome) == [.fine, .notReached("it was stopped")])
  }

  /// What the worker tells until `isLast`.
  private func events(_ inbox: EventInbox, until isLast: (DeskEvent) -> Bool) -> [DeskEvent] {
    var events: [DeskEvent] = []
    let deadline = ContinuousClock.now + .seconds(60)
    while !events.contains(where: isLast), .now < deadline {
      inbox.takeAll { events.append($0) }
      sched_yield()
    }
    return events
  }

  @Test func aServerThatIsWaitedForIsTold() throws {
    let waiter = StoreCall.Waiter()
    let silent = MemoryStore(
      conflicts: [Samples.milk],
      rule: { _ in
        waiter.waits(.seconds(12), of: 60)
        waiter.isAnswered()
        return nil
      })
    let inbox = try EventInbox()
    StoreWorker(store: silent, inbox: inbox).check([try planned(Samples.milk)])
    let told = events(inbox) { if case .checked = $0 { true } else { false } }
    let waits = told.compactMap {
      if case .waits(let wait, .page) = $0 { wait.map { "\($0)" } ?? "over" } else { nil }
    }
    #expect(waits == ["Wait(seconds: 12, most: 60)", "over"])
  }

  /// Also what is asked behind it.
  @Test func whoHasEnoughOfWaitingIsToldThatItWasStopped() throws {
    let (begun, leave) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
    let slow = MemoryStore(
      conflicts: [Samples.milk],
      rule: { _ in
        begun.signal()
        leave.wait()
        return nil
      })
    let inbox = try EventInbox()
    let worker = StoreWorker(store: slow, inbox: inbox)
    worker.judge(try planned(Samples.milk), "title")
    begun.wait()
    worker.open(Samples.milk.id)
    worker.stopWaiting()
    leave.signal()
    let told = events(inbox) { if case .openFailed = $0 { true } else { false } }
    guard case .openFailed(_, let words)? = told.last else {
      Issue.record("it was not stopped: \(told)")
      return
    }
    #expect(words == StoreError.stopped(path: slow.info.path).words)
  }
}
