/// One field of a conflict: its versions, what they say, and what is suggested.
public struct FieldConflict: Sendable, Equatable {
  public let field: Field
  /// The versions; nil where that side has no such field, or its version of the record is not present.
  public let ancestor: FieldVersion<Value>?
  public let client: FieldVersion<Value>?
  public let server: FieldVersion<Value>?
  public let change: Change
  public let suggestion: Suggestion<Value>

  public var name: String { field.name }

  public func version(_ side: Side) -> FieldVersion<Value>? {
    switch side {
    case .ancestor: ancestor
    case .client: client
    case .server: server
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
    server: FieldVersion<Value>?,
    policy: () -> MergePolicy<Value>
  ) -> FieldConflict {
    let versions = completed(ThreeWay(ancestor: ancestor, client: client, server: server))
    let change = versions.changeOfValues()
    let suggestion = MergePolicy.suggestion(for: versions, change: change, policy: policy)
    return FieldConflict(
      field: field, ancestor: ancestor, client: client, server: server, change: change,
      suggestion: suggestion.atHand(in: versions))
  }

  /// The same versions, with the ancestor's for a side that does not know the field; and, where the ancestor does not
  /// know it either, with the other side's for both.
  private static func completed(_ versions: ThreeWay<FieldVersion<Value>?>) -> ThreeWay<FieldVersion<Value>> {
    let ancestor = versions.ancestor.flatMap(\.self)
    guard let client = versions.client, let server = versions.server else {
      let known = ancestor ?? versions.client ?? versions.server ?? FieldVersion(.null, time: nil)
      return ThreeWay(ancestor: known, client: versions.client ?? known, server: versions.server ?? known)
    }
    return ThreeWay(ancestor: ancestor, client: client, server: server)
  }

  /// A field of a record that is decided as a whole: only what its present side changed is told.
  static func whole(
    _ field: Field, ancestor: FieldVersion<Value>?, client: FieldVersion<Value>?,
    server: FieldVersion<Value>?,
    reason: Reason
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
    guard !value.isAtHand else { return self }
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
