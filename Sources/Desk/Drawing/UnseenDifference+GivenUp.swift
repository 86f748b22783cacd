import Merging
import Telling

extension GivenUp {
  /// What tells what is given up from what it took the place of, or else from what is taken in its place, where that does not show.
  ///
  /// - Parameters:
  ///   - taken: what the field becomes.
  ///   - kind: of the field, where values are told by it.
  ///   - isASCII: whether letters with marks are shown as those without.
  ///   - isSpoken: whether they may be read out, see ``UnseenVersions/spoken(isASCII:further:_:)``.
  package func unseenEnds(
    beside taken: Value?, kind: Field.Kind, isASCII: Bool, isSpoken: Bool = false
  ) -> Ends {
    switch what {
    case .edit(_, let value):
      let kind = self.kind == .text ? kind : self.kind
      return ("", unseen(value, taken, kind, isASCII, isSpoken)?.old ?? "")
    case .change(_, let part): return part.unseenEnds(beside: taken, isASCII: isASCII, isSpoken: isSpoken)
    case .more, .deletion, .record, .unknown, .other: return ("", "")
    }
  }

  /// The same where nobody has kept what was taken in its place.
  package func unseenEnds(isASCII: Bool, isSpoken: Bool = false) -> Ends {
    unseenEnds(beside: nil, kind: .text, isASCII: isASCII, isSpoken: isSpoken)
  }
}

extension LostPart {
  /// The same of one change.
  package func unseenEnds(beside taken: Value?, isASCII: Bool, isSpoken: Bool = false) -> GivenUp.Ends {
    func told(_ old: String?, _ new: String?) -> GivenUp.Ends? {
      unseen(old.map { Value.text($0) }, new.map { Value.text($0) }, .text, isASCII, isSpoken)
    }
    return told(old, new) ?? ("", told(new, taken.flatMap { text(in: $0) })?.old ?? "")
  }
}

private func unseen(
  _ old: Value?, _ new: Value?, _ kind: Field.Kind, _ isASCII: Bool, _ isSpoken: Bool
) -> GivenUp.Ends? {
  let difference =
    isSpoken
    ? UnseenDifference(spoken: old, new, kind: kind, isASCII: isASCII)
    : UnseenDifference(old, new, kind: kind, isASCII: isASCII)
  return difference?.ends
}
