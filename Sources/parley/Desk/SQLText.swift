/// SQL as a screen shows it.
enum SQLText {
  /// Each by itself. That digits of blobs are left out is told, with what prints them.
  ///
  /// - Parameter filling: tells that with the store in the place of `PATH`.
  static func paragraphs(_ statements: [String], filling: (String) -> String) -> [String] {
    let shown = statements.map(shortened)
    let note = "-- Of long blobs the first bytes are shown here: parley write PATH --sql prints all of them."
    return shown == statements ? shown : [filling(note)] + shown
  }

  /// The same with long blobs cut: an archive has thousands of digits, and nobody reads them.
  static func shortened(_ sql: String) -> String {
    var (text, rest) = ("", Substring(sql))
    while let start = rest.firstIndex(of: "'") {
      let isBlob = rest[..<start].last == "x" || rest[..<start].last == "X"
      let end = rest[rest.index(after: start)...].firstIndex(of: "'") ?? rest.index(before: rest.endIndex)
      text += rest[..<start] + (isBlob ? blob(rest[start...end]) : String(rest[start...end]))
      rest = rest[rest.index(after: end)...]
    }
    return text + rest
  }

  private static func blob(_ literal: Substring) -> String {
    let digits = literal.utf8.count - 2
    return digits <= 64 ? String(literal) : "\(literal.prefix(33))…' /* \(digits / 2) bytes */"
  }
}
