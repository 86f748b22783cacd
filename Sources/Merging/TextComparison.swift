import ExactJSON

/// Two texts whose words are numbers: equal numbers for the same bytes.
struct TextComparison {
  /// In words of both sides together. The standard library's difference is quadratic in time and memory at worst.
  static let longest = 2_000

  enum Unit { case lines, words }

  let old: [Int]
  let new: [Int]
  let endsLine: [Bool]
  /// Which of them are no anchors: between two words that differ, a blank that both sides have says nothing.
  private let isPassedOver: [Bool]

  init(_ old: Words, _ new: Words, passesOverBlanks: Bool) {
    var numbers: [JSONText: Int] = [:]
    var endsLine: [Bool] = []
    var isPassedOver: [Bool] = []
    func number(_ token: Substring) -> Int {
      if let known = numbers[JSONText(String(token))] { return known }
      numbers[JSONText(String(token))] = endsLine.count
      endsLine.append(token.contains(where: \.isNewline))
      isPassedOver.append(passesOverBlanks && endsLine.last == false && token.first?.isWhitespace == true)
      return endsLine.count - 1
    }
    self.old = old.tokens.map(number)
    self.new = new.tokens.map(number)
    (self.endsLine, self.isPassedOver) = (endsLine, isPassedOver)
  }

  func changes(in whole: TextChange, splitBy units: [Unit]) -> [TextChange] {
    let rest = trimmed(whole)
    if rest.old.isEmpty && rest.new.isEmpty { return [] }
    guard rest.isReplacement else { return [rest] }
    if rest.old.count + rest.new.count <= TextComparison.longest { return fewestChanges(in: rest) }
    guard let unit = units.first else { return [rest] }
    return gaps(in: rest, between: anchors(in: rest, unit)).flatMap {
      changes(in: $0, splitBy: Array(units.dropFirst()))
    }
  }

  /// Without the words that both begin or end with.
  private func trimmed(_ whole: TextChange) -> TextChange {
    var (old, new) = (whole.old, whole.new)
    while let left = old.first, let right = new.first, self.old[left] == self.new[right] {
      old = left + 1..<old.upperBound
      new = right + 1..<new.upperBound
    }
    while let left = old.last, let right = new.last, self.old[left] == self.new[right] {
      old = old.lowerBound..<left
      new = new.lowerBound..<right
    }
    return TextChange(old: old, new: new)
  }

  /// Words that only one side has cannot be common, so they are left out of the comparison: it is they who make it slow.
  private func fewestChanges(in whole: TextChange) -> [TextChange] {
    let shared = Set(old[whole.old]).intersection(new[whole.new]).filter { !isPassedOver[$0] }
    let left = whole.old.filter { shared.contains(old[$0]) }
    let right = whole.new.filter { shared.contains(new[$0]) }
    let difference = right.map { new[$0] }.difference(from: left.map { old[$0] })
    let pairs = zip(left.without(difference.removals), right.without(difference.insertions))
    let gaps = gaps(in: whole, between: pairs.map { TextChange(old: $0..<$0 + 1, new: $1..<$1 + 1) })
    return gaps.map(trimmed).filter { !$0.old.isEmpty || !$0.new.isEmpty }
  }

  /// What lies between `matches`, which are in order on both sides.
  private func gaps(in whole: TextChange, between matches: [TextChange]) -> [TextChange] {
    var (old, new) = (whole.old.lowerBound, whole.new.lowerBound)
    var gaps: [TextChange] = []
    let end = TextChange(
      old: whole.old.upperBound..<whole.old.upperBound, new: whole.new.upperBound..<whole.new.upperBound)
    for match in matches + [end] {
      if old < match.old.lowerBound || new < match.new.lowerBound {
        gaps.append(TextChange(old: old..<match.old.lowerBound, new: new..<match.new.lowerBound))
      }
      (old, new) = (match.old.upperBound, match.new.upperBound)
    }
    return gaps
  }

  /// The units that occur once on each side, as many as are in the same order on both.
  private func anchors(in whole: TextChange, _ unit: Unit) -> [TextChange] {
    let left = onlyOnes(units(old, whole.old, unit), old)
    let right = onlyOnes(units(new, whole.new, unit), new)
    let pairs = left.compactMap { words, range in right[words].map { TextChange(old: range, new: $0) } }
    return longestAscending(pairs.sorted { $0.old.lowerBound < $1.old.lowerBound })
  }

  private func units(_ text: [Int], _ range: Range<Int>, _ unit: Unit) -> [Range<Int>] {
    var units: [Range<Int>] = []
    var start = range.lowerBound
    for index in range where unit == .words || endsLine[text[index]] || index == range.upperBound - 1 {
      units.append(start..<index + 1)
      start = index + 1
    }
    return units
  }

  private func onlyOnes(_ units: [Range<Int>], _ text: [Int]) -> [ArraySlice<Int>: Range<Int>] {
    var places: [ArraySlice<Int>: Range<Int>?] = [:]
    for unit in units {
      let words = text[unit]
      places.updateValue(places[words] == nil ? unit : nil, forKey: words)
    }
    return places.compactMapValues(\.self)
  }

  /// The longest run of pairs that ascends on the new side too: patience sorting, each pair remembering the pair on the
  /// pile before it.
  private func longestAscending(_ pairs: [TextChange]) -> [TextChange] {
    var piles: [Int] = []
    var previous: [Int?] = []
    for (index, pair) in pairs.enumerated() {
      let pile = piles.firstPosition { pairs[$0].new.lowerBound > pair.new.lowerBound }
      previous.append(pile == 0 ? nil : piles[pile - 1])
      if pile == piles.count { piles.append(index) } else { piles[pile] = index }
    }
    let chain = sequence(first: piles.last) { $0.flatMap { previous[$0] }.map(Optional.some) }
    return chain.compactMap { $0.map { pairs[$0] } }.reversed()
  }
}

extension [Int] {
  fileprivate func without(_ changes: [CollectionDifference<Int>.Change]) -> [Int] {
    let offsets = Set(changes.map(\.offset))
    return indices.filter { !offsets.contains($0) }.map { self[$0] }
  }
}

extension Array {
  /// The first position where `isAfter` holds, if it holds for all positions behind it too; the count if it never does.
  func firstPosition(where isAfter: (Element) -> Bool) -> Int {
    var (low, high) = (0, count)
    while low < high {
      let middle = (low + high) / 2
      if isAfter(self[middle]) { high = middle } else { low = middle + 1 }
    }
    return low
  }
}

extension CollectionDifference.Change {
  fileprivate var offset: Int {
    switch self {
    case .insert(let offset, _, _), .remove(let offset, _, _): offset
    }
  }
}
