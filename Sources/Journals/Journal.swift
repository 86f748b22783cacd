import GRDB
import SQLiteFiles
import StoreInterface
import Synchronization

/// Parley's durable log of one store: decisions, intents, receipts. Its file is made by the first thing written to it, and
/// reading leaves no file behind. It is one file as long as this lives: nothing is written to one that nobody would find again.
package final class Journal: DecisionJournal {
  package let path: String

  private enum Access {
    case none
    case reading(SQLiteReader)
    case writing(DatabaseQueue)
  }

  private let access = Mutex(Access.none)
  /// The file that was read or written first; nil as long as there is none.
  private let file = Mutex<FileStatus?>(nil)
  let owner: JournalOwner
  let reading: PayloadReading
  private let clock: @Sendable () -> Int64
  package let heard = Mutex(HeardDecisions())
  /// The last intent of those of which it is known that none is open up to it.
  let lastEnded = Mutex<Int64>(0)
  /// What is in no file: see ``suppose(_:)``.
  let supposed = Mutex(Supposals())
  /// A journal of an older Parley, as one of today; and what its file was like then.
  let broughtUp = Mutex<(copy: DatabaseQueue, traces: [Int64])?>(nil)
  /// Why a journal of an older Parley could not be brought up; nil if it could, or none was.
  let hindrance = Mutex<StoreError?>(nil)
  /// What is to be said of other files that may be taken for it.
  let othersNotices: [JournalNotice]

  package init(
    path: String, owner: JournalOwner, reading: PayloadReading, notices: [JournalNotice] = [],
    clock: @escaping @Sendable () -> Int64
  ) {
    (self.path, self.owner, self.reading, self.clock) = (path, owner, reading, clock)
    othersNotices = notices
  }

  deinit { close() }

  /// Closes the file; it is opened again when needed.
  package func close() { access.withLock { close(&$0) } }

  private func close(_ access: inout Access) {
    switch access {
    case .none: break
    case .reading(let reader): reader.close()
    // Closing fails only while a statement runs; then the file is closed when that one ends.
    case .writing(let queue): try? queue.close()
    }
    access = .none
  }
}

/// What a journal has to ask the store whose payloads it holds.
package struct PayloadReading: Sendable {
  /// What a record's part of an intent changes.
  let changes: @Sendable (KeptIntent) throws -> WrittenChanges
  let old: OldVersions
  /// Whether that of an undo is what came back; else it is told by the reverse of what was undone.
  let tellsUndos: Bool

  package init(
    old: OldVersions = .none, tellsUndos: Bool = false,
    changes: @escaping @Sendable (KeptIntent) throws -> WrittenChanges
  ) {
    (self.old, self.tellsUndos, self.changes) = (old, tellsUndos, changes)
  }
}

extension Journal {
  /// Runs `body` on the journal; `empty` where there is none yet.
  package func read<Result: Sendable>(or empty: Result, _ body: (Database) throws -> Result) throws -> Result
  {
    try access.withLock { access in
      try translating {
        // Not `read`, which sets `query_only` on and off again, and with it throws away all compiled SQL.
        if case .writing(let queue) = access { return try queue.unsafeRead { try $0.inOneState(body) } }
        guard let status = FileStatus(path: path), !status.isEmptyFile else { return empty }
        file.withLock { $0 = $0 ?? status }
        let result = try read(reader(&access), or: empty, body)
        // Only now it is known to be ours.
        Journal.tighten(path)
        return result
      }
    }
  }

  private func read<Result: Sendable>(
    _ reader: SQLiteReader, or empty: Result, _ body: (Database) throws -> Result
  ) throws -> Result {
    try reader.read { db in
      if try JournalSchema.isUnbegun(in: db) { return empty }
      try JournalSchema.check(path, in: db)
      if try JournalSchema.isOld(in: db) { return try readBroughtUp(db, body) }
      try owner.check(path, in: db)
      return try body(db)
    }
  }

  /// Runs `body` on a journal of whatever version, as it is.
  func readAsItIs<Result: Sendable>(
    or empty: Result, _ body: (Database) throws -> Result
  ) throws -> Result {
    try access.withLock { access in
      try translating {
        guard FileStatus.isBegun(path) else { return empty }
        return try reader(&access).read { try JournalSchema.isUnbegun(in: $0) ? empty : body($0) }
      }
    }
  }

  package func write<Result: Sendable>(_ body: (Database) throws -> Result) throws -> Result {
    // Not tried again: somebody waits for the screen, and it takes as long as it took before.
    if let hindrance = hindrance.withLock(\.self) { throw hindrance }
    return try access.withLock { access in
      try translating {
        try checkFile()
        let queue = try writer(&access)
        let result = try queue.write(body)
        // The first time, this takes note of the file that was made; later, what went into one that is gone was not kept.
        try checkFile()
        return result
      }
    }
  }

  /// - Throws: ``StoreError/journalGone(path:)``
  package func checkFile() throws {
    try file.withLock { file in
      // Looked at under the lock: one that is made meanwhile, in the background, is not gone.
      let now = FileStatus(path: path).flatMap { $0.isEmptyFile ? nil : $0 }
      let isKnown = file.map { known in now?.isSameFile(as: known) == true } ?? true
      guard isKnown else { throw StoreError.journalGone(path: path) }
      file = file ?? now
    }
  }

  private func reader(_ access: inout Access) throws -> SQLiteReader {
    if case .reading(let reader) = access { return reader }
    let probe = try FileStatus.checkDatabase(path)
    let reader = SQLiteReader(files: [SQLiteReader.File(path: path, schema: "main", probe: probe)])
    access = .reading(reader)
    return reader
  }

  private func writer(_ access: inout Access) throws -> DatabaseQueue {
    if case .writing(let queue) = access { return queue }
    close(&access)
    let queue = try open(claiming: true)
    access = .writing(queue)
    return queue
  }

  private func open(claiming: Bool) throws -> DatabaseQueue {
    if FileStatus.isBegun(path) { _ = try FileStatus.checkDatabase(path) } else { try makeFile() }
    let queue = try DatabaseQueue(path: path, configuration: configuration)
    // One transaction: whoever is ended in the middle of it leaves an old journal whole.
    let wasOld = try queue.write { db in
      if try JournalSchema.isUnbegun(in: db) { try db.execute(sql: JournalSchema.sql) }
      try JournalSchema.check(path, in: db)
      let isOld = try JournalSchema.isOld(in: db)
      try JournalSchema.migrate(path, db, reading.old.ladder)
      try owner.check(path, in: db)
      if claiming { try owner.claim(in: db) }
      return isOld
    }
    if wasOld { Journal.giveBackSpace(queue) }
    return queue
  }

  /// Opens it once as if to write, which brings it up.
  func bringUp() throws {
    try access.withLock { access in
      close(&access)
      try translating { try open(claiming: false).close() }
    }
  }

  private static func tighten(_ path: String) {
    for suffix in ["", "-wal", "-shm"] { PrivateFile.tighten(path + suffix) }
  }

  private var configuration: Configuration {
    var configuration = Configuration()
    configuration.busyMode = .timeout(5)
    configuration.prepareDatabase { [path] db in
      // Before anything of it changes: what lies there may be somebody else's.
      if try !JournalSchema.isUnbegun(in: db) { try JournalSchema.check(path, in: db) }
      Journal.tighten(path)
      // Of a new file. An archive has 2 to 5 kB: into pages of 4 kB goes one of them, and a third of the file stays empty; and each page is
      // written twice and read once until it lies where it stays.
      try db.execute(sql: "PRAGMA page_size = 8192")
      try db.execute(sql: "PRAGMA journal_mode = WAL")
      try db.execute(sql: "PRAGMA synchronous = FULL")
      // A part of an intent and the index of the blobs: what goes to the disk before its end is written once more, and read for that.
      try db.execute(sql: "PRAGMA cache_size = -6144")
      // 32 MB of `-wal`: with each part of a large intent a third of that index changes, and goes into the file as often as this comes.
      try db.execute(sql: "PRAGMA wal_autocheckpoint = 4000")
    }
    return configuration
  }

  private func makeFile() throws {
    guard PrivateFile.makeFolder(folderAndName(path).folder) else {
      throw StoreError.journalForbidden(path: path, detail: "its folder cannot be made")
    }
    PrivateFile.make(path)
  }

  private func translating<Result>(_ body: () throws -> Result) throws -> Result {
    do {
      return try body()
    } catch let error as DatabaseError {
      throw StoreError.journal(path, error)
    } catch let damage as Damage {
      throw StoreError.journalUnusable(path: path, detail: damage.description)
    } catch StoreError.notADatabase(_, let detail) {
      throw StoreError.journalUnusable(path: path, detail: detail)
    } catch StoreError.cannotRead(let file, let detail, isForbidden: true) {
      // It may be one beside it.
      let what = file == path ? detail : "\(file) cannot be read: \(detail)"
      throw StoreError.journalForbidden(path: path, detail: what)
    }
  }

  package func now() -> Int64 { clock() }
}

extension FileStatus {
  fileprivate var isEmptyFile: Bool { isRegular && size == 0 }

  /// Whether there is anything in a journal, as far as its file tells.
  static func isBegun(_ journal: String) -> Bool {
    FileStatus(path: journal).map { !$0.isEmptyFile } ?? false
  }
}

extension StoreError {
  /// What SQLite says of the journal, by what a person can do about it.
  ///
  /// - Parameters:
  ///   - hasRoom: whether anything can be written beside a file.
  ///   - may: what the system lets this user do.
  package static func journal(
    _ path: String, _ error: DatabaseError, hasRoom: (String) -> Bool = FileStatus.hasRoom,
    may: (String, ForbiddenFile.Use) -> Bool = ForbiddenFile.may
  ) -> StoreError {
    let detail = error.message ?? "SQLite error \(error.resultCode.rawValue)"
    return switch error.resultCode {
    case .SQLITE_FULL: .journalFull(path: path)
    // So it tells of a -shm that found no room.
    case .SQLITE_IOERR where !hasRoom(path): .journalFull(path: path)
    case .SQLITE_BUSY, .SQLITE_LOCKED: .locked(path: path, holder: nil)
    case .SQLITE_CANTOPEN, .SQLITE_READONLY, .SQLITE_PERM, .SQLITE_AUTH, .SQLITE_IOERR:
      .journalForbidden(path: path, detail: ForbiddenFile(beside: path, may: may)?.words ?? detail)
    default: .journalUnusable(path: path, detail: detail)
    }
  }
}
