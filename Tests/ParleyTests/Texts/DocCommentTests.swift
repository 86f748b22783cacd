import Testing

/// What an app's author reads of the libraries that are products: a declaration without words is but a name there.
@Suite struct DocCommentTests {
  @Test(arguments: ["Merging", "ExactJSON", "ArchivedRows"])
  func everyPublicDeclarationOfALibraryIsTold(library: String) throws {
    let files = try ProjectFile.all("swift").filter { $0.path.hasPrefix("Sources/\(library)/") }
    #expect(!files.isEmpty)
    for file in files {
      for number in DocCommentReader.untold(in: file.lines) {
        Issue.record("\(file.path):\(number) has no doc comment: \(file.lines[number - 1])")
      }
    }
  }

  @Test(arguments: [
    "  public let name: String",
    "// Why it is kept.\npublic let name: String",
    "/// What it is called.\n\npublic let name: String",
    "/// How many.\nlet count: Int\npublic let name: String",
    "/// How many.\npublic let count: Int\n@inlinable public var name: String { text }",
    "/// How many.\n@inlinable package func count(\n_ rows: Rows) -> Int {\npublic let name: String",
    "@inlinable\npublic static func name(of row: Row) -> String { row.text }",
    "@available(macOS 15, *)\npublic let name: String",
  ])
  func aPublicDeclarationWithoutADocCommentIsFound(source: String) {
    let lines = source.split(separator: "\n", omittingEmptySubsequences: false)
    #expect(DocCommentReader.untold(in: lines) == [lines.count])
  }

  @Test(arguments: [
    "/// What it is called.\n  public let name: String",
    "/// What it is called.\n@inlinable\npublic var name: String { text }",
    "/// What it is called.\n@available(\n  macOS 15, *\n)\npublic let name: String",
    "@available(\n  *, unavailable, message: \"write name()\"\n)\npublic var text: String { name }",
    "public static func == (left: Row, right: Row) -> Bool { left.name == right.name }",
    "package let name: String",
    "let name = \"public \"",
  ])
  func whatIsToldIsNotFound(source: String) {
    #expect(
      DocCommentReader.untold(in: source.split(separator: "\n", omittingEmptySubsequences: false)).isEmpty)
  }
}

/// Goes through a source line by line. What tells of a declaration is a doc comment right before it and its attributes, or the message
/// that says why it is unavailable, which is all that is ever read of it.
private struct DocCommentReader {
  private var isTold = false
  /// Of an attribute of several lines.
  private var openParentheses = 0

  /// The numbers of the lines with a public declaration that nothing tells of.
  static func untold(in lines: [Substring]) -> [Int] {
    var reader = DocCommentReader()
    return lines.indices.filter { reader.isUntold(lines[$0].drop { $0 == " " }) }.map { $0 + 1 }
  }

  private mutating func isUntold(_ line: Substring) -> Bool {
    if readsOn(line) { return false }
    defer { isTold = false }
    return Self.isPublic(line) && !isTold && !Self.witnesses.contains { line.contains($0) }
  }

  /// Whether the declaration is still to come.
  private mutating func readsOn(_ line: Substring) -> Bool {
    let isDoc = line.hasPrefix("///")
    guard isDoc || openParentheses > 0 || Self.isAttribute(line) else { return false }
    if !isDoc { openParentheses += line.count { $0 == "(" } - line.count { $0 == ")" } }
    if isDoc || line.contains("unavailable") { isTold = true }
    return true
  }

  /// A line with nothing but attributes, or with the beginning of one.
  private static func isAttribute(_ line: Substring) -> Bool {
    guard line.hasPrefix("@"), !isPublic(line) else { return false }
    return line.wholeMatch(of: /(?:@\w+(?:\(.*\))? *)+|@\w+\([^)]*/) != nil
  }

  private static func isPublic(_ line: Substring) -> Bool {
    line.contains("public ") && line.prefixMatch(of: /(?:@?\w+(?:\([^)]*\))?\s+)*public\s/) != nil
  }

  /// What the protocols of the standard library say all about.
  private static let witnesses = [
    "static func == ", "static func < ", "func hash(into ", "var description: ", "init(stringLiteral ",
    "init(dictionaryLiteral ", "var startIndex: ", "var endIndex: ", "var underestimatedCount: ",
    "func makeIterator()", "func next()",
  ]
}
