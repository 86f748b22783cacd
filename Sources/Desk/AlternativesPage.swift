import Merging
import StoreInterface
import Terminal

/// The ways to decide one record as a whole, as its store gives them, with what each loses.
package struct AlternativesPage: Sendable, Equatable {
  package var id: String
  /// The alternative under the cursor; nil, or one that is given no longer, for the first.
  package var cursor: Alternative.ID?
}

extension DeskState {
  mutating func startAlternatives(of record: DecidedConflict) -> [DeskEffect] {
    guard !record.conflict.details.alternatives.isEmpty else {
      return tell(.told("It is decided field by field, and in no other way."))
    }
    let chosen = record.conflict.alternative(in: record.resolution)?.id
    pages.append(.alternatives(AlternativesPage(id: record.conflict.id, cursor: chosen)))
    return []
  }

  mutating func run(_ command: Command, in page: AlternativesPage) -> [DeskEffect]? {
    switch command {
    case .back: return goBack()
    case .open: return take(page)
    case .move(let movement): return move(movement, page)
    default: return nil
    }
  }

  mutating func click(_ point: Point, in page: AlternativesPage, opens: Bool) -> [DeskEffect] {
    guard let id = AlternativesScreen(state: self, page: page).alternative(at: point.row) else { return [] }
    let clicked = AlternativesPage(id: page.id, cursor: id)
    pages[pages.count - 1] = .alternatives(clicked)
    return opens ? take(clicked) : []
  }

  func alternatives(_ page: AlternativesPage) -> [Alternative] {
    open[page.id]?.conflict.details.alternatives ?? []
  }

  func selected(_ page: AlternativesPage) -> Int {
    alternatives(page).firstIndex { $0.id == page.cursor } ?? 0
  }

  private mutating func move(_ movement: Movement, _ page: AlternativesPage) -> [DeskEffect] {
    let all = alternatives(page)
    let place = scrolled(selected(page), by: movement, last: all.count - 1)
    guard all.indices.contains(place) else { return [] }
    return put(.alternatives(AlternativesPage(id: page.id, cursor: all[place].id)))
  }

  private mutating func take(_ page: AlternativesPage) -> [DeskEffect] {
    let all = alternatives(page)
    guard let record = open[page.id], all.indices.contains(selected(page)) else { return goBack() }
    let alternative = all[selected(page)]
    let effects = decide(record, .record, record.conflict.choice(ofAlternative: alternative.id))
    if status?.isFailure == true { return effects }
    let words = "\(shownTitle(of: page.id)): \(alternative.words). u takes it back."
    return effects + goBack() + tell(.told(words))
  }
}

struct AlternativesScreen {
  let state: DeskState
  let page: AlternativesPage

  private static let top = 3

  private var width: Int { state.size.columns - 6 }

  private var blocks: [(id: Alternative.ID, lines: [[Run]])] {
    let selected = state.selected(page)
    return state.alternatives(page).enumerated().map { index, alternative in
      let mark = Run(index == selected ? "▸ " : "  ")
      let loss =
        alternative.loses.isEmpty ? "loses nothing" : "loses \(state.privacy.words(alternative.loses))"
      let losses = [Run(loss, .dim)].wrapped(width).map { [Run("    ")] + $0 }
      return (alternative.id, [[mark, Run(alternative.words, .text.bold)]] + losses + [[]])
    }
  }

  private var lines: [(id: Alternative.ID, line: [Run])] {
    blocks.flatMap { block in block.lines.map { (block.id, $0) } }
  }

  private var height: Int { max(1, state.size.rows - Self.top - 2) }

  /// As far down as the whole alternative under the cursor needs.
  private var scroll: Int {
    let end = blocks.prefix(state.selected(page) + 1).reduce(0) { $0 + $1.lines.count }
    return max(0, end - 1 - height)
  }

  func alternative(at row: Int) -> Alternative.ID? {
    let index = row - Self.top + scroll
    return row >= Self.top && lines.indices.contains(index) ? lines[index].id : nil
  }

  func draw() -> Grid {
    var frame = Frame(state.size)
    frame.header([Run(state.shownTitle(of: page.id), .text.bold), Run("   decide the whole record")])
    frame.grid.write(lines: lines.dropFirst(scroll).prefix(height).map(\.line), at: 1, Self.top)
    return frame.footer(state)
  }
}
