extension FieldConflict {
  /// A field of a record with more leaves than two: `others` are folded, in their order, into what client and server give.
  /// Each is one more three-way merge on the same ancestor.
  static func folding(
    _ field: Field, ancestor: FieldVersion<Value>?, client: FieldVersion<Value>?,
    server: FieldVersion<Value>?, others: [FieldVersion<Value>?], policy: () -> MergePolicy<Value>
  ) -> FieldConflict {
    let pair = merging(field, ancestor: ancestor, client: client, server: server, policy: policy)
    let edits = others.compactMap(\.self).filter { ancestor == nil || $0.value != ancestor?.value }
    if edits.isEmpty { return pair }
    let policy = policy()
    var folded = pair.suggestion
    var certainty = pair.suggestion.certainty ?? .sure
    var policyReason = pair.suggestion.policyReason
    for edit in edits {
      let soFar = FieldVersion(folded.value, time: client?.time)
      folded = policy.suggestion(for: ThreeWay(ancestor: ancestor, client: soFar, server: edit))
      certainty = min(certainty, folded.certainty ?? .sure)
      policyReason = policyReason ?? folded.policyReason
    }
    // A value that client or server has too adds nothing; unless each edit counts, as for a counter.
    let isNews = edits.contains { $0.value != client?.value && $0.value != server?.value }
    if !isNews && folded.value == pair.suggestion.value { return pair }
    return FieldConflict(
      field: field, ancestor: ancestor, client: client, server: server, change: .different,
      suggestion: Suggestion(
        folded.value, source: .named(folded.value, client: client?.value, server: server?.value),
        certainty: certainty,
        reason: (certainty == .sure ? policyReason : nil) ?? leafReason(ancestor, [client, server] + others)))
  }

  /// Only leaves that changed something are counted: the same as the desk shows by their numbers.
  private static func leafReason(_ ancestor: FieldVersion<Value>?, _ leaves: [FieldVersion<Value>?]) -> Reason
  {
    guard let ancestor else { return .folded(leaves: leaves.count, .differ) }
    let edits = leaves.compactMap { $0?.value }.filter { $0 != ancestor.value }
    let isAgreed = edits.count > 1 && edits.allSatisfy { $0 == edits[0] }
    return .folded(leaves: edits.count, isAgreed ? .agree : .changed)
  }
}

extension Suggestion {
  /// The reason, where a policy decided between edits.
  fileprivate var policyReason: Reason? { isByPolicy ? reason : nil }
}
