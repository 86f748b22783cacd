/// What a mistyped word could have been meant to be. A suggestion is followed without much thought: so only what a slip of the
/// finger makes of a word is one, and never the word that writes.
package enum Spelling {
  /// The words, closest first, that are one slip away from `typed`, or two where it is long.
  package static func suggestions(for typed: String, among words: [String]) -> [String] {
    let near = words.map { (word: $0, slips: slips(from: $0, to: typed)) }
    return near.filter { $0.slips <= slipsAllowed(typed) }.sorted { $0.slips < $1.slips }.map(\.word)
  }

  package static func slipsAllowed(_ typed: String) -> Int { typed.count < 6 ? 1 : 2 }

  /// How many letters were put in, left out, changed, or swapped with the next.
  package static func slips(from word: String, to typed: String) -> Int {
    let (word, typed) = (Array(word.unicodeScalars.prefix(80)), Array(typed.unicodeScalars.prefix(80)))
    var rows = [Array(0...typed.count)]
    for (line, letter) in word.enumerated() {
      var row = [line + 1]
      for (column, other) in typed.enumerated() {
        let changed = rows[line][column] + (letter == other ? 0 : 1)
        var slips = min(changed, rows[line][column + 1] + 1, row[column] + 1)
        if line > 0, column > 0, letter == typed[column - 1], other == word[line - 1] {
          slips = min(slips, rows[line - 1][column - 1] + 1)
        }
        row.append(slips)
      }
      rows.append(row)
    }
    return rows[word.count][typed.count]
  }
}
