/// One side's version of a typed row: the row, and when each of its fields was last set.
///
/// For an app that embeds the model. The desk itself works on ``RecordVersion``, whose fields are known only now.
public struct RowVersion<Row: Sendable>: Sendable {
  /// The values of this side.
  public var row: Row
  @usableFromInline
  let times: FieldTimes<Row>
  /// What this version's device did not know: as an ancestor, it tells nothing of these fields, whatever its row has.
  @usableFromInline
  package var unknown: Set<PartialKeyPath<Row> & Sendable> = []

  /// - Parameters:
  ///   - row: its values.
  ///   - modificationTimes: nanoseconds since 1970; a field that is missing has no known time.
  public init(row: Row, modificationTimes: [PartialKeyPath<Row> & Sendable: Int64]) {
    self.row = row
    times = FieldTimes(modificationTimes)
  }

  /// The client's version: fields that differ from the ancestor get the row's one time, unchanged ones keep the
  /// ancestor's. Without an ancestor every field gets the row's time.
  public init(clientRow: Row, modificationTime: Int64, ancestor: RowVersion?, fields: [MergeField<Row>]) {
    row = clientRow
    times = FieldTimes(fields) { place in
      let field = fields[place]
      let isUnchanged = ancestor.map { $0.tells(of: field) && field.isAlike($0.row, clientRow) } ?? false
      return isUnchanged ? ancestor?.times[field.keyPath] : modificationTime
    }
  }

  private func tells(of field: MergeField<Row>) -> Bool { !unknown.contains(field.keyPath) }

  /// When the field was last set, in nanoseconds since 1970; nil if nobody recorded it.
  public func modificationTime(for keyPath: PartialKeyPath<Row> & Sendable) -> Int64? { times[keyPath] }

  /// The field at this path, and when it was last set, in nanoseconds since 1970.
  public subscript<Value: Sendable>(field keyPath: KeyPath<Row, Value> & Sendable) -> FieldVersion<Value> {
    FieldVersion(row[keyPath: keyPath], time: times[keyPath])
  }
}

extension RowVersion where Row: Mergeable {
  /// The client's version, with the fields that the row's type says are merged.
  public init(clientRow: Row, modificationTime: Int64, ancestor: RowVersion?) {
    self.init(
      clientRow: clientRow, modificationTime: modificationTime, ancestor: ancestor, fields: Row.mergeFields)
  }

  /// A version of which each column's time is known by the column's name, as a record tells it.
  ///
  /// - Parameters:
  ///   - row: its values.
  ///   - columnTimes: nanoseconds since 1970; a column that is missing has no known time.
  @inlinable
  public init(row: Row, columnTimes: [String: Int64]) {
    self.row = row
    let fields = Row.mergeFields
    times = FieldTimes(fields) { columnTimes[fields[$0].column] }
  }

  /// The columns of ``unknown``.
  package var unknownColumns: [String] {
    get { Row.mergeFields.filter { unknown.contains($0.keyPath) }.map(\.column) }
    set { unknown = Set(Row.mergeFields.filter { newValue.contains($0.column) }.map(\.keyPath)) }
  }

  /// The time of each column that has one, by the column's name: what an app keeps of a version, or sends with it.
  public var columnTimes: [String: Int64] {
    let known = Row.mergeFields.compactMap { field in times[field.keyPath].map { (field.column, $0) } }
    return Dictionary(known, uniquingKeysWith: { first, _ in first })
  }
}
