import Foundation
import GRDB
import StoreInterface
import Synchronization

/// A read-only connection over a database and those attached to it, that leaves no file behind.
///
/// How each file is opened (tried on SQLite 3.40):
/// - It is in WAL mode, nobody holds it and its `-wal` is empty or missing: `immutable=1`, also beside a journal that was
///   finished. A plain read-only connection would create `-wal` and `-shm` beside it and leave them there.
/// - Its `-wal` has content, or somebody holds it, or it is in no WAL mode: plainly read-only, as `immutable=1` ignores the
///   `-wal` and every lock. A `-shm`, or an empty `-wal`, that this makes is removed again, if nobody else holds the file by
///   then; one of somebody else stays.
/// - The same where the folder cannot be written: SQLite needs a `-shm` there, so an ``UnnamedCopy`` is read. And where nothing
///   beside the file may change: SQLite brings a `-shm` that is there up to date, also for who only reads.
/// - A hot journal, left by a writer that died: only a writer can roll it back, so that is done to such a copy.
///
/// Before each read the files are looked at again: what changed since is opened anew. And after it: a file that was opened
/// as one that does not change, and did, is read again, a few times.
package final class SQLiteReader: Sendable {
  /// A file and the name of its schema: "main", or the name it is attached by.
  package struct File: Sendable {
    package let path: String
    package let schema: String
    package let probe: LockProbe
    /// Whether no byte beside it may change while nobody else has it.
    package let isUntouched: Bool

    package init(path: String, schema: String, probe: LockProbe, isUntouched: Bool = false) {
      (self.path, self.schema, self.probe, self.isUntouched) = (path, schema, probe, isUntouched)
    }
  }

  private struct Open {
    let queue: DatabaseQueue
    let plans: [ReadingPlan]
  }

  private let files: [File]
  var main: File { files[0] }
  let prepare: @Sendable (Database) throws -> Void
  private let open = Mutex<Open?>(nil)

  /// - Parameters:
  ///   - files: the first is the main database.
  ///   - prepare: gives each new connection what the store's schema needs, such as a collation.
  package init(files: [File], prepare: @escaping @Sendable (Database) throws -> Void = { _ in }) {
    (self.files, self.prepare) = (files, prepare)
  }

  deinit { close() }

  package func close() { open.withLock { Self.close(&$0) } }

  /// Runs `body` on one consistent state of each file; again if a file changed meanwhile.
  ///
  /// - Throws: ``StoreError/beingWritten(path:)`` if it changes each time, ``StoreError/fileMissing(path:)`` if one is gone:
  ///   what an open connection still has of it is in no store any more.
  package func read<Result: Sendable>(_ body: (Database) throws -> Result) throws -> Result {
    try open.withLock { open in
      if let gone = files.first(where: { FileStatus(path: $0.path) == nil }) {
        Self.close(&open)
        throw StoreError.fileMissing(path: gone.path)
      }
      for round in 1...SQLiteReader.rounds {
        let states = states()
        let result = Swift.Result { try queue(&open, states).read(body) }
        if !hasChanged(since: states, result.isFailure) { return try result.get() }
        Self.close(&open)
        if round < SQLiteReader.rounds { usleep(20_000) }
      }
      throw StoreError.beingWritten(path: files[0].path)
    }
  }

  /// A writer needs some milliseconds.
  private static let rounds = 10

  private func states() -> [ReadingPlan.State] { files.map { ReadingPlan.State($0) } }

  /// What is opened plainly is kept whole by SQLite's locks; only an error may come of it that is none any more.
  private func hasChanged(since states: [ReadingPlan.State], _ hasFailed: Bool) -> Bool {
    zip(states, self.states()).contains { before, now in (before.file != nil || hasFailed) && before != now }
  }

  /// Closes a connection that holds locks: who waits for something to happen is in nobody's way then. Two that see each other hold the
  /// file would else both go on, and nobody could write it.
  package func letGo() {
    open.withLockIfAvailable { open in
      if open?.plans.contains(where: \.isHolding) == true { Self.close(&open) }
    }
  }

  /// Closes the connection and keeps everybody from opening it again until `body` is done.
  package func whileClosed(_ body: () throws -> Void) rethrows {
    try open.withLock { open in
      Self.close(&open)
      try body()
    }
  }

  private func queue(_ open: inout Open?, _ states: [ReadingPlan.State]) throws -> DatabaseQueue {
    if let open, open.plans.map(\.state) == states { return open.queue }
    Self.close(&open)
    let plans = try zip(files, states).map { try ReadingPlan($0, $1) }
    let queue = try DatabaseQueue(path: plans[0].uri, configuration: configuration)
    var isWhole = false
    defer {
      // Also what SQLite has made beside one before it came to another that it could not open is to be taken away.
      open = Open(queue: queue, plans: plans.map { $0.opened() })
      // What lacks one of its files would else be read as if that held nothing.
      if !isWhole { Self.close(&open) }
    }
    try queue.inDatabase { try attach(plans, in: $0) }
    isWhole = true
    return queue
  }

  private func attach(_ plans: [ReadingPlan], in db: Database) throws {
    for (file, plan) in zip(files, plans).dropFirst() {
      try db.execute(sql: "ATTACH DATABASE ? AS \(quoted(file.schema))", arguments: [plan.uri])
    }
    for (file, plan) in zip(files, plans) { try plan.copy?.open(as: file.schema, in: db) }
    // A walk comes to most pages once; what it comes to again are the upper ones of the trees, which are few.
    for file in files { try db.execute(sql: "PRAGMA \(quoted(file.schema)).cache_size = -1024") }
  }

  private static func close(_ open: inout Open?) {
    guard let closing = open else { return }
    open = nil
    // A connection that cannot be closed now is closed when its last statement goes; nothing can be done about it here.
    try? closing.queue.close()
    for plan in closing.plans { plan.cleanUp() }
  }

  private var configuration: Configuration {
    var configuration = Configuration()
    configuration.prepareDatabase(prepare)
    configuration.readonly = true
    configuration.busyMode = .timeout(1)
    configuration.foreignKeysEnabled = false
    return configuration
  }
}

extension Result {
  fileprivate var isFailure: Bool { if case .failure = self { true } else { false } }
}

/// How one file is opened for reading, and what has to go when it is closed.
package struct ReadingPlan: Sendable {
  /// What the plan depends on; another state asks for another plan.
  package struct State: Sendable, Equatable {
    package let isImmutable: Bool
    /// Whether a writer died over it.
    package let hasHotJournal: Bool
    /// Whether its `-wal` is read in a copy, so that its `-shm` stays as it is.
    package let isUntouched: Bool
    /// Of an immutable file and of one that is copied: a plainly opened one is watched by SQLite itself.
    package let file: FileStatus?
    /// Of one whose `-wal` is read in a copy.
    package let log: FileStatus?
    /// The change counter in its header: two changes may be so close that the time is the same.
    package let changes: [UInt8]

    package init(_ file: SQLiteReader.File) {
      let log = FileStatus(path: file.path + "-wal")
      let wal = log?.size ?? 0
      let journal = FileStatus(path: file.path + "-journal")?.size ?? 0
      let isHeld = file.probe.holder() != nil
      let header = file.probe.header(count: 28)
      hasHotJournal = !isHeld && journal > 0 && ReadingPlan.isHot(file.path + "-journal")
      isImmutable = !isHeld && wal == 0 && !hasHotJournal && ReadingPlan.isInWALMode(header)
      isUntouched = file.isUntouched && !isHeld && wal > 0
      self.log = isUntouched ? log : nil
      let isUnwatched = isImmutable || hasHotJournal || isUntouched
      self.file = isUnwatched ? FileStatus(path: file.path) : nil
      changes = isUnwatched ? Array(header.dropFirst(24)) : []
    }
  }

  package let state: State
  package let uri: String
  /// What SQLite may make beside it by opening it, and is not there before.
  private let missing: [String]
  /// Of that what it has made: another file of that name is somebody else's, as of an app that has come and was ended since.
  private var made: [String: FileStatus] = [:]
  private let probe: LockProbe
  /// What is read in the file's place.
  package let copy: UnnamedCopy?

  package init(_ file: SQLiteReader.File, _ state: State) throws {
    self.state = state
    probe = file.probe
    if state.hasHotJournal || state.isUntouched || !state.isImmutable && ReadingPlan.needsCopy(file.path) {
      copy = try UnnamedCopy(of: file.path, rollingBack: state.hasHotJournal)
      (uri, missing) = (":memory:", [])
    } else {
      copy = nil
      missing = state.isImmutable ? [] : ReadingPlan.missingCompanions(of: file.path)
      uri = databaseURI(file.path, query: state.isImmutable ? "mode=ro&immutable=1" : "mode=ro")
    }
  }

  /// Whether it is opened plainly, with the locks of SQLite.
  fileprivate var isHolding: Bool { copy == nil && !state.isImmutable }

  /// The same once SQLite has read from it.
  fileprivate func opened() -> ReadingPlan {
    var plan = self
    for path in missing { plan.made[path] = FileStatus(path: path) }
    return plan
  }

  package func cleanUp() {
    guard !made.isEmpty else { return }
    probe.whileUnused {
      for (path, file) in made where ReadingPlan.isLitter(path, file) { unlink(path) }
    }
  }

  private static func isLitter(_ path: String, _ made: FileStatus) -> Bool {
    guard let now = FileStatus(path: path), now.isSameFile(as: made) else { return false }
    return path.hasSuffix("-shm") || now.size == 0
  }

  private static func missingCompanions(of path: String) -> [String] {
    ["-wal", "-shm"].map { path + $0 }.filter { FileStatus(path: $0) == nil }
  }

  private static func needsCopy(_ path: String) -> Bool {
    !FileStatus.isWritable(folderAndName(path).folder) && FileStatus(path: path + "-shm") == nil
      && FileStatus(path: path + "-wal") != nil
  }

  /// The read version in the header (sqlite.org/fileformat.html, section 1.3.3).
  fileprivate static func isInWALMode(_ header: [UInt8]) -> Bool { header.count > 19 && header[19] == 2 }

  /// A journal that begins with zeros was finished; one that begins with its magic number was not
  /// (sqlite.org/fileformat.html, section 3).
  fileprivate static func isHot(_ journal: String) -> Bool {
    LockProbe(path: journal)?.header(count: 8) == RollbackJournal.magic
  }
}
