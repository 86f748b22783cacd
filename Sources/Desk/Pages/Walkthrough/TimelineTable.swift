import Merging
import Simulation
import Terminal

/// A story as far as it is played, in lines: of each step what the three places hold of the field that is shown. What is still to come is
/// dim, and what a step changed is bold.
extension StepPanel {
  /// Fewer say too little to be worth their room.
  static let leastLines = 6

  /// Of each field that varies, the one that is shown first, as long as there is room for all of its steps; then what follows, in words.
  ///
  /// - Parameter first: the step whose reason comes first: the one under the cursor where nothing else tells it.
  func storyLines(width: Int, height: Int, whysFrom first: Int) -> [[Run]] {
    let others = fields.filter { $0 != field }.map { showing($0) }
    let rule = [Run(String(repeating: "─", count: width + 1), .dim)]
    var lines: [[Run]] = []
    for panel in [self] + others {
      let gap = lines.isEmpty ? [] : [rule]
      let table = panel.timelineLines(width: width, height: height - lines.count - gap.count)
      // Of the first one a part tells where the story stands; a second says nothing by it.
      if table.isEmpty || !lines.isEmpty && table.count <= timeline.entries.count { break }
      lines += gap + table
    }
    let next = lines.isEmpty ? [] : reasonLines(from: first, width - 1, height: height - lines.count - 1)
    return lines + (next.isEmpty ? [] : [rule] + next)
  }

  /// The reasons of the steps from one on, as many as there is room for all of.
  private func reasonLines(from first: Int, _ width: Int, height: Int) -> [[Run]] {
    var lines: [[Run]] = []
    for entry in timeline.entries.dropFirst(first) {
      let reason = [Run("\(title(entry)): ", .dim), Run(reason(entry))].wrapped(width - 6)
      if lines.count + reason.count > height { break }
      lines += reason.enumerated().map { [Run($0 == 0 ? "  " : "      ")] + $1 }
    }
    return lines
  }

  /// - Parameter height: with the headings; the step under the cursor is among as many as fit.
  func timelineLines(width: Int, height: Int) -> [[Run]] {
    guard height >= Self.leastLines else { return [] }
    let cells = cells
    let titles = timeline.entries.map { title($0).count }.max() ?? 0
    let columns = TimelineColumns(width, title: titles, cells: cells.widest)
    let room = height - 1
    let first = max(0, min(page.step - room / 2, timeline.entries.count - room))
    let entries = timeline.entries.enumerated().dropFirst(first).prefix(room)
    let isAll = entries.count == timeline.entries.count
    let shown = isAll ? "" : " \(label(first))-\(label(first + entries.count - 1))/\(timeline.lastNumber)"
    let name = fields.count > 1 ? field ?? "" : ""
    return [columns.headings(name, shown)] + entries.map { line($0.offset, $0.element, columns, cells) }
  }

  private func line(
    _ index: Int, _ entry: Timeline.Entry, _ columns: TimelineColumns, _ cells: TimelineCells
  ) -> [Run] {
    let isHere = index == page.step
    let isToCome = index > page.step
    let cells = Place.allCases.map { place -> Run in
      let ink: Ink = place == .server ? .server : place == .row ? .client : .ancestor
      let isChanged = entry.changes.contains(place) && !isToCome
      let text = cells.text(held(place, entry.after), width: columns.room)
      return columns.cell(text, isToCome ? .dim : isChanged ? ink.bold : ink)
    }
    let title = columns.title(title(entry))
    let ink: Ink = isHere ? .text.bold : isToCome ? .dim : .text
    return [Run(isHere ? "▸ " : "  ", .text.bold), Run(title, ink)] + cells
  }

  /// Those of the whole story.
  var cells: TimelineCells {
    // What all knew last is what the others are compared with.
    let places: [Place] = [.lastKnown, .row, .server]
    return TimelineCells(places.flatMap { place in timeline.entries.map { held(place, $0.after) } })
  }

  private func title(_ entry: Timeline.Entry) -> String {
    "\(entry.chapter.label.padding(to: 4))\(entry.chapter.title)"
  }

  private func label(_ index: Int) -> String { timeline.entries[index].chapter.label }

  func held(_ place: Place, _ standing: Standing, untagged: String = "") -> Held {
    switch place {
    case .row: standing.row == nil ? Held(words: "none") : held(value(standing.row), tag: "")
    case .lastKnown: held(standing.lastKnown, untagged)
    case .server: held(standing.server, untagged)
    }
  }

  private func held(_ record: ServerRecord?, _ untagged: String) -> Held {
    guard let record else { return Held(words: "none") }
    return held(value(record), tag: record.tag.map { " @ \($0)" } ?? untagged)
  }

  private func held(_ value: Value?, tag: String) -> Held {
    value.map { Held(words: text($0), isValue: true, tag: tag) } ?? Held(words: "there", tag: tag)
  }
}

/// What a place holds of a field, or that it holds none, and the tag of the server's record.
struct Held {
  var words: String
  var isValue = false
  var tag = ""
}

/// The cells of a table. Where not all of them fit, each begins where its value differs from the others, and keeps its tag.
struct TimelineCells {
  /// In columns, as far as anybody has that many.
  let widest: Int
  private let tag: Int
  private let changed: ChangedTexts?

  init(_ all: [Held]) {
    widest = all.map { DisplayText.width($0.words + $0.tag, upTo: 400) }.max() ?? 0
    tag = all.map { DisplayText.width($0.tag) }.max() ?? 0
    changed = ChangedTexts(all.filter(\.isValue).map(\.words))
  }

  func text(_ held: Held, width: Int) -> String {
    let isCut = held.isValue && widest > width
    let words = isCut ? changed?.cell(held.words, width: width - tag) ?? held.words : held.words
    return DisplayText.cut(words, to: width - DisplayText.width(held.tag)) + held.tag
  }
}

extension Timeline {
  /// As the steps are numbered: 9a and 9b are one.
  var lastNumber: String {
    let label = entries.last?.chapter.label ?? ""
    return Int(label) == nil ? "\(entries.count)" : label
  }

  /// A record's own story begins where it stands.
  var stepWords: String {
    let first = entries.first?.chapter.label ?? ""
    return Int(first).map { $0 > 1 } == true
      ? "steps \(first) to \(lastNumber)" : "all \(lastNumber) steps"
  }
}

private struct TimelineColumns {
  private let step: Int
  private let cell: Int

  /// Fewer are too few for a value beside its tag: rather the titles are cut.
  private static let leastCell = 18

  /// - Parameters:
  ///   - title: how long the longest of a step is; what is left is for what the places hold.
  ///   - cells: how long the longest of these is.
  init(_ width: Int, title: Int, cells: Int) {
    let beside = max(9, width / 6, (width - 4 - title) / 3)
    let most = min(Self.leastCell, (width - 3 - 12) / 3)
    cell = cells < beside ? beside : max(beside, most)
    step = max(12, min(34, width - 3 - 3 * cell))
  }

  /// How wide what a cell holds may be.
  var room: Int { cell - 1 }

  /// - Parameters:
  ///   - field: which is shown; empty where there is one alone.
  ///   - shown: which steps are, where that is not all.
  func headings(_ field: String, _ shown: String) -> [Run] {
    let words = field.isEmpty ? "Step\(shown)" : "Step, \(field)\(shown)"
    let places = cell < 12 ? ["Client", "Known", "Server"] : ["Row, client", "Last known", "Server"]
    let short = shown.isEmpty ? field : "Step" + shown
    return [Run("  " + title(words.count < step ? words : short), .dim)]
      + places.map { cell($0, .dim) }
  }

  func title(_ text: String) -> String { DisplayText.cutAtWord(text, to: step - 1).padding(to: step) }

  func cell(_ text: String, _ ink: Ink) -> Run {
    Run(DisplayText.cut(text, to: cell - 1).padding(to: cell), ink)
  }
}
