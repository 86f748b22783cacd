import GRDB
import Journals
import Merging
import RevisionTrees
import SQLiteFiles
import StoreInterface

/// A datastore of Cloudant Sync: CDTDatastore (iOS, macOS) or sync-android.
///
/// Every document is a tree of revisions. It is in conflict while it has two live leaves or more: the winner is the client,
/// another leaf the server, and the newest revision that all of them descend from the ancestor.
package final class CloudantStore: ConflictStore {
  package enum Access: Sendable {
    /// Never writes, and leaves no file behind.
    case reading
    /// Writes when asked to, if nobody else holds the datastore.
    case writing
  }

  let files: DatastoreFiles
  let schema: DatastoreSchema
  package let ruleBook: RuleBook
  var rules: MergeRules { ruleBook.rules.forDocuments }
  package let log: Journal
  let reader: SQLiteReader
  private let remembered = RememberedDocument()
  private let probe: LockProbe
  private let opened: Access

  package let info: StoreInfo

  /// Opens the datastore at `path`: `NAME.touchdb`, Android's `db.sync`, or a folder that holds one of them.
  ///
  /// - Parameters:
  ///   - finishing: whether a write of an earlier run that was interrupted is told as completed or rolled back now, if the
  ///     datastore can be written; else the next write, undo or mending does it.
  ///   - clock: the time now, in nanoseconds since 1970.
  /// - Throws: ``StoreError`` that names the file.
  package static func open(
    path: String, access: Access = .reading, finishing: Bool = true, rules: MergeRules = MergeRules(),
    clock: @escaping @Sendable () -> Int64 = WallClock.now
  ) throws -> CloudantStore {
    let files = try DatastoreFiles(path: path)
    let store = try CloudantStore(files, access: access, rules: rules, clock: clock)
    if finishing, store.access() == .writable { try store.finishInterruptedWrites() }
    return store
  }

  /// Whether there is a datastore at `path`: by its name, or by the columns of its tables.
  package static func recognises(_ path: String) -> Bool {
    DatastoreFiles.isNamedLikeOne(path) || hasItsTables(path)
  }

  /// Whether there is one by both. Its name alone may be that of a database beside which another store keeps what it knows of it.
  package static func isSurely(_ path: String) -> Bool {
    DatastoreFiles.isNamedLikeOne(path) && hasItsTables(path)
  }

  private static func hasItsTables(_ path: String) -> Bool {
    guard let probe = try? FileStatus.checkDatabase(path) else { return false }
    let reader = SQLiteReader(files: [SQLiteReader.File(path: path, schema: "main", probe: probe)])
    defer { reader.close() }
    return (try? reader.read { try DatastoreSchema.isDatastore(in: $0) }) ?? false
  }

  /// The datastores in a folder, each by its database.
  ///
  /// - Throws: ``StoreError/cannotRead(path:detail:isForbidden:)``
  package static func stores(in folder: String) throws -> [String] {
    try DatastoreFiles.databases(in: folder)
  }

  private init(
    _ files: DatastoreFiles, access: Access, rules: MergeRules, clock: @escaping @Sendable () -> Int64
  ) throws {
    let probe = try FileStatus.checkDatabase(files.database)
    let reader = SQLiteReader(
      files: [SQLiteReader.File(path: files.database, schema: "main", probe: probe)],
      prepare: DatastoreSchema.addCollation)
    schema = try reader.readStore { try DatastoreSchema(files.database, in: $0) }
    self.files = files
    ruleBook = RuleBook(rules)
    self.probe = probe
    self.reader = reader
    opened = access
    log = Journal(kind: "Cloudant Sync", database: files.database, reading: .ofDocuments, clock: clock)
    info = StoreInfo(files, schema)
  }

  deinit {
    reader.close()
    log.close()
  }

  package func access() -> StoreAccess {
    opened == .reading ? .openedForReading : accessToFinish()
  }

  /// Whether anybody could write it now, however it was opened.
  func accessToFinish() -> StoreAccess {
    if schema.version > DatastoreSchema.newestKnown {
      return .tooNew(reason: "its schema \(schema.version) is newer than any that is known here")
    }
    if let hindrance = LockProbe.hindrance(ofAny: [probe]) { return hindrance }
    return FileStatus.whyNotWritable(files.database).map { .readOnly(reason: $0) } ?? .writable
  }

  package func letGo() { reader.letGo() }

  package func patientAccess() -> StoreAccess {
    letGo()
    return LockProbe.patient(access)
  }

  package func traces() -> [Int64] { FileStatus.traces(ofDatabase: files.database) }

  func holder() -> LockProbe.Holder? { probe.holder() }

  /// Runs `body` on one state of the file, with the errors of SQLite told as the store's.
  func readDocuments<Result: Sendable>(_ body: (DocumentReader) throws -> Result) throws -> Result {
    try StoreCall.current.check(info.path)
    return try reader.readStore { try body(documents(in: $0)) }
  }

  func documents(in db: Database) -> DocumentReader {
    DocumentReader(db: db, schema: schema, files: files, rules: rules, remembered: remembered)
  }
}

extension CloudantStore {
  /// Only a walk can tell: a document that was resolved has several leaves too.
  package func estimatedCount() throws -> Int? { nil }

  package func findings() -> any FindingWalk {
    InterruptedFirst(self, then: DocumentFindings(store: self))
  }

  package func conflict(_ id: String) throws -> RecordConflict {
    guard let state = try readDocuments({ try $0.state(of: id) }) else {
      throw StoreError.noSuchRecord(id: id)
    }
    return state.conflict
  }

  package func tree(_ id: String) throws -> RevisionTreePicture? {
    try readDocuments { try DocumentRows(id: id, in: $0.db, $0.schema)?.tree.picture }
  }
}

/// A datastore keeps no queue of uploads: replicators remember the last sequence they have seen.
extension StoreInfo {
  fileprivate init(_ files: DatastoreFiles, _ schema: DatastoreSchema) {
    let isAndroid = schema.platform == .android
    self.init(
      name: files.name, path: files.database, kind: isAndroid ? "Cloudant Sync (Android)" : "Cloudant Sync",
      writing: """
        One transaction for each document: the draft as a new revision on the leaf it equals, on the first with its \
        attachments, or on the winner; a new document for each version that is kept apart; and a deletion on every other live \
        leaf. The app replicates them at its next replication.
        """,
      mending: "One transaction for each document. No row is removed, and no revision is rewritten.",
      notVerified: isAndroid
        ? "What is written so was opened by sync-android itself and replicated with a real CouchDB, never yet by an app on a device."
        : "Written by the rules of CDTDatastore's source, with the ids of its formula; never yet opened by it.",
      can: [.tellTrees, .tellStatements, .tellContent],
      words: Words(
        record: "document", table: "kind", field: "field", rules: nil, finding: "finding",
        findings: "findings", lastColumn: "Leaves", settled: "winner; the other leaves end",
        nothingElse: "the other leaves end",
        nothingBack: "no field of the winner comes back; the leaves that ended are live again"))
  }
}
