import GRDB
import Journals
import Merging
import RevisionTrees
import RowJournals
import SQLiteFiles
import StoreInterface

extension CloudantStore: SteppingStore {
  package func steps(about ids: some Collection<String>) -> DocumentSteps { DocumentSteps(store: self) }
  package func steps(for intent: Intent) -> DocumentSteps { DocumentSteps(store: self) }
  package var isHeldByParley: Bool { holder()?.isParley == true }

  package func mend(_ findings: [Finding.ID], note: String?) throws -> [CheckedWrite] {
    try mend(findings, seen: [], note: note)
  }

  package func mend(_ findings: [Finding.ID], seen: [Finding], note: String?) throws -> [CheckedWrite] {
    let seen = seen.byID
    return try mend(findings) {
      let tasks = $0.map { WriteTask(mending: $0, seen: seen[$0]) }
      return try DocumentSteps(store: self).commit(tasks, mends: true, note: note)
    }
  }

  package func subject(of record: String) -> (table: String, record: String) {
    (TreeDocument.table(of: record), record)
  }
}

/// The steps of a write: each document in a transaction of its own. As it is one over one file, a document has all of its new
/// rows after a crash, or none: there is nothing to mend, only to tell.
package struct DocumentSteps: WriteSteps {
  let store: CloudantStore

  package var log: Journal { store.log }
  package var path: String { store.files.database }
  package var batch: Int { 1 }

  package func access() -> StoreAccess { store.access() }
  package func accessToFinish() -> StoreAccess { store.accessToFinish() }

  /// Runs `body` with a connection that writes, while nobody reads or writes the datastore.
  ///
  /// - Throws: ``StoreError/readOnly(path:reason:)``, ``StoreError/tooNewToWrite(path:reason:)``,
  ///   ``StoreError/locked(path:holder:)``, ``StoreError/writeFailed(path:detail:)``
  package func whileWriting(_ body: (SQLiteWriter) throws -> Void) throws {
    try store.patientAccess().check(path)
    try store.reader.whileWriting(body)
  }

  package func transaction(_ writer: SQLiteWriter, _ body: (DocumentReader) throws -> Bool) throws {
    try writer.transaction { db in
      let reader = store.documents(in: db)
      guard try body(reader) else { return .rollback }
      // Before the rows that name them are there, and behind the intent, by which they are found after a crash.
      try reader.plainFiles.make()
      return .commit
    }
  }

  package func reading<Result: Sendable>(_ body: (DocumentReader) throws -> Result) throws -> Result {
    try store.readDocuments(body)
  }

  package func state(of changes: RecordChanges, at reader: DocumentReader) throws -> InterruptedWrite.State? {
    try reader.state(of: changes)
  }

  package func tidy(_ changes: RecordChanges, _ state: InterruptedWrite.State, at reader: DocumentReader) {
    if state == .untouched { reader.removeFiles(of: changes.changes) }
  }

  package func task(_ order: WriteOrder, note: String?) -> WriteTask<DocumentReader> {
    WriteTask(order.label) { reader in
      guard let state = try reader.state(of: order.id) else {
        throw Moved("it is no longer in conflict")
      }
      let draft = try order.draft(of: state.conflict)
      var plan = try DocumentPlan(state, reader)
      return try plan.changes(draft)
    }
  }

  package func task(undoing record: Intent.Record, of intent: Int64) -> WriteTask<DocumentReader> {
    WriteTask(
      record.label,
      noting: { reader in
        let written = try log.changes(of: record, in: intent)
        let (changes, newcomers) = try DocumentUndo.changes(written, reader)
        let notes = [newcomers, reader.wordsOfReading(after: changes, takingBack: written)].compactMap(\.self)
        return (changes, notes.isEmpty ? nil : notes.joined(separator: "; "))
      })
  }
}

extension WriteTask where Place == DocumentReader {
  fileprivate init(_ label: RecordLabel, _ change: @escaping (DocumentReader) throws -> [StoredChange]) {
    self.init(label, noting: { reader in (try change(reader), nil) })
  }

  /// - Parameter change: with what is to be known of it beside what its undo needs.
  fileprivate init(
    _ label: RecordLabel,
    noting change: @escaping (DocumentReader) throws -> (changes: [StoredChange], note: String?)
  ) {
    self.init(
      label,
      perform: { reader in
        let (planned, note) = try change(reader)
        let changes = planned.withoutRepeats
        let notes = [note, try reader.undoNote(changes)].compactMap(\.self)
        for change in changes where !change.changesNothing { try reader.apply(change) }
        var intent = try RecordIntent(RecordChanges(record: label.id, title: label.title, changes: changes))
        intent.note = notes.isEmpty ? nil : notes.joined(separator: "; ")
        return intent
      })
  }

  /// A finding is looked for again first: what was seen may be gone.
  fileprivate init(mending finding: Finding.ID, seen: Finding?) {
    let document = Finding.parts(of: finding)?.subject ?? ""
    self.init(RecordLabel(id: finding, title: document)) { reader in
      guard let rows = try DocumentRows(id: document, in: reader.db, reader.schema),
        let problem = rows.problems(reader.schema.platform).first(where: {
          "\($0.key):\(document)" == finding
        })
      else { throw Moved("it is no longer found") }
      try problem.check(seen)
      guard let mending = rows.mending(of: problem) else {
        throw Refusal(nil, "Parley cannot mend it; see what does")
      }
      return try mending.changes(rows, reader)
    }
  }
}

extension DocumentReader {
  /// What a person should know before it is written, and after; nil if the files are there of all attachments that its undo would bring
  /// back. Nobody looks into them: to read all that a document has may take minutes.
  fileprivate func undoNote(_ changes: [StoredChange]) throws -> String? {
    let rows = changes.filter { $0.table == "attachments" }.compactMap(\.before)
    let kept = rows.compactMap { Attachment($0) }
    let reasons = [try reasonOfGone(kept), reasonOfLong(kept)].compactMap(\.self)
    return reasons.isEmpty ? nil : "its undo is refused " + reasons.joined(separator: ", and ")
  }

  private func reasonOfGone(_ kept: [Attachment]) throws -> String? {
    let gone = try withoutFile(kept).joined(separator: ", ")
    let folder = folderAndName(files.attachments).name
    return gone.isEmpty ? nil : "as long as these attachments have no file in \(folder): \(gone)"
  }

  private func reasonOfLong(_ kept: [Attachment]) -> String? {
    let long = Set(kept.filter { $0.isTooLongToCarry(on: schema.platform) }.map(\.name)).sorted()
    return long.isEmpty
      ? nil : "as these attachments are too long to be unpacked: \(long.joined(separator: ", "))"
  }

  /// The names of those whose file is not there.
  func withoutFile(_ attached: [Attachment]) throws -> [String] {
    try Set(attached.filter { try attachments.file(of: $0) == nil }.map(\.name)).sorted()
  }

  fileprivate func apply(_ change: StoredChange) throws {
    let shapes = [
      "docs": schema.docs, "revs": schema.revs, "attachments": schema.attachments,
      DatastoreSchema.fileNamesTable: schema.fileNames,
    ]
    guard let shape = shapes[change.table] ?? nil else {
      throw Refusal(nil, "there is no table \(change.table)")
    }
    do {
      try change.apply(shape, in: db)
    } catch {
      throw Refusal(error, table: shape) ?? error
    }
    guard try isDone(change, shape) else {
      throw Refusal(nil, "a trigger of the table \(change.table) keeps what is written from being there")
    }
  }

  /// A trigger may pass over a row without an error. What the change leaves as it was may be another by now, as a body that was compacted.
  private func isDone(_ change: StoredChange, _ shape: TableShape) throws -> Bool {
    guard let after = change.after else { return true }
    guard let now = try change.current(shape, in: db) else { return false }
    let meant = after.filter { change.before?[$0.key] != $0.value && shape[$0.key] != nil }
    return meant.allSatisfy { now[$0.key] == $0.value }
  }

  fileprivate func state(of record: RecordChanges) throws -> InterruptedWrite.State {
    // What is added cannot be mistaken; where only flags were set, these have to tell.
    let added = record.changes.filter { $0.table == "revs" && $0.before == nil }
    let traces = added.isEmpty ? record.changes.filter { !$0.changesNothing } : added
    let found = try traces.compactMap(\.after).filter { try isThere($0, withFlag: added.isEmpty) }.count
    switch found {
    case 0: return .untouched
    case traces.count: return .complete
    default: return .changedSince
    }
  }

  /// By number, document and id: the number may have been given to another revision since.
  private func isThere(_ row: RowImage, withFlag: Bool) throws -> Bool {
    let flag = withFlag ? " AND current = ?" : ""
    let sql = "SELECT 1 FROM revs WHERE sequence = ? AND doc_id = ? AND revid = ? COLLATE BINARY\(flag)"
    let columns = ["sequence", "doc_id", "revid"] + (withFlag ? ["current"] : [])
    return try db.hasRow(sql, columns.map { row[$0] ?? .null })
  }
}
