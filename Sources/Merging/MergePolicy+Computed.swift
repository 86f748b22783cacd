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

  /// The same as the policy of a rule.
  static func computed(
    _ rule: MergeRule, tie: TieRule,
    _ compute: @escaping @Sendable (_ ancestor: Value?, _ client: Value, _ server: Value) -> Value?
  ) -> MergePolicy {
    let policy = computed(rule.rawValue, tie: tie, compute)
    return MergePolicy(rule, merge: policy.merge, reconcile: policy.reconcile)
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
    guard !areAlike(client.value, server.value) else { return .agreeing(client.value) }
    var newer = newerWithoutAncestor(client, server, tie: tie)
    newer.reason = reason
    return newer
  }
}

extension MergePolicy where Value: Comparable {
  /// The larger of both sides; the ancestor does not matter. Texts are ordered by their UTF-8, as SQLite's BINARY does. Where neither is larger, as with a NaN, a person decides.
  public static var maximum: MergePolicy { maximum(tie: .client) }

  /// The same; where a person decides, `tie` names what is suggested of edits of one time. So do all that follow.
  public static func maximum(tie: TieRule) -> MergePolicy {
    computed(.maximum, tie: tie) { _, client, server in larger(client, server) }
  }

  /// The smaller of both sides; the ancestor does not matter. Where neither is smaller, a person decides.
  public static var minimum: MergePolicy { minimum(tie: .client) }

  /// The same; where a person decides, `tie` names what is suggested of edits of one time.
  public static func minimum(tie: TieRule) -> MergePolicy {
    computed(.minimum, tie: tie) { _, client, server in smaller(client, server) }
  }
}

func larger<Value: Comparable>(_ client: Value, _ server: Value) -> Value? {
  if isLess(client, server) { return server }
  return isLess(server, client) || areAlike(client, server) ? client : nil
}

func smaller<Value: Comparable>(_ client: Value, _ server: Value) -> Value? {
  larger(client, server).map { areAlike($0, client) ? server : client }
}

extension MergePolicy where Value: FixedWidthInteger {
  /// Ancestor + both differences. Without an ancestor, or where the sum does not fit, the newer is suggested and a
  /// person decides.
  public static var counter: MergePolicy { counter(tie: .client) }

  /// The same; where a person decides, `tie` names what is suggested of edits of one time.
  public static func counter(tie: TieRule) -> MergePolicy { computed(.counter, tie: tie, counted) }
}

extension MergePolicy where Value: BinaryFloatingPoint {
  /// Ancestor + both differences. Without an ancestor, or where the sum is not finite, the newer is suggested and a person
  /// decides.
  public static var counter: MergePolicy { counter(tie: .client) }

  /// The same; where a person decides, `tie` names what is suggested of edits of one time.
  public static func counter(tie: TieRule) -> MergePolicy { computed(.counter, tie: tie, counted) }
}

func counted<Number: FixedWidthInteger>(_ ancestor: Number?, _ client: Number, _ server: Number) -> Number? {
  ancestor.flatMap { counted(from: $0, client: client, server: server) }
}

func counted<Number: BinaryFloatingPoint>(_ ancestor: Number?, _ client: Number, _ server: Number) -> Number?
{
  ancestor.flatMap { counted(from: $0, client: client, server: server) }
}

/// Both differences first: their sum rounds the same whichever side is the client, so two devices agree.
func counted<Number: BinaryFloatingPoint>(from ancestor: Number, client: Number, server: Number) -> Number? {
  let sum = ancestor + ((client - ancestor) + (server - ancestor))
  return sum.isFinite ? sum : nil
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
  public static var set: MergePolicy { Self.set(tie: .client) }

  /// The same. Sets always have an answer, so that `tie` is never asked; it is there as the other policies have it.
  public static func set(tie: TieRule) -> MergePolicy { computed(.set, tie: tie, united) }
}

func united<Members: SetAlgebra>(_ ancestor: Members?, _ client: Members, _ server: Members) -> Members? {
  if let client = client as? Set<String>, let server = server as? Set<String> {
    return unitedTexts(ancestor as? Set<String>, client, server) as? Members
  }
  guard let ancestor else { return client.union(server) }
  let added = client.subtracting(ancestor).union(server.subtracting(ancestor))
  return ancestor.intersection(client).intersection(server).union(added)
}

/// By their bytes, as the desk has the elements of a list. Where both sides have another normal form of one text, and a set can have but one
/// of them, that is the client's.
private func unitedTexts(
  _ ancestor: Set<String>?, _ client: Set<String>, _ server: Set<String>
) -> Set<String> {
  func isNew(_ text: String) -> Bool { ancestor?.holds(text) != true }
  return client.filter { isNew($0) || server.holds($0) }.union(server.filter(isNew))
}
