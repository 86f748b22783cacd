import GRDB
import Journals
import Merging
import SQLiteFiles
import StoreInterface
import Synchronization

#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// A database that pointfree's SQLiteData syncs, with the hidden metadatabase beside it.
///
/// The app keeps no incoming server record of its own: it merges at once. Conflicts are what somebody put into the table
/// `parley_inbox` of the app database, or imported; without either there are findings only.
package final class SQLiteDataStore: ConflictStore {
  package enum Access: Sendable {
    /// Never writes, and leaves no file behind.
    case reading
    /// Writes when asked to, if nobody else holds the store.
    case writing
  }

  let files: StoreFiles
  package let ruleBook: RuleBook
  var rules: MergeRules { ruleBook.rules }
  let clock: @Sendable () -> Int64
  let timeLimit: Duration
  let tables = TableShapes()
  package let log: Journal
  let reader: SQLiteReader
  private let opened: Access
  /// How drafts are written; where the app has an outbox and nothing else was asked for, through that.
  let route: WriteRoute
  let probes: [LockProbe]
  let standing = StandingTraces()
  package let hasOutbox: Bool

  package let info: StoreInfo

  /// Opens the store at `path`, which is the app's database (or the hidden one: its app database is found by name).
  ///
  /// - Parameters:
  ///   - metadatabase: the hidden database, where it cannot be found by its name.
  ///   - route: how drafts are written; nil: through the outbox where the app has one, else directly.
  ///   - clock: the time now, in nanoseconds since 1970.
  ///   - finishing: whether a write of an earlier run that was interrupted is completed or taken back now, if the store can be
  ///     written; else the next write, undo or mending does it.
  ///   - timeLimit: how long the tables' own triggers may compute for one record that is written.
  /// - Throws: ``StoreError`` that names the file.
  package static func open(
    path: String, metadatabase: String? = nil, access: Access = .reading, route: WriteRoute? = nil,
    finishing: Bool = true, rules: MergeRules = MergeRules(),
    clock: @escaping @Sendable () -> Int64 = WallClock.now, timeLimit: Duration = .seconds(10)
  ) throws -> SQLiteDataStore {
    let files = try StoreFiles(path: path, metadatabase: metadatabase)
    let store = try SQLiteDataStore(
      files, access: access, route: route, rules: rules, clock: clock, timeLimit: timeLimit)
    if access == .writing, finishing { try store.finishInterruptedWrites() }
    return store
  }

  /// Whether a database and its hidden metadatabase lie at `path`, by their names: no file of another store has such a one.
  package static func recognises(_ path: String) -> Bool {
    (try? StoreFiles(path: path, metadatabase: nil)) != nil
  }

  /// The stores in a folder, each by its app database; by its metadatabase where nobody can tell which of several files that is.
  ///
  /// - Throws: ``StoreError/cannotRead(path:detail:isForbidden:)``
  package static func stores(in folder: String) throws -> [String] { try StoreFiles.stores(in: folder) }

  /// The app database that `path` means: that of the only store in a folder, or beside a hidden one, otherwise `path` itself.
  package static func databasePath(at path: String) -> String {
    guard FileStatus(path: path)?.isFolder == true else {
      return (try? StoreFiles(path: path, metadatabase: nil))?.database ?? path
    }
    return (try? StoreFiles.onlyDatabase(in: path)) ?? path
  }

  private init(
    _ files: StoreFiles, access: Access, route: WriteRoute?, rules: MergeRules,
    clock: @escaping @Sendable () -> Int64, timeLimit: Duration
  ) throws {
    self.files = files
    ruleBook = RuleBook(rules)
    self.clock = clock
    self.timeLimit = timeLimit
    opened = access
    let probes = [
      try FileStatus.checkDatabase(files.database), try FileStatus.checkDatabase(files.metadatabase),
    ]
    let reader = SQLiteDataStore.reader(of: files, probes)
    (self.probes, self.reader) = (probes, reader)
    log = Journal(kind: "SQLiteData", database: files.database, reading: .ofRows, clock: clock)
    let (unseen, hasOutbox) = try SQLiteDataStore.checkTables(files, reader, probes)
    self.hasOutbox = hasOutbox
    let chosen = route ?? (hasOutbox ? .outbox : .direct)
    self.route = chosen
    info = SQLiteDataStore.info(of: files, chosen, unseen)
  }

  private static func reader(of files: StoreFiles, _ probes: [LockProbe]) -> SQLiteReader {
    SQLiteReader(files: [
      SQLiteReader.File(path: files.database, schema: "main", probe: probes[0]),
      SQLiteReader.File(path: files.metadatabase, schema: Metadatabase.schema, probe: probes[1]),
    ])
  }

  private static func info(of files: StoreFiles, _ route: WriteRoute, _ unseen: String?) -> StoreInfo {
    var info = StoreInfo(
      name: folderAndName(files.database).name, path: files.database, kind: "SQLiteData",
      writing: route.words, mending: WriteRoute.mending,
      notVerified: route.notVerified, can: abilities(route))
    info.notBoth = notBoth
    info.unseen = unseen
    return info
  }

  private static let notBoth = """
    Both versions cannot be kept as two rows: the second would need a key, and rows that point to it, which only the app can make.
    """

  /// - Parameter missing: the tables that sync, and are not there.
  private static func unseen(_ missing: [String], hasInbox: Bool) -> String? {
    if missing.isEmpty { return hasInbox ? nil : withoutInbox }
    return """
      Not all is here: \(missing.listed) \(missing.count == 1 ? "is a table that syncs" : "are tables that sync"), and the app \
      database has none so called. They were dropped or renamed, it is another app's, or it was copied without its -wal; parley doctor \
      tells more.
      """
  }

  private static let withoutInbox = """
    This app keeps no conflicts: SQLiteData merges a record as it comes in, and nothing in these files tells what lost. \
    parley capture prints what keeps it from then on; parley import brings the server's records in.
    """

  private static func abilities(_ route: WriteRoute) -> Set<StoreInfo.Ability> {
    let always: Set<StoreInfo.Ability> = [
      .importRecords, .capture, .tellStatements, .tellUploads, .foretell, .tellFamilies,
    ]
    return route == .outbox ? always.union([.leaveToApp]) : always
  }

  deinit {
    reader.close()
    log.close()
  }

  var isForReading: Bool { opened == .reading }

  package func access() -> StoreAccess { access(by: route) }

  /// By the route of a write, which need not be the one that is chosen now.
  func access(by route: WriteRoute) -> StoreAccess {
    isForReading ? .openedForReading : accessToFinish(by: route)
  }

  /// The same however it was opened.
  func accessToFinish(by route: WriteRoute) -> StoreAccess {
    switch route {
    case .direct: accessForDirectWrites()
    case .outbox: accessToTheOutbox()
    }
  }

  package func letGo() { reader.letGo() }

  package func patientAccess() -> StoreAccess {
    letGo()
    return LockProbe.patient(access)
  }

  package func traces() -> [Int64] { standing.shown(for: fileTraces()) }

  func fileTraces() -> [Int64] {
    [files.database, files.metadatabase].flatMap(FileStatus.traces(ofDatabase:))
  }

  /// Whether both files can be written now.
  private func accessForDirectWrites() -> StoreAccess {
    LockProbe.hindrance(ofAny: probes) ?? accessToFiles()
  }

  /// The app may be running.
  private func accessToTheOutbox() -> StoreAccess {
    if !hasOutbox {
      return .readOnly(
        reason: "the app has no table parley_outbox; parley capture prints its SQL, and --direct does without"
      )
    }
    return accessToFiles()
  }

  private func accessToFiles() -> StoreAccess {
    let reason = [files.database, files.metadatabase].firstAnswer { FileStatus.whyNotWritable($0) }
    return reason.map { .readOnly(reason: $0) } ?? .writable
  }

  /// Who holds a lock on one of the databases.
  func holder() -> LockProbe.Holder? { probes.firstAnswer { $0.holder() } }

  /// Runs `body` on one state of both files, with the errors of SQLite told as the store's.
  func read<Result: Sendable>(_ body: (Database) throws -> Result) throws -> Result {
    try StoreCall.current.check(info.path)
    do {
      return try reader.read(body)
    } catch {
      throw told(StoreError.reading(files.database, error, holder: holder()))
    }
  }

  /// SQLite does not say in which of two databases a damaged page lies.
  func told(_ error: any Error) -> any Error {
    guard case .damaged(let path, let detail)? = error as? StoreError else { return error }
    return StoreError.damaged(path: path, detail: "\(detail), in it or in \(files.metadatabase)")
  }

  /// - Returns: what there may be and is in no file, and whether the app has an outbox.
  private static func checkTables(
    _ files: StoreFiles, _ reader: SQLiteReader, _ probes: [LockProbe]
  ) throws -> (unseen: String?, hasOutbox: Bool) {
    do {
      return try reader.read { db in
        try Metadatabase.check(files.metadatabase, in: db)
        let names = try db.rows("SELECT name FROM main.sqlite_master WHERE type = 'table'") { $0.text(0) }
        if let reason = TableShape.reasonTablesAreAlike(names) {
          throw StoreError.cannotRead(path: files.database, detail: reason)
        }
        let there = Set(names.map { $0.lowercased() })
        let missing = try Metadatabase.syncedTables(in: db).filter { !there.contains($0.lowercased()) }
          .sorted()
        return (unseen(missing, hasInbox: try InboxRow.exists(in: db)), try OutboxRow.exists(in: db))
      }
    } catch {
      let holder = probes.firstAnswer { $0.holder() }
      throw try StoreError.reading(culprit(of: error, files, probes[0]), error, holder: holder)
    }
  }

  /// Which of the files an error is about: SQLite does not tell for an attached one.
  private static func culprit(of error: any Error, _ files: StoreFiles, _ probe: LockProbe) throws -> String {
    guard error is DatabaseError else { throw error }
    let alone = SQLiteReader(files: [SQLiteReader.File(path: files.database, schema: "main", probe: probe)])
    defer { alone.close() }
    let isFine =
      (try? alone.read { try $0.firstRow("SELECT count(*) FROM sqlite_master") { _ in true } }) != nil
    return isFine ? files.metadatabase : files.database
  }
}

extension SQLiteDataStore {
  package func estimatedCount() throws -> Int? {
    try read { db in try Inbox(db: db, journal: log).count() }
  }

  package func conflicts() -> any ConflictWalk { InboxWalk(store: self) }

  package func findings() -> any FindingWalk {
    InterruptedFirst(self, then: MetadataWalk(store: self))
  }

  package func conflict(_ id: String) throws -> RecordConflict {
    let conflict = try read { db -> RecordConflict? in
      try state(of: id, in: db).map { try ReferenceTitles(db: db, tables: tables).adding(to: $0) }
    }
    guard let conflict else { throw StoreError.noSuchRecord(id: id) }
    return conflict
  }

  package func judge(_ field: String, in write: PlannedWrite) throws -> ValueVerdict {
    try read { db in
      let records = try records(in: db)
      guard let state = try records.state(of: write.seen.id) else {
        return .refused("it is no longer in conflict")
      }
      guard let shape = state.shape, let column = shape[field], let row = state.row else {
        return .notKnown("there is no row to put it into")
      }
      let references = References(db: db, comesBack: records.comesBack)
      return try ValueJudge(references, shape, column, row: row, write).verdict()
    }
  }

  /// In one state of the files.
  package func conflicts(_ ids: [String]) throws -> [RecordConflict] {
    try read { db in
      let records = try records(in: db, about: ids)
      let titles = ReferenceTitles(db: db, tables: records.tables)
      return try ids.compactMap { id in try records.state(of: id).map { try titles.adding(to: $0) } }
    }
  }

  private func state(of id: String, in db: Database) throws -> RecordState? {
    try records(in: db).state(of: id)
  }

  func records(in db: Database) throws -> RecordReader {
    RecordReader(db: db, tables: try tables.pinned(in: db), rules: rules.at(clock()), journal: log)
  }

  /// For all of these records.
  func records(in db: Database, about ids: some Collection<String>) throws -> RecordReader {
    var records = try records(in: db)
    records.names = try log.names(among: ids)
    records.inbox = try InboxRow.exists(in: db) ? InboxLookup(of: ids, in: db) : nil
    return records
  }
}
