/// The rows of a conflict where they lie, for the merge of one field after the other.
///
/// The compiler makes it anew for each type of rows, in the module of the app: that of all types asks the type for each of its steps.
@usableFromInline
struct RowMerge<Row: Mergeable> {
  @usableFromInline typealias Field = UnsafePointer<MergeField<Row>>

  @usableFromInline let conflict: MergeConflict<Row>
  /// nil where there is none.
  @usableFromInline let ancestor: UnsafePointer<Row>?
  @usableFromInline let client: UnsafePointer<Row>
  @usableFromInline let server: UnsafePointer<Row>

  @inlinable
  init(
    _ conflict: MergeConflict<Row>, ancestor: UnsafePointer<Row>?, client: UnsafePointer<Row>,
    server: UnsafePointer<Row>
  ) {
    (self.conflict, self.ancestor, self.client, self.server) = (conflict, ancestor, client, server)
  }

  @inlinable
  static func withRows(of conflict: MergeConflict<Row>, _ body: (RowMerge) -> Void) {
    conflict.sides.rows.withUnsafeBufferPointer { rows in
      guard let client = rows.baseAddress else { return }
      body(
        RowMerge(conflict, ancestor: rows.count > 2 ? client + 2 : nil, client: client, server: client + 1))
    }
  }

  /// - Parameters:
  ///   - place: of the field among those of the type.
  ///   - row: the client's, or what has become of it so far.
  @inlinable
  func merge(_ field: Field, at place: Int, into row: inout Row) {
    // Of most fields nobody asks for times or a policy.
    if let ancestor, isKnown(field) {
      if isAlike(field, server, ancestor) { return }
      if isAlike(field, client, ancestor) { return copyServer(field, &row) }
    }
    mergeBoth(field, place, &row)
  }

  /// Whether the ancestor tells anything of it.
  @inlinable
  func isKnown(_ field: Field) -> Bool {
    conflict.sides.unknown.isEmpty || !conflict.sides.unknown.contains(field.pointee.keyPath)
  }

  /// Both sides changed it, or nobody knows.
  @inlinable
  func mergeBoth(_ field: Field, _ place: Int, _ row: inout Row) {
    guard let taken = field.pointee.sideTaken else { return field.pointee.merge(conflict, &row) }
    if isAlike(field, client, server) { return }
    let key = field.pointee.keyPath
    let side = taken.side(
      client: conflict.sides.clientTimes.time(of: key, at: place),
      server: conflict.sides.serverTimes.time(of: key, at: place))
    if side == .server { copyServer(field, &row) }
  }

  /// As the field's own method, which would be given a copy of the field with each comparison: then all takes three times as long.
  @inlinable
  func isAlike(_ field: Field, _ left: UnsafePointer<Row>, _ right: UnsafePointer<Row>) -> Bool {
    field.pointee.place.isAlike(left, right) ?? field.pointee.isEqual(left.pointee, right.pointee)
  }

  @inlinable
  func copyServer(_ field: Field, _ row: inout Row) {
    let isCopied = withUnsafeMutablePointer(to: &row) { field.pointee.place.copy(server, $0) }
    if !isCopied { field.pointee.copy(server.pointee, &row) }
  }
}
