import Journals
import Merging

/// What a write changes for one record.
package struct RecordChanges: Sendable, Equatable {
  package let record: String
  package let title: String
  package var changes: [StoredChange]
  /// Why nobody may rely on what is kept of it, of which nothing is here then: ``StoreInterface/WrittenChanges/damage``.
  package var damage: String?

  package init(record: String, title: String, changes: [StoredChange]) {
    (self.record, self.title, self.changes) = (record, title, changes)
  }
}

/// The changes as the journal keeps them: file, table, key, before and after of each, with the lengths of all. Those of what is
/// kept in the journal are its marks.
extension RecordIntent {
  package static let rows = "rows"

  /// - Parameter hashing: whether of a long blob that a change leaves as it is the hash is enough, as taking back never
  ///   writes it.
  package init(_ record: RecordChanges, hashing: Bool = false) throws {
    var (bytes, parts): ([UInt8], [[UInt8]: [UInt8]]) = ([], [:])
    let hashes = BlobHashes()
    func add(_ row: EncodedRow) -> [UInt8] {
      if !row.long.isEmpty { parts.merge(row.long) { first, _ in first } }
      return row.bytes
    }
    for change in record.changes where change.file != .journal {
      let hashed = hashing ? change.unchangedLongBlobs : []
      try bytes.append(
        change.file.rawValue, change.table, key: add(EncodedRow(change.key, hashes: hashes)),
        before: change.before.map { try add(EncodedRow($0, hashed: hashed, hashes: hashes)) },
        after: change.after.map { try add(EncodedRow($0, before: change.before ?? [:], hashes: hashes)) })
    }
    self.init(
      id: record.record, title: record.title,
      payload: bytes.isEmpty ? nil : Payload(kind: RecordIntent.rows, bytes: bytes, parts: parts),
      marks: record.changes.compactMap(\.mark))
  }
}

extension [UInt8] {
  mutating func append(_ file: String, _ table: String, key: [UInt8], before: [UInt8]?, after: [UInt8]?) {
    append(counted: file.utf8)
    append(counted: table.utf8)
    append(counted: key)
    for row in [before, after] {
      append(row == nil ? 0 : 1)
      if let row { append(counted: row) }
    }
  }
}

extension StoredChange {
  /// The columns of them.
  fileprivate var unchangedLongBlobs: Set<String> {
    guard let before, let after, before != after else { return [] }
    return Set(before.filter { name, value in value.isLongBlob && after[name] == value }.keys)
  }

  fileprivate var mark: RecordIntent.Mark? {
    guard file == .journal, case .integer(let id)? = key["id"] else { return nil }
    return RecordIntent.Mark(kept: id, isIn: after != nil)
  }

  /// Only what a change leaves as it is may be there by its hash alone, and nothing of a key.
  fileprivate func checkBytes() throws {
    if key.isEmpty { throw Damage("a row without a key") }
    let lacking = [key, before ?? [:], after ?? [:]].map { row in row.filter { !$0.value.isAtHand } }
    guard lacking[0].isEmpty, lacking[1] == lacking[2] else {
      throw Damage("bytes that it needs are not there")
    }
  }
}

extension KeptIntent {
  package func changes() throws -> [StoredChange] {
    let changes = try payload.map { try RowDecoder.changes($0.bytes, long: part) } ?? []
    for change in changes { try change.checkBytes() }
    return changes
      + marks.map { $0.isIn ? StoredChange.settling(kept: $0.kept).reversed : .settling(kept: $0.kept) }
  }
}

extension WriteSteps where Changes == RecordChanges {
  package func changes(of record: Intent.Record, in intent: Int64) throws -> RecordChanges {
    try log.changes(of: record, in: intent)
  }
}

extension Journal {
  /// What an intent changes of one record.
  ///
  /// - Throws: ``Refusal``, as ``read(_:of:or:_:)``
  package func changes(of record: Intent.Record, in intent: Int64) throws -> RecordChanges {
    let changes = try read(record, of: intent, or: []) { try $0.changes() }
    return RecordChanges(record: record.id, title: record.title, changes: changes)
  }

  /// The same, for showing it: of what cannot be relied on nothing is shown but that.
  package func readableChanges(of record: Intent.Record, in intent: Int64) throws -> RecordChanges {
    let none = RecordChanges(record: record.id, title: record.title, changes: [])
    return try read(or: none) { db in
      var readable = none
      do {
        readable.changes = try KeptIntent(record, of: intent, in: db).changes()
      } catch let damage as Damage {
        readable.damage = damage.description
      }
      return readable
    }
  }
}

extension IntentWriter {
  package mutating func append(_ record: RecordChanges, hashing: Bool = false) throws {
    try append(RecordIntent(record, hashing: hashing))
  }
}
