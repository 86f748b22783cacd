extension MergePolicy {
  /// The newer edit wins. Only two known times that differ decide; otherwise the side whose time is known, or the one
  /// the tie rule names, is suggested, and a person decides.
  ///
  /// Without an ancestor the newer field is suggested, and a person decides.
  ///
  /// - Parameters:
  ///   - tie: the side that is suggested where a person decides between edits of one time.
  ///   - margin: how far apart the clocks may be, in nanoseconds: a smaller difference of times proves nothing, and a
  ///     person decides. The newer edit stays the suggestion.
  public static func latest(tie: TieRule = .client, margin: Int64 = 0) -> MergePolicy {
    MergePolicy(.latest) { _, client, server in
      areAlike(client.value, server.value)
        ? .agreeing(client.value) : newer(client, server, tie: tie, margin: margin)
    } reconcile: { client, server in
      newerWithoutAncestor(client, server, tie: tie)
    }.taking(.newer(tie: tie))
  }

  /// The client's value. Without an ancestor too.
  public static var client: MergePolicy { side(.client, .client) }

  /// The server's value. Without an ancestor too.
  public static var server: MergePolicy { side(.server, .server) }

  /// The ancestor's value: neither edit is wanted. Without an ancestor a person decides, and the newer is suggested.
  public static var ancestor: MergePolicy { ancestor(tie: .client) }

  /// - Parameter tie: the side that is suggested where a person decides between edits of one time.
  public static func ancestor(tie: TieRule) -> MergePolicy {
    MergePolicy(.ancestor) { ancestor, _, _ in
      Suggestion(ancestor.value, source: .ancestor, certainty: .sure, reason: .policy("ancestor"))
    } reconcile: { client, server in
      newerWithoutAncestor(client, server, tie: tie)
    }
  }

  private static func side(_ rule: MergeRule, _ source: Source) -> MergePolicy {
    let take: @Sendable (Version, Version) -> Suggestion<Value> = { client, server in
      areAlike(client.value, server.value)
        ? .agreeing(client.value)
        : Suggestion(
          source == .client ? client.value : server.value, source: source, certainty: .sure,
          reason: .policy(rule.rawValue))
    }
    return MergePolicy(rule, merge: { take($1, $2) }, reconcile: take).taking(
      .always(source == .client ? .client : .server))
  }

  private static func newer(
    _ client: Version, _ server: Version, tie: TieRule, margin: Int64
  ) -> Suggestion<Value> {
    let newer = newerSide(client.time, server.time)
    let side = newer ?? tie.side
    let value = side == .client ? client.value : server.value
    let reason = clockReason(newer, client.time, server.time, tie: tie, margin: margin)
    return Suggestion(
      value, source: Source(side), certainty: reason.isOfTheClock ? .byClock : .yours, reason: reason)
  }

  private static func clockReason(
    _ newer: Side?, _ client: Int64?, _ server: Int64?, tie: TieRule, margin: Int64
  ) -> Reason {
    guard let newer else { return .sameTime(client, tieRule: tie.side) }
    guard let client, let server else { return .onlyTimeKnown(newer) }
    let difference = client.distance(inTimeTo: server)
    if difference < margin { return .withinMargin(newer, client: client, server: server, margin: margin) }
    return .newer(newer, by: difference)
  }

  static func newerWithoutAncestor(_ client: Version, _ server: Version, tie: TieRule) -> Suggestion<Value> {
    let newer = newerSide(client.time, server.time)
    let side = newer ?? tie.side
    let isOneKnown = (client.time == nil) != (server.time == nil)
    return Suggestion(
      side == .client ? client.value : server.value, source: Source(side), certainty: .yours,
      reason: isOneKnown ? .noAncestorTimeOf(side) : .noAncestor(newer: newer))
  }
}

extension Int64 {
  /// How far two times lie apart, in nanoseconds; never negative.
  package func distance(inTimeTo other: Int64) -> Int64 {
    let (difference, overflow) = Swift.max(self, other).subtractingReportingOverflow(Swift.min(self, other))
    return overflow ? .max : difference
  }
}

extension Reason {
  fileprivate var isOfTheClock: Bool {
    if case .newer = self { true } else { false }
  }
}

extension Source {
  init(_ side: Side) {
    switch side {
    case .ancestor: self = .ancestor
    case .client: self = .client
    case .server: self = .server
    }
  }
}
