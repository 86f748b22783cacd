import ExactJSON
import Foundation
import GRDB
import Merging
import SQLiteFiles
import StoreInterface

/// Where the journal of a store lies.
package enum JournalPath {
  /// `NAME.parley.sqlite` beside the database `NAME.ext`. Where that file or its folder cannot be written, a file under
  /// `$XDG_STATE_HOME/parley`, with a name made of the path.
  ///
  /// - Parameter isWhole: for a store whose stem's journal is another's: `NAME.ext.parley.sqlite`, and `NAME.own.parley.sqlite` of one
  ///   that has no extension.
  package static func beside(
    _ database: String, isWhole: Bool = false,
    environment: @autoclosure () -> [String: String] = ProcessInfo.processInfo.environment
  ) -> String {
    let place = place(beside: database, isWhole: isWhole)
    if FileStatus.isWritable(folderAndName(place).folder),
      FileStatus(path: place) == nil || FileStatus.isWritable(place)
    {
      return place
    }
    return elsewhere(database, environment())
  }

  /// Where it lies if nothing can be written beside the database.
  static func elsewhere(_ database: String, _ environment: [String: String]) -> String {
    let path = absolute(database)
    return elsewhere(stem(folderAndName(path).name), path, environment)
  }

  /// Wherever one of the store may lie, also one of a time when its folder could be written, or could not.
  package static func places(
    of database: String, environment: [String: String] = ProcessInfo.processInfo.environment
  ) -> [String] {
    [false, true].map { place(beside: database, isWhole: $0) } + [elsewhere(database, environment)]
  }

  /// Where it lies if that can be written.
  static func place(beside database: String, isWhole: Bool) -> String {
    let (folder, name) = folderAndName(database)
    let stem = stem(name)
    let whole = stem == name ? name + ".own" : name
    return folder + "/" + (isWhole ? whole : stem) + ".parley.sqlite"
  }

  /// For a store on a server: a file under `$XDG_STATE_HOME/parley`, with a name made of ``key(ofURL:)``.
  package static func of(
    url: String, environment: [String: String] = ProcessInfo.processInfo.environment
  ) -> String {
    let key = key(ofURL: url)
    return elsewhere(key.hasPrefix("#") ? "server" : key, key, environment)
  }

  /// Which store a URL means: its scheme, host, port and path, and nothing that may be secret. So two URLs that differ only in who
  /// asks have one key. `https://me:secret@Example.com/db/?x=1` is `https://example.com/db`.
  ///
  /// Of one that cannot be taken apart the hash is all that can be told without telling too much.
  package static func key(ofURL url: String) -> String {
    guard let parts = URLComponents(string: url), let scheme = parts.scheme?.lowercased(),
      let host = parts.percentEncodedHost?.lowercased(), !host.isEmpty
    else { return "#" + hash(url) }
    let usual = ["http": 80, "https": 443][scheme]
    let port = parts.port.flatMap { $0 == usual ? nil : ":\($0)" } ?? ""
    let path = parts.percentEncodedPath.split(separator: "/").map { "/" + $0 }.joined()
    return "\(scheme)://\(host)\(port)\(path)"
  }

  private static func elsewhere(
    _ readable: String, _ key: String, _ environment: [String: String]
  ) -> String {
    stateFolder(environment) + "/" + fileName(readable, key) + ".parley.sqlite"
  }

  /// `$XDG_STATE_HOME/parley`, if that is an absolute path, otherwise `~/.local/state/parley`.
  package static func stateFolder(_ environment: [String: String]) -> String {
    let state = environment["XDG_STATE_HOME"].flatMap { $0.hasPrefix("/") ? $0 : nil }
    return (state ?? homeFolder(environment) + "/.local/state") + "/parley"
  }

  /// One name: something to be recognised by, and the key's hash to be unique.
  private static func fileName(_ readable: String, _ key: String) -> String {
    var safe = String.UnicodeScalarView()
    for scalar in readable.unicodeScalars.prefix(40) {
      safe.append(scalar.properties.isAlphabetic || ("0"..."9").contains(scalar) ? scalar : "-")
    }
    return String(safe) + "-" + hash(key)
  }

  private static func hash(_ key: String) -> String {
    Hexadecimal.text(Blob(bytes: Array(key.utf8)).sha256.prefix(8))
  }

  private static func absolute(_ path: String) -> String {
    FileStatus.real(path) ?? path
  }
}

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

  /// Whether a journal under this store's name came along with it from another, which is still there: two stores of one stem have
  /// one name for their journals anyway.
  func isCopied(from store: String, with journal: String) -> Bool {
    stem(store) != stem(file) && FileStatus(path: folderAndName(journal).folder + "/" + store) != nil
  }

  /// Tells in the journal that it is this one's.
  package func claim(in db: Database) throws {
    if try JournalOwner.told(in: db)?.owner == self { return }
    try db.run("INSERT INTO stores (kind, file) VALUES (?, ?)", [.text(kind), .text(file)])
  }
}

extension Journal {
  /// The journal of a store, as ``JournalChoice`` finds it.
  package convenience init(
    kind: String, database: String, environment: [String: String] = ProcessInfo.processInfo.environment,
    reading: PayloadReading, clock: @escaping @Sendable () -> Int64
  ) {
    let owner = JournalOwner(kind: kind, database: database)
    let choice = JournalChoice(of: database, owner, environment) {
      Journal(path: $0, owner: owner, reading: reading, clock: clock).otherOwner
    }
    self.init(path: choice.path, owner: owner, reading: reading, notices: choice.notices, clock: clock)
  }

  /// The journal of a store on a server, which lies under the state folder: see ``JournalPath/of(url:environment:)``.
  package convenience init(
    kind: String, url: String, environment: [String: String], reading: PayloadReading,
    clock: @escaping @Sendable () -> Int64
  ) {
    let owner = JournalOwner(kind: kind, file: JournalPath.key(ofURL: url))
    self.init(
      path: JournalPath.of(url: url, environment: environment), owner: owner, reading: reading, clock: clock)
  }
}

/// Which of the files that may be a store's journal is the one.
///
/// It is `NAME.parley.sqlite` beside its database `NAME.ext`; where that one is another store's, `NAME.ext.parley.sqlite`, or
/// `NAME.own.parley.sqlite` of a database `NAME`. What was begun under the state folder, as nothing could be written beside the store
/// then, goes on there: what was decided must not be gone with what hindered.
private struct JournalChoice {
  let path: String
  let notices: [JournalNotice]

  /// - Parameter otherOwner: whose a journal is, if it is another store's.
  init(
    of database: String, _ owner: JournalOwner, _ environment: [String: String],
    otherOwner: (String) -> String?
  ) {
    func isOurs(_ path: String) -> Bool { FileStatus.isBegun(path) && otherOwner(path) == nil }
    let shared = JournalPath.beside(database, environment: environment)
    let own = JournalPath.beside(database, isWhole: true, environment: environment)
    let elsewhere = JournalPath.elsewhere(database, environment)
    let others = otherOwner(shared)
    let beside = FileStatus(path: own) != nil || others != nil ? own : shared
    let isElsewhere = beside != elsewhere && isOurs(elsewhere)
    path = isElsewhere && !FileStatus.isBegun(beside) ? elsewhere : beside
    let places = [true, false].map { JournalPath.place(beside: database, isWhole: $0) }
    let passedOver: JournalNotice? =
      path == elsewhere
      ? places.first(where: isOurs).map { .passedOver(path: $0, instead: elsewhere) }
      : isElsewhere ? .passedOverElsewhere(path: elsewhere, instead: beside) : nil
    let copied: JournalNotice? = others.flatMap {
      owner.isCopied(from: $0, with: shared) ? .ofAnother(path: shared, store: $0, instead: beside) : nil
    }
    let unseen: JournalNotice? =
      path == elsewhere && FileStatus.isOutOfSight(elsewhere) ? .outOfSight(path: elsewhere) : nil
    notices = [passedOver, copied, unseen].compactMap(\.self)
  }
}

/// Files and folders for their owner alone: a journal holds whole rows.
package enum PrivateFile {
  /// Makes an empty file, unless there is one. SQLite gives `-wal` and `-shm` the permissions of the database.
  package static func make(_ path: String) {
    let file = open(path, O_CREAT | O_EXCL | O_WRONLY | O_CLOEXEC, 0o600)
    if file >= 0 { close(file) }
  }

  /// Takes everybody else's permissions away. Where that is not ours to do, it stays as it is.
  package static func tighten(_ path: String) {
    var status = stat()
    guard stat(path, &status) == 0 else { return }
    let rights = mode_t(status.st_mode) & 0o7777
    if rights & 0o077 != 0 { chmod(path, rights & 0o700) }
  }

  /// Makes a folder, and those it lies in.
  package static func makeFolder(_ path: String) -> Bool {
    if FileStatus(path: path)?.isFolder == true { return true }
    let parent = folderAndName(path).folder
    guard parent != path, makeFolder(parent) else { return false }
    return mkdir(path, 0o700) == 0 || errno == EEXIST
  }
}
