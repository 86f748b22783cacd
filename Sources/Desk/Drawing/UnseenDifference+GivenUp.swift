import Merging
import Telling

extension GivenUp {
  /// What tells what is given up from what it took the place of, or else from what is taken in its place, where that does not show.
  ///
  /// - Parameters:
  ///   - taken: what the field becomes.
  ///   - kind: of the field, where values are told by it.
  ///   - isASCII: whether letters with marks are shown as those without.
  package func unseenEnds(beside taken: Value?, kind: Field.Kind, isASCII: Bool) -> Ends {
    switch what {
    case .edit(_, let value):
      let kind = self.kind == .text ? kind : self.kind
      return ("", UnseenDifference(value, taken, kind: kind, isASCII: isASCII)?.ends.old ?? "")
    case .change(_, let part): return part.unseenEnds(beside: taken, isASCII: isASCII)
    case .more, .deletion, .record, .unknown, .other: return ("", "")
    }
  }

  /// The same where nobody has kept what was taken in its place.
  package func unseenEnds(isASCII: Bool) -> Ends { unseenEnds(beside: nil, kind: .text, isASCII: isASCII) }
}

extension LostPart {
  /// The same of one change.
  package func unseenEnds(beside taken: Value?, isASCII: Bool) -> GivenUp.Ends {
    func told(_ old: String?, _ new: String?) -> GivenUp.Ends? {
      UnseenDifference(old.map { Value.text($0) }, new.map { Value.text($0) }, isASCII: isASCII)?.ends
    }
    return told(old, new) ?? ("", told(new, taken.flatMap { text(in: $0) })?.old ?? "")
  }
}
