/// A field of a typed row: its column, where it lies in the row, and the policy that merges it.
///
/// Only what a row's code can set is a field: `let id`, and a property that is only read, as of a generated column, do not
/// compile as one. Nor does a policy that does not fit the type, such as a counter of a String. A computed property with a setter
/// compiles, as Swift does not tell it from a stored one, and so do `\.self`, a path through `!`, which ends the program at nil, and one
/// through an index, which ends it where there is no such element: leave them out.
public struct MergeField<Row: Sendable>: Sendable {
  /// The column's name in the database.
  public let column: String
  /// The name of its policy, which is the one that the desk's configuration has for it.
  public let policy: String
  /// The rule by which the desk, which sees stored values and no types, merges the field in the same way; nil if it has none.
  let ruleOfDesk: MergeRule?
  @usableFromInline
  let keyPath: PartialKeyPath<Row> & Sendable
  /// What it is read by where no value of its type is needed.
  @usableFromInline
  let place: FieldPlace
  @usableFromInline
  let sideTaken: SideTaken?
  @usableFromInline
  let isEqual: @Sendable (Row, Row) -> Bool
  @usableFromInline
  package let copy: @Sendable (_ from: Row, _ to: inout Row) -> Void
  @usableFromInline
  let merge: @Sendable (MergeConflict<Row>, inout Row) -> Void
  let certainty: @Sendable (MergeConflict<Row>) -> Certainty?

  /// Whether two rows have the same in it.
  @inlinable
  func isAlike(_ left: Row, _ right: Row) -> Bool {
    withUnsafePointer(to: left) { left in
      withUnsafePointer(to: right) { right in
        place.isAlike(left, right) ?? isEqual(left.pointee, right.pointee)
      }
    }
  }

  /// The field's value, of whatever type.
  package func value(of row: Row) -> Any { row[keyPath: keyPath] }

  /// A field whose values are equal where their type says so, and texts and sets of texts where their bytes are.
  public static func field<Value: Equatable & Sendable>(
    _ column: String, _ keyPath: WritableKeyPath<Row, Value> & Sendable,
    _ policy: MergePolicy<Value> = .latest()
  ) -> MergeField {
    MergeField(
      column: column, policy: policy.name, ruleOfDesk: ruleOfDesk(policy.rule, Value.self),
      keyPath: ofValue(keyPath), place: FieldPlace(keyPath), sideTaken: policy.sideTaken,
      isEqual: { areAlike($0[keyPath: keyPath], $1[keyPath: keyPath]) },
      copy: { $1[keyPath: keyPath] = $0[keyPath: keyPath] },
      merge: { conflict, row in
        row[keyPath: keyPath] = conflict.suggestion(for: keyPath, policy: policy).value
      },
      certainty: { $0.suggestion(for: keyPath, policy: policy).certainty })
  }

  /// A field whose values are no Equatable, or are equal where something of them is: a picture by its SHA-256.
  ///
  /// The policies that fit are those that take a side's value as it is, and ``MergePolicy/custom(_:tie:value:)``.
  public static func field<Value: Sendable, Key: Equatable & Sendable>(
    _ column: String, _ keyPath: WritableKeyPath<Row, Value> & Sendable,
    comparing key: @escaping @Sendable (Value) -> Key,
    _ policy: MergePolicy<Compared<Value, Key>> = .latest()
  ) -> MergeField {
    MergeField(
      column: column, policy: policy.name, ruleOfDesk: ruleOfDesk(policy.rule, Compared<Value, Key>.self),
      keyPath: ofValue(keyPath), place: .elsewhere, sideTaken: policy.sideTaken,
      isEqual: { areAlike(key($0[keyPath: keyPath]), key($1[keyPath: keyPath])) },
      copy: { $1[keyPath: keyPath] = $0[keyPath: keyPath] },
      merge: { conflict, row in
        row[keyPath: keyPath] =
          conflict.suggestion(for: keyPath, comparing: key, policy: policy).value.value
      },
      certainty: { $0.suggestion(for: keyPath, comparing: key, policy: policy).certainty })
  }
}

extension MergeField {
  /// - Precondition: the field lies in the row itself. One of a class, or behind one, would be merged into all three versions.
  private static func ofValue<Value>(
    _ keyPath: WritableKeyPath<Row, Value> & Sendable
  ) -> WritableKeyPath<Row, Value> & Sendable {
    precondition(
      !(keyPath is ReferenceWritableKeyPath<Row, Value>),
      "a row is a struct, and none of its fields lies in an object: a draft would change the versions it is made of"
    )
    return keyPath
  }

  /// A policy that computes is the desk's where the desk has the same values, order and range: it has no types of an app.
  private static func ruleOfDesk(_ rule: MergeRule?, _ type: Any.Type) -> MergeRule? {
    guard let rule else { return nil }
    return rule.isOfDesk((type as? any Nullable.Type)?.wrappedType ?? type) ? rule : nil
  }
}

extension Nullable {
  fileprivate static var wrappedType: Any.Type { Wrapped.self }
}

extension MergeRule {
  /// Whether it gives the same for what is stored of a type as for the type's own values.
  fileprivate func isOfDesk(_ type: Any.Type) -> Bool {
    switch self {
    case .latest, .client, .server, .ancestor: true
    case .counter: type == Int.self || type == Int64.self || type == Double.self
    case .maximum, .minimum:
      type is any BinaryInteger.Type || type is any BinaryFloatingPoint.Type || type == String.self
    case .set: (type as? any SetOfElements.Type)?.hasElementsOfDesk ?? false
    case .text, .keys: type == String.self
    }
  }
}

/// A set that JSON holds as a list; an OptionSet is a number.
private protocol SetOfElements { static var hasElementsOfDesk: Bool { get } }

extension Set: SetOfElements {
  /// Texts and integers, which JSON spells in one way: the desk compares elements by their spelling, and takes none that have parts.
  static var hasElementsOfDesk: Bool { Element.self == String.self || Element.self is any BinaryInteger.Type }
}

/// A value that is equal to another where its key is: for types that are not Equatable, and for assets, of which one side
/// knows no more than the hash.
public struct Compared<Value: Sendable, Key: Equatable & Sendable>: Equatable, Sendable {
  /// The value itself, as the row has it.
  public let value: Value
  /// What of the value decides whether two are equal.
  public let key: Key

  /// Takes the key of a value once, as it is compared many times.
  public init(_ value: Value, by key: (Value) -> Key) { (self.value, self.key) = (value, key(value)) }

  public static func == (left: Compared, right: Compared) -> Bool { areAlike(left.key, right.key) }
}

/// A key that is nil on both sides says nothing of values that tell too little.
extension Compared: PartlyKnown {
  package var isKnown: Bool { (value as? any PartlyKnown)?.isKnown ?? true }
}

extension Compared: Comparable where Key: Comparable {
  public static func < (left: Compared, right: Compared) -> Bool { isLess(left.key, right.key) }
}
