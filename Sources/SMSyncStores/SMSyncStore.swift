import GRDB
import Journals
import Merging
import SQLiteFiles
import StoreInterface

/// A container of an app that syncs whole files with SMSyncServer.
///
/// A file is in conflict while what waits here to be uploaded and what the server has cannot both be: the client is the pending file
/// or deletion, the server the downloaded file or deletion, the ancestor a number.
///
/// The container itself is only read. A decision goes into the outbox beside it; in a copy that Parley has made, into the store.
package final class SMSyncStore: ConflictStore {
  package enum Access: Sendable {
    /// Never writes, and leaves no file behind.
    case reading
    /// Writes when asked to: into the outbox, or into a copy that nobody else holds.
    case writing
  }

  let files: ContainerFiles
  let model: SyncModel
  private let index: String?
  private let readIndex = Remembered<ServerIndex>()
  let ancestors: AncestorTexts?
  package let ruleBook: RuleBook
  var rules: MergeRules { ruleBook.rules }
  let clock: @Sendable () -> Int64
  package let log: Journal
  let reader: SQLiteReader
  private let probe: LockProbe
  private let opened: Access
  let outboxPlace: OutboxPlace
  var outboxPath: String { outboxPlace.path }
  private let trouble: LogTrouble?
  /// What of the folder of ancestors is of no use.
  private let passedOver: String?
  private let outbox = Remembered<OutboxFile>()
  private let related = Remembered<[String: RelatedFiles]>()
  private let seal = Remembered<String>()

  package let info: StoreInfo

  package var isCopy: Bool { files.isCopy }

  /// What whoever opens it should know before anything else.
  package var warnings: [String] {
    [trouble.map { $0.warning(files.database) }, passedOver].compactMap(\.self)
  }

  /// The entries of the rules that decide nothing, as what they name is nothing of a file; in the order of their names.
  package var idleRules: [(entry: String, problem: RuleEntryProblem)] {
    let tables: [String: Set<String>?] = [
      FileConflict.table: Set([FileConflict.content] + FileConflict.others)
    ]
    return rules.rules.keys.sorted().compactMap { entry in
      RuleEntryProblem(entry, in: tables, areAll: true).map { (entry, $0) }
    }
  }

  /// Opens the container at `path`: its folder, an `.xcappdata`, or the store's file alone.
  ///
  /// - Parameters:
  ///   - index: a file with the server's own index, which tells of conflicts before the app meets them.
  ///   - ancestors: a folder with texts of earlier versions.
  ///   - finishing: whether a write of an earlier run that was interrupted is told as completed or rolled back now.
  ///   - clock: the time now, in nanoseconds since 1970.
  /// - Throws: ``StoreError`` that names the file.
  package static func open(
    path: String, access: Access = .reading, index: String? = nil, ancestors: String? = nil,
    finishing: Bool = true, rules: MergeRules = MergeRules(),
    clock: @escaping @Sendable () -> Int64 = WallClock.now
  ) throws -> SMSyncStore {
    try open(
      try ContainerFiles(path: path), access: access, index: index, ancestors: ancestors,
      finishing: finishing, rules: rules, clock: clock)
  }

  /// Opens these files, also those of a copy that is just made.
  package static func open(
    _ files: ContainerFiles, access: Access = .reading, index: String? = nil, ancestors: String? = nil,
    finishing: Bool = true, rules: MergeRules = MergeRules(),
    clock: @escaping @Sendable () -> Int64 = WallClock.now
  ) throws -> SMSyncStore {
    let store = try SMSyncStore(
      files, access: access, index: index,
      ancestors: try ancestors.map { try AncestorTexts(folder: $0) }, rules: rules, clock: clock)
    // What is wrong with it is told at once.
    _ = try store.serverIndex()
    if finishing, store.access() == .writable { try store.finishInterruptedWrites() }
    return store
  }

  /// Whether there is one at `path`: by its name, or by its tables.
  package static func recognises(_ path: String) -> Bool {
    if FileStatus(path: path)?.isFolder == true {
      return ContainerFiles.database(in: path) != nil
        || (try? ContainerFiles.containers(in: path))?.isEmpty == false
        || UnfinishedMark.lies(in: path)
    }
    if folderAndName(path).name == ContainerFiles.databaseName { return true }
    guard let probe = try? FileStatus.checkDatabase(path) else { return false }
    let reader = SQLiteReader(files: [
      SQLiteReader.File(path: path, schema: "main", probe: probe, isUntouched: true)
    ])
    defer { reader.close() }
    return (try? reader.read { try SyncModel.isOne(in: $0) }) ?? false
  }

  /// The containers in a folder; of a container itself its database.
  ///
  /// - Throws: ``StoreError/cannotRead(path:detail:isForbidden:)``
  package static func stores(in folder: String) throws -> [String] { try ContainerFiles.stores(in: folder) }

  private init(
    _ files: ContainerFiles, access: Access, index: String?, ancestors: AncestorTexts?,
    rules: MergeRules,
    clock: @escaping @Sendable () -> Int64
  ) throws {
    let probe = try FileStatus.checkDatabase(files.database)
    let reader = SQLiteReader(files: [
      SQLiteReader.File(path: files.database, schema: "main", probe: probe, isUntouched: !files.isCopy)
    ])
    (model, passedOver) = try reader.readStore { db in
      (try SyncModel(files.database, in: db), try ancestors?.passedOver(by: FileReader.names(in: db)))
    }
    (self.files, self.index, self.ancestors) = (files, index, ancestors)
    (self.clock, self.probe, self.reader) = (clock, probe, reader)
    ruleBook = RuleBook(rules)
    opened = access
    log = Journal(kind: SMSyncStore.kind, database: files.anchor, reading: .ofFiles, clock: clock)
    outboxPlace = OutboxPlace(of: files, beside: log.path)
    trouble = LogTrouble(of: files, log)
    info = StoreInfo(files, outbox: outboxPlace.path, trouble)
  }

  static let kind = "SMSyncServer"

  deinit {
    reader.close()
    log.close()
  }

  package func access() -> StoreAccess {
    opened == .reading ? .openedForReading : accessToFinish()
  }

  /// Whether anybody could write it now, however it was opened.
  func accessToFinish() -> StoreAccess {
    guard isCopy else { return accessToOutbox() }
    if let hindrance = LockProbe.hindrance(ofAny: [probe]) { return hindrance }
    if let hindrance = hindranceOfItsRows() { return hindrance }
    return FileStatus.whyNotWritable(files.database).map { .readOnly(reason: $0) } ?? .writable
  }

  /// A copy that cannot be read may be another by now: it is not written either.
  private func hindranceOfItsRows() -> StoreAccess? {
    let words = "nobody can tell whether its rows are as Parley left them"
    do {
      return try reader.readStore { try whyNotAsLeft(in: $0) }.map { .readOnly(reason: $0) }
    } catch StoreError.locked, StoreError.beingWritten {
      return .inUse(reason: words + ": it is being written at this moment")
    } catch StoreError.fileMissing {
      return .readOnly(reason: "there is no file \(files.database) any more")
    } catch StoreError.notADatabase(_, let detail), StoreError.damaged(_, let detail),
      StoreError.cannotRead(_, let detail, _)
    {
      return .readOnly(reason: words + ": " + detail)
    } catch {
      return .readOnly(reason: words)
    }
  }

  private func accessToOutbox() -> StoreAccess {
    if FileStatus(path: files.database) == nil {
      return .readOnly(reason: "there is no file \(files.database) any more")
    }
    if let hindrance = outboxPlace.hindrance { return .readOnly(reason: hindrance) }
    let folder = folderAndName(outboxPath).folder
    let isClosed = FileStatus(path: folder) != nil && !FileStatus.isWritable(folder)
    return isClosed
      ? .readOnly(reason: "this user may not write the folder \(folder), where the outbox goes") : .writable
  }

  package func letGo() { reader.letGo() }

  package func patientAccess() -> StoreAccess {
    guard isCopy else { return access() }
    letGo()
    return LockProbe.patient(access)
  }

  package func traces() -> [Int64] {
    FileStatus.traces(ofDatabase: files.database) + traces(of: outboxPath) + (index.map(traces) ?? [])
      + files.read.traces()
  }

  private func traces(of path: String) -> [Int64] {
    guard let file = FileStatus(path: path) else { return [] }
    return [file.size, file.modifiedAt, file.changedAt, Int64(truncatingIfNeeded: file.inode)]
  }

  /// As its file is now: a newer answer of the server's may have taken its place.
  private func serverIndex() throws -> ServerIndex? {
    try index.map { path in try readIndex.value(at: traces(of: path)) { try ServerIndex(path: path) } }
  }

  func holder() -> LockProbe.Holder? { probe.holder() }

  /// Why a copy is only read: nil if its rows are as Parley left them.
  private func whyNotAsLeft(in db: Database) throws -> String? {
    let rows = try seal.value(at: FileStatus.traces(ofDatabase: files.database)) { try RowSeal.of(db) }
    do {
      _ = try markAsLeft(rows)
      return nil
    } catch StoreError.readOnly(_, let reason) {
      return reason
    }
  }
}

extension SMSyncStore {
  /// Runs `body` on one state of the store, with the errors of SQLite told as the store's.
  func readFiles<Result: Sendable>(_ body: (FilePlace) throws -> Result) throws -> Result {
    try StoreCall.current.check(info.path)
    return try reader.readStore { try body(place(in: $0)) }
  }

  func place(in db: Database) throws -> FilePlace {
    let reader = try FileReader(db, model)
    let outbox =
      isCopy
      ? OutboxFile() : try outbox.value(at: traces(of: outboxPath)) { try OutboxFile(path: outboxPath) }
    let surroundings = FileSurroundings(
      files: files, index: try serverIndex(), ancestors: ancestors, rules: rules, isCopy: isCopy,
      whyClosed: isCopy ? try whyNotAsLeft(in: db) ?? reader.roundInFlight(files)?.words : nil,
      lock: try reader.serverLock(broughtFiles: files.mark?.bringsFiles == true),
      logTrouble: { [files, log] in LogTrouble(of: files, log) })
    let traces = FileStatus.traces(ofDatabase: files.database)
    return FilePlace(reader, surroundings, outbox, clock: clock) { [related] reader in
      try related.value(at: traces) { try reader.related() }
    }
  }

  package func estimatedCount() throws -> Int? { nil }

  package func conflict(_ id: String) throws -> RecordConflict {
    guard let file = try readFiles({ try $0.conflict(id) }) else { throw StoreError.noSuchRecord(id: id) }
    return file.conflict
  }

  package func findings() -> any FindingWalk {
    InterruptedFirst(self, then: FileFindings(store: self))
  }
}

extension StoreInfo {
  fileprivate init(_ files: ContainerFiles, outbox: String, _ trouble: LogTrouble?) {
    let isCopy = files.isCopy
    let banners = [isCopy ? "\(files.name) (a copy)" : nil, trouble?.what].compactMap(\.self)
    self.init(
      name: files.name, path: files.database, kind: SMSyncStore.kind,
      banner: banners.isEmpty ? nil : banners.joined(separator: ", "),
      writing: isCopy ? Self.writingOfCopy : Self.writing(into: outbox),
      mending: isCopy
        ? "One transaction over the copy's store."
        : "Only a copy of the container can be mended: parley write --copy DIR makes one.",
      notVerified: Self.neverOpened,
      can: isCopy
        ? [.tellStatements, .tellUploads, .tellRounds, .tellFamilies]
        : [.tellUploads, .tellRounds, .leaveToApp, .tellFamilies],
      words: Words(
        record: "file", table: "kind", field: "field", rules: nil, finding: "finding", findings: "findings",
        settled: "file's text here", nothingElse: "its text here stays as it is", waits: "in the outbox",
        left: "Put into the outbox"))
  }

  private static let writingOfCopy = """
    In a copy the queues of the store are changed in one transaction, as the app would leave them after its own answer. \
    The app's own copy of a text is not touched.
    """

  private static func writing(into outbox: String) -> String {
    let (folder, name) = folderAndName(outbox)
    return """
      What is decided goes into \(name), with the requests for whoever may send them, and the index that they are for, in the folder \
      \(folder). The container is not written; parley write --copy DIR writes it into a copy of the container.
      """
  }

  private static let neverOpened = """
    No store of the framework itself was at hand: its tables are derived from its model, and nothing written here was ever opened \
    by it.
    """
}
