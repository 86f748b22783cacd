import GRDB
import Journals
import KeyedArchives
import Merging
import SQLiteFiles
import StoreInterface

/// Everything the files say about one record that came in, and the conflict it makes.
struct RecordState: Sendable {
  let name: RecordName
  let inbox: InboxRow
  /// nil if the app database has no such table.
  let shape: TableShape?
  /// The stored columns of the row as it is now; nil if there is none.
  let row: RowImage?
  let metadata: MetadataRow?
  let server: ArchivedVersion?
  /// The metadata's ancestor, if it was read for the conflict.
  let ancestor: ArchivedVersion?
  var conflict: RecordConflict
  /// The rows of the app's inbox that the conflict is made of.
  let madeOf: [Int64]
  /// Those of other conflicts of the same record, which are decided after this one.
  var later: Set<Int64> = []
  /// Whether what came in was decided already, and written.
  let isSettled: Bool

  /// Whether anything is left to decide. A record of which only the change tag is new differs in no field.
  var isConflict: Bool { conflict.hasSubjects && !isGoneOnBothSides && !isOneSided && !isSettled }

  /// Triggers cannot read archives, so they keep some records that are no conflict: a deletion of a row without an edit,
  /// and a record in which nothing moved since the ancestor.
  private var isOneSided: Bool {
    guard inbox.isCaptured, conflict.versions.ancestor?.isPresent == true else { return false }
    let fields = conflict.fields
    switch (conflict.versions.client, conflict.versions.server) {
    case (.present, .deleted):
      // Of a column that was not captured nobody knows: triggers may be older than it.
      return fields.allSatisfy { !$0.field.isWritable || $0.client?.value == $0.ancestor?.value ?? .null }
    case (.present, .present):
      // Of the record that came back after its deletion the engine made the row: the client's edit is in the inbox alone.
      // So is it where the record is gone.
      return !inbox.isDeleted && !conflict.details.isGoneSince
        && fields.toDecide.allSatisfy { fields.look(at: $0) { $0.pointee.change == .onlyClient } }
    case (.present, .absent), (.present, .unknown), (.deleted, _), (.absent, _), (.unknown, _): return false
    }
  }

  private var isGoneOnBothSides: Bool {
    switch (conflict.versions.client, conflict.versions.server) {
    case (.deleted, .deleted), (.absent, .deleted), (.deleted, .absent), (.absent, .absent): true
    case (.present, _), (.unknown, _), (_, .present), (_, .unknown): false
    }
  }
}

/// A record's row and metadata, and what is made of its ancestor's archive.
struct SeenRecord {
  let name: RecordName
  let metadata: MetadataRow
  /// With generated columns; nil if there is none.
  let row: RowImage?
  let ancestor: ArchivedVersion?
}

/// Reads records with the tables' shapes and the rules at hand.
struct RecordReader {
  let db: Database
  let tables: TableShapes
  let rules: MergeRules
  let journal: Journal
  /// Of which records of all that are read the journal has anything; nil where nobody has asked it.
  var names: JournalNames?

  /// The rows of all records that are read, where they are known beforehand; nil also if the app has no inbox.
  var inbox: InboxLookup?
  /// What was read of a record already, of which others ask next.
  var seen: SeenRecord?
  /// nil: nobody asks which records are decided to come back.
  var comingBack: ComingBack? = ComingBack()
  let queuedDeletions = QueuedDeletions()

  /// - Parameters:
  ///   - server: what `inbox` holds, if that was read already.
  ///   - earlier: the rows of the record before this one, newest first, where they are known.
  func state(
    of inbox: InboxRow, server: ArchivedVersion? = nil, earlier known: [InboxRow]? = nil
  ) throws -> RecordState {
    let name = RecordName(inbox.recordName) ?? RecordName(primaryKey: inbox.recordName, table: "")
    let shape = try tables.shape(of: name.table, in: db)
    let seen = seen?.name == name ? seen : nil
    let metadata = try seen.map(\.metadata) ?? MetadataRow.of(name, in: db)
    let outbox = try hasOutbox() ? OutboxRow.all(of: inbox.recordName, in: db) : []
    let decisions = try EarlierDecisions(
      about: inbox, outbox: outbox, journal: journal, names: names)
    let before = try inbox.isCaptured ? known ?? self.before(inbox) : nil
    let earlier = (before ?? []).filter(\.isCaptured).prefix { !decisions.settle($0) }
    let row = try seen.map(\.row) ?? shape?.row(of: name, in: db)
    let isForgotten = row == nil && metadata == nil && inbox.isCaptured && !inbox.isDeleted
    let agreed = row == nil ? metadata : try asAgreed(metadata, after: inbox)
    let versions = Versions(
      inbox: inbox, earlier: Array(earlier), shape: shape, row: inbox.asRecorded(row, agreed, shape),
      metadata: agreed, server: server, known: seen?.ancestor,
      isDeletionQueued: try isForgotten && queuedDeletions.contains(inbox.recordName, in: db),
      isGivenUp: try metadata?.isWithoutRecord == true && !decisions.hasDeleted && givenUp(inbox) != nil)
    // An import may stand for what came in before.
    let cameBefore = decisions.hasImport ? nil : before
    return RecordState(
      name: name, inbox: inbox, shape: shape, row: row.flatMap { shape?.withoutGenerated($0) },
      metadata: metadata, server: versions.serverArchive, ancestor: versions.metadataArchive,
      conflict: try conflict(name, versions, shape, outbox.last, after: cameBefore),
      madeOf: versions.madeOf, isSettled: decisions.settle(inbox))
  }

  /// The last that the server confirmed of the row, where the engine gave up a save of it, and knows its record no more; else nil. What notes
  /// that forgets it with the row: so it is the one of before, and none that was made anew.
  private func givenUp(_ inbox: InboxRow) throws -> [UInt8]? {
    guard inbox.isCaptured, try db.hasTable(ParleyTables.sendingName) else { return nil }
    let sql = "SELECT ancestorRecord FROM main.parley_sending WHERE recordName = ?"
    return try db.firstRow(sql, [.text(inbox.recordName)]) { $0.optionalBytes(0) } ?? nil
  }

  /// The metadata with what the server had of a row that is there again after a deletion: a save that is given up makes no deletion of that,
  /// nor does one that is sent once more.
  private func asAgreed(_ metadata: MetadataRow?, after inbox: InboxRow) throws -> MetadataRow? {
    guard inbox.isDeleted, let metadata, let archive = try givenUp(inbox) else { return metadata }
    return MetadataRow(metadata, allFields: archive)
  }

  /// The row as the first edit found it that the server does not have, where triggers noted it: of one that was as the server's then.
  private func rowBeforeEdits(of inbox: InboxRow, _ shape: TableShape?) throws -> RowImage? {
    guard inbox.isCaptured, try db.hasTable(ParleyTables.unsentName) else { return nil }
    let sql = "SELECT \"row\" FROM main.parley_unsent WHERE recordName = ?"
    let json: [UInt8]? = try db.firstRow(sql, [.text(inbox.recordName)]) { $0.optionalBytes(0) } ?? nil
    return inbox.asRecorded(json.flatMap { try? InboxRow.row($0, shape) }, nil, shape)
  }

  /// The rows of the same record before a captured one, newest first; nil where they are not known.
  private func before(_ inbox: InboxRow) throws -> [InboxRow]? {
    let lookup = self.inbox ?? InboxLookup(of: CollectionOfOne(inbox.recordName), in: db)
    return try lookup.rows(before: inbox)
  }

  /// The record as it is; nil if it is not in conflict.
  func state(of id: String) throws -> RecordState? {
    guard let inbox else { return try OpenRows.first(of: Inbox(db: db, journal: journal).rows(of: id), self) }
    let imported = names?.isKept(id) == false ? [] : try journal.newestImport(of: id).map { [$0] } ?? []
    return try OpenRows.first(of: Inbox.merged(inbox.rows(of: id), imported), self)
  }

  /// What the record's row is called here; nil where there is none.
  func title(of recordName: String) throws -> String? {
    guard let name = RecordName(recordName), let shape = try tables.shape(of: name.table, in: db),
      let row = try shape.row(of: name, in: db)
    else { return nil }
    return RecordTitle.title(of: row, shape: shape)
  }

  func hasOutbox() throws -> Bool { try tables.shape(of: OutboxRow.table, in: db) != nil }

  private func conflict(
    _ name: RecordName, _ versions: Versions, _ shape: TableShape?, _ outbox: OutboxRow?,
    after before: [InboxRow]?
  ) throws -> RecordConflict {
    let threeWay = versions.threeWay
    var details = versions.details(isSynced: try? tables.isSynced(name.table, in: db))
    details.rowIsGone = versions.row == nil && threeWay.client.isPresent
    details.rowIsBack = versions.row != nil && !threeWay.client.isPresent
    details.ownOfRowBack = details.rowIsBack ? versions.ownOfRow : nil
    details.notes += threeWay.notesOfTimesAhead(of: rules.latestTime)
    // What was made there again since was deleted, and is permitted.
    if case .deleted = threeWay.server, versions.inbox.isOfOthers,
      !versions.inbox.isUndoneDeletion(by: versions.metadata)
    {
      details.notes.append(InboxRow.ofOthers)
    }
    // It would put an older value of the server in the place of its newest, and call that sure.
    details.withoutPolicy.formUnion(
      versions.superseded.filter { rules.rule(table: name.table, field: $0) == .server })
    if !versions.edited.isEmpty, let before = try rowBeforeEdits(of: versions.inbox, shape) {
      details.withoutPolicy.formUnion(versions.madeUponTheServers(in: before))
    }
    details.takesVersions = true
    details.cameBefore = before.map { InboxRow.marks(of: $0) }
    if let outbox, outbox.isWaiting { details.add(outbox, of: versions.inbox) }
    if let shape, !shape.foreignKeys.isEmpty {
      let parents = ParentLookup(references: References(db: db, comesBack: comesBack), tables: tables)
      details.unreferenced = try parents.unreferenced(in: threeWay, name, shape)
    }
    return RecordConflict(
      id: versions.inbox.recordName, table: name.table, primaryKey: name.primaryKey,
      title: RecordTitle.title(of: threeWay, shape: shape) ?? name.primaryKey,
      fields: shape?.fields ?? versions.fieldsWithoutTable, versions: threeWay, rules: rules,
      details: details)
  }
}

extension RecordConflict.Details {
  fileprivate mutating func add(_ waiting: OutboxRow, of inbox: InboxRow) {
    if waiting.settles(inbox) {
      waitingSince = waiting.decidedAt
    } else {
      notes.append("an older draft of it waits for the app; writing a new one replaces that")
    }
  }
}

extension InboxRow {
  /// What tells the conflicts about these from others of their record: see ``RecordConflict/Details/cameBefore``.
  fileprivate static func marks(of rows: [InboxRow]) -> CameBefore {
    let kept = rows.map { (archive: $0.serverRecord, receivedAt: $0.receivedAt) }
    return CameBefore(kept.map { InboxRow.mark($0.archive, $0.receivedAt) })
  }

  private static func mark(_ archive: [UInt8]?, _ receivedAt: Int64) -> Value {
    let tag = archive.flatMap { try? ArchivedRecord(decoding: $0) }?.changeTag
    return tag.map { .text($0) } ?? .integer(receivedAt)
  }
}

extension TableShape {
  /// The row of a record with all its columns, generated ones too; nil if there is none or its key is no single column.
  func row(of name: RecordName, in db: Database) throws -> RowImage? {
    try withRow(of: name, in: db, image)
  }

  /// What `body` makes of that row where it lies.
  func withRow<Result>(
    of name: RecordName, in db: Database, _ body: (SQLRow) throws -> Result
  ) throws -> Result? {
    guard let key = singleKey else { return nil }
    for value in keyValues(name.primaryKey, key) {
      if let result = try withRow(value, in: db, body) { return result }
    }
    return nil
  }

  /// A record's name holds the key as text. A column with an affinity converts it; without one, a number was a number. "05" is
  /// none that a column of numbers ever had: the row 5 is another record's.
  private func keyValues(_ text: String, _ key: Column) -> [Value] {
    if isOfAnother(text, key) { return [] }
    let integer = key.affinity == .none || key.affinity == .blob ? Int64(text).map { Value.integer($0) } : nil
    return [.text(text)] + (integer.map { [$0] } ?? [])
  }

  /// Whether a row with this key would be that of a record with another name.
  func isOfAnother(_ text: String, _ key: Column) -> Bool {
    guard [.integer, .numeric].contains(key.affinity),
      case .integer(let number) = Value.text(text).inNumericColumn
    else { return false }
    return String(number) != text
  }

  /// The key of a row that is inserted.
  func keyValue(_ text: String, _ key: Column) -> Value {
    switch key.affinity {
    case .integer, .numeric: Int64(text).map { .integer($0) } ?? .text(text)
    case .real, .text, .blob, .none: .text(text)
    }
  }
}
