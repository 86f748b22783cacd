import ExactJSON

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
  ///
  /// - Parameter joinsWords: whether words in a row, of which only the blanks between them are the same, are one change.
  static func changes(from old: Words, to new: Words, joinsWords: Bool = false) -> [TextChange] {
    let comparison = TextComparison(old, new, passesOverBlanks: joinsWords)
    let all = TextChange(old: old.tokens.indices, new: new.tokens.indices)
    return comparison.changes(in: all, splitBy: [.lines, .words])
  }
}

extension [TextChange] {
  /// Where words were put in, or taken out, beside words that they repeat, nobody can say which of them it was. Here it is
  /// always the last: so `new ` was put in before `card`, and not ` new` behind `Bring`, which another edit of `card` would
  /// not touch.
  func slid(from old: Words, to new: Words) -> [TextChange] {
    indices.map { index in
      let change = self[index]
      let isLast = index + 1 == count
      let end = isLast ? old.tokens.count : self[index + 1].old.lowerBound - 1
      let tokens = change.old.isEmpty ? new.tokens : old.tokens
      return change.isReplacement ? change : change.slid(over: tokens, most: end - change.old.upperBound)
    }
  }

  /// Two words replaced one behind the other are one change, with the blank between them.
  func joined(in old: Words) -> [TextChange] {
    reduce(into: []) { joined, change in
      guard let last = joined.last, last.isReplacement, change.isReplacement,
        old.tokens[last.old.upperBound..<change.old.lowerBound].elementsEqual([" "])
      else { return joined.append(change) }
      joined[joined.count - 1] = TextChange(
        old: last.old.lowerBound..<change.old.upperBound, new: last.new.lowerBound..<change.new.upperBound)
    }
  }
}

extension TextChange {
  /// What was put in or taken out, as far to the end as it can be.
  fileprivate func slid(over tokens: [Substring], most: Int) -> TextChange {
    let own = old.isEmpty ? new : old
    var steps = 0
    while steps < most, tokens[own.lowerBound + steps].hasSameBytes(as: tokens[own.upperBound + steps]) {
      steps += 1
    }
    return TextChange(
      old: old.lowerBound + steps..<old.upperBound + steps,
      new: new.lowerBound + steps..<new.upperBound + steps)
  }
}
