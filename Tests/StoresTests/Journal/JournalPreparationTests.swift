import Dispatch
import Foundation
import GRDB
import Merging
import Synchronization
import Testing

@testable import Journals
@testable import RowJournals
@testable import SQLiteDataStores
@testable import SQLiteFiles
@testable import StoreInterface

/// What takes long of a journal of an older Parley is done once, before anybody waits for it.
struct JournalPreparationTests {
  let folder: TestFolder
  var path: String { folder.path("Reminders.parley.sqlite") }
  static let decision = Decision(
    id: "a:b", subject: .record, choice: .take(.client), fingerprint: "00ff", decidedAt: 1)

  /// The steps that were taken, by whomever.
  private let steps = Counter()

  init() throws {
    folder = try TestFolder()
  }

  static let records = 10

  /// With enough to fill many pages, so that there is space to give back.
  private func makeOld(version: Int) throws {
    let journal = Journal(path: path, clock: { Demo.now })
    try journal.append([Self.decision])
    let changes = (0..<Self.records).map { number in
      RecordChanges(
        record: "\(number):reminders", title: "Reminder \(number)",
        changes: [
          StoredChange(
            file: .app, table: "reminders", key: ["id": .integer(Int64(number))],
            before: ["title": .text(String(repeating: "before \(number) ", count: 999))],
            after: ["title": .text("after")])
        ])
    }
    var intent = journal.intent(undoes: nil, note: nil)
    for change in changes { try intent.append(change) }
    try journal.finish(try #require(try intent.flush()))
    journal.close()
    try OldJournal.make(path, version: version)
  }

  /// As it is used, with its steps counted.
  ///
  /// - Parameter failure: of the first try, in the file itself; the second one makes the copy that is read.
  private func open(failure: StoreError? = nil) -> Journal {
    let ladder = OldJournals.ladder.map { step -> JournalStep in
      { [steps] db, tell in
        steps.count()
        try step(db, tell)
        if let failure, steps.value == 1 { throw failure }
      }
    }
    return Journal(
      path: path, owner: JournalOwner(kind: "SQLiteData", database: "Reminders.sqlite"),
      reading: PayloadReading(old: OldVersions(ladder: ladder) { _ in nil }) { _ in WrittenChanges() },
      clock: { Demo.now })
  }

  private func version() throws -> Int {
    let queue = try DatabaseQueue(path: path)
    defer { try? queue.close() }
    return try queue.read { try JournalSchema.found(in: $0) }
  }

  @Test(arguments: [0, 3]) func aDatabaseThatIsNoJournalStaysAsItIs(version: Int) throws {
    let queue = try DatabaseQueue(path: path)
    try queue.write { try $0.execute(sql: "CREATE TABLE theirs (a); PRAGMA user_version = \(version)") }
    try queue.close()
    try FileManager.default.setAttributes([.posixPermissions: 0o644], ofItemAtPath: path)
    let before = try folder.contents()
    let unusable = StoreError.journalUnusable(path: path, detail: "it is not a journal of Parley")
    #expect(throws: unusable) { try open().prepare() }
    #expect(throws: unusable) { try open().append([Self.decision]) }
    #expect(try folder.contents() == before)
    let rights = try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int
    #expect(rights == 0o644)
  }

  @Test(arguments: [1, 2, 3, 4]) func itIsBroughtUpOnceAndItsSpaceIsGivenBack(version: Int) throws {
    try makeOld(version: version)
    let journal = open()
    try journal.prepare()
    #expect(steps.value == 4 - version)
    #expect(try journal.decisions(for: ["a:b"]) == [Self.decision])
    #expect(try journal.entries(limit: 999).count == Self.records + 1)
    var other = Self.decision
    other.id = "a:c"
    try journal.append([other])
    journal.close()
    let later = open()
    try later.prepare()
    #expect(try later.entries(limit: 999).count == Self.records + 2)
    #expect(steps.value == 4 - version && journal.notices.isEmpty && later.notices.isEmpty)
    later.close()
    #expect(try folder.contents().keys.sorted() == ["Reminders.parley.sqlite"])
    let free = try DatabaseQueue(path: path).read { try Int.fetchOne($0, sql: "PRAGMA freelist_count") }
    #expect(free == 0)
  }

  /// A reading command may be the first: it tells whose the journal is no more than it was told.
  @Test func whoOnlyPreparesClaimsNothing() throws {
    try makeOld(version: 2)
    let journal = open()
    try journal.prepare()
    let owner = try journal.read(or: nil) { try JournalOwner.told(in: $0)?.owner.file }
    #expect(owner == "")
  }

  @Test func whatIsThereIsNotTouchedAndWhatIsNotIsNotMade() throws {
    try open().prepare()
    #expect(try folder.contents().isEmpty)
    try open().append([Self.decision])
    let files = try folder.contents()
    try open().prepare()
    #expect(try folder.contents() == files && steps.value == 0)
  }

  @Test func whoeverComesMeanwhileWaitsAndFindsItDone() throws {
    try makeOld(version: 2)
    DispatchQueue.concurrentPerform(iterations: 4) { _ in
      let journal = open()
      #expect(throws: Never.self) { try journal.prepare() }
      #expect((try? journal.entries(limit: 999).count) == Self.records + 1)
      #expect(journal.notices.isEmpty)
    }
    #expect(steps.value == 2)
  }

  @Test func howFarItIsIsToldAndItCanBeStopped() throws {
    try makeOld(version: 2)
    let files = try folder.contents()
    let told = Mutex<[StoreCall.Progress]>([])
    let stopped = StoreCall(
      isWanted: { told.withLock { $0.count < Self.records * 3 / 2 } },
      hear: { progress in told.withLock { $0.append(progress) } })
    #expect(throws: StoreError.stopped(path: path)) { try stopped.answered { try open().prepare() } }
    #expect(try version() == 2)
    told.withLock { $0 = [] }
    let heard = StoreCall(hear: { progress in told.withLock { $0.append(progress) } })
    try heard.answered { try open().prepare() }
    let shares = told.withLock { $0.map { Double($0.done) / Double($0.all) } }
    #expect(shares.count == Self.records * 2 && shares == shares.sorted() && shares.last == 1, "\(shares)")
    #expect(try files != folder.contents())
  }

  /// Where it may not be written, or the disk is full.
  @Test(arguments: [StoreError.journalFull(path: "j"), .journalForbidden(path: "j", detail: "d")])
  func whatCannotBeBroughtUpIsReadAndTellsWhyNothingIsDecided(error: StoreError) throws {
    try makeOld(version: 3)
    let journal = open(failure: error)
    try journal.prepare()
    let taken = steps.value
    #expect(try journal.decisions(for: ["a:b"]) == [Self.decision])
    #expect(try journal.decisionsOfOthers().isEmpty)
    #expect(throws: error) { try journal.append([Self.decision]) }
    #expect(journal.notices == [.staysOld(path: path, error)])
    #expect(steps.value == taken, "nobody waits for it again")
    journal.close()
    #expect(try version() == 3)
  }

  /// Whose it is, is seen without bringing it up.
  @Test(arguments: [1, 2, 3]) func anOldJournalOfAnotherIsKnownAndLeftAlone(version: Int) throws {
    try makeOld(version: version)
    let files = try folder.contents()
    let kinds = ["SQLiteData", "Cloudant Sync"]
    for kind in kinds {
      let journal = Journal(
        kind: kind, database: folder.path("Reminders.sqlite"), reading: .ofRows, clock: { Demo.now })
      #expect((journal.path == path) == (kind == "SQLiteData"))
    }
    #expect(try folder.contents() == files)
  }
}

private final class Counter: Sendable {
  private let counted = Mutex(0)
  var value: Int { counted.withLock(\.self) }
  func count() { counted.withLock { $0 += 1 } }
}
