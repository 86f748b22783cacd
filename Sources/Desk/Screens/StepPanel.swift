import Merging
import Simulation
import Telling
import Terminal

/// One step under one set of rules: picture with its values, the three states before and after, and why.
struct StepPanel {
  let state: DeskState
  let page: WalkthroughPage
  let timeline: Timeline
  let heading: String?
  private let entry: Timeline.Entry
  /// Taken once, as the whole story is looked through for them.
  private let fields: [String]
  private let field: String?

  init(_ state: DeskState, _ page: WalkthroughPage, _ timeline: Timeline, heading: String?) {
    self.state = state
    self.page = page
    self.timeline = timeline
    self.heading = heading
    entry = timeline.entries[min(page.step, timeline.entries.count - 1)]
    fields = page.varyingFields
    field = fields.isEmpty ? nil : fields[page.place(in: fields)]
  }

  func draw(_ size: Size) -> Grid {
    var grid = Grid(size)
    let title = [Run("\(entry.chapter.label)  ", .dim), Run(entry.chapter.title, .text.bold)]
    grid.write(title, at: 1, 0, width: size.columns - 2)
    if let heading { grid.write(heading, endingAt: size.columns - 1, 0, .dim) }
    drawPicture(&grid)
    grid.fill("─", row: 6, .dim)
    drawStates(&grid, at: 7)
    grid.fill("─", row: 11, .dim)
    for (index, line) in why.wrapped(size.columns - 3).prefix(max(1, size.rows - 12)).enumerated() {
      grid.write(line, at: 1, 12 + index, width: size.columns - 2)
    }
    return grid
  }

  private func drawPicture(_ grid: inout Grid) {
    for (index, line) in BranchLines(picture: entry.picture, strokes: 2).lines.enumerated() {
      grid.write(line, at: 3, 2 + index)
    }
    let start = max(34, grid.size.columns / 2 - 4)
    for (index, node) in nodes.prefix(5).enumerated() {
      grid.write(node, at: start, 1 + index, width: grid.size.columns - start - 1)
    }
  }

  /// The nodes of the picture, and what each holds.
  private var nodes: [[Run]] {
    let picture = entry.picture
    let after = entry.after
    var rows: [(BranchPicture.Node, String, Value?)] = [
      (picture.client, after.inFlight != nil ? "in flight" : "client's edit", value(after.row)),
      (picture.server, "server, not seen here", value(after.server)),
    ]
    if let merged = picture.merged { rows.append((merged, "suggested draft", draft)) }
    rows.append((picture.stem, "last-known", value(after.lastKnown)))
    if let past = picture.past { rows.append((past, "before that", nil)) }
    return rows.filter { $0.0.kind != .empty }.map { node, what, value in
      let words = value.map { ": \(text($0))" } ?? ""
      return [Run(node.description.padding(to: 6), node.ink), Run(what + words)]
    }
  }

  private var draft: Value? {
    field.flatMap { name in entry.after.conflict?[name]?.suggestion.value }
  }

  private func value(_ row: [String: Value]?) -> Value? { field.flatMap { row?[$0] } }

  private func value(_ record: ServerRecord?) -> Value? { field.flatMap { record?.fields[$0]?.value } }

  private func text(_ value: Value) -> String { state.privacy.line(value) }

  private func drawStates(_ grid: inout Grid, at top: Int) {
    let names = grid.size.columns < 72 ? 13 : 27
    let cell = (grid.size.columns - names - 12) / 2
    grid.write(fieldWords, at: 1, top, .dim, width: names - 1)
    grid.write("before this step", at: names, top, .dim, width: cell)
    grid.write("after this step", at: names + cell, top, .dim, width: cell)
    for (index, place) in Place.allCases.enumerated() {
      let isChanged = entry.changes.contains(place)
      let ink: Ink = place == .server ? .server : place == .row ? .client : .ancestor
      grid.write(names < 20 ? shortName(place) : name(place), at: 1, top + 1 + index, .text, width: names - 1)
      grid.write(words(place, entry.before), at: names, top + 1 + index, .dim, width: cell - 1)
      grid.write(
        words(place, entry.after), at: names + cell, top + 1 + index, isChanged ? ink.bold : ink,
        width: cell - 1)
      if isChanged { grid.write("changed", endingAt: grid.size.columns - 1, top + 1 + index, .text.bold) }
    }
  }

  private var fieldWords: String {
    guard let field else { return "" }
    return fields.count > 1 ? "\(field), \(page.place(in: fields) + 1) of \(fields.count)" : field
  }

  private func name(_ place: Place) -> String {
    switch place {
    case .row: "Database row, client"
    case .lastKnown: "Last-known server record"
    case .server: "Server record"
    }
  }

  private func shortName(_ place: Place) -> String {
    switch place {
    case .row: "Row, client"
    case .lastKnown: "Last known"
    case .server: "Server"
    }
  }

  private func words(_ place: Place, _ standing: Standing) -> String {
    switch place {
    case .row: standing.row == nil ? "none" : words(value(standing.row))
    case .lastKnown: standing.lastKnown == nil && isAncestorUnknown ? "not known" : words(standing.lastKnown)
    case .server: words(standing.server)
    }
  }

  /// A record of the store may have an ancestor that cannot be read.
  private var isAncestorUnknown: Bool {
    if case .record(let conflict, _, _) = page.story { conflict.version(.ancestor).isUnknown } else { false }
  }

  private func words(_ record: ServerRecord?) -> String {
    guard let record else { return "none" }
    return words(value(record)) + (record.tag.map { " @ \($0)" } ?? " unconfirmed")
  }

  private func words(_ value: Value?) -> String { value.map { "\(field ?? "") = \(text($0))" } ?? "there" }

  private var why: [Run] { [Run("Why?  ", .dim), Run(state.privacy.shown(entry.why))] }
}
