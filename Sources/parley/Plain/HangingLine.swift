import Desk
import Terminal

/// A line whose text goes on below itself, further in than it begins: the end of a sentence may be what matters.
enum HangingLine {
  /// The longest that the argument parser leaves as it is in a terminal of 80 columns, and where there is none.
  static let widthOfHelp = 79

  /// - Parameters:
  ///   - head: what stands before the text, in its first line alone.
  ///   - margin: where the next lines begin; without it below the text.
  ///   - width: of a terminal; nil leaves it whole, but for the line breaks of the text.
  ///   - most: after how many lines it is cut; nil where all of it is told.
  static func lines(
    _ head: String, _ text: String, margin: Int? = nil, width: Int?, most: Int? = nil
  ) -> [String] {
    let begin = margin ?? DisplayText.width(head)
    let room = width.map { max(10, $0 - max(begin, DisplayText.width(head))) } ?? .max
    let (words, blanks) = ([Run(text)], String(repeating: " ", count: begin))
    let lines = most.map { words.wrapped(room, cutAfter: $0) } ?? words.wrapped(room)
    return lines.enumerated().map { place, line in
      cut((place == 0 ? head : blanks) + line.map(\.text).joined(), to: width)
    }
  }
}
