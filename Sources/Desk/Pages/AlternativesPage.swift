import Merging
import StoreInterface
import Telling
import Terminal

/// The ways to decide one record as a whole, as its store gives them, with what each loses.
package struct AlternativesPage: DeskPage, Equatable {
  package var id: String
  /// The alternative under the cursor; nil, or one that is given no longer, for the first.
  package var cursor: Alternative.ID?

  var page: Page? { .alternatives(self) }
  var topic: Topic { .alternatives }
  var record: String? { id }

  fileprivate func alternatives(_ desk: DeskState) -> [Alternative] {
    desk.open[id]?.conflict.alternatives ?? []
  }

  fileprivate func selected(_ desk: DeskState) -> Int {
    alternatives(desk).firstIndex { $0.id == cursor } ?? 0
  }
}

extension DeskState {
  mutating func startAlternatives(of record: DecidedConflict) -> [DeskEffect] {
    guard !record.conflict.alternatives.isEmpty else {
      let isByField = !record.conflict.isWhole && store.notBoth != nil
      let words = store.wordsWithoutWays(isWhole: record.conflict.isWhole)
      return tell(isByField ? "\(words) \(AlternativesPage.keepingBoth)" : words)
    }
    let chosen = record.conflict.alternative(in: record.resolution)?.id
    pages.append(.alternatives(AlternativesPage(id: record.conflict.id, cursor: chosen)))
    return []
  }
}

extension AlternativesPage {
  mutating func run(_ command: Command, on desk: inout DeskState) -> [DeskEffect]? {
    switch command {
    case .back: return desk.goBack()
    case .open: return take(on: &desk)
    case .move(let movement):
      let all = alternatives(desk)
      let place = desk.scrolled(selected(desk), by: movement, last: all.count - 1)
      if all.indices.contains(place) { cursor = all[place].id }
      return []
    case .left, .right, .quit, .nextUndecided, .previousUndecided, .record, .take, .edit, .editOutside,
      .accept, .undo, .redo, .review, .mend, .drafts, .filter, .list, .search, .anywhere, .history, .unfold,
      .story,
      .nextTopic, .reload, .line:
      return nil
    }
  }

  mutating func click(_ point: Point, opens: Bool, on desk: inout DeskState) -> [DeskEffect] {
    guard let place = AlternativesScreen(desk, self).place(at: point.row) else { return [] }
    cursor = alternatives(desk)[place].id
    return opens ? take(on: &desk) : []
  }

  private func take(on desk: inout DeskState) -> [DeskEffect] {
    let (all, selected) = (alternatives(desk), selected(desk))
    guard let record = desk.open[id], all.indices.contains(selected) else { return desk.goBack() }
    let effects = desk.decide(record, .record, record.conflict.choice(ofAlternative: all[selected].id))
    if desk.status?.isFailure == true { return effects }
    let taken = "\(desk.shownTitle(of: id)): \(desk.privacy.words(all[selected]))."
    let words = [taken, desk.undoWords(record.resolution, id)].compactMap(\.self).joined(separator: " ")
    return effects + desk.goBack() + desk.tell(words)
  }
}

extension AlternativesPage {
  /// Where two records cannot be kept.
  fileprivate static let keepingBoth = "In a text m and b keep both."

  func draw(_ desk: DeskState) -> Grid { AlternativesScreen(desk, self).draw() }
}

/// Where the ways stand, and what is told of the one under the cursor: what becomes of the record, and what is lost by it. A document may
/// have hundreds of leaves, and a record fields of many lines: what is lost has its rows first, then the ways, and the record the rest.
private struct AlternativesScreen {
  private let desk: DeskState
  private let page: AlternativesPage
  private let all: [Alternative]
  private let selected: Int

  init(_ desk: DeskState, _ page: AlternativesPage) {
    (self.desk, self.page, all) = (desk, page, page.alternatives(desk))
    selected = page.selected(desk)
  }

  private var isShort: Bool { desk.size.rows < 16 }
  private var width: Int { desk.size.columns - 2 }
  private var top: Int { isShort ? 2 : 3 }
  /// Between header and footer.
  private var rows: Int { max(1, desk.size.rows - top - 2) }
  private var gap: Int { isShort ? 0 : 1 }
  var listed: Range<Int> {
    let first = max(0, selected - height + 1)
    return first..<min(all.count, first + height)
  }

  /// As much as what is lost leaves, and a row of the record.
  private var height: Int { max(1, min(all.count, rows - lost.count - gap - 1)) }

  /// The ways in as many lines as they take, where there are rows for all of that; otherwise each in one.
  private var ways: [(place: Int, runs: [Run])] {
    let room = rows - lost.count - gap - 1
    let isMany = all.count > room
    let whole = isMany ? [] : all.indices.flatMap { lines($0, cutAfter: room) }
    return isMany || whole.count > room
      ? listed.flatMap { lines($0, cutAfter: $0 == selected ? 2 : 1) } : whole
  }

  private func lines(_ place: Int, cutAfter most: Int) -> [(place: Int, runs: [Run])] {
    let isHere = place == selected
    let words = [Run(desk.privacy.words(all[place]), isHere ? .text.bold : .text)] + values(ofLeaf: place)
    let lines = most == 1 ? [words] : words.wrapped(width - 2, cutAfter: most)
    return lines.enumerated().map { (place, [Run(isHere && $0 == 0 ? "▸ " : "  ")] + $1) }
  }

  /// Who chooses among many leaves does so by what they have.
  private func values(ofLeaf place: Int) -> [Run] {
    guard let conflict, conflict.liveLeaves.count > 2, case .save(let version) = all[place].outcome,
      let values = version.fields
    else { return [] }
    let told = conflict.fields.filter { $0.field.isWritable && $0.change != .unchanged }.prefix(3)
    return told.flatMap { field -> [Run] in
      guard let version = values[field.name] else { return [] }
      let value = desk.privacy.lineOfWay(version.value, of: field, in: conflict)
      return [Run("   \(desk.privacy.name(field.name)) ", .dim), Run(value, .dim)]
    }
  }

  /// The way in a row.
  func place(at row: Int) -> Int? {
    let (ways, line) = (ways, row - top)
    return ways.indices.contains(line) ? ways[line].place : nil
  }

  private var conflict: RecordConflict? { desk.open[page.id]?.conflict }

  private var lost: [[Run]] {
    guard let conflict, all.indices.contains(selected) else { return [] }
    let losses = Losses(conflict).of(all[selected])
    let new = all[selected].newRecords.map(desk.privacy.shown).joined(separator: ", ")
    let words =
      (losses.isEmpty ? "This loses nothing." : "This loses \(desk.privacy.words(losses)).")
      + (new.isEmpty ? "" : " It makes \(new).")
    return [Run(words)].wrapped(width, cutAfter: isShort ? 2 : 6)
  }

  /// Where there is room: it is what somebody may look for here.
  private var hint: [[Run]] {
    guard desk.size.rows >= 20, let why = desk.store.notBoth, let conflict else { return [] }
    let words = conflict.isWhole ? why : "\(why) \(AlternativesPage.keepingBoth)"
    return [[]] + [Run(words, .dim)].wrapped(width, most: 4)
  }

  /// - Parameter height: rows of the ways.
  private func below(_ height: Int) -> [[Run]] {
    let room = rows - height - gap - lost.count
    let (whole, hint) = (text(room), hint)
    let isWhole = whole.count + hint.count <= room
    return whole + lost + (isWhole ? hint : [])
  }

  /// What becomes of the record: the text of an earlier upload is in no column, nor are the values of each of many leaves.
  private func text(_ room: Int) -> [[Run]] {
    guard let conflict, all.indices.contains(selected), case .save(let version) = all[selected].outcome,
      let values = version.fields
    else { return [] }
    let isOfFile = conflict.details.file != nil
    let told = conflict.fields.filter { $0.field.isWritable && (isOfFile || $0.change != .unchanged) }
    let lines = told.prefix(isOfFile ? 1 : told.count).compactMap { field in
      values[field.name].map { version in
        let value = desk.privacy.lineOfWay(version.value, of: field, in: conflict)
        // Of several fields a line end would look like that of its field.
        let shown = isOfFile ? value : DisplayText.safe(value)
        return [Run("\(desk.privacy.name(field.name)): "), Run(shown, .result)]
      }
    }
    return fitting(lines, room)
  }

  /// Each begins a row of its own and has as many as are free; where there are more of them than rows they stand behind each other.
  private func fitting(_ lines: [[Run]], _ room: Int) -> [[Run]] {
    guard lines.count <= room else {
      return Array(lines.joined(separator: [Run("   ")])).wrapped(width, cutAfter: room)
    }
    let rows = shares(of: room, among: lines.map { $0.wrapped(width, most: room + 1).count })
    return zip(lines, rows).flatMap { $0.wrapped(width, cutAfter: $1) }
  }

  func draw() -> Grid {
    var frame = Frame(desk.size)
    frame.header(
      [Run(desk.shownTitle(of: page.id), .text.bold), Run("   decide the whole record")],
      right: listed.count < all.count ? [Run("\(selected + 1) of \(all.count)", .dim)] : [])
    let lines = ways.map(\.runs)
    frame.grid.write(lines: lines, at: 1, top)
    frame.grid.write(lines: below(lines.count), at: 1, top + lines.count + gap)
    return frame.footer(desk)
  }
}
