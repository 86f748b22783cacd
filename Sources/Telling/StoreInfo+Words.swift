import StoreInterface

extension StoreInfo {
  /// What is told of a write in place of its way back; nil where there is one.
  package var wordsOfNoUndo: String? { wordsOfNoUndo(of: "This write") }

  package func wordsOfNoUndo(of write: String) -> String? {
    notUndone.map { "\(write) cannot be taken back: \($0)." }
  }

  /// What is said where a record can be decided in no way that has a name of its own.
  package func wordsWithoutWays(isWhole: Bool) -> String {
    let how = isWhole ? "It is decided as a whole, for one side" : "It is decided field by field"
    return ["\(how), and in no other way.", notBoth].compactMap(\.self).joined(separator: " ")
  }

  /// "3 fields change"; "3 fields are to change" where a write leaves that to somebody else.
  package func changes(_ count: Int, _ what: String) -> String {
    let one = can.contains(.leaveToApp) ? "is to change" : "changes"
    let more = can.contains(.leaveToApp) ? "are to change" : "change"
    return count == 1 ? "1 \(what) \(one)" : "\(count) \(what)s \(more)"
  }

  /// "2 records are deleted", in the same way.
  package func deletions(_ count: Int) -> String {
    let done = can.contains(.leaveToApp) ? "to be deleted" : "deleted"
    return count == 1 ? "1 record is \(done)" : "\(count) records are \(done)"
  }
}
