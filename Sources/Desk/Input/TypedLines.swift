/// What was looked for or noted before, in whatever line: `Ctrl-P` and `Ctrl-N` bring it back, as in a shell.
package struct TypedLines: Sendable, Equatable {
  /// The last at the end.
  private var lines: [String] = []
  private var notes: Set<String> = []
  /// Which of them stands in the line; as many as there are for what is typed now.
  private var place = 0
  /// What was typed before an older one took its place.
  private var current = ""
  /// More than anybody goes back through.
  private static let most = 100

  package init() {}

  mutating func keep(_ line: String, isNote: Bool = false) {
    if !line.isEmpty {
      lines.removeAll { $0 == line }
      lines = (lines + [line]).suffix(Self.most)
      if isNote { notes.insert(line) } else { notes.remove(line) }
    }
    place = lines.count
  }

  /// Without the notes, which quote what they are about.
  var withoutNotes: TypedLines {
    var others = self
    others.lines.removeAll(where: notes.contains)
    others.place = others.lines.count
    return others
  }

  /// nil where there is none.
  ///
  /// - Parameter text: what stands in the line, to come back to.
  mutating func older(than text: String) -> String? {
    if place == lines.count { current = text }
    // What stands there already is none that is older.
    if place == lines.count, lines.last == text, place > 0 { place -= 1 }
    guard place > 0 else { return nil }
    place -= 1
    return lines[place]
  }

  /// nil where what stands in the line is what was typed.
  mutating func newer() -> String? {
    guard place < lines.count else { return nil }
    place += 1
    return place == lines.count ? current : lines[place]
  }
}
