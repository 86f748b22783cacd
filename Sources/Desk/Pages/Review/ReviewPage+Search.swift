import StoreInterface
import Terminal

/// `/` in the review: the cursor goes to the next record or field with these words. What is typed must never run as keys, so the
/// line is there even where nothing can be found.
extension ReviewPage {
  mutating func startSearch(on desk: DeskState) -> [DeskEffect] {
    (looking, lookedFrom) = (InputLine(replacing: lookedFor, after: desk.typedBefore), cursor)
    return []
  }

  /// nil where nothing is looked for.
  mutating func typeSearch(_ key: Key, on desk: inout DeskState) -> [DeskEffect]? {
    guard var line = looking else { return nil }
    switch line.take(key) {
    case .left:
      (looking, cursor) = (nil, lookedFrom)
      desk.status = nil
    case .kept: endSearch(line.text, on: &desk)
    case .changed, .ignored:
      looking = line
      search(line.text, on: &desk)
    }
    return []
  }

  mutating func pasteSearch(_ text: String, on desk: inout DeskState) -> [DeskEffect]? {
    guard looking != nil else { return nil }
    looking?.paste(text)
    search(looking?.text ?? "", on: &desk)
    return []
  }

  /// The same words as the last time mean the next place that has them.
  private mutating func endSearch(_ words: String, on desk: inout DeskState) {
    search(words, next: words == lookedFor, on: &desk)
    desk.typedLines.keep(words)
    (looking, lookedFor) = (nil, words)
  }

  private mutating func search(_ words: String, next: Bool = false, on desk: inout DeskState) {
    if !next { cursor = lookedFrom }
    desk.status = nil
    isSearchOpen = false
    guard !words.isEmpty else { return }
    let found = ReviewRows(desk, self).place(of: SearchText.folded(words), afterCursor: next, on: desk)
    if let found {
      cursor = found
      return
    }
    isSearchOpen = stage == .reading
    desk.status =
      isSearchOpen
      ? .told(PassingWords.draftsAreRead.rawValue) : .failed("Nothing here has \(words) in its name.")
  }

  /// What was looked for before there was anything to find it in.
  mutating func searchAgain(on desk: inout DeskState) {
    if isSearchOpen { search(looking?.text ?? lookedFor, on: &desk) }
  }
}

extension ReviewRows {
  /// The first place that has these words, from the cursor on and then from the top.
  fileprivate func place(of words: String, afterCursor: Bool, on desk: DeskState)
    -> ReviewPage.Place?
  {
    let start = cursorRow + (afterCursor ? 1 : 0)
    let around = Round(all.count).places(from: start)
    return around.lazy.map { all[$0] }.first { $0.place != nil && $0.hasWords(words, desk) }?.place
  }
}

extension ReviewRow {
  /// By what it is called, as it is shown.
  fileprivate func hasWords(_ words: String, _ desk: DeskState) -> Bool {
    SearchText.isFound(words, in: SearchText.folded(name(desk)))
  }

  private func name(_ desk: DeskState) -> String {
    switch content {
    case .record(_, let table, let title, _, _): "\(table) \(title)"
    case .field(let field, _), .now(let field, _): desk.privacy.name(field.name)
    case .undone(let field): desk.privacy.name(field.name)
    case .after, .lost, .words: ""
    }
  }
}
