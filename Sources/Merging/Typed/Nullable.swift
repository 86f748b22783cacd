import ExactJSON

/// A field that may be NULL. Its policies are those of the type that it wraps, under the same names.
///
/// With a NULL on a side that it has to work with, a policy cannot be applied: the newer edit is suggested, and a person
/// decides.
public protocol Nullable {
  /// The type of the values that are not NULL.
  associatedtype Wrapped
  /// The value, or nil for NULL.
  var wrapped: Wrapped? { get }
  /// A value that is not NULL.
  init(_ wrapped: Wrapped)
}

extension Optional: Nullable {
  /// Itself.
  public var wrapped: Wrapped? { self }
}

extension MergePolicy where Value: Nullable {
  /// A policy given in code for an Optional field, of the values that it may have: where a side is NULL it is not asked, and a person
  /// decides, as where it answers nil. A field of any other type has ``custom(_:tie:value:)`` alone.
  ///
  /// ``custom(_:tie:value:)`` has NULL among its values and answers. So what a function gives it that returns nil for what it cannot do
  /// is NULL there, and here none.
  ///
  /// - Parameters:
  ///   - name: as reasons tell it.
  ///   - tie: the side that is suggested where a person decides between edits of one time.
  ///   - value: the merged value, or nil; it gets no ancestor where that was NULL, too.
  public static func customIfPresent(
    _ name: String, tie: TieRule = .client,
    value:
      @escaping @Sendable (_ ancestor: Value.Wrapped?, _ client: Value.Wrapped, _ server: Value.Wrapped) ->
      Value.Wrapped?
  ) -> MergePolicy {
    computed(name, tie: tie) { ancestor, client, server in
      ifPresent(ancestor, client, server, asksAncestor: false, value)
    }
  }

  /// - Parameter asksAncestor: whether an ancestor that was NULL is a value `compute` has to work with.
  static func computedIfPresent(
    _ rule: MergeRule, tie: TieRule, asksAncestor: Bool = true,
    _ compute:
      @escaping @Sendable (_ ancestor: Value.Wrapped?, Value.Wrapped, Value.Wrapped) -> Value.Wrapped?
  ) -> MergePolicy {
    computed(rule, tie: tie) { ancestor, client, server in
      ifPresent(ancestor, client, server, asksAncestor: asksAncestor, compute)
    }
  }

  private static func ifPresent(
    _ ancestor: Value?, _ client: Value, _ server: Value, asksAncestor: Bool,
    _ compute: (Value.Wrapped?, Value.Wrapped, Value.Wrapped) -> Value.Wrapped?
  ) -> Value? {
    guard let client = client.wrapped, let server = server.wrapped else { return nil }
    if asksAncestor, let ancestor, ancestor.wrapped == nil { return nil }
    return compute(ancestor?.wrapped, client, server).map(Value.init)
  }
}

extension MergePolicy where Value: Nullable, Value.Wrapped: Comparable {
  /// The larger of both sides.
  public static var maximum: MergePolicy { maximum(tie: .client) }

  /// The same; where a person decides, `tie` names what is suggested of edits of one time.
  public static func maximum(tie: TieRule) -> MergePolicy {
    computedIfPresent(.maximum, tie: tie, asksAncestor: false) { _, client, server in larger(client, server)
    }
  }

  /// The smaller of both sides.
  public static var minimum: MergePolicy { minimum(tie: .client) }

  /// The same; where a person decides, `tie` names what is suggested of edits of one time.
  public static func minimum(tie: TieRule) -> MergePolicy {
    computedIfPresent(.minimum, tie: tie, asksAncestor: false) { _, client, server in smaller(client, server)
    }
  }
}

extension MergePolicy where Value: Nullable, Value.Wrapped: FixedWidthInteger {
  /// Ancestor + both differences.
  public static var counter: MergePolicy { counter(tie: .client) }

  /// The same; where a person decides, `tie` names what is suggested of edits of one time.
  public static func counter(tie: TieRule) -> MergePolicy { computedIfPresent(.counter, tie: tie, counted) }
}

extension MergePolicy where Value: Nullable, Value.Wrapped: BinaryFloatingPoint {
  /// Ancestor + both differences.
  public static var counter: MergePolicy { counter(tie: .client) }

  /// The same; where a person decides, `tie` names what is suggested of edits of one time.
  public static func counter(tie: TieRule) -> MergePolicy { computedIfPresent(.counter, tie: tie, counted) }
}

extension MergePolicy where Value: Nullable, Value.Wrapped: SetAlgebra {
  /// What all three have in common, and what either side added.
  public static var set: MergePolicy { Self.set(tie: .client) }

  /// The same; where a person decides, `tie` names what is suggested of edits of one time.
  public static func set(tie: TieRule) -> MergePolicy { computedIfPresent(.set, tie: tie, united) }
}

extension MergePolicy where Value: Nullable, Value.Wrapped == String {
  /// Three-way by words.
  public static var text: MergePolicy { text(tie: .client) }

  /// The same; where a person decides, `tie` names what is suggested of edits of one time.
  public static func text(tie: TieRule) -> MergePolicy { text(tie: tie, read: \.wrapped, write: Value.init) }

  /// JSON in a text by its keys.
  public static var keys: MergePolicy { keys(tie: .client) }

  /// The same; where a person decides, `tie` names what is suggested of edits of one time.
  public static func keys(tie: TieRule) -> MergePolicy {
    keys(
      tie: tie, read: { $0.wrapped.flatMap { try? JSONValue(parsing: $0) } },
      write: { Value($0.text(like: $1.compactMap(\.wrapped))) })
  }
}
