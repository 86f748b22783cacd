import StoreInterface

/// What the list leaves out: what is not under its filter, and what lacks its words.
struct ListNarrowing: Sendable, Equatable {
  var filter = ListFilter.all
  /// Folded. A row has to have each of them.
  var words: [String] = []

  /// Whether another one in its place may bring in sight what this has hidden. Who looks for other words goes to what they find; but of
  /// words that are erased a part may be left.
  func hides(rowsOf other: Self) -> Bool {
    guard has(other) else { return false }
    return !other.has(self) || filter != .all && filter != other.filter
  }

  private func has(_ other: Self) -> Bool {
    other.words.allSatisfy { word in
      words.contains { $0.contains(word) || $0.replacing("table:=", with: "table:").contains(word) }
    }
  }
}

extension ListState {
  var narrowing: ListNarrowing {
    ListNarrowing(filter: filter, words: query.parts.map(SearchText.folded))
  }
}
