import Merging
import Terminal

/// A line of a text that was broken.
struct WrappedLine: Sendable {
  var runs: [Run]
  /// Whether the text goes on in the next one because it had no room in this; not where a line of the text itself ends.
  var goesOn = false
}

extension Array where Element == Run {
  /// The runs in lines of at most `width` columns, broken between words. A newline breaks the line; where it alone was
  /// added or removed it is shown, too.
  ///
  /// - Parameter most: how many lines are wanted; what comes after them is not looked at, however long it is.
  package func wrapped(_ width: Int, most: Int = .max) -> [[Run]] {
    wrappedLines(width, most: most).map(\.runs)
  }

  /// The same, each with why the next one begins.
  func wrappedLines(_ width: Int, most: Int = .max) -> [WrappedLine] {
    if most > 0, isPlainLine(of: width) { return [WrappedLine(runs: filter { !$0.text.isEmpty })] }
    var breaker = LineBreaker(width: width)
    for run in self {
      let isChange = run.ink.isUnderlined || run.ink.isStruck
      let showsBreaks = isChange && run.text.allSatisfy(\.isNewline)
      for character in run.text {
        breaker.take(character, run.ink, showsBreaks: showsBreaks)
        if breaker.lines.count > most { return [WrappedLine](breaker.lines.prefix(most)) }
      }
    }
    return [WrappedLine](breaker.finished().prefix(most))
  }

  /// Whether nothing of it has to be looked at to know that it is one line, as nearly all that is drawn thousandfold.
  private func isPlainLine(of width: Int) -> Bool {
    var rest = width
    for run in self {
      guard let columns = DisplayText.plainWidth(run.text), columns <= rest else { return false }
      rest -= columns
    }
    return true
  }

  /// The same in at most `most` lines. Where there are more the last one goes on behind the edge, so that it is drawn with the mark of
  /// what is cut.
  package func wrapped(_ width: Int, cutAfter most: Int) -> [[Run]] {
    let all = wrappedLines(width, most: most + 2)
    let lines = all.map(\.runs)
    guard most > 0, lines.count > most else { return [[Run]](lines.prefix(Swift.max(0, most))) }
    // A word stands with the blank after it.
    let hasBlank = lines[most - 1].last { !$0.text.isEmpty }?.text.last == " "
    let gap = hasBlank || all[most - 1].goesOn ? [] : [Run(" ")]
    let last = lines[most - 1] + gap + lines[most]
    // Behind a short line, or an empty one, the mark stands at the edge, which may be some columns behind the width.
    let rest = lines.count == most + 1 ? 0 : width - last.width + 3
    return lines.prefix(most - 1) + [last + [Run(String(repeating: " ", count: Swift.max(2, rest)))]]
  }
}

extension Array where Element == [Run] {
  /// The first of these lines; where there are more the last one is drawn with the mark of what is cut.
  func cut(after most: Int, width: Int) -> [[Run]] {
    guard count > most, most > 0 else { return Array(prefix(Swift.max(0, most))) }
    let last = self[most - 1]
    return prefix(most - 1) + [
      last + [Run(String(repeating: " ", count: Swift.max(2, width - last.width + 3)))]
    ]
  }
}

/// Breaks a text into lines, character by character. A word stands with the blanks or the newline after it, whatever runs it
/// is made of.
private struct LineBreaker {
  private(set) var lines = [WrappedLine(runs: [])]
  private let width: Int
  private var used = 0
  /// The word that is not placed yet; empty while one that is longer than a line is placed as it comes.
  private var word: [Run] = []
  private var wordWidth = 0
  private var isLong = false
  private var last: Character?

  init(width: Int) { self.width = max(1, width) }

  mutating func take(_ character: Character, _ ink: Ink, showsBreaks: Bool) {
    if let last, Self.isWordAtItsEnd(last, character) { endWord() }
    last = character
    if character == "\n", !showsBreaks { return }
    let columns = DisplayText.width(character)
    if !isLong, wordWidth + columns > width { beginLongWord() }
    if isLong {
      if used > 0, used + columns > width { newLine(goesOn: true) }
      lines[lines.count - 1].runs.append(character, ink)
      used += columns
    } else {
      word.append(character, ink)
      wordWidth += columns
    }
  }

  /// Behind blanks, and between letters that are written without them: all of such a text would be one word, for which a line
  /// that has begun is left. No mark begins a line there but one that opens something, which ends none.
  private static func isWordAtItsEnd(_ last: Character, _ next: Character) -> Bool {
    if last.isWhitespace { return !next.isWhitespace || last.isNewline }
    guard last.isWrittenWithoutSpaces || next.isWrittenWithoutSpaces, !last.isNumber, !openings.contains(last)
    else { return false }
    return next.isLetter || next.isNumber || openings.contains(next)
  }

  private static let openings = Set<Character>("「『（【〈《〔〖([{“‘")

  func finished() -> [WrappedLine] {
    var breaker = self
    breaker.endWord()
    return breaker.lines
  }

  private mutating func beginLongWord() {
    if used > 0 { newLine(goesOn: true) }
    placeWord()
    isLong = true
  }

  private mutating func endWord() {
    if used > 0, used + wordWidth > width { newLine(goesOn: true) }
    placeWord()
    isLong = false
    if last?.isNewline == true { newLine(goesOn: false) }
  }

  private mutating func placeWord() {
    lines[lines.count - 1].runs += word
    used += wordWidth
    (word, wordWidth) = ([], 0)
  }

  /// - Parameter goesOn: whether what comes now had no room in the line before.
  private mutating func newLine(goesOn: Bool) {
    lines[lines.count - 1].goesOn = goesOn
    lines.append(WrappedLine(runs: []))
    used = 0
  }
}

extension [Run] {
  fileprivate mutating func append(_ character: Character, _ ink: Ink) {
    if let last, last.ink == ink {
      self[count - 1].text.append(character)
    } else {
      append(Run(String(character), ink))
    }
  }
}
