import Terminal

/// A line of `parley show`, before anybody asks how wide one is.
enum ConflictLine {
  /// A sentence: what is lost is never cut, nor anything else that is said.
  case words(String)
  /// A title, or what a side did to a text.
  case text(String)
  /// What a field has somewhere, behind its sign or name. What stands behind it, as whose it is, is told to its end.
  case value(_ head: String, String, end: String = "")

  /// - Parameter width: of a terminal; nil leaves it whole.
  func lines(width: Int?) -> [String] {
    switch self {
    case .words(let words): HangingLine.lines(of: words, width: width)
    case .text(let text): [cut(text, to: width)]
    case .value(let head, let value, let end): ConflictLine.lines(head, value, end, width)
    }
  }

  /// The end has a line of its own where it leaves too little of the value.
  private static func lines(_ head: String, _ value: String, _ end: String, _ width: Int?) -> [String] {
    let whole = head + value + end
    guard let width, !end.isEmpty, DisplayText.width(whole, upTo: width) > width else {
      return [cut(whole, to: width)]
    }
    let room = width - DisplayText.width(head + end)
    return room >= ChangeLine.leastShare
      ? [cut(head + DisplayText.cut(value, to: room) + end, to: width)]
      : [cut(head + value, to: width)] + HangingLine.lines(of: "    " + end, width: width)
  }
}
