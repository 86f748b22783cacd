/// A conflict on a typed row, for an app that embeds the model.
///
/// ```swift
/// let conflict = MergeConflict(ancestor: ancestor, client: client, server: server)
/// conflict.mergedValue(for: \.title)                     // by the latest edit
/// conflict.mergedValue(for: \.visits, policy: .counter)  // by another policy
/// let draft = conflict.resolved()                        // as the type declares it
/// ```
///
/// Two values of a field are equal if their type says so: a String to which only the Unicode normal form was changed is
/// unchanged here, while the desk, which works on stored bytes, shows it. A deletion is no version of a row: where one side
/// deleted and the other edited, there is no such conflict, and a person decides.
public struct MergeConflict<Row: Sendable>: Sendable {
  public let versions: ThreeWay<RowVersion<Row>>

  public init(ancestor: RowVersion<Row>?, client: RowVersion<Row>, server: RowVersion<Row>) {
    versions = ThreeWay(ancestor: ancestor, client: client, server: server)
  }

  /// The three versions of one field.
  public func versions<Value: Sendable>(
    for keyPath: KeyPath<Row, Value> & Sendable
  ) -> ThreeWay<FieldVersion<Value>> {
    versions.map { $0[field: keyPath] }
  }

  /// What `policy` would write, how sure it is, and why.
  public func suggestion<Value: Equatable & Sendable>(
    for keyPath: KeyPath<Row, Value> & Sendable, policy: MergePolicy<Value> = .latest()
  ) -> Suggestion<Value> {
    policy.suggestion(for: versions(for: keyPath))
  }

  /// What `policy` would write.
  public func mergedValue<Value: Equatable & Sendable>(
    for keyPath: KeyPath<Row, Value> & Sendable, policy: MergePolicy<Value> = .latest()
  ) -> Value {
    suggestion(for: keyPath, policy: policy).value
  }
}

extension MergeConflict {
  /// The same for values that are no Equatable, or are equal where something of them is.
  public func suggestion<Value: Sendable, Key: Equatable & Sendable>(
    for keyPath: KeyPath<Row, Value> & Sendable, comparing key: (Value) -> Key,
    policy: MergePolicy<Compared<Value, Key>> = .latest()
  ) -> Suggestion<Compared<Value, Key>> {
    policy.suggestion(
      for: versions(for: keyPath).map { FieldVersion(Compared($0.value, by: key), time: $0.time) })
  }

  /// What `policy` would write, where values are equal if their key is.
  public func mergedValue<Value: Sendable, Key: Equatable & Sendable>(
    for keyPath: KeyPath<Row, Value> & Sendable, comparing key: (Value) -> Key,
    policy: MergePolicy<Compared<Value, Key>> = .latest()
  ) -> Value {
    suggestion(for: keyPath, comparing: key, policy: policy).value.value
  }
}

extension MergeConflict where Row: Mergeable {
  /// The draft as the row's type resolves it: by ``Mergeable/resolve(_:)``.
  public func resolved() -> Row.Draft { Row.resolve(self) }

  /// The draft with every field merged by its own policy.
  ///
  /// - Precondition: all versions are of the same record.
  public var draft: RowDraft<Row> {
    let keys = versions.map(\.row.primaryKey)
    precondition(
      keys.client == keys.server && keys.ancestor.map { $0 == keys.client } ?? true,
      "a conflict is between versions of one record")
    return RowDraft(self)
  }

  /// Whether every field is at least this certain. If not, a person should look before ``resolved()`` is written.
  public func isSure(atLeast certainty: Certainty = .sure) -> Bool { columns(below: certainty).isEmpty }

  /// The columns that are less certain: what a person should look at.
  public func columns(below certainty: Certainty) -> [String] {
    Row.mergeFields.filter { ($0.certainty(self) ?? .sure) < certainty }.map(\.column)
  }
}
