extension MergePolicy {
  /// A policy that computes the draft from the versions. Where `compute` answers nil, the newer edit is suggested and
  /// a person decides. A result that some side already had is named after that side.
  static func computed(
    _ name: String,
    _ compute: @escaping @Sendable (_ ancestor: Value?, _ client: Value, _ server: Value) -> Value?
  ) -> MergePolicy {
    MergePolicy(name: name) { ancestor, client, server in
      suggestion(compute(ancestor.value, client.value, server.value), name, client, server)
        ?? undecided(client, server, because: .policyNotApplicable(name))
    } reconcile: { client, server in
      suggestion(compute(nil, client.value, server.value), name, client, server)
        ?? newerWithoutAncestor(client, server, tie: .client)
    }
  }

  private static func suggestion(
    _ merged: Value?, _ name: String, _ client: Version, _ server: Version
  ) -> Suggestion<Value>? {
    merged.map {
      Suggestion(
        $0, source: source(of: $0, client.value, server.value), certainty: .sure, reason: .policy(name))
    }
  }

  private static func undecided(
    _ client: Version, _ server: Version, because reason: Reason
  ) -> Suggestion<Value> {
    var newer = newerWithoutAncestor(client, server, tie: .client)
    newer.reason = reason
    return newer
  }

  private static func source(of merged: Value, _ client: Value, _ server: Value) -> Source {
    switch (merged == client, merged == server) {
    case (true, true): .both
    case (true, false): .client
    case (false, true): .server
    case (false, false): .merged
    }
  }
}

extension MergePolicy where Value: Comparable {
  /// The larger of both sides; the ancestor does not matter.
  public static var maximum: MergePolicy { computed("maximum") { _, client, server in max(client, server) } }

  /// The smaller of both sides; the ancestor does not matter.
  public static var minimum: MergePolicy { computed("minimum") { _, client, server in min(client, server) } }
}

extension MergePolicy where Value: FixedWidthInteger {
  /// Ancestor + both differences. Without an ancestor, or where the sum does not fit, the newer is suggested and a
  /// person decides.
  public static var counter: MergePolicy {
    computed("counter") { ancestor, client, server in
      guard let ancestor else { return nil }
      return sum(ancestor: ancestor, client: client, server: server)
    }
  }

  private static func sum(ancestor: Value, client: Value, server: Value) -> Value? {
    let (change, overflows) = server.subtractingReportingOverflow(ancestor)
    guard !overflows else { return nil }
    let (sum, sumOverflows) = client.addingReportingOverflow(change)
    return sumOverflows ? nil : sum
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
