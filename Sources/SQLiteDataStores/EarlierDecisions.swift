import Journals
import KeyedArchives
import Merging

/// What was decided and written about one record before, so that nobody is asked again for what the app's own merge then
/// leaves in the inbox.
///
/// A record that came as JSON has no archive, and its write cannot advance the ancestor: the app meets the same server record
/// once more when it uploads, and keeps it as if it were news. It is the one that was decided, by its change tag.
struct EarlierDecisions {
  /// The drafts that the app has applied.
  private let applied: [OutboxRow]
  private let imported: ArchivedRecord?

  init(about recordName: String, outbox: [OutboxRow], journal: Journal) throws {
    let applied = outbox.filter { !$0.isWaiting }
    self.applied = applied
    guard let row = try journal.lastImport(of: recordName), let json = row.serverJSON,
      try journal.isSettled(import: row.id) || applied.contains(where: { $0.settles(row) })
    else {
      imported = nil
      return
    }
    imported = try? CloudKitJSON.record(json).record
  }

  func settle(_ inbox: InboxRow) -> Bool {
    if applied.contains(where: { $0.settles(inbox) }) { return true }
    guard let imported, inbox.isCaptured, let record = inbox.serverRecord else { return false }
    return (try? ArchivedRecord(decoding: record))?.isSameVersion(as: imported) ?? false
  }
}

extension ArchivedRecord {
  /// Whether the server tells these two apart: by its tag, or by its clock where one of them came without a tag.
  func isSameVersion(as other: ArchivedRecord) -> Bool {
    if let tag = changeTag, let otherTag = other.changeTag { return tag == otherTag }
    return modifiedAt != nil && modifiedAt == other.modifiedAt
  }
}
