import StoreInterface
import Terminal

/// Where words stand in the rows of a value, be it that the end of a line parts them. The words are folded.
extension ValueRows {
  /// Whether one of these words begins in a row.
  func hasWords(_ words: [String], row place: Int) -> Bool {
    self[place].cells.enumerated().contains { column, cell in
      words.contains { word in
        let next = textAfter(place, column, atMost: word.count - 1)
        return SearchText.isFound(word, in: SearchText.folded(cell.text + next))
      }
    }
  }

  /// What follows a row in the same line of the text, in characters: a word may be longer than a row.
  private func textAfter(_ place: Int, _ column: Int, atMost length: Int) -> String {
    var (text, last) = ("", place)
    while text.count < length, goesOn(last, column) {
      last += 1
      text += self[last].cells[column].text
    }
    return String(text.prefix(max(0, length)))
  }

  /// What stands before it.
  private func textBefore(_ place: Int, _ column: Int, atMost length: Int) -> String {
    var (text, first) = ("", place)
    while text.count < length, first > 0, goesOn(first - 1, column) {
      first -= 1
      text = self[first].cells[column].text + text
    }
    return String(text.suffix(max(0, length)))
  }

  /// The cells of a row with these words marked.
  func cells(_ place: Int, marking words: [String]) -> [[Run]] {
    let cells = self[place].cells
    guard let longest = words.map(\.count).max(), longest > 0 else { return cells }
    return cells.enumerated().map { column, cell in
      cell.marking(
        words, between: textBefore(place, column, atMost: longest - 1),
        and: textAfter(place, column, atMost: longest - 1))
    }
  }

  /// Whether the text of a column goes on in the next row, as it had no room, and not because a line of it ends.
  private func goesOn(_ place: Int, _ column: Int) -> Bool {
    place + 1 < count && self[place].goingOn.contains(column)
  }
}

extension [Run] {
  fileprivate var text: String { map(\.text).joined() }

  /// With these words as the cursor looks, and bold: a choice of a change may look so, too.
  ///
  /// - Parameters:
  ///   - last: what stands before it in the same text.
  ///   - next: what stands behind it.
  fileprivate func marking(_ words: [String], between last: String, and next: String) -> [Run] {
    let characters = flatMap { run in run.text.map { (text: $0, ink: run.ink) } }
    let folded = (last + text + next).map { SearchText.folded(String($0)) }
    let before = last.count
    let marked = Set(words.flatMap { folded.ranges(of: $0).flatMap { $0.map { $0 - before } } })
    guard characters.indices.contains(where: marked.contains) else { return self }
    return characters.enumerated().reduce(into: []) { runs, next in
      var ink = next.element.ink
      if marked.contains(next.offset) { ink = ink.selected().bold }
      if runs.last?.ink == ink {
        runs[runs.count - 1].text.append(next.element.text)
      } else {
        runs.append(Run(String(next.element.text), ink))
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
