import ExactJSON
import Merging
import StoreInterface

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

  enum Place: Sendable, Equatable {
    case conflict(Int)
    case finding(Int)
  }

  package private(set) var summaries = SummaryRows()
  package private(set) var findings: [Finding] = []
  private var findingsThatWait = 0
  private(set) var visible: [Place] = []
  package private(set) var counts: [ListFilter: Int] = [:]
  /// The same of what has the words in it: how many rows each filter would show.
  package private(set) var matching: [ListFilter: Int] = [:]
  package private(set) var filter = ListFilter.all
  /// What the quick filter looks for; empty shows all.
  package var words: String { query.words }
  /// See ``ListQuery/problem``.
  var problem: String? { query.problem() }
  var unknownName: String? { query.unknownName }
  private(set) var query = ListQuery("", now: 0)
  /// What was looked for last: `n` finds it when the list shows all again.
  private(set) var lookedFor = ListQuery("", now: 0)
  /// Whether it is known of any record on which device it was edited last.
  private(set) var knowsDevices = false
  /// Whether any row tells when, or by whom, it was edited last, or how many leaves it has.
  private(set) var knowsLastEdits = false
  /// What the first summaries say in words; those after them were never asked.
  var told = ToldWords()
  /// Those of which a value is longer than what they are found by, and what is found in these.
  private(set) var cutRows: [Int] = []
  var values = ValueSearch()
  package private(set) var order = ListOrder.found
  /// The words while they are typed.
  var typing: InputLine?
  package var isTyping: Bool { typing != nil }
  /// Where the cursor stands in what is shown. It hangs on its row: what comes, goes or moves above leaves it there.
  package private(set) var cursor = 0
  /// Whether it was moved up last.
  private var goesUp = false
  /// The row that the cursor hangs on; nil until there is one.
  private var anchor: Row.ID?
  /// How many records were looked at, of how many; nil when the walk is over.
  package var progress: Progress? = Progress()
  package var findingsAreComplete = false
  package var marks = ListMarks() { didSet { countHiddenMarks() } }
  /// How many marked rows are not shown.
  private(set) var hiddenMarks = 0
  /// Drafts that the store refused when they were to be written, as long as nothing else is decided about them.
  package private(set) var refused: ByRecord<DraftRefusal> = [:]
  /// Those of which something may be in the store, and nobody knows how much.
  private(set) var halves: RecordNames = []
  /// Whether the walk came to its end, and did not fail.
  var wasReadWhole = false
  var reading: String?
  /// The one that is read before the cursor stands on it.
  var ahead: String?
  /// The one that could not be: it is told when the cursor stands on it.
  var unreadAhead: String?
  /// The record that could not be read when the cursor stood on it.
  var unread: String?

  package struct Progress: Sendable, Equatable {
    package var seen = 0
    package var total: Int?
  }

  package init() {}

  package var count: Int { visible.count }
  package var openCount: Int {
    summaries.count - (counts[.ready] ?? 0) - ((counts[.waiting] ?? 0) - findingsThatWait)
  }
  /// Whether there may be rows that are not shown.
  package var isNarrowed: Bool { filter != .all || !query.isEmpty }

  package subscript(position: Int) -> Row? {
    guard visible.indices.contains(position) else { return nil }
    return switch visible[position] {
    case .conflict(let index): .conflict(summaries[index])
    case .finding(let index): .finding(findings[index])
    }
  }

  package var selected: Row? { self[cursor] }

  /// Without times none is newer.
  var nextOrder: ListOrder { order.next == .newest && !knowsLastEdits ? .title : order.next }

  /// The record under the cursor.
  var selectedConflict: ConflictSummary.ID? { conflict(at: cursor) }
  /// The record that comes next for who goes on.
  var nextConflict: ConflictSummary.ID? { conflict(at: cursor + (goesUp ? -1 : 1)) }

  private func conflict(at position: Int) -> ConflictSummary.ID? {
    if case .conflict(let summary)? = self[position] { summary.id } else { nil }
  }

  /// The table and the state of each row, those that are not shown too.
  var places: [(table: String, state: ListFilter)] {
    summaries.indices.map { (summaries.packed($0).table, filterShowing($0)) }
      + findings.map { ($0.table, ListFilter($0)) }
  }

  /// Of all conflicts, in the order of the store.
  var ids: [ConflictSummary.ID] { summaries.indices.map { summaries.packed($0).id } }
  /// Those whose draft can be written.
  func countOfReady(beside id: ConflictSummary.ID) -> Int {
    summaries.indices.count { place in
      let row = summaries.packed(place)
      return row.isReady && !row.id.hasSameBytes(as: id)
    }
  }

  var ready: [ConflictSummary.ID] { summaries.indices.map(summaries.packed).filter(\.isReady).map(\.id) }
  /// Those that a person has to decide because a key points to nothing here.
  var pointingNowhere: [ConflictSummary.ID] {
    summaries.indices.map(summaries.packed).filter(\.why.pointsNowhere).map(\.id)
  }

  package func summary(_ id: String) -> ConflictSummary? { summaries.index(of: id).map { summaries[$0] } }

  /// Where a record stands in what is shown.
  package func position(of id: String) -> Int? {
    guard let index = summaries.index(of: id) else { return nil }
    return visible.firstIndex(of: .conflict(index))
  }

  func position(of finding: Finding) -> Int? {
    findings.firstIndex { $0.id == finding.id }.flatMap { visible.firstIndex(of: .finding($0)) }
  }
}

extension ListState {
  package mutating func append(_ page: [ConflictSummary]) {
    for summary in page where summaries.index(of: summary.id) == nil {
      summaries.append(summary)
      knowsDevices = knowsDevices || summary.lastEditDevice != nil
      knowsLastEdits =
        knowsLastEdits || summary.lastEditTime != nil || summary.lastEdit != nil || summary.leafCount > 0
      let index = summaries.count - 1
      if summary.isCut { cutRows.append(index) }
      count(index, by: 1)
      if shows(index) { insert(.conflict(index), id: summary.id) }
    }
  }

  /// Whether it is not there any more, be it to be mended by the other side, as far as all was read again.
  func isGone(_ finding: Finding) -> Bool {
    isComplete && !findings.contains { $0.id == finding.id || $0.takingServer?.id == finding.id }
  }

  /// A cursor stays on its row.
  private mutating func insert(_ place: Place, id: Row.ID) {
    let position = position(inOrder: place)
    // While words are typed it stands on the first row that has them.
    if position <= cursor, position < visible.count, !isTyping { cursor += 1 }
    visible.insert(place, at: position)
    // It hangs on the first that ever comes.
    if anchor == nil { anchor = id }
  }

  package mutating func append(_ page: [Finding]) {
    for finding in page {
      findings.append(finding)
      if shows(finding) { insert(.finding(findings.count - 1), id: Row.finding(finding).id) }
      knowsLastEdits = knowsLastEdits || finding.time != nil
      if finding.isWaiting { findingsThatWait += 1 }
      counts.add(1, ListFilter(finding))
      if query.finds(finding) { matching.add(1, ListFilter(finding)) }
    }
  }

  /// Without what is told by the row of a conflict: that its write was interrupted.
  mutating func appendApart(_ page: [Finding]) {
    append(page.filter { $0.interruptedRecord.flatMap { summaries.index(of: $0) } == nil })
  }

  /// A decision changed a row. It stays where it is until the filter is chosen again, so that nothing jumps away
  /// under the cursor; what comes under the filter again is there at once, as its number is.
  package mutating func replace(_ summary: ConflictSummary) {
    guard let index = summaries.index(of: summary.id) else { return }
    let wasShown = shows(index)
    count(index, by: -1)
    summaries.replace(index, with: summary)
    tellAgain(index)
    count(index, by: 1)
    if !wasShown { bringIn(index) }
  }

  private mutating func bringIn(_ index: Int) {
    if shows(index), !isVisible(index) { insert(.conflict(index), id: summaries.packed(index).id) }
  }

  /// What is found in the values of a row may bring it into the list. What is found no more stays until its filter is chosen again.
  mutating func take(_ words: Set<String>, of id: ConflictSummary.ID) {
    guard let index = summaries.index(of: id) else { return }
    let before = has(query, index)
    values.take(words, of: id)
    let isFound = has(query, index)
    guard isFound != before else { return }
    matching.add(isFound ? 1 : -1, filterShowing(index))
    bringIn(index)
  }

  private func isVisible(_ index: Int) -> Bool {
    guard order == .found else { return visible.contains(.conflict(index)) }
    let place = position(inOrder: .conflict(index))
    return place > 0 && visible[place - 1] == .conflict(index)
  }

  /// What was refused is a person's to decide again, and no draft that is ready.
  ///
  /// - Parameter halves: those of which nobody knows whether they are written, or that are so in part: no draft of them is ready either.
  mutating func refuse(
    _ refusals: ByRecord<DraftRefusal>, halves: RecordNames
  ) {
    let ids = RecordNames(refusals.keys).union(refused.keys).filter { refusals[$0] != refused[$0] }
      .union(halves.symmetricDifference(self.halves))
    let changed = ids.compactMap { summaries.index(of: $0) }
    let hidden = changed.filter { !shows($0) }
    for index in changed { count(index, by: -1) }
    (refused, self.halves) = (refusals, halves)
    for index in changed {
      count(index, by: 1)
      tellAgain(index)
    }
    for index in hidden { bringIn(index) }
  }

  func filterShowing(_ index: Int) -> ListFilter { filterShowing(summaries.packed(index)) }

  func filterShowing(_ row: PackedSummary) -> ListFilter {
    if !halves.isEmpty, halves.contains(row.id) { return .stuck }
    return row.isReady && !refused.isEmpty && refused[row.id] != nil ? .toDecide : ListFilter(row)
  }

  package mutating func remove(_ ids: RecordNames) {
    marks.remove(ids)
    let place = placeOfAnchor.map { place in
      place - (0..<min(place, summaries.count)).count { ids.contains(summaries.packed($0).id) }
    }
    let kept = summaries.filter { !ids.contains($0.id) }
    (summaries, cutRows) = (SummaryRows(), [])
    values.startAgain()
    told = ToldWords()
    counts = [:]
    visible = []
    append(kept)
    var left = marks
    left.keep { summaries.index(of: $0) != nil }
    marks = left
    for finding in findings { counts.add(1, ListFilter(finding)) }
    fill()
    settle(at: place)
  }

  package mutating func show(_ filter: ListFilter, _ query: ListQuery) {
    let looksForOthers = query.words != self.query.words && !query.isEmpty
    (self.filter, self.query) = (filter, query)
    if !query.isEmpty { lookedFor = query }
    values.look(for: query)
    fill()
    // Who looks for words wants the first row that has them, wherever the cursor stood.
    if looksForOthers { cursor = 0 } else { settle(at: placeOfAnchor) }
  }

  package mutating func show(in order: ListOrder) {
    self.order = order
    fill()
    settle(at: placeOfAnchor)
  }

  package mutating func moveCursor(to position: Int) {
    let before = cursor
    cursor = max(0, min(count - 1, position))
    if cursor != before { goesUp = cursor < before }
    anchor = selected?.id ?? anchor
  }

  mutating func moveCursor(toFirstOf ids: RecordNames) {
    if let first = visible.firstIndex(where: { ids.contains(id(of: $0)) }) { moveCursor(to: first) }
  }

  /// The words stay; the cursor hangs on the row that it stands on now.
  package mutating func endTyping() {
    typing = nil
    moveCursor(to: cursor)
  }

  private mutating func fill() {
    tellAll(for: query)
    let found = summaries.indices.filter { has(query, $0) }
    let filters = found.map(filterShowing)
    let foundFindings = findings.indices.filter { query.finds(findings[$0]) }
    matching = [ListFilter: Int](counting: filters + foundFindings.map { ListFilter(findings[$0]) })
    let shown = filter == .all ? found : zip(found, filters).filter { isInFilter($0.1) }.map(\.0)
    let shownFindings = foundFindings.filter { isInFilter(ListFilter(findings[$0])) }
    visible = sorted(shown) { order.place(of: summaries.packed($0)) }.map { .conflict($0) }
    visible += sorted(shownFindings) { order.place(of: findings[$0]) }.map { .finding($0) }
    countHiddenMarks()
  }

  /// Not with every frame, as there may be many.
  private mutating func countHiddenMarks() {
    let ids = marks.ids
    hiddenMarks = ids.isEmpty || !isNarrowed ? 0 : ids.count - shown.count(where: ids.contains)
  }

  /// The place of the cursor's row among all, shown or not.
  private var placeOfAnchor: Int? {
    guard let anchor else { return nil }
    return summaries.index(of: anchor)
      ?? findings.firstIndex { Row.finding($0).id.hasSameBytes(as: anchor) }.map { summaries.count + $0 }
  }

  /// The cursor goes to its row, or to the next one that is shown. While words are typed it hangs on the row where that began.
  private mutating func settle(at place: Int?) {
    let position =
      visible.firstIndex { anchor.isName(id(of: $0)) }
      ?? place.flatMap { place in
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

  /// How many records are decided in part. Asked once, when the desk is left.
  package var begunCount: Int {
    summaries.indices.count { index in
      let summary = summaries[index]
      let all = summary.counts.sure + summary.counts.byClock + summary.counts.yours
      return !summary.isReady && summary.waitingSince == nil && (1..<max(1, all)).contains(summary.undecided)
    }
  }

  /// Whether there may be more conflicts than those that are here.
  var isBeingRead: Bool { progress != nil }
  /// Whether all was found that there is, or can be.
  var isComplete: Bool { !isBeingRead && findingsAreComplete }

  /// Shows of the same store what another list shows. The cursor stands on the same row, or where that is gone on the next that
  /// is left.
  mutating func takePlace(of old: ListState) {
    (typing, reading, unread) = (old.typing, old.reading, old.unread)
    (filter, order) = (old.filter, old.order)
    (query, lookedFor, values) = (old.query, old.lookedFor, old.values)
    values.startAgain()
    refuse(old.refused, halves: old.halves)
    var kept = old.marks
    kept.keep { summaries.index(of: $0) != nil }
    marks = kept
    fill()
    let named = visible.indices.compactMap { place in self[place].map { ($0.id, place) } }
    let places = ByRecord(named) { first, _ in first }
    let below = (old.cursor..<max(old.cursor, old.count)).lazy
    let above = (0..<min(old.cursor, old.count)).reversed().lazy
    let place = { (position: Int) in old[position].flatMap { places[$0.id] } }
    moveCursor(to: below.compactMap(place).first ?? above.compactMap(place).first ?? 0)
    if isTyping { anchor = old.anchor }
  }

  private func shows(_ index: Int) -> Bool {
    isInFilter(filterShowing(index)) && has(query, index)
  }

  private func shows(_ finding: Finding) -> Bool { isInFilter(ListFilter(finding)) && query.finds(finding) }

  private func isInFilter(_ one: ListFilter) -> Bool { filter == .all || filter == one }

  private func id(of place: Place) -> Row.ID {
    switch place {
    case .conflict(let index): summaries.packed(index).id
    case .finding(let index): Row.finding(findings[index]).id
    }
  }
}

/// The order of the rows.
extension ListState {
  private func sorted(_ indexes: [Int], by place: (Int) -> ListOrder.Place) -> [Int] {
    guard order != .found else { return indexes }
    let places = indexes.map { (index: $0, place: place($0)) }
    return places.sorted { $0.place < $1.place }.map(\.index)
  }

  /// Where what is found now goes: behind those that it is not before.
  private func position(inOrder new: Place) -> Int {
    var places = 0..<visible.count
    while !places.isEmpty {
      let middle = places.lowerBound + places.count / 2
      let isBefore = isBefore(new, visible[middle])
      places = isBefore ? places.lowerBound..<middle : middle + 1..<places.upperBound
    }
    return places.lowerBound
  }

  /// Conflicts stand before findings.
  private func isBefore(_ one: Place, _ other: Place) -> Bool {
    switch (one, other) {
    case (.conflict, .finding): true
    case (.finding, .conflict): false
    case (.conflict(let one), .conflict(let other)):
      order == .found ? one < other : order.isBefore(summaries.packed(one), summaries.packed(other))
    case (.finding(let one), .finding(let other)):
      order.place(of: findings[one]) < order.place(of: findings[other])
    }
  }
}

/// How many rows there are of each kind.
extension ListState {
  private mutating func count(_ index: Int, by step: Int) {
    let filter = filterShowing(index)
    counts.add(step, filter)
    if has(query, index) { matching.add(step, filter) }
  }
}
