import StoreInterface
import Terminal

/// `/` in a tree: the cursor goes to a revision with these words in its id while they are typed, and `n` and `N` go on from there.
extension TreePage: SearchedPage {
  mutating func startSearch(in tree: DrawnTree, on desk: DeskState) {
    search.start(on: desk)
    search.found = here(in: tree)
  }

  mutating func type(_ key: Key, on desk: inout DeskState) -> [DeskEffect]? {
    guard let typed = search.typing?.text else { return nil }
    let last = search.words
    if search.take(key, on: &desk) {
      return search.words == last ? beginSearch(on: &desk) : tellFound(on: &desk)
    }
    if let line = search.typing, line.text != typed { look(for: line.text, on: &desk) }
    return []
  }

  mutating func paste(_ text: String, on desk: inout DeskState) -> [DeskEffect]? {
    guard search.typing != nil else { return nil }
    search.paste(text)
    look(for: search.typing?.text ?? "", on: &desk)
    return []
  }

  /// Goes to the first leaf with these words in its id, from where the cursor was on, then to the first revision.
  private mutating func look(for words: String, on desk: inout DeskState) {
    desk.status = nil
    guard let tree = desk.drawnTree(id), !words.isEmpty else { return }
    let (places, found) = (tree.places, tree.found([SearchText.folded(words)]))
    let leaves = found.filter { tree.isLeaf(places[$0]) }
    let start = search.found ?? 0
    let next = [leaves, found].lazy.compactMap { all in all.first { $0 >= start } ?? all.first }.first
    if let next {
      go(to: places[next], in: tree)
    } else {
      desk.status = .failed("No revision has \(words) in its id.")
    }
  }

  /// Where the cursor came to while they were typed.
  private mutating func tellFound(on desk: inout DeskState) -> [DeskEffect] {
    guard let tree = desk.drawnTree(id) else { return [] }
    let found = tree.found(search.words)
    if let here = here(in: tree), found.contains(here) {
      return desk.tell(search.words(at: here, of: found, "Revision"))
    }
    return goToFound(by: 1, on: &desk)
  }

  mutating func goToFound(by step: Int, on desk: inout DeskState) -> [DeskEffect] {
    guard let tree = desk.drawnTree(id) else { return [] }
    let found = tree.found(search.words)
    search.found = here(in: tree)
    guard let next = search.next(in: found, by: step, from: 0) else {
      let words = search.hindrance(desk, in: "the ids")
      return search.words.isEmpty ? desk.tell(words) : desk.tell(failed: words)
    }
    go(to: tree.places[next], in: tree)
    return desk.tell(search.words(at: next, of: found, "Revision"))
  }

  private mutating func go(to place: DrawnTree.Place, in tree: DrawnTree) {
    go(to: place.branch, place: place.revision, in: tree)
  }

  /// The cursor's place among all; nil on a line that stands for many leaves.
  private func here(in tree: DrawnTree) -> Int? {
    revision(in: tree).flatMap { cursor in
      tree.places.firstIndex(of: DrawnTree.Place(branch: cursor.branch, revision: cursor.place))
    }
  }
}

extension DrawnTree {
  fileprivate func isLeaf(_ place: Place) -> Bool {
    place.revision == picture.branches[place.branch].revisions.count - 1
  }

  /// Which of the places have these words in their ids; none where nothing is looked for.
  fileprivate func found(_ words: [String]) -> [Int] {
    let ids = places.map { picture.branches[$0.branch].revisions[$0.revision].id }
    return words.first.map { words in
      ids.indices.filter { SearchText.isFound(words, in: SearchText.folded(ids[$0])) }
    } ?? []
  }
}
