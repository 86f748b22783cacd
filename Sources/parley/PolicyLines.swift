import Terminal
import Yams

/// A configuration's text, of which single lines are changed or put in. Whoever writes it reads it again: where somebody has written
/// in braces, or in a way that is not foreseen here, the text does not come to mean what it should.
struct PolicyLines {
  /// Without their ends.
  private var lines: [String]
  /// What some editors put before a text; no line has it, as places in a line are counted.
  private let mark: String
  /// Whether the last line has no end.
  private var endsOpen: Bool

  private static let byteOrderMark = "\u{FEFF}"

  init(_ text: String) {
    mark = text.unicodeScalars.first == "\u{FEFF}" ? Self.byteOrderMark : ""
    let text = String(text.unicodeScalars.dropFirst(mark.isEmpty ? 0 : 1))
    // By bytes: a line that ends with CR and LF is one character to Swift.
    lines = text.utf8.split(separator: 0x0A, omittingEmptySubsequences: false).map { String($0) ?? "" }
    endsOpen = lines.last != ""
    if !endsOpen { lines.removeLast() }
  }

  /// The text with this policy, in the place of the one that the store's entry had, or as the first of its policies; without its line
  /// where it is nil.
  func setting(_ entry: String, to rule: String?, ofStore store: String) -> String {
    var changed = self
    let names = ["stores", store, "policies", entry]
    if let rule { changed.set(names, to: rule) } else { changed.remove(names) }
    return mark + changed.text
  }

  /// The text with this theme, in the place of the one it had, or at its end.
  func setting(theme name: String) -> String {
    var changed = self
    changed.set(["theme"], to: YAMLText.word(name))
    return mark + changed.text
  }

  private var text: String { lines.joined(separator: "\n") + (endsOpen || lines.isEmpty ? "" : "\n") }

  /// The line of the last name. What else stands there would go with it, and is missed by whoever reads the text again.
  private mutating func remove(_ names: [String]) {
    var entry: (key: Node, value: Node)?
    var node = (try? YAMLText.node(text)) ?? nil
    for name in names {
      entry = node?.mapping?.first { $0.key.scalar?.string == name }
      node = entry?.value
    }
    guard let line = entry?.key.mark?.line, lines.indices.contains(line - 1) else { return }
    if line == lines.count { endsOpen = false }
    lines.remove(at: line - 1)
  }

  /// Goes down as far as the names are there.
  private mutating func set(_ names: [String], to value: String) {
    endsOpen = false
    var (node, indent, line) = ((try? YAMLText.node(text)) ?? nil, 0, lines.count)
    for (depth, name) in names.enumerated() {
      let entries = node?.mapping.map { Array($0) } ?? []
      // Nothing can be put under a name behind which stands that it holds nothing.
      if entries.isEmpty, let node, let empty = empty(node) { line = empty }
      if let first = entries.first?.key.mark { indent = first.column - 1 }
      guard let found = entries.first(where: { $0.key.scalar?.string == name }) else {
        return insert(Array(names[depth...]), value, at: line, indent)
      }
      if depth == names.count - 1 { return replace(found.value, with: value) }
      node = found.value
      line = found.key.mark?.line ?? line
      indent += 2
    }
  }

  /// Takes `{}`, `~` or `null` away.
  ///
  /// - Returns: where lines go that are put there instead; nil if none of these stands there.
  private mutating func empty(_ node: Node) -> Int? {
    guard let mark = node.mark, lines.indices.contains(mark.line - 1) else { return nil }
    let line = lines[mark.line - 1].unicodeScalars
    let (before, after) = (line.prefix(mark.column - 1), line.dropFirst(mark.column - 1))
    guard let word = ["{}", "{ }", "~", "null"].first(where: { after.starts(with: $0.unicodeScalars) })
    else { return nil }
    let rest = String(before) + String(after.dropFirst(word.unicodeScalars.count))
    let isBlank = rest.allSatisfy { $0.isWhitespace }
    if isBlank { lines.remove(at: mark.line - 1) } else { lines[mark.line - 1] = rest }
    return isBlank ? mark.line - 1 : mark.line
  }

  private mutating func insert(_ names: [String], _ value: String, at line: Int, _ indent: Int) {
    let end = lines.first?.hasSuffix("\r") == true ? "\r" : ""
    let new = names.enumerated().map { depth, name in
      let blanks = String(repeating: " ", count: indent + 2 * depth)
      return blanks + YAMLText.word(name) + ":" + (depth == names.count - 1 ? " \(value)" : "") + end
    }
    lines.insert(contentsOf: new, at: min(line, lines.count))
  }

  /// What stands behind it on its line stays.
  private mutating func replace(_ node: Node, with value: String) {
    guard let mark = node.mark, let old = node.scalar, lines.indices.contains(mark.line - 1) else { return }
    let line = Array(lines[mark.line - 1].unicodeScalars)
    let length = old.string.unicodeScalars.count + (old.style == .plain ? 0 : 2)
    guard mark.column - 1 + length <= line.count else { return }
    let kept = (line[..<(mark.column - 1)], line[(mark.column - 1 + length)...])
    var text = String.UnicodeScalarView(kept.0)
    text.append(contentsOf: value.unicodeScalars)
    text.append(contentsOf: kept.1)
    lines[mark.line - 1] = String(text)
  }
}
