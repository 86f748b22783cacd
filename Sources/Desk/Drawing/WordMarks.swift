import Merging
import Terminal

/// What became of an old text: removed words struck out, added ones underlined; in git's notation where a terminal cannot show
/// that.
struct WordMarks {
  /// See ``DeskState/bracketsWords``.
  let brackets: Bool

  /// - Parameter longest: of what was removed, in columns; what is longer is cut, so that it does not take the place of what is
  ///   there now.
  func runs(from old: String, to new: String, _ ink: Ink, removedAtMost longest: Int = .max) -> [Run] {
    let pieces = (DatePieces.pieces(from: old, to: new) ?? WordDiff.pieces(from: old, to: new)).map {
      $0.shortened(to: longest)
    }
    return zip(pieces, pieces.dropFirst().map(Optional.some) + [nil]).flatMap { piece, next in
      let run = Run(brackets ? piece.description : piece.text, piece.ink(of: ink))
      // What came for it begins right behind it.
      return !brackets && piece.isRemoved && next?.isAdded == true ? [run, Run(" ", ink)] : [run]
    }
  }
}

extension WordDiff.Piece {
  fileprivate var isAdded: Bool { if case .added = self { true } else { false } }
  fileprivate var isRemoved: Bool { if case .removed = self { true } else { false } }

  /// Only what was removed is cut, at a blank where one is near.
  fileprivate func shortened(to longest: Int) -> Self {
    guard case .removed(let text) = self, let end = text.index(behind: longest) else { return self }
    let beginning = text[..<end]
    let word = beginning.lastIndex(where: \.isWhitespace) ?? end
    let isNear = beginning.distance(from: word, to: end) < longest / 2
    return .removed(beginning[..<(isNear ? word : end)] + "…")
  }

  fileprivate func ink(of side: Ink) -> Ink {
    switch self {
    case .kept: side
    case .removed: side.struck
    case .added: side.underlined
    }
  }
}

extension String {
  /// Behind so many columns; nil where there are no more of them.
  fileprivate func index(behind columns: Int) -> Index? {
    guard utf8.count > columns else { return nil }
    var used = 0
    return indices.first { place in
      used += DisplayText.width(self[place])
      return used > columns
    }
  }
}
