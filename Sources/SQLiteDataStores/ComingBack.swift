import Merging
import StoreInterface

/// Which records that are not here are decided to come back. Each is looked at once for all that point to it, as the inbox may have no
/// index on names.
final class ComingBack {
  private var known: ByRecord<Bool> = [:]

  func contains(_ id: String, looking look: () throws -> Bool) rethrows -> Bool {
    if let known = known[id] { return known }
    // Of records that point to each other in a circle none comes back, as each would have to be there first.
    known[id] = false
    let isComing = try look()
    known[id] = isComing
    return isComing
  }
}

extension RecordReader {
  /// Whether a write of all that is ready makes the record, before those that point to it.
  func comesBack(_ id: String) throws -> Bool {
    try comingBack?.contains(id) { try isToCome(id) } ?? false
  }

  private func isToCome(_ id: String) throws -> Bool {
    // Of a journal that cannot be read nothing is decided: findings are told without one.
    guard let decisions = try? journal.decisions(for: [id]), !decisions.isEmpty,
      let conflict = try alone.state(of: id)?.conflict
    else { return false }
    let decided = DecidedConflict(conflict, decisions: decisions)
    guard decided.refusal == nil, let write = decided.readyWrite, case .save = write.draft.action else {
      return false
    }
    return try fits(write)
  }

  /// What it points to is there, or comes back in turn.
  private func fits(_ write: PlannedWrite) throws -> Bool {
    guard let shape = try tables.shape(of: write.seen.table, in: db) else { return false }
    let values = shape.columns.map { ($0.name, write.draft[$0.name] ?? .null) }
    do {
      let references = References(db: db, comesBack: comesBack)
      try references.checkParents(of: RowImage(uniqueKeysWithValues: values), shape, changedFrom: nil)
      return true
    } catch is Refusal {
      return false
    }
  }

  /// What its own keys point to is asked apart from reading it.
  private var alone: RecordReader {
    var records = self
    (records.inbox, records.comingBack) = (nil, nil)
    return records
  }
}
