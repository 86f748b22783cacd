import GRDB
import Journals
import Merging
import RowJournals
import SQLiteFiles
import StoreInterface

/// What became of one document inside of its transaction.
struct DocumentAttempt {
  var checked: CheckedWrite
  /// nil unless it is fine.
  var changes: [StoredChange]?
}

/// What is to be done to one document; it finds out what to change only inside of its transaction.
struct DocumentTask {
  struct Moved: Error {
    let words: String
    init(_ words: String) { self.words = words }
  }

  let id: String
  let title: String
  private let changes: (DocumentReader) throws -> [StoredChange]

  init(_ write: PlannedWrite) {
    id = write.seen.id
    title = write.seen.title
    changes = { reader in
      guard let state = try reader.state(of: write.seen.id) else {
        throw Moved("it is no longer in conflict")
      }
      if let words = write.seen.moved(to: state.conflict) { throw Moved(words) }
      var plan = try DocumentPlan(state, reader)
      return try plan.changes(write.draft)
    }
  }

  init(undoOf record: Intent.Record, of intent: Int64, _ log: Journal) {
    id = record.id
    title = record.title
    changes = { try DocumentUndo.changes(try log.changes(of: record, in: intent), $0) }
  }

  /// A finding is looked for again first: what was seen may be gone.
  init(mending finding: Finding.ID) {
    let document = String(finding.drop { $0 != ":" }.dropFirst())
    id = finding
    title = document
    changes = { reader in
      guard let rows = try DocumentRows(id: document, in: reader.db, reader.schema),
        let problem = rows.problems(reader.schema.platform).first(where: {
          "\($0.key):\(document)" == finding
        })
      else { throw Moved("it is no longer found") }
      guard let mending = rows.mending(of: problem) else {
        throw Refusal(nil, "Parley cannot mend it; see what does")
      }
      return try mending.changes(rows, reader)
    }
  }

  /// What is told of a document whose transaction failed for a reason that is not its own, or never began.
  func notReached(_ error: any Error) -> CheckedWrite {
    CheckedWrite(id: id, title: title, outcome: .notReached(StoreError.detail(of: error)))
  }

  func attempt(_ reader: DocumentReader) throws -> DocumentAttempt {
    do {
      let changes = try changes(reader)
      try apply(changes, reader)
      return DocumentAttempt(checked: CheckedWrite(id: id, title: title, outcome: .fine), changes: changes)
    } catch let moved as Moved {
      return DocumentAttempt(checked: CheckedWrite(id: id, title: title, outcome: .moved(moved.words)))
    } catch let refusal as Refusal {
      let outcome = CheckedWrite.Outcome.refused(field: refusal.field, refusal.reason)
      return DocumentAttempt(checked: CheckedWrite(id: id, title: title, outcome: outcome))
    }
  }

  private func apply(_ changes: [StoredChange], _ reader: DocumentReader) throws {
    for change in changes where !change.changesNothing {
      let shape = change.table == "revs" ? reader.schema.revs : reader.schema.attachments
      guard let shape else { throw Refusal(nil, "there is no table \(change.table)") }
      do {
        try change.apply(shape, in: reader.db)
      } catch {
        throw Refusal(error, table: shape) ?? error
      }
    }
  }
}
