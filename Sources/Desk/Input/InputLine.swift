import Terminal

/// One line of input with a cursor between its characters. Each key costs no more than moving the bytes after the cursor.
package struct InputLine: Sendable, Equatable {
  package private(set) var before: String
  package private(set) var after = ""
  /// What it was before each act that changed it, the last at the end; what was typed in one go is one act.
  private var past: [Past] = []
  private var isTyping = false
  /// What was erased last in one go, to be put in again elsewhere.
  private var killed = ""
  /// What was typed in such lines before, the last at the end; and which of it stands here.
  private var earlier = TypedLines()
  /// Whether the first letter, or what is pasted first, takes the place of all of it; any other key makes it a text to edit.
  package private(set) var isToBeReplaced = false

  /// A number of whoever has it, for what it stands for beside its text: what is taken back stands for what it did.
  package var meaning = 0

  private struct Past: Sendable, Equatable {
    let before, after: String
    let meaning: Int
  }

  /// - Parameter earlier: what was typed before, for who wants it again.
  package init(_ text: String, after earlier: TypedLines = TypedLines()) {
    (before, self.earlier) = (text, earlier)
  }

  /// - Parameter text: what was typed the last time.
  /// - Parameter earlier: what was typed before, for who wants it again.
  package init(replacing text: String, after earlier: TypedLines = TypedLines()) {
    (before, isToBeReplaced, self.earlier) = (text, !text.isEmpty, earlier)
  }

  /// Two are alike that read alike, whatever led there.
  package static func == (left: InputLine, right: InputLine) -> Bool {
    (left.before, left.after) == (right.before, right.after)
  }

  package var text: String { before + after }
  package var isEmpty: Bool { before.isEmpty && after.isEmpty }
  /// In bytes.
  package var size: Int { before.utf8.count + after.utf8.count }

  package mutating func insert(_ text: String) {
    remember()
    makeRoom()
    before += text
  }

  /// What is pasted into a line that has no others: a line end behind it is none of it, and one within parts words.
  @discardableResult
  mutating func paste(_ text: String) -> Answer {
    let end = text.reversed().prefix(while: \.isNewline).count
    let line = String(text.dropLast(end).map { $0.isNewline ? " " : $0 })
    if line.isEmpty { return .ignored }
    insert(line)
    return .changed
  }

  /// Another text in its place, which is an act that is taken back as any other.
  mutating func replace(with text: String) {
    remember()
    (before, after, isTyping, isToBeReplaced) = (text, "", false, false)
  }

  private mutating func makeRoom() {
    if isToBeReplaced { (before, after, isToBeReplaced) = ("", "", false) }
  }
}

extension InputLine {
  enum Answer { case changed, kept, left, ignored }

  /// What every input field does with a key.
  mutating func take(_ key: Key) -> Answer {
    if case .character(let character) = key {
      if !isTyping || character.isWhitespace { remember() }
      makeRoom()
      before.append(character)
      isTyping = true
      return .changed
    }
    return Keymap.command(for: key, on: .input).map { run($0) } ?? .ignored
  }

  mutating func run(_ command: Command) -> Answer {
    let old = self
    let answer = change(by: command)
    (isTyping, isToBeReplaced) = (false, false)
    if case .line(.takeBack) = command { return answer }
    if old.text != text { keep(old) }
    return answer
  }

  private mutating func change(by command: Command) -> Answer {
    switch command {
    case .line(.takeBack): return takeBack()
    case .line(.keep): return .kept
    case .back: return .left
    case .line(.eraseBefore): _ = before.popLast()
    case .line(.eraseAfter): if !after.isEmpty { after.removeFirst() }
    case .left: if let character = before.popLast() { after.insert(character, at: after.startIndex) }
    case .right: if !after.isEmpty { before.append(after.removeFirst()) }
    case .move(.first): go(to: startOfLine)
    case .move(.last): goOn(to: endOfLine)
    case .line(.clear): kill(from: before.startIndex)
    case .line(.eraseWord): kill(from: before.withoutLastWord(\.isWhitespace).endIndex)
    case .line(.eraseWordBack): kill(from: before.withoutLastWord { !$0.isOfWord }.endIndex)
    case .line(.eraseToEnd): kill(to: endOfLine)
    case .line(.eraseWordOn): kill(to: endOfWord)
    case .line(.yank): before += killed
    case .line(.swap): swap()
    case .line(.wordBack): go(to: before.withoutLastWord { !$0.isOfWord }.endIndex)
    case .line(.wordOn): goOn(to: endOfWord)
    case .line(.older): earlier.older(than: text).map { (before, after) = ($0, "") }
    case .line(.newer): earlier.newer().map { (before, after) = ($0, "") }
    case .move, .open, .quit, .nextUndecided, .previousUndecided, .record, .take, .edit, .editOutside,
      .accept, .undo, .redo, .review, .mend, .drafts, .filter, .list, .search, .anywhere, .history, .unfold,
      .story,
      .nextTopic, .reload, .line(.setNull), .line(.otherKind), .line(.breakLine):
      return .ignored
    }
    return .changed
  }

  private mutating func takeBack() -> Answer {
    guard let last = past.popLast() else { return .changed }
    (before, after, meaning) = (last.before, last.after, last.meaning)
    return .changed
  }

  /// What comes next is an act of its own, also where it changes the meaning alone.
  mutating func remember() { keep(self) }

  private mutating func keep(_ old: InputLine) {
    past.append(Past(before: old.before, after: old.after, meaning: old.meaning))
    if past.count > Self.longestPast { past.removeFirst() }
  }

  /// In acts: enough for a sentence, and no burden beside a long text.
  private static let longestPast = 100

  private mutating func go(to index: String.Index) {
    (before, after) = (String(before[..<index]), before[index...] + after)
  }

  private mutating func goOn(to index: String.Index) {
    (before, after) = (before + after[..<index], String(after[index...]))
  }

  private var endOfWord: String.Index {
    after.drop { !$0.isOfWord }.drop(while: \.isOfWord).startIndex
  }

  /// The character before the cursor goes behind the one after it; at the end of a line the last two change places.
  private mutating func swap() {
    if let next = after.first, !next.isNewline, !before.isEmpty { before.append(after.removeFirst()) }
    guard let last = before.popLast() else { return }
    guard let other = before.popLast(), !other.isNewline else {
      before.append(last)
      return
    }
    before += [last, other]
  }

  /// - Parameters:
  ///   - start: of what goes before the cursor; nil for none.
  ///   - end: of what goes behind it; nil for none.
  private mutating func kill(from start: String.Index? = nil, to end: String.Index? = nil) {
    let (first, last) = (start ?? before.endIndex, end ?? after.startIndex)
    let gone = String(before[first...]) + after[..<last]
    if !gone.isEmpty { killed = gone }
    (before, after) = (String(before[..<first]), String(after[last...]))
  }

  /// - Parameter steps: characters; negative is back.
  mutating func go(by steps: Int) {
    (isTyping, isToBeReplaced) = (false, false)
    if steps < 0 {
      go(
        to: before.index(before.endIndex, offsetBy: steps, limitedBy: before.startIndex) ?? before.startIndex)
    } else {
      goOn(to: after.index(after.startIndex, offsetBy: steps, limitedBy: after.endIndex) ?? after.endIndex)
    }
  }

  /// A second time the start of all.
  private var startOfLine: String.Index {
    guard let end = before.lastIndex(where: \.isNewline), before.last?.isNewline == false else {
      return before.startIndex
    }
    return before.index(after: end)
  }

  /// A second time the end of all.
  private var endOfLine: String.Index {
    after.first?.isNewline == true ? after.endIndex : after.firstIndex(where: \.isNewline) ?? after.endIndex
  }
}

extension String {
  /// Without what separates words at its end, and the word before that.
  fileprivate func withoutLastWord(_ separates: (Character) -> Bool) -> Substring {
    var rest = self[...]
    while let last = rest.last, separates(last) { rest.removeLast() }
    while let last = rest.last, !separates(last) { rest.removeLast() }
    return rest
  }
}

/// As in a shell: what is erased goes to a blank, what is gone over is letters and digits.
extension Character {
  fileprivate var isOfWord: Bool { isLetter || isNumber }
}
