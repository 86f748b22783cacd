import Foundation
import GRDB
import Journals
import SQLiteFiles
import StoreInterface

/// The container in one state, with the outbox beside it: where files are looked at, and decisions carried out.
package final class FilePlace: DatabasePlace {
  let reader: FileReader
  let surroundings: FileSurroundings
  let clock: () -> Int64
  /// What belongs to each file: asked only where there is a conflict.
  private let related: (FileReader) throws -> [String: RelatedFiles]
  /// As it is, and as it will be.
  var outbox: OutboxFile
  /// Made once the intent is durable, by paths relative to Documents.
  private(set) var made: [String: [UInt8]] = [:]
  /// Taken away once the transaction is committed.
  private(set) var dropped: [String] = []
  /// What of it the record that is just being written has added.
  private var madeNow: [String] = []
  private var droppedBefore = 0
  /// Looked for once, where a queue or a startup is missed: the journal has to be read for it.
  private var lastFiles: [RowOwner: RecordLabel]?

  package var db: Database { reader.db }

  init(
    _ reader: FileReader, _ surroundings: FileSurroundings, _ outbox: OutboxFile,
    clock: @escaping () -> Int64,
    related: @escaping (FileReader) throws -> [String: RelatedFiles]
  ) {
    (self.reader, self.surroundings, self.outbox) = (reader, surroundings, outbox)
    (self.clock, self.related) = (clock, related)
  }

  func standing(_ rows: FileRows) -> FileStanding? { FileStanding(rows, surroundings.index?[rows.uuid]) }

  /// The conflicts among these files. What waits in the outbox is decided, as long as nothing moved.
  func conflicts(_ rows: [FileRows]) throws -> [FileConflict] {
    let open = rows.compactMap(standing).filter(\.isConflict)
    if open.isEmpty { return [] }
    let related = try related(reader)
    return open.map { standing in
      let uuid = standing.rows.uuid
      let entry = outbox[uuid]
      let waiting = isInOutbox(standing) ? entry : nil
      return surroundings.conflict(
        waiting.map { standing.told(by: $0) } ?? standing, related: related[uuid] ?? RelatedFiles(),
        waiting: waiting, outboxIsOld: entry != nil && waiting == nil)
    }
  }

  func conflict(_ uuid: String) throws -> FileConflict? {
    let rows = uuid.isEmpty ? [] : try reader.files(named: uuid)
    return rows.count == 1 ? try conflicts(rows).first : nil
  }

  func isInOutbox(_ standing: FileStanding) -> Bool {
    guard let entry = outbox[standing.rows.uuid], standing.overtakenBy == nil else { return false }
    return standing.news.isMeant(by: entry) && entry.seal == standing.rows.seal(surroundings.files)
  }

  /// Runs `body`, of which nothing is left if it throws. Into the outbox a record writes last, and one entry.
  func whole<Result>(_ body: () throws -> Result) throws -> Result {
    guard surroundings.isCopy else { return try body() }
    (madeNow, droppedBefore) = ([], dropped.count)
    do {
      var result: Result?
      try db.inSavepoint {
        result = try body()
        return .commit
      }
      guard let result else { throw Refusal(nil, "nothing was done") }
      return result
    } catch {
      for path in madeNow { made[path] = nil }
      dropped.removeLast(dropped.count - droppedBefore)
      throw error
    }
  }

  func make(_ bytes: [UInt8], at path: String) {
    made[path] = bytes
    madeNow.append(path)
  }

  /// The file with which that went; nil if no write that stands has taken it away.
  func lastFile(of owner: RowOwner, in log: Journal) throws -> RecordLabel? {
    let known = try lastFiles ?? log.lastFiles(startup: reader.model[.downloadStartup])
    lastFiles = known
    return known[owner]
  }

  func drop(_ path: String) { dropped.append(path) }

  /// - Throws: ``StoreError/writeFailed(path:detail:)``
  func writeMade() throws {
    for (path, bytes) in made {
      let place = try surroundings.files.draftPlace(path)
      try DurableFile.write(bytes, to: place)
      DurableFile.sync(folder: folderAndName(place).folder)
    }
  }

  func removeDropped() {
    for path in dropped { if let place = try? surroundings.files.place(path) { unlink(place) } }
  }
}

extension ContainerFiles {
  /// Where a draft's file goes, with its folder made.
  ///
  /// - Throws: ``StoreError/writeFailed(path:detail:)``
  fileprivate func draftPlace(_ path: String) throws -> String {
    do {
      let place = try place(path)
      guard PrivateFile.makeFolder(folderAndName(place).folder) else {
        throw StoreError.writeFailed(path: place, detail: "its folder cannot be made")
      }
      return place
    } catch let unreadable as UnreadableFile {
      throw StoreError.writeFailed(path: documents + "/" + path, detail: unreadable.reason)
    }
  }
}
