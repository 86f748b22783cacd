import Merging
import Terminal

/// What became of an old text: removed words struck out, added ones underlined; in git's notation where a terminal cannot show
/// that.
struct WordMarks {
  /// See ``DeskState/bracketsWords``.
  let brackets: Bool

  func runs(from old: String, to new: String, _ ink: Ink) -> [Run] {
    let pieces = WordDiff.pieces(from: old, to: new)
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

  fileprivate func ink(of side: Ink) -> Ink {
    switch self {
    case .kept: side
    case .removed: side.struck
    case .added: side.underlined
    }
  }
}
