import Foundation
import GRDB
import Journals
import Merging
import RowJournals
import SQLiteFiles
import StoreInterface

/// What a write changes, and its way back.
extension FilePlace {
  /// What stands for the outbox, among the tables.
  static let outboxTable = "the outbox"

  /// - Throws: ``Refusal``
  func carryOut(_ decision: FileDecision, _ file: FileConflict, note: String?) throws -> [StoredChange] {
    if surroundings.isCopy {
      var plan = QueuePlan(file, self)
      try plan.carryOut(decision)
      return plan.changes
    }
    if let reason = file.conflict.details.notWritable { throw Refusal(nil, reason) }
    let entry = try OutboxFile.Entry(file, decision, surroundings.files, note: note, at: clock())
    let change = outboxChange(file.conflict.id, to: entry)
    outbox.put(entry, for: file.conflict.id)
    return [change]
  }

  private func outboxChange(_ uuid: String, to entry: OutboxFile.Entry?) -> StoredChange {
    StoredChange(
      file: .app, table: FilePlace.outboxTable, key: ["uuid": .text(uuid)],
      before: outbox[uuid].map { ["entry": .text($0.json)] }, after: entry.map { ["entry": .text($0.json)] })
  }

  /// Puts everything back as it was before, the last change first.
  ///
  /// - Parameter log: tells which write took away what does not come back with these.
  /// - Returns: what that changes.
  /// - Throws: `Moved` if something is no longer as it was left, ``Refusal``
  func takeBack(_ changes: [StoredChange], written log: Journal) throws -> [StoredChange] {
    if !surroundings.isCopy, changes.contains(where: { $0.table != FilePlace.outboxTable }) {
      throw Refusal(
        nil,
        "it was written in a copy, and this is none any more, as it was moved or changed: it is only read")
    }
    for change in changes where try current(change) != change.after {
      throw Moved("it went on since it was written")
    }
    let reversed = changes.reversed().map(\.reversed)
    for change in reversed { try apply(change) }
    try checkOwners(of: reversed, log)
    return reversed
  }

  /// What a write of another file has taken away since, with its last upload or download, is not there to come back to.
  private func checkOwners(of changes: [StoredChange], _ log: Journal) throws {
    for change in changes where change.before == nil {
      guard let owner = try missingOwner(of: change) else { continue }
      let last = try lastFile(of: owner, in: log)
      // A round may never have had a startup.
      if owner == .startup, last == nil { continue }
      let name = last.map { ", \($0.title) (\($0.id))" } ?? ""
      throw Refusal(nil, "\(owner.words)\(name); take that one back first", awaiting: last?.id)
    }
  }

  /// What a row that came back belongs to, where that is not there.
  private func missingOwner(of change: StoredChange) throws -> RowOwner? {
    switch change.table {
    case SyncModel.Entity.uploadOperation.table:
      guard let queue = change.after?["ZQUEUE"]?.number else { return nil }
      return try db.hasRow("SELECT 1 FROM ZSMUPLOADQUEUE WHERE Z_PK = ?", [.integer(queue)])
        ? nil : .queue(queue)
    case SyncModel.Entity.downloadOperation.table:
      let startup = reader.model[.downloadStartup]
      return try db.hasRow("SELECT 1 FROM ZSMDOWNLOADOPERATION WHERE Z_ENT = ?", [.integer(startup)])
        ? nil : .startup
    default: return nil
    }
  }

  private func apply(_ change: StoredChange) throws {
    switch change.table {
    case FilePlace.outboxTable:
      guard case .text(let uuid)? = change.key["uuid"] else { return }
      guard case .text(let json)? = change.after?["entry"] else { return outbox.put(nil, for: uuid) }
      guard let entry = OutboxFile.Entry(json: json) else {
        throw Refusal(nil, "what the outbox held before cannot be read")
      }
      outbox.put(entry, for: uuid)
    case QueuePlan.fileTable:
      guard case .text(let path)? = change.key["path"] else { return }
      if case .blob(let blob)? = change.after?["content"] {
        make(blob.bytes ?? [], at: path)
      } else {
        drop(path)
      }
    default: try change.apply(shape(change), in: db)
    }
  }

  private func shape(_ change: StoredChange) throws -> TableShape {
    guard let root = SyncModel.Entity.roots.first(where: { $0.table == change.table }),
      let shape = reader.model.table(root)
    else { throw Refusal(nil, "there is no table \(change.table)") }
    return shape
  }

  /// What is there now of what a change is about.
  private func current(_ change: StoredChange) throws -> RowImage? {
    switch change.table {
    case FilePlace.outboxTable:
      guard case .text(let uuid)? = change.key["uuid"] else { return nil }
      return outbox[uuid].map { ["entry": .text($0.json)] }
    case QueuePlan.fileTable:
      guard case .text(let path)? = change.key["path"] else { return nil }
      return try content(path).map { ["content": .blob(Blob(bytes: $0))] }
    default: return try change.current(shape(change), in: db)
    }
  }

  /// nil if nothing lies there.
  ///
  /// - Throws: ``Refusal`` if what lies there cannot be read: it may be somebody's, and nobody can tell that it is as it was left.
  private func content(_ path: String) throws -> [UInt8]? {
    do {
      return try surroundings.files.bytesIfThere(path)
    } catch let unreadable as UnreadableFile {
      throw Refusal(FileConflict.content, unreadable.reason)
    }
  }

  /// One transaction, or one file in the place of another: all of it is there, or nothing.
  func state(of record: RecordChanges) throws -> InterruptedWrite.State {
    // A draft's file may be there without the rows that name it: these have to tell.
    let changes = record.changes.filter { $0.table != QueuePlan.fileTable && !$0.changesNothing }
    let now = try changes.map { try current($0) }
    if zip(changes, now).allSatisfy({ $0.after == $1 }) { return .complete }
    return zip(changes, now).allSatisfy { $0.before == $1 } ? .untouched : .changedSince
  }
}

extension FilePlace {
  /// Takes away the files of drafts that no row names: of a write that was not done, or of an undo that was.
  func removeUnused(_ record: RecordChanges, _ state: InterruptedWrite.State) {
    guard surroundings.isCopy, state == .untouched || state == .complete else { return }
    for change in record.changes where change.table == QueuePlan.fileTable {
      let (stays, goes) =
        state == .complete ? (change.after, change.before) : (change.before, change.after)
      guard stays == nil, let goes, case .text(let path)? = change.key["path"],
        let place = try? surroundings.files.place(path)
      else { continue }
      unlink(place + DurableFile.suffix)
      if (try? current(change)) == goes { unlink(place) }
    }
  }
}

/// What operations of several files belong to, and goes with the last of them.
enum RowOwner: Hashable {
  /// Of uploads, by its number.
  case queue(Int64)
  /// Of a round of downloads.
  case startup

  fileprivate var words: String {
    switch self {
    case .queue: "its queue went with the last file in it"
    case .startup: "the startup of its round went with the last download in it"
    }
  }
}

extension Journal {
  /// With which file each of these went that a write took away, of all that stand.
  ///
  /// - Parameter startup: the entity number of startups.
  func lastFiles(startup: Int64) throws -> [RowOwner: RecordLabel] {
    var last: [RowOwner: RecordLabel] = [:]
    var end = Int64.max
    while let write = try newestWrite(before: end) {
      for record in write.intent.records {
        let changes = try readableChanges(of: record, in: write.intent.id).changes
        // A number may have been given again: the newest is meant.
        for owner in changes.compactMap({ $0.ownerThatWent(startup) }) where last[owner] == nil {
          last[owner] = record.label
        }
      }
      end = write.intent.id
    }
    return last
  }
}

extension StoredChange {
  fileprivate func ownerThatWent(_ startup: Int64) -> RowOwner? {
    guard after == nil else { return nil }
    switch table {
    case SyncModel.Entity.uploadQueue.table: return key["Z_PK"]?.number.map { RowOwner.queue($0) }
    case SyncModel.Entity.downloadOperation.table: return before?["Z_ENT"]?.number == startup ? .startup : nil
    default: return nil
    }
  }
}

extension PayloadReading {
  static let ofFiles = PayloadReading { kept in
    WrittenChanges(fields: try kept.changes().flatMap(\.told))
  }
}

extension StoredChange {
  /// What it changes, as a person reads it.
  fileprivate var told: [LastWrite.FieldChange] {
    switch table {
    case FilePlace.outboxTable:
      return [LastWrite.FieldChange(name: "outbox", before: decision(before), after: decision(after))]
    case QueuePlan.fileTable:
      let content = { (row: RowImage?) in row?["content"]?.bytes.map(FileContent.value) }
      return [
        LastWrite.FieldChange(name: FileConflict.content, before: content(before), after: content(after))
      ]
    default:
      guard let before, let after else {
        let row = Value.text(key["Z_PK"].map { "row \($0.number ?? 0)" } ?? "row")
        return [
          LastWrite.FieldChange(name: table, before: before.map { _ in row }, after: after.map { _ in row })
        ]
      }
      let names = after.keys.sorted().filter { $0 != "Z_OPT" && before[$0] != after[$0] }
      return names.map {
        LastWrite.FieldChange(name: "\(table).\($0)", before: before[$0], after: after[$0])
      }
    }
  }

  private func decision(_ row: RowImage?) -> Value? {
    guard case .text(let json)? = row?["entry"] else { return nil }
    return OutboxFile.Entry(json: json).map { .text($0.decision) }
  }
}

extension Value {
  fileprivate var bytes: [UInt8]? { if case .blob(let blob) = self { blob.bytes } else { nil } }
  fileprivate var number: Int64? { if case .integer(let integer) = self { integer } else { nil } }
}
