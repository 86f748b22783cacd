import Merging
import StoreInterface

/// In what order the list shows its conflicts; findings stand behind them.
package enum ListOrder: Sendable, CaseIterable {
  /// As the store has them.
  case found
  case toDecide, newest, oldest, title

  var next: ListOrder {
    let orders = ListOrder.allCases
    return orders[((orders.firstIndex(of: self) ?? 0) + 1) % orders.count]
  }

  var words: String {
    switch self {
    case .found: "as found"
    case .toDecide: "to decide first"
    case .newest: "newest edit first"
    case .oldest: "oldest edit first"
    case .title: "by title"
    }
  }

  /// Whether `one` stands before `other`; neither does where they are alike.
  func isBefore(_ one: ConflictSummary, _ other: ConflictSummary) -> Bool {
    switch self {
    case .found: false
    case .toDecide: one.urgency > other.urgency
    case .newest: (one.lastEditTime ?? .min) > (other.lastEditTime ?? .min)
    case .oldest: (one.lastEditTime ?? .max) < (other.lastEditTime ?? .max)
    case .title: one.title < other.title
    }
  }
}

extension ConflictSummary {
  /// What only a person can decide, then what the clock has, then what is sure, then what is ready, then what waits.
  fileprivate var urgency: Int {
    switch ListFilter(self) {
    case .yours: 4
    case .clock: 3
    case .sure: 2
    case .ready: 1
    case .waiting, .stuck, .all: 0
    }
  }
}
