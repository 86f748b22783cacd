extension FieldConflict {
  /// A field of a record with more leaves than two: `others` are folded, in their order, into what client and server give.
  /// Each is one more three-way merge on the same ancestor.
  static func folding(
    _ field: Field, ancestor: FieldVersion<Value>?, client: FieldVersion<Value>?,
    server: FieldVersion<Value>?, others: [FieldVersion<Value>?], policy: () -> MergePolicy<Value>
  ) -> FieldConflict {
    let pair = merging(field, ancestor: ancestor, client: client, server: server, policy: policy)
    let known = [ancestor, client, server].map { $0?.value }
    guard others.contains(where: { $0 != nil && !known.contains($0?.value) }) else { return pair }
    let policy = policy()
    var folded = pair.suggestion
    var certainty = pair.suggestion.certainty ?? .sure
    for other in others.compactMap(\.self) {
      let soFar = FieldVersion(folded.value, time: client?.time)
      folded = policy.suggestion(for: ThreeWay(ancestor: ancestor, client: soFar, server: other))
      certainty = min(certainty, folded.certainty ?? .sure)
    }
    return FieldConflict(
      field: field, ancestor: ancestor, client: client, server: server, change: .different,
      suggestion: Suggestion(
        folded.value, source: .named(folded.value, client: client?.value, server: server?.value),
        certainty: certainty, reason: .folded(leaves: others.count + 2)))
  }
}
