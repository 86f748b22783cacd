import Simulation
import Terminal

/// How the story could go otherwise, each course with its key.
struct WhatIfLine {
  private let page: WalkthroughPage
  private let isShort: Bool

  init(_ page: WalkthroughPage, isShort: Bool = false) { (self.page, self.isShort) = (page, isShort) }

  var parts: [StoryPart] {
    let courses = Lifecycle.WhatIf.allCases.enumerated().flatMap { index, whatIf -> [StoryPart] in
      let text = "\(index + 1) \(words(whatIf))"
      let isChosen = whatIf == page.whatIf
      let run = Run(isChosen ? "[\(text)]" : text, isChosen ? .text.bold : .dim)
      return [StoryPart(run: run, click: .whatIf(index + 1)), StoryPart(run: Run(" "))]
    }
    // What the last is parted from needs no room.
    return [StoryPart(run: Run(isShort ? "If " : "What if ", .dim))] + courses.dropLast()
  }

  private func words(_ whatIf: Lifecycle.WhatIf) -> String {
    switch whatIf {
    case .serverNewer: isShort ? "S newer" : "server newer"
    case .clientNewer: isShort ? "C newer" : "client newer"
    case .sameTime: isShort ? "same" : "same time"
    case .clientDeletes: "C deletes"
    case .serverDeletes: "S deletes"
    }
  }
}
