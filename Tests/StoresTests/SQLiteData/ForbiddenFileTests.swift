import Foundation
import GRDB
import Telling
import Testing

@testable import Journals
@testable import SQLiteFiles
@testable import StoreInterface

/// A `-wal` or `-shm` that this user may not use, beside a database that may be read.
@Suite struct ForbiddenFileTests {
  let folder: TestFolder
  let database: String
  private var log: String { database + "-wal" }

  init() throws {
    folder = try TestFolder()
    database = folder.path("shop.sqlite")
    let queue = try DatabaseQueue(path: database)
    try queue.writeWithoutTransaction {
      try $0.execute(sql: "PRAGMA journal_mode = WAL; CREATE TABLE notes (title)")
      // It is there, with something in it, only as long as somebody has the database open.
      for suffix in ["", "-wal", "-shm"] {
        try FileManager.default.copyItem(atPath: database + suffix, toPath: folder.path("copy" + suffix))
      }
    }
    try queue.close()
    for suffix in ["", "-wal", "-shm"] {
      try? FileManager.default.removeItem(atPath: database + suffix)
      try FileManager.default.moveItem(atPath: folder.path("copy" + suffix), toPath: database + suffix)
    }
  }

  @Test func whatMayNotBeReadCountsMoreThanWhatMayNotBeWritten() throws {
    let unwritten = ForbiddenFile(beside: database) { _, use in use == .read }
    #expect(unwritten?.words == "this user may not write \(log)")
    let unread = ForbiddenFile(beside: database) { path, use in use == .read ? path == log : false }
    #expect(unread?.words == "this user may not read \(database)-shm")
    #expect(ForbiddenFile(beside: database) { _, _ in true } == nil)
    #expect(ForbiddenFile(beside: folder.path("none")) { _, _ in false } == nil)
  }

  @Test func theFileIsNamedThatHasToBeReadable() {
    let error = StoreError.unopened(database, "unable to open database file") { path, _ in path != log }
    let words = "\(log) cannot be read: Permission denied. Check its permissions, and those of its folder."
    #expect(error.words == words)
    let other = StoreError.unopened(database, "unable to open database file") { _, use in use == .read }
    #expect(other.words == "\(database) cannot be read: unable to open database file.")
  }

  /// The same where everybody may read everything, as root does.
  @Test(arguments: ["-wal", "-shm"]) func soItIsToldOfADatabaseAndOfAJournal(suffix: String) {
    let (file, refused) = (database + suffix, DatabaseError(resultCode: .SQLITE_CANTOPEN))
    let may = { (path: String, _: ForbiddenFile.Use) in path != file }
    let words = (StoreError.reading(database, refused, may: may) as? StoreError)?.words
    #expect(words?.hasPrefix("\(file) cannot be read: Permission denied.") == true, "\(words ?? "-")")
    let journal = StoreError.journal(database, refused, may: may).words
    #expect(journal.contains("cannot be used: this user may not read \(file)."), "\(journal)")
  }

  @Test func soItIsOfWhatMayNotBeWritten() {
    for (suffix, told) in [("-shm", nil), ("-wal", "this user may not write \(log)")] as [(String, String?)] {
      let why = FileStatus.whyNotWritable(database) { path, use in use == .read || path != database + suffix }
      #expect(why == told)
    }
  }

  /// The system refuses root there as well, whose permissions are not the matter.
  @Test func aFileSystemThatIsReadOnlyIsTheReason() {
    let why = FileStatus.whyNotWritable(database, may: { _, _ in false }, isReadOnly: { _ in true })
    #expect(why == "the file system of \(database) is mounted for reading only")
    #expect(FileStatus.whyNotWritable(database, may: { _, _ in true }, isReadOnly: { _ in false }) == nil)
    #expect(!FileStatus.isOnReadOnlySystem(database))
  }

  @Test(.enabled(if: geteuid() != 0, "root may read everything"), arguments: ["-wal", "-shm"])
  func soItIsOfADatabaseAndOfAJournal(suffix: String) throws {
    #expect(chmod(database + suffix, 0) == 0)
    let probe = try #require(LockProbe(path: database))
    let reader = SQLiteReader(files: [SQLiteReader.File(path: database, schema: "main", probe: probe)])
    let error = #expect(throws: StoreError.self) {
      try reader.readStore { try $0.execute(sql: "SELECT * FROM notes") }
    }
    #expect(error?.words.hasPrefix("\(database)\(suffix) cannot be read: Permission denied.") == true)
    let journal = StoreError.journal(database, DatabaseError(resultCode: .SQLITE_CANTOPEN))
    #expect(journal.words.contains("cannot be used: this user may not read \(database)\(suffix)."))
  }

  @Test(.enabled(if: geteuid() != 0, "root may write everything"))
  func whatMayNotBeWrittenBesideItIsWhyItCanOnlyBeRead() {
    #expect(chmod(database + "-shm", 0o400) == 0)
    #expect(FileStatus.whyNotWritable(database) == nil, "a writer that has it alone does without")
    #expect(chmod(log, 0o400) == 0)
    #expect(FileStatus.whyNotWritable(database) == "this user may not write \(log)")
  }
}
