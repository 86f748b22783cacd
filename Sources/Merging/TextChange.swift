/// One place where two texts differ: these words of the old text became those of the new. One range may be empty.
struct TextChange: Equatable {
  var old: Range<Int>
  var new: Range<Int>

  var isReplacement: Bool { !old.isEmpty && !new.isEmpty }
}

extension TextChange {
  /// Everything that changes `old` into `new`, in their order, with at least one common word between two changes.
  ///
  /// The fewest changes, if no stretch without a common line is longer than ``TextComparison/longest`` words. A longer text
  /// is first split at lines that occur once on each side, then at such words; what is still too long is one change.
  /// So the time grows with the length of the texts and not with its square.
  static func changes(from old: Words, to new: Words) -> [TextChange] {
    let comparison = TextComparison(old, new)
    let all = TextChange(old: old.tokens.indices, new: new.tokens.indices)
    return comparison.changes(in: all, splitBy: [.lines, .words])
  }
}
