import Digests
import Foundation
import GRDB
import Journals
import Merging
import SQLiteFiles
import Synchronization

/// What earlier passes over a database have found, so that the next reads only what has changed since: the names of its documents
/// in conflict, and how far the feed of changes was read. No value is in it, and nothing is lost with it: where it cannot be read or
/// written all is read again. A file that is damaged, or of another Parley, is removed, and the next start makes it anew.
///
/// A page that lost its bytes may still be one to SQLite, with fewer names, or others: so the file is looked through as it is opened, and
/// each name has its own sum beside it.
final class KnownConflicts: Sendable {
  /// How far the feed was read, and of which database: a sequence is worth nothing in another one, even if it has the same name.
  struct Mark: Equatable {
    var identity: String
    var since = "0"
  }

  /// Nothing is known, until the next start.
  struct Unreadable: Error {}

  private enum State {
    case kept
    /// Something could not be written, and a later mark would say that it was: it stays as it is.
    case left
    /// It could not be read, so nobody knows what is behind a mark: not this session, which reads all again.
    case unreadable
  }

  private let path: String
  private let queue: DatabaseQueue
  private let state = Mutex(State.kept)

  /// - Parameter path: of its file; where none can be made there, it lives as long as this.
  init(path: String) throws {
    self.path = path
    queue = try KnownConflicts.open(path) ?? KnownConflicts.made(DatabaseQueue())
  }

  private static func open(_ path: String) -> DatabaseQueue? {
    guard PrivateFile.makeFolder(folderAndName(path).folder) else { return nil }
    do {
      return try opened(path)
    } catch {
      guard isDamage(error) else { return nil }
      remove(path)
      return try? opened(path)
    }
  }

  private static func opened(_ path: String) throws -> DatabaseQueue {
    PrivateFile.make(path)
    var configuration = GRDB.Configuration()
    configuration.busyMode = .timeout(5)
    // In KiB: names come and go once, and a database in memory keeps all of itself anyway.
    configuration.prepareDatabase { try $0.execute(sql: "PRAGMA cache_size = -256") }
    return try made(DatabaseQueue(path: path, configuration: configuration))
  }

  /// Also where a table or a column is missing, which is what SQLite calls an error.
  private static func isDamage(_ error: any Error) -> Bool {
    let code = (error as? DatabaseError)?.resultCode
    return code == .SQLITE_CORRUPT || code == .SQLITE_NOTADB || code == .SQLITE_ERROR
  }

  private static let damage = DatabaseError(resultCode: .SQLITE_CORRUPT)

  /// With its journal, which would be taken for that of the next file.
  private static func remove(_ path: String) {
    for suffix in ["", "-journal"] { unlink(path + suffix) }
  }

  /// With its tables, which it can write.
  private static func made(_ queue: DatabaseQueue) throws -> DatabaseQueue {
    try queue.write { db in
      try checkIsWhole(db)
      try db.execute(sql: schema)
      try db.execute(sql: "UPDATE mark SET since = since; SELECT place, id, sum FROM conflicts LIMIT 0")
    }
    return queue
  }

  /// A mark without the names behind it would say that there are none.
  private static func checkIsWhole(_ db: Database) throws {
    let sql = "SELECT count(*) FROM sqlite_master WHERE name IN ('conflicts', 'mark')"
    let tables = try db.firstRow(sql) { $0.integer(0) }
    let state = try db.firstRow("PRAGMA integrity_check(1)") { $0.text(0) }
    guard tables != 1, state == "ok" else { throw damage }
  }

  /// `$XDG_CACHE_HOME/parley`, with a name made of the database's URL.
  static func path(ofURL url: String, environment: [String: String])
    -> String
  {
    let given = environment["XDG_CACHE_HOME"].flatMap { $0.hasPrefix("/") ? $0 : nil }
    let root = given ?? homeFolder(environment) + "/.cache"
    let journal = folderAndName(JournalPath.of(url: url)).name
    return root + "/parley/" + journal.replacing(".parley.sqlite", with: ".conflicts.sqlite")
  }

  private static let schema = """
    CREATE TABLE IF NOT EXISTS conflicts (place INTEGER PRIMARY KEY AUTOINCREMENT, id TEXT NOT NULL UNIQUE, sum INTEGER NOT NULL) STRICT;
    CREATE TABLE IF NOT EXISTS mark (only INTEGER PRIMARY KEY CHECK (only = 1), identity TEXT NOT NULL, since TEXT NOT NULL) STRICT;
    """

  /// How far the feed was read; nil for another database, where there is none yet, and where that cannot be read.
  func mark(of identity: String) -> Mark? {
    let mark = try? read { db in
      try db.firstRow("SELECT identity, since FROM mark") { Mark(identity: $0.text(0), since: $0.text(1)) }
    }
    return mark.flatMap { $0.identity == identity ? $0 : nil }
  }

  /// Names behind a place, with their places.
  ///
  /// - Throws: ``Unreadable``
  func names(behind place: Int64, limit: Int) throws -> [(place: Int64, id: String)] {
    try read { db in
      let found = try db.rows(
        "SELECT place, id, sum FROM conflicts WHERE place > ? ORDER BY place LIMIT ?",
        [.integer(place), .integer(Int64(limit))]
      ) { (place: $0.integer(0), id: $0.text(1), sum: $0.integer(2)) }
      var last = place
      return try found.map { name in
        guard name.place > last, name.sum == KnownConflicts.sum(of: name.id) else {
          throw KnownConflicts.damage
        }
        last = name.place
        return (name.place, name.id)
      }
    }
  }

  /// The first 8 bytes of its SHA-256.
  private static func sum(of id: String) -> Int64 {
    Int64(bitPattern: SHA256.of(Array(id.utf8)).prefix(8).reduce(0) { $0 << 8 | UInt64($1) })
  }

  /// - Throws: ``Unreadable``
  func count() throws -> Int {
    try read { try $0.firstRow("SELECT count(*) FROM conflicts") { Int($0.integer(0)) } } ?? 0
  }

  /// Forgets what was known of another database.
  func begin(_ mark: Mark) {
    write { db in
      try db.run("DELETE FROM conflicts")
      try KnownConflicts.set(mark, in: db)
    }
  }

  /// What was seen of some documents, and how far the feed was read with that.
  func note(inConflict: [String], others: [String], _ mark: Mark?) {
    write { db in
      for id in inConflict {
        try db.run(
          "INSERT OR IGNORE INTO conflicts (id, sum) VALUES (?, ?)",
          [.text(id), .integer(KnownConflicts.sum(of: id))])
      }
      for id in others { try db.run("DELETE FROM conflicts WHERE id = ?", [.text(id)]) }
      if let mark { try KnownConflicts.set(mark, in: db) }
    }
  }

  private func read<Result: Sendable>(_ body: (Database) throws -> Result) throws -> Result {
    try state.withLock { state in
      if state == .unreadable { throw Unreadable() }
      do {
        return try queue.read(body)
      } catch {
        state = .unreadable
        if KnownConflicts.isDamage(error) { KnownConflicts.remove(path) }
        throw Unreadable()
      }
    }
  }

  private func write(_ body: (Database) throws -> Void) {
    state.withLock { state in
      guard state == .kept else { return }
      do { try queue.write(body) } catch {
        let isDamaged = KnownConflicts.isDamage(error)
        state = isDamaged ? .unreadable : .left
        if isDamaged { KnownConflicts.remove(path) }
      }
    }
  }

  private static func set(_ mark: Mark, in db: Database) throws {
    try db.run(
      "INSERT OR REPLACE INTO mark (only, identity, since) VALUES (1, ?, ?)",
      [.text(mark.identity), .text(mark.since)])
  }
}
