import GRDB
import Merging
import SQLiteFiles

/// Everything the store says of one file.
struct FileRows: Sendable, Equatable {
  let key: Int64
  let uuid: String
  /// nil while it is downloaded for the first time.
  let version: Int64?
  let isDeletedOnServer: Bool
  let syncState: String?
  let mimeType: String?
  let name: String?
  /// JSON bytes.
  let metadata: [UInt8]?
  /// In the order in which they were asked for.
  var uploads: [Upload] = []
  var downloads: [Download] = []
  /// What of its rows cannot be read as the framework writes it; nothing is written for such a file.
  var damage: [RowDamage] = []

  struct Upload: Sendable, Equatable {
    let key: Int64
    let isDeletion: Bool
    let queue: Int64?
    let place: QueuePlace
    /// NULL, or 1 of an upload that undeletes; 0 stops the framework.
    let undelete: Int64?
    /// An archived ``LocalURL``.
    let url: [UInt8]?
  }

  struct Download: Sendable, Equatable {
    let key: Int64
    let isDeletion: Bool
    let conflict: String?
    let version: Int64?
    let stage: String?
    let url: [UInt8]?

    /// Whether the downloaded file is here, and the app is to be asked.
    var isAtApp: Bool { isDeletion || stage == "AppCallback" }
  }
}

extension FileRows {
  var files: [Upload] { uploads.filter { !$0.isDeletion } }
  var deletions: [Upload] { uploads.filter(\.isDeletion) }
  var title: String { name.flatMap { $0.isEmpty ? nil : $0 } ?? uuid }

  /// Whether the app sends an upload before the deletion after it: of one queue it sends deletions first.
  var sendsUploadsFirst: Bool {
    Set(files.map(\.queue)).isDisjoint(with: deletions.map(\.queue))
  }

  /// The download of the round that the app is asked about, or will be.
  var conflicting: Download? { downloads.first { $0.conflict != nil } }
}

/// How far an upload has come.
enum QueuePlace: String, Sendable, CaseIterable {
  /// Not sent before the app calls commit.
  case prepared
  case committed
  case inFlight
  /// In no queue: the store is damaged.
  case nowhere
}

/// Reads files and what waits for them.
struct FileReader {
  let db: Database
  let model: SyncModel
  let places: [Int64: QueuePlace]

  init(_ db: Database, _ model: SyncModel) throws {
    (self.db, self.model) = (db, model)
    places = try FileReader.places(in: db)
  }

  /// In which state each queue is. A queue may be told from either end of its relationship.
  private static func places(in db: Database) throws -> [Int64: QueuePlace] {
    var places: [Int64: QueuePlace] = [:]
    let sql = "SELECT Z_PK, ZBEINGUPLOADED, ZCOMMITTEDUPLOADS, ZUNCOMMITTEDUPLOADS FROM ZSMUPLOADQUEUE"
    try db.forEachRow(sql) { row in
      places[row.integer(0)] =
        !row.isNull(1)
        ? .inFlight : !row.isNull(2) ? .committed : !row.isNull(3) ? .prepared : .nowhere
    }
    try db.forEachRow("SELECT ZBEINGUPLOADED, ZUPLOADSBEINGPREPARED FROM ZSMQUEUES") { row in
      if !row.isNull(0) { places[row.integer(0)] = .inFlight }
      if !row.isNull(1), places[row.integer(1)] == .nowhere { places[row.integer(1)] = .prepared }
    }
    return places
  }

  /// What each file is called.
  static func names(in db: Database) throws -> [(uuid: String, name: String?)] {
    try db.rows("SELECT ZUUID, ZREMOTEFILENAME FROM ZSMLOCALFILE WHERE ZUUID IS NOT NULL") { row in
      (row.text(0), row.optionalText(1))
    }
  }

  /// The files before a key, newest first, at most `limit`.
  ///
  /// - Parameter condition: SQL over `ZSMLOCALFILE`.
  func files(below key: Int64, limit: Int, where condition: String = "1") throws -> [FileRows] {
    let sql = "\(FileReader.columns) WHERE Z_PK < ? AND \(condition) ORDER BY Z_PK DESC LIMIT ?"
    var order = KeyOrder.falling(from: key)
    return try read(sql, [.integer(key), .integer(Int64(limit))]) { try order.pass($0) }
  }

  /// The next keys of files for which something waits, newest first, at most `limit`.
  func keysWaitedFor(below key: Int64, limit: Int) throws -> [Int64] {
    var order = KeyOrder.falling(from: key)
    return try db.rows(FileReader.nextWaitedFor, [.integer(key), .integer(Int64(limit))]) { row in
      try order.pass(row.integer(0))
      return row.integer(0)
    }
  }

  /// Those of these keys that have a file with a name of its own.
  func filesWaitedFor(below key: Int64, limit: Int) throws -> [FileRows] {
    let sql = """
      \(FileReader.columns) WHERE Z_PK IN (\(FileReader.nextWaitedFor)) AND \(FileReader.isNamedOnce) ORDER BY Z_PK DESC
      """
    return try read(sql, [.integer(key), .integer(Int64(limit))]) { _ in }
  }

  /// Of each table as many as the page may need, by its index. As a condition on the files all that wait would be looked up, and
  /// sorted, for every page.
  private static let nextWaitedFor = """
    SELECT key FROM (
      SELECT * FROM (
        SELECT DISTINCT ZLOCALFILE AS key FROM ZSMUPLOADOPERATION WHERE ZLOCALFILE < ?1 ORDER BY key DESC LIMIT ?2)
      UNION
      SELECT * FROM (
        SELECT DISTINCT ZLOCALFILE AS key FROM ZSMDOWNLOADOPERATION WHERE ZLOCALFILE < ?1 ORDER BY key DESC LIMIT ?2))
    ORDER BY key DESC LIMIT ?2
    """

  /// Files for which something waits, in either direction.
  static let isWaitedFor = """
    (Z_PK IN (SELECT ZLOCALFILE FROM ZSMUPLOADOPERATION) OR Z_PK IN (SELECT ZLOCALFILE FROM ZSMDOWNLOADOPERATION))
    """

  /// The files of this name: more than one only in a damaged store.
  func files(named uuid: String) throws -> [FileRows] {
    try read("\(FileReader.columns) WHERE ZUUID = ? ORDER BY Z_PK LIMIT 2", [.text(uuid)]) { _ in }
  }

  private static let columns = """
    SELECT Z_PK, ZUUID, ZLOCALVERSION, ZINTERNALDELETEDONSERVER, ZINTERNALSYNCSTATE, ZMIMETYPE, ZREMOTEFILENAME, \
    ZINTERNALAPPMETADATA FROM ZSMLOCALFILE
    """

  private func read(_ sql: String, _ values: [Value], _ pass: (Int64) throws -> Void) throws -> [FileRows] {
    var files = try db.rows(sql, values) { row in
      try pass(row.integer(0))
      return FileRows(
        key: row.integer(0), uuid: row.text(1), version: row.isNull(2) ? nil : row.integer(2),
        isDeletedOnServer: row.integer(3) != 0, syncState: row.optionalText(4),
        mimeType: row.optionalText(5), name: row.optionalText(6), metadata: row.optionalBytes(7))
    }
    for index in files.indices {
      files[index].uploads = try uploads(of: files[index].key)
      files[index].downloads = try downloads(of: files[index].key)
      files[index].damage = try damage(of: files[index].key)
    }
    return files
  }

  private func uploads(of file: Int64) throws -> [FileRows.Upload] {
    let sql = """
      SELECT Z_PK, Z_ENT, ZQUEUE, ZINTERNALUNDELETESERVERFILE, ZINTERNALRELATIVELOCALURL FROM ZSMUPLOADOPERATION
      WHERE ZLOCALFILE = ? AND Z_ENT IN (?, ?) ORDER BY Z_FOK_LOCALFILE, Z_PK
      """
    let kinds: [Value] = [.integer(model[.uploadFile]), .integer(model[.uploadDeletion])]
    return try db.rows(sql, [.integer(file)] + kinds) { row in
      let queue = row.isNull(2) ? nil : row.integer(2)
      return FileRows.Upload(
        key: row.integer(0), isDeletion: row.integer(1) == model[.uploadDeletion], queue: queue,
        place: queue.flatMap { places[$0] } ?? .nowhere, undelete: row.isNull(3) ? nil : row.integer(3),
        url: row.optionalBytes(4))
    }
  }

  /// Which of the two columns for the conflict a kind of row has follows from the order of entities: one of them is filled.
  private func downloads(of file: Int64) throws -> [FileRows.Download] {
    let sql = """
      SELECT Z_PK, Z_ENT, COALESCE(ZINTERNALCONFLICTTYPE, ZINTERNALCONFLICTTYPE1), ZSERVERVERSION, \
      ZINTERNALOPERATIONSTAGE, ZINTERNALRELATIVELOCALURL FROM ZSMDOWNLOADOPERATION
      WHERE ZLOCALFILE = ? AND Z_ENT IN (?, ?) ORDER BY Z_FOK_QUEUE, Z_PK
      """
    let kinds: [Value] = [.integer(model[.downloadFile]), .integer(model[.downloadDeletion])]
    return try db.rows(sql, [.integer(file)] + kinds) { row in
      FileRows.Download(
        key: row.integer(0), isDeletion: row.integer(1) == model[.downloadDeletion],
        conflict: row.optionalText(2), version: row.isNull(3) ? nil : row.integer(3),
        stage: row.optionalText(4), url: row.optionalBytes(5))
    }
  }
}
