import ExactJSON
import StoreInterface

/// A write that is not the last one of the store, of which one record alone is taken back.
extension LastWrite {
  /// The newest write of a record that is not in this one, the last of the store; nil if it is, or if no write of it stands.
  func older(of record: String, in store: any ConflictStore) throws -> LastWrite? {
    guard !records.contains(where: { $0.id.hasSameBytes(as: record) }),
      let undo = try LastWrite.newest(of: record, in: store)
    else { return nil }
    var older = LastWrite(
      id: id, records: [Record(id: record, title: undo.checked.title, changes: undo.changes)],
      takingBack: takingBack, notVerified: notVerified)
    older.isOlder = true
    return older
  }

  var extent: UndoExtent { isOlder ? .record(records[0].id) : .write(id) }

  /// Whether it is what would be taken back: another Parley may have written since.
  func isStillTheNewest(in store: any ConflictStore) throws -> Bool {
    guard isOlder, let only = records.first else { return try store.lastWrite()?.id == id }
    return try LastWrite.newest(of: only.id, in: store)?.changes == only.changes
  }

  private static func newest(of record: String, in store: any ConflictStore) throws -> CheckedUndo? {
    do {
      return try store.checkUndo(.record(record)).first
    } catch StoreError.nothingToUndo {
      return nil
    }
  }
}
