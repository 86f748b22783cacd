import GRDB
import KeyedArchives
import Merging
import SQLiteDataStores
import SQLiteFiles
import StoreInterface

extension StoreBuilder {
  package static let damaged = Array("not an archive".utf8)

  /// Puts a sample into all of the tables where a real store would have it.
  package func add(_ sample: Sample, _ table: SampleTable, in db: Database) throws {
    if let row = sample.clientRow, !sample.isWithoutRow { try insert(row, into: quoted(table.name), in: db) }
    let ancestor = sample.ancestorArchive(table)
    try addMetadata(sample, table, ancestor, in: db)
    if let kind = sample.pending { try addPending(kind, sample.recordName, in: db) }
    try addIncoming(sample, table, in: db)
  }

  /// What came in for a record that is in its tables already.
  package func addIncoming(_ sample: Sample, _ table: SampleTable, in db: Database) throws {
    guard let server = sample.server else { return }
    let ancestor = sample.ancestorArchive(table)?.allFields
    try addIncoming(server, sample, table, ancestor: ancestor, in: db)
  }

  package func insert(_ row: RowImage, into sqlName: String, in db: Database) throws {
    let names = row.keys.sorted()
    let list = names.map { quoted($0) }.joined(separator: ", ")
    let marks = names.map { _ in "?" }.joined(separator: ", ")
    try db.run("INSERT INTO \(sqlName) (\(list)) VALUES (\(marks))", names.map { row[$0] ?? .null })
  }

  private func addMetadata(
    _ sample: Sample, _ table: SampleTable, _ ancestor: (systemFields: [UInt8], allFields: [UInt8])?,
    in db: Database
  ) throws {
    let parent = (sample.clientRow ?? sample.row)[table.parent?.column ?? ""] ?? .null
    try insert(
      [
        "recordPrimaryKey": .text(sample.key), "recordType": .text(sample.table),
        "zoneName": .text(Metadatabase.defaultZone), "ownerName": .text(Metadatabase.defaultOwner),
        "parentRecordPrimaryKey": parent,
        "parentRecordType": parent == .null ? .null : table.parent.map { .text($0.table) } ?? .null,
        "lastKnownServerRecord": Value(ancestor?.systemFields),
        "_lastKnownServerRecordAllFields": Value(ancestor?.allFields),
        "userModificationTime": .integer(sample.clientTime ?? sample.time),
        "_isDeleted": .integer(sample.client == nil ? 1 : 0),
      ], into: Metadatabase.sqlName(Metadatabase.metadata), in: db)
  }

  package func addPending(_ kind: PendingZoneChange.Kind, _ recordName: String, in db: Database) throws {
    let change = PendingZoneChange(
      kind: kind, recordName: recordName, zoneName: Metadatabase.defaultZone,
      ownerName: Metadatabase.defaultOwner)
    try addPending(change.encoded(), in: db)
  }

  package func addPending(_ bytes: [UInt8], in db: Database) throws {
    try insert(
      [Metadatabase.pendingColumn: Value(bytes)], into: Metadatabase.sqlName(Metadatabase.pending), in: db)
  }

  package func addUnsynced(_ recordName: String, in db: Database) throws {
    try insert(
      [
        "recordName": .text(recordName), "zoneName": .text(Metadatabase.defaultZone),
        "ownerName": .text(Metadatabase.defaultOwner),
      ], into: Metadatabase.sqlName(Metadatabase.unsynced), in: db)
  }

  private func addIncoming(
    _ server: Sample.Incoming, _ sample: Sample, _ table: SampleTable, ancestor: [UInt8]?, in db: Database
  ) throws {
    let isCaptured = ["send", "fetch"].contains(sample.path)
    try insert(
      [
        "recordName": .text(sample.recordName), "zoneName": .text(Metadatabase.defaultZone),
        "ownerName": .text(Metadatabase.defaultOwner), "recordType": .text(sample.table),
        "receivedAt": .integer(sample.receivedAt), "path": .text(sample.path),
        "isDeleted": .integer(server.isDeletion ? 1 : 0),
        "serverRecord": Value(sample.serverArchive(server, table)),
        "ancestorRecord": isCaptured ? Value(ancestor) : .null,
        "clientRow": isCaptured ? sample.clientRow.map { .text(RowJSON.encode($0)) } ?? .null : .null,
      ], into: quoted(InboxRow.table), in: db)
  }
}

extension Value {
  fileprivate init(_ bytes: [UInt8]?) { self = bytes.map { .blob(Blob(bytes: $0)) } ?? .null }
}

extension Sample.Incoming {
  fileprivate var isDeletion: Bool {
    if case .deletion = self { true } else { false }
  }
}

extension Sample {
  fileprivate func ancestorArchive(_ table: SampleTable) -> (systemFields: [UInt8], allFields: [UInt8])? {
    let record = table.archive(
      of: row, key: key, time: time, tag: "a00\(key.suffix(2))", device: "Blob's Mac")
    return switch ancestor {
    case .none: nil
    case .whole: (record.encodedSystemFields(), record.encoded())
    case .systemFields: (record.encodedSystemFields(), record.encodedSystemFields())
    case .damaged: (record.encodedSystemFields(), StoreBuilder.damaged)
    }
  }

  fileprivate func serverArchive(_ server: Incoming, _ table: SampleTable) -> [UInt8]? {
    switch server {
    case .deletion: nil
    case .damaged: StoreBuilder.damaged
    case .edits(let edits):
      table.archive(
        of: row.merging(edits.mapValues(\.value)) { _, edited in edited }, key: key, time: time,
        times: edits.mapValues(\.time), tag: "c00\(key.suffix(2))", device: "Blob's iPad"
      ).encoded()
    }
  }
}
