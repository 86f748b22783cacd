import Merging
import StoreInterface

/// Which records that are not here are decided to come back. Each is looked at once for all that point to it, as the inbox may have no
/// index on names.
final class ComingBack {
  private var known: ByRecord<Bool> = [:]
  private var depth = 0
  private static let deepest = 100

  /// Whether so many generations were gone through that the rest is left to the write: each takes room of the stack, and a thread of
  /// comments may have thousands.
  var isDeep: Bool { depth > ComingBack.deepest }

  func contains(_ id: String, looking look: () throws -> Bool) rethrows -> Bool {
    if let known = known[id] { return known }
    // Of records that point to each other in a circle none comes back, as each would have to be there first.
    known[id] = false
    depth += 1
    defer { depth -= 1 }
    do {
      let isComing = try look()
      // Of what is left to the write nothing is known; what points to it has its answer by that, and keeps it.
      known[id] = isDeep ? nil : isComing
      return isComing
    } catch {
      known[id] = nil
      throw error
    }
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
    return try comingBack?.isDeep == true || fits(write)
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
