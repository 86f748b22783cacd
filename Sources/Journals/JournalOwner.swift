import GRDB
import Merging
import SQLiteFiles
import StoreInterface

/// Which store a journal belongs to: `Reminders.sqlite` and `Reminders.touchdb` have one stem, and must not share one.
///
/// A store is known by its kind and the name of its database. The folder does not count, so that a copy that a customer sends
/// brings its journal along. A database that was renamed together with its journal takes it over, unless the one of the old
/// name is still there.
package struct JournalOwner: Sendable, Equatable {
  package let kind: String
  /// The database's name, without its folder.
  package let file: String

  package init(kind: String, database: String) {
    self.kind = kind
    file = folderAndName(database).name
  }

  init(kind: String, file: String) { (self.kind, self.file) = (kind, file) }

  /// The one that the journal tells; nil for none.
  package static func told(in db: Database) throws -> (owner: JournalOwner, isExact: Bool)? {
    try db.firstRow("SELECT kind, file FROM stores ORDER BY id DESC LIMIT 1") { row in
      (JournalOwner(kind: row.text(0), file: row.text(1)), !row.text(1).isEmpty)
    }
  }

  /// - Throws: ``StoreError/journalOfAnother(path:store:)``
  package func check(_ path: String, in db: Database) throws {
    guard let (owner, isExact) = try JournalOwner.told(in: db), owner != self else { return }
    let other = folderAndName(path).folder + "/" + owner.file
    if owner.kind != kind || isExact && FileStatus(path: other) != nil {
      throw StoreError.journalOfAnother(path: path, store: isExact ? owner.file : "a store of \(owner.kind)")
    }
  }

  /// Tells in the journal that it is this one's.
  package func claim(in db: Database) throws {
    if try JournalOwner.told(in: db)?.owner == self { return }
    try db.run("INSERT INTO stores (kind, file) VALUES (?, ?)", [.text(kind), .text(file)])
  }
}

extension Journal {
  /// The journal of a store: `NAME.parley.sqlite` beside its database `NAME.ext`. Where that one is another store's, it is
  /// `NAME.ext.parley.sqlite`.
  package convenience init(
    kind: String, database: String, reading: PayloadReading, clock: @escaping @Sendable () -> Int64
  ) {
    let owner = JournalOwner(kind: kind, database: database)
    let shared = JournalPath.beside(database)
    let own = JournalPath.beside(database, isWhole: true)
    let other = Journal(path: shared, owner: owner, reading: reading, clock: clock)
    let isOwn = FileStatus(path: own) != nil || other.isOfAnother
    self.init(path: isOwn ? own : shared, owner: owner, reading: reading, clock: clock)
  }

  /// The journal of a store on a server, which lies under the state folder: see ``JournalPath/of(url:environment:)``.
  package convenience init(
    kind: String, url: String, reading: PayloadReading, clock: @escaping @Sendable () -> Int64
  ) {
    let owner = JournalOwner(kind: kind, file: JournalPath.key(ofURL: url))
    self.init(path: JournalPath.of(url: url), owner: owner, reading: reading, clock: clock)
  }

  /// One that cannot be read is told when it is needed.
  private var isOfAnother: Bool {
    do {
      try read(or: ()) { _ in }
    } catch StoreError.journalOfAnother {
      return true
    } catch {
      return false
    }
    return false
  }
}
