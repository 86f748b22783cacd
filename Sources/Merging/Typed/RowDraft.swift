/// The row that results from a conflict, without primary key and generated columns, and which of its columns changed.
///
/// Its fields are read and set by their names: `draft.title`. It is made by ``MergeConflict/draft``.
@dynamicMemberLookup
public struct RowDraft<Row: Mergeable>: Sendable {
  /// The client's row with the merged fields.
  @usableFromInline
  private(set) var row: Row
  @usableFromInline
  let sides: MergeConflict<Row>.Sides
  private var versions: ThreeWay<RowVersion<Row>> { sides.versions }

  @inlinable
  init(_ conflict: MergeConflict<Row>) {
    sides = conflict.sides
    row = sides.rows[0]
    Row.mergeFields.withUnsafeBufferPointer { fields in
      guard let first = fields.baseAddress else { return }
      RowMerge.withRows(of: conflict) { merge in
        for place in 0..<fields.count { merge.merge(first + place, at: place, into: &row) }
      }
    }
  }

  /// A field of the draft, or something that fields are parts of. What else a row's code could set is never written.
  public subscript<Value>(dynamicMember keyPath: WritableKeyPath<Row, Value>) -> Value {
    @inlinable get { row[keyPath: keyPath] }
    @inlinable set { row[keyPath: keyPath] = newValue }
  }

  /// The columns in which the draft differs from what `side` has: those of the client are to be updated here, those of the
  /// server are to be uploaded. All of them against an ancestor that was never kept.
  @inlinable
  public func changedColumns(since side: Side = .client) -> [String] {
    guard let other = version(side) else { return Row.mergeFields.map { $0.column } }
    let unknown = side == .ancestor ? sides.unknown : []
    let fields = Row.mergeFields
    return fields.indices.compactMap { place in
      let isSame = fields[place].isAlike(other, row) && !unknown.contains(fields[place].keyPath)
      return isSame ? nil : fields[place].column
    }
  }

  /// What is to be updated of a row as it is by now, after SQLiteData's own merge: the columns that the conflict is about and in
  /// which the row differs from the draft. Where both sides and the draft have the same, nothing is, so that what somebody has
  /// edited there since stays.
  ///
  /// - Returns: nil where such a column has not what SQLiteData left in it: it was edited since the versions were read, be it to what a
  ///   side had, and the draft knows nothing of that. Also where nobody can tell what it left: ``MergeConflict/sideLeft(in:)``.
  public func columnsToUpdate(in row: Row) -> [String]? {
    columnsToUpdate(in: row) { field in
      field.sideLeft(versions).flatMap(version).map { field.isAlike(row, $0) } ?? false
    }
  }

  /// The same after the merge of another engine.
  ///
  /// - Parameters:
  ///   - row: as it is by now.
  ///   - left: the row as that engine left it, before anybody could edit it. Of an engine that merges nothing that is the client's;
  ///     of one that takes the server's row, the server's.
  public func columnsToUpdate(in row: Row, leftByEngine left: Row) -> [String]? {
    columnsToUpdate(in: row) { $0.isAlike(row, left) }
  }

  private func columnsToUpdate(in row: Row, isAsLeft: (MergeField<Row>) -> Bool) -> [String]? {
    let fields = Row.mergeFields.filter { isOfTheConflict($0) && !$0.isAlike(row, self.row) }
    return fields.allSatisfy(isAsLeft) ? fields.map(\.column) : nil
  }

  private func isOfTheConflict(_ field: MergeField<Row>) -> Bool {
    let (client, server) = (versions.client.row, versions.server.row)
    return !field.isAlike(client, server) || !field.isAlike(client, row)
  }

  /// The columns in which the draft differs from `other`.
  package func changedColumns(from other: Row) -> [String] {
    Row.mergeFields.filter { !$0.isAlike(other, row) }.map(\.column)
  }

  @usableFromInline
  func version(_ side: Side) -> Row? {
    switch side {
    case .ancestor: versions.ancestor?.row
    case .client: versions.client.row
    case .server: versions.server.row
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
    Row.mergeFields.allSatisfy { $0.isAlike(left.row, right.row) }
  }
}
