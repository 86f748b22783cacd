import ExactJSON

extension JSON {
  /// As it is read on a screen: what has no room in a line stands below itself, further in. The same JSON all the same.
  ///
  /// - Parameter margin: how far in it stands.
  func indented(by margin: Int = 0) -> String {
    let line = text
    if line.utf8.count + margin <= JSON.longestLine { return line }
    return switch self {
    case .object(let members):
      JSON.lines(
        "{", members.map { "\(JSON.string($0.name).text): \($0.value.indented(by: margin + 2))" }, "}", margin
      )
    case .array(let elements): JSON.lines("[", elements.map { $0.indented(by: margin + 2) }, "]", margin)
    case .literal, .string, .digits: line
    }
  }

  /// In bytes: what a narrow terminal has room for.
  private static let longestLine = 72

  private static func lines(_ open: String, _ parts: [String], _ close: String, _ margin: Int) -> String {
    let blanks = String(repeating: " ", count: margin)
    return "\(open)\n" + parts.map { "\(blanks)  \($0)" }.joined(separator: ",\n") + "\n\(blanks)\(close)"
  }
}
