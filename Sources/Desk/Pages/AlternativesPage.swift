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

  private func alternatives(_ desk: DeskState) -> [Alternative] {
    desk.open[id]?.conflict.details.alternatives ?? []
  }

  private func selected(_ desk: DeskState) -> Int { alternatives(desk).firstIndex { $0.id == cursor } ?? 0 }
}

extension DeskState {
  mutating func startAlternatives(of record: DecidedConflict) -> [DeskEffect] {
    guard !record.conflict.details.alternatives.isEmpty else {
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
    let (all, height) = (alternatives(desk), height(desk))
    let index = point.row - Self.top + first(desk)
    guard (Self.top..<Self.top + height).contains(point.row), all.indices.contains(index) else { return [] }
    cursor = all[index].id
    return opens ? take(on: &desk) : []
  }

  private func take(on desk: inout DeskState) -> [DeskEffect] {
    let (all, selected) = (alternatives(desk), selected(desk))
    guard let record = desk.open[id], all.indices.contains(selected) else { return desk.goBack() }
    let effects = desk.decide(record, .record, record.conflict.choice(ofAlternative: all[selected].id))
    if desk.status?.isFailure == true { return effects }
    let words =
      "\(desk.shownTitle(of: id)): \(desk.privacy.words(all[selected])). \(desk.key(.undo)) takes it back."
    return effects + desk.goBack() + desk.tell(words)
  }
}

extension AlternativesPage {
  private static let top = 3
  /// Where two records cannot be kept.
  fileprivate static let keepingBoth = "In a text m and b keep both."

  /// As much as the losses of the one under the cursor leave.
  private func height(_ desk: DeskState) -> Int { max(1, desk.size.rows - Self.top - losses(desk).count - 4) }

  private func first(_ desk: DeskState) -> Int { max(0, selected(desk) - height(desk) + 1) }

  /// A document may have hundreds of leaves: what is lost is told of the one under the cursor.
  private func losses(_ desk: DeskState) -> [[Run]] {
    let (all, selected) = (alternatives(desk), selected(desk))
    guard let conflict = desk.open[id]?.conflict, all.indices.contains(selected) else { return [] }
    let losses = Losses(conflict).of(all[selected])
    let new = all[selected].newRecords.map(desk.privacy.shown).joined(separator: ", ")
    let words =
      (losses.isEmpty ? "Nothing is lost by it." : "Lost by it: \(desk.privacy.words(losses)).")
      + (new.isEmpty ? "" : " Made by it: \(new).")
    let lines =
      text(of: all[selected], conflict, desk) + [Run(words)].wrapped(desk.size.columns - 2, most: 6)
    // Where there is room: it is what somebody may look for here.
    guard desk.size.rows >= 20, let why = desk.store.notBoth else { return lines }
    let hint = conflict.isWhole ? why : "\(why) \(Self.keepingBoth)"
    return lines + [[]] + [Run(hint, .dim)].wrapped(desk.size.columns - 2, most: 4)
  }

  /// What becomes of the record: the text of an earlier upload is in no column, nor are the values of each of many leaves.
  private func text(of alternative: Alternative, _ conflict: RecordConflict, _ desk: DeskState) -> [[Run]] {
    guard case .save(let version) = alternative.outcome, let values = version.fields else { return [] }
    let isOfFile = conflict.details.file != nil
    let told = conflict.fields.filter { $0.field.isWritable && (isOfFile || $0.change != .unchanged) }
    let runs = told.prefix(isOfFile ? 1 : told.count).compactMap { field in
      values[field.name].map { version in
        let value = desk.privacy.line(version.value, of: field.name, in: conflict)
        return [Run("\(desk.privacy.name(field.name)): "), Run(value, .result), Run("   ")]
      }
    }
    return runs.isEmpty ? [] : Array(runs.joined()).wrapped(desk.size.columns - 2, cutAfter: 4)
  }

  func draw(_ desk: DeskState) -> Grid {
    var frame = Frame(desk.size)
    let (selected, height) = (selected(desk), height(desk))
    let all = alternatives(desk)
    frame.header(
      [Run(desk.shownTitle(of: id), .text.bold), Run("   decide the whole record")],
      right: height < all.count ? [Run("\(selected + 1) of \(all.count)", .dim)] : [])
    let lines = all.enumerated().dropFirst(first(desk)).prefix(height).map { index, one in
      [
        Run(index == selected ? "▸ " : "  "),
        Run(desk.privacy.words(one), index == selected ? .text.bold : .text),
      ]
    }
    frame.grid.write(lines: lines, at: 1, Self.top)
    frame.grid.write(lines: losses(desk), at: 1, Self.top + min(height, lines.count) + 1)
    return frame.footer(desk)
  }
}
