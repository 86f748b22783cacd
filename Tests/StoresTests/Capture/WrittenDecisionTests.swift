import MemoryStores
import Merging
import Synchronization
import TerminalTestSupport
import Testing

@testable import KeyedArchives
@testable import SQLiteDataStores
@testable import StoreInterface

/// Both set a field once more to what they had set it to before: a flag, say. What was decided and written is past by then.
@Suite struct WrittenDecisionTests {
  private let folder: TestFolder
  private let app: PlayedApp
  private static let milk = "1:notes"

  init() throws {
    folder = try TestFolder()
    app = try PlayedApp(in: folder)
    try app.capture()
  }

  private static func record(_ tag: String, _ time: Int64, _ title: String) -> ArchivedRecord {
    .sample(
      milk, tag: tag, serverTime: time,
      ["id": (.string("1"), 10), "title": (.string(title), time), "body": (.string("1 l"), 10)])
  }

  private func store(_ route: WriteRoute, at time: Int64) throws -> SQLiteDataStore {
    try SQLiteDataStore.open(path: app.path, access: .writing, route: route, clock: { time })
  }

  /// The server has Milk, then each sets another title.
  private func clash(on app: PlayedApp, _ tags: [String], at time: Int64) throws {
    try app.receive(Self.record(tags[0], time, "Milk"), at: time)
    try app.edit(at: time + 10, "UPDATE notes SET title = 'Soy milk'")
    try app.receive(Self.record(tags[1], time + 20, "Oat milk"), at: time + 30)
  }

  private func decideAndWrite(_ route: WriteRoute, at time: Int64) throws {
    let store = try store(route, at: time)
    let conflict = try store.conflict(Self.milk)
    let resolution = Resolution(choices: [.field("title"): .take(.server)])
    try store.journal.append(conflict.decisions(about: [.field("title")], in: resolution, at: time - 1))
    let planned = try #require(try plan(Self.milk, in: store, resolution.choices))
    #expect(try store.write([planned], note: nil).map(\.outcome) == [.fine])
  }

  private func undecided(_ route: WriteRoute, at time: Int64) throws -> Int? {
    try summaries(of: store(route, at: time)).first { $0.id == Self.milk }?.undecided
  }

  @Test(arguments: WriteRoute.allCases) func whatIsThereAgainIsToDecideAgain(route: WriteRoute) throws {
    try clash(on: app, ["a", "b"], at: 100)
    #expect(try undecided(route, at: 200) == 1)
    if route == .direct { try app.close() }
    try decideAndWrite(route, at: 210)
    let again = route == .direct ? try PlayedApp(path: app.path) : app
    if route == .direct { try again.capture() } else { try again.drainOutbox(at: 250) }
    try clash(on: again, ["c", "d"], at: 300)
    #expect(try undecided(route, at: 400) == 1)
  }

  /// A draft waits, or the app has not taken it: that is the conflict which was decided.
  @Test func whatWasNotTakenOverIsStillDecided() throws {
    try clash(on: app, ["a", "b"], at: 100)
    try decideAndWrite(.outbox, at: 210)
    #expect(try undecided(.outbox, at: 220) == 0)
    try app.edit(at: 230, "DELETE FROM parley_outbox")
    #expect(try undecided(.outbox, at: 240) == 0)
  }

  private static func conflict(
    _ details: RecordConflict.Details, server: String = "Oat milk"
  ) -> RecordConflict {
    func title(_ text: String) -> RecordVersion {
      .present([
        "title": FieldVersion(.text(text), time: nil),
        "body": FieldVersion(.text("1 l of it: \(text)"), time: nil),
      ])
    }
    return RecordConflict(
      id: milk, table: "notes", primaryKey: "1", title: "Milk",
      fields: [Field("title", kind: .text), Field("body", kind: .text)],
      versions: ThreeWay(ancestor: title("Milk"), client: title("Soy milk"), server: title(server)),
      details: details)
  }

  private static func document(_ ids: String...) -> RecordConflict {
    let made = conflict(.init())
    let versions = [.client, .server, .ancestor].map { made.version($0) }
    let leaves = zip(ids, versions).map { Leaf(id: $0, isDeleted: false, version: $1) }
    return conflict(.init(leaves: leaves))
  }

  private static func decisions(_ conflict: RecordConflict, _ written: Decision.Written) -> [Decision] {
    let resolution = Resolution(choices: [.field("title"): .take(.server)])
    return conflict.decisions(about: [.field("title")], in: resolution, at: 1).map {
      var decision = $0
      decision.written = written
      return decision
    }
  }

  /// The server's version tells which conflict of a record it is, whatever any clock said; of a deletion, which has no tag, the moment at
  /// which it came in; of a document its leaves. What was not written is still to be, as before.
  @Test(arguments: [
    (conflict(.init(serverTag: "b", receivedAt: 9)), conflict(.init(serverTag: "d", receivedAt: 1))),
    (conflict(.init(receivedAt: 9)), conflict(.init(receivedAt: 1))),
    (document("3-a", "3-b"), document("7-c", "7-d")),
  ]) func whatTheServerHasTellsItApart(first: RecordConflict, second: RecordConflict) {
    let (written, open) = (Self.decisions(first, .yes), Self.decisions(first, .no))
    #expect(first.judged(written).resolution.choices.count == 1)
    #expect(second.judged(written) == JudgedDecisions())
    #expect(second.judged(open).resolution.choices.count == 1)
  }

  /// Where the store knows what waits beside it, what was decided about anything else was about a conflict that is over.
  @Test(arguments: [
    (conflict(.init(serverTag: "b")), Value.text("b")), (conflict(.init(receivedAt: 9)), .integer(9)),
  ]) func whatWasNotWrittenIsOfWhatStillWaits(first: RecordConflict, version: Value) {
    var second = Self.conflict(.init(serverTag: "d"))
    let open = Self.decisions(first, .no)
    second.details.cameBefore = CameBefore([.text("c"), version])
    #expect(second.judged(open).resolution.choices.count == 1 && second.judged(open).outdated.isEmpty)
    second.details.cameBefore = CameBefore([.text("c"), .integer(8)])
    #expect(second.judged(open).resolution.isEmpty && second.judged(open).outdated == open)
    let older = open.map {
      var decision = $0
      decision.fingerprint = Fingerprint(subject: $0.fingerprint.subject, record: $0.fingerprint.record)
      return decision
    }
    #expect(second.judged(older).resolution.choices.count == 1)
  }

  /// Each that came in before has an archive, and hardly any decision is about another of them.
  @Test func whatCameInBeforeIsLookedAtForADecisionAboutAnotherAlone() {
    let asked = Mutex(0)
    var now = Self.conflict(.init(serverTag: "d"))
    now.details.cameBefore = CameBefore(
      asked.withLock {
        $0 += 1
        return [.text("b")]
      })
    let (own, others) = (Self.decisions(now, .no), Self.decisions(Self.conflict(.init(serverTag: "b")), .no))
    #expect(now.judged(own).resolution.choices.count == 1 && asked.withLock { $0 } == 0)
    #expect(now.judged(others).resolution.choices.count == 1 && asked.withLock { $0 } == 1)
  }

  /// The same version with a new tag is the same conflict; one that came in after the app itself has settled that is not, be all values the
  /// same again.
  @Test func whatWasNotWrittenIsOverWithItsConflict() throws {
    try clash(on: app, ["a", "b"], at: 100)
    let store = try store(.outbox, at: 200)
    let resolution = Resolution(choices: [.field("title"): .take(.server)])
    let seen = try store.conflict(Self.milk)
    try store.journal.append(seen.decisions(about: [.field("title")], in: resolution, at: 199))
    try app.receive(Self.record("bb", 140, "Oat milk"), at: 150)
    #expect(try app.rows("SELECT 1 FROM parley_inbox").count == 2)
    #expect(try undecided(.outbox, at: 210) == 0)
    try app.upload(Self.milk, tag: "x", at: 250)
    try app.inTransaction {
      try $0.execute(sql: "DELETE FROM parley_inbox; DELETE FROM parley_unsent")
    }
    try clash(on: app, ["c", "d"], at: 300)
    let later = try self.store(.outbox, at: 400).conflict(Self.milk)
    #expect(later.fingerprint(of: .field("title")) == seen.fingerprint(of: .field("title")))
    #expect(try undecided(.outbox, at: 400) == 1)
    #expect(try summaries(of: self.store(.outbox, at: 400)).first?.outdated == 1)
  }

  /// It is told that it holds no longer, as nobody knows whether it was written.
  @Test func whatMayBeWrittenHoldsForItsOwnConflictAlone() throws {
    let (first, second) = (Self.conflict(.init(serverTag: "b")), Self.conflict(.init(serverTag: "d")))
    let left = Self.decisions(first, .perhaps)
    #expect(first.judged(left).resolution.choices.count == 1)
    #expect(second.judged(left).resolution.isEmpty && second.judged(left).outdated == left)
  }

  /// The app fetches the same version once more while a draft waits, or has not taken it.
  @Test func theSameVersionIsTheSameConflict() {
    let first = Self.conflict(.init(serverTag: "b", receivedAt: 1))
    let again = Self.conflict(.init(serverTag: "b", receivedAt: 9))
    #expect(again.judged(Self.decisions(first, .yes)).resolution.choices.count == 1)
  }

  /// Two wait, with the same values. What is decided about the one after the other decides nothing of that.
  @Test func eachOfTwoKeepsWhatWasDecidedAboutIt() {
    let (first, second) = (Self.conflict(.init(serverTag: "b")), Self.conflict(.init(serverTag: "d")))
    let ofFirst = first.decisions(
      about: [.field("title")], in: Resolution(choices: [.field("title"): .take(.client)]), at: 2)
    let all = Self.decisions(second, .no) + ofFirst
    #expect(second.judged(all).resolution[.field("title")] == .take(.server))
    #expect(first.judged(all).resolution[.field("title")] == .take(.client))
  }

  /// It was told to hold no longer, and so held up the other one. What may be written, and what is of no conflict that waits, still does.
  @Test func whatWasDecidedAboutOneThatWaitsIsNotOutdated() {
    let first = Self.conflict(.init(serverTag: "b"))
    let open = Self.decisions(first, .no)
    let alone = Self.conflict(.init(serverTag: "d"), server: "Rice milk")
    var second = alone
    second.details.earlier = Set(open.map(\.fingerprint.conflict))
    let judged = second.judged(open)
    #expect(judged.resolution.isEmpty && judged.outdated.isEmpty && judged.kept == open)
    #expect(alone.judged(open).outdated == open && alone.judged(open).kept.isEmpty)
    let perhaps = Self.decisions(first, .perhaps)
    #expect(second.judged(perhaps).outdated == perhaps)
    let whole = first.decisions(
      about: [.record], in: Resolution(choices: [.record: .take(.server)]), at: 1)
    #expect(second.judged(whole).outdated == whole)
    #expect(second.judged(open + Self.decision(second, "title", nil)).kept.isEmpty)
    #expect(second.judged(open + Self.decision(second, "title", .client)).kept == open)
  }

  /// That one was written, and taken back again: `--forget` takes back what is decided about each.
  @Test func soItIsWhereTheOtherWasDecidedBefore() {
    let first = Self.conflict(.init(serverTag: "b"))
    var second = Self.conflict(.init(serverTag: "d"), server: "Rice milk")
    let whole = first.decisions(
      about: [.record], in: Resolution(choices: [.record: .take(.server)]), at: 1)
    for open in [Self.decisions(first, .no), whole] {
      second.details.earlier = Set(open.map(\.fingerprint.conflict))
      let judged = second.judged(Self.decision(second, "title", .client) + open)
      #expect(judged.kept == open && judged.outdated.isEmpty)
      #expect(judged.resolution[.field("title")] == .take(.client))
    }
  }

  @Test func theJournalHasWhatWasDecidedAboutEach() throws {
    let journal = try store(.outbox, at: 1).journal
    let (first, second) = (Self.conflict(.init(serverTag: "b")), Self.conflict(.init(serverTag: "d")))
    for (conflict, side) in [(second, Side.server), (first, .server), (first, .server), (first, .client)] {
      try journal.append(Self.decision(conflict, "title", side))
    }
    let kept = try journal.decisions(for: [Self.milk])
    #expect(second.judged(kept).resolution[.field("title")] == .take(.server))
    #expect(first.judged(kept).resolution[.field("title")] == .take(.client))
  }

  private static func decision(_ conflict: RecordConflict, _ field: String, _ side: Side?) -> [Decision] {
    let choices = side.map { [Subject.field(field): Choice.take($0)] } ?? [:]
    return conflict.decisions(about: [.field(field)], in: Resolution(choices: choices), at: 1)
  }

  /// What was decided about the other one in between would decide another field.
  @Test func whatIsDecidedOnceMoreLetsNothingOfAnotherIn() throws {
    let (first, second) = (Self.conflict(.init(serverTag: "b")), Self.conflict(.init(serverTag: "d")))
    let acts = [(first, "title", Side.client), (second, "body", .server), (first, "title", .server)]
    for journal in [try store(.outbox, at: 1).journal, MemoryJournal()] as [any DecisionJournal] {
      for (conflict, field, side) in acts { try journal.append(Self.decision(conflict, field, side)) }
      let kept = try journal.decisions(for: [Self.milk])
      #expect(first.judged(kept).resolution.choices == [.field("title"): .take(.server)])
      #expect(second.judged(kept).resolution[.field("body")] == .take(.server))
    }
  }

  /// A law: what a journal hands out says what all that it has says, of each conflict: what is in force, what holds no longer, and what
  /// those that wait beside it keep.
  @Test func whatIsHandedOutSaysAllThatIsInForce() throws {
    var conflicts = ["b", "d", "f"].map { Self.conflict(.init(serverTag: $0)) }
    for place in conflicts.indices {
      conflicts[place].details.earlier = Set(
        conflicts[..<place].flatMap { Self.decision($0, "title", .client) }.map(\.fingerprint.conflict))
    }
    let each = conflicts.map { conflict in
      [Subject.record, .field("title"), .field("body")].flatMap { subject in
        [Side?.some(.client), .server, nil].flatMap { side in
          let choices = side.map { [subject: Choice.take($0)] } ?? [:]
          return conflict.decisions(about: [subject], in: Resolution(choices: choices), at: 1)
        }
      }
    }
    var random = FixedRandom(state: 7)
    for _ in 0..<1_000 {
      let all = (0..<Int.random(in: 2...8, using: &random)).compactMap { _ in
        each.randomElement(using: &random)?.randomElement(using: &random)
      }
      let journal = MemoryJournal()
      for decision in all { try journal.append([decision]) }
      let kept = try journal.decisions(for: [Self.milk])
      for conflict in conflicts {
        let (told, whole) = (conflict.judged(kept), conflict.judged(all))
        #expect(told.resolution == whole.resolution, "\(all)")
        // What is decided once more alike is not kept again, and so not the last.
        for (some, others) in [(told.kept, whole.kept), (told.outdated, whole.outdated)] {
          #expect(Set(some.map(\.subject)) == Set(others.map(\.subject)), "\(all)")
        }
      }
    }
  }

  /// `--forget` says that all is taken back, and the other one may be listed next.
  @Test func whatIsTakenBackIsSoOfTheOneThatWaitsBesideIt() throws {
    let (first, second) = (Self.conflict(.init(serverTag: "b")), Self.conflict(.init(serverTag: "d")))
    let all = [(first, Side?.some(.server)), (second, .client), (second, nil)].flatMap {
      Self.decision($0, "title", $1)
    }
    #expect(first.judged(all).resolution.isEmpty && second.judged(all).resolution.isEmpty)
    #expect(all.standing.isEmpty && all.dropLast().standing.count == 1)
    #expect(first.judged(all + Self.decision(first, "title", .client)).resolution.choices.count == 1)
    let journal = try store(.outbox, at: 1).journal
    for decision in all + Self.decision(second, "title", .client) { try journal.append([decision]) }
    let kept = try journal.decisions(for: [Self.milk])
    #expect(first.judged(kept).resolution.isEmpty && second.judged(kept).resolution.choices.count == 1)
  }

  /// Its leaves come and go, and it is one conflict: what was decided last counts, also once they are those of before.
  @Test func ofADocumentTheLastDecisionCountsWhateverLeavesItHad() {
    let (two, three) = (Self.document("2-a", "2-b"), Self.document("2-a", "2-b", "2-c"))
    let before = Self.decision(two, "title", .server)
    #expect(two.judged(before + Self.decision(three, "title", nil)).resolution.isEmpty)
    let edited = three.decisions(
      about: [.field("title")], in: Resolution(choices: [.field("title"): .edit(.text("Rice milk"))]), at: 2)
    let judged = two.judged(before + edited)
    #expect(judged.resolution.isEmpty && judged.outdated == edited)
  }

  /// The one of which it still holds may have been decided alike, with another note.
  @Test func eachIsExportedAsItWasDecided() {
    let (first, second) = (Self.conflict(.init(serverTag: "b")), Self.conflict(.init(serverTag: "d")))
    let all = Self.decision(second, "title", .server) + Self.decision(first, "title", .server)
    #expect(second.own(of: all) == Self.decision(second, "title", .server))
    #expect(first.own(of: all).last == all.last)
  }

  /// The app would have applied it over that.
  @Test func whatIsWrittenWithoutTheOutboxReplacesADraftThatWaits() throws {
    try clash(on: app, ["a", "b"], at: 100)
    try decideAndWrite(.outbox, at: 210)
    try app.receive(Self.record("c", 220, "Rice milk"), at: 230)
    try app.close()
    try decideAndWrite(.direct, at: 240)
    let again = try PlayedApp(path: app.path)
    #expect(try again.rows("SELECT id FROM parley_outbox WHERE appliedAt IS NULL").isEmpty)
    try again.close()
    let store = try store(.direct, at: 250)
    #expect(try store.undoLastWrite().map(\.outcome) == [.fine])
    let back = try PlayedApp(path: app.path)
    #expect(try back.rows("SELECT id FROM parley_outbox WHERE appliedAt IS NULL").count == 1)
  }

  /// Of which an earlier Parley did not keep what it was about.
  @Test func anOlderDecisionThatWasWrittenIsPast() throws {
    let conflict = Self.conflict(.init(serverTag: "b"))
    var old = try #require(Self.decisions(conflict, .yes).first)
    old.fingerprint = Fingerprint(subject: old.fingerprint.subject, record: old.fingerprint.record)
    #expect(conflict.judged([old]) == JudgedDecisions())
    old.written = .no
    #expect(conflict.judged([old]).resolution.choices.count == 1)
  }
}
