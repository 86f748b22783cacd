import Merging
import StoreInterface

/// Which records that are not here are decided to come back. Each is looked at once for all that point to it, as the inbox may have no
/// index on names.
final class ComingBack {
  private var known: ByRecord<Bool> = [:]

  /// A record, and those of which it still has to be asked whether they come back; nil once it is known not to come back itself.
  private typealias Generation = (id: String, rest: [String]?)

  /// One generation after the other, as each that asked for the next by itself would take its room of the stack, and a thread of comments
  /// may have thousands.
  ///
  /// - Parameter look: tells what else has to come back before a record; nil if it does not come back itself.
  func contains(_ id: String, needing look: (String) throws -> [String]?) rethrows -> Bool {
    if let known = known[id] { return known }
    let first = try look(id)
    var (path, met): ([Generation], RecordNames) = ([(id, first)], [id])
    while let last = path.indices.last {
      guard let needed = path[last].rest?.last else {
        known[path[last].id] = path[last].rest != nil
        path.removeLast()
        continue
      }
      if known[needed] == true {
        path[last].rest?.removeLast()
      } else if known[needed] == false || !met.insert(needed).inserted {
        // Of records that point to each other in a circle none comes back, as each would have to be there first.
        path[last].rest = nil
      } else {
        path.append((needed, try look(needed)))
      }
    }
    return known[id] ?? false
  }
}

extension RecordReader {
  /// Whether a write of all that is ready makes the record, before those that point to it.
  func comesBack(_ id: String) throws -> Bool {
    try comingBack?.contains(id, needing: neededToComeBack) ?? false
  }

  /// nil if nothing makes the record, or it points to what nothing can make.
  private func neededToComeBack(_ id: String) throws -> [String]? {
    // Of a journal that cannot be read nothing is decided: findings are told without one.
    guard let decisions = try? journal.decisions(for: [id]), !decisions.isEmpty,
      let conflict = try alone.state(of: id)?.conflict
    else { return nil }
    let decided = DecidedConflict(conflict, decisions: decisions)
    guard decided.refusal == nil, let write = decided.readyWrite, case .save = write.draft.action else {
      return nil
    }
    return try missingParents(of: write)
  }

  private func missingParents(of write: PlannedWrite) throws -> [String]? {
    guard let shape = try tables.shape(of: write.seen.table, in: db) else { return nil }
    let values = shape.columns.map { ($0.name, write.draft[$0.name] ?? .null) }
    var missing: [String] = []
    do {
      let references = References(db: db) { id in
        missing.append(id)
        return true
      }
      try references.checkParents(of: RowImage(uniqueKeysWithValues: values), shape, changedFrom: nil)
      return missing
    } catch is Refusal {
      return nil
    }
  }

  /// What its own keys point to is asked apart from reading it.
  private var alone: RecordReader {
    var records = self
    (records.inbox, records.comingBack) = (nil, nil)
    return records
  }
}
