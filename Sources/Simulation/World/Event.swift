import Merging

/// What a step turned out to be. Facts, with their words.
package enum Event: Sendable, Equatable {
  case created
  case edited(Set<String>)
  case deleted
  case undeleted
  /// A person wanted something that the device has no row for.
  case noSuchRow
  case sent(DeviceRecord.Pending)
  /// Something was pending, and there is nothing to send: the row is as the server has it, or gone.
  case nothingToSend
  case confirmed(ChangeTag?)
  case deletionConfirmed
  case conflictOnSend(Encounter)
  case conflictOnFetch(Encounter)
  /// A record came in and met no edit. The columns that changed.
  case fetched(Set<String>)
  case fetchedDeletion(lostEdit: Bool)
  case resolved(RecordConflict, Draft)
  case nothingToResolve
  /// What is suggested cannot be taken, and nobody has decided.
  case awaitsDecision
  /// The server has lost or never had it: it is sent again as new.
  case queuedAgain
  case batchFailed
  case refused(Refusal)
  /// The parent is not here yet; it is fetched again with every fetch.
  case parked
  /// The server no longer has what was parked.
  case unparked
  /// Of a table that this version of the app does not know: kept whole, for a later one.
  case kept
  /// Without a time of its own, so not written by this library.
  case ignored
  case serverSaved(ChangeTag?)
  case serverDeleted

  package enum Refusal: Sendable, Equatable {
    /// The parent is not on the server. With what that did here.
    case parentMissing(Table.Parent.OnDelete?)
    case childrenRemain
    /// This device may only read. Whether the edit here was overwritten.
    case readOnly(overwritten: Bool)
  }
}

/// What a rule set did when a server's version met an edit that was not sent.
package enum Encounter: Sendable, Equatable {
  /// The model: it waits, with the suggestions.
  case waiting(RecordConflict)
  /// SQLiteData: it was merged on the spot, column by column.
  case merged([String: ColumnFate])
  /// SQLiteData: the deletion was applied, or the deleted record written again.
  case overrun
}

/// What today's SQLiteData does with one column when a server record comes in.
package enum ColumnFate: String, Sendable, CaseIterable {
  /// The server's value is written into the row.
  case taken
  /// The row differs from the last-known record, so it stays, whatever the times.
  case keptEdit
  /// The last-known value differs from the server's and is not older, so it is put back into the server's record.
  case putBack
  /// The server's record does not know the column.
  case untouched
}

/// An event, where it happened.
package struct Happening: Sendable, Equatable {
  /// nil at the server.
  package var device: String?
  package var record: RecordID
  package var event: Event
}

extension Event: CustomStringConvertible {
  package var description: String { words(withValues: true) }

  /// What happened and why, in whole sentences.
  package func words(withValues: Bool) -> String {
    switch self {
    case .created: "The client has a row that the server does not know."
    case .edited(let fields): "The client edits \(list(fields)); it waits to be sent."
    case .deleted: "The client deletes the row; the deletion waits to be sent."
    case .undeleted: "The client puts the row back."
    case .noSuchRow: "There is no row here to change."
    case .sent(.save):
      "The record is on its way. Until the answer comes, nobody here knows whether it was saved."
    case .sent(.deletion): "The deletion is on its way."
    case .nothingToSend: "There is nothing to send."
    case .confirmed(let tag):
      "The server confirms\(tag.map { " \($0)" } ?? ""), which is now the last-known record."
    case .deletionConfirmed: "The server confirms the deletion."
    case .conflictOnSend(let encounter):
      "The server refuses: its record \(encounter.isDeletion ? "is gone" : "has changed"). \(encounter.words(withValues))"
    case .conflictOnFetch(let encounter):
      "The server's \(encounter.isDeletion ? "deletion" : "record") comes in. \(encounter.words(withValues))"
    case .fetched(let fields):
      fields.isEmpty
        ? "Nothing is new." : "The server's \(list(fields)) \(isAre(fields)) taken: nothing was edited here."
    case .fetchedDeletion(lostEdit: true):
      "The server's deletion is applied without a look at the edit here, which is lost."
    case .fetchedDeletion(lostEdit: false): "The server's deletion is applied."
    case .resolved(let conflict, let draft): conflict.words(of: draft, withValues)
    case .nothingToResolve: "No conflict waits for a decision."
    case .awaitsDecision: "It stays as it is until a person decides: what is suggested cannot be taken."
    case .queuedAgain: "The server does not have the record; it waits to be sent again, as new."
    case .batchFailed: "Another record of the same batch was refused, and so this one too; it is sent again."
    case .refused(let refusal): refusal.description
    case .parked: "The parent is not here yet; the record waits, and is fetched again."
    case .unparked: "The server no longer has the record that waited."
    case .kept: "This version of the app does not know the table; the record is kept for a later one."
    case .ignored: "The record carries no time of its own and is ignored."
    case .serverSaved(let tag):
      "Another device saves; the server's record is now \(tag.map(\.description) ?? "new")."
    case .serverDeleted: "Another device deletes the record."
    }
  }
}

extension Event.Refusal: CustomStringConvertible {
  package var description: String {
    switch self {
    case .parentMissing(nil): "The server does not have the parent; the record waits."
    case .parentMissing(.cascade?): "The server does not have the parent, so the row here is deleted as well."
    case .parentMissing(.setNull?): "The server does not have the parent, so the row here lets go of it."
    case .childrenRemain:
      "The server still has children of the record; the deletion is taken back with the next fetch."
    case .readOnly(overwritten: true): "This device may only read; the edit here is overwritten."
    case .readOnly(overwritten: false): "This device may only read; the edit stays here."
    }
  }
}

extension Encounter: CustomStringConvertible {
  package var description: String { words(true) }

  fileprivate func words(_ withValues: Bool) -> String {
    switch self {
    case .waiting(let conflict): conflict.wordsOfWaiting(withValues)
    case .overrun: "The deletion here has not been sent yet; SQLiteData writes the row again."
    case .merged(let fates): Encounter.words(fates)
    }
  }

  private static func words(_ fates: [String: ColumnFate]) -> String {
    let sentences = ColumnFate.allCases.compactMap { fate -> String? in
      let columns = Set(fates.filter { $0.value == fate }.keys)
      return columns.isEmpty ? nil : "\(list(columns)): \(fate.reason)."
    }
    return (["SQLiteData merges at once."] + sentences).joined(separator: " ")
  }

  fileprivate var isDeletion: Bool {
    if case .waiting(let conflict) = self { conflict.kind == .deletedOnServer } else { false }
  }
}

extension Step {
  /// What to say where a step had no effect on the record.
  var wordsOfNothing: String {
    switch self {
    case .device(_, .send): "Nothing waits to be sent."
    case .device(_, .receiveAnswer): "No answer is under way."
    case .device(_, .fetch): "Nothing is new at the server."
    case .device, .server: "Nothing happens to this record."
    }
  }
}

extension ColumnFate {
  /// Why, as one phrase without a full stop.
  package var reason: String {
    switch self {
    case .taken: "not edited here, so the server's value is taken"
    case .keptEdit: "edited here and not sent, so the row is kept, whatever the times"
    case .putBack: "the last-known value is as new as the server's, so it is put back"
    case .untouched: "the server's record does not know it"
    }
  }
}

extension RecordConflict {
  fileprivate func wordsOfWaiting(_ withValues: Bool) -> String {
    guard let reason = wholeReason else {
      return "It waits for a decision. \(wordsOfFields(withValues) { $0.suggestion.value })"
    }
    return "It waits for a decision: \(reason)."
  }

  fileprivate func words(of draft: Draft, _ withValues: Bool) -> String {
    let rebased = "The draft stands on the server's record."
    switch draft.action {
    case .delete, .alternative: return "The record is deleted: \(wholeReason?.description ?? "decided")."
    case .save where isWhole: return "The edit is kept: \(wholeReason?.description ?? "decided")."
    case .save: return "\(wordsOfFields(withValues) { draft[$0.name] ?? $0.suggestion.value }) \(rebased)"
    }
  }

  private func wordsOfFields(_ withValues: Bool, _ value: (FieldConflict) -> Value) -> String {
    fields.filter(\.needsDecision).map { field in
      let decided = value(field)
      let reason = decided == field.suggestion.value ? field.suggestion.reason.description : "decided"
      return "\(field.name)\(withValues ? " " + brief(decided.short) : ""): \(reason)."
    }.joined(separator: " ")
  }

  /// A sentence is no place for a whole letter.
  private func brief(_ text: String) -> String { text.count > 24 ? text.prefix(23) + "›" : text }
}

private func list(_ fields: Set<String>) -> String { fields.sorted().joined(separator: ", ") }

private func isAre(_ fields: Set<String>) -> String { fields.count == 1 ? "is" : "are" }
