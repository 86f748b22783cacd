import Merging
import Simulation
import StoreInterface
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
    let right = Run(places(timeline) == nil ? rules : "pictures: \(rules)", .dim)
    let room = frame.titleWidth(beside: [right]) - Self.heading.width
    let title = titles(timeline).first { DisplayText.width($0) <= room } ?? titles(timeline)[1]
    frame.header(Self.heading + [Run(title)], right: [right])
    if let row = drawPictures(timeline, &frame) {
      drawTimelines(&frame, at: row)
    } else {
      drawLines(timeline, &frame)
    }
    frame.grid.write(lines: legend, at: 1, frame.bottom - legend.count)
    return frame.footer(desk)
  }

  private static var heading: [Run] { [Run("Lifecycle   ", .text.bold)] }

  /// Whole, and shorter.
  private func titles(_ timeline: Timeline) -> [String] {
    let title = title(timeline)
    return ["\(title), \(timeline.stepWords)", title]
  }

  /// The title of a record is one of its values. The first story is called what the screen is, and goes as somebody chose.
  private func title(_ timeline: Timeline) -> String {
    switch page.story {
    case .record: desk.privacy.shown(timeline.scenario.title)
    case .told(0): page.whatIf.title
    case .told, .file: timeline.scenario.title
    }
  }

  /// What the places hold under both sets of rules, where there is room under the pictures.
  private func drawTimelines(_ frame: inout Frame, at row: Int) {
    let width = (frame.columns - 1) / 2
    let height = frame.bottom - 1 - row
    guard WalkthroughScreen.isWide(desk.size), height > StepPanel.leastLines else { return }
    for (index, isToday) in [false, true].enumerated() {
      guard let timeline = page.timeline(isToday: isToday), !timeline.entries.isEmpty else { continue }
      let panel = StepPanel(desk, page, timeline, heading: nil)
      let field = panel.field.map { ", \($0)" } ?? ""
      let heading = [Run((isToday ? "SQLiteData today" : "The model") + field, .text.bold)]
      let lines = panel.storyLines(width: width - 1, height: height - 1, whysFrom: page.step)
      frame.grid.write(lines: [heading], at: 1 + index * (width + 1), row)
      frame.grid.write(lines: lines, at: index * (width + 1), row + 1, width: width)
    }
    for line in row..<row + height { frame.grid.write("│", at: width - 1, line, .dim) }
  }

  /// The row below them; nil if the pictures do not fit.
  private func drawPictures(_ timeline: Timeline, _ frame: inout Frame) -> Int? {
    guard let (places, headings, end) = places(timeline) else { return nil }
    for (phase, row) in headings {
      if row > 2 { frame.rule(row - 1) }
      frame.grid.write(phase.rawValue, at: 1, row, .text.bold)
    }
    if end - 1 < frame.bottom - 2 { frame.rule(end - 1) }
    for (entry, place) in zip(phases(timeline).flatMap(\.1), places) {
      draw(entry, at: place.column, place.row, timeline, &frame.grid)
    }
    return end
  }

  /// Where the pictures of the steps stand, by phases, each phase's heading, and the row below; nil if they do not fit.
  private func places(_ timeline: Timeline) -> (steps: [Point], headings: [(Scenario.Phase, Int)], end: Int)?
  {
    let perRow = (desk.size.columns - 2) / Self.cell.columns
    guard perRow >= 3 else { return nil }
    var (steps, headings, row): ([Point], [(Scenario.Phase, Int)], Int) = ([], [], 2)
    for (phase, entries) in phases(timeline) {
      headings.append((phase, row))
      row += 1
      for line in entries.inBatches(of: perRow) {
        steps += line.indices.map { Point(column: 1 + $0 * Self.cell.columns, row: row) }
        row += Self.cell.rows
      }
      row += 1
    }
    return row - 2 <= desk.size.rows - 5 ? (steps, headings, row) : nil
  }

  /// The step whose picture, or line, a click falls on.
  func step(at point: Point) -> Int? {
    guard let timeline = page.timeline(isToday: page.isToday) else { return nil }
    guard let places = places(timeline)?.steps else {
      let step = firstLine(timeline) + point.row - 2
      return point.row >= 2 && point.row < 2 + linesHeight && timeline.entries.indices.contains(step)
        ? step : nil
    }
    let order = phases(timeline).flatMap(\.1)
    let hit = places.firstIndex { place in
      (place.row..<place.row + Self.cell.rows).contains(point.row)
        && (place.column - 1..<place.column - 1 + Self.cell.columns).contains(point.column)
    }
    return hit.flatMap { timeline.entries.firstIndex(of: order[$0]) }
  }

  private var linesHeight: Int { max(1, desk.size.rows - 5 - legend.count) }

  /// None where it would leave little room for the steps.
  private var legend: [[Run]] {
    let lines = [Run(WalkthroughScreen.legend, .dim)].wrapped(desk.size.columns - 1)
    return desk.size.rows - 5 - lines.count < 5 ? [] : lines
  }

  private func firstLine(_ timeline: Timeline) -> Int {
    max(0, min(page.step - linesHeight / 2, timeline.entries.count - linesHeight))
  }

  private func phases(_ timeline: Timeline) -> [(Scenario.Phase, [Timeline.Entry])] {
    Scenario.Phase.allCases.compactMap { phase in
      let entries = timeline.entries.filter { $0.chapter.phase == phase }
      return entries.isEmpty ? nil : (phase, entries)
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
    let first = firstLine(timeline)
    let pictures = timeline.entries.map { $0.picture.description.count }.max() ?? 0
    for (index, entry) in timeline.entries.enumerated().dropFirst(first).prefix(linesHeight) {
      let isHere = index == page.step
      let title = Run(entry.chapter.title.padding(to: 24), isHere ? .text.bold : .text)
      let picture = Run(entry.picture.description.padding(to: pictures + 2), .dim)
      // A title that is cut says enough, a picture does not.
      let words = frame.columns < 6 + 24 + pictures ? [picture, title] : [title, picture]
      frame.grid.write(
        [Run(isHere ? "▸ " : "  "), Run(entry.chapter.label.padding(to: 4), .dim)] + words, at: 0,
        2 + index - first, width: frame.columns - 1)
    }
  }
}
