import Terminal

/// A line for people in as many as a terminal needs: broken between words, each as far in as the first.
///
/// A command at its end stays in one piece, and so does a word that is longer than a line, such as a path: what a terminal breaks by
/// itself is copied as one line, what is broken here is not.
enum BrokenLine {
  static func lines(_ line: String, width: Int) -> [String] {
    guard DisplayText.width(line) > width else { return [line] }
    let margin = line.prefix { $0 == " " }
    let (text, command) = parts(String(line.dropFirst(margin.count)))
    var lines = broken(text, width: max(20, width - margin.count))
    if let command {
      let last = lines.last.map { $0 + " " + command } ?? command
      if DisplayText.width(last) + margin.count > width {
        lines.append(command)
      } else {
        lines[lines.count - 1] = last
      }
    }
    return lines.map { margin + $0 }
  }

  /// A page of Markdown with each paragraph in one line: its own line breaks are those of an editor, and a terminal that is narrower or
  /// wider breaks the whole. Headings, tables and what stands between fences stay as they are.
  static func paragraphs(of page: String) -> String {
    var (lines, isFenced) = ([String](), false)
    for line in page.split(separator: "\n", omittingEmptySubsequences: false) {
      if line.hasPrefix("```") { isFenced.toggle() }
      if !isFenced, goesOn(line), let last = lines.last, goesOn(last) || last.hasPrefix("- ") {
        lines[lines.count - 1] = last + " " + String(line.drop { $0 == " " })
      } else {
        lines.append(String(line))
      }
    }
    return lines.joined(separator: "\n")
  }

  /// Whether it is neither the first of something nor something by itself.
  private static func goesOn(_ line: some StringProtocol) -> Bool {
    !line.isEmpty && !["#", "|", "- ", "```"].contains { line.hasPrefix($0) }
  }

  private static func broken(_ text: String, width: Int) -> [String] {
    text.split(separator: " ").reduce(into: []) { lines, word in
      guard let last = lines.last, DisplayText.width(last) + 1 + DisplayText.width(String(word)) <= width
      else {
        return lines.append(String(word))
      }
      lines[lines.count - 1] = last + " " + word
    }
  }

  /// "To take it back: parley undo STORE" is a text and a command; a usage is none.
  private static func parts(_ text: String) -> (text: String, command: String?) {
    guard !text.hasPrefix("Usage:"), let match = text.firstMatch(of: /^(?<text>.*:) (?<command>parley .*)$/)
    else { return (text, nil) }
    return (String(match.text), String(match.command))
  }
}
