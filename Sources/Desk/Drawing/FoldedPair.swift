import Merging

/// Two long texts that differ in several places, with what is the same between the places left out: all of them are seen in little room.
///
///     …card. 3. The window, at last. ··· 36. The door of room 36         (old)
///     …card. 3. The window. ··· 36. The front door of room 36            (new)
struct FoldedPair {
  private(set) var old = ""
  private(set) var new = ""
  /// In characters, of what is the same on each side of a place.
  private let context: Int

  /// The same before the first place, which tells less.
  private static let lead = 20
  /// In bytes, of both: what is longer is not taken apart with every frame.
  private static let longest = 32_768

  /// nil for texts that have nothing to be left out, or are not taken apart by their words or lines.
  ///
  /// - Parameter room: in columns, of all lines together.
  init?(_ old: String, _ new: String, room: Int) {
    guard old.utf8.count + new.utf8.count <= Self.longest,
      let parts = FieldParts(ancestor: nil, client: .text(old), server: .text(new)), parts.form != .keys
    else { return nil }
    context = max(12, min(60, room / (4 * max(1, parts.parts.count))))
    for (place, piece) in parts.pieces.enumerated() {
      let (isFirst, isLast) = (place == 0, place == parts.pieces.count - 1)
      add(piece, isFirst: isFirst, isLast: isLast)
    }
    if self.old.utf8.count == old.utf8.count { return nil }
  }

  private mutating func add(_ piece: FieldParts.Piece, isFirst: Bool, isLast: Bool) {
    switch piece {
    case .kept(let text):
      let kept = isFirst ? end(of: text) : isLast ? beginning(of: text) : bothEnds(of: text)
      old += kept
      new += kept
    case .part(let part):
      old += part.client ?? ""
      new += part.server ?? ""
    }
  }

  private func end(of text: String) -> String {
    text.count > 2 * Self.lead ? "…" + Self.words(atEnd: text.suffix(Self.lead)) : text
  }

  private func beginning(of text: String) -> String {
    text.count > 3 * context ? Self.words(atStart: text.prefix(context)) + "…" : text
  }

  private func bothEnds(of text: String) -> String {
    guard text.count > 3 * context else { return text }
    return Self.words(atStart: text.prefix(context)) + " ··· " + Self.words(atEnd: text.suffix(context))
  }

  private static func words(atEnd text: Substring) -> Substring {
    text.firstIndex(of: " ").map { text[$0...].dropFirst() } ?? text
  }

  private static func words(atStart text: Substring) -> Substring {
    text.lastIndex(of: " ").map { text[..<$0] } ?? text
  }
}
