import Merging

/// The merge of today's SQLiteData: a server record comes in and is written over the row, but for the columns that are
/// kept. What remains of the server's record, changed on the way, becomes the last-known record.
extension TodaysRules {
  /// - Parameter force: the row is overwritten, as after a refused write to a shared record.
  /// - Returns: what became of each column; nil if the record was ignored.
  @discardableResult
  func upsert(
    _ incoming: ServerRecord, into record: inout DeviceRecord, at site: Site, force: Bool = false
  ) -> [String: ColumnFate]? {
    guard let time = incoming.time else { return nil }
    if record.metadata == nil {
      record.metadata = DeviceRecord.Metadata(lastKnown: incoming, userModificationTime: time)
    }
    var server = incoming
    server.raiseTime(to: record.metadata?.userModificationTime ?? time)
    let ancestor = force || record.row == nil ? nil : record.lastKnown
    if let time = ancestor?.time { server.raiseTime(to: time) }
    let fates = merge(ancestor, into: &server, row: record, site.table)
    write(server, fates, into: &record, at: site)
    setLastKnown(server, in: &record)
    return fates
  }

  private func merge(
    _ ancestor: ServerRecord?, into server: inout ServerRecord, row: DeviceRecord, _ table: Table
  ) -> [String: ColumnFate] {
    var fates: [String: ColumnFate] = [:]
    for column in table.writableColumns.map(\.name) {
      fates[column] = server.knows(column) ? .taken : .untouched
      guard let ancestor else { continue }
      let isPutBack = server.putBack(ancestor.fields[column], in: column)
      if isEdited(row.value(column), since: ancestor.value(column)) {
        fates[column] = .keptEdit
      } else if isPutBack {
        fates[column] = .putBack
      }
    }
    return fates
  }

  /// Times do not count. A NULL is compared with the values that travel encrypted, and a blob is not one of them: that a
  /// blob was set to NULL is not seen.
  private func isEdited(_ value: Value, since ancestor: Value) -> Bool {
    switch (value, ancestor) {
    case (.null, .blob): false
    case (.null, _), (.integer, _), (.real, _), (.text, _), (.blob, _), (.opaque, _): value != ancestor
    }
  }

  /// An INSERT of what the record knows; where the row exists, an UPDATE of what is taken. If that is nothing but the
  /// primary key nothing is written, and no trigger fires.
  private func write(
    _ server: ServerRecord, _ fates: [String: ColumnFate], into record: inout DeviceRecord, at site: Site
  ) {
    guard record.row != nil else {
      record.takeRow(from: server, in: site.table)
      return record.touch(at: site.now)
    }
    let taken = site.table.writableColumns.filter { !$0.isPrimaryKey && fates[$0.name] == .taken }
    for column in taken { record.row?[column.name] = server.value(column.name) }
    if !taken.isEmpty { record.touch(at: site.now) }
  }
}
