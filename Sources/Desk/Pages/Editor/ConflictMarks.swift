import Merging

/// The marks that stand around what is still to decide, in a text that somebody edits outside: those of git and of its editors.
///
///     Bring <<<<<<< both cards ||||||| insurance card ======= new insurance card >>>>>>>.
///
/// Whole lines have their marks on lines of their own, with the sides' names.
enum ConflictMarks {
  private static let (first, last) = ("<<<<<<<", ">>>>>>>")

  static func text(of part: FieldPart) -> String {
    let sides = [part.client ?? "", part.ancestor ?? "", part.server ?? ""]
    guard part.isOfLines else {
      return "\(first) \(sides[0]) ||||||| \(sides[1]) ======= \(sides[2]) \(last)"
    }
    return """
      \(first) client
      \(sides[0])
      ||||||| ancestor
      \(sides[1])
      =======
      \(sides[2])
      \(last) server
      """
  }

  /// How many places of a text are still between marks. Those that a version has itself are its text.
  static func count(in text: String, of field: FieldConflict) -> Int {
    let own = Side.allCases.map { side -> Int in
      if case .text(let text)? = field.version(side)?.value { count(in: text) } else { 0 }
    }
    return max(0, count(in: text) - (own.max() ?? 0))
  }

  private static func count(in text: String) -> Int {
    max(text.ranges(of: first).count, text.ranges(of: last).count)
  }
}
