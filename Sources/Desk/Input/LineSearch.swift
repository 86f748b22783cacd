import StoreInterface
import Terminal

/// What somebody looks for in the lines of a page: while it is typed, and then until something else is.
struct LineSearch: Sendable, Equatable {
  private(set) var typing: InputLine?
  /// As it was typed.
  private(set) var typed = ""
  /// Folded; marked where they stand.
  var words: [String] = []
  /// The line that was found last.
  var found: Int?

  mutating func start(on desk: DeskState) {
    let last = typed.isEmpty ? words.joined(separator: " ") : typed
    typing = InputLine(replacing: last, after: desk.typedBefore)
  }

  mutating func paste(_ text: String) { typing?.paste(text) }

  /// - Returns: whether the words are whole now.
  mutating func take(_ key: Key, on desk: inout DeskState) -> Bool {
    guard var line = typing else { return false }
    switch line.take(key) {
    case .left: typing = nil
    case .kept:
      (typing, found, typed) = (nil, nil, line.text)
      words = typed.isEmpty ? [] : [SearchText.folded(typed)]
      desk.typedLines.keep(typed)
      return true
    case .changed, .ignored: typing = line
    }
    return false
  }

  /// The next of the lines that have the words, or the one before; from the last on to the first.
  ///
  /// - Parameter first: the line on top of the screen, from where it is looked for at first.
  func next(in lines: [Int], by step: Int, from first: Int) -> Int? {
    step > 0
      ? lines.first { $0 > found ?? first - 1 } ?? lines.first
      : lines.last { $0 < found ?? first } ?? lines.last
  }

  /// - Parameter name: what each of them is.
  func words(at line: Int, of lines: [Int], _ name: String = "Line") -> String {
    "\(name) \((lines.firstIndex(of: line) ?? 0) + 1) of \(lines.count) that have it."
  }

  static let hidden = "What is hidden is not searched. P shows it."

  /// What is told where nothing is looked for yet, and where nothing has it.
  func hindrance(_ desk: DeskState, in place: String) -> String {
    words.isEmpty
      ? "\(desk.key(.search)) finds words in \(place)."
      : "Nothing in \(place) has \(words.joined(separator: " "))."
  }
}
