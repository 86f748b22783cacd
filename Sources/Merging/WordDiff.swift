/// What a person changed in a text, word by word, for showing.
public enum WordDiff {
  /// A stretch of text. Kept and removed pieces joined are the old text, kept and added ones the new.
  public enum Piece: Sendable, Equatable {
    case kept(String)
    case removed(String)
    case added(String)
  }

  /// No two neighbours are of one kind, and what was removed comes before what was added in its place.
  ///
  /// A word is a run of letters, digits and `_`; a run of white space and each punctuation mark stand for themselves, and
  /// so does each character of a script without spaces. A single space between two replaced words counts as replaced:
  /// `[-insurance card-]{+both cards+}` reads better than four pieces. Stretches of many thousand words without a common
  /// line are taken as one change, and so is what differs for more than half a megabyte, so that no text takes long.
  public static func pieces(from old: String, to new: String) -> [Piece] {
    guard let long = LongTexts(old, new) else { return compared(old, new) }
    let middle =
      long.isTooLong
      ? [.removed(String(long.old)), .added(String(long.new))] : compared(String(long.old), String(long.new))
    return neighboursJoined([.kept(String(long.prefix))] + middle + [.kept(String(long.suffix))])
  }

  private static func neighboursJoined(_ pieces: [Piece]) -> [Piece] {
    pieces.filter { !$0.text.utf8.isEmpty }.reduce(into: []) { joined, piece in
      guard case .kept(let before)? = joined.last, case .kept(let text) = piece else {
        return joined.append(piece)
      }
      joined[joined.count - 1] = .kept(before + text)
    }
  }

  private static func compared(_ old: String, _ new: String) -> [Piece] {
    let (old, new) = (Words(old), Words(new))
    var pieces: [Piece] = []
    var keptFrom = 0
    for change in TextChange.changes(from: old, to: new).joined(in: old) {
      pieces.append(.kept(old.text(keptFrom..<change.old.lowerBound)))
      pieces.append(.removed(old.text(change.old)))
      pieces.append(.added(new.text(change.new)))
      keptFrom = change.old.upperBound
    }
    pieces.append(.kept(old.text(keptFrom..<old.tokens.count)))
    return pieces.filter { !$0.text.utf8.isEmpty }
  }
}

extension WordDiff.Piece {
  /// The text of the stretch, without a sign of its kind.
  public var text: String {
    switch self {
    case .kept(let text), .removed(let text), .added(let text): text
    }
  }
}

extension WordDiff.Piece: CustomStringConvertible {
  /// Git's notation for word differences: `{+added+}`, `[-removed-]`, and kept text as it is.
  public var description: String {
    switch self {
    case .kept(let text): text
    case .removed(let text): "[-\(text)-]"
    case .added(let text): "{+\(text)+}"
    }
  }
}
