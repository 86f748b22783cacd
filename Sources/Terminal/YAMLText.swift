import Yams

/// Reads, and writes, YAML as far as settings need it: lines of names and words, no anchors and aliases.
///
/// A few lines of aliases stand for more nodes than there are atoms, and the parser compares the keys of a mapping by all of
/// them: such a text would be read for ever.
package enum YAMLText {
  /// nil for a text without a node.
  package static func node(_ yaml: String) throws(YAMLProblem) -> Node? {
    // The mark that some editors begin with is counted as a column by the parser, so that the next line stands elsewhere.
    let isMarked = yaml.unicodeScalars.first == "\u{FEFF}"
    let yaml = isMarked ? String(yaml.unicodeScalars.dropFirst()) : yaml
    if let line = lineOfAlias(in: yaml) { throw YAMLProblem(line: line, kind: .alias) }
    do {
      // The basic resolver: what a word means is decided by who reads it, not by YAML's many spellings of numbers and times.
      // The encoding is told, as for its default all of the environment is read.
      return try compose(yaml: yaml, .basic, .default, .utf8)
    } catch {
      throw YAMLProblem(yaml: yaml, error)
    }
  }

  /// As a text needs it, where a name is more than letters, digits and what joins them.
  package static func word(_ name: String) -> String {
    let isPlain =
      name.first?.isLetter == true && name.allSatisfy { $0.isLetter || $0.isNumber || "._-".contains($0) }
    // By scalars: to Swift a quotation mark with a combining accent is another character than one without, and to YAML it is none.
    let doubled = name.unicodeScalars.flatMap { $0 == "'" ? [$0, $0] : [$0] }
    return isPlain ? name : "'" + String(String.UnicodeScalarView(doubled)) + "'"
  }

  /// The first line with an anchor or alias: `&` or `*` where a value begins.
  static func lineOfAlias(in yaml: String) -> Int? {
    var quote: UInt8?
    for (index, line) in yaml.utf8.split(separator: 0x0A, omittingEmptySubsequences: false).enumerated()
    where hasAlias(line, &quote) {
      return index + 1
    }
    return nil
  }

  /// - Parameter quote: the quotation mark that is open, as a quoted text may go on over lines.
  private static func hasAlias(_ line: Substring.UTF8View, _ quote: inout UInt8?) -> Bool {
    var (isAtValue, isEscaped, last) = (true, false, UInt8(ascii: " "))
    for byte in line {
      defer { last = byte }
      if let open = quote {
        if byte == open, !isEscaped { quote = nil }
        isEscaped = open == UInt8(ascii: "\"") && byte == UInt8(ascii: "\\") && !isEscaped
        continue
      }
      switch byte {
      case UInt8(ascii: " "), UInt8(ascii: "\t"): continue
      case 0x0D:
        isAtValue = true
        continue
      case UInt8(ascii: "#") where last == UInt8(ascii: " ") || last == UInt8(ascii: "\t"): return false
      case UInt8(ascii: "&"), UInt8(ascii: "*"): if isAtValue { return true }
      case UInt8(ascii: "\""), UInt8(ascii: "'"): if isAtValue { quote = byte }
      default: break
      }
      isAtValue = "[{,:-?!".utf8.contains(byte)
    }
    return false
  }
}

/// Where a YAML text cannot be used, and why.
package struct YAMLProblem: Error, Sendable, Equatable {
  package enum Kind: Sendable, Equatable {
    case alias
    /// The name that stands in a mapping twice.
    case duplicate(String)
    /// What the parser said, in one line.
    case unreadable(String)
  }

  /// From 1.
  package let line: Int
  package let kind: Kind
}

extension YAMLProblem {
  init(yaml: String, _ error: any Error) {
    switch error {
    case YamlError.duplicatedKeysInMapping(let duplicates, let context):
      let name = duplicates.first ?? ""
      // Yams tells where the mapping begins, not where the second line stands.
      line = Self.lines(of: name, in: yaml).dropFirst().first ?? context.mark.line
      kind = .duplicate(name)
    case YamlError.scanner(_, let text, let mark, _), YamlError.parser(_, let text, let mark, _),
      YamlError.composer(_, let text, let mark, _):
      line = mark.line
      kind = .unreadable(Self.told(text))
    case YamlError.reader(let text, let offset, _, let yaml):
      line = 1 + yaml.prefix(offset ?? 0).count { $0.isNewline }
      kind = .unreadable(text)
    default:
      line = 1
      kind = .unreadable("\(error)".split(whereSeparator: \.isNewline).joined(separator: " "))
    }
  }

  /// The parser speaks of its own settings and functions.
  private static func told(_ text: String) -> String {
    if text.contains("nesting level") { return "too many brackets or lines stand in one another" }
    if text.contains("another document") { return "a second document begins here" }
    return text
  }

  private static func lines(of name: String, in yaml: String) -> [Int] {
    yaml.split(separator: "\n", omittingEmptySubsequences: false).enumerated()
      .filter { $0.element.drop { " \"'".contains($0) }.hasPrefix(name) }
      .map { $0.offset + 1 }
  }

  package var words: String { kind.words }
}

extension YAMLProblem.Kind {
  /// What is wrong, with the way out, as a sentence after file and line.
  var words: String {
    switch self {
    case .alias: "anchors and aliases (&name, *name) are not read here. Write the value out."
    case .duplicate(let name): "“\(name)” stands here a second time. Keep one of the two."
    case .unreadable(let text): "this is not YAML: \(text)."
    }
  }
}
