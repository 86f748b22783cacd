import Merging

extension RecordConflict {
  /// What moved between the conflict a person saw and what it is now, in words; nil if nothing did.
  package func moved(to now: RecordConflict) -> String? {
    if details.leaves.map(\.id) != now.details.leaves.map(\.id) { return "its leaves are others now" }
    if details.serverTag != now.details.serverTag || details.receivedAt != now.details.receivedAt {
      return "a newer server version came in"
    }
    if details.ancestorTag != now.details.ancestorTag { return "the ancestor is another one now" }
    let computed = Set(fields.filter(\.field.isGenerated).map(\.name))
    for side in Side.allCases {
      if let words = version(side).moved(to: now.version(side), side, except: computed) { return words }
    }
    return fields == now.fields && versions == now.versions ? nil : "the table or the rules changed"
  }
}

extension RecordVersion {
  /// Fields that are computed of others are not named: the others are.
  fileprivate func moved(to now: RecordVersion, _ side: Side, except computed: Set<String>) -> String? {
    switch (self, now) {
    case (.present(let before), .present(let after)):
      RecordVersion.moved(before, after, side, except: computed)
    case (.deleted, .deleted), (.absent, .absent), (.unknown, .unknown):
      self == now ? nil : "the \(side.rawValue) changed"
    case (_, .deleted), (_, .absent): "the \(side.rawValue) was deleted"
    case (_, .present): "the \(side.rawValue) has the record again"
    case (_, .unknown): "the \(side.rawValue) can no longer be read"
    }
  }

  private static func moved(
    _ before: Fields, _ after: Fields, _ side: Side, except computed: Set<String>
  ) -> String? {
    let names = Set(before.keys).union(after.keys).subtracting(computed).sorted()
    let edited = names.filter { before[$0]?.value != after[$0]?.value }
    if !edited.isEmpty { return "\(edited.joined(separator: ", ")) changed on the \(side.rawValue)" }
    return before == after ? nil : "the time of the last change moved on the \(side.rawValue)"
  }
}
