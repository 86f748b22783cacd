/// A text of several words that somebody typed for a field, and which words of its sides are in it, wherever they stand there.
struct TypedText {
  private let typed: Value
  /// nil where nothing was there, or nobody knows.
  private let ancestor: Value?
  private let words: [Substring]
  private let oldWords: [Substring]

  /// In bytes: in a longer one each change would be looked for too long.
  private static let longest = 100_000

  /// nil for what is no such text.
  init?(_ typed: Value, ancestor: Value?) {
    guard case .text(let text) = typed, text.utf8.count <= Self.longest else { return nil }
    self.typed = typed
    words = Words(text).wordsAlone
    oldWords = if case .text(let old)? = ancestor { Words(old).wordsAlone } else { [] }
    self.ancestor = oldWords.isEmpty ? nil : ancestor
  }

  /// The changes of a side's text that are not in it; nil where none of them is, and where they are none of words.
  func missing(of side: Value) -> [FieldPart]? {
    let versions = ThreeWay(ancestor: ancestor, client: side, server: ancestor ?? typed)
    guard versions.mayHaveParts,
      let parts = FieldParts(ancestor: ancestor, client: side, server: versions.server), parts.form != .keys
    else { return nil }
    let changes = parts.parts.filter(isOfClient)
    var left: [[Substring]: Int] = [:]
    let missing = changes.filter { !has($0, &left) }
    let isThereInPart =
      missing.count < changes.count || ancestor == nil && parts.pieces.contains(where: \.isKeptWord)
    return missing.isEmpty || isThereInPart ? missing : nil
  }

  /// Without an ancestor a place where only somebody typed is one, too.
  private func isOfClient(_ part: FieldPart) -> Bool { ancestor != nil || part.client?.isEmpty == false }

  /// Words that were there before are no change, and what was only removed is there less often.
  ///
  /// - Parameter left: how many more changes with the same words may be in it: who kept one of two has not kept the other.
  private func has(_ change: FieldPart, _ left: inout [[Substring]: Int]) -> Bool {
    let (new, old) = (change.client ?? "", change.ancestor ?? "")
    let added = Words(new).wordsAlone
    let all = added.isEmpty ? Words(old).wordsAlone : added
    if all.isEmpty { return false }
    let key = [added.isEmpty ? "-" : "+"] + all
    let more = words.count(of: all) - oldWords.count(of: all)
    let count = left[key] ?? (added.isEmpty ? -more : more)
    left[key] = count - 1
    return count > 0
  }
}

extension FieldParts.Piece {
  fileprivate var isKeptWord: Bool {
    if case .kept(let text) = self { !Words(text).wordsAlone.isEmpty } else { false }
  }
}

extension Words {
  /// Without the blanks between them.
  fileprivate var wordsAlone: [Substring] { tokens.filter { $0.first?.isWhitespace == false } }
}

extension [Substring] {
  /// How often these words stand in it behind each other. Whole words: no "art" is in "start".
  fileprivate func count(of words: [Substring]) -> Int {
    guard words.count <= count else { return 0 }
    return (0...count - words.count).count { self[$0..<$0 + words.count].elementsEqual(words) }
  }
}
