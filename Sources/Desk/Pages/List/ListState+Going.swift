import StoreInterface

/// Where the cursor goes by itself, among what is shown.
extension ListState {
  /// The next record that has something to decide, going around; what only a person can decide comes first. nil if no other
  /// record has.
  func nextToDecide(from place: Int, step: Int = 1) -> Int? {
    let others = around(place, step)
    return others.first { filterToDecide(at: $0) == .toDecide }
      ?? others.first { filterToDecide(at: $0) != nil }
  }

  /// The next row with what was looked for last; nil if there is no other, or nothing was looked for.
  func nextMatch(step: Int) -> Int? {
    lookedFor.isEmpty
      ? nil
      : around(cursor, step).first {
        switch visible[$0] {
        case .conflict(let index): has(lookedFor, index)
        case .finding(let index): lookedFor.finds(findings[index])
        }
      }
  }

  /// After a choice, if any other record has something to decide.
  mutating func goOn() {
    if let next = nextToDecide(from: cursor) { moveCursor(to: next) }
  }

  /// All other places, the nearest first.
  private func around(_ place: Int, _ step: Int) -> some Sequence<Int> {
    Round(count).places(from: place + step, by: step).dropLast()
  }

  /// The filter that shows what is at a place, if it has something to decide.
  private func filterToDecide(at place: Int) -> ListFilter? {
    guard case .conflict(let index) = visible[place] else { return nil }
    let filter = filterShowing(index)
    switch filter {
    case .toDecide, .clock, .sure: return filter
    case .ready, .waiting, .stuck, .all: return nil
    }
  }
}
