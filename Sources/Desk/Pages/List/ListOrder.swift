import StoreInterface

/// In what order the list shows its conflicts, and behind them its findings.
package enum ListOrder: Sendable, CaseIterable {
  /// As the store has them.
  case found
  case toDecide, newest, oldest, title

  var next: ListOrder {
    let orders = ListOrder.allCases
    return orders[Round(orders.count)[(orders.firstIndex(of: self) ?? 0) + 1]]
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
  func isBefore(_ one: some ListedSummary, _ other: some ListedSummary) -> Bool {
    place(of: one) < place(of: other)
  }

  func place(of summary: some ListedSummary) -> Place {
    switch self {
    case .found: .same
    case .toDecide: .number(-summary.urgency)
    case .newest, .oldest: place(at: summary.lastEditTime)
    case .title: .title(summary.title)
    }
  }

  /// The same among findings, of which none is more to decide than another.
  func place(of finding: Finding) -> Place {
    switch self {
    case .found, .toDecide: .same
    case .newest, .oldest: place(at: finding.time)
    case .title: .title(finding.title)
    }
  }

  /// The later, the less, where the newest stands first; what has no time stands last.
  private func place(at time: Int64?) -> Place {
    .number(self == .newest ? Int(~(time ?? .min)) : Int(time ?? .max))
  }

  /// What decides where a row stands. In one order all have one of the same kind.
  enum Place: Comparable {
    case same
    case number(Int)
    case title(String)
  }
}

extension ListedSummary {
  /// What only a person can decide, then what the clock has, then what is sure, then what is ready, then what waits.
  fileprivate var urgency: Int {
    switch ListFilter(self) {
    case .toDecide: 4
    case .clock: 3
    case .sure: 2
    case .ready: 1
    case .waiting, .stuck, .all: 0
    }
  }
}
