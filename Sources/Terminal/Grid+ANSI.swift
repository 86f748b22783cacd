extension Grid {
  /// The frame as a terminal takes it: cleared, then line by line with the escapes of a theme. For recordings; the desk
  /// itself draws through ncurses.
  package func ansi(theme: Theme) -> String {
    let lines = (0..<size.rows).map { row in line(row, theme) }
    return "\u{1B}[H\u{1B}[2J" + lines.joined(separator: "\r\n")
  }

  private func line(_ row: Int, _ theme: Theme) -> String {
    var text = ""
    var style: Style?
    for column in 0..<size.columns {
      let cell = self[column, row]
      let next = theme.style(for: cell.ink)
      if next != style { text += "\u{1B}[0" + next.codes + "m" }
      style = next
      text += cell.text
    }
    return text + "\u{1B}[0m"
  }
}

extension Style {
  /// Parameters of SGR (ECMA-48), each with its semicolon.
  fileprivate var codes: String {
    let attributes = [
      (isBold, ";1"), (isDim, ";2"), (isUnderlined, ";4"), (isReversed, ";7"), (isStruck, ";9"),
    ]
    return attributes.filter(\.0).map(\.1).joined() + colour.codes
  }
}

extension Colour {
  fileprivate var codes: String {
    switch self {
    case .standard: ""
    case .palette(let number): ";38;5;\(number)"
    case .rgb(let red, let green, let blue): ";38;2;\(red);\(green);\(blue)"
    }
  }
}
