import StoreInterface

/// What may be half in the store is so until it is written or taken back, be it by another Parley: the journal knows.
extension DeskState {
  var readHalves: [DeskEffect] {
    let ids = unwritten.keys.filter(isHalf).sorted()
    return ids.isEmpty ? [] : [.readHalves(ids)]
  }

  /// What ended before the mark was made says nothing about it.
  mutating func takeHalves(_ entries: [JournalEntry]) -> [DeskEffect] {
    let ended = entries.filter { $0.endsHalf && $0.time > unwrittenSince[$0.record] ?? .max }
    forgetMarks(of: ended.map(\.record))
    return []
  }
}

extension JournalEntry {
  /// Whether nothing of the record is half in the store after it. A write that came in by a part tells of which.
  fileprivate var endsHalf: Bool {
    switch event {
    case .ended(.undo, let ending, _): ending != .left
    case .ended(.write, let ending?, _): ending != .left
    case .ended(.write, nil, let detail): detail == nil
    case .ended(.import, _, _), .decided, .refused, .notDone: false
    }
  }
}
