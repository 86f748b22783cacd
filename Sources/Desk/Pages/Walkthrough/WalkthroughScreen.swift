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
    let stories = stories
    let lastScroll = lastScroll(of: stories)
    let first = min(page.scroll, lastScroll)
    drawHeader(&frame, timeline)
    drawPanels(&frame, stories, from: first)
    drawFoot(&frame, timeline)
    frame.footer(desk, isLonger: lastScroll > 0)
    frame.place(first: first, shown: panelHeight, hidden: lastScroll, on: desk)
    return frame.grid
  }

  private func drawHeader(_ frame: inout Frame, _ timeline: Timeline) {
    let number = min(page.step, timeline.entries.count - 1)
    let label = timeline.entries[number].chapter.label
    let last = timeline.entries.last?.chapter.label ?? label
    if StepPanel.isNarrow(desk.size.columns) {
      let right = Run("\(label)/\(last) \(page.isToday ? "today" : "the model")", .dim)
      return frame.header([Run(titles(timeline)[1], .text.bold)], right: [right])
    }
    let rules = isWide ? "" : page.isToday ? "   SQLiteData today" : "   the model"
    let right = Run("step \(label) of \(last)\(rules)", .dim)
    let room = frame.columns - [right].width - 16
    let title = titles(timeline).first { DisplayText.width($0) <= room } ?? titles(timeline)[1]
    frame.header([Run("Lifecycle   ", .text.bold), Run(title)], right: [right])
  }

  /// Whole, and shorter.
  private func titles(_ timeline: Timeline) -> [String] {
    let title = title(timeline)
    return [title, page.story == .told(0) ? page.whatIf.title : title]
  }

  private func title(_ timeline: Timeline) -> String {
    switch page.story {
    case .told(0): "reminders 42   \(page.whatIf.title)"
    case .told: timeline.scenario.title
    case .file(let story, _): desk.privacy.shown(story.title)
    case .record(let conflict, _, _): "\(conflict.table) \(desk.privacy.shown(conflict.title))"
    }
  }

  /// As much of each story as there is room for, from where they are scrolled to.
  private func drawPanels(_ frame: inout Frame, _ stories: [Grid?], from first: Int) {
    for (index, story) in stories.enumerated() {
      guard let story else { continue }
      var panel = Grid(Size(columns: panelWidth, rows: panelHeight))
      panel.draw(story, at: 0, -first)
      frame.grid.draw(panel, at: index * (panelWidth + 1), 2)
    }
    if isWide { for row in 2..<2 + panelHeight { frame.grid.write("│", at: panelWidth, row, .dim) } }
  }

  private var panelHeight: Int { max(1, desk.size.rows - 4 - footHeight) }
  private var panelWidth: Int { isWide ? (desk.size.columns - 1) / 2 : desk.size.columns }

  /// By each set of rules that is shown.
  private var stories: [Grid?] {
    isWide
      ? [story(false, heading: "The model"), story(true, heading: "SQLiteData today")]
      : [story(page.isToday, heading: nil)]
  }

  /// All that is told of a step, which may be longer than the screen.
  private func story(_ isToday: Bool, heading: String?) -> Grid? {
    let size = Size(columns: panelWidth, rows: panelHeight)
    return page.timeline(isToday: isToday).flatMap { timeline in
      if timeline.entries.isEmpty { return nil }
      let panel = StepPanel(desk, page, timeline, heading: heading)
      return isLow ? panel.drawLow(size, above: lowLines) : panel.draw(size)
    }
  }

  /// Whether there is no room for the picture above the states: then why comes first, and all below each other.
  var isLow: Bool { panelHeight < 13 }

  /// How far a step can be scrolled; 0 where all of it is seen.
  var lastScroll: Int { lastScroll(of: stories) }

  private func lastScroll(of stories: [Grid?]) -> Int {
    max(0, (stories.compactMap { $0?.size.rows }.max() ?? 0) - panelHeight)
  }

  /// With its rule. Low screens have the steps alone: what happens in one comes first.
  private var footHeight: Int {
    isLowFoot ? 1 : desk.size.rows >= 22 ? 2 + whatIfLines.count + legend.count : 3
  }

  private var isLowFoot: Bool { desk.size.rows < 15 }

  private var legend: [[Run]] { [Run(Self.legend, .dim)].wrapped(desk.size.columns - 1) }

  private func drawFoot(_ frame: inout Frame, _ timeline: Timeline) {
    let top = frame.bottom - footHeight
    if !isLowFoot { frame.rule(top) }
    let lines = footLines(timeline)
    let first = isLowFoot ? top : top + 1
    for (index, line) in lines.enumerated() { frame.grid.write(line.map(\.run), at: 1, first + index) }
    if desk.size.rows >= 22 {
      frame.grid.write(lines: legend, at: 1, first + lines.count, width: frame.columns - 1)
    }
  }

  enum Click: Equatable {
    case step(Int)
    case whatIf(Int)
  }

  private func footLines(_ timeline: Timeline) -> [[StoryPart]] {
    let steps = StepLine(page, timeline).line(desk.size.columns - 2)
    return hasWhatIfsInFoot ? whatIfLines + [steps] : [steps]
  }

  private var hasWhatIfsInFoot: Bool { desk.size.rows >= 22 || !isLowFoot && whatIfLines.count == 1 }

  /// What a low screen tells below a step, as its foot has no room for it.
  private var lowLines: [[StoryPart]] {
    let legend = self.legend.map { $0.map { StoryPart(run: $0) } }
    return hasWhatIfsInFoot ? legend : whatIfLines + legend
  }

  /// nil where nothing stands that could be clicked.
  func click(at point: Point) -> Click? {
    guard let timeline = page.timeline(isToday: page.isToday) else { return nil }
    let first = desk.size.rows - 2 - footHeight + (isLowFoot ? 0 : 1)
    let lines = footLines(timeline)
    if lines.indices.contains(point.row - first) { return lines[point.row - first].click(at: point.column) }
    guard isLow, (2..<2 + panelHeight).contains(point.row), let story = story(page.isToday, heading: nil)
    else { return nil }
    let line = point.row - 2 + min(page.scroll, lastScroll) - (story.size.rows - lowLines.count)
    return lowLines.indices.contains(line) ? lowLines[line].click(at: point.column) : nil
  }

  /// In one line where it can be, in short words before two.
  private var whatIfLines: [[StoryPart]] {
    guard page.hasWhatIfs else {
      return [Run(about, .dim)].wrapped(desk.size.columns - 2).map { $0.map { StoryPart(run: $0) } }
    }
    let width = desk.size.columns - 2
    let whole = WhatIfLine(page).parts
    return whole.width <= width ? [whole] : WhatIfLine(page, isShort: true).parts.wrapped(width)
  }

  private var about: String { page.timeline(isToday: false)?.scenario.about ?? "" }
}

/// One step under one set of rules: picture with its values, the three states before and after, and why.
struct StepPanel {
  let desk: DeskState
  let page: WalkthroughPage
  let timeline: Timeline
  let heading: String?
  let entry: Timeline.Entry
  /// Taken once, as the whole story is looked through for them.
  let fields: [String]
  let field: String?

  init(_ desk: DeskState, _ page: WalkthroughPage, _ timeline: Timeline, heading: String?) {
    (self.desk, self.page, self.timeline, self.heading) = (desk, page, timeline, heading)
    entry = timeline.entries[min(page.step, timeline.entries.count - 1)]
    fields = page.varyingFields
    field = fields.isEmpty ? nil : fields[page.place(in: fields)]
  }

  /// The same step, of another field.
  func showing(_ name: String) -> StepPanel {
    var page = page
    page.field = name
    return StepPanel(desk, page, timeline, heading: heading)
  }

  /// - Parameter size: what there is room for; the story may be longer, and is no shorter.
  func draw(_ size: Size) -> Grid {
    let reasons = why.wrapped(size.columns - 3)
    var grid = Grid(Size(columns: size.columns, rows: max(size.rows, 12 + reasons.count)))
    drawTitle(&grid)
    drawPicture(&grid, at: 1)
    grid.fill("─", row: 6, .dim)
    drawStates(&grid, at: 7)
    grid.fill("─", row: 11, .dim)
    grid.write(lines: reasons, at: 1, 12, width: size.columns - 2)
    drawTimelines(&grid, below: 12 + reasons.count)
    return grid
  }

  /// Why first, then the states of the field that is shown, the picture, the other fields, and what else there is to tell.
  func drawLow(_ size: Size, above lines: [[StoryPart]]) -> Grid {
    let parts = lowParts(size.columns)
    let height = parts.reduce(lines.count) { $0 + $1.size.rows }
    var grid = Grid(Size(columns: size.columns, rows: max(size.rows, height)))
    var row = 0
    for part in parts {
      grid.draw(part, at: 0, row)
      row += part.size.rows
    }
    grid.write(
      lines: lines.map { $0.map(\.run) }, at: 1, grid.size.rows - lines.count, width: size.columns - 1)
    return grid
  }

  private func lowParts(_ columns: Int) -> [Grid] {
    let reasons = why.wrapped(columns - 3)
    var head = Grid(Size(columns: columns, rows: 1 + reasons.count))
    drawTitle(&head)
    head.write(lines: reasons, at: 1, 1, width: columns - 2)
    let others = fields.filter { $0 != field }.map { showing($0).states(columns) }
    return [head, states(columns), picture(columns)] + others
  }

  private func states(_ columns: Int) -> Grid {
    if Self.isStacked(columns) { return Grid(lines: stateLines(columns - 2), columns: columns) }
    var grid = Grid(Size(columns: columns, rows: 4))
    drawStates(&grid, at: 0)
    return grid
  }

  private func picture(_ columns: Int) -> Grid {
    if Self.isStacked(columns) {
      let branches = BranchLines(picture: entry.picture, strokes: 2).lines.map { [Run("  ")] + $0 }
      let nodes = nodes(isShort: true).flatMap { $0.wrapped(columns - 2) }
      return Grid(lines: branches + nodes, columns: columns)
    }
    var grid = Grid(Size(columns: columns, rows: 5))
    drawPicture(&grid, at: 0)
    return grid
  }

  /// Whether a header has no room for what all of them begin with.
  static func isNarrow(_ columns: Int) -> Bool { columns < 56 }

  /// Whether before stands below after, and what the picture's nodes hold below the picture.
  private static func isStacked(_ columns: Int) -> Bool { columns < 64 }

  private func drawTitle(_ grid: inout Grid) {
    let columns = grid.size.columns
    let title = [Run("\(entry.chapter.label)  ", .dim), Run(entry.chapter.title, .text.bold)]
    grid.write(title, at: 1, 0, width: columns - 2)
    if let heading { grid.write(heading, endingAt: columns - 1, 0, .dim) }
  }

  /// What is left of the screen tells the story as far as it is played.
  private func drawTimelines(_ grid: inout Grid, below row: Int) {
    let lines = storyLines(
      width: grid.size.columns - 1, height: grid.size.rows - row - 1, whysFrom: page.step + 1)
    guard !lines.isEmpty else { return }
    grid.fill("─", row: row, .dim)
    grid.write(lines: lines, at: 0, row + 1, width: grid.size.columns)
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
    if let merged = picture.merged {
      rows.append((merged, draft == nil ? "draft, to be decided" : "suggested draft", draft))
    }
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
    // What came in may have written the row again, or taken it away.
    case (.deletion, false): entry.after.row == nil ? "client's deletion" : "deletion, still to be sent"
    case (.save?, false) where entry.after.row == nil: "edit, and no row to send"
    case (_, true): "in flight"
    case (_, false): "client's edit"
    }
  }

  private func serverWords(_ isShort: Bool) -> String {
    let what = entry.after.server == nil ? "server's deletion" : "server"
    return what + (isShort ? ", unseen" : ", not seen here")
  }

  /// nil where nothing is suggested that could be taken.
  private var draft: Value? {
    field.flatMap { name in entry.after.conflict?[name]?.suggestion.value }.flatMap { $0.isAtHand ? $0 : nil }
  }

  func value(_ row: [String: Value]?) -> Value? { field.flatMap { row?[$0] } }

  func value(_ record: ServerRecord?) -> Value? { field.flatMap { record?.fields[$0]?.value } }

  /// What a story holds that Parley made up is nobody's.
  private var privacy: Privacy { page.isTold ? .open : desk.privacy }

  /// In the story of a record of the store what points to a record is told by that record's title.
  func text(_ value: Value) -> String {
    guard case .record(let conflict, _, _) = page.story, let field else { return privacy.line(value) }
    return privacy.line(value, of: field, in: conflict)
  }

  private func drawStates(_ grid: inout Grid, at top: Int) {
    let names = grid.size.columns < 72 ? 13 : 27
    let marks = Place.allCases.map { mark($0, isChanged($0)) ?? "" }
    let cell = (grid.size.columns - names - max(12, 2 + (marks.map(\.count).max() ?? 0))) / 2
    let words = cellWords(width: cell - 1)
    grid.write(names < 20 ? shortFieldWords : fieldWords, at: 1, top, .dim, width: names - 2)
    grid.write("before this step", at: names, top, .dim, width: cell)
    grid.write("after this step", at: names + cell, top, .dim, width: cell)
    for (place, row) in zip(Place.allCases, (top + 1)...) {
      grid.write(name(place, isShort: names < 20), at: 1, row, .text, width: names - 1)
      grid.write(words(place, entry.before), at: names, row, .dim)
      let ink = ink(of: place, isChanged: isChanged(place))
      grid.write(words(place, entry.after), at: names + cell, row, ink)
      grid.write(marks[row - top - 1], endingAt: grid.size.columns - 1, row, .text.bold)
    }
  }

  /// With the field's name where all of them have room for it, as it stands above, too. What is too long is told as in the table.
  private func cellWords(width: Int) -> (Place, Standing) -> String {
    let all = Place.allCases.flatMap { [words($0, entry.before), words($0, entry.after)] }
    let haveRoom = all.allSatisfy { DisplayText.width($0) <= width }
    if haveRoom { return words }
    let cells = cells
    return { place, standing in
      let told = told(place, standing)
      let isCut = DisplayText.width(told, upTo: width + 1) > width
      return isCut ? cells.text(held(place, standing, untagged: " unconfirmed"), width: width) : told
    }
  }

  private func ink(of place: Place, isChanged: Bool) -> Ink {
    let ink: Ink = place == .server ? .server : place == .row ? .client : .ancestor
    return isChanged ? ink.bold : ink
  }

  /// What each place holds, and what it held before, in as many lines as it takes.
  private func stateLines(_ width: Int) -> [[Run]] {
    let heading = shortFieldWords.isEmpty ? [] : [[Run(shortFieldWords, .dim)]]
    return heading + Place.allCases.flatMap { stateLines(of: $0, width) }
  }

  private func stateLines(of place: Place, _ width: Int) -> [[Run]] {
    let (names, isChanged) = (13, isChanged(place))
    let now = Run(told(place, entry.after), ink(of: place, isChanged: isChanged))
    let was = mark(place, isChanged).map { mark in
      Run(isChanged ? ", was \(told(place, entry.before))" : ", \(mark)", .dim)
    }
    let lines = ([now] + [was].compactMap(\.self)).wrapped(width - names)
    return lines.enumerated().map { index, line in
      [Run((index == 0 ? name(place, isShort: true) : "").padding(to: names))] + line
    }
  }

  /// Without the field's name, which stands above.
  private func told(_ place: Place, _ standing: Standing) -> String {
    let prefix = field.map { "\($0) = " } ?? ""
    let words = words(place, standing)
    return words.hasPrefix(prefix) ? String(words.dropFirst(prefix.count)) : words
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

  private var why: [Run] { [Run("Why?  ", .dim), Run(reason(entry))] }

  func reason(_ entry: Timeline.Entry) -> String { privacy.hides ? entry.whyWithoutValues : entry.why }
}
