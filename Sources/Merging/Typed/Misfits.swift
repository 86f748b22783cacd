/// A policy of a type that it does not fit, so that the compiler says what it needs. Where it fits, the compiler takes the other one.
extension MergePolicy {
  @available(
    *, unavailable,
    message:
      "a counter needs a number: an Int, a Double, or one of them that may be NULL; for others write a custom policy"
  )
  public static var counter: MergePolicy { counter(tie: .client) }

  @available(
    *, unavailable,
    message:
      "a counter needs a number: an Int, a Double, or one of them that may be NULL; for others write a custom policy"
  )
  public static func counter(tie: TieRule) -> MergePolicy { .latest(tie: tie) }

  @available(*, unavailable, message: "a set needs a set: Set, or another SetAlgebra, which may be NULL")
  public static var set: MergePolicy { Self.set(tie: .client) }

  @available(*, unavailable, message: "a set needs a set: Set, or another SetAlgebra, which may be NULL")
  public static func set(tie: TieRule) -> MergePolicy { .latest(tie: tie) }

  @available(*, unavailable, message: "a maximum needs values that are Comparable")
  public static var maximum: MergePolicy { maximum(tie: .client) }

  @available(*, unavailable, message: "a maximum needs values that are Comparable")
  public static func maximum(tie: TieRule) -> MergePolicy { .latest(tie: tie) }

  @available(*, unavailable, message: "a minimum needs values that are Comparable")
  public static var minimum: MergePolicy { minimum(tie: .client) }

  @available(*, unavailable, message: "a minimum needs values that are Comparable")
  public static func minimum(tie: TieRule) -> MergePolicy { .latest(tie: tie) }

  @available(*, unavailable, message: "a text is merged in a String, which may be NULL")
  public static var text: MergePolicy { text(tie: .client) }

  @available(*, unavailable, message: "a text is merged in a String, which may be NULL")
  public static func text(tie: TieRule) -> MergePolicy { .latest(tie: tie) }

  @available(*, unavailable, message: "JSON is merged by its keys in a String, which may be NULL")
  public static var keys: MergePolicy { keys(tie: .client) }

  @available(*, unavailable, message: "JSON is merged by its keys in a String, which may be NULL")
  public static func keys(tie: TieRule) -> MergePolicy { .latest(tie: tie) }
}

/// What cannot be a field, whatever its policy.
extension MergeField {
  @available(
    *, unavailable,
    message:
      "a field is a 'var' that is stored: leave the primary key, each 'let' and what is computed out of mergeFields"
  )
  public static func field<Value: Equatable & Sendable>(
    _ column: String, _ keyPath: KeyPath<Row, Value> & Sendable, _ policy: MergePolicy<Value> = .latest()
  ) -> MergeField { preconditionFailure("nobody can call it") }

  @available(
    *, unavailable,
    message:
      "values that are not Equatable need to say what of them is compared: .field(\"…\", \\.…, comparing: \\.…)"
  )
  public static func field<Value: Sendable>(
    _ column: String, _ keyPath: WritableKeyPath<Row, Value> & Sendable,
    _ policy: MergePolicy<Compared<Value, Bool>> = .latest()
  ) -> MergeField { preconditionFailure("nobody can call it") }
}
