import GRDB
import Journals
import SQLiteFiles
import StoreInterface

/// The two places where server records wait, as one: the app's table, and the imports in the journal. Which of the rows of one
/// record count is told in ``OpenRows``.
struct Inbox {
  let db: Database
  let journal: Journal

  /// The rows of one record, newest first. Of the imports in the journal the newest counts alone.
  func rows(of recordName: String) throws -> [InboxRow] {
    let kept = try InboxRow.exists(in: db) ? InboxRow.rows(of: recordName, in: db) : []
    return Inbox.merged(kept, try newestImport(of: recordName))
  }

  /// The rows of each record, looked up at once: the table may have no index on names.
  struct Names: Sendable {
    fileprivate let kept: ByRecord<[Int64]>
    fileprivate let imported: RecordNames
  }

  /// A journal that cannot be read has no imports: what is asked here is asked for findings, and a store has those without
  /// any journal.
  func names() throws -> Names {
    Names(
      kept: try InboxRow.exists(in: db) ? InboxRow.ids(in: db) : [:],
      imported: RecordNames(((try? journal.waitingImports()) ?? [:]).keys))
  }

  /// - Parameter selection: ``InboxRow/select(in:)``
  func rows(of recordName: String, _ names: Names, _ selection: String) throws -> [InboxRow] {
    let kept = try (names.kept[recordName] ?? []).reversed().compactMap { id in
      try InboxRow.row(id: id, selection, in: db)
    }
    return Inbox.merged(kept, names.imported.contains(recordName) ? try newestImport(of: recordName) : [])
  }

  private func newestImport(of recordName: String) throws -> [InboxRow] {
    try journal.newestImport(of: recordName).map { [$0] } ?? []
  }

  /// How many rows wait at most.
  func count() throws -> Int {
    let kept = try InboxRow.exists(in: db) ? InboxRow.count(in: db) : 0
    return try ([kept] + journal.waitingImports().values).saturatedSum
  }

  /// The next rows after a position in each place, newest first, at most `limit`.
  func page(after position: Position, limit: Int) throws -> [InboxRow] {
    let kept =
      try InboxRow.exists(in: db) ? InboxRow.page(before: position.app, limit: limit, in: db) : []
    let imported = try journal.imports(before: position.journal, limit: limit)
    return Array(Inbox.merged(kept, imported).prefix(limit))
  }

  /// Where the next rows lie, if all are in the app's table; nil where there is none, or imports are among them.
  func keys(after position: Position, limit: Int) throws -> [InboxKey]? {
    guard try InboxRow.exists(in: db), try journal.imports(before: position.journal, limit: 1).isEmpty else {
      return nil
    }
    let keys = try InboxRow.keys(before: position.app, limit: limit, in: db)
    return keys.isEmpty ? nil : keys
  }

  /// How far a walk got in each place, from the highest key down.
  struct Position: Sendable {
    private(set) var app = Int64.max
    private(set) var journal = Int64.max

    /// What is imported later came in after the walk began, as what the app gets meanwhile does: no walk comes to it.
    mutating func begin(in inbox: Inbox) throws {
      guard journal == .max else { return }
      journal = try inbox.journal.imports(before: .max, limit: 1).first.map { $0.id + 1 } ?? 0
    }

    mutating func pass(_ row: InboxKey) {
      switch row.place {
      case .app: app = row.id
      case .journal: journal = row.id
      }
    }
  }

  /// Each place is in the order of its keys, which is that of coming in.
  static func merged(_ kept: [InboxRow], _ imported: [InboxRow]) -> [InboxRow] {
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
