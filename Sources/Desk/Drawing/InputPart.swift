import Terminal

/// The part of a line of input that has room, around its cursor: this is in sight, however much is typed.
struct InputPart {
  let before: String
  let after: String

  /// - Parameters:
  ///   - width: in columns, with one for the cursor.
  ///   - shown: what stands for a text on the screen.
  init(_ line: InputLine, width: Int, shown: (String) -> String = DisplayText.safe) {
    let room = max(0, width - 1)
    let (before, after) = (shown(line.before), shown(line.after))
    // What follows keeps some of the room: a cursor at an end tells that nothing follows.
    let kept = min(DisplayText.width(after, upTo: room), room / 3)
    self.before = InputPart.end(of: before, columns: room - kept)
    self.after = DisplayText.cut(after, to: room - DisplayText.width(self.before))
  }

  private static func end(of text: String, columns: Int) -> String {
    guard text.suffix(columns: columns).utf8.count < text.utf8.count else { return text }
    return columns < 1 ? "" : "‹" + text.suffix(columns: columns - 1)
  }
}

extension String {
  /// The last characters that fit into `columns`. What stands before them is not looked at.
  func suffix(columns: Int) -> Substring {
    var start = endIndex
    var used = 0
    while start > startIndex {
      let next = index(before: start)
      used += DisplayText.width(self[next])
      if used > columns { break }
      start = next
    }
    return self[start...]
  }
}
