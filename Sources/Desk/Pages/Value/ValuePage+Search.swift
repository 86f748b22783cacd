import Merging
import StoreInterface
import Telling
import Terminal

/// `/` in a whole value or its merge: the words are marked in it, and `n` and `N` go from line to line that has them.
extension ValuePage {
  /// nil where nothing is looked for.
  mutating func typeSearch(_ key: Key, on desk: inout DeskState) -> [DeskEffect]? {
    guard search.typing != nil else { return nil }
    desk.status = nil
    guard search.take(key, on: &desk), !search.words.isEmpty else { return [] }
    return desk.privacy.hides ? desk.tell(LineSearch.hidden) : goToFound(by: 1, on: &desk)
  }

  mutating func pasteSearch(_ text: String) -> [DeskEffect]? {
    guard search.typing != nil else { return nil }
    search.paste(text)
    return []
  }

  mutating func goToFound(by step: Int, on desk: inout DeskState) -> [DeskEffect] {
    var lines = search.words.isEmpty ? [] : linesFound(on: &desk)
    let places = search.words.isEmpty ? [] : stretchesFound(on: desk)
    var top = scroll
    if lines.isEmpty || search.found == (step > 0 ? lines.last : lines.first),
      go(to: places, by: step, on: desk)
    {
      (search.found, top) = (nil, step > 0 ? 0 : .max)
      lines = ValueScreen(desk, self).lines(with: search.words)
    }
    guard let line = search.next(in: lines, by: step, from: top) else {
      let words = search.hindrance(desk, in: "this value")
      return search.words.isEmpty ? desk.tell(words) : desk.tell(failed: words)
    }
    show(line, on: desk)
    let others = places.count > 1 ? " So have other parts of it." : ""
    return desk.tell(search.words(at: line, of: lines) + others)
  }

  private func stretchesFound(on desk: DeskState) -> [LongChange.Place] {
    content(desk).stretches(with: search.words, in: ValueScreen.columns(of: self, desk.size))
  }

  /// To the next of the parts of long changes that have the words, or the one before; false where there is no other one.
  private mutating func go(to places: [LongChange.Place], by step: Int, on desk: DeskState) -> Bool {
    let content = content(desk)
    let here = (change, content.long.map { content.placeShown(in: $0) } ?? 0)
    let others = places.filter { ($0.change, $0.part) != here }
    let ahead = others.filter { (($0.change, $0.part) > here) == (step > 0) }
    guard let next = step > 0 ? ahead.first ?? others.first : ahead.last ?? others.last else { return false }
    change = next.change
    stretch = next.part
    return true
  }

  /// What is folded may have them, or more of them, and is shown then. Of a long value that is looked for only where nothing else has
  /// them, as each letter would cost a moment.
  private func linesFound(on desk: inout DeskState) -> [Int] {
    let lines = ValueScreen(desk, self).lines(with: search.words)
    if desk.showsAllOfValues || !lines.isEmpty && isLong(desk) { return lines }
    desk.toggleAllOfValues()
    let all = ValueScreen(desk, self).lines(with: search.words)
    if all.count <= lines.count { desk.toggleAllOfValues() }
    return all.count <= lines.count ? lines : all
  }

  private func isLong(_ desk: DeskState) -> Bool {
    guard let conflict = desk.open[id]?.conflict[field] else { return false }
    return Side.allCases.contains { side in
      guard case .text(let text)? = conflict.version(side)?.value else { return false }
      return text.utf8.count > 100_000
    }
  }

  /// In a merge the cursor goes to the change there, as keys are about the one in sight.
  private mutating func show(_ line: Int, on desk: DeskState) {
    let screen = ValueScreen(desk, self)
    search.found = line
    if isMerging { change = screen.change(ofRow: line) ?? change }
    // With the line after it, as the words may go on there.
    if !(scroll..<scroll + screen.height - 1).contains(line) { scroll = line - screen.height / 3 }
    scroll = max(0, min(scroll, screen.lastScroll))
  }

  /// What the list found the record by is marked, and its first line is on the screen.
  mutating func markWords(of query: ListQuery, on desk: DeskState) {
    search.words = query.texts.sorted()
    let screen = ValueScreen(desk, self)
    let lines = screen.lines(with: search.words)
    let start = screen.firstRow(of: change) ?? 0
    if let line = lines.first(where: { $0 >= start }) ?? lines.first { show(line, on: desk) }
  }
}
