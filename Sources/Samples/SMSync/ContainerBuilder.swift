import ExactJSON
import Foundation
import GRDB
import KeyedArchives
import Merging
import SMSyncStores
import SQLiteFiles
import StoreInterface

/// A file to be put into a made container.
package struct SampleFile: Sendable {
  package var uuid: String
  package var name: String
  package var version: Int64? = 0
  package var isDeletedOnServer = false
  package var syncState = "AfterInitialSync"
  package var mimeType = "text/plain"
  /// JSON.
  package var metadata = "{}"
  package var uploads: [SampleUpload] = []
  package var download: SampleDownload?
  /// What the server's index says; nil: what the rows say.
  package var onServer: (version: Int64, isDeleted: Bool)?

  package init(_ uuid: String, _ name: String, version: Int64? = 0) {
    (self.uuid, self.name, self.version) = (uuid, name, version)
  }
}

package struct SampleUpload: Sendable {
  package enum Queue: Sendable, Hashable {
    case prepared
    case inFlight
    /// The oldest is 0.
    case committed(Int)
  }

  /// nil: a deletion.
  package var content: [UInt8]?
  package var queue: Queue
  package var undelete: Int64?
  /// Another path than that of the file which is made; then none is made.
  package var path: String?

  package static func file(
    _ text: String, _ queue: Queue = .committed(0), undelete: Int64? = nil, path: String? = nil
  ) -> SampleUpload {
    SampleUpload(content: Array(text.utf8), queue: queue, undelete: undelete, path: path)
  }

  package static func bytes(_ bytes: [UInt8], _ queue: Queue = .committed(0)) -> SampleUpload {
    SampleUpload(content: bytes, queue: queue)
  }

  package static func deletion(_ queue: Queue = .committed(0)) -> SampleUpload {
    SampleUpload(content: nil, queue: queue)
  }
}

package struct SampleDownload: Sendable {
  /// nil: a deletion, or a file that is not here yet.
  package var content: [UInt8]?
  /// nil: a deletion.
  package var version: Int64?
  package var conflict: String?
  package var stage: String?

  package static func file(
    _ version: Int64, _ content: [UInt8], conflict: String? = "FileUpload"
  ) -> SampleDownload {
    SampleDownload(content: content, version: version, conflict: conflict, stage: "AppCallback")
  }

  package static func deletion(conflict: String? = "FileUpload") -> SampleDownload {
    SampleDownload(conflict: conflict)
  }
}

/// Makes a container as the framework would leave it, by the rules of Core Data, for the demo and for tests.
package final class ContainerBuilder {
  /// The container's folder.
  package let path: String
  package let documents: String
  private let queue: DatabaseQueue
  private var files: [SampleFile] = []
  private var rows = RowCounter()
  private var queues: [SampleUpload.Queue: Int64] = [:]

  /// - Parameter name: of the container's folder; one that ends with `.xcappdata` has its `AppData`.
  /// - Throws: ``StoreError/writeFailed(path:detail:)`` if one is there already.
  package init(folder: String, name: String) throws {
    path = folder + "/" + name
    let data = name.hasSuffix(".xcappdata") ? path + "/AppData" : path
    documents = data + "/Documents"
    if FileStatus(path: path) != nil {
      throw StoreError.writeFailed(path: path, detail: "there is a folder of this name already")
    }
    for folder in [documents + "/Temporary", data + "/Library/Preferences"] {
      try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    }
    var configuration = Configuration()
    configuration.prepareDatabase { db in
      // What is made anew is made again if the machine fails.
      try db.execute(sql: "PRAGMA journal_mode = WAL; PRAGMA synchronous = OFF")
    }
    queue = try DatabaseQueue(
      path: documents + "/" + ContainerFiles.databaseName, configuration: configuration)
    try queue.write { db in try begin(db) }
    try Data(ContainerBuilder.preferences()).write(
      to: URL(filePath: data + "/Library/Preferences/com.example.notes.plist"))
  }

  package func add(_ file: SampleFile) throws {
    files.append(file)
    try queue.write { db in try insert(file, in: db) }
  }

  package func close() throws {
    try queue.write { db in try end(db) }
    // GRDB lets nobody write while a checkpoint is made.
    try queue.inDatabase { try $0.execute(sql: "PRAGMA wal_checkpoint(TRUNCATE)") }
    try queue.close()
  }

  /// What the server answers to GetFileIndex.
  package var index: [UInt8] {
    let entries = files.map { file in
      let there = file.onServer ?? file.serverState
      return JSON(members: [
        "fileId": .string(file.uuid), "cloudFileName": .string(file.name), "mimeType": .string(file.mimeType),
        "appMetaData": .literal(file.metadata), "deleted": .bool(there.isDeleted),
        "fileVersion": .integer(there.version), "lastModified": .string("2016-08-20T12:00:00.000Z"),
      ])
    }
    return JSON(members: ["ServerResult": .integer(0), "ServerFileIndex": .array(entries)]).bytes()
  }
}

extension SampleFile {
  fileprivate var serverState: (version: Int64, isDeleted: Bool) {
    guard let download else { return (version ?? 0, isDeletedOnServer) }
    return (download.version ?? version ?? 0, download.version == nil)
  }
}

/// The highest key of each table.
private struct RowCounter {
  private(set) var highest: [String: Int64] = [:]

  mutating func next(_ table: String) -> Int64 {
    highest[table, default: 0] += 1
    return highest[table, default: 0]
  }
}

extension ContainerBuilder {
  private func begin(_ db: Database) throws {
    try db.execute(sql: SyncModelSQL.tables)
    for (number, entity) in zip(Int64(1)..., SyncModelSQL.entities) {
      let parent = SyncModelSQL.entities.firstIndex { $0.name == entity.parent }.map { Int64($0 + 1) } ?? 0
      try db.run(
        "INSERT INTO Z_PRIMARYKEY VALUES (?, ?, ?, 0)",
        [.integer(number), .text(entity.name), .integer(parent)])
    }
    try db.run(
      "INSERT INTO Z_METADATA VALUES (1, ?, ?)",
      [.text("5EED0000-0000-4000-8000-0000000000FF"), .blob(Blob(bytes: ContainerBuilder.metadata))])
    let prepared = try insertQueue(.prepared, in: db)
    try insert("SMQueues", ["ZUPLOADSBEINGPREPARED": .integer(prepared)], in: db)
  }

  /// Each committed queue ends with a wrapup; the counters are those of the tables.
  private func end(_ db: Database) throws {
    for (queue, key) in queues.sorted(by: { $0.value < $1.value }) where queue != .prepared {
      try insert(
        "SMUploadWrapup",
        [
          "ZQUEUE": .integer(key), "Z_FOK_QUEUE": .integer(1 << 20),
          "ZINTERNALWRAPUPSTAGE": .text("OutboundTransfer"),
        ], in: db)
    }
    try insertStartup(in: db)
    for (table, highest) in rows.highest {
      let name =
        SyncModelSQL.entities.first { $0.parent == nil && "Z" + $0.name.uppercased() == table }?.name ?? ""
      try db.run("UPDATE Z_PRIMARYKEY SET Z_MAX = ? WHERE Z_NAME = ?", [.integer(highest), .text(name)])
    }
  }

  /// Of a round of deletions alone: it tells that no file comes.
  private func insertStartup(in db: Database) throws {
    let downloads = files.compactMap(\.download)
    guard !downloads.isEmpty, downloads.allSatisfy({ $0.version == nil }) else { return }
    let values: [String: Value] = [
      "ZQUEUE": .integer(1), "Z_FOK_QUEUE": .integer(0), "ZINTERNALSTARTUPSTAGE": .text("NoFileDownloads"),
    ]
    try insert("SMDownloadStartup", values, in: db)
  }

  /// - Returns: its key.
  @discardableResult private func insert(
    _ entity: String, _ values: [String: Value], in db: Database
  ) throws -> Int64 {
    let table = SyncModelSQL.table(of: entity)
    let key = rows.next(table)
    let number = Int64((SyncModelSQL.entities.firstIndex { $0.name == entity } ?? -1) + 1)
    let row = values.merging(["Z_PK": .integer(key), "Z_ENT": .integer(number), "Z_OPT": .integer(1)]) {
      one, _ in one
    }
    let names = row.keys.sorted()
    let marks = names.map { _ in "?" }.joined(separator: ", ")
    try db.run(
      "INSERT INTO \(table) (\(names.joined(separator: ", "))) VALUES (\(marks))",
      names.map { row[$0] ?? .null })
    return key
  }

  private func insertQueue(_ queue: SampleUpload.Queue, in db: Database) throws -> Int64 {
    if let known = queues[queue] { return known }
    let values: [String: Value] =
      switch queue {
      case .prepared: ["ZUNCOMMITTEDUPLOADS": .integer(1)]
      case .inFlight: ["ZBEINGUPLOADED": .integer(1)]
      case .committed(let place):
        ["ZCOMMITTEDUPLOADS": .integer(1), "Z_FOK_COMMITTEDUPLOADS": .integer(Int64(place + 1) * 1024)]
      }
    let key = try insert("SMUploadQueue", values, in: db)
    if queue == .inFlight { try db.run("UPDATE ZSMQUEUES SET ZBEINGUPLOADED = ?", [.integer(key)]) }
    queues[queue] = key
    return key
  }

  private func insert(_ file: SampleFile, in db: Database) throws {
    let key = try insert(
      "SMLocalFile",
      [
        "ZUUID": .text(file.uuid), "ZREMOTEFILENAME": .text(file.name), "ZMIMETYPE": .text(file.mimeType),
        "ZLOCALVERSION": file.version.map { .integer($0) } ?? .null,
        "ZINTERNALDELETEDONSERVER": .integer(file.isDeletedOnServer ? 1 : 0),
        "ZINTERNALSYNCSTATE": .text(file.syncState),
        "ZINTERNALAPPMETADATA": .blob(Blob(bytes: Array(file.metadata.utf8))),
      ], in: db)
    for (place, upload) in file.uploads.enumerated() { try insert(upload, of: key, at: place, in: db) }
    if let download = file.download { try insert(download, of: key, in: db) }
  }

  private func insert(_ upload: SampleUpload, of file: Int64, at place: Int, in db: Database) throws {
    let order = Value.integer(Int64(place + 1) * 1024)
    var values: [String: Value] = [
      "ZQUEUE": .integer(try insertQueue(upload.queue, in: db)), "ZLOCALFILE": .integer(file),
      "Z_FOK_QUEUE": .integer(file * 1024), "Z_FOK_LOCALFILE": order,
      "ZINTERNALOPERATIONSTAGE": .text("ServerUpload"),
    ]
    if let content = upload.content {
      values["ZDELETELOCALFILEAFTERUPLOAD"] = .integer(1)
      values["ZINTERNALUNDELETESERVERFILE"] = upload.undelete.map { .integer($0) } ?? .null
      values["ZINTERNALRELATIVELOCALURL"] = try archive(content, at: upload.path)
    }
    try insert(upload.content == nil ? "SMUploadDeletion" : "SMUploadFile", values, in: db)
  }

  private func insert(_ download: SampleDownload, of file: Int64, in db: Database) throws {
    let conflict = download.conflict.map { Value.text($0) } ?? .null
    var values: [String: Value] = [
      "ZQUEUE": .integer(1), "ZLOCALFILE": .integer(file), "Z_FOK_QUEUE": .integer(file * 1024),
      "Z_FOK_LOCALFILE": .integer(1024),
    ]
    guard let version = download.version else {
      values["ZINTERNALCONFLICTTYPE"] = conflict
      try insert("SMDownloadDeletion", values, in: db)
      return
    }
    values["ZSERVERVERSION"] = .integer(version)
    values["ZINTERNALCONFLICTTYPE1"] = conflict
    values["ZINTERNALOPERATIONSTAGE"] = download.stage.map { .text($0) } ?? .null
    if let content = download.content { values["ZINTERNALRELATIVELOCALURL"] = try archive(content, at: nil) }
    let key = try insert("SMDownloadFile", values, in: db)
    try insert(
      "SMDownloadBlock",
      [
        "ZDOWNLOAD": .integer(key), "Z_FOK_DOWNLOAD": .integer(1024), "ZSTARTBYTEOFFSET": .integer(0),
        "ZNUMBERBYTES": .integer(Int64(download.content?.count ?? 0)),
      ], in: db)
  }

  /// Makes the file, under the next name, unless it has a path of its own.
  private func archive(_ content: [UInt8], at path: String?) throws -> Value {
    if let path { return .blob(Blob(bytes: LocalURL.archive(documents: path))) }
    let number = "\(rows.next("Temporary"))"
    let name =
      "Temporary/SMSyncServer." + String(repeating: "0", count: max(0, 6 - number.count)) + number + ".dat"
    try Data(content).write(to: URL(filePath: documents + "/" + name))
    return .blob(Blob(bytes: LocalURL.archive(documents: name)))
  }

  private static let metadata = BinaryPropertyListWriter.bytes(
    of: .dictionary([
      .init("NSStoreModelVersionHashesVersion", .integer(3)), .init("NSStoreType", .string("SQLite")),
      .init("madeBy", .string("Parley, as a sample; no app has made it")),
    ]))

  /// - Parameter operation: one of the server's that is not ended; nil: none is.
  package static func preferences(operation: String? = nil) -> [UInt8] {
    BinaryPropertyListWriter.bytes(
      of: .dictionary([
        .init("SMSyncControl.Mode", .data(KeyedArchiveWriter.archive(root: .text("Synchronizing")))),
        .init("SMUploadFiles.OperationId", .data(KeyedArchiveWriter.archive(root: .text(operation)))),
        .init("SMDownloadFiles.OperationId", .data(KeyedArchiveWriter.archive(root: .null))),
      ]))
  }
}

/// The framework's model as Core Data lays it out (Sources/SMSyncStores/FORMAT.md, "Tables").
enum SyncModelSQL {
  /// In the order of their names, which gives them their numbers.
  static let entities: [(name: String, parent: String?)] = [
    ("SMDownloadBlock", nil), ("SMDownloadOperation", nil),
    ("SMDownloadFileOperation", "SMDownloadOperation"), ("SMDownloadDeletion", "SMDownloadFileOperation"),
    ("SMDownloadFile", "SMDownloadFileOperation"), ("SMDownloadStartup", "SMDownloadOperation"),
    ("SMLocalFile", nil), ("SMQueues", nil), ("SMUploadBlock", nil), ("SMUploadOperation", nil),
    ("SMUploadFileOperation", "SMUploadOperation"), ("SMUploadDeletion", "SMUploadFileOperation"),
    ("SMUploadFile", "SMUploadFileOperation"), ("SMUploadWrapup", "SMUploadOperation"),
    ("SMUploadQueue", nil),
  ]

  static func table(of entity: String) -> String {
    var name = entity
    while let parent = entities.first(where: { $0.name == name })?.parent { name = parent }
    return "Z" + name.uppercased()
  }

  private static func table(_ name: String, _ columns: String) -> String {
    "CREATE TABLE \(name) (Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, Z_OPT INTEGER, \(columns));\n"
  }

  private static func index(_ table: String, _ columns: String...) -> String {
    columns.map { "CREATE INDEX \(table)_\($0)_INDEX ON \(table) (\($0));\n" }.joined()
  }

  static let tables =
    table(
      "ZSMDOWNLOADBLOCK",
      "ZNUMBERBYTES INTEGER, ZSTARTBYTEOFFSET INTEGER, ZDOWNLOAD INTEGER, Z_FOK_DOWNLOAD INTEGER")
    + table(
      "ZSMDOWNLOADOPERATION",
      """
      ZQUEUE INTEGER, ZLOCALFILE INTEGER, ZSERVERVERSION INTEGER, Z_FOK_QUEUE INTEGER, Z_FOK_LOCALFILE INTEGER, \
      ZINTERNALCONFLICTTYPE VARCHAR, ZINTERNALCONFLICTTYPE1 VARCHAR, ZINTERNALOPERATIONSTAGE VARCHAR, \
      ZINTERNALSTARTUPSTAGE VARCHAR, ZINTERNALRELATIVELOCALURL BLOB
      """)
    + table(
      "ZSMLOCALFILE",
      """
      ZINTERNALDELETEDONSERVER INTEGER, ZLOCALVERSION INTEGER, ZINTERNALSYNCSTATE VARCHAR, ZMIMETYPE VARCHAR, \
      ZREMOTEFILENAME VARCHAR, ZUUID VARCHAR, ZINTERNALAPPMETADATA BLOB
      """)
    + table("ZSMQUEUES", "ZBEINGUPLOADED INTEGER, ZUPLOADSBEINGPREPARED INTEGER")
    + table(
      "ZSMUPLOADBLOCK",
      "ZNUMBERBYTES INTEGER, ZSTARTBYTEOFFSET INTEGER, ZUPLOAD INTEGER, Z_FOK_UPLOAD INTEGER")
    + table(
      "ZSMUPLOADOPERATION",
      """
      ZQUEUE INTEGER, ZLOCALFILE INTEGER, ZDELETELOCALFILEAFTERUPLOAD INTEGER, ZINTERNALUNDELETESERVERFILE INTEGER, \
      Z_FOK_QUEUE INTEGER, Z_FOK_LOCALFILE INTEGER, ZINTERNALOPERATIONSTAGE VARCHAR, ZINTERNALWRAPUPSTAGE VARCHAR, \
      ZINTERNALRELATIVELOCALURL BLOB
      """)
    + table(
      "ZSMUPLOADQUEUE",
      """
      ZBEINGUPLOADED INTEGER, ZCOMMITTEDUPLOADS INTEGER, ZUNCOMMITTEDUPLOADS INTEGER, Z_FOK_COMMITTEDUPLOADS INTEGER
      """)
      + """
      CREATE TABLE Z_PRIMARYKEY (Z_ENT INTEGER PRIMARY KEY, Z_NAME VARCHAR, Z_SUPER INTEGER, Z_MAX INTEGER);
      CREATE TABLE Z_METADATA (Z_VERSION INTEGER PRIMARY KEY, Z_UUID VARCHAR(255), Z_PLIST BLOB);
      CREATE TABLE Z_MODELCACHE (Z_CONTENT BLOB);

      """
    + index("ZSMDOWNLOADBLOCK", "ZDOWNLOAD")
    + index("ZSMDOWNLOADOPERATION", "ZQUEUE", "ZLOCALFILE", "Z_ENT") + index("ZSMLOCALFILE", "ZUUID")
    + index("ZSMQUEUES", "ZBEINGUPLOADED", "ZUPLOADSBEINGPREPARED") + index("ZSMUPLOADBLOCK", "ZUPLOAD")
    + index("ZSMUPLOADOPERATION", "ZQUEUE", "ZLOCALFILE", "Z_ENT")
    + index("ZSMUPLOADQUEUE", "ZBEINGUPLOADED", "ZCOMMITTEDUPLOADS", "ZUNCOMMITTEDUPLOADS")
}
