import GRDB
import Journals
import Merging

/// The two places where server records wait, as one: the app's table, and the imports in the journal. The record that came
/// last counts, wherever it lies.
struct Inbox {
  let db: Database
  let journal: Journal

  func newest(of recordName: String) throws -> InboxRow? {
    let kept = try InboxRow.exists(in: db) ? InboxRow.newest(of: recordName, in: db) : nil
    return InboxRow.newer(kept, try journal.newestImport(of: recordName))
  }

  /// The newest row of each record, read at once: the table may have no index on names.
  struct Newest: Sendable {
    fileprivate let kept: [String: Int64]
    fileprivate let imported: Set<String>
  }

  /// A journal that cannot be read has no imports: what is asked here is asked for findings, and a store has those without
  /// any journal.
  func newest() throws -> Newest {
    Newest(
      kept: try InboxRow.exists(in: db) ? InboxRow.newestIDs(in: db) : [:],
      imported: (try? journal.namesOfImports()) ?? [])
  }

  func row(of recordName: String, _ newest: Newest) throws -> InboxRow? {
    let kept = try newest.kept[recordName].flatMap { try InboxRow.row(id: $0, in: db) }
    let imported =
      newest.imported.contains(recordName) ? try journal.newestImport(of: recordName) : nil
    return InboxRow.newer(kept, imported)
  }

  /// How many rows wait at most.
  func count() throws -> Int {
    let kept = try InboxRow.exists(in: db) ? InboxRow.count(in: db) : 0
    return try kept + journal.importCount()
  }

  /// The next rows after a position in each place, newest first, at most `limit`.
  func page(after position: Position, limit: Int) throws -> [InboxRow] {
    let kept =
      try InboxRow.exists(in: db) ? InboxRow.page(before: position.app, limit: limit, in: db) : []
    let imported = try journal.imports(before: position.journal, limit: limit)
    return Array(Inbox.merged(kept, imported).prefix(limit))
  }

  /// How far a walk got in each place, from the highest key down.
  struct Position: Sendable {
    private(set) var app = Int64.max
    private(set) var journal = Int64.max

    mutating func pass(_ row: InboxRow) {
      switch row.place {
      case .app: app = row.id
      case .journal: journal = row.id
      }
    }
  }

  /// Each place is in the order of its keys, which is that of coming in.
  private static func merged(_ kept: [InboxRow], _ imported: [InboxRow]) -> [InboxRow] {
    var (kept, imported) = (kept[...], imported[...])
    var merged: [InboxRow] = []
    while let first = kept.first, let second = imported.first {
      merged.append(second.receivedAt >= first.receivedAt ? imported.removeFirst() : kept.removeFirst())
    }
    return merged + kept + imported
  }
}

extension InboxRow {
  /// The one that came in later. What was imported at the same moment as what the app had is newer: somebody had a reason.
  static func newer(_ kept: InboxRow?, _ imported: InboxRow?) -> InboxRow? {
    guard let kept, let imported else { return kept ?? imported }
    return imported.receivedAt >= kept.receivedAt ? imported : kept
  }
}
