import StoreInterface

/// How many rows each filter shows.
extension [ListFilter: Int] {
  /// One for each row, of which there may be many.
  init(counting rows: [ListFilter]) {
    var counts = [Int](repeating: 0, count: ListFilter.allCases.count + 1)
    for filter in rows { counts[filter.rawValue] += 1 }
    let pairs = ListFilter.allCases.map { ($0, $0 == .all ? rows.count : counts[$0.rawValue]) }
    self.init(uniqueKeysWithValues: pairs.filter { $0.1 > 0 })
  }

  mutating func add(_ step: Int, _ filter: ListFilter) {
    self[.all, default: 0] += step
    self[filter, default: 0] += step
  }
}

extension ListFilter {
  /// The same for what is no conflict.
  init(_ finding: Finding) { self = finding.isWaiting ? .waiting : .stuck }
}
