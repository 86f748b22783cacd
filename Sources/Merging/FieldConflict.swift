/// One field of a conflict: its versions, what they say, and what is suggested.
public struct FieldConflict: Sendable, Equatable {
  public let field: Field
  /// The versions; nil where that side has no such field, or its version of the record is not present.
  public let ancestor: FieldVersion<Value>?
  public let client: FieldVersion<Value>?
  public internal(set) var server: FieldVersion<Value>?
  public let change: Change
  public internal(set) var suggestion: Suggestion<Value>

  public var name: String { field.name }

  public func version(_ side: Side) -> FieldVersion<Value>? {
    switch side {
    case .ancestor: ancestor
    case .client: client
    case .server: server
    }
  }

  /// When a side set it.
  package func time(_ side: Side) -> Int64? {
    switch side {
    case .ancestor: ancestor?.time
    case .client: client?.time
    case .server: server?.time
    }
  }

  /// Whether a person has something to decide here.
  public var needsDecision: Bool { change != .unchanged && field.isWritable }
}

extension FieldConflict {
  /// A field of a record that client and server both have. A side that does not know the field at all (an older app's
  /// record, a column added since) did not change it.
  static func merging(
    _ field: Field, ancestor: FieldVersion<Value>?, client: FieldVersion<Value>?,
    server: FieldVersion<Value>?, policy: () -> MergePolicy<Value>
  ) -> FieldConflict {
    let versions = completed(ancestor, client, server)
    let change = versions.changeOfValues()
    var suggestion = MergePolicy.suggestion(for: versions, change: change, policy: policy)
    if !suggestion.value.isAtHand { suggestion = suggestion.atHand(in: versions) }
    return FieldConflict(
      field: field, ancestor: ancestor, client: client, server: server, change: change,
      suggestion: suggestion)
  }

  /// The same versions, with the ancestor's for a side that does not know the field; and, where the ancestor does not
  /// know it either, with the other side's for both.
  private static func completed(
    _ ancestor: FieldVersion<Value>?, _ client: FieldVersion<Value>?, _ server: FieldVersion<Value>?
  ) -> ThreeWay<FieldVersion<Value>> {
    if let client, let server { return ThreeWay(ancestor: ancestor, client: client, server: server) }
    let known = ancestor ?? client ?? server ?? FieldVersion(.null, time: nil)
    return ThreeWay(ancestor: known, client: client ?? known, server: server ?? known)
  }

  /// A field of a record that is decided as a whole: only what its present side changed is told.
  static func whole(
    _ field: Field, ancestor: FieldVersion<Value>?, client: FieldVersion<Value>?,
    server: FieldVersion<Value>?, reason: Reason
  ) -> FieldConflict {
    let present = client ?? server
    let isUnchanged = present == nil || ancestor?.value == present?.value
    let change: Change = isUnchanged ? .unchanged : client != nil ? .onlyClient : .onlyServer
    return FieldConflict(
      field: field, ancestor: ancestor, client: client, server: server, change: change,
      suggestion: Suggestion(present?.value ?? .null, source: nil, certainty: nil, reason: reason))
  }
}

extension Suggestion<Value> {
  /// The same suggestion with bytes, if an equal version has them; otherwise it is a person's to decide: bytes that are
  /// not here cannot be written.
  fileprivate func atHand(in versions: ThreeWay<FieldVersion<Value>>) -> Suggestion {
    var copy = self
    let sides = [versions.client.value, versions.server.value, versions.ancestor?.value].compactMap(\.self)
    if let known = sides.first(where: { $0 == value && $0.isAtHand }) {
      copy.value = known
    } else if certainty != nil {
      copy.certainty = .yours
      copy.reason = .notAtHand(sideWithoutBytes)
    }
    return copy
  }

  /// Bytes can lack only where a side's own value is suggested; of two equal sides the server's were the ones to come.
  private var sideWithoutBytes: Side {
    switch source {
    case .client?: .client
    case .ancestor?: .ancestor
    case .server?, .both?, .edited?, .merged?, nil: .server
    }
  }
}

extension FieldConflict {
  /// Takes the suggestion away where only a tie stands for one: neither edit has a time, and a person decides.
  mutating func leaveTie() {
    guard suggestion.certainty == .yours, client?.time == nil, server?.time == nil else { return }
    suggestion.source = nil
  }

  /// Leaves it to a person where the suggestion stands on something that can hardly be true: a time that lies ahead, or
  /// a value which is not of the field's type and is not here already. What the field cannot hold is not suggested at all.
  mutating func doubt(latestTime: Int64?) {
    guard let reason = reasonToDoubt(latestTime) else { return }
    (suggestion.certainty, suggestion.reason) = (.yours, reason)
    if reason == .required { suggestion.source = nil }
  }

  /// The same where it points to nothing: of that there is nothing to take.
  mutating func doubt(unreferenced: Set<Value>?) {
    guard let certainty = suggestion.certainty, certainty > .yours,
      unreferenced?.contains(suggestion.value) == true
    else { return }
    (suggestion.certainty, suggestion.reason, suggestion.source) = (.yours, .pointsNowhere, nil)
  }

  private func reasonToDoubt(_ latestTime: Int64?) -> Reason? {
    guard let certainty = suggestion.certainty, certainty > .yours else { return nil }
    if suggestion.value == .null, field.refusal(of: .null) != nil { return .required }
    if let expected = expectedType, suggestion.value != client?.value {
      return .wrongType(expected: expected)
    }
    return suggestion.reason.timeAhead(of: latestTime, client?.time, server?.time)
  }

  /// What the field takes, if the suggestion is something else. What nobody understands is shown as such anyway.
  private var expectedType: Field.Kind? {
    if case .opaque = suggestion.value { return nil }
    guard case .wrongType(_, let expected)? = field.refusal(of: suggestion.value) else { return nil }
    return expected
  }

  /// A field of a record with more leaves than two: `others` are folded, in their order, into what client and server give.
  /// Each is one more three-way merge on the same ancestor.
  static func folding(
    _ field: Field, ancestor: FieldVersion<Value>?, client: FieldVersion<Value>?,
    server: FieldVersion<Value>?, others: FoldedLeaves, policy: () -> MergePolicy<Value>
  ) -> FieldConflict {
    let pair = merging(field, ancestor: ancestor, client: client, server: server, policy: policy)
    let edits = others.edits
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
        certainty: certainty, reason: (certainty == .sure ? policyReason : nil) ?? others.reason))
  }
}

extension Suggestion {
  /// The reason, where a policy decided between edits.
  fileprivate var policyReason: Reason? { isByPolicy ? reason : nil }
}
