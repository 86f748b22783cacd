import Merging
import StoreInterface

/// Which records that are not here are decided to come back. Each is looked at once for all that point to it, as the inbox may have no
/// index on names.
final class ComingBack {
  private var known: ByRecord<Bool> = [:]

  func contains(_ id: String, looking look: () throws -> Bool) rethrows -> Bool {
    if let known = known[id] { return known }
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
    guard decided.refusal == nil, case .save? = decided.readyWrite?.draft.action else { return false }
    return true
  }

  /// Nobody asks what its parents point to in turn: so circles end.
  private var alone: RecordReader {
    var records = self
    (records.inbox, records.comingBack) = (nil, nil)
    return records
  }
}
