/// A word that begins with `-` and is no option, as a record's key may.
enum DashedWord {
  private static let way = "A name that begins with - comes last, behind --; a value that does, behind ="

  /// The argument parser reads `-x:things` letter by letter, prints the help for the h in it, and ends with 0: a script takes that for
  /// done.
  ///
  /// - Throws: ``CommandError/misused(words:)``
  static func check(_ arguments: [String]) throws(CommandError) {
    guard let word = arguments.prefix(while: { $0 != "--" }).first(where: isTakenForHelp) else { return }
    let told = "Unknown option '\(word)'. \(way)."
    throw .misused(words: [told, Parley.usage(of: arguments)].compactMap(\.self).joined(separator: "\n"))
  }

  /// The only letter that is an option is that of the help.
  private static func isTakenForHelp(_ word: String) -> Bool {
    word.hasPrefix("-") && !word.hasPrefix("--") && word.contains("h") && !["-h", "-help"].contains(word)
  }

  /// How to give what the parser knows no option of, in words without their end; nil where it can be no name.
  static func way(for word: Substring) -> String? {
    !word.hasPrefix("--") || word.contains(":") ? way : nil
  }
}
