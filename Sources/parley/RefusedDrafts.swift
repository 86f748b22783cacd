import Merging
import StoreInterface
import Telling

/// Drafts that are decided, and that the store would not take.
extension ConflictStore {
  /// A store with rules of its own may refuse what a side has, such as a key that points to nothing here. That is told where it was
  /// decided, and kept, so that nothing calls such a draft ready.
  func refusedDrafts(
    of records: [DecidedConflict], telling surroundings: Surroundings
  ) throws -> [CheckedWrite] {
    guard info.words.rules != nil else { return [] }
    let refused = try checkKeeping(records.compactMap(\.plannedWrite).map { WriteOrder($0) })
      .filter { $0.outcome.refusal != nil }
    for checked in refused {
      guard let refusal = checked.outcome.refusal else { continue }
      try surroundings.errors.print(
        "parley: \(checked.id): the store would refuse this draft, which is kept all the same: "
          + Privacy.open.words(refusal))
    }
    try surroundings.errors.flush()
    return refused
  }
}

extension DecidedConflict {
  /// nil where there is no draft yet, or none that can be written.
  fileprivate var plannedWrite: PlannedWrite? {
    conflict.details.notWritable == nil ? draft.map { PlannedWrite(seen: conflict, draft: $0) } : nil
  }
}
