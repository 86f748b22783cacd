import Merging
import Terminal

/// The two lines at the top of the list: the store and how much there is, and what narrows it.
extension ListScreen {
  func drawHeader(_ frame: inout Frame) {
    let (left, right) = header(width: frame.columns)
    frame.title(left, right: right)
  }

  private func header(width: Int) -> (left: [Run], right: [Run]) {
    let name = [Run(desk.store.name)]
    let named = name + order() + access
    let title = [Run("Conflicts   ", .text.bold)]
    let room = width - 4
    let (counts, signs) = (counts, signs)
    // The banner is cut first; then words give way, as numbers that are cut are none.
    let heads = [
      (title + name + order(inFull: true) + access, counts), (title + named, counts), (named, counts),
      (named, signs), (name + access, signs),
    ]
    if let fitting = heads.first(where: { $0.width + $1.width <= room }) {
      let rest = room - fitting.0.width - fitting.1.width
      return (fitting.0 + (rest < Self.leastOfBanner ? [] : banner), fitting.1)
    }
    let right = signs.width + access.width + Self.leastOfName <= room ? signs : few
    let cut = DisplayText.cut(desk.store.name, to: room - access.width - right.width)
    return ([Run(cut)] + access, right)
  }

  /// The rows that a number in the header counts; nil where none of them is clicked.
  func filter(inHeaderAt column: Int) -> ListFilter? {
    let right = header(width: desk.size.columns).right
    let (line, start) = (right.map(\.text).joined(), desk.size.columns - right.width - 1)
    return (counted + signed).first { _, words in
      line.range(of: words).map { range in
        let first = start + DisplayText.width(String(line[..<range.lowerBound]))
        return (first..<first + DisplayText.width(words)).contains(column)
      } ?? false
    }?.0
  }

  /// In columns: a word of it, as less says nothing.
  private static let leastOfBanner = 12
  /// In columns, of the store's name where it has no room.
  private static let leastOfName = 4

  private var marked: [Run] {
    let count = desk.list.markedCount
    let isRange = desk.list.marks.start != nil && desk.size.columns >= 60
    let hidden = desk.list.hiddenMarks == 0 ? "" : ", \(desk.list.hiddenMarks) not shown"
    return count == 0 ? [] : [Run("\(count) marked\(hidden)\(isRange ? ", v ends it" : "")", .text.bold)]
  }

  /// - Parameter inFull: whether that findings stand behind all is told.
  private func order(inFull: Bool = false) -> [Run] {
    guard desk.list.order != .found else { return [] }
    let last =
      inFull && desk.list.filter == .all && total(.stuck) > 0 ? ", \(desk.store.findingWord(2)) last" : ""
    return [Run("   \(desk.list.order.words)\(last)", .dim)]
  }

  private var banner: [Run] { desk.store.banner.map { [Run("   " + $0, .dim)] } ?? [] }

  private var access: [Run] {
    (desk.interrupted.isEmpty ? [] : [Run("   interrupted", .failed.bold)])
      + (desk.access.reason == nil ? [] : [Run("   read-only", .needs.bold)])
      + (desk.deafness == nil ? [] : [Run("   not listening", .needs.bold)])
      + (desk.privacy.hides && desk.size.columns >= 60 ? [Run("   values hidden", .needs.bold)] : [])
  }

  private var counts: [Run] { numbers(counted.map(\.words), gap: "   ") }

  private typealias Counted = (filter: ListFilter, words: String)

  private var open: Counted { (.all, "\(desk.list.openCount) open") }

  private var counted: [Counted] {
    let waiting: [Counted] = total(.waiting) > 0 ? [(.waiting, "\(total(.waiting)) waiting")] : []
    let stuck = "\(total(.stuck)) \(desk.store.findingWord(total(.stuck)))"
    return [open, (.ready, "\(total(.ready)) ready")] + waiting + [(.stuck, stuck)]
  }

  /// The same by the signs that stand before the rows.
  private var signs: [Run] { numbers(signed.map(\.words), gap: "  ") }

  private var signed: [Counted] {
    let filters: [ListFilter] = total(.waiting) > 0 ? [.ready, .waiting, .stuck] : [.ready, .stuck]
    return [open] + filters.map { ($0, "\($0.sign) \(total($0))") }
  }

  /// Where even these have no room; the filters tell the others.
  private var few: [Run] {
    numbers(marked.isEmpty ? ["\(desk.list.openCount) open"] : [], gap: "  ") + [Run(" ›", .dim)]
  }

  private func total(_ filter: ListFilter) -> Int { desk.list.counts[filter] ?? 0 }

  private func numbers(_ numbers: [String], gap: String) -> [Run] {
    let between = marked.isEmpty || numbers.isEmpty ? "" : gap
    return [Run(progress, .dim)] + marked + [Run(between + numbers.joined(separator: gap))]
  }

  private var progress: String {
    let list = desk.nextList?.list ?? desk.list
    guard let progress = list.progress else {
      let findings = list.findingsAreComplete ? "" : "looking for \(desk.store.findingWord(2))   "
      return desk.list.searched.map { "searching \($0)%   " } ?? findings
    }
    guard let total = progress.total, total > 0 else { return "reading \(progress.seen)   " }
    return "reading \(min(99, progress.seen * 100 / total))%   "
  }

  var filters: [Run] {
    if let line = desk.list.typing { return typed(line) }
    let numbers = filterNumbers
    // What narrows the list is not cut away with the numbers.
    if !desk.list.words.isEmpty { return search + numbers }
    return numbers + (isHintShown(beside: numbers) ? hint : [])
  }

  private var hint: [Run] { [Run(" ")] + search }

  private func isHintShown(beside numbers: [Run]) -> Bool {
    numbers.width + hint.width < desk.size.columns
  }

  /// What is typed, as far as there is room for it beside how many rows have it.
  private func typed(_ line: InputLine) -> [Run] {
    let found = "   \(desk.list.count) of \(desk.list.counts[desk.list.filter] ?? 0)"
    let part = InputPart(line, width: desk.size.columns - 5 - found.count, shown: shown)
    return [
      Run("/ ", .text.bold), Run(part.before, line.isToBeReplaced ? .dim : .text), Run("_", .dim),
      Run(part.after), Run(found, .dim),
      desk.list.problem.map { Run("   there is \($0)", .needs) }
        ?? Run("   \(ListQuery(line.text, now: 0).hint)", .dim),
    ]
  }

  /// The words are cut where there is no room for them beside all numbers.
  private var search: [Run] {
    if desk.list.words.isEmpty { return [Run(" / filter", .dim), Run("  ")] }
    let room = desk.size.columns - 5 - Self.width(closestNumbers)
    let words = DisplayText.cut(shown(desk.list.words), to: max(Self.leastOfWords, room))
    return [Run("/ \(words)", .text.bold), Run("  ")]
  }

  /// In columns, where even that is not all the room that there is.
  private static let leastOfWords = 10

  private func shown(_ text: String) -> String { text.isEmpty ? "" : desk.privacy.shown(text) }

  /// The numbers are the keys, and how many rows each shows.
  private var filterNumbers: [Run] {
    numbers.enumerated().flatMap { $0.offset == 0 ? [$0.element.run] : [Run(" "), $0.element.run] }
  }

  /// What is decided by now stays in sight until its filter is chosen again: "+2".
  private var staying: String {
    guard desk.list.isNarrowed, desk.list.typing == nil else { return "" }
    let more = desk.list.count - number(desk.list.filter)
    return more > 0 ? "+\(more)" : ""
  }

  /// In words where all have room, else by the signs that stand before the rows, but for the one that is chosen; then with the
  /// numbers close to the signs, and in the end by signs alone. Where even so not all have room, the chosen one comes first, and the line
  /// is cut.
  private var numbers: [(filter: ListFilter, run: Run)] {
    let room = desk.size.columns - 1 - (desk.list.words.isEmpty ? 0 : search.width)
    let ways: [(ListFilter) -> String] = [
      title, { isChosen($0) ? title($0) : "\($0.sign) " }, closeTitle, { $0 == .all ? "" : $0.closeSign },
    ]
    for way in ways {
      let fitting = numbers(way)
      if Self.width(fitting) <= room { return fitting }
    }
    let closest = closestNumbers
    return closest.filter { isChosen($0.filter) } + closest.filter { !isChosen($0.filter) }
  }

  private var closestNumbers: [(filter: ListFilter, run: Run)] { numbers(closeTitle) }

  private func closeTitle(_ filter: ListFilter) -> String {
    isChosen(filter) ? title(filter) : filter.closeSign
  }

  private func isChosen(_ filter: ListFilter) -> Bool { filter == desk.list.filter }

  private func title(_ filter: ListFilter) -> String {
    "\(filter.title(findings: desk.store.findingWord(2))) "
  }

  private static func width(_ numbers: [(filter: ListFilter, run: Run)]) -> Int {
    numbers.reduce(-1) { $0 + 1 + DisplayText.width($1.run.text) }
  }

  /// - Parameter title: what stands between the key and the number of rows.
  private func numbers(_ title: (ListFilter) -> String) -> [(filter: ListFilter, run: Run)] {
    let narrow = desk.size.columns < 90
    // One that has rows stands there with whatever is looked for.
    let filters = ListFilter.allCases.filter {
      $0 != .waiting || $0 == desk.list.filter || (desk.list.counts[$0] ?? 0) > 0
    }
    return filters.map { filter in
      let isChosen = filter == desk.list.filter
      let text = "\(filter.rawValue) \(title(filter))\(number(filter))" + (isChosen ? staying : "")
      return (
        filter, Run(isChosen ? "[\(text)]" : narrow ? text : " \(text) ", isChosen ? .text.bold : .dim)
      )
    }
  }

  /// What a click on the line of filters asks for; nil where none stands.
  func filter(at column: Int) -> ListFilter? {
    if desk.list.typing != nil { return nil }
    var start = desk.list.words.isEmpty ? 0 : search.width
    for (filter, run) in numbers {
      let end = start + DisplayText.width(run.text)
      if (start..<end).contains(column) { return filter }
      start = end + 1
    }
    return nil
  }

  /// Whether a click on the line of filters is one on the words, or on the hint that there may be some.
  func isSearch(at column: Int) -> Bool {
    if desk.list.typing != nil { return false }
    if !desk.list.words.isEmpty { return column < search.width }
    let numbers = filterNumbers
    return isHintShown(beside: numbers)
      && (numbers.width + 1..<numbers.width + hint.width).contains(column)
  }

  private func number(_ filter: ListFilter) -> Int { desk.list.matching[filter] ?? 0 }
}

extension ListFilter {
  /// The same where the number follows at once; a word needs its blank.
  fileprivate var closeSign: String { self == .all ? "\(sign) " : sign }

  /// What stands before the rows it shows.
  var sign: String {
    switch self {
    case .all: "All"
    case .toDecide: Certainty.yours.sign
    case .clock: Certainty.byClock.sign
    case .sure: Certainty.sure.sign
    case .ready: "✓"
    case .stuck: "✗"
    case .waiting: "⇡"
    }
  }
}
