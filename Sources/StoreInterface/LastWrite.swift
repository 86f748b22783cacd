import Merging

/// The newest write, or mending, that was not taken back: what it changed, and what taking it back will do.
package struct LastWrite: Sendable, Equatable, Identifiable {
  package struct Record: Sendable, Equatable {
    package var id: String
    package var title: String
    package var changes: WrittenChanges

    package init(id: String, title: String, changes: WrittenChanges) {
      (self.id, self.title, self.changes) = (id, title, changes)
    }
  }

  package struct FieldChange: Sendable, Equatable {
    package var name: String
    /// Of a store of tables, the one in which it is: a trigger may have changed rows beside the record, too.
    package var table: String?
    /// Whether that is another one than the record's.
    package var isBeside = false
    /// nil where the record was not there.
    package var before: Value?
    package var after: Value?
    /// What the records are called that these values point to.
    package var titles: [Value: String] = [:]

    package init(name: String, of table: String? = nil, before: Value?, after: Value?) {
      (self.name, self.table, self.before, self.after) = (name, table, before, after)
    }
  }

  /// The journal's number of it.
  package var id: Int64
  package var records: [Record]
  /// What taking it back will do, in a sentence or two.
  package var takingBack: String
  /// What of that was never checked against the real thing.
  package var notVerified: String?
  /// Whether anything is decided about its records; about what was mended nothing may be.
  package var isDecided = true
  /// Whether it is the newest one of its only record, and of the store there are newer ones.
  package var isOlder = false

  package init(id: Int64, records: [Record], takingBack: String, notVerified: String? = nil) {
    (self.id, self.records, self.takingBack, self.notVerified) = (id, records, takingBack, notVerified)
  }
}

extension LastWrite {
  /// Which write it is, and of which records: told without reading what it changed, which of many thousands takes long.
  package struct Names: Sendable, Equatable {
    package let id: LastWrite.ID
    package let records: [String]

    package init(id: LastWrite.ID, records: [String]) { (self.id, self.records) = (id, records) }
  }

  package var names: Names { Names(id: id, records: records.map(\.id)) }
}

/// What a write did to one record, for showing it.
package struct WrittenChanges: Sendable, Equatable {
  /// In the order of a screen; empty where it touched no field of the record.
  package var fields: [LastWrite.FieldChange]
  /// The records that it made beside this one, by name: taking the write back deletes them.
  package var newRecords: [String]
  /// Those that the write which it takes back had made.
  package var deletedRecords: [String] = []
  /// Whether it changed, or took away, what a store keeps beside the record.
  package var isBesideToo = false
  /// In what the journal holds is not what was written there, so that nobody knows what was changed; nil where it is whole.
  package var damage: String?

  package init(fields: [LastWrite.FieldChange] = [], newRecords: [String] = []) {
    (self.fields, self.newRecords) = (fields, newRecords)
  }

  package func without(_ left: NotBack) -> WrittenChanges {
    var rest = self
    rest.fields.removeAll { field in
      field.isBeside
        ? field.table.map(left.tables.contains) == true : left.fields.contains(field.name)
    }
    return rest
  }

  /// What taking it back does.
  package var reversed: WrittenChanges {
    var back = WrittenChanges(fields: fields.map(\.reversed))
    (back.deletedRecords, back.isBesideToo, back.damage) = (newRecords, isBesideToo, damage)
    return back
  }
}

/// What of a write stays where that is taken back.
package struct NotBack: Sendable, Equatable {
  /// Of the record, such as one that a trigger sets again.
  package var fields: [String]
  /// Beside the record, each with all that the write changed in it.
  package var tables: [String]

  package init(fields: [String] = [], tables: [String] = []) { (self.fields, self.tables) = (fields, tables) }

  package var isEmpty: Bool { fields.isEmpty && tables.isEmpty }
}

extension LastWrite.FieldChange {
  /// What a person reads: "title", and beside the record "counters.n".
  package var label: String { isBeside ? (table ?? "") + "." + name : name }

  /// Of a document: a key that it lacks is one that is not there, as in its draft, unless the document is not there itself.
  package func telling(wasThere: Bool, isThere: Bool) -> LastWrite.FieldChange {
    var told = self
    if wasThere { told.before = before ?? .missing }
    if isThere { told.after = after ?? .missing }
    return told
  }

  package var reversed: LastWrite.FieldChange {
    var back = self
    (back.before, back.after) = (after, before)
    return back
  }
}

/// What would become of one record if its write were taken back.
package struct CheckedUndo: Sendable, Equatable {
  /// Fine if it can be.
  package var checked: CheckedWrite
  /// What the write changed: `before` is what comes back, `after` what it left.
  package var changes: WrittenChanges

  package init(_ checked: CheckedWrite, changes: WrittenChanges) {
    (self.checked, self.changes) = (checked, changes)
  }
}

/// A write, an undo or an import, of which only the intent is known, and what the store shows of it.
package struct InterruptedWrite: Sendable, Equatable {
  package enum State: String, Sendable, CaseIterable {
    /// Only its receipt is missing.
    case complete
    /// One of the store's files has it, the other has not.
    case half
    case untouched
    /// Untouched so far, though a request for it may still be on its way.
    case awaited
    /// Somebody else has changed the same since.
    case changedSince
    /// What is there cannot be read now: the store does not answer, or not for this record.
    case unread
    /// What the journal holds of it is damaged, the table has no such columns any more, or the server has forgotten what tells it.
    case notKnown
  }

  package struct Record: Sendable, Equatable, Identifiable {
    package var id: String
    package var title: String
    package var state: State
    /// Why this one cannot be finished now, where others can; nil if it can.
    package var hindrance: String?

    package init(id: String, title: String, state: State, hindrance: String? = nil) {
      (self.id, self.title, self.state, self.hindrance) = (id, title, state, hindrance)
    }
  }

  package var act: JournalEntry.Act
  package var records: [Record]
  /// Why nobody can finish any of it now; nil if some can be finished.
  package var hindrance: String?
  /// By what it is told from others: a later one has a higher number. nil where its store does not number them.
  package var id: LastWrite.ID?
  /// The number of what it was begun with, where the rest of that is known, and it was split off; else its own, or nil.
  package var begunWith: LastWrite.ID?

  package init(act: JournalEntry.Act, records: [Record], hindrance: String? = nil, id: LastWrite.ID? = nil) {
    (self.act, self.records, self.hindrance, self.id) = (act, records, hindrance, id)
  }
}

extension InterruptedWrite {
  package func hindrance(of record: Record) -> String? { record.hindrance ?? hindrance }

  /// Why not all of it can be finished now; nil if it can.
  package var hindranceOfSome: String? { hindrance ?? records.lazy.compactMap(\.hindrance).first }

  /// Whether something of it may be in the store, or nobody knows: then it is what was done last.
  package var mayBeDone: Bool {
    records.contains { record in
      switch record.state {
      case .complete, .half, .awaited, .unread, .notKnown: true
      case .untouched, .changedSince: false
      }
    }
  }

  /// Whether it was begun after a write, be it a write, an undo or an import. What is not numbered was. What can be finished now counts by its
  /// own number: by that it is the last write then.
  fileprivate func isBegun(after write: LastWrite.ID?) -> Bool {
    isNumber(hindrance == nil ? id : begunWith ?? id, after: write)
  }
}

private func isNumber(_ id: LastWrite.ID?, after write: LastWrite.ID?) -> Bool {
  guard let write, let id else { return true }
  return id > write
}

extension [InterruptedWrite] {
  /// Why nobody can finish any of them now; nil if some can be finished.
  package var hindrance: String? { contains { $0.hindrance == nil } ? nil : first?.hindrance }

  /// Why not all of them can be finished now; nil if they can.
  package var hindranceOfSome: String? { lazy.compactMap(\.hindranceOfSome).first }

  /// Those that were begun after a write: while it is not known what became of these, that write may not be what was done last.
  ///
  /// - Parameter write: the last one that is known; nil where there is none.
  package func begun(after write: LastWrite.ID?) -> [InterruptedWrite] { filter { $0.isBegun(after: write) } }

  /// Whether only once they are finished it is known what there is to take back, for whoever can finish them apart from that: what can be
  /// finished now comes first, whatever is in the store of it.
  ///
  /// - Parameter write: the last one that is known; nil where there is none.
  package func hide(lastWrite write: LastWrite.ID?) -> Bool {
    if write == nil { return !isEmpty }
    return contains { $0.hindrance == nil } || begun(after: write).contains(where: \.mayBeDone)
  }
}

/// What became of a write, an undo or an import, that had been interrupted.
package struct FinishedWrite: Sendable, Equatable {
  package enum Outcome: String, Sendable, CaseIterable {
    case completed
    /// Nothing of it is in the store.
    case rolledBack
    /// Somebody else had changed the record since.
    case left
  }

  package struct Record: Sendable, Equatable, Identifiable {
    package var id: String
    package var title: String
    package var outcome: Outcome
    /// Why it was not completed.
    package var detail: String?

    package init(id: String, title: String, outcome: Outcome, detail: String? = nil) {
      (self.id, self.title, self.outcome, self.detail) = (id, title, outcome, detail)
    }
  }

  package var act: JournalEntry.Act
  package var records: [Record]
  /// Of an undo the write that it takes back.
  package var undoes: LastWrite.ID?
  /// The number that it had as an ``InterruptedWrite``; nil where its store does not number them.
  package var id: LastWrite.ID?

  package init(
    act: JournalEntry.Act, records: [Record], undoes: LastWrite.ID? = nil, id: LastWrite.ID? = nil
  ) {
    (self.act, self.records, self.undoes, self.id) = (act, records, undoes, id)
  }

  /// Whether it was begun after a write. What is not numbered was.
  package func isBegun(after write: LastWrite.ID?) -> Bool { isNumber(id, after: write) }
}

extension [FinishedWrite] {
  /// The records that are written now.
  package var written: RecordNames { completed(.write) }

  /// The records of which a write is taken back now.
  package var takenBack: RecordNames { completed(.undo) }

  private func completed(_ act: JournalEntry.Act) -> RecordNames {
    RecordNames(filter { $0.act == act }.flatMap(\.records).filter { $0.outcome == .completed }.map(\.id))
  }
}

extension [WriteOrder] {
  /// What becomes of each, in their order, where `write` gets all but those of which an interrupted undo was finished first: what somebody
  /// took back, and decided before that, is not written anew by the same word.
  package func outcomes(
    after finished: [FinishedWrite], _ write: ([WriteOrder]) throws -> [CheckedWrite]
  ) rethrows -> [CheckedWrite] {
    let takenBack = finished.takenBack
    let rest = takenBack.isEmpty ? self : filter { !takenBack.contains($0.id) }
    if rest.count == count { return try write(self) }
    var written = (rest.isEmpty ? [] : try write(rest))[...]
    return compactMap { order -> CheckedWrite? in
      takenBack.contains(order.id) ? order.takenBackJustNow : written.popFirst()
    }
  }
}

extension WriteOrder {
  fileprivate var takenBackJustNow: CheckedWrite {
    CheckedWrite(
      label, outcome: .moved("an undo of it, which was interrupted, was finished just now"))
  }
}

extension CheckedWrite {
  /// Whether a write found it to be another one only because an interrupted write of it was finished before.
  ///
  /// - Parameter finished: what that has written.
  package func isWritten(before finished: RecordNames) -> Bool {
    if case .moved = outcome { finished.contains(id) } else { false }
  }
}
