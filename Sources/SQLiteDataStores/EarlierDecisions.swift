import Journals
import KeyedArchives
import Merging
import RowJournals
import StoreInterface

/// What was decided and written about one record before, so that nobody is asked again for what the app's own merge then
/// leaves in the inbox.
///
/// A record that came as JSON has no archive, and its write cannot advance the ancestor: the app meets the same server record
/// once more when it uploads, and keeps it as if it were news. It is the one that was decided, by its change tag.
///
/// So it does with the newer record in whose place the one of before became the ancestor, that a value be sent once more: see
/// ``WritePlan/aim(_:)``. That one was the ancestor when it was decided.
struct EarlierDecisions {
  /// The drafts that the app has applied.
  private let applied: [OutboxRow]
  private let imported: ArchivedRecord?
  /// Whether something of the record was ever brought into the journal, where that was asked.
  let hasImport: Bool
  /// Whether the last write of it without the app deleted the row, of which the app's triggers have not heard.
  let hasDeleted: Bool
  /// The ancestors that writes have put an older record in the place of.
  private let replaced: [ArchivedRecord]

  /// - Parameter names: of which records the journal has anything, if it was asked.
  init(about inbox: InboxRow, outbox: [OutboxRow], journal: Journal, names: JournalNames?) throws {
    let applied = outbox.filter { !$0.isWaiting }
    self.applied = applied
    // Nothing else settles what was not captured, and all that a write changed is much to read.
    guard inbox.isCaptured else {
      (imported, replaced, hasImport, hasDeleted) = (nil, [], false, false)
      return
    }
    let recordName = inbox.recordName
    let written =
      names?.hasEnded(recordName) == false ? nil : try journal.lastChangeOfMetadata(of: recordName)
    // Of a record that the server had deleted, too, the metadata went with the row.
    hasDeleted = written.map { $0.after == nil || $0.after?["_isDeleted"] == .integer(1) } ?? false
    replaced = (applied.map(\.replacedAncestor) + [written?.replacedAncestor]).compactMap(\.self)
    let last = names?.isKept(recordName) == false ? nil : try journal.lastImport(of: recordName)
    hasImport = last != nil
    guard let row = last, let json = row.serverJSON,
      try journal.isSettled(row.id) || applied.contains(where: { $0.settles(row) })
    else {
      imported = nil
      return
    }
    imported = try? CloudKitJSON.record(json).record
  }

  func settle(_ inbox: InboxRow) -> Bool {
    if applied.contains(where: { $0.settles(inbox) }) { return true }
    let known = replaced + [imported].compactMap(\.self)
    guard !known.isEmpty, inbox.isCaptured, let bytes = inbox.serverRecord,
      let record = try? ArchivedRecord(decoding: bytes)
    else { return false }
    return known.contains { record.isSameVersion(as: $0) }
  }
}

extension Journal {
  /// nil if the last write that changed the metadata was taken back, or the journal cannot tell.
  fileprivate func lastChangeOfMetadata(of recordName: String) throws -> StoredChange? {
    for intent in try intentsDone(of: recordName) {
      let changes = try intent.records.flatMap { try readableChanges(of: $0, in: intent.id).changes }
      let last = changes.last { $0.table == Metadatabase.metadata }
      if let last { return intent.undoes == nil ? last : nil }
    }
    return nil
  }
}

extension OutboxRow {
  fileprivate var replacedAncestor: ArchivedRecord? { .replaced(seenAncestor, by: serverRecord) }
}

extension StoredChange {
  fileprivate var replacedAncestor: ArchivedRecord? {
    func archive(_ row: RowImage?) -> [UInt8]? {
      if case .blob(let blob)? = row?["_lastKnownServerRecordAllFields"] { blob.bytes } else { nil }
    }
    return .replaced(archive(before), by: archive(after))
  }
}

extension ArchivedRecord {
  /// The record in `bytes`, if it is newer than the one that took its place.
  fileprivate static func replaced(_ bytes: [UInt8]?, by other: [UInt8]?) -> ArchivedRecord? {
    guard let bytes, let other, let record = try? ArchivedRecord(decoding: bytes),
      let older = try? ArchivedRecord(decoding: other)
    else { return nil }
    return record.stamp.isNewer(than: older.stamp, ancestorTag: nil) ? record : nil
  }
}

extension ArchivedRecord {
  /// Whether the server tells these two apart: by its tag, or by its clock where one of them came without a tag.
  func isSameVersion(as other: ArchivedRecord) -> Bool {
    if let tag = changeTag, let otherTag = other.changeTag { return tag == otherTag }
    return modifiedAt != nil && modifiedAt == other.modifiedAt
  }
}
