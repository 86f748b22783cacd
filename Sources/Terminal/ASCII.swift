import Foundation

/// What stands for a character where a terminal shows ASCII alone: for rules and signs what looks most like them, for a letter
/// with marks the letter, for anything else `?`. As wide as what it stands for, so that no column shifts.
package enum ASCII {
  /// Whether the locale says that UTF-8 is not shown. Where it says nothing a terminal of today is UTF-8.
  package static func isAllThatIsShown(in environment: [String: String]) -> Bool {
    let names = ["LC_ALL", "LC_CTYPE", "LANG"].compactMap { environment[$0] }
    guard let locale = names.first(where: { !$0.isEmpty })?.lowercased() else { return false }
    return !locale.contains("utf-8") && !locale.contains("utf8")
  }

  /// A line of text, made safe.
  package static func text(_ line: String) -> String {
    if line.isPlain { return line }
    var text = ""
    Glyph.each(of: line) { glyph in
      text += standIn(for: glyph.text) + (glyph.width > 1 ? " " : "")
      return true
    }
    return text
  }

  /// A line of text with ASCII in the place of all signs that Parley itself has. Letters stay: they are somebody's.
  package static func signs(in line: String) -> String {
    if line.utf8.allSatisfy({ $0 < 0x80 }) { return line }
    var text = String.UnicodeScalarView()
    for scalar in line.unicodeScalars {
      if let sign = signs[scalar] { text += sign.unicodeScalars } else { text.append(scalar) }
    }
    return String(text)
  }

  /// One character for the base of a glyph.
  static func standIn(for glyph: String) -> String {
    guard let base = glyph.unicodeScalars.first else { return glyph }
    if base.isASCII { return String(base) }
    if let sign = signs[base] { return String(sign) }
    let letter = String(base).decomposedStringWithCanonicalMapping.unicodeScalars.first
    return letter.map { $0.isASCII ? String($0) : "?" } ?? "?"
  }

  private static let signs: [Unicode.Scalar: Character] = {
    let pairs: KeyValuePairs<String, Character> = [
      "─━═┄": "-", "│┃║": "|", "┌┐└┘├┤┬┴┼╭╮╰╯╔╗╚╝": "+", "▸▶›→»": ">", "◂◀‹←«": "<", "↑": "^", "↓": "v",
      "↕": "|",
      "⇡": "w",
      "✓": "v", "✗×": "x", "∅": "#", "●": "=", "⋯·•": ".", "…": ">", "␊↵": "$", "␣": "_", "“”„": "\"",
      "‘’‚": "'",
      "–—−": "-", "½": "/", "↻": "@", "↶": "u",
    ]
    var signs: [Unicode.Scalar: Character] = [:]
    for (characters, sign) in pairs { for scalar in characters.unicodeScalars { signs[scalar] = sign } }
    return signs
  }()
}

extension Grid {
  /// The same frame in ASCII alone.
  package var inASCII: Grid {
    var grid = self
    for row in 0..<size.rows {
      for column in 0..<size.columns {
        let text = grid[column, row].text
        guard text.utf8.count > 1 else { continue }
        grid.put(ASCII.standIn(for: text), at: column, row)
      }
    }
    return grid
  }
}
