extension MergePolicy {
  /// The newer edit wins. Equal or unknown times decide nothing: the tie rule suggests a side, and a person decides.
  ///
  /// Without an ancestor the newer field is suggested, and a person decides.
  public static func latest(tie: TieRule = .client) -> MergePolicy {
    MergePolicy(name: "latest") { _, client, server in
      client.value == server.value ? .agreeing(client.value) : newer(client, server, tie: tie)
    } reconcile: { client, server in
      newerWithoutAncestor(client, server, tie: tie)
    }
  }

  /// The client's value. Without an ancestor too.
  public static var client: MergePolicy { side("client", .client) }

  /// The server's value. Without an ancestor too.
  public static var server: MergePolicy { side("server", .server) }

  /// The ancestor's value: neither edit is wanted. Without an ancestor a person decides, and the newer is suggested.
  public static var ancestor: MergePolicy {
    MergePolicy(name: "ancestor") { ancestor, _, _ in
      Suggestion(ancestor.value, source: .ancestor, certainty: .sure, reason: .policy("ancestor"))
    } reconcile: { client, server in
      newerWithoutAncestor(client, server, tie: .client)
    }
  }

  private static func side(_ name: String, _ source: Source) -> MergePolicy {
    let take: @Sendable (Version, Version) -> Suggestion<Value> = { client, server in
      client.value == server.value
        ? .agreeing(client.value)
        : Suggestion(
          source == .client ? client.value : server.value, source: source, certainty: .sure,
          reason: .policy(name))
    }
    return MergePolicy(name: name, merge: { take($1, $2) }, reconcile: take)
  }

  private static func newer(_ client: Version, _ server: Version, tie: TieRule) -> Suggestion<Value> {
    guard let side = newerSide(client, server) else {
      let value = tie == .client ? client.value : server.value
      return Suggestion(
        value, source: Source(tie.side), certainty: .yours,
        reason: .sameTime(client.time, tieRule: tie.side))
    }
    return Suggestion(
      side == .client ? client.value : server.value, source: Source(side), certainty: .byClock,
      reason: newerReason(side, client.time, server.time))
  }

  private static func newerReason(_ side: Side, _ client: Int64?, _ server: Int64?) -> Reason {
    guard let client, let server else { return .onlyTimeKnown(side) }
    let (difference, overflow) = max(client, server).subtractingReportingOverflow(min(client, server))
    return .newer(side, by: overflow ? .max : difference)
  }

  static func newerWithoutAncestor(_ client: Version, _ server: Version, tie: TieRule) -> Suggestion<Value> {
    let newer = newerSide(client, server)
    let side = newer ?? tie.side
    return Suggestion(
      side == .client ? client.value : server.value, source: Source(side), certainty: .yours,
      reason: .noAncestor(newer: newer))
  }

  /// An unknown time counts as older than any known one.
  private static func newerSide(_ client: Version, _ server: Version) -> Side? {
    let (clientTime, serverTime) = (client.time ?? .min, server.time ?? .min)
    return clientTime == serverTime ? nil : clientTime > serverTime ? .client : .server
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
