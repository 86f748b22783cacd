import StoreInterface
import Telling
import Terminal

/// `/` in a whole value: the words are marked in it, and `n` and `N` go from line to line that has them.
extension ValuePage {
  mutating func startSearch() -> [DeskEffect] {
    looking = InputLine(replacing: lookedFor.joined(separator: " "))
    return []
  }

  /// nil where nothing is looked for.
  mutating func typeSearch(_ key: Key, on desk: inout DeskState) -> [DeskEffect]? {
    guard var line = looking else { return nil }
    desk.status = nil
    switch line.take(key) {
    case .left: looking = nil
    case .kept: return endSearch(line.text, on: &desk)
    case .changed, .ignored: looking = line
    }
    return []
  }

  mutating func pasteSearch(_ text: String) -> [DeskEffect]? {
    guard looking != nil else { return nil }
    looking?.insert(text)
    return []
  }

  private mutating func endSearch(_ words: String, on desk: inout DeskState) -> [DeskEffect] {
    looking = nil
    if desk.privacy.hides { return desk.tell("What is hidden is not searched. P shows it.") }
    lookedFor = words.isEmpty ? [] : [SearchText.folded(words)]
    found = nil
    return words.isEmpty ? [] : goToFound(by: 1, on: &desk)
  }

  /// To the next line that has the words, or the one before; from the last to the first.
  mutating func goToFound(by step: Int, on desk: inout DeskState) -> [DeskEffect] {
    guard !lookedFor.isEmpty else { return desk.tell("\(desk.key(.search)) finds words in the value.") }
    var lines = ValueScreen(desk, self).lines(with: lookedFor)
    if lines.isEmpty, !desk.showsAllOfValues {
      // What is folded may have them.
      desk.toggleAllOfValues()
      lines = ValueScreen(desk, self).lines(with: lookedFor)
      if lines.isEmpty { desk.toggleAllOfValues() }
    }
    let next = step > 0 ? lines.first { $0 > found ?? scroll - 1 } : lines.last { $0 < found ?? scroll }
    guard let line = next ?? (step > 0 ? lines.first : lines.last) else {
      return desk.tell(failed: "Nothing in this value has \(lookedFor.joined(separator: " ")).")
    }
    show(line, on: desk)
    return desk.tell("Line \((lines.firstIndex(of: line) ?? 0) + 1) of \(lines.count) that have it.")
  }

  private mutating func show(_ line: Int, on desk: DeskState) {
    let screen = ValueScreen(desk, self)
    found = line
    if !(scroll..<scroll + screen.height).contains(line) { scroll = line - screen.height / 3 }
    scroll = max(0, min(scroll, screen.lastScroll))
  }

  /// What the list found the record by is marked, and its first line is on the screen.
  mutating func markWords(of query: ListQuery, on desk: DeskState) {
    lookedFor = query.texts.sorted()
    let screen = ValueScreen(desk, self)
    let lines = screen.lines(with: lookedFor)
    let start = screen.firstRow(of: change) ?? 0
    if let line = lines.first(where: { $0 >= start }) ?? lines.first { show(line, on: desk) }
  }
}

extension ValueScreen {
  /// The rows that have one of these words, which are folded.
  func lines(with words: [String]) -> [Int] { (0..<rowCount).filter { hasWords(words, row: $0) } }
}

extension [Run] {
  /// With these words, which are folded, as the cursor looks, and bold: a choice of a change may look so, too.
  func marking(_ words: [String]) -> [Run] {
    if words.isEmpty { return self }
    let characters = flatMap { run in run.text.map { (text: $0, ink: run.ink) } }
    let folded = characters.map { SearchText.folded(String($0.text)) }
    var isMarked = [Bool](repeating: false, count: characters.count)
    for word in words {
      for range in folded.ranges(of: word) { for place in range { isMarked[place] = true } }
    }
    guard isMarked.contains(true) else { return self }
    return zip(characters, isMarked).reduce(into: []) { runs, next in
      var ink = next.0.ink
      if next.1 { (ink.isSelected, ink.isBold) = (true, true) }
      if runs.last?.ink == ink {
        runs[runs.count - 1].text.append(next.0.text)
      } else {
        runs.append(Run(String(next.0.text), ink))
      }
    }
  }
}

extension [String] {
  /// Where these characters make up a word.
  fileprivate func ranges(of word: String) -> [Range<Int>] {
    let letters = word.map { SearchText.folded(String($0)) }
    guard !letters.isEmpty, letters.count <= count else { return [] }
    return (0...count - letters.count).filter { self[$0] == letters[0] }
      .map { $0..<$0 + letters.count }.filter { self[$0].elementsEqual(letters) }
  }
}
