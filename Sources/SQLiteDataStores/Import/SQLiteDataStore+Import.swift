import GRDB
import Journals
import Merging
import RowJournals
import SQLiteFiles
import StoreInterface

/// Where an imported record goes:
///
///     it has an archive, or is a deletion    the app has parley_inbox, and is closed    there, with the path "import"
///     otherwise                                                                         the journal
///
/// All that is new is held until the last file was read, so that an import that fails half way has changed nothing.
extension SQLiteDataStore {
  package func importRecords(
    from paths: [String], isRehearsal: Bool, progress: (_ path: String, _ records: Int) throws -> Void
  ) throws -> ImportSummary {
    for path in paths { try ImportFile.check(path) }
    var sorting = try Sorting(store: self)
    let own = OwnFiles([files.database, log.path], metadatabase: files.metadatabase)
    for path in paths {
      var records = 0
      try progress(path, records)
      try ImportFile.forEachPage(of: path, own: own) { entries in
        try sorting.take(entries, of: path)
        records += entries.count
        try progress(path, records)
      }
    }
    let (kept, rest) = try parted(sorting.rows)
    sorting.summary.inAppInbox = kept.count
    if !isRehearsal { try keep(kept, rest) }
    return sorting.summary
  }

  /// Those that go into the app's inbox, and the others.
  private func parted(_ rows: [InboxRow]) throws -> (kept: [InboxRow], rest: [InboxRow]) {
    guard patientAccess() == .writable, try read({ try InboxRow.exists(in: $0) }) else { return ([], rows) }
    return (rows.filter(\.fitsTheApp), rows.filter { !$0.fitsTheApp })
  }

  /// One intent for all of them, so that one undo takes a wrong file out again.
  private func keep(_ kept: [InboxRow], _ rest: [InboxRow]) throws {
    var intent = log.intent(.import, undoes: nil, note: nil)
    let all = kept.count + rest.count
    do {
      for (done, row) in rest.enumerated() {
        try StoreCall.begin(done, of: all, in: files.database)
        try intent.append(
          RecordIntent(id: row.recordName, title: row.title, payload: nil, kept: row.payload()))
      }
      if !kept.isEmpty { try insert(kept, after: rest.count, &intent) }
    } catch {
      // Also where nobody wants it any more: what is begun is taken back.
      if let id = intent.id { try? StoreCall.current.unstoppable.answered { try takeBack(id) } }
      throw error
    }
    if let id = try intent.flush() { try log.finish(id) }
  }

  /// What lies in the journal alone is taken back without the store, which an app may have open.
  private func takeBack(_ begun: Int64) throws {
    let intent = try log.openIntents().first { $0.id == begun }
    guard let intent, try log.isOfTheJournalAlone(intent) else {
      try finishInterruptedWrites()
      return
    }
    let detail = JournalEntry.OwnDetail.nothingWritten.rawValue
    try log.append(intent.records.map { Receipt($0.id, .rolledBack, detail: detail) }, of: begun)
  }

  private func insert(_ rows: [InboxRow], after done: Int, _ intent: inout IntentWriter) throws {
    try steps(about: []).transaction(route) { session in
      for (number, row) in rows.enumerated() {
        try StoreCall.begin(done + number, of: done + rows.count, in: files.database)
        let change = try session.bringIn(row)
        try intent.append(RecordChanges(record: row.recordName, title: row.title, changes: [change]))
      }
      try intent.flush()
      return true
    }
  }
}

extension WriteSession {
  fileprivate func bringIn(_ row: InboxRow) throws -> StoredChange {
    let id = try row.insert(in: db)
    var change = StoredChange(
      file: .app, table: InboxRow.table, key: ["id": .integer(id)], before: nil, after: nil)
    change.after = try current(change)
    return change
  }
}

extension InboxRow {
  /// The app's inbox has no column for JSON, and a deletion needs none.
  fileprivate var fitsTheApp: Bool { isDeleted || serverRecord != nil }

  /// What a person would call it, as far as the server's record tells.
  fileprivate var title: String {
    let version =
      ArchivedVersion(serverRecord, shape: nil) ?? ArchivedVersion(json: serverJSON, shape: nil)
    let versions = ThreeWay(ancestor: nil, client: RecordVersion.absent, server: version?.version ?? .absent)
    return RecordTitle.title(of: versions, shape: nil) ?? RecordName(recordName)?.primaryKey ?? recordName
  }
}

/// An import under way: what was counted, and what is to be kept.
private struct Sorting {
  var summary = ImportSummary()
  private let store: SQLiteDataStore
  private let inbox: ByRecord<Int64>
  private let now: Int64
  /// Of the records that are taken, in the order they were met.
  private var names: [String] = []
  private var taken: ByRecord<InboxRow> = [:]
  private var ahead: RecordNames = []

  init(store: SQLiteDataStore) throws {
    self.store = store
    now = store.clock()
    inbox = try store.read { db in try InboxRow.exists(in: db) ? InboxRow.newestIDs(in: db) : [:] }
  }

  var rows: [InboxRow] { names.compactMap { taken[$0] } }

  mutating func take(_ entries: [ImportEntry], of path: String) throws {
    try store.read { db in
      let judge = ImportJudge(
        db: db, records: try store.records(in: db), journal: store.log, inbox: inbox, now: now)
      for entry in entries {
        switch entry {
        case .unreadable(let place, let record, let reason):
          let title = try (record ?? place).flatMap { try judge.records.title(of: $0) }
          refuse(path, place, record: record, title: title, reason)
        case .record(let incoming):
          let known = taken[incoming.record.recordName]
          try count(judge.verdict(on: incoming, taken: known), incoming, path) {
            try judge.records.title(of: $0)
          }
        }
      }
    }
  }

  private mutating func refuse(
    _ path: String, _ place: String?, record: String? = nil, title: String?, _ reason: String
  ) {
    summary.add(
      ImportSummary.Unreadable(file: path, place: place, record: record, title: title, reason: reason))
  }

  private mutating func count(
    _ verdict: ImportJudge.Verdict, _ incoming: IncomingRecord, _ path: String,
    title: (_ recordName: String) throws -> String?
  ) rethrows {
    switch verdict {
    case .new(let row, let hasTimeAhead): take(row, hasTimeAhead: hasTimeAhead)
    case .unchanged: summary.unchanged += 1
    case .older: summary.older += 1
    case .unknownTable: countUnknown(incoming.record.recordType)
    case .refused(let reason):
      let name = incoming.record.recordName
      let isPlace = incoming.place == name
      refuse(path, incoming.place, record: isPlace ? nil : name, title: try title(name), reason)
    }
  }

  /// A file may name as many tables as it has records.
  private mutating func countUnknown(_ table: String) {
    let isTold = summary.unknownTables.count < 100 || summary.unknownTables[table] != nil
    summary.unknownTables[isTold ? table : "…", default: 0] += 1
  }

  /// A newer version of a record that was taken before takes its place.
  private mutating func take(_ row: InboxRow, hasTimeAhead: Bool) {
    if hasTimeAhead { ahead.insert(row.recordName) } else { ahead.remove(row.recordName) }
    summary.timesAhead = ahead.count
    if let before = taken.updateValue(row, forKey: row.recordName) {
      summary.older += 1
      count(before, by: -1)
    } else {
      names.append(row.recordName)
    }
    count(row, by: 1)
  }

  private mutating func count(_ row: InboxRow, by number: Int) {
    if row.isDeleted { summary.deleted += number } else { summary.new += number }
    if !row.fitsTheApp { summary.withoutArchive += number }
  }
}
