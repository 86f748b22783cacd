/// A conflict on a typed row, for an app that embeds the model.
///
/// ```swift
/// let conflict = MergeConflict(ancestor: ancestor, client: client, server: server)
/// conflict.mergedValue(for: \.title)                     // by the latest edit
/// conflict.mergedValue(for: \.count, policy: .counter)   // by a policy of your own
/// let draft = conflict.resolved()                        // without primary key and generated columns
/// ```
///
/// Two values of a field are equal if their type says so: a String to which only the Unicode normal form was changed is
/// unchanged here, while the desk, which works on stored bytes, shows it.
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

extension MergeConflict where Row: Mergeable {
  /// The draft with every field merged by its own policy.
  ///
  /// - Precondition: all versions are of the same record.
  public func resolved() -> Row.Draft {
    precondition(
      versions.client.row.primaryKey == versions.server.row.primaryKey
        && versions.ancestor.map { $0.row.primaryKey == versions.client.row.primaryKey } ?? true,
      "a conflict is between versions of one record")
    var row = versions.client.row
    for field in Row.mergeFields { field.merge(self, &row) }
    return row.draft
  }

  /// Whether every field is at least this certain. If not, a person should look before ``resolved()`` is written.
  public func isSure(atLeast certainty: Certainty = .sure) -> Bool {
    Row.mergeFields.allSatisfy { ($0.certainty(self) ?? .sure) >= certainty }
  }
}
