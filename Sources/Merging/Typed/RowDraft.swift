/// The row that results from a conflict, without primary key and generated columns, and which of its columns changed.
///
/// Its fields are read and set by their names: `draft.title`. It is made by ``MergeConflict/draft``.
@dynamicMemberLookup
public struct RowDraft<Row: Mergeable>: Sendable {
  /// The client's row with the merged fields.
  private(set) var row: Row
  private let versions: ThreeWay<Row>

  init(_ conflict: MergeConflict<Row>) {
    versions = conflict.versions.map(\.row)
    row = versions.client
    for field in Row.mergeFields { field.merge(conflict, &row) }
  }

  /// A field of the draft, or something that fields are parts of. What else a row's code could set is never written.
  public subscript<Value>(dynamicMember keyPath: WritableKeyPath<Row, Value>) -> Value {
    get { row[keyPath: keyPath] }
    set { row[keyPath: keyPath] = newValue }
  }

  /// The columns in which the draft differs from what `side` has: those of the client are to be updated here, those of the
  /// server are to be uploaded. All of them against an ancestor that was never kept.
  public func changedColumns(since side: Side = .client) -> [String] {
    version(side).map(changedColumns) ?? Row.mergeFields.map(\.column)
  }

  /// What is to be updated of a row as it is by now: the columns that the conflict is about and in which the row differs from the
  /// draft. Where both sides and the draft have the same, nothing is, so that what somebody has edited there since stays.
  ///
  /// - Returns: nil where such a column has what neither side had: it was edited since the versions were read, and the draft
  ///   knows nothing of that.
  public func columnsToUpdate(in row: Row) -> [String]? {
    var columns: [String] = []
    for field in Row.mergeFields where isOfTheConflict(field) && !field.isEqual(row, self.row) {
      guard field.isEqual(row, versions.client) || field.isEqual(row, versions.server) else { return nil }
      columns.append(field.column)
    }
    return columns
  }

  private func isOfTheConflict(_ field: MergeField<Row>) -> Bool {
    !field.isEqual(versions.client, versions.server) || !field.isEqual(versions.client, row)
  }

  /// The columns in which the draft differs from `other`.
  package func changedColumns(from other: Row) -> [String] {
    Row.mergeFields.filter { !$0.isEqual(other, row) }.map(\.column)
  }

  private func version(_ side: Side) -> Row? {
    switch side {
    case .ancestor: versions.ancestor
    case .client: versions.client
    case .server: versions.server
    }
  }

  /// `other` with the fields of the draft; its primary key and what is no field stay.
  ///
  /// Update the columns of it alone that ``columnsToUpdate(in:)`` names, so that an edit which was made in the meantime stays.
  public func applied(to other: Row) -> Row {
    var other = other
    for field in Row.mergeFields { field.copy(row, &other) }
    return other
  }
}

extension RowDraft: Equatable {
  /// Whether all fields are equal, as the row's type compares them. Where the drafts came from does not count.
  public static func == (left: RowDraft, right: RowDraft) -> Bool {
    Row.mergeFields.allSatisfy { $0.isEqual(left.row, right.row) }
  }
}
