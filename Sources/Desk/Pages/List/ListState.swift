import Merging
import StoreInterface
import Telling

/// The list: what was found so far, what is shown of it, and where the cursor stands.
package struct ListState: Sendable, Equatable {
  package enum Row: Sendable, Equatable {
    case conflict(ConflictSummary)
    case finding(Finding)

    package typealias ID = String
    fileprivate static let findingPrefix = "finding "

    package var id: ID {
      switch self {
      case .conflict(let summary): summary.id
      case .finding(let finding): Row.findingPrefix + finding.id
      }
    }
  }

  private enum Place: Sendable, Equatable {
    case conflict(Int)
    case finding(Int)
  }

  package private(set) var summaries: [ConflictSummary] = []
  package private(set) var findings: [Finding] = []
  private var indexes: [String: Int] = [:]
  private var visible: [Place] = []
  package private(set) var counts: [ListFilter: Int] = [:]
  /// How many drafts wait for the app.
  package private(set) var waitingCount = 0
  package private(set) var filter = ListFilter.all
  /// What the quick filter looks for; empty shows all.
  package private(set) var words = ""
  package var isTyping = false
  /// Where the cursor stands in what is shown. It hangs on its row: what comes, goes or moves above leaves it there.
  package private(set) var cursor = 0
  /// The row that the cursor hangs on; nil until there is one.
  private var anchor: Row.ID?
  /// How many records were looked at, of how many; nil when the walk is over.
  package var progress: Progress? = Progress()
  package var findingsAreComplete = false
  /// Whether the walk came to its end, and did not fail.
  var wasReadWhole = false
  var reading: String?

  package struct Progress: Sendable, Equatable {
    package var seen = 0
    package var total: Int?
  }

  package init() {}

  package var count: Int { visible.count }
  package var openCount: Int { summaries.count - waitingCount - (counts[.ready] ?? 0) }

  package subscript(position: Int) -> Row? {
    guard visible.indices.contains(position) else { return nil }
    return switch visible[position] {
    case .conflict(let index): .conflict(summaries[index])
    case .finding(let index): .finding(findings[index])
    }
  }

  package var selected: Row? { self[cursor] }

  package func summary(_ id: String) -> ConflictSummary? { indexes[id].map { summaries[$0] } }

  /// Where a record stands in what is shown.
  package func position(of id: String) -> Int? {
    guard let index = indexes[id] else { return nil }
    return visible.firstIndex(of: .conflict(index))
  }
}

extension ListState {
  package mutating func append(_ page: [ConflictSummary]) {
    for summary in page where indexes[summary.id] == nil {
      indexes[summary.id] = summaries.count
      count(summary, by: 1)
      if shows(summary) { insert(.conflict(summaries.count), id: summary.id) }
      summaries.append(summary)
    }
  }

  /// Conflicts stand before findings. A cursor on a finding stays on it.
  private mutating func insert(_ place: Place, id: Row.ID) {
    let position = endOfConflicts
    if position <= cursor, position < visible.count { cursor += 1 }
    visible.insert(place, at: position)
    // It hangs on the first that ever comes.
    if anchor == nil { anchor = id }
  }

  package mutating func append(_ page: [Finding]) {
    for finding in page {
      if shows(finding) {
        visible.append(.finding(findings.count))
        if anchor == nil { anchor = Row.finding(finding).id }
      }
      findings.append(finding)
    }
    counts[.stuck] = findings.count
    counts[.all] = summaries.count + findings.count
  }

  /// A decision changed a row. It stays where it is until the filter is chosen again, so that nothing jumps away
  /// under the cursor.
  package mutating func replace(_ summary: ConflictSummary) {
    guard let index = indexes[summary.id] else { return }
    count(summaries[index], by: -1)
    count(summary, by: 1)
    summaries[index] = summary
  }

  package mutating func remove(_ ids: Set<String>) {
    let place = placeOfAnchor.map { place in
      place - summaries.prefix(place).count { ids.contains($0.id) }
    }
    let kept = summaries.filter { !ids.contains($0.id) }
    summaries.removeAll()
    indexes.removeAll()
    counts = [.stuck: findings.count, .all: findings.count]
    waitingCount = 0
    visible = []
    append(kept)
    fill()
    settle(at: place)
  }

  package mutating func show(_ filter: ListFilter, words: String) {
    (self.filter, self.words) = (filter, words)
    fill()
    settle(at: placeOfAnchor)
  }

  package mutating func moveCursor(to position: Int) {
    cursor = max(0, min(count - 1, position))
    anchor = selected?.id
  }

  /// The words stay; the cursor hangs on the row that it stands on now.
  package mutating func endTyping() {
    isTyping = false
    moveCursor(to: cursor)
  }

  private mutating func fill() {
    visible = summaries.indices.filter { shows(summaries[$0]) }.map { .conflict($0) }
    visible += findings.indices.filter { shows(findings[$0]) }.map { .finding($0) }
  }

  /// The place of the cursor's row among all, shown or not.
  private var placeOfAnchor: Int? {
    guard let anchor else { return nil }
    return indexes[anchor]
      ?? findings.firstIndex { Row.finding($0).id == anchor }.map { summaries.count + $0 }
  }

  /// The cursor goes to its row, or to the next one that is shown. While words are typed it hangs on the row where that began.
  private mutating func settle(at place: Int?) {
    let position = place.flatMap { place in
      visible.firstIndex {
        switch $0 {
        case .conflict(let index): index >= place
        case .finding(let index): summaries.count + index >= place
        }
      }
    }
    cursor = max(0, min(position ?? count, count - 1))
    if !isTyping { anchor = selected?.id ?? anchor }
  }

  /// Whether all was read, and there is nothing.
  package var hasNothingLeft: Bool { wasReadWhole && summaries.isEmpty && findings.isEmpty }

  /// Whether all was found that there is, or can be.
  var isComplete: Bool { progress == nil && findingsAreComplete }

  /// Shows of the same store what another list shows. The cursor stands on the same row, or where that is gone on the next that
  /// is left.
  mutating func takePlace(of old: ListState) {
    (isTyping, reading, filter, words) = (old.isTyping, old.reading, old.filter, old.words)
    fill()
    let places = Dictionary(
      uniqueKeysWithValues: visible.indices.compactMap { place in self[place].map { ($0.id, place) } })
    let below = (old.cursor..<max(old.cursor, old.count)).lazy
    let above = (0..<min(old.cursor, old.count)).reversed().lazy
    let place = { (position: Int) in old[position].flatMap { places[$0.id] } }
    moveCursor(to: below.compactMap(place).first ?? above.compactMap(place).first ?? 0)
    if isTyping { anchor = old.anchor }
  }

  private var endOfConflicts: Int {
    let findings = visible.reversed().prefix { if case .finding = $0 { true } else { false } }.count
    return visible.count - findings
  }

  private mutating func count(_ summary: ConflictSummary, by step: Int) {
    counts[.all, default: 0] += step
    if let filter = ListFilter(summary) { counts[filter, default: 0] += step } else { waitingCount += step }
  }

  private func shows(_ summary: ConflictSummary) -> Bool {
    (filter == .all || filter == ListFilter(summary))
      && matches(summary.title, summary.table, Privacy.open.why(summary.why))
  }

  private func shows(_ finding: Finding) -> Bool {
    (filter == .all || filter == .stuck) && matches(finding.title, finding.table, finding.what)
  }

  private func matches(_ texts: String...) -> Bool {
    words.isEmpty || texts.contains { $0.lowercased().contains(words.lowercased()) }
  }
}

extension ListFilter {
  /// The one filter, beside all, that shows this conflict; nil for one whose draft waits for the app.
  init?(_ summary: ConflictSummary) {
    if summary.waitingSince != nil { return nil }
    if summary.isReady {
      self = .ready
    } else {
      switch summary.certainty {
      case .yours: self = .yours
      case .byClock: self = .clock
      case .sure: self = .sure
      }
    }
  }
}
