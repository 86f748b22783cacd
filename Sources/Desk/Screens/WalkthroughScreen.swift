import Merging
import Simulation
import Telling
import Terminal

/// One step of the lifecycle: its picture, the three states before and after, what changed, and why. Where there is room
/// both sets of rules stand side by side.
struct WalkthroughScreen {
  let state: DeskState
  let page: WalkthroughPage

  init(_ state: DeskState, _ page: WalkthroughPage) {
    self.state = state
    self.page = page
  }

  static let legend =
    "( ) empty (a) past [b] last-known <*> pending >*> in flight {*'} merged <c> new"

  private var isWide: Bool { state.size.columns >= 120 }

  func draw() -> Grid {
    if page.showsAll { return LifecycleScreen(state, page).draw() }
    var frame = Frame(state.size)
    guard let timeline = page.timeline(isToday: page.isToday), !timeline.entries.isEmpty else {
      return frame.grid
    }
    drawHeader(&frame, timeline)
    drawPanels(&frame)
    drawFoot(&frame, timeline)
    frame.footer(state)
    return frame.grid
  }

  private func drawHeader(_ frame: inout Frame, _ timeline: Timeline) {
    let number = min(page.step, timeline.entries.count - 1)
    let label = timeline.entries[number].chapter.label
    let rules = isWide ? "" : page.isToday ? "   SQLiteData today" : "   the model"
    frame.header(
      [Run("Lifecycle   ", .text.bold), Run(title(timeline))],
      right: [Run("step \(label), \(number + 1) of \(timeline.entries.count)\(rules)", .dim)])
    frame.rule(1)
  }

  private func title(_ timeline: Timeline) -> String {
    switch page.story {
    case .told(0): "reminders 42   \(page.whatIf.title)"
    case .told: timeline.scenario.title
    case .record(let conflict, _, _): "\(conflict.table) \(state.privacy.shown(conflict.title))"
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
      StepPanel(state, page, $0, heading: heading).draw(Size(columns: width, rows: height))
    }
  }

  private var footHeight: Int { 4 }

  private func drawFoot(_ frame: inout Frame, _ timeline: Timeline) {
    let top = frame.bottom - footHeight
    frame.rule(top)
    frame.grid.write(whatIfs, at: 1, top + 1)
    frame.grid.write(steps(timeline), at: 1, top + 2)
    frame.grid.write(Self.legend, at: 1, top + 3, .dim)
  }

  private var whatIfs: [Run] {
    guard page.hasWhatIfs else { return [Run(about, .dim)] }
    let runs = Lifecycle.WhatIf.allCases.enumerated().flatMap { index, whatIf -> [Run] in
      let text = "\(index + 1) \(short(whatIf))"
      let isChosen = whatIf == page.whatIf
      return [Run(isChosen ? "[\(text)]" : text, isChosen ? .text.bold : .dim), Run(" ")]
    }
    return [Run("What if ", .dim)] + runs
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

  private func steps(_ timeline: Timeline) -> [Run] {
    var runs: [Run] = []
    var phase: Scenario.Phase?
    for (index, entry) in timeline.entries.enumerated() {
      if phase != nil, phase != entry.chapter.phase { runs.append(Run("  ")) }
      phase = entry.chapter.phase
      let isHere = index == page.step
      let label = entry.chapter.label
      runs.append(Run(isHere ? "[\(label)]" : " \(label) ", isHere ? .text.bold : .dim))
    }
    let pace = page.pace.map { "   plays, a step in \(Double($0) / 1000) s" } ?? ""
    return runs + [Run("   \(phaseWords(timeline))\(pace)", .dim)]
  }

  private func phaseWords(_ timeline: Timeline) -> String {
    timeline.entries.indices.contains(page.step) ? timeline.entries[page.step].chapter.phase.rawValue : ""
  }
}
