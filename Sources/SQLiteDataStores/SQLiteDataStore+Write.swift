import Foundation
import GRDB
import Journals
import Merging
import RowJournals
import SQLiteFiles
import StoreInterface

extension SQLiteDataStore: SteppingStore {
  package func steps(about ids: some Collection<String>) -> SQLiteDataSteps {
    SQLiteDataSteps(store: self, route: route, names: AnyCollection(ids))
  }

  /// What was written one way is taken back, and mended, the same way.
  package func steps(for intent: Intent) throws -> SQLiteDataSteps {
    SQLiteDataSteps(store: self, route: try route(of: intent))
  }

  package var isHeldByParley: Bool { holder()?.isParley == true }

  package func takeBack(_ write: Intent, isRehearsal: Bool) throws -> [CheckedWrite] {
    try log.isOfTheJournalAlone(write)
      ? takeBackImports(of: write, isRehearsal: isRehearsal)
      : takeBackByItsSteps(write, isRehearsal: isRehearsal)
  }

  /// An import lies in the journal, and the two routes lock other files.
  package func rehearseUndo(ofEach writes: [Intent]) throws -> [[CheckedWrite]]? {
    if try writes.contains(where: { try log.isOfTheJournalAlone($0) }) { return nil }
    let steps = try writes.map { try self.steps(for: $0) }
    guard let first = steps.first, steps.allSatisfy({ $0.route == first.route }) else { return nil }
    return try rehearse(undoing: writes, by: first)
  }
}

/// The steps of a write by one of the two routes: all records of it in one transaction over both databases.
package struct SQLiteDataSteps: WriteSteps {
  let store: SQLiteDataStore
  let route: WriteRoute
  /// The records that are to be written. Made as they are asked for: of a hundred thousand they take ten megabytes.
  var names = AnyCollection<String>([])

  package var log: Journal { store.log }
  package var path: String { store.files.database }
  package var batch: Int { .max }
  package var detail: JournalEntry.OwnDetail? { route == .outbox ? .inOutboxOfApp : nil }

  package func access() -> StoreAccess { store.access(by: route) }
  package func accessToFinish() -> StoreAccess { store.accessToFinish(by: route) }

  package func whileWriting(_ body: (WriteRoute) throws -> Void) throws { try body(route) }

  /// Runs `body` on both databases: while nobody reads or writes them, or for the outbox in between.
  ///
  /// - Throws: ``StoreError/readOnly(path:reason:)``, ``StoreError/locked(path:holder:)``,
  ///   ``StoreError/writeFailed(path:detail:)``
  package func transaction(_ route: WriteRoute, _ body: (WriteSession) throws -> Bool) throws {
    store.letGo()
    try LockProbe.patient(access).check(path)
    try store.reader.whileClosed {
      do {
        defer { store.standing.settle(store.fileTraces()) }
        let writer = try writer(route)
        defer { writer.close() }
        try writer.transaction { db in
          store.standing.hold(store.fileTraces())
          guard try body(WriteSession(db, store, names: names)) else { return .rollback }
          store.standing.release()
          return .commit
        }
      } catch {
        throw store.told(
          StoreError.writing(path, error, beside: route == .outbox, holder: store.holder()))
      }
    }
  }

  /// For the outbox the metadatabase is attached because what the person saw is read again; nothing is written to it.
  private func writer(_ route: WriteRoute) throws -> SQLiteWriter {
    switch route {
    case .direct: try SQLiteWriter(store.files, store.probes, clock: store.clock)
    case .outbox:
      try SQLiteWriter(
        path, attached: [Metadatabase.schema: store.files.metadatabase], isAlone: false
      ) { $0.addLibraryFunctions() }
    }
  }

  package func reading<Result: Sendable>(_ body: (WriteSession) throws -> Result) throws -> Result {
    try store.read { db in try body(WriteSession(db, store, names: AnyCollection([]))) }
  }

  package func mending(_ body: (WriteSession) throws -> Void) throws {
    try transaction(route) { session in
      try body(session)
      return true
    }
  }

  package func state(of changes: RecordChanges, at session: WriteSession) throws -> InterruptedWrite.State? {
    try session.state(of: changes)
  }

  package func complete(_ changes: RecordChanges, of record: String, at session: WriteSession) throws
    -> Receipt?
  {
    try session.complete(changes)
  }
}

extension SQLiteDataSteps {
  package func task(_ order: WriteOrder, note: String?) -> WriteTask<WriteSession> {
    let label = order.label
    // Of one that nobody has read before it is known now.
    var title = label.title
    let titled = { (_: WriteSession) in title }
    return WriteTask(label: label, titled: titled) { session in
      guard let state = try session.state(of: label.id) else { throw order.gone() }
      title = state.conflict.title
      let draft = try order.draft(of: state.conflict)
      if state.conflict.details.waitingSince != nil { throw Moved("a draft of it waits for the app") }
      let plan = try WritePlan(draft, state, session)
      if route == .outbox {
        return Made(
          try session.apply(plan.outboxChanges(note: note)), upload: plan.uploadByTheApp,
          note: plan.note(onSending: plan.row))
      }
      let made = try session.apply(plan.changes(), of: plan)
      return Made(made, upload: plan.upload(of: made), note: plan.notes(on: made))
    }
  }

  package func task(undoing record: Intent.Record, of intent: Int64) -> WriteTask<WriteSession> {
    WriteTask(label: record.label) { session in
      let changes = try log.changes(of: record, in: intent)
      if record.isLeft { return Made(try session.bringBack(session.takingUp(changes), of: changes)) }
      let own = changes.changes.filter { !changes.isByTrigger($0) }
      if let moved = try own.first(where: { try !$0.isAsLeft(in: session.current($0)) }) {
        throw Moved(try session.movedWords(moved))
      }
      return Made(try session.takeBack(changes))
    }
  }
}

extension SQLiteWriter {
  /// Both databases, with more of each in memory than the records take of which the intent waits for the disk: 4 MB. Of the metadata it
  /// is 8: a page that went to the `-wal` and is changed again has all that lies behind it there read once more, for its checksum, and
  /// where the leaves of an index are balanced those are changed that were finished 4 MB of archives ago.
  init(_ files: StoreFiles, _ probes: [LockProbe] = [], clock: @escaping @Sendable () -> Int64) throws {
    try self.init(files.database, attached: [Metadatabase.schema: files.metadatabase], probes: probes) { db in
      // The metadata's schema calls the app's own clock for a default; an INSERT would not even compile without it.
      db.add(
        function: DatabaseFunction("sqlitedata_icloud_currentTime", argumentCount: 0) { _ in clock() })
      db.addLibraryFunctions()
    }
    try keepInMemory(kibibytes: 4 << 10, of: "main")
    try keepInMemory(kibibytes: 8 << 10, of: Metadatabase.schema)
  }
}

extension Database {
  /// The default of nearly every table's key: without it no INSERT would compile. Of a column that is not given it is what the app would
  /// give it.
  fileprivate func addLibraryFunctions() {
    add(function: DatabaseFunction("uuid", argumentCount: 0) { _ in UUID().uuidString.lowercased() })
  }
}

/// What was made of a record's rows.
private struct Made {
  let changes: [StoredChange]
  /// What becomes of the record on the server.
  let upload: UploadForecast?
  /// What a person should know beside that.
  let note: String?
  /// What an undo does not bring back.
  var notBack = NotBack()

  init(_ changes: [StoredChange], upload: UploadForecast? = nil, note: String? = nil) {
    (self.changes, self.upload, self.note) = (changes, upload, note)
  }

  init(_ undone: TakenBack) {
    self.init(undone.made, note: undone.note)
    notBack = undone.notBack
  }
}

extension WriteTask where Place == WriteSession {
  /// - Parameter change: changes the record's rows, and tells how.
  init(
    _ label: RecordLabel, titled: ((WriteSession) throws -> String)? = nil,
    _ change: @escaping (WriteSession) throws -> [StoredChange]
  ) {
    self.init(label: label, titled: titled) { Made(try change($0)) }
  }

  /// - Parameter change: also tells what becomes of the record on the server.
  fileprivate init(
    label: RecordLabel, titled: ((WriteSession) throws -> String)? = nil,
    _ change: @escaping (WriteSession) throws -> Made
  ) {
    self.init(label, titled: titled) { session in
      do {
        let made = try change(session)
        let title = try titled?(session) ?? label.title
        let record = RecordChanges(record: label.id, title: title, changes: made.changes)
        var intent = try RecordIntent(record, hashing: true)
        (intent.upload, intent.note, intent.notBack) = (made.upload, made.note, made.notBack)
        return intent
      } catch let refusal as Refusal where !session.db.isInsideTransaction {
        // A trigger may take back the whole transaction, and so does SQLite where one had to be interrupted. Without it every
        // further record would be written for good, and nobody would know.
        let detail = "\(refusal.reason); with it nothing of the others was written"
        throw StoreError.refused(record: label.id, field: refusal.field, detail: detail)
      }
    }
  }
}

extension StoredChange {
  /// What the row is, for a person.
  var words: String {
    switch table {
    case Metadatabase.metadata: "its sync metadata"
    case Metadatabase.pending: "its pending change"
    case Metadatabase.unsynced: "the list of unsynced records"
    case InboxRow.table, StoredChange.kept: "the inbox"
    case OutboxRow.table: "the outbox"
    case ParleyTables.unsentName: "the app's note of unsent edits"
    default: "the row"
    }
  }
}
