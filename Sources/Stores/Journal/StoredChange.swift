import Merging

/// One row of a store as it was before a write and as it is after. Everything a write consists of is told by these, so
/// checking, undoing and mending an interrupted write are the same few lines.
struct StoredChange: Sendable, Equatable {
  enum File: String, Sendable, CaseIterable {
    case app, metadata
    /// An import that is kept in the journal: nothing is written there, the receipt says it all.
    case journal
  }

  let file: File
  let table: String
  /// The columns that name the row, and their values.
  let key: RowImage
  /// All columns but the generated ones; nil: no row.
  var before: RowImage?
  var after: RowImage?

  var reversed: StoredChange {
    StoredChange(file: file, table: table, key: key, before: after, after: before)
  }

  var changesNothing: Bool { before == after }
}

extension StoredChange {
  /// Whether it is about a record of the app, and not about what engines and Parley keep of it.
  var isOfTheRow: Bool { file == .app && !ParleyTables.written.contains(table) }

  /// What it changes, column by column.
  var fields: [LastWrite.FieldChange] {
    let names = Set((before ?? [:]).keys).union((after ?? [:]).keys).sorted()
    return names.filter { before?[$0] != after?[$0] }.map {
      LastWrite.FieldChange(name: $0, before: before?[$0], after: after?[$0])
    }
  }
}

extension StoredChange {
  static let imports = "imports"

  /// A write settles an import: it leaves the inbox once there is a receipt, and is back once there is one of the undo.
  static func settling(import id: Int64) -> StoredChange {
    let key: RowImage = ["id": .integer(id)]
    return StoredChange(file: .journal, table: imports, key: key, before: key, after: nil)
  }

  static func bringingIn(import id: Int64) -> StoredChange { settling(import: id).reversed }
}

/// What a write changes for one record.
struct RecordChanges: Sendable, Equatable {
  let record: String
  let title: String
  var changes: [StoredChange]
}

/// A write, an undo or an import as the journal keeps it. What it changes is read record by record, as all of it together
/// may be more than fits into memory.
struct Intent: Sendable, Equatable {
  enum Act: String, Sendable {
    case write
    /// Server records came into the inbox.
    case `import`
  }

  struct Record: Sendable, Equatable {
    let id: String
    let title: String
    /// Whether it was interrupted, and had to be left as it was found.
    var isLeft = false
  }

  let id: Int64
  let act: Act
  /// The intent that this one takes back; nil for all others.
  let undoes: Int64?
  /// Nanoseconds since 1970.
  let startedAt: Int64
  let note: String?
  /// In the order in which they were written.
  var records: [Record]
}

/// What became of one record of an intent.
struct Receipt: Sendable, Equatable {
  enum Outcome: String, Sendable {
    case written
    /// Found half done after a crash, and completed.
    case completed
    /// Found not done or half done after a crash, and taken back.
    case rolledBack
    /// Somebody else changed the record meanwhile; it was left alone.
    case left
  }

  let record: String
  let outcome: Outcome
  let detail: String?

  init(_ record: String, _ outcome: Outcome, detail: String? = nil) {
    self.record = record
    self.outcome = outcome
    self.detail = detail
  }
}
