/// The same thing as the ancestor, the client and the server have it. The ancestor may never have been kept.
public struct ThreeWay<Version> {
  /// nil where nobody kept it, so that nobody knows who changed what.
  public var ancestor: Version?
  /// As this device has it.
  public var client: Version
  /// As the server has it, as far as this device has heard.
  public var server: Version

  /// Three versions of one thing; `ancestor` is nil where it was not kept.
  public init(ancestor: Version?, client: Version, server: Version) {
    (self.ancestor, self.client, self.server) = (ancestor, client, server)
  }

  /// The same of what `transform` makes of each version; an ancestor that is not there stays so.
  public func map<Other>(_ transform: (Version) throws -> Other) rethrows -> ThreeWay<Other> {
    ThreeWay<Other>(
      ancestor: try ancestor.map(transform), client: try transform(client), server: try transform(server))
  }
}

extension ThreeWay: Sendable where Version: Sendable {}
extension ThreeWay: Equatable where Version: Equatable {}

/// What a field's three versions say.
public enum Change: String, Sendable, CaseIterable {
  case unchanged
  case onlyClient
  case onlyServer
  /// Both made the same edit. Kept apart from ``unchanged``: a real edit happened, and a policy may want to see it.
  case same
  case different
}

extension ThreeWay where Version: Equatable {
  /// Without an ancestor nobody knows who changed what: equal sides are the ``Change/same``, others ``Change/different``.
  public var change: Change { change(by: ==) }
}

extension ThreeWay {
  /// What the values say. Times never count.
  func changeOfValues<Value: Equatable>() -> Change where Version == FieldVersion<Value> {
    change { areAlike($0.value, $1.value) }
  }

  private func change(by areEqual: (Version, Version) -> Bool) -> Change {
    guard let ancestor else { return areEqual(client, server) ? .same : .different }
    return switch (areEqual(client, ancestor), areEqual(server, ancestor)) {
    case (true, true): .unchanged
    case (false, true): .onlyClient
    case (true, false): .onlyServer
    case (false, false): areEqual(client, server) ? .same : .different
    }
  }
}
