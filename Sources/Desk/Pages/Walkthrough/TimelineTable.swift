import Merging
import Simulation
import Terminal

/// A story as far as it is played, in lines: of each step what the three places hold of the field that is shown. What is still to come is
/// dim, and what a step changed is bold.
extension StepPanel {
  /// Fewer say too little to be worth their room.
  static let leastLines = 6

  /// Of each field that varies, the one that is shown first, as long as there is room; then what follows, in words.
  func storyLines(width: Int, height: Int) -> [[Run]] {
    let others = fields.filter { $0 != field }.map { showing($0) }
    let rule = [Run(String(repeating: "─", count: width + 1), .dim)]
    var lines: [[Run]] = []
    for panel in [self] + others {
      let gap = lines.isEmpty ? [] : [rule]
      let table = panel.timelineLines(width: width, height: height - lines.count - gap.count)
      if table.isEmpty { break }
      lines += gap + table
    }
    let next = lines.isEmpty ? [] : nextLines(width - 1, height: height - lines.count - 1)
    return lines + (next.isEmpty ? [] : [rule] + next)
  }

  /// The reasons of the steps that follow, as many as there is room for all of.
  private func nextLines(_ width: Int, height: Int) -> [[Run]] {
    var lines: [[Run]] = []
    for entry in timeline.entries.dropFirst(page.step + 1) {
      let reason = [Run("\(title(entry)): ", .dim), Run(reason(entry))].wrapped(width - 6)
      if lines.count + reason.count > height { break }
      lines += reason.enumerated().map { [Run($0 == 0 ? "  " : "      ")] + $1 }
    }
    return lines
  }

  /// - Parameter height: with the headings; the step under the cursor is among as many as fit.
  func timelineLines(width: Int, height: Int) -> [[Run]] {
    guard height >= Self.leastLines else { return [] }
    let columns = TimelineColumns(width, title: timeline.entries.map { title($0).count }.max() ?? 0)
    let room = height - 1
    let first = max(0, min(page.step - room / 2, timeline.entries.count - room))
    let entries = timeline.entries.enumerated().dropFirst(first).prefix(room)
    let isAll = entries.count == timeline.entries.count
    let shown = isAll ? "" : " \(label(first))-\(label(first + entries.count - 1))/\(timeline.lastNumber)"
    let name = fields.count > 1 ? field.map { ", \($0)" } ?? "" : ""
    return [columns.headings(name, shown)] + entries.map { line($0.offset, $0.element, columns) }
  }

  private func line(_ index: Int, _ entry: Timeline.Entry, _ columns: TimelineColumns) -> [Run] {
    let isHere = index == page.step
    let isToCome = index > page.step
    let cells = Place.allCases.map { place -> Run in
      let ink: Ink = place == .server ? .server : place == .row ? .client : .ancestor
      let isChanged = entry.changes.contains(place) && !isToCome
      return columns.cell(short(place, entry.after), isToCome ? .dim : isChanged ? ink.bold : ink)
    }
    let title = columns.title(title(entry))
    let ink: Ink = isHere ? .text.bold : isToCome ? .dim : .text
    return [Run(isHere ? "▸ " : "  ", .text.bold), Run(title, ink)] + cells
  }

  private func title(_ entry: Timeline.Entry) -> String {
    "\(entry.chapter.label.padding(to: 4))\(entry.chapter.title)"
  }

  private func label(_ index: Int) -> String { timeline.entries[index].chapter.label }

  private func short(_ place: Place, _ standing: Standing) -> String {
    switch place {
    case .row: standing.row == nil ? "none" : value(standing.row).map(text) ?? "there"
    case .lastKnown: short(standing.lastKnown)
    case .server: short(standing.server)
    }
  }

  private func short(_ record: ServerRecord?) -> String {
    guard let record else { return "none" }
    return (value(record).map(text) ?? "there") + (record.tag.map { " @ \($0)" } ?? "")
  }
}

extension Timeline {
  /// As the steps are numbered: 9a and 9b are one.
  var lastNumber: String {
    let label = entries.last?.chapter.label ?? ""
    return Int(label) == nil ? "\(entries.count)" : label
  }
}

private struct TimelineColumns {
  private let step: Int
  private let cell: Int

  /// - Parameter title: how long the longest of a step is; what is left is for what the places hold.
  init(_ width: Int, title: Int) {
    cell = max(9, min(18, max(width / 6, (width - 4 - title) / 3)))
    step = max(12, min(34, width - 3 - 3 * cell))
  }

  /// - Parameters:
  ///   - field: which is shown, left out where it has no room.
  ///   - shown: which steps are, where that is not all.
  func headings(_ field: String, _ shown: String) -> [Run] {
    let words = "Step\(field)\(shown)"
    let places = cell < 12 ? ["Client", "Known", "Server"] : ["Row, client", "Last known", "Server"]
    return [Run("  " + title(words.count < step ? words : "Step" + shown), .dim)]
      + places.map { cell($0, .dim) }
  }

  func title(_ text: String) -> String { filled(text, step) }
  func cell(_ text: String, _ ink: Ink) -> Run { Run(filled(text, cell), ink) }

  private func filled(_ text: String, _ width: Int) -> String {
    DisplayText.cut(text, to: width - 1).padding(to: width)
  }
}
