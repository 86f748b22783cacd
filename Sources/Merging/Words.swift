/// A text cut into words: a word, a run of white space, or one punctuation mark or symbol each. Writing without spaces
/// between words (Han, kana) is cut by character. The pieces joined are the text, byte for byte.
struct Words {
  let tokens: [Substring]

  /// What a text is cut into: of megabytes words would take seconds.
  enum Unit { case words, lines, whole }

  init(_ text: String, by unit: Unit) {
    switch unit {
    case .words: self.init(text)
    case .lines: self.init(linesOf: text)
    case .whole: self.init(tokens: text.utf8.isEmpty ? [] : [text[...]])
    }
  }

  /// Each with its newline.
  private init(linesOf text: String) {
    var tokens: [Substring] = []
    var start = text.startIndex
    while let end = text.utf8[start...].firstIndex(of: UInt8(ascii: "\n")) {
      let next = text.utf8.index(after: end)
      tokens.append(text[start..<next])
      start = next
    }
    if start < text.endIndex { tokens.append(text[start...]) }
    self.init(tokens: tokens)
  }

  private init(tokens: [Substring]) { self.tokens = tokens }

  init(_ text: String) {
    var tokens: [Substring] = []
    var start = text.startIndex
    var last: Kind?
    for index in text.indices {
      let kind = Kind(text[index])
      if let last, last != kind || kind == .single {
        tokens.append(text[start..<index])
        start = index
      }
      last = kind
    }
    if start < text.endIndex { tokens.append(text[start...]) }
    self.tokens = tokens
  }

  func text(_ range: Range<Int>) -> String { tokens[range].joined() }

  private enum Kind {
    case word, space, single

    init(_ character: Character) {
      if character.isWhitespace {
        self = .space
      } else if character == "_" || character.isLetter || character.isNumber {
        self = character.isWrittenWithoutSpaces ? .single : .word
      } else {
        self = .single
      }
    }
  }
}

extension Character {
  /// Han (with its extensions and compatibility forms), kana and Bopomofo, full and half width.
  package var isWrittenWithoutSpaces: Bool {
    guard let scalar = unicodeScalars.first?.value, scalar >= 0x2E80 else { return false }
    return switch scalar {
    case 0x2E80...0x9FFF, 0xF900...0xFAFF, 0xFF66...0xFF9F, 0x1B000...0x1B16F, 0x20000...0x3FFFF: true
    default: false
    }
  }
}
