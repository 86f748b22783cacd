import Merging
import StoreInterface

/// `v`: the values of what is asked about, in full. Of a record that is decided as a whole that is all in which its versions differ, as they
/// are what is kept or given up by it.
extension LinearDesk {
  func sayInFull() throws -> Next {
    guard let conflict = seen?.conflict else { return try nothingHere() }
    for field in fieldsAsked(of: conflict) {
      for side in Side.allCases { try tell(text.inFull(side, of: field, in: conflict)) }
      try tell(text.unseenInFull(field, in: conflict) + text.furtherInFull(field, in: conflict))
    }
    return .stay
  }

  private func fieldsAsked(of conflict: RecordConflict) -> [FieldConflict] {
    guard asked.subjects == [.record] else {
      return asked.subjects.compactMap(\.fieldName).compactMap { conflict[$0] }
    }
    let changed = conflict.fields.filter { $0.change != .unchanged && $0.field.isWritable }
    return changed.isEmpty ? Array(conflict.fields) : changed
  }
}
