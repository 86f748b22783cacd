import StoreInterface
import Telling

/// The records that were written and not taken back since, as far as the journal knows: of one that is not in conflict any more that is
/// mostly why.
struct WrittenRecords {
  private let last: ByRecord<JournalEntry>
  private let info: StoreInfo
  private let privacy: Privacy
  /// The records by the hashes that they are told by; nil before one of these is asked for.
  private var hashed: [String: [String]]?

  /// - Parameter entries: all of the journal, the newest first.
  init(_ entries: [JournalEntry], in store: StoreInfo, _ redaction: Redaction) {
    let done = entries.filter { !$0.isNothingDone }
    last = ByRecord(done.map { ($0.record, $0) }) { newest, _ in newest }
    (info, privacy) = (store, redaction.privacy)
  }

  /// The last write of the record with this name, or this hash; nil if it has none, or if several have the hash.
  mutating func entry(named name: String) -> JournalEntry? {
    var entry = last[name]
    if entry == nil, RecordSearch.mayBeRedacted(name) { entry = self.entry(hashed: name) }
    return entry?.hasWritten == true ? entry : nil
  }

  private mutating func entry(hashed name: String) -> JournalEntry? {
    let known = hashed ?? idsByHash()
    hashed = known
    let ids = known[name] ?? []
    return ids.count == 1 ? last[ids[0]] : nil
  }

  /// Each record has several, and a file may name thousands of records: they are hashed once.
  private func idsByHash() -> [String: [String]] {
    last.keys.reduce(into: [:]) { ids, id in
      for name in privacy.recordNames(id, in: info) { ids[name, default: []].append(id) }
    }
  }
}

extension JournalEntry {
  /// Whether what was written before stands as it did: it is a decision, or the undo came to nothing.
  fileprivate var isNothingDone: Bool {
    switch event {
    case .decided, .notDone(.undo, _), .ended(.undo, .rolledBack?, _): true
    case .refused, .notDone, .ended: false
    }
  }
}
