import StoreInterface
import Telling

/// The records that were written and not taken back since, as far as the journal knows: of one that is not in conflict any more that is
/// mostly why.
struct WrittenRecords {
  private let last: ByRecord<JournalEntry>
  private let info: StoreInfo
  private let privacy: Privacy

  /// Walks through all of the journal.
  init(_ store: any ConflictStore, _ redaction: Redaction) throws {
    let done = try store.journal.entries(limit: .max).filter { $0.kind != .decision }
    last = ByRecord(done.map { ($0.record, $0) }) { newest, _ in newest }
    (info, privacy) = (store.info, redaction.privacy)
  }

  /// The last write of the record with this name, or this hash; nil if it has none, or if several have the hash.
  func entry(named name: String) -> JournalEntry? {
    let entry = last[name] ?? (RecordSearch.mayBeRedacted(name) ? entry(hashed: name) : nil)
    return entry?.hasWritten == true ? entry : nil
  }

  private func entry(hashed name: String) -> JournalEntry? {
    let ids = last.keys.filter { privacy.recordNames($0, in: info).contains(name) }
    return ids.count == 1 ? last[ids[0]] : nil
  }
}
