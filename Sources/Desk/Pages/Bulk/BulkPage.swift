import Merging
import Terminal

/// Rules for many records, and what they come to. It makes drafts; writing them is one more step.
package struct BulkPage: DeskPage, Equatable {
  package enum Scope: Sendable, Equatable {
    /// - Parameter hidden: how many of them the list does not show.
    case marked(hidden: Int)
    case filter(ListFilter, words: String)
    /// Of an act that is taken back, or done again.
    case earlier
    /// Those that belong together.
    case family
  }

  /// What the cursor stands on.
  package enum Place: Sendable, Equatable {
    case rule(BulkRule)
    /// A line of the preview, counted from its first; those that are left out stand behind those that are taken.
    case line(Int)
  }

  package var scope: Scope
  package var rules: BulkRules
  package var cursor = Place.rule(.onlyChanged)
  /// Whether somebody has had enough of what is being done.
  package var isStopping = false

  package init(scope: Scope, rules: BulkRules = BulkRules()) { (self.scope, self.rules) = (scope, rules) }

  var page: Page? { .bulk(self) }
  var topic: Topic { .bulk }

  func hint(of binding: Binding, width: Int, on desk: DeskState) -> String? {
    let isWorking = desk.bulk?.work != nil
    switch binding.command {
    case .drafts(.confirm):
      let count = desk.bulk?.preview.taken.count ?? 0
      let verb = BulkLayout(desk, self).hidesOutcome ? "see" : "make"
      return isWorking || count == 0 || desk.bulk?.isRead != true ? nil : "\(verb) \(BulkWords.drafts(count))"
    case .back: return isWorking ? "stop" : binding.hint
    case .open: if case .line = cursor, !isWorking { return binding.hint } else { return nil }
    case .list: if case .rule = cursor, !isWorking { return binding.hint } else { return nil }
    case .drafts: return isWorking ? nil : binding.hint
    case .move, .left, .right, .quit, .nextUndecided, .previousUndecided, .take, .edit, .editOutside,
      .accept, .undo, .redo, .review, .mend, .filter, .search, .history, .unfold, .reload, .nextTopic,
      .record, .story, .line, .anywhere:
      return binding.hint
    }
  }
}

extension BulkPage {
  mutating func run(_ command: Command, on desk: inout DeskState) -> [DeskEffect]? {
    switch command {
    case .back: return leave(on: &desk)
    case .move(let movement): move(movement, on: desk)
    case .list(.mark): return toggle(on: &desk)
    case .open: return open(on: &desk)
    case .drafts(.confirm): return confirm(on: &desk)
    case .drafts(.showJSON): return export(.json, on: &desk)
    case .drafts(.showSQL): return export(.sql, on: &desk)
    case .reload: return isWorking(desk) ? [] : desk.readBulkAnew()
    case .left, .right, .quit, .nextUndecided, .previousUndecided, .record, .take, .edit, .editOutside,
      .accept, .undo, .redo, .review, .mend, .drafts, .filter, .list, .search, .anywhere, .history, .unfold,
      .story, .nextTopic, .line:
      return nil
    }
    return []
  }

  private func isWorking(_ desk: DeskState) -> Bool { desk.bulk?.work != nil }

  /// What is being done ends with the part that was begun.
  private mutating func leave(on desk: inout DeskState) -> [DeskEffect] {
    if isWorking(desk) {
      isStopping = true
      return desk.tell("Stopping. What is begun is finished first.")
    }
    desk.bulk = nil
    return desk.goBack()
  }

  private mutating func move(_ movement: Movement, on desk: DeskState) {
    let layout = BulkLayout(desk, self)
    cursor = layout.place(of: layout.cursor + movement.lines(page: layout.height / 2))
  }

  private mutating func toggle(on desk: inout DeskState) -> [DeskEffect] {
    guard case .rule(let rule) = BulkLayout(desk, self).selected else {
      return desk.tell("Space turns a rule on or off. Enter opens this record.")
    }
    rules.toggle(rule)
    desk.bulk?.apply(rules)
    return []
  }

  /// The record under the cursor, at its field; a rule is turned on or off.
  private mutating func open(on desk: inout DeskState) -> [DeskEffect] {
    let layout = BulkLayout(desk, self)
    guard case .line(let line) = layout.selected else { return toggle(on: &desk) }
    guard let row = layout.row(line) else { return [] }
    var field: String?
    if case .field(let name)? = row.subject(in: desk) { field = name }
    return desk.open(RecordPage(id: row.record.id, field: field))
  }

  private mutating func confirm(on desk: inout DeskState) -> [DeskEffect] {
    guard let bulk = desk.bulk, bulk.work == nil else { return [] }
    if case .filter = scope, desk.list.progress != nil {
      return desk.tell("The list is still being read: these rules are for all of it. One moment.")
    }
    guard bulk.isRead else { return desk.tell(Self.isStillRead) }
    guard !bulk.taken.isEmpty else { return desk.tell(Self.nothing) }
    // On a short screen the rules alone may fill it, and nobody should confirm what they have not seen.
    if BulkLayout(desk, self).hidesOutcome {
      cursor = .line(0)
      return desk.tell("This is what becomes of them. Y makes the drafts.")
    }
    return desk.startWork(.decide(bulk.taken, rules))
  }

  static let isStillRead = "It is still being read. One moment; or r reads it again."
  private static let nothing = "The rules that are on decide none of these. Space turns a rule on."

  /// Of thousands the first: nobody reads more on a screen.
  private func export(_ format: ExportFormat, on desk: inout DeskState) -> [DeskEffect] {
    guard let bulk = desk.bulk, bulk.work == nil else { return [] }
    guard !bulk.taken.isEmpty else { return desk.tell(Self.nothing) }
    return [.exportBulk(Array(bulk.taken.prefix(100)), rules, format)]
  }

  mutating func click(_ point: Point, opens: Bool, on desk: inout DeskState) -> [DeskEffect] {
    let layout = BulkLayout(desk, self)
    guard let place = layout.place(at: point.row) else { return [] }
    cursor = place
    if case .rule = place, !opens, BulkScreen.boxes.contains(point.column) { return toggle(on: &desk) }
    return opens ? open(on: &desk) : []
  }

  func firstLine(_ desk: DeskState) -> Int? { BulkLayout(desk, self).first }

  func draw(_ desk: DeskState) -> Grid { BulkScreen(desk, self)?.draw() ?? Grid(desk.size) }
}
