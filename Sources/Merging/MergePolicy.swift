/// A rule that decides a field without asking.
///
/// `merge` is asked when both sides changed the field, even to the same value, and the ancestor is known. `reconcile`
/// is asked when the ancestor is missing and the sides differ. One-sided changes never reach a policy.
public struct MergePolicy<Value: Equatable & Sendable>: Sendable {
  /// One side of a field, as a policy looks at it: the value, and when it was set.
  public typealias Version = FieldVersion<Value>

  /// What reasons call the policy; that of a rule has the rule's name, as configurations spell it.
  public let name: String
  /// The rule of the desk that it is; nil for one that was given in code, whatever its name.
  private(set) var rule: MergeRule?
  /// How it takes a side as it is; nil for one that looks at values, or computes.
  var sideTaken: SideTaken?
  let merge: @Sendable (_ ancestor: Version, _ client: Version, _ server: Version) -> Suggestion<Value>
  let reconcile: @Sendable (_ client: Version, _ server: Version) -> Suggestion<Value>

  /// A policy of which each answer says itself how sure it is, and why; ``custom(_:tie:value:)`` needs nothing but values.
  public init(
    name: String,
    merge:
      @escaping @Sendable (_ ancestor: Version, _ client: Version, _ server: Version) -> Suggestion<Value>,
    reconcile: @escaping @Sendable (_ client: Version, _ server: Version) -> Suggestion<Value>
  ) {
    (self.name, self.merge, self.reconcile) = (name, merge, reconcile)
  }

  /// A policy given in code: `value` returns the merged value, or nil where it has no answer and a person decides;
  /// then the newer edit is suggested, or the one `tie` names. Of a value that may be NULL, NULL is an answer;
  /// ``customIfPresent(_:tie:value:)`` has none of it.
  public static func custom(
    _ name: String, tie: TieRule = .client,
    value: @escaping @Sendable (_ ancestor: Value?, _ client: Value, _ server: Value) -> Value?
  ) -> MergePolicy {
    computed(name, tie: tie, value)
  }

  /// The policy of a rule, under its name.
  init(
    _ rule: MergeRule,
    merge:
      @escaping @Sendable (_ ancestor: Version, _ client: Version, _ server: Version) -> Suggestion<Value>,
    reconcile: @escaping @Sendable (_ client: Version, _ server: Version) -> Suggestion<Value>
  ) {
    self.init(name: rule.rawValue, merge: merge, reconcile: reconcile)
    self.rule = rule
  }
}

/// Which side wins where the times are equal or unknown.
public enum TieRule: String, Sendable, CaseIterable {
  case client, server

  var side: Side { self == .client ? .client : .server }
}

/// Which side's value a policy takes, where both have changed it to different ones: what the suggestion says as well, for who asks for
/// nothing but the value.
@usableFromInline
enum SideTaken: Sendable {
  case always(Side)
  /// The newer one.
  case newer(tie: TieRule)

  @usableFromInline
  func side(client: Int64?, server: Int64?) -> Side {
    switch self {
    case .always(let side): side
    case .newer(let tie): newerSide(client, server) ?? tie.side
    }
  }
}

/// An unknown time counts as older than any known one; nil of equal ones.
func newerSide(_ client: Int64?, _ server: Int64?) -> Side? {
  switch (client, server) {
  case (nil, nil): nil
  case (_?, nil): .client
  case (nil, _?): .server
  case (let client?, let server?): client == server ? nil : client > server ? .client : .server
  }
}

extension MergePolicy {
  func taking(_ side: SideTaken) -> MergePolicy {
    var policy = self
    policy.sideTaken = side
    return policy
  }

  /// What this policy writes into a field with these versions.
  public func suggestion(for versions: ThreeWay<Version>) -> Suggestion<Value> {
    MergePolicy.suggestion(for: versions, change: versions.changeOfValues()) { self }
  }

  /// The same with a policy that is made only if it is asked, since most fields of a conflict are unchanged.
  static func suggestion(
    for versions: ThreeWay<Version>, change: Change, policy: () -> MergePolicy
  ) -> Suggestion<Value> {
    let (client, server) = (versions.client, versions.server)
    switch change {
    case .unchanged: return Suggestion(client.value, source: nil, certainty: nil, reason: .unchanged)
    case .onlyClient:
      return Suggestion(client.value, source: .client, certainty: .sure, reason: .onlyChanged(.client))
    case .onlyServer:
      return Suggestion(server.value, source: .server, certainty: .sure, reason: .onlyChanged(.server))
    case .same, .different:
      if let ancestor = versions.ancestor { return policy().merge(ancestor, client, server) }
      return change == .same ? .agreeing(client.value) : policy().reconcile(client, server)
    }
  }
}

extension Suggestion {
  static func agreeing(_ value: Value) -> Suggestion {
    Suggestion(value, source: .both, certainty: .sure, reason: .agree)
  }
}
