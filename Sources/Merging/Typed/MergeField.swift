/// A field of a typed row: its column, where it lies in the row, and the policy that merges it.
///
/// Only what a row's code can set is a field: `let id`, and a property that is computed as a generated column is, do not
/// compile as one. Nor does a policy that does not fit the type, such as a counter of a String.
public struct MergeField<Row: Sendable>: Sendable {
  /// The column's name in the database.
  public let column: String
  /// The name of its policy, which is the one that the desk's configuration has for it.
  public let policy: String
  let keyPath: PartialKeyPath<Row> & Sendable
  let isEqual: @Sendable (Row, Row) -> Bool
  let copy: @Sendable (_ from: Row, _ to: inout Row) -> Void
  let merge: @Sendable (MergeConflict<Row>, inout Row) -> Void
  let certainty: @Sendable (MergeConflict<Row>) -> Certainty?

  /// The field's value, of whatever type.
  package func value(of row: Row) -> Any { row[keyPath: keyPath] }

  /// A field whose values are equal where their type says so, and texts where their bytes are.
  public static func field<Value: Equatable & Sendable>(
    _ column: String, _ keyPath: WritableKeyPath<Row, Value> & Sendable,
    _ policy: MergePolicy<Value> = .latest()
  ) -> MergeField {
    MergeField(
      column: column, policy: policy.name, keyPath: keyPath,
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
      column: column, policy: policy.name, keyPath: keyPath,
      isEqual: { areAlike(key($0[keyPath: keyPath]), key($1[keyPath: keyPath])) },
      copy: { $1[keyPath: keyPath] = $0[keyPath: keyPath] },
      merge: { conflict, row in
        row[keyPath: keyPath] =
          conflict.suggestion(for: keyPath, comparing: key, policy: policy).value.value
      },
      certainty: { $0.suggestion(for: keyPath, comparing: key, policy: policy).certainty })
  }
}

/// A value that is equal to another where its key is: for types that are not Equatable, and for assets, of which one side
/// knows no more than the hash.
public struct Compared<Value: Sendable, Key: Equatable & Sendable>: Equatable, Sendable {
  public let value: Value
  public let key: Key

  public init(_ value: Value, by key: (Value) -> Key) { (self.value, self.key) = (value, key(value)) }

  public static func == (left: Compared, right: Compared) -> Bool { areAlike(left.key, right.key) }
}

extension Compared: Comparable where Key: Comparable {
  public static func < (left: Compared, right: Compared) -> Bool { isLess(left.key, right.key) }
}
