import ExactJSON
import GRDB
import Journals
import Merging
import RowJournals
import SQLiteFiles
import StoreInterface

/// What a decision changes in a copy's store, so that the app finds at its next start what its own answer would have left
/// (FORMAT.md, "What is written into a copy").
///
/// - accept: the pending rows of the file go, and the conflict is no more: the app takes the download as a plain one.
/// - keep: the download goes, and its number counts as known; of a deletion the first upload becomes an undeletion.
/// - draft: as keep, with one upload left, of the draft's own file.
struct QueuePlan {
  private let place: FilePlace
  private let file: FileConflict
  private var rowChanges: RowChanges
  private var draftFile: StoredChange?

  private var rows: FileRows { file.standing.rows }
  private var news: FileStanding.News { file.standing.news }

  init(_ file: FileConflict, _ place: FilePlace) {
    (self.file, self.place, rowChanges) = (file, place, RowChanges(place))
  }

  var changes: [StoredChange] { [draftFile].compactMap(\.self) + rowChanges.all }

  /// - Throws: ``Refusal``
  mutating func carryOut(_ decision: FileDecision) throws {
    if let reason = place.surroundings.whyNotWritable(file.standing) { throw Refusal(nil, reason) }
    switch decision {
    case .accept:
      try removeUploads(rows.uploads)
      try acceptDownload()
    case .keep: try keep()
    case .keepUpload:
      try removeUploads(rows.deletions)
      try keep()
    case .keepDeletion:
      try removeUploads(rows.files)
      try keep()
    case .draft(let bytes): try keep(sending: bytes)
    }
  }

  private mutating func acceptDownload() throws {
    guard let download = news.download else { return }
    try rowChanges.update(
      .downloadOperation, download.key, ["ZINTERNALCONFLICTTYPE": .null, "ZINTERNALCONFLICTTYPE1": .null])
  }

  private mutating func keep(sending bytes: [UInt8]? = nil) throws {
    if let refused = file.standing.refusedUndeletion {
      throw Refusal(
        nil,
        """
        the server has deleted version \(news.version), so the app would undelete it with version \(refused), at which its framework \
        stops; the container's outbox takes it (parley write without --copy)
        """)
    }
    if news.isDeletion {
      try rowChanges.update(.localFile, rows.key, ["ZINTERNALDELETEDONSERVER": .integer(1)])
    } else {
      try rowChanges.update(.localFile, rows.key, ["ZLOCALVERSION": .integer(news.version)])
    }
    try sendFirst(bytes)
    if let download = news.download { try removeDownload(download) }
  }

  /// The first upload undeletes, where the server has deleted the file; it alone is left to send a draft.
  private mutating func sendFirst(_ bytes: [UInt8]?) throws {
    guard let first = rows.files.first else { return }
    var values: RowImage = news.isDeletion ? ["ZINTERNALUNDELETESERVERFILE": .integer(1)] : [:]
    if let bytes {
      let path = try makeFile(bytes)
      values["ZINTERNALRELATIVELOCALURL"] = .blob(Blob(bytes: LocalURL.archive(documents: path)))
      values["ZDELETELOCALFILEAFTERUPLOAD"] = .integer(1)
      try removeBlocks(.uploadBlock, "ZUPLOAD", first.key)
      try removeUploads(Array(rows.files.dropFirst()))
    }
    if !values.isEmpty { try rowChanges.update(.uploadOperation, first.key, values) }
  }

  /// As the framework names those that it is given as data. Made of what is in it, so that a rehearsal and the write name it alike.
  private mutating func makeFile(_ bytes: [UInt8]) throws -> String {
    let hash = Hexadecimal.text(Blob(bytes: Array(rows.uuid.utf8) + bytes).sha256)
    let names = stride(from: 0, to: hash.count - 6, by: 6).map { offset in
      "Temporary/SMSyncServer.\(hash.dropFirst(offset).prefix(6)).dat"
    }
    let files = place.surroundings.files
    guard
      let path = names.first(where: { name in
        (try? files.place(name)).map { FileStatus(path: $0) == nil } == true && place.made[name] == nil
      })
    else { throw Refusal(FileConflict.content, "there is no place for its file in Temporary") }
    place.make(bytes, at: path)
    draftFile = StoredChange(
      file: .app, table: QueuePlan.fileTable, key: ["path": .text(path)], before: nil,
      after: ["content": .blob(Blob(bytes: bytes))])
    return path
  }

  /// What stands for a file, among the tables.
  static let fileTable = "a file"
}

/// Rows that go.
extension QueuePlan {
  private mutating func removeUploads(_ uploads: [FileRows.Upload]) throws {
    for upload in uploads {
      try removeBlocks(.uploadBlock, "ZUPLOAD", upload.key)
      try rowChanges.remove(.uploadOperation, upload.key)
    }
    for queue in uploads.compactMap(\.queue).unique { try removeQueueIfEmpty(queue) }
  }

  /// A queue that is committed ends with its last file; the one that is being prepared stays.
  private mutating func removeQueueIfEmpty(_ queue: Int64) throws {
    guard place.reader.places[queue] == .committed else { return }
    let model = place.reader.model
    let kinds: [Value] = [.integer(model[.uploadFile]), .integer(model[.uploadDeletion])]
    let isUsed = try place.db.hasRow(
      "SELECT 1 FROM ZSMUPLOADOPERATION WHERE ZQUEUE = ? AND Z_ENT IN (?, ?) LIMIT 1",
      [.integer(queue)] + kinds)
    if isUsed { return }
    for wrapup in try keys("SELECT Z_PK FROM ZSMUPLOADOPERATION WHERE ZQUEUE = ? ORDER BY Z_PK", queue) {
      try rowChanges.remove(.uploadOperation, wrapup)
    }
    try rowChanges.remove(.uploadQueue, queue)
  }

  /// Where it was the last of its round, nothing of the round is left.
  private mutating func removeDownload(_ download: FileRows.Download) throws {
    try removeBlocks(.downloadBlock, "ZDOWNLOAD", download.key)
    try rowChanges.remove(.downloadOperation, download.key)
    let startup = place.reader.model[.downloadStartup]
    if try place.db.hasRow("SELECT 1 FROM ZSMDOWNLOADOPERATION WHERE Z_ENT <> ? LIMIT 1", [.integer(startup)])
    {
      return
    }
    for key in try keys("SELECT Z_PK FROM ZSMDOWNLOADOPERATION WHERE Z_ENT = ? ORDER BY Z_PK", startup) {
      try rowChanges.remove(.downloadOperation, key)
    }
  }

  private mutating func removeBlocks(_ root: SyncModel.Entity, _ column: String, _ owner: Int64) throws {
    for key in try keys("SELECT Z_PK FROM \(root.table) WHERE \(column) = ? ORDER BY Z_PK", owner) {
      try rowChanges.remove(root, key)
    }
  }

  private func keys(_ sql: String, _ value: Int64) throws -> [Int64] {
    try place.db.rows(sql, [.integer(value)]) { $0.integer(0) }
  }
}
