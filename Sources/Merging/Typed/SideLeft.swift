/// What SQLiteData's own merge leaves in a row, as far as three versions tell: an edit that was not sent stays, whatever the times; over
/// what was not edited the server's is written. See Sources/SQLiteDataStores/FORMAT.md, "How the engine takes in a record".
extension MergeConflict where Row: Mergeable {
  /// The side whose value the row has in a column after SQLiteData's own merge; of a column in which both have the same, the client's.
  ///
  /// - Returns: nil where that cannot be told: of a column that is none of `mergeFields`; where a time is missing or the server's is no
  ///   later; where the ancestor is not known and the client's edit is the newer (a fetch takes the server's row, and a refused
  ///   save keeps it); and where a value was set to NULL here that may be kept as bytes, which SQLiteData does not see: of a `Data`, and of
  ///   every type that is no text, number or date, and stands for none, such as a `UUID`, a `URL` or a set.
  public func sideLeft(in column: String) -> Side? {
    Row.mergeFields.first { $0.column == column }?.sideLeft(versions)
  }
}

extension MergeField {
  func sideLeft(_ versions: ThreeWay<RowVersion<Row>>) -> Side? {
    let (client, server) = (versions.client, versions.server)
    if isAlike(client.row, server.row) { return .client }
    guard let ancestor = versions.ancestor else { return isLater(server, than: client) ? .server : nil }
    if ancestor.unknown.contains(keyPath) { return nil }
    guard isAlike(client.row, ancestor.row) else {
      return isSeen(client.row, over: ancestor.row) ? .client : nil
    }
    return isLater(server, than: ancestor) ? .server : nil
  }

  private func isLater(_ version: RowVersion<Row>, than other: RowVersion<Row>) -> Bool {
    guard let time = version.times[keyPath], let otherTime = other.times[keyPath] else { return false }
    return time > otherTime
  }

  /// Whether SQLiteData sees this edit: bytes travel as an asset, and it looks for what was set to NULL among other values.
  private func isSeen(_ row: Row, over ancestor: Row) -> Bool {
    guard let new = value(of: row) as? any Nullable, let old = value(of: ancestor) as? any Nullable else {
      return true
    }
    return !new.isNull || old.isOfOneColumnValue
  }
}

extension Nullable {
  fileprivate var isNull: Bool { wrapped == nil }

  /// A text, a number, a date or what stands for one: nothing that may be kept as bytes.
  fileprivate var isOfOneColumnValue: Bool {
    switch wrapped {
    case nil, is String, is Bool, is any Strideable: true
    case let value as any RawRepresentable: value.rawValue is String || value.rawValue is any Strideable
    case _?: false
    }
  }
}
