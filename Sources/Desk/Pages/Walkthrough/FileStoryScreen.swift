import Simulation
import Telling
import Terminal

/// A story of files that sync whole: two devices and the server as a picture, the steps as a table, and why.
/// Where there is no room for all of the table, `Enter` gives it the room of the picture.
struct FileStoryScreen {
  let desk: DeskState
  let page: WalkthroughPage
  let timeline: FileTimeline
  private let entry: FileTimeline.Entry

  static let legend = "[3] known here  <*> upload  <-> deletion waits  >*> sent  <4> came in"
  private static let leastWhyHeight = 3
  private static let footHeight = 2

  init(_ desk: DeskState, _ page: WalkthroughPage, _ timeline: FileTimeline) {
    (self.desk, self.page, self.timeline) = (desk, page, timeline)
    entry = timeline.entries[min(page.step, timeline.entries.count - 1)]
  }

  /// Whether the picture and all of the table fit.
  static func fits(_ timeline: FileTimeline, _ size: Size) -> Bool {
    size.rows >= timeline.entries.count + FilePicture.height + leastWhyHeight + footHeight + 8
  }

  private var hasPicture: Bool {
    let hasRoom = desk.size.columns >= FilePicture.leastColumns && desk.size.rows >= 18
    return hasRoom && (!page.showsAll || Self.fits(timeline, desk.size))
  }

  func draw() -> Grid {
    var frame = Frame(desk.size)
    drawHeader(&frame)
    if isLow { return drawLow(&frame) }
    if hasPicture { drawPicture(&frame, at: 2) }
    drawTable(&frame)
    drawFoot(&frame)
    return frame.footer(desk)
  }

  private func drawHeader(_ frame: inout Frame) {
    let isNarrow = StepPanel.isNarrow(frame.columns)
    frame.header(
      isNarrow ? [Run(title, .text.bold)] : [Run("Lifecycle   ", .text.bold), Run(title)],
      right: [Run("step \(entry.label) of \(timeline.entries.last?.label ?? entry.label)", .dim)])
  }

  /// That of a file of the store is one of its values.
  private var title: String {
    page.isTold ? timeline.story.title : desk.privacy.shown(timeline.story.title)
  }

  private func drawPicture(_ frame: inout Frame, at top: Int) {
    let title = [Run("\(entry.label)  ", .dim), Run(entry.title, .text.bold)]
    frame.grid.write(title, at: 1, top, width: frame.columns - 2)
    frame.grid.draw(
      FilePicture(timeline.story, entry).draw(columns: min(120, frame.columns)), at: 0, top + 1)
    frame.rule(top + 1 + FilePicture.height)
  }

  private func drawTable(_ frame: inout Frame) {
    let table = FileTable(timeline, columns: frame.columns)
    frame.grid.write(table.heading, at: 0, tableTop, width: frame.columns)
    for (index, other) in timeline.entries.enumerated().dropFirst(firstStep).prefix(steps) {
      let line = table.line(other, isHere: other.number == entry.number)
      frame.grid.write(line, at: 0, tableTop + 1 + index - firstStep, width: frame.columns)
    }
  }

  /// Where its heading stands.
  private var tableTop: Int { hasPicture ? 4 + FilePicture.height : 2 }
  private var footTop: Int { desk.size.rows - 2 - Self.footHeight - whyHeight - 1 }
  /// How many it has room for.
  private var steps: Int { max(0, footTop - tableTop - 1) }
  private var firstStep: Int { max(0, min(page.step - steps / 2, timeline.entries.count - steps)) }

  /// nil where nothing stands that could be clicked.
  func click(at point: Point) -> WalkthroughScreen.Click? {
    if isLow { return clickLow(at: point) }
    if point.row == answersRow { return answers.click(at: point.column) }
    let step = firstStep + point.row - tableTop - 1
    let isInTable = (tableTop + 1..<tableTop + 1 + steps).contains(point.row)
    return isInTable && timeline.entries.indices.contains(step) ? .step(step) : nil
  }

  private var answersRow: Int { desk.size.rows - 4 }

  private func drawFoot(_ frame: inout Frame) {
    frame.rule(footTop)
    let why = why.wrapped(frame.columns - 2, cutAfter: whyHeight)
    frame.grid.write(lines: why, at: 1, footTop + 1, width: frame.columns - 2)
    frame.grid.write(answers.map(\.run), at: 1, answersRow, width: frame.columns - 2)
    frame.grid.write(Self.legend, at: 1, frame.bottom - 1, .dim, width: frame.columns - 2)
  }

  /// What is left of it beside the picture; all of it can be read where the table has the picture's room.
  private var whyHeight: Int {
    let most = hasPicture || desk.size.rows < 18 ? Self.leastWhyHeight : 2 * Self.leastWhyHeight
    return max(Self.leastWhyHeight, why.wrapped(desk.size.columns - 2, most: most).count)
  }

  private var why: [Run] { [Run("Why?  ", .dim), Run(entry.why)] }

  /// What stands in their line; an answer with its number.
  private var answers: [StoryPart] {
    let parts = timeline.story.answers.enumerated().flatMap { index, answer -> [StoryPart] in
      let text = "\(index + 1) \(answer.title)"
      let isChosen = answer == timeline.answer
      let run = Run(isChosen ? "[\(text)]" : text, isChosen ? .text.bold : .dim)
      return [StoryPart(run: run, click: .whatIf(index + 1)), StoryPart(run: Run(" "))]
    }
    if parts.isEmpty { return [StoryPart(run: Run("Nobody is asked about this.", .dim))] }
    let pace = page.pace.map { "  plays, a step in \(Double($0) / 1000) s" } ?? ""
    let whose = page.isTold ? "\(timeline.story.asked)'s answer  " : "Your answer  "
    return [StoryPart(run: Run(whose, .dim))] + parts + [StoryPart(run: Run(pace, .dim))]
  }
}

/// On a small screen, where all stands below each other and is scrolled.
extension FileStoryScreen {
  private var isLow: Bool { desk.size.rows < 18 || desk.size.columns < FilePicture.leastColumns }
  private var height: Int { max(1, desk.size.rows - 4) }

  /// How far it can be scrolled; 0 where all of it is seen.
  var lastScroll: Int { isLow ? lastScroll(of: lowLines) : 0 }

  private func lastScroll(of lines: [[StoryPart]]) -> Int { max(0, lines.count - height) }

  private func drawLow(_ frame: inout Frame) -> Grid {
    let lines = lowLines
    let lastScroll = lastScroll(of: lines)
    let first = min(page.scroll, lastScroll)
    let shown = lines.dropFirst(first).prefix(height).map { $0.map(\.run) }
    frame.grid.write(lines: shown, at: 1, 2, width: frame.columns - 1)
    frame.footer(desk, isLonger: lastScroll > 0)
    frame.place(first: first, shown: height, hidden: lastScroll, on: desk)
    return frame.grid
  }

  private func clickLow(at point: Point) -> WalkthroughScreen.Click? {
    let line = point.row - 2 + min(page.scroll, lastScroll)
    guard (2..<2 + height).contains(point.row), lowLines.indices.contains(line) else { return nil }
    return lowLines[line].click(at: point.column)
  }

  /// What happens and why, what everybody knows then, the answers, the steps, and what the signs mean.
  private var lowLines: [[StoryPart]] {
    let width = desk.size.columns - 2
    let title = [Run("\(entry.label)  ", .dim), Run(entry.title, .text.bold)]
    let places = FileTable(timeline, columns: .max).places(entry)
    let told = ([title, why] + places).flatMap { $0.wrapped(width) }
    let steps = timeline.entries.map { other -> [StoryPart] in
      let isHere = other.number == entry.number
      let text = "\(isHere ? "▸" : " ")\(other.label.padding(to: 3))\(other.title)"
      return [StoryPart(run: Run(text, isHere ? .text.bold : .dim), click: .step(other.number))]
    }
    return plain(told) + answers.wrapped(width) + steps + plain([Run(Self.legend, .dim)].wrapped(width))
  }

  private func plain(_ lines: [[Run]]) -> [[StoryPart]] { lines.map { $0.map { StoryPart(run: $0) } } }
}

/// The steps as a table: the server's index and lock, then what the device of whoever is asked knows, whether
/// the file is gone there, what waits and what came in; where there is room the other device's, too.
struct FileTable {
  let story: FileStory
  private let devices: [String]

  init(_ timeline: FileTimeline, columns: Int) {
    story = timeline.story
    devices = columns >= 116 ? story.devices : [story.asked]
  }

  private static let widths = (number: 5, title: 28, index: 7, lock: 7, cells: [7, 5, 9, 13])

  var heading: [Run] {
    let names = devices.flatMap { zip([$0, "gone", "waits", "came in"], Self.widths.cells) }
    let server = [
      ("", Self.widths.number), ("", Self.widths.title), ("index", Self.widths.index),
      ("lock", Self.widths.lock),
    ]
    return (server + names).map { Run($0.padding(to: $1), .dim) }.withoutBlankEnd
  }

  func line(_ entry: FileTimeline.Entry, isHere: Bool) -> [Run] {
    let mark = isHere ? " ▸" : "  "
    let cells =
      [
        Run((mark + entry.label.padding(to: 3)).padding(to: Self.widths.number), .dim),
        Run(entry.title.padding(to: Self.widths.title), isHere ? .text.bold : .text),
        cell({ $0.server.indexWords(story.file) }, entry, Self.widths.index, .server),
        cell({ $0.server.lock ?? "-" }, entry, Self.widths.lock, .server),
      ] + devices.flatMap { self.cells(of: $0, entry) }
    return cells.withoutBlankEnd
  }

  /// What the server and each device know after a step, each in a line.
  func places(_ entry: FileTimeline.Entry) -> [[Run]] {
    let server = entry.after.server
    let words = "index \(server.indexWords(story.file)), lock \(server.lock ?? "free")"
    return [[Run("Server: ", .dim), Run(words, .server)]] + devices.map { known(on: $0, entry) }
  }

  private func known(on device: String, _ entry: FileTimeline.Entry) -> [Run] {
    let cells = entry.after.standing(of: story.file, on: device).cells
    let words = zip(["knows", "gone", "waits", "came in"], cells).filter { $1 != "-" }.map { "\($0) \($1)" }
    return [Run("\(device): ", .dim), Run(words.joined(separator: ", "), .client)]
  }

  private func cells(of device: String, _ entry: FileTimeline.Entry) -> [Run] {
    Self.widths.cells.enumerated().map { index, width in
      cell({ $0.standing(of: story.file, on: device).cells[index] }, entry, width, .client)
    }
  }

  /// What the step changed is bold.
  private func cell(
    _ words: (FileWorld) -> String, _ entry: FileTimeline.Entry, _ width: Int, _ ink: Ink
  ) -> Run {
    let after = words(entry.after)
    let isNew = after != words(entry.before)
    return Run(after.padding(to: width), isNew ? ink.bold : after == "-" ? .dim : ink)
  }
}

extension [Run] {
  /// What ends a line needs no room after it, so that it is not marked as cut.
  fileprivate var withoutBlankEnd: [Run] {
    guard let last else { return self }
    return dropLast() + [Run(String(last.text.reversed().drop { $0 == " " }.reversed()), last.ink)]
  }
}
