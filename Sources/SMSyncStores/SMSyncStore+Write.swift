import GRDB
import Journals
import Merging
import RowJournals
import SQLiteFiles
import StoreInterface

extension SMSyncStore: SteppingStore {
  package func steps(about ids: some Collection<String>) -> FileSteps { FileSteps(store: self) }
  package func steps(for intent: Intent) -> FileSteps { FileSteps(store: self) }

  package var isHeldByParley: Bool {
    isCopy ? holder()?.isParley == true : WriterLock(beside: log.path).isHeld
  }

  package func mend(_ findings: [Finding.ID], note: String?) throws -> [CheckedWrite] {
    try mend(findings) {
      let steps = FileSteps(store: self)
      return try steps.commit($0.map { steps.task(mending: $0) }, mends: true, note: note)
    }
  }

  package func subject(of record: String) -> (table: String, record: String) { (FileConflict.table, record) }

  package func undo(_ extent: UndoExtent) throws -> [CheckedWrite] {
    try finishInterruptedWrites()
    try checkOutbox(extent)
    return try log.undo(extent) { try takeBack($0, isRehearsal: false) }
  }

  package func checkUndo(_ extent: UndoExtent) throws -> [CheckedUndo] {
    try checkOutbox(extent)
    return try log.checkUndo(extent, in: info.path, ofEach: rehearseUndo) {
      try takeBack($0, isRehearsal: true)
    }
  }

  /// Something waits in the outbox, and the journal knows no write at all: it is not the one by which the outbox was written.
  ///
  /// - Throws: ``StoreError/outboxOfOtherJournal(path:)``, ``StoreError/readOnly(path:reason:)``
  private func checkOutbox(_ extent: UndoExtent) throws {
    if isCopy { return }
    if let hindrance = outboxPlace.hindrance {
      throw StoreError.readOnly(path: files.database, reason: hindrance)
    }
    let isOther = try readFiles { place in
      guard case .records(let ids) = extent else {
        return try !place.outbox.entries.isEmpty && log.newestWrite() == nil
      }
      return try ids.contains { try place.outbox[$0] != nil && !log.isWritten($0) }
    }
    if isOther { throw StoreError.outboxOfOtherJournal(path: outboxPath) }
  }

  package func lastWrite() throws -> LastWrite? {
    try checkOutbox(.lastWrite)
    guard let intent = try log.newestWrite()?.intent else { return nil }
    return LastWrite(
      id: intent.id, records: try log.writtenRecords(of: intent),
      takingBack: isCopy
        ? "The rows of the copy's store come back as they were, and a draft's own file goes."
        : """
        What was written into the outbox goes, or is again what it was before. If it was sent already, nobody \
        here knows.
        """,
      notVerified: info.notVerified)
  }
}

/// The steps of a write: into the outbox, one file in the place of the other; or into a copy, in one transaction.
package struct FileSteps: WriteSteps {
  package enum Room {
    case outbox
    case copy(SQLiteWriter)
  }

  let store: SMSyncStore

  package var log: Journal { store.log }
  package var path: String { store.files.database }
  package var batch: Int { .max }
  package var detail: JournalEntry.OwnDetail? { store.isCopy ? nil : .inOutbox }

  package func access() -> StoreAccess { store.access() }
  package func accessToFinish() -> StoreAccess { store.accessToFinish() }

  /// - Throws: ``StoreError/readOnly(path:reason:)``, ``StoreError/locked(path:holder:)``,
  ///   ``StoreError/writeFailed(path:detail:)``
  package func whileWriting(_ body: (Room) throws -> Void) throws {
    if store.isCopy { return try whileWritingCopy(body) }
    try store.access().check(path)
    try WriterLock(beside: log.path).holding(for: path) { try body(.outbox) }
  }

  /// The outbox, which one file takes the place of, can be looked at while another Parley writes it.
  package func whileChecking(_ body: (Room) throws -> Void) throws {
    if store.isCopy { return try whileWritingCopy(body) }
    try store.access().check(path)
    try body(.outbox)
  }

  private func whileWritingCopy(_ body: (Room) throws -> Void) throws {
    try store.patientAccess().check(path)
    try store.reader.whileWriting { try body(.copy($0)) }
  }

  /// While nobody writes: what another Parley is about to put into the outbox would be taken for something that was interrupted.
  package func mending(_ body: (FilePlace) throws -> Void) throws {
    if store.isCopy { return try reading(body) }
    try WriterLock(beside: log.path).holding(for: path) { try reading(body) }
  }

  package func transaction(_ room: Room, _ body: (FilePlace) throws -> Bool) throws {
    switch room {
    case .outbox: try writeOutbox(body)
    case .copy(let writer): try writeCopy(by: writer, body)
    }
  }

  private func writeOutbox(_ body: (FilePlace) throws -> Bool) throws {
    var isBegun = false
    let outbox: OutboxFile? = try store.readFiles { place in
      // What is read again because the app wrote meanwhile must not be journalled twice.
      if isBegun { throw StoreError.beingWritten(path: path) }
      isBegun = true
      return try body(place) ? place.outbox : nil
    }
    try outbox?.write(to: store.outboxPath, container: store.files.name)
  }

  private func writeCopy(by writer: SQLiteWriter, _ body: (FilePlace) throws -> Bool) throws {
    var place: FilePlace?
    var left: (mark: CopyMark, seal: String)?
    try writer.transaction { db in
      let seal = try RowSeal.of(db)
      let mark = try store.markAsLeft(seal)
      let here = try store.place(in: db)
      guard try body(here) else { return .rollback }
      // The intent is durable, and no row names a file before it is there.
      try here.writeMade()
      let after = try RowSeal.of(db)
      // Before they are there: a copy whose rows the mark does not know is written no more.
      try mark.seal([seal, after])
      (place, left) = (here, (mark, after))
      return .commit
    }
    // If that fails the mark knows both, and the next write tells it anew.
    if let left { try? left.mark.seal([left.seal]) }
    place?.removeDropped()
  }

  package func reading<Result: Sendable>(_ body: (FilePlace) throws -> Result) throws -> Result {
    try store.readFiles(body)
  }

  package func state(of changes: RecordChanges, at place: FilePlace) throws -> InterruptedWrite.State? {
    try place.state(of: changes)
  }

  /// A draft's file is made before the rows that name it, and goes after them: a write that was ended in between leaves it. So does one
  /// that was ended before its outbox took the place of the other.
  package func tidy(_ changes: RecordChanges, _ state: InterruptedWrite.State, at place: FilePlace) {
    if !store.isCopy { OutboxFile.removeUnfinished(of: store.outboxPath) }
    place.removeUnused(changes, state)
  }

  package func task(_ order: WriteOrder, note: String?) -> WriteTask<FilePlace> {
    WriteTask(order.label) { place in
      guard let file = try place.conflict(order.id) else { throw Moved("it is no longer in conflict") }
      if file.conflict.details.waitingSince != nil { throw Moved("it waits in the outbox") }
      let decision = try file.decision(order.draft(of: file.conflict))
      let changes = try place.whole { try place.carryOut(decision, file, note: note) }
      return try RecordIntent(
        RecordChanges(record: order.id, title: file.conflict.title, changes: changes))
    }
  }

  package func task(undoing record: Intent.Record, of intent: Int64) -> WriteTask<FilePlace> {
    WriteTask(record.label) { place in
      let changes = try log.changes(of: record, in: intent)
      let reversed = try place.whole { try place.takeBack(changes.changes, written: log) }
      return try RecordIntent(RecordChanges(record: record.id, title: record.title, changes: reversed))
    }
  }
}
