/// One side's version of a typed row: the row, and when each of its fields was last set.
///
/// For an app that embeds the model. The desk itself works on ``RecordVersion``, whose fields are known only now.
public struct RowVersion<Row: Sendable>: Sendable {
  public var row: Row
  let times: [PartialKeyPath<Row> & Sendable: Int64]

  /// - Parameter modificationTimes: nanoseconds since 1970; a field that is missing has no known time.
  public init(row: Row, modificationTimes: [PartialKeyPath<Row> & Sendable: Int64]) {
    self.row = row
    times = modificationTimes
  }

  /// The client's version: fields that differ from the ancestor get the row's one time, unchanged ones keep the
  /// ancestor's. Without an ancestor every field gets the row's time.
  public init(clientRow: Row, modificationTime: Int64, ancestor: RowVersion?, fields: [MergeField<Row>]) {
    row = clientRow
    let known = fields.compactMap { field in
      let isUnchanged = ancestor.map { field.isEqual($0.row, clientRow) } ?? false
      let time = isUnchanged ? ancestor?.times[field.keyPath] : modificationTime
      return time.map { (field.keyPath, $0) }
    }
    times = Dictionary(known, uniquingKeysWith: { first, _ in first })
  }

  public subscript<Value: Sendable>(field keyPath: KeyPath<Row, Value> & Sendable) -> FieldVersion<Value> {
    FieldVersion(row[keyPath: keyPath], time: times[keyPath])
  }
}

/// A field of a typed row, as the merge sees it.
public struct MergeField<Row: Sendable>: Sendable {
  let keyPath: PartialKeyPath<Row> & Sendable
  let isEqual: @Sendable (Row, Row) -> Bool
  let merge: @Sendable (MergeConflict<Row>, inout Row) -> Void
  let certainty: @Sendable (MergeConflict<Row>) -> Certainty?

  /// A field that a draft holds.
  public static func field<Value: Equatable & Sendable>(
    _ keyPath: WritableKeyPath<Row, Value> & Sendable, policy: MergePolicy<Value> = .latest()
  ) -> MergeField {
    MergeField(
      keyPath: keyPath,
      isEqual: { $0[keyPath: keyPath] == $1[keyPath: keyPath] },
      merge: { conflict, row in
        row[keyPath: keyPath] = conflict.suggestion(for: keyPath, policy: policy).value
      },
      certainty: { $0.suggestion(for: keyPath, policy: policy).certainty })
  }
}

/// A row type that says which of its fields are merged, and how a draft is made.
///
/// Primary key and generated columns are left out of `mergeFields`, and so of every draft.
public protocol Mergeable: Sendable {
  associatedtype PrimaryKey: Equatable & Sendable
  /// The fields as a draft has them: no primary key, no generated columns.
  associatedtype Draft: Sendable

  var primaryKey: PrimaryKey { get }
  static var mergeFields: [MergeField<Self>] { get }
  init(draft: Draft, primaryKey: PrimaryKey)
  var draft: Draft { get }
}

extension RowVersion where Row: Mergeable {
  /// The client's version, with the fields that the row's type says are merged.
  public init(clientRow: Row, modificationTime: Int64, ancestor: RowVersion?) {
    self.init(
      clientRow: clientRow, modificationTime: modificationTime, ancestor: ancestor, fields: Row.mergeFields)
  }
}
