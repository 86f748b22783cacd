import Desk
import Terminal

/// A line whose text goes on below itself, further in than it begins: the end of a sentence may be what matters.
enum HangingLine {
  /// The longest that the argument parser leaves as it is in a terminal of 80 columns, and where there is none.
  static let widthOfHelp = 79
  /// In lines, of a value that somebody gives up, wherever that is told; with `most`.
  static let mostOfValue = 8

  /// A line of words, in more than one only where it is too long.
  static func lines(of line: String, width: Int?, most: Int? = nil) -> [String] {
    let line = DisplayText.safe(line)
    guard let width, DisplayText.width(line, upTo: width) > width else { return [cut(line, to: width)] }
    let head = String(line.prefix { $0 == " " })
    let text = String(line.dropFirst(head.count))
    return lines(head, text, margin: head.count + 4, width: width, most: most)
  }

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
