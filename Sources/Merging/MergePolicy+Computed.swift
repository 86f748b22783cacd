extension MergePolicy {
  /// A policy that computes the draft from the versions. Where `compute` answers nil, the newer edit is suggested and
  /// a person decides. A result that some side already had is named after that side.
  static func computed(
    _ name: String, tie: TieRule = .client,
    _ compute: @escaping @Sendable (_ ancestor: Value?, _ client: Value, _ server: Value) -> Value?
  ) -> MergePolicy {
    MergePolicy(name: name) { ancestor, client, server in
      suggestion(compute(ancestor.value, client.value, server.value), name, client, server)
        ?? undecided(client, server, tie: tie, because: .policyNotApplicable(name))
    } reconcile: { client, server in
      suggestion(compute(nil, client.value, server.value), name, client, server)
        ?? newerWithoutAncestor(client, server, tie: tie)
    }
  }

  static func suggestion(
    _ merged: Value?, _ name: String, _ client: Version, _ server: Version
  ) -> Suggestion<Value>? {
    merged.map {
      Suggestion(
        $0, source: .named($0, client: client.value, server: server.value), certainty: .sure,
        reason: .policy(name))
    }
  }

  /// Both sides may have made the same edit: then there is nothing to ask, whatever the policy cannot do with it.
  static func undecided(
    _ client: Version, _ server: Version, tie: TieRule, because reason: Reason
  ) -> Suggestion<Value> {
    guard client.value != server.value else { return .agreeing(client.value) }
    var newer = newerWithoutAncestor(client, server, tie: tie)
    newer.reason = reason
    return newer
  }
}

extension MergePolicy where Value: Comparable {
  /// The larger of both sides; the ancestor does not matter. Where neither is larger, as with a NaN, a person decides.
  public static var maximum: MergePolicy {
    computed("maximum") { _, client, server in larger(client, server) }
  }

  /// The smaller of both sides; the ancestor does not matter. Where neither is smaller, a person decides.
  public static var minimum: MergePolicy {
    computed("minimum") { _, client, server in larger(client, server).map { $0 == client ? server : client } }
  }

  private static func larger(_ client: Value, _ server: Value) -> Value? {
    if client < server { return server }
    return server < client || client == server ? client : nil
  }
}

extension MergePolicy where Value: FixedWidthInteger {
  /// Ancestor + both differences. Without an ancestor, or where the sum does not fit, the newer is suggested and a
  /// person decides.
  public static var counter: MergePolicy {
    computed("counter") { ancestor, client, server in
      ancestor.flatMap { counted(from: $0, client: client, server: server) }
    }
  }
}

/// `client + server - ancestor`, or nil if that does not fit.
///
/// The sum may fit where a step on the way to it does not. One of the three orders passes through no such step: the
/// first where the sides differ in sign, the second where both have one sign, the third for unsigned numbers.
func counted<Number: FixedWidthInteger>(from ancestor: Number, client: Number, server: Number) -> Number? {
  let orders = [
    { client.checkedAdding(server)?.checkedSubtracting(ancestor) },
    { server.checkedSubtracting(ancestor)?.checkedAdding(client) },
    { ancestor.checkedSubtracting(server).flatMap(client.checkedSubtracting) },
  ]
  return orders.lazy.compactMap { $0() }.first
}

extension FixedWidthInteger {
  fileprivate func checkedAdding(_ other: Self) -> Self? {
    let (sum, overflows) = addingReportingOverflow(other)
    return overflows ? nil : sum
  }

  fileprivate func checkedSubtracting(_ other: Self) -> Self? {
    let (difference, overflows) = subtractingReportingOverflow(other)
    return overflows ? nil : difference
  }
}

extension MergePolicy where Value: SetAlgebra {
  /// What all three have in common, and what either side added. Without an ancestor: everything either side has.
  public static var set: MergePolicy {
    computed("set") { ancestor, client, server in
      guard let ancestor else { return client.union(server) }
      let added = client.subtracting(ancestor).union(server.subtracting(ancestor))
      return ancestor.intersection(client).intersection(server).union(added)
    }
  }
}
