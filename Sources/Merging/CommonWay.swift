/// The ways to decide a record as a whole that every store has, by names that mean the same in each: who decides for several stores
/// by a script need not know what one of them calls its own.
package enum CommonWay: String, CaseIterable, Sendable {
  /// The local edit stays, undeleting the record where needed. A local deletion is no edit.
  case keep
  /// What the server has, a deletion, too.
  case accept
  case delete
  /// What would be lost is kept beside it: as new records, or as a version of its own.
  case both
}

extension RecordConflict {
  /// nil where the store has no such way for this record.
  package func alternative(_ way: CommonWay) -> Alternative? {
    switch way {
    case .keep: [Side.client.rawValue, "upload"].lazy.compactMap(alternative).first { $0.outcome != .delete }
    case .accept: alternative(way.rawValue) ?? alternative(Side.server.rawValue)
    case .delete: alternatives.first { $0.outcome == .delete }
    case .both: alternative(way.rawValue)
    }
  }

  /// The name that every store has for it; its own, where they have none.
  package func commonName(of alternative: Alternative) -> String {
    let way = CommonWay.allCases.first { self.alternative($0)?.id == alternative.id }
    return way?.rawValue ?? alternative.id
  }

  /// What a word says of the record as a whole: an alternative's own name, the one that all stores have for it, a leaf's id, or, of a
  /// record that is decided as a whole, one of the two sides; the ancestor is what both have left behind. nil if it says nothing.
  package func choice(ofWhole word: String) -> Choice? {
    if let alternative = alternative(word) ?? CommonWay(rawValue: word).flatMap(alternative)
      ?? way(ofLeaf: word)
    {
      return choice(ofAlternative: alternative.id)
    }
    guard isWhole, let side = Side(rawValue: word), side != .ancestor else { return nil }
    return .take(side)
  }

  /// The first two stand in the columns, and are taken by the names of these.
  private func way(ofLeaf id: Leaf.ID) -> Alternative? {
    zip(liveLeaves, [Side.client, .server]).first { $0.0.id == id }.flatMap { alternative($0.1.rawValue) }
  }
}
