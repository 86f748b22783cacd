import Merging
import Testing

@testable import Journals
@testable import SQLiteDataStores
@testable import SQLiteFiles
@testable import StoreInterface

struct UndoTests {
  let folder: TestFolder
  let store: SQLiteDataStore
  let files: StoreFilesInspector

  init() throws {
    folder = try TestFolder()
    let path = try Demo.make(in: folder)
    store = try SQLiteDataStore.open(path: path, access: .writing, clock: { WriteTests.time })
    files = try StoreFilesInspector(path)
  }

  private func write(_ ids: [String], _ choices: [Subject: Choice] = [:]) throws {
    let planned = try ids.map { try #require(try plan($0, in: store, choices)) }
    #expect(try store.write(planned, note: nil).allSatisfy { $0.outcome == .fine })
  }

  @Test(arguments: [Side.client, .server])
  func undoBringsBackEveryRowOfEveryTable(side: Side) throws {
    let before = try files.dump()
    try write([Demo.reminder(91), Demo.reminder(92)], [.record: .take(side)])
    try write([42, 29, 24, 30].map(Demo.reminder), [.field("cover"): .take(.client)])
    #expect(try store.undoLastWrite().map(\.outcome) == [.fine, .fine, .fine, .fine])
    #expect(try store.undoLastWrite().map(\.id) == [Demo.reminder(91), Demo.reminder(92)])
    #expect(try files.dump() == before)
    #expect(throws: StoreError.nothingToUndo) { try store.undoLastWrite() }
  }

  /// A parent comes back before its children, whichever is named first, as with all of a write.
  @Test func someOfAWriteAreTakenBackTogether() throws {
    let before = try files.dump()
    let family = ["\(Demo.key(4)):remindersLists"] + [26, 13, 12, 16].map(Demo.reminder)
    let ids = [Demo.reminder(42)] + family
    let planned = try ids.map { id in
      try #require(try plan(id, in: store, id == ids[0] ? [:] : [.record: .alternative("delete")]))
    }
    #expect(try store.write(planned, note: nil).allSatisfy { $0.outcome == .fine })
    let some = Array(family.reversed())
    #expect(try store.checkUndo(.records(some)).map(\.checked.outcome) == some.map { _ in .fine })
    let undone = try store.undo(.records(some))
    #expect(undone.map(\.id) == some && undone.allSatisfy { $0.outcome == .fine }, "\(undone)")
    #expect(try store.journal.entries(limit: 9).filter { $0.kind == .undo }.count == some.count)
    #expect(try store.undoLastWrite().map(\.id) == [ids[0]])
    #expect(try files.dump() == before)
  }

  /// Each is called as it was, and not by its key.
  @Test func ofSeveralWritesThoseBehindOneThatFailsAreToldAsNotReached() throws {
    let ids = [12, 13, 42].map(Demo.reminder)
    for id in ids { try write([id]) }
    let names = ids + [Demo.reminder(7)]
    let titles = try ids.map { try #require(try store.journal.history(of: $0).compactMap(\.title).first) }
    let outcomes = try store.log.undo(.records(names)) { write in
      if write.records[0].id == ids[1] { throw StoreError.stopped(path: "") }
      return write.records.map { CheckedWrite($0.label, outcome: .fine) }
    }
    let stopped = CheckedWrite.Outcome.notReached("it was stopped")
    #expect(outcomes.map(\.id) == names && outcomes.map(\.title).prefix(3) == titles[...])
    #expect(outcomes.prefix(3).map(\.outcome) == [stopped, stopped, .fine])
    #expect(outcomes.last?.outcome == .refused(field: nil, "there is no write of it to take back"))
  }

  /// A list was taken away after its reminders: as it is now they cannot come back. Where the writes cannot be tried one behind the
  /// other, as one of them is an import, nobody knows.
  @Test func ofSeveralWritesAPreviewTellsWhatHangsOnTheLaterWhereItCanBeTried() throws {
    let before = try files.dump()
    let (list, child) = ("\(Demo.key(4)):remindersLists", Demo.reminder(26))
    let others = [13, 12, 16].map(Demo.reminder)
    try write([child] + others, [.record: .alternative("delete")])
    try write([list], [.record: .alternative("delete")])
    #expect(try store.checkUndo(.records([child, list])).map(\.checked.outcome) == [.fine, .fine])
    let told = try store.log.checkUndo(.records([child, list]), in: "") {
      try store.takeBack($0, isRehearsal: true)
    }.map(\.checked.outcome)
    guard case .notKnown(let why) = told[0], told[1] == .fine else {
      Issue.record("\(told)")
      return
    }
    #expect(why.hasPrefix("what was written later is taken back first"))
    #expect(try store.undo(.records([child, list])).map(\.outcome) == [.fine, .fine])
    #expect(try store.undo(.records(others)).map(\.outcome) == [.fine, .fine, .fine])
    #expect(try files.dump() == before)
  }

  /// The later one has moved and stays, so there is nothing for which the earlier could wait.
  @Test func ofSeveralWritesOfWhichNoneComesBackAPreviewTellsWhatTheUndoDoes() throws {
    let names = [12, 13].map(Demo.reminder)
    for name in names { try write([name]) }
    try files.run("UPDATE reminders SET notes = 'Rye' WHERE id IN ('\(Demo.key(12))', '\(Demo.key(13))')")
    let told = try store.checkUndo(.records(names)).map(\.checked)
    let moved = CheckedWrite.Outcome.moved("the row changed since it was written")
    #expect(told.map(\.outcome) == [moved, moved])
    #expect(try store.undo(.records(names)).map(\.outcome) == told.map(\.outcome))
  }

  /// It was told as not known, which the undo then knew: the later one that comes back is nothing to it.
  @Test func ofSeveralWritesOneThatStaysMovedBesideALaterOneIsToldAsThat() throws {
    let names = [12, 13].map(Demo.reminder)
    for name in names { try write([name]) }
    try files.run("UPDATE reminders SET notes = 'Rye' WHERE id = '\(Demo.key(12))'")
    let before = try files.dump()
    let told = try store.checkUndo(.records(names)).map(\.checked.outcome)
    #expect(told == [.moved("the row changed since it was written"), .fine])
    #expect(try files.dump() == before)
    #expect(try store.undo(.records(names)).map(\.outcome) == told)
  }

  /// Before the take-back a person reads what lists are called, as in the review, and not their keys.
  @Test func whatAKeyPointsToIsTold() throws {
    try write(
      [Demo.reminder(42)], ["title", "remindersListID"].reduce(into: [:]) { $0[.field($1)] = .take(.server) })
    let fields = try #require(try store.lastWrite()?.records.first?.changes.fields)
    let list = try #require(fields.first { $0.name == "remindersListID" })
    #expect(list.before.flatMap { list.titles[$0] } == "Health")
    #expect(list.after.flatMap { list.titles[$0] } == "Family")
    #expect(fields.filter { $0.name != "remindersListID" }.allSatisfy { $0.titles.isEmpty })
  }

  /// As the review of the write had them.
  @Test func whatWouldBeTakenBackIsInTheOrderOfTheTable() throws {
    try write(
      [Demo.reminder(42)],
      ["title", "notes", "remindersListID", "priority"].reduce(into: [:]) { $0[.field($1)] = .take(.server) })
    let names = try store.lastWrite()?.records.first?.changes.fields.map(\.name)
    #expect(names == ["title", "notes", "priority", "remindersListID"])
  }

  @Test func decisionsAreStillThereAfterwards() throws {
    let conflict = try store.conflict(Demo.reminder(12))
    let decision = Decision(
      id: conflict.id, subject: .field("title"), choice: .edit(.text("Oat milk")),
      fingerprint: conflict.fingerprint(of: .field("title")), decidedAt: 7)
    try store.journal.append([decision])
    try write([conflict.id], [.field("title"): .edit(.text("Oat milk"))])
    _ = try store.undoLastWrite()
    #expect(try store.journal.decisions(for: [conflict.id]) == [decision])
    #expect(try summaries(of: store).first { $0.id == conflict.id }?.undecided == 1)
  }

  @Test(arguments: [
    ("UPDATE reminders SET notes = 'Oat' WHERE id = '\(Demo.key(12))'", "the row"),
    ("DELETE FROM sqlitedata_icloud_pendingRecordZoneChanges", "its pending change"),
    ("UPDATE sqlitedata_icloud_metadata SET userModificationTime = 7", "its sync metadata"),
  ])
  func whatMovedSinceIsLeftAlone(change: String, what: String) throws {
    try write([Demo.reminder(12)])
    try files.run(change)
    let before = try files.dump()
    #expect(try store.undoLastWrite().map(\.outcome) == [.moved("\(what) changed since it was written")])
    #expect(try files.dump() == before)
  }

  @Test func whatMovedBlocksNoEarlierWrite() throws {
    try write([Demo.reminder(12)])
    try write([Demo.reminder(13)])
    try files.run("UPDATE reminders SET notes = 'Rye' WHERE id = '\(Demo.key(13))'")
    let moved = CheckedWrite.Outcome.moved("the row changed since it was written")
    for _ in 1...2 { #expect(try store.undoLastWrite().map(\.outcome) == [moved]) }
    #expect(try store.undo(.lastPossibleWrite).map(\.outcome) == [moved, .fine])
    #expect(try store.undo(.lastPossibleWrite).map(\.outcome) == [moved])
    try files.run("UPDATE reminders SET notes = NULL WHERE id = '\(Demo.key(13))'")
  }

  @Test func oneRecordIsTakenBackAloneAndTheRestStays() throws {
    let before = try files.dump()
    try write([12, 13].map(Demo.reminder))
    try write([Demo.reminder(42)])
    #expect(try store.undo(.record(Demo.reminder(12))).map(\.id) == [Demo.reminder(12)])
    #expect(throws: StoreError.nothingToUndo) { try store.undo(.record(Demo.reminder(12))) }
    #expect(try store.undoLastWrite().map(\.id) == [Demo.reminder(42)])
    #expect(try store.undoLastWrite().map(\.id) == [Demo.reminder(13)])
    #expect(try files.dump() == before)
  }

  /// The rest of a write that was taken back in part is told again, and holds up nothing.
  @Test func whatIsLeftOfAPartIsPassedOver() throws {
    try write([Demo.reminder(42)])
    try write([12, 13].map(Demo.reminder))
    try files.run("UPDATE reminders SET notes = 'Rye' WHERE id = '\(Demo.key(13))'")
    let moved = CheckedWrite.Outcome.moved("the row changed since it was written")
    #expect(try store.undoLastWrite().map(\.outcome) == [.fine, moved])
    #expect(try store.undoLastWrite().map(\.outcome) == [moved, .fine])
    #expect(throws: StoreError.nothingToUndo) { try store.undo(.record(Demo.reminder(42))) }
  }

  @Test func aDecisionOnWhatChangedIsToldUntilItWasWritten() throws {
    let conflict = try store.conflict(Demo.reminder(12))
    let choices = conflict.accepting(.yours, in: Resolution()).choices
    try store.journal.append(
      choices.map {
        Decision(
          id: conflict.id, subject: $0, choice: $1, fingerprint: conflict.fingerprint(of: $0), decidedAt: 7)
      })
    func outdated() throws -> Int? { try summaries(of: store).first { $0.id == conflict.id }?.outdated }
    #expect(try outdated() == 0)
    try files.run("UPDATE reminders SET title = 'Oat', priority = 77 WHERE id = '\(Demo.key(12))'")
    let now = try store.conflict(Demo.reminder(12))
    let moved = choices.keys.filter { now.fingerprint(of: $0) != conflict.fingerprint(of: $0) }
    #expect(try outdated() == moved.count && !moved.isEmpty)
    try write([conflict.id])
    #expect(try store.journal.decisions(for: [conflict.id]).allSatisfy(\.isWritten))
    _ = try store.undoLastWrite()
    #expect(try outdated() == moved.count)
  }

  /// Planned before the write that is taken back, it fits again to the byte.
  @Test func whatAnInterruptedUndoTakesBackIsNotWrittenByWhoFinishesIt() throws {
    let planned = try [12, 13].map { try #require(try plan(Demo.reminder($0), in: store)) }
    let before = try files.dump()
    try write([Demo.reminder(12)])
    _ = try store.undoLastWrite()
    try store.log.write { db in
      try db.run("DELETE FROM receipts WHERE intent = (SELECT max(id) FROM intents)")
    }
    let told = try store.write(planned, note: nil)
    let moved = CheckedWrite.Outcome.moved("an undo of it, which was interrupted, was finished just now")
    #expect(told.map(\.id) == planned.map(\.seen.id) && told.map(\.outcome) == [moved, .fine])
    _ = try store.undoLastWrite()
    #expect(try files.dump() == before)
    #expect(try store.write(planned, note: nil).map(\.outcome) == [.fine, .fine])
  }

  @Test func aWriteAfterAnUndoCanBeTakenBackAsWell() throws {
    let before = try files.dump()
    for _ in 1...2 {
      try write([Demo.reminder(12)])
      #expect(try store.undoLastWrite().map(\.outcome) == [.fine])
    }
    #expect(try files.dump() == before)
    #expect(try store.journal.entries(limit: 10).map(\.kind) == [.undo, .write, .undo, .write])
  }
}
