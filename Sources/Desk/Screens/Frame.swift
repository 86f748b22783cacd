import Merging
import Terminal

/// What every screen has: a header, a rule under it, a rule over the footer, and the footer made from the keymap.
struct Frame {
  var grid: Grid

  init(_ size: Size) { grid = Grid(size) }

  var columns: Int { grid.size.columns }
  /// The row of the lower rule.
  var bottom: Int { grid.size.rows - 2 }

  mutating func header(_ left: [Run], right: [Run]) {
    let width = right.reduce(0) { $0 + DisplayText.width($1.text) }
    grid.write(left, at: 1, 0, width: max(0, columns - width - 4))
    grid.write(right, at: max(1, columns - width - 1), 0)
  }

  mutating func rule(_ row: Int) { grid.fill("─", row: row, .dim) }

  /// The status in its place, if there is one, until the next key.
  mutating func footer(_ state: DeskState, _ hints: String? = nil) {
    rule(bottom)
    if let status = state.status {
      grid.write(status.text, at: 1, bottom + 1, status.isFailure ? .failed.bold : .text, width: columns - 2)
    } else {
      grid.write(hints ?? state.hints(width: columns - 2), at: 1, bottom + 1, .dim)
    }
  }

}

extension DeskState {
  /// The keys of a screen in the order of the table, as many as fit; the help is always among them.
  fileprivate func hints(width: Int) -> String {
    let all = Keymap.bindings(on: topic).filter(isToldHere).compactMap { binding in
      binding.hint.map { (binding.command, "\(binding.keys[0].name) \($0)") }
    }
    let help = all.first { $0.0 == .help }?.1 ?? ""
    var line = ""
    for (command, hint) in all where command != .help {
      guard line.count + hint.count + 2 + help.count <= width else { break }
      line += hint + "  "
    }
    return line + help
  }

  private func isToldHere(_ binding: Binding) -> Bool {
    switch binding.audience {
    case .everybody: return true
    case .trees: return store.recordsHaveTrees
    case .leaves:
      guard case .record(let page)? = pages.last else { return false }
      return (open[page.id]?.conflict.liveLeaves.count ?? 0) > 2
    }
  }
}

extension Array where Element == Run {
  var width: Int { reduce(0) { $0 + DisplayText.width($1.text) } }

  /// The runs in lines of at most `width` columns, broken between words. A newline is shown and breaks the line.
  func wrapped(_ width: Int) -> [[Run]] {
    let width = Swift.max(1, width)
    var lines: [[Run]] = [[]]
    var used = 0
    for word in words {
      let columns = word.width
      if used > 0, used + columns > width {
        lines.append([])
        used = 0
      }
      for piece in word.split(width) {
        if used + piece.width > width {
          lines.append([])
          used = 0
        }
        lines[lines.count - 1] += piece
        used += piece.width
      }
      if word.last?.text.last?.isNewline == true {
        lines.append([])
        used = 0
      }
    }
    return lines
  }

  /// Each word with the blanks or the newline after it, whatever runs it is made of.
  private var words: [[Run]] {
    var words: [[Run]] = [[]]
    for run in self {
      for character in run.text {
        if let last = words.last?.last?.text.last, last.isWhitespace,
          !character.isWhitespace || last.isNewline
        {
          words.append([])
        }
        words[words.count - 1].append(character, run.ink)
      }
    }
    return words.filter { !$0.isEmpty }
  }

  /// A word that is longer than a line, in pieces that fit.
  private func split(_ width: Int) -> [[Run]] {
    guard self.width > width else { return [self] }
    var pieces: [[Run]] = [[]]
    var used = 0
    for run in self {
      for character in run.text {
        let columns = DisplayText.width(String(character))
        if used + columns > width {
          pieces.append([])
          used = 0
        }
        pieces[pieces.count - 1].append(character, run.ink)
        used += columns
      }
    }
    return pieces
  }

  private mutating func append(_ character: Character, _ ink: Ink) {
    if let last, last.ink == ink {
      self[count - 1].text.append(character)
    } else {
      append(Run(String(character), ink))
    }
  }
}

extension Ink {
  static func side(_ side: Side) -> Ink {
    switch side {
    case .ancestor: .ancestor
    case .client: .client
    case .server: .server
    }
  }
}

extension Certainty {
  /// The sign that stands for it everywhere.
  public var sign: String {
    switch self {
    case .yours: "!"
    case .byClock: "^"
    case .sure: "~"
    }
  }

  var ink: Ink { self == .yours ? .needs.bold : self == .byClock ? .text : .dim }
}
