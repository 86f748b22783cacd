import Simulation
import Telling
import Terminal

/// All steps of a story as one picture where there is room, otherwise a line each.
struct LifecycleScreen {
  let desk: DeskState
  let page: WalkthroughPage

  private static let cell = Size(columns: 29, rows: 5)

  func draw() -> Grid {
    var frame = Frame(desk.size)
    guard let timeline = page.timeline(isToday: page.isToday) else { return frame.grid }
    let rules = page.isToday ? "SQLiteData today" : "the model"
    frame.header(
      [
        Run("Lifecycle   ", .text.bold),
        Run("\(title(timeline)), all \(timeline.entries.count) steps"),
      ],
      right: [Run(rules, .dim)])
    if !drawPictures(timeline, &frame) { drawLines(timeline, &frame) }
    frame.grid.write(WalkthroughScreen.legend, at: 1, frame.bottom - 1, .dim, width: frame.columns - 2)
    return frame.footer(desk)
  }

  /// The title of a record is one of its values.
  private func title(_ timeline: Timeline) -> String {
    if case .record = page.story { return desk.privacy.shown(timeline.scenario.title) }
    return timeline.scenario.title
  }

  /// False if the pictures do not fit.
  private func drawPictures(_ timeline: Timeline, _ frame: inout Frame) -> Bool {
    let perRow = (frame.columns - 2) / Self.cell.columns
    guard perRow >= 3 else { return false }
    let blocks = phases(timeline).map { phase, entries in (phase, rows(entries, perRow)) }
    let height = blocks.reduce(0) { $0 + 2 + $1.1.count * Self.cell.rows }
    guard height <= frame.bottom - 3 else { return false }
    var row = 2
    for (phase, lines) in blocks {
      frame.grid.write(phase.rawValue, at: 1, row, .text.bold)
      row += 1
      for line in lines {
        for (column, entry) in line.enumerated() {
          draw(entry, at: 1 + column * Self.cell.columns, row, timeline, &frame.grid)
        }
        row += Self.cell.rows
      }
      if row < frame.bottom - 2 { frame.rule(row) }
      row += 1
    }
    return true
  }

  private func phases(_ timeline: Timeline) -> [(Scenario.Phase, [Timeline.Entry])] {
    Scenario.Phase.allCases.compactMap { phase in
      let entries = timeline.entries.filter { $0.chapter.phase == phase }
      return entries.isEmpty ? nil : (phase, entries)
    }
  }

  private func rows(_ entries: [Timeline.Entry], _ perRow: Int) -> [[Timeline.Entry]] {
    stride(from: 0, to: entries.count, by: perRow).map {
      Array(entries[$0..<min($0 + perRow, entries.count)])
    }
  }

  private func draw(
    _ entry: Timeline.Entry, at column: Int, _ row: Int, _ timeline: Timeline, _ grid: inout Grid
  ) {
    let isHere = timeline.entries.firstIndex(of: entry) == page.step
    let label = entry.chapter.label.padding(to: 4)
    grid.write(
      [Run(isHere ? "▸" : " "), Run(label, .dim), Run(entry.chapter.title, isHere ? .text.bold : .text)],
      at: column - 1, row, width: Self.cell.columns)
    grid.write(
      lines: BranchLines(picture: entry.picture).lines, at: column + 2, row + 1, width: Self.cell.columns - 2)
  }

  private func drawLines(_ timeline: Timeline, _ frame: inout Frame) {
    let height = max(1, frame.bottom - 4)
    let first = max(0, min(page.step - height / 2, timeline.entries.count - height))
    for (index, entry) in timeline.entries.enumerated().dropFirst(first).prefix(height) {
      let isHere = index == page.step
      let row = 2 + index - first
      frame.grid.write(
        [
          Run(isHere ? "▸ " : "  "), Run(entry.chapter.label.padding(to: 4), .dim),
          Run(entry.chapter.title.padding(to: 24), isHere ? .text.bold : .text),
          Run(entry.picture.description, .dim),
        ],
        at: 0, row, width: frame.columns - 1)
    }
  }
}

/// The picture of a record's branches in three lines. Each kind of node has its own brackets, so it reads without colour.
///
/// ```
///          ╭─ <*> ─╮
/// (a)─[b] ─┤       ├─ {*'}
///          ╰─ <c> ─╯
/// ```
struct BranchLines {
  let picture: BranchPicture
  /// How many strokes a branch has on each side of its node.
  var strokes = 1

  var lines: [[Run]] {
    let dash = String(repeating: "─", count: strokes)
    let stem = (picture.past.map { [run($0), Run("─", .dim)] } ?? []) + [run(picture.stem)]
    let indent = String(repeating: " ", count: stem.width + 2)
    let width = max(nodeWidth(picture.client), nodeWidth(picture.server))
    return [
      [Run(indent + "╭\(dash) ", .dim), run(picture.client)] + end(picture.client, width, "╮", dash),
      stem + [Run(" ─┤", .dim)] + middle(width),
      [Run(indent + "╰\(dash) ", .dim), run(picture.server)] + end(picture.server, width, "╯", dash),
    ]
  }

  private func end(_ node: BranchPicture.Node, _ width: Int, _ corner: String, _ dash: String) -> [Run] {
    guard picture.merged != nil else { return [] }
    let gap = String(repeating: " ", count: width - nodeWidth(node))
    return [Run(" \(gap)\(dash)\(corner)", .dim)]
  }

  private func middle(_ width: Int) -> [Run] {
    guard let merged = picture.merged else { return [] }
    return [
      Run(
        String(repeating: " ", count: width + 2 * strokes + 2)
          + "├\(String(repeating: "─", count: strokes)) ", .dim), run(merged),
    ]
  }

  private func nodeWidth(_ node: BranchPicture.Node) -> Int { DisplayText.width(node.description) }

  private func run(_ node: BranchPicture.Node) -> Run { Run(node.description, node.ink) }
}

extension BranchPicture.Node {
  /// Client side in the client's hue, server side in the server's; the draft is bold.
  var ink: Ink {
    switch kind {
    case .empty: .dim
    case .past, .lastKnown: .ancestor
    case .pending, .inFlight: .client.bold
    case .merged: .result.bold
    case .unseen: .server.bold
    }
  }
}
