import Simulation
import Terminal

/// The steps of a story by their numbers, in one line: as much about them as it has room for.
struct StepLine {
  private let page: WalkthroughPage
  private let timeline: Timeline

  init(_ page: WalkthroughPage, _ timeline: Timeline) { (self.page, self.timeline) = (page, timeline) }

  func line(_ width: Int) -> [StoryPart] {
    let whole = [wide + [phase, pace], wide + [pace], wide, close].first { $0.width <= width }
    return whole ?? around(width)
  }

  /// With a gap between two phases.
  private var wide: [StoryPart] {
    var phase: Scenario.Phase?
    return timeline.entries.enumerated().flatMap { index, entry -> [StoryPart] in
      defer { phase = entry.chapter.phase }
      let isGap = phase != nil && phase != entry.chapter.phase
      let label = entry.chapter.label
      let text = index == page.step ? "[\(label)]" : " \(label) "
      return (isGap ? [StoryPart(run: Run("  "))] : []) + [part(index, text)]
    }
  }

  /// One blank or bracket between two.
  private var close: [StoryPart] {
    timeline.entries.enumerated().map { index, entry in
      let before = index == page.step ? "[" : index == page.step + 1 ? "]" : " "
      let isEnd = index == page.step && index == timeline.entries.count - 1
      return part(index, before + entry.chapter.label + (isEnd ? "]" : ""))
    }
  }

  /// Those before the one that is shown, and after it, as far as there is room.
  private func around(_ width: Int) -> [StoryPart] {
    var first = 0
    while first < page.step, close[first...min(page.step + 1, close.count - 1)].map(\.run).width > width - 2 {
      first += 1
    }
    return [StoryPart(run: Run(first > 0 ? "…" : "", .dim))] + close.dropFirst(first)
  }

  private func part(_ index: Int, _ text: String) -> StoryPart {
    StoryPart(run: Run(text, index == page.step ? .text.bold : .dim), click: .step(index))
  }

  private var phase: StoryPart {
    let words =
      timeline.entries.indices.contains(page.step) ? timeline.entries[page.step].chapter.phase.rawValue : ""
    return StoryPart(run: Run("   \(words)", .dim))
  }

  private var pace: StoryPart {
    let words = page.pace.map { "   plays, a step in \(Double($0) / 1000) s" } ?? ""
    return StoryPart(run: Run(words, .dim))
  }
}
