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
    case .left, .right, .quit, .nextUndecided, .previousUndecided, .nextRecord, .previousRecord, .takeCell,
      .take, .edit, .editOutside, .accept, .forget, .alternatives, .undo, .redo, .review, .mend, .confirm,
      .note, .leaveOut, .more, .showSQL, .showJSON, .filter, .search, .toggleUnchanged, .toggleTime,
      .togglePrivate, .history, .unfold, .nextLeaf, .previousLeaf, .play, .faster, .slower, .whatIf, .ruleSet,
      .nextStory, .previousStory, .tryIt, .help, .nextTopic, .reload, .redraw, .suspend, .keep, .setNull,
      .clear, .eraseBefore, .eraseAfter:
      return nil
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

  /// As much as the losses of the one under the cursor leave.
  private var height: Int { max(1, state.size.rows - Self.top - losses.count - 4) }

  private var first: Int { max(0, state.selected(page) - height + 1) }

  /// A document may have hundreds of leaves: what is lost is told of the one under the cursor.
  private var losses: [[Run]] {
    let all = state.alternatives(page)
    let selected = state.selected(page)
    guard let conflict = state.open[page.id]?.conflict, all.indices.contains(selected) else { return [] }
    let losses = Losses(conflict).of(all[selected])
    let words = losses.isEmpty ? "Nothing is lost by it." : "Lost by it: \(state.privacy.words(losses))."
    return [Run(words)].wrapped(state.size.columns - 2, most: 6)
  }

  func alternative(at row: Int) -> Alternative.ID? {
    let (index, all) = (row - Self.top + first, state.alternatives(page))
    return (Self.top..<Self.top + height).contains(row) && all.indices.contains(index) ? all[index].id : nil
  }

  func draw() -> Grid {
    var frame = Frame(state.size)
    frame.header([Run(state.shownTitle(of: page.id), .text.bold), Run("   decide the whole record")])
    let selected = state.selected(page)
    let lines = state.alternatives(page).enumerated().dropFirst(first).prefix(height).map { index, one in
      [Run(index == selected ? "▸ " : "  "), Run(one.words, index == selected ? .text.bold : .text)]
    }
    frame.grid.write(lines: lines, at: 1, Self.top)
    frame.grid.write(lines: losses, at: 1, Self.top + min(height, lines.count) + 1)
    return frame.footer(state)
  }
}
