import Terminal

/// What stands in a line of a story, and what a click on it is for.
struct StoryPart {
  var run: Run
  var click: WalkthroughScreen.Click?
}

extension [StoryPart] {
  var width: Int { map(\.run).width }

  /// What a click at a column is for, where the line begins at column 1.
  func click(at column: Int) -> WalkthroughScreen.Click? {
    var start = 1
    for part in self {
      let end = start + DisplayText.width(part.run.text)
      if (start..<end).contains(column) { return part.click }
      start = end
    }
    return nil
  }

  /// In as many lines as it takes; no part is cut in two.
  func wrapped(_ width: Int) -> [[StoryPart]] {
    reduce(into: [[]]) { lines, part in
      let isBlank = part.run.text.allSatisfy { $0 == " " }
      if lines[lines.count - 1].width + DisplayText.width(part.run.text) > width, !isBlank {
        lines.append([])
      }
      // A line begins with words.
      if !isBlank || !lines[lines.count - 1].isEmpty { lines[lines.count - 1].append(part) }
    }
  }
}
