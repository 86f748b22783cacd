import GRDB
import Journals
import Merging
import RowJournals
import SQLiteFiles
import StoreInterface

/// One writing transaction over both databases, seen from inside.
package final class WriteSession: DatabasePlace {
  package let db: Database
  let records: RecordReader
  let now: Int64
  let queue: PendingQueue
  let journal: Journal
  private let timeLimit: Duration
  private var metadataShapes: [String: TableShape] = [:]
  private var watching: RowWatch?
  private var rehearsed = RehearsedDrafts()
  /// The tables whose rows are records, in lowercase.
  let synced: Set<String>
  /// Whether any record was not taken in: to most stores that never happens, and nobody has to look for each record.
  let hasUnsynced: Bool
  /// Of all texts in both databases: "UTF-8", "UTF-16le" or "UTF-16be".
  let encoding: String?

  init(_ db: Database, _ store: SQLiteDataStore, names: AnyCollection<String>) throws {
    self.db = db
    records = try store.records(in: db, about: names)
    now = store.clock()
    queue = try PendingQueue(in: db)
    journal = store.log
    timeLimit = store.timeLimit
    synced = Set(try Metadatabase.syncedTables(in: db).map { $0.lowercased() })
    encoding = try db.firstRow("PRAGMA encoding") { $0.text(0) }
    hasUnsynced = try db.hasRow("SELECT 1 FROM \(Metadatabase.sqlName(Metadatabase.unsynced)) LIMIT 1")
  }

  /// The rows of the app's inbox that a write of this conflict settles: all of the record but those of another conflict.
  func settled(_ state: RecordState) throws -> [Int64] {
    try (records.inbox?.ids(of: state.inbox.recordName) ?? []).filter { !state.later.contains($0) }
  }

  /// Oldest first.
  func openImports(of recordName: String) throws -> [InboxRow] {
    records.names?.isKept(recordName) == false ? [] : try journal.openImports(of: recordName)
  }

  /// They leave the inbox.
  func settling(_ state: RecordState) throws -> [StoredChange] {
    let imports = try openImports(of: state.inbox.recordName).map(\.id)
    return try imports.map { StoredChange.settling(kept: $0) }
      + settled(state).map { try seen(.app, InboxRow.table, ["id": .integer($0)]) }
  }

  /// The record as it is inside of the transaction; nil if it is no longer in conflict.
  func state(of id: String) throws -> RecordState? { try records.state(of: id) }

  /// Begun by the first change, as a session that only looks may not be allowed to.
  func watch() throws -> RowWatch {
    if let watching { return watching }
    let begun = try RowWatch(["main", Metadatabase.schema], in: db)
    watching = begun
    return begun
  }

  func shape(of change: StoredChange) throws -> TableShape {
    switch change.file {
    case .app:
      if let shape = try records.tables.shape(of: change.table, in: db) { return shape }
    case .metadata: return try metadataShape(change.table)
    case .journal: break
    }
    throw Refusal(nil, "there is no table \(change.table)")
  }

  func metadataShape(_ table: String) throws -> TableShape {
    if let known = metadataShapes[table] { return known }
    guard let shape = try TableShape(table, schema: Metadatabase.schema, in: db) else {
      throw Refusal(nil, "there is no table \(table)")
    }
    metadataShapes[table] = shape
    return shape
  }

  /// A change of a row that is there as it is now, or not; what becomes of it is still to be said.
  func seen(_ file: StoredChange.File, _ table: String, _ key: RowImage) throws -> StoredChange {
    var change = StoredChange(file: file, table: table, key: key)
    change.before = try current(change)
    return change
  }

  /// The row that `change` is about, as it is now.
  func current(_ change: StoredChange) throws -> RowImage? {
    if change.file == .journal { return try journal.current(change) }
    return try change.current(shape(of: change), in: db)
  }

  /// Applies the changes of one record, all of them or none.
  ///
  /// A trigger of the app may have changed a column again, so what differs is then written once more, by itself. What rows
  /// beside them were is not known until it is known which they are: then all is taken back, they are read, and it is done again.
  ///
  /// - Parameters:
  ///   - isExact: whether the rows have to be what they were, as in an undo; else what was drafted has to be there.
  ///   - plan: whose changes these are. Where triggers make another row of it, all is taken back, and made for that row.
  /// - Returns: the changes with the rows as they really became, and what triggers changed beside them.
  /// - Throws: ``Refusal`` if the store's rules do not allow it; any other error ends the transaction.
  @discardableResult
  func apply(
    _ changes: [StoredChange], isExact: Bool = false, of plan: WritePlan? = nil
  ) throws -> [StoredChange] {
    if !isExact { try changes.forEach(checkWayBack) }
    if let made = try db.limited(to: timeLimit, { try makePlainly(changes) }) { return made }
    var (changes, plan, before) = (changes, plan, RowsBefore())
    for _ in 0..<WriteSession.mostAttempts {
      let result: Attempt = try db.limited(to: timeLimit) {
        try attempt(changes, before, isExact: isExact, plan)
      }
      switch result {
      case .done(let settled): return settled.filter { !$0.changesNothing }
      case .unknown(let places): for place in places { before[place] = try rowBefore(at: place) }
      // Once: a trigger that notes the time makes another row each time.
      case .otherwise(let made): (changes, plan) = (try plan?.changes(as: made) ?? changes, nil)
      }
    }
    throw Refusal(nil, "its triggers change other rows at every attempt, so none could be kept for undo")
  }

  /// A row that goes is brought back by another statement than it goes by, and the table may need for that what only the app has: in a
  /// trigger, a computed column or a CHECK. So it is with one that comes.
  private func checkWayBack(_ change: StoredChange) throws {
    guard isOfTheApp(change), (change.before == nil) != (change.after == nil) else { return }
    let shape = try shape(of: change)
    do {
      try change.reversed.compile(shape, in: db)
    } catch {
      guard let refusal = Refusal(error, table: shape) else { throw error }
      throw Refusal(refusal.field, "an undo could not take it back: \(refusal.reason)")
    }
  }

  private static let mostAttempts = 5

  private enum Attempt {
    case done([StoredChange])
    /// All was taken back, as it has to be known first what these rows are.
    case unknown([RowWatch.Place])
    /// The same, as triggers have made these rows of it, of which something else follows.
    case otherwise([StoredChange])
  }

  private func attempt(
    _ changes: [StoredChange], _ before: RowsBefore, isExact: Bool, _ plan: WritePlan?
  ) throws -> Attempt {
    try watch().forget()
    var meant = Set(try places(of: changes))
    var attempt = Attempt.done([])
    try db.savepoint {
      let broken = try changes.map { try brokenTexts(of: $0) }
      let settled = try make(changes, isExact: isExact)
      // Triggers may change more of these rows than was drafted.
      for (change, texts) in zip(settled, broken) { try change.refuse(overwriting: texts) }
      if let plan, plan.note(on: settled) != nil {
        attempt = .otherwise(settled)
        return .rollback
      }
      meant.formUnion(try places(of: changes))
      let noticed = try noticed(beside: meant)
      let unknown = try unknown(noticed, before)
      if !unknown.isEmpty {
        attempt = .unknown(unknown)
        return .rollback
      }
      let beside = try changesBeside(noticed, before)
      if !isExact && !beside.isEmpty { try rehearseUndo(of: settled, beside: beside) }
      attempt = .done(settled + beside)
      return .commit
    }
    return attempt
  }

  /// - Returns: the changes with the rows as they really became.
  func make(_ changes: [StoredChange], isExact: Bool) throws -> [StoredChange] {
    let rows = changes.filter { $0.file != .journal }
    // A trigger may move a row beside the record on, so that it fits only when all else is done.
    if let refused = try all(rows, apply).first(where: { try !isBeside($0.change) }) { throw refused.refusal }
    if isExact { try removeAdditions(beside: rows) }
    let refused = try all(recordsFirst(rows)) { try repeatWhatDiffers($0, isExact: isExact) }
    if let first = refused.first { throw first.refusal }
    let settled = try changes.map { try self.settled($0, isExact: isExact) }
    try checkDeferredKeys(changes)
    return settled
  }

  /// What the commit would fail for, of one record and while that can still be taken back by itself.
  func checkDeferredKeys(_ changes: [StoredChange]) throws {
    guard try db.hasOpenForeignKey() else { return }
    for change in changes where change.file == .app {
      try References(db: db).checkLeft(by: change, shape(of: change))
    }
    throw Refusal(nil, "it leaves a foreign key that leads nowhere: FOREIGN KEY constraint failed")
  }

  private typealias Refused = (change: StoredChange, refusal: Refusal)

  /// A row may fit only after another, with which it must not be equal, has gone from its place.
  ///
  /// - Returns: those that fit at no time.
  private func all(_ changes: [StoredChange], _ make: (StoredChange) throws -> Void) throws -> [Refused] {
    var refused: [Refused] = []
    for change in changes {
      do {
        try make(change)
      } catch let refusal as Refusal where db.isInsideTransaction {
        refused.append((change, refusal))
      }
    }
    return refused.isEmpty || refused.count == changes.count
      ? refused : try all(refused.map(\.change), make)
  }

  func isBeside(_ change: StoredChange) throws -> Bool {
    try change.file == .app && isBesideTheRecords(shape(of: change))
  }

  /// A row beside the record may be changed by what is done to the record, and not the other way round.
  func recordsFirst(_ changes: [StoredChange]) throws -> [StoredChange] {
    try changes.filter { try !isBeside($0) } + changes.filter { try isBeside($0) }
  }

  private func repeatWhatDiffers(_ change: StoredChange, isExact: Bool) throws {
    var rest = change
    rest.before = try current(change)
    if !isExact {
      guard let now = rest.before, change.after != nil else { return }
      rest.after = change.drafted(over: now)
    }
    if !rest.changesNothing { try apply(rest) }
  }

  /// An import is settled by the receipt alone, which is still to come.
  private func settled(_ change: StoredChange, isExact: Bool) throws -> StoredChange {
    if change.file == .journal { return change }
    var settled = change
    settled.after = try current(change)
    let row = SettledRow(change: change, shape: try shape(of: change), now: settled.after, db: db)
    switch (isExact, try isBeside(change)) {
    case (false, _): try row.checkDraft()
    case (true, false): try row.checkTakenBack()
    case (true, true): try row.checkExactly()
    }
    return settled
  }

  func apply(_ change: StoredChange) throws {
    let shape = try shape(of: change)
    if let name = shape.ambiguousColumn { throw Refusal(ambiguous: name, shape) }
    do {
      if isOfTheApp(change) {
        try checkReferences(change, shape)
        try change.refuse(overwriting: brokenTexts(shape, change.key))
        try refuseTextsThatChange(change)
      }
      try change.apply(shape, in: db)
    } catch {
      throw Refusal(error, table: shape) ?? error
    }
  }

  /// Tries a change as the app will make it, and takes it back. What only the app's own functions are missing for is left
  /// to the app.
  ///
  /// What does not fit alone is tried after those other drafts of this write that it needs, of what makes or deletes a row, in the order in
  /// which the app applies them: a child that is made again fits once its parent is.
  func rehearse(_ change: StoredChange, of record: String) throws {
    var needs = RehearsedDrafts.Needs.none
    do {
      try rehearse([change])
    } catch let refusal as Refusal {
      guard let others = draftsNeeded(by: change, refusedFor: refusal) else { throw refusal }
      needs = others
    }
    if change.before == nil || change.after == nil { rehearsed.add(change, of: record, needing: needs) }
  }

  /// After which drafts it fits: those that it waits for, one after the other; else all, as a row may be in its way. nil if after none.
  private func draftsNeeded(
    by change: StoredChange, refusedFor refusal: Refusal
  ) -> RehearsedDrafts.Needs? {
    var (places, awaited) = ([Int](), refusal.awaited)
    while db.isInsideTransaction, let place = awaited.flatMap({ rehearsed.place(of: $0) }),
      !places.contains(place)
    {
      places.append(place)
      guard let next = self.refusal(of: change, after: .these(places)) else { return .these(places) }
      awaited = (next as? Refusal)?.awaited
    }
    guard db.isInsideTransaction, !rehearsed.isEmpty else { return nil }
    return self.refusal(of: change, after: .all) == nil ? .all : nil
  }

  /// nil where it fits after these.
  private func refusal(of change: StoredChange, after needs: RehearsedDrafts.Needs) -> (any Error)? {
    do {
      try rehearse(rehearsed.changes(needs) + [change])
      return nil
    } catch {
      return error
    }
  }

  private func rehearse(_ changes: [StoredChange]) throws {
    do {
      try replaced(by: changes).forEach(refuseReplacing)
    } catch let refusal as Refusal where refusal.isForTheApp {}
  }

  /// The rows that would go in favour of these changes, which are taken back.
  private func replaced(by changes: [StoredChange]) throws -> [RowWatch.Place] {
    var replaced: [RowWatch.Place] = []
    let meant = Set(try places(of: changes))
    try watch().forget()
    try db.limited(to: timeLimit) {
      try db.savepoint {
        for change in changes { try apply(change) }
        _ = try changes.last.map { try settled($0, isExact: false) }
        try checkDeferredKeys(changes)
        replaced = try noticed(beside: meant).filter(\.isReplaced).map(\.place)
        return .rollback
      }
    }
    return replaced
  }

  private func checkReferences(_ change: StoredChange, _ shape: TableShape) throws {
    if let after = change.after {
      try References(db: db).checkParents(of: after, shape, changedFrom: change.before)
    } else if let before = change.before {
      try References(db: db).checkChildren(of: before, key: change.key, shape)
    }
  }
}
