import StoreInterface

/// Which conflicts are marked. Marks hang on names, so they stay whatever is shown, in whatever order, and when the store is read
/// again.
package struct ListMarks: Sendable, Equatable {
  package fileprivate(set) var ids: RecordNames = []
  /// Where a range began that still goes on; it reaches to the cursor.
  package fileprivate(set) var start: String?

  package var isEmpty: Bool { ids.isEmpty && start == nil }

  mutating func remove(_ ids: some Sequence<String>) {
    let gone = RecordNames(ids)
    keep { !gone.contains($0) }
  }

  /// Of a store that was read again: what is gone is marked no more.
  mutating func keep(_ isThere: (String) -> Bool) {
    ids = ids.filter(isThere)
    if let start, !isThere(start) { self.start = nil }
  }
}

extension ListState {
  /// The conflicts that are marked, with those of a range that still goes on; in the order of the store.
  var marked: [String] {
    let ids = marks.ids.union(RecordNames(idsOfRange))
    return ids.isEmpty ? [] : self.ids.filter(ids.contains)
  }

  /// Drawn with every frame, so that many marks are not gone through.
  var markedCount: Int { marks.ids.count + idsOfRange.count { !marks.ids.contains($0) } }

  /// The conflicts that are shown.
  var shown: [String] { ids(in: 0..<count) }

  /// The rows of a range that still goes on; empty where its beginning is not shown.
  var range: Range<Int> {
    guard let start = marks.start.flatMap(position) else { return 0..<0 }
    return min(start, cursor)..<max(start, cursor) + 1
  }

  private var idsOfRange: [String] { ids(in: range) }

  private func ids(in places: Range<Int>) -> [String] {
    places.compactMap { if case .conflict(let summary)? = self[$0] { summary.id } else { nil } }
  }

  /// Ends a range, or marks the row under the cursor, or no longer marks it.
  mutating func mark(_ id: String) {
    if marks.start != nil { return endRange() }
    if marks.ids.remove(id) == nil { marks.ids.insert(id) }
  }

  /// A range from `id` to wherever the cursor goes; or the end of one.
  mutating func markRange(from id: String) {
    if marks.start != nil { return endRange() }
    marks.start = id
  }

  private mutating func endRange() {
    marks.ids.formUnion(RecordNames(idsOfRange))
    marks.start = nil
  }

  /// All that is shown; or none of it, where all of it is marked.
  mutating func markShown() {
    let shown = RecordNames(shown)
    marks.start = nil
    if marks.ids.isSuperset(of: shown) { marks.ids.subtract(shown) } else { marks.ids.formUnion(shown) }
  }

  /// First a range that goes on, then all marks.
  mutating func clearMarks() {
    if marks.start == nil { marks.ids = [] }
    marks.start = nil
  }
}
