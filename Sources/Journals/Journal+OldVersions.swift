import GRDB
import Merging
import SQLiteFiles
import StoreInterface

/// Brings a journal from one version up to the next, and tells how many of how many things are done.
package typealias JournalStep =
  @Sendable (_ db: Database, _ tell: (_ done: Int, _ all: Int) throws -> Void) throws -> Void

/// What stores know of the journals before version 4, which were made of their rows.
package struct OldVersions: Sendable {
  /// See ``JournalSchema/migrate(_:_:_:)``.
  let ladder: [JournalStep]
  /// The kind of the store whose journal it is, where it does not tell that itself; nil for nobody's.
  let kind: @Sendable (Database) throws -> String?

  package init(ladder: [JournalStep], kind: @escaping @Sendable (Database) throws -> String?) {
    (self.ladder, self.kind) = (ladder, kind)
  }

  /// Of a store that came after these versions.
  package static let none = OldVersions(ladder: []) { _ in nil }
}

/// A journal of an older Parley is brought up once, before anybody waits for a decision. Where that cannot be, a copy of it is
/// read, which went up the same ladder.
extension Journal {
  package func prepare() throws {
    guard try readAsItIs(or: false, isOldAndOurs) else { return }
    do {
      try bringUp()
    } catch let error as StoreError where error.isHindrance {
      hindrance.withLock { $0 = error }
      try read(or: ()) { _ in }
    }
  }

  /// - Throws: ``StoreError/journalUnusable(path:detail:)``
  private func isOldAndOurs(_ db: Database) throws -> Bool {
    guard try JournalSchema.isOld(in: db) else { return false }
    try JournalSchema.check(path, in: db)
    return true
  }

  package var notices: [JournalNotice] {
    othersNotices + [hindrance.withLock(\.self).map { .staysOld(path: path, $0) }].compactMap(\.self)
  }

  /// Only space hangs on it, and it needs some: where it fails, the journal is large as before.
  static func giveBackSpace(_ queue: DatabaseQueue) {
    try? queue.writeWithoutTransaction { db in
      try db.execute(sql: "VACUUM; PRAGMA wal_checkpoint(TRUNCATE)")
    }
  }

  func readBroughtUp<Result>(_ db: Database, _ body: (Database) throws -> Result) throws -> Result {
    let traces = FileStatus.traces(ofDatabase: path)
    let known = broughtUp.withLock { $0?.traces == traces ? $0?.copy : nil }
    let copy = try known ?? copy(db)
    broughtUp.withLock { $0 = (copy, traces) }
    return try copy.unsafeRead { db in
      try owner.check(path, in: db)
      return try body(db)
    }
  }

  private func copy(_ db: Database) throws -> DatabaseQueue {
    let copy = try DatabaseQueue(path: "")
    try copy.writeWithoutTransaction { try db.backup(to: $0) }
    try copy.write { try JournalSchema.migrate(path, $0, reading.old.ladder) }
    return copy
  }

  /// Whose it is, if it is another store's, without bringing it up. One that cannot be read is told when it is needed.
  var otherOwner: String? {
    do {
      return try readAsItIs(or: nil) { db in
        let tells = try db.hasRow("SELECT 1 FROM main.sqlite_master WHERE name = 'stores'")
        if !tells, let kind = try reading.old.kind(db), kind != owner.kind { return "a store of \(kind)" }
        if tells { try owner.check(path, in: db) }
        return nil
      }
    } catch StoreError.journalOfAnother(_, let store) {
      return store
    } catch {
      return nil
    }
  }
}

extension StoreError {
  /// Whether the journal can still be read, and only not be written.
  fileprivate var isHindrance: Bool {
    switch self {
    case .journalFull, .journalForbidden: true
    case .notFound, .fileMissing, .notADatabase, .metadataMissing, .metadataAmbiguous, .databaseAmbiguous,
      .metadataIsDatabase,
      .notAStore, .severalStores, .storeTooNew, .damaged, .locked, .journalTooNew, .journalUnusable,
      .journalOfAnother, .journalGone, .cannotRead, .bytesNotHad, .beingWritten, .stopped, .noAnswer, .server,
      .notAFile, .tooLarge, .noSuchRecord, .noSuchField, .noSuchAttachment, .refusedChoice, .readOnly,
      .tooNewToWrite, .moved, .refused, .decidedMeanwhile, .writeFailed, .writeUnknown, .receiptMissing,
      .nothingToUndo, .outboxUnusable, .outboxTooNew, .indexUnusable, .outboxOfOtherJournal, .copyIsThere:
      false
    }
  }
}
