import Testing

/// What a person may see of a record passes through `Privacy`. It alone makes a text of a value, which the compiler sees to; a
/// title or a key is a text already, and so this looks for them.
@Suite("The gate of hidden values") struct PrivacyGateTests {
  /// What a record or a person is called, where it is not a chapter or a page that has a title.
  private static var name: Regex<(Substring, Substring?)> {
    /\b(conflict|summary|record|draft|result|write|\$0|\$1)\.title\b|serverDevice|primaryKey|\.references\b(?!.*== nil)/
  }

  /// Everything is told there: what a search finds, what $EDITOR gets, whether two values look alike.
  private static let open = [
    "ListState+Words.swift", "Editor/OutsideText.swift", "Record/RecordDetail.swift",
    "Drawing/UnseenDifference.swift",
  ]

  /// What the list keeps of each row: nothing is drawn there.
  private static let kept = ["ListOrder", "SummaryRow", "SummaryRows", "PackedSummary", "PackedTexts"]

  /// A name that is handed on as one, and told elsewhere; the log of a store is hidden as a whole.
  private static var handedOn: Regex<Substring> {
    /startTree\(|CheckedWrite\(|GivenUpPage\(entries\)|primaryKey: conflict\.primaryKey|title\(of: record\)|\?\.title \?\? open\[/
  }

  @Test("No page has a name that did not pass it")
  func names() throws {
    let (name, handedOn) = (Self.name, Self.handedOn)
    let ofFinding = /page\.finding\.(title|record|related|evidence)/
    for (source, line, code) in try Self.lines(of: "Sources/Desk/") {
      if Self.kept.contains(where: { source.path.hasSuffix("/\($0).swift") }) { continue }
      let isTold = code.contains("privacy") || code.contains("told(") || code.contains(handedOn)
      #expect(!code.contains(name) || isTold, "\(source.path):\(line): \(code)")
      #expect(!code.contains(ofFinding), "\(source.path):\(line)")
    }
  }

  @Test("No value is put into a sentence, and hardly anybody goes round it")
  func values() throws {
    let valueInText = /\\\([\w.?]*\bvalue\)/
    for (source, line, code) in try Self.lines(of: "Sources/Desk/") {
      #expect(!code.contains(valueInText), "\(source.path):\(line): \(code)")
      let isOpen = code.contains("Privacy.open.") && !Self.open.contains { source.path.hasSuffix($0) }
      #expect(!isOpen, "\(source.path):\(line): \(code)")
    }
  }

  private static func lines(of folder: String) throws -> [(ProjectFile, Int, Substring)] {
    let sources = try ProjectFile.all("swift").filter { $0.path.hasPrefix(folder) }
    #expect(sources.count > 10)
    return sources.flatMap { source in
      source.lines.enumerated().map { (source, $0.offset + 1, code(in: $0.element)) }
    }
  }

  /// Without its comment.
  private static func code(in line: some StringProtocol) -> Substring {
    let text = Substring(line)
    return text.firstRange(of: "//").map { text[..<$0.lowerBound] } ?? text
  }
}
