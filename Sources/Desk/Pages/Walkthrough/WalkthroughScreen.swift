import Merging
import Simulation
import Telling
import Terminal

extension WalkthroughPage {
  func draw(_ desk: DeskState) -> Grid {
    if let files { return FileStoryScreen(desk, self, files).draw() }
    return showsAll
      ? LifecycleScreen(desk: desk, page: self).draw() : WalkthroughScreen(desk: desk, page: self).draw()
  }
}

/// One step of the lifecycle: its picture, the three states before and after, what changed, and why. Where there is room
/// both sets of rules stand side by side.
struct WalkthroughScreen {
  let desk: DeskState
  let page: WalkthroughPage

  static let legend = "( ) empty (a) past [b] last-known <*> pending >*> in flight {*'} merged <c> new"

  /// Whether both sets of rules have room beside each other.
  static func isWide(_ size: Size) -> Bool { size.columns >= 120 }

  private var isWide: Bool { Self.isWide(desk.size) }

  func draw() -> Grid {
    var frame = Frame(desk.size)
    guard let timeline = page.timeline(isToday: page.isToday), !timeline.entries.isEmpty else {
      return frame.grid
    }
    drawHeader(&frame, timeline)
    drawPanels(&frame)
    drawFoot(&frame, timeline)
    return frame.footer(desk)
  }

  private func drawHeader(_ frame: inout Frame, _ timeline: Timeline) {
    let number = min(page.step, timeline.entries.count - 1)
    let label = timeline.entries[number].chapter.label
    let last = timeline.entries.last?.chapter.label ?? label
    let rules = isWide ? "" : page.isToday ? "   SQLiteData today" : "   the model"
    frame.header(
      [Run("Lifecycle   ", .text.bold), Run(title(timeline))],
      right: [Run("step \(label) of \(last)\(rules)", .dim)])
  }

  private func title(_ timeline: Timeline) -> String {
    switch page.story {
    case .told(0): "reminders 42   \(page.whatIf.title)"
    case .told: timeline.scenario.title
    case .file(let story): desk.privacy.shown(story.title)
    case .record(let conflict, _, _): "\(conflict.table) \(desk.privacy.shown(conflict.title))"
    }
  }

  private func drawPanels(_ frame: inout Frame) {
    let height = frame.bottom - 2 - footHeight
    if isWide {
      let width = (frame.columns - 1) / 2
      for (index, isToday) in [false, true].enumerated() {
        guard let panel = panel(isToday, width, height, heading: isToday ? "SQLiteData today" : "The model")
        else { continue }
        frame.grid.draw(panel, at: index * (width + 1), 2)
      }
      for row in 2..<2 + height { frame.grid.write("│", at: width, row, .dim) }
    } else if let panel = panel(page.isToday, frame.columns, height, heading: nil) {
      frame.grid.draw(panel, at: 0, 2)
    }
  }

  private func panel(_ isToday: Bool, _ width: Int, _ height: Int, heading: String?) -> Grid? {
    page.timeline(isToday: isToday).map {
      StepPanel(desk, page, $0, heading: heading).draw(Size(columns: width, rows: height))
    }
  }

  /// With its rule. Low screens have the steps alone: what happens in one comes first.
  private var footHeight: Int { desk.size.rows >= 22 ? 3 + legend.count : desk.size.rows >= 15 ? 3 : 2 }

  private var legend: [[Run]] { [Run(Self.legend, .dim)].wrapped(desk.size.columns - 1) }

  private func drawFoot(_ frame: inout Frame, _ timeline: Timeline) {
    let top = frame.bottom - footHeight
    frame.rule(top)
    for (index, line) in footLines(timeline).enumerated() {
      frame.grid.write(line.map(\.run), at: 1, top + 1 + index)
    }
    if footHeight > 3 { frame.grid.write(lines: legend, at: 1, top + 3, width: frame.columns - 1) }
  }

  /// What stands in the foot, and what a click on it is for.
  private struct Part {
    var run: Run
    var click: Click?
  }

  enum Click: Equatable {
    case step(Int)
    case whatIf(Int)
  }

  private func footLines(_ timeline: Timeline) -> [[Part]] {
    footHeight > 2 ? [whatIfs, steps(timeline)] : [steps(timeline)]
  }

  /// nil where nothing stands that could be clicked.
  func click(at point: Point) -> Click? {
    let row = point.row - (desk.size.rows - 2 - footHeight) - 1
    guard let timeline = page.timeline(isToday: page.isToday), footLines(timeline).indices.contains(row)
    else {
      return nil
    }
    var start = 1
    for part in footLines(timeline)[row] {
      let end = start + DisplayText.width(part.run.text)
      if (start..<end).contains(point.column) { return part.click }
      start = end
    }
    return nil
  }

  private var whatIfs: [Part] {
    guard page.hasWhatIfs else { return [Part(run: Run(about, .dim))] }
    let parts = Lifecycle.WhatIf.allCases.enumerated().flatMap { index, whatIf -> [Part] in
      let text = "\(index + 1) \(short(whatIf))"
      let isChosen = whatIf == page.whatIf
      let run = Run(isChosen ? "[\(text)]" : text, isChosen ? .text.bold : .dim)
      return [Part(run: run, click: .whatIf(index + 1)), Part(run: Run(" "))]
    }
    return [Part(run: Run("What if ", .dim))] + parts
  }

  private func short(_ whatIf: Lifecycle.WhatIf) -> String {
    switch whatIf {
    case .serverNewer: "server newer"
    case .clientNewer: "client newer"
    case .sameTime: "same time"
    case .clientDeletes: "C deletes"
    case .serverDeletes: "S deletes"
    }
  }

  private var about: String { page.timeline(isToday: false)?.scenario.about ?? "" }

  private func steps(_ timeline: Timeline) -> [Part] {
    var parts: [Part] = []
    var phase: Scenario.Phase?
    for (index, entry) in timeline.entries.enumerated() {
      if phase != nil, phase != entry.chapter.phase { parts.append(Part(run: Run("  "))) }
      phase = entry.chapter.phase
      let isHere = index == page.step
      let label = entry.chapter.label
      let run = Run(isHere ? "[\(label)]" : " \(label) ", isHere ? .text.bold : .dim)
      parts.append(Part(run: run, click: .step(index)))
    }
    let pace = page.pace.map { "   plays, a step in \(Double($0) / 1000) s" } ?? ""
    return parts + [Part(run: Run("   \(phaseWords(timeline))\(pace)", .dim))]
  }

  private func phaseWords(_ timeline: Timeline) -> String {
    timeline.entries.indices.contains(page.step) ? timeline.entries[page.step].chapter.phase.rawValue : ""
  }
}

/// One step under one set of rules: picture with its values, the three states before and after, and why.
struct StepPanel {
  let desk: DeskState
  let page: WalkthroughPage
  let timeline: Timeline
  let heading: String?
  let entry: Timeline.Entry
  /// Taken once, as the whole story is looked through for them.
  private let fields: [String]
  let field: String?

  init(_ desk: DeskState, _ page: WalkthroughPage, _ timeline: Timeline, heading: String?) {
    (self.desk, self.page, self.timeline, self.heading) = (desk, page, timeline, heading)
    entry = timeline.entries[min(page.step, timeline.entries.count - 1)]
    fields = page.varyingFields
    field = fields.isEmpty ? nil : fields[page.place(in: fields)]
  }

  func draw(_ size: Size) -> Grid {
    var grid = Grid(size)
    let title = [Run("\(entry.chapter.label)  ", .dim), Run(entry.chapter.title, .text.bold)]
    grid.write(title, at: 1, 0, width: size.columns - 2)
    if let heading { grid.write(heading, endingAt: size.columns - 1, 0, .dim) }
    if size.rows < 13 { drawLow(&grid) } else { drawWhole(&grid) }
    return grid
  }

  /// Why, then the three states and the picture, each if there is room for all of it.
  private func drawLow(_ grid: inout Grid) {
    let reasons = why.wrapped(grid.size.columns - 3, cutAfter: grid.size.rows - 1)
    grid.write(lines: reasons, at: 1, 1, width: grid.size.columns - 2)
    let row = 1 + reasons.count
    if row + 4 <= grid.size.rows { drawStates(&grid, at: row) }
    if row + 9 <= grid.size.rows { drawPicture(&grid, at: row + 4) }
  }

  private func drawWhole(_ grid: inout Grid) {
    let size = grid.size
    drawPicture(&grid, at: 1)
    grid.fill("─", row: 6, .dim)
    drawStates(&grid, at: 7)
    grid.fill("─", row: 11, .dim)
    let reasons = why.wrapped(size.columns - 3, cutAfter: max(1, size.rows - 12))
    grid.write(lines: reasons, at: 1, 12, width: size.columns - 2)
    drawTimeline(&grid, below: 12 + reasons.count)
  }

  /// What is left of the screen tells the story as far as it is played.
  private func drawTimeline(_ grid: inout Grid, below row: Int) {
    let lines = timelineLines(width: grid.size.columns - 1, height: grid.size.rows - row - 1)
    guard !lines.isEmpty else { return }
    grid.fill("─", row: row, .dim)
    grid.write(lines: lines, at: 0, row + 1, width: grid.size.columns - 1)
  }

  private func drawPicture(_ grid: inout Grid, at top: Int) {
    grid.write(lines: BranchLines(picture: entry.picture, strokes: 2).lines, at: 3, top + 1)
    let start = max(34, grid.size.columns / 2 - 4)
    for (index, node) in nodes(isShort: grid.size.columns < 72).prefix(5).enumerated() {
      grid.write(node, at: start, top + index, width: grid.size.columns - start - 1)
    }
  }

  /// The nodes of the picture, and what each holds.
  private func nodes(isShort: Bool) -> [[Run]] {
    let picture = entry.picture
    let after = entry.after
    var rows: [(BranchPicture.Node, String, Value?)] = [
      (picture.client, clientWords, sent == .deletion ? nil : value(after.row)),
      (picture.server, serverWords(isShort), value(after.server)),
    ]
    if let merged = picture.merged { rows.append((merged, "suggested draft", draft)) }
    rows.append((picture.stem, "last-known", value(after.lastKnown)))
    if let past = picture.past { rows.append((past, "before that", nil)) }
    return rows.filter { $0.0.kind != .empty }.map { node, what, value in
      let words = value.map { ": \(text($0))" } ?? ""
      return [Run(node.description.padding(to: 6), node.ink), Run(what + words)]
    }
  }

  /// What is on its way from the client, or waits to be.
  private var sent: DeviceRecord.Pending? { entry.after.inFlight ?? entry.after.pending }

  private var clientWords: String {
    switch (sent, isSent: entry.after.inFlight != nil) {
    case (.deletion, true): "deletion in flight"
    case (.deletion, false): "client's deletion"
    case (_, true): "in flight"
    case (_, false): "client's edit"
    }
  }

  private func serverWords(_ isShort: Bool) -> String {
    let what = entry.after.server == nil ? "server's deletion" : "server"
    return what + (isShort ? ", unseen" : ", not seen here")
  }

  private var draft: Value? { field.flatMap { name in entry.after.conflict?[name]?.suggestion.value } }

  func value(_ row: [String: Value]?) -> Value? { field.flatMap { row?[$0] } }

  func value(_ record: ServerRecord?) -> Value? { field.flatMap { record?.fields[$0]?.value } }

  /// What a story holds that Parley made up is nobody's.
  private var privacy: Privacy { page.isTold ? .open : desk.privacy }

  func text(_ value: Value) -> String { privacy.line(value) }

  private func drawStates(_ grid: inout Grid, at top: Int) {
    let names = grid.size.columns < 72 ? 13 : 27
    let cell = (grid.size.columns - names - 12) / 2
    grid.write(names < 20 ? shortFieldWords : fieldWords, at: 1, top, .dim, width: names - 2)
    grid.write("before this step", at: names, top, .dim, width: cell)
    grid.write("after this step", at: names + cell, top, .dim, width: cell)
    for (index, place) in Place.allCases.enumerated() {
      let isChanged = isChanged(place)
      let ink: Ink = place == .server ? .server : place == .row ? .client : .ancestor
      grid.write(name(place, isShort: names < 20), at: 1, top + 1 + index, .text, width: names - 1)
      grid.write(words(place, entry.before), at: names, top + 1 + index, .dim, width: cell - 1)
      grid.write(
        words(place, entry.after), at: names + cell, top + 1 + index, isChanged ? ink.bold : ink,
        width: cell - 1)
      if let mark = mark(place, isChanged) {
        grid.write(mark, endingAt: grid.size.columns - 1, top + 1 + index, .text.bold)
      }
    }
  }

  private var fieldWords: String {
    guard let field else { return "" }
    return fields.count > 1 ? "\(field), \(page.place(in: fields) + 1) of \(fields.count)" : field
  }

  /// The same where a side's name is short, too.
  private var shortFieldWords: String {
    guard let field, fields.count > 1 else { return fieldWords }
    return "\(field) \(page.place(in: fields) + 1)/\(fields.count)"
  }

  private func name(_ place: Place, isShort: Bool) -> String {
    switch place {
    case .row: isShort ? "Row, client" : "Database row, client"
    case .lastKnown: isShort ? "Last known" : "Last-known server record"
    case .server: isShort ? "Server" : "Server record"
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

  private var why: [Run] { [Run("Why?  ", .dim), Run(privacy.hides ? entry.whyWithoutValues : entry.why)] }
}

/// All steps of a story as one picture where there is room, otherwise a line each.
struct LifecycleScreen {
  let desk: DeskState
  let page: WalkthroughPage

  private static let cell = Size(columns: 29, rows: 5)

  func draw() -> Grid {
    var frame = Frame(desk.size)
    guard let timeline = page.timeline(isToday: page.isToday) else { return frame.grid }
    let rules = page.isToday ? "SQLiteData today" : "the model"
    // The first story is called what the screen is.
    let title = title(timeline) == "Lifecycle" ? "" : title(timeline) + ", "
    frame.header(
      [Run("Lifecycle   ", .text.bold), Run("\(title)all \(timeline.lastNumber) steps")],
      right: [Run(rules, .dim)])
    if let row = drawPictures(timeline, &frame) {
      drawTimelines(&frame, at: row)
    } else {
      drawLines(timeline, &frame)
    }
    frame.grid.write(WalkthroughScreen.legend, at: 1, frame.bottom - 1, .dim, width: frame.columns - 1)
    return frame.footer(desk)
  }

  /// The title of a record is one of its values.
  private func title(_ timeline: Timeline) -> String {
    if case .record = page.story { return desk.privacy.shown(timeline.scenario.title) }
    return timeline.scenario.title
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
      let lines = panel.timelineLines(width: width - 1, height: height - 1)
      frame.grid.write(lines: [heading], at: 1 + index * (width + 1), row)
      frame.grid.write(lines: lines, at: index * (width + 1), row + 1, width: width - 1)
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
      for line in rows(entries, perRow) {
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

  private var linesHeight: Int { max(1, desk.size.rows - 6) }

  private func firstLine(_ timeline: Timeline) -> Int {
    max(0, min(page.step - linesHeight / 2, timeline.entries.count - linesHeight))
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
    let first = firstLine(timeline)
    for (index, entry) in timeline.entries.enumerated().dropFirst(first).prefix(linesHeight) {
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
