import Merging
import SQLiteFiles
import StoreInterface

/// One row of a store as it was before a write and as it is after. Everything a write consists of is told by these, so
/// checking, undoing and mending an interrupted write are the same few lines.
package struct StoredChange: Sendable, Equatable {
  package enum File: String, Sendable, CaseIterable {
    case app, metadata
    /// An import that is kept in the journal: nothing is written there, the receipt says it all.
    case journal
  }

  package let file: File
  package let table: String
  /// The columns that name the row, and their values.
  package let key: RowImage
  /// All columns but the generated ones; nil: no row.
  package var before: RowImage?
  package var after: RowImage?

  package init(file: File, table: String, key: RowImage, before: RowImage? = nil, after: RowImage? = nil) {
    self.file = file
    self.table = table
    self.key = key
    self.before = before
    self.after = after
  }

  package var reversed: StoredChange {
    StoredChange(file: file, table: table, key: key, before: after, after: before)
  }

  package var changesNothing: Bool { before == after }
}

extension StoredChange {
  /// Whether it is about a record of the app, and not about what engines and Parley keep of it.
  package var isOfTheRow: Bool { file == .app && !table.hasPrefix("parley_") }

  /// What it changes, column by column.
  package var fields: [LastWrite.FieldChange] {
    let names = Set((before ?? [:]).keys).union((after ?? [:]).keys).sorted()
    return names.filter { before?[$0] != after?[$0] }.map {
      LastWrite.FieldChange(name: $0, before: before?[$0], after: after?[$0])
    }
  }
}

extension StoredChange {
  /// The columns that the change is about.
  package var drafted: [String] {
    guard let after else { return [] }
    return after.keys.filter { before == nil || before?[$0] != after[$0] }.sorted()
  }
}

extension StoredChange {
  package static let imports = "imports"

  /// A write settles an import: it leaves the inbox once there is a receipt, and is back once there is one of the undo.
  package static func settling(import id: Int64) -> StoredChange {
    let key: RowImage = ["id": .integer(id)]
    return StoredChange(file: .journal, table: imports, key: key, before: key, after: nil)
  }

  package static func bringingIn(import id: Int64) -> StoredChange { settling(import: id).reversed }
}

/// What a write changes for one record.
package struct RecordChanges: Sendable, Equatable {
  package let record: String
  package let title: String
  package var changes: [StoredChange]

  package init(record: String, title: String, changes: [StoredChange]) {
    self.record = record
    self.title = title
    self.changes = changes
  }
}

/// A write, an undo or an import as the journal keeps it. What it changes is read record by record, as all of it together
/// may be more than fits into memory.
package struct Intent: Sendable, Equatable {
  package enum Act: String, Sendable {
    case write
    /// Server records came into the inbox.
    case `import`
  }

  package struct Record: Sendable, Equatable {
    package let id: String
    package let title: String
    /// Whether it was interrupted, and had to be left as it was found.
    package var isLeft = false
  }

  package let id: Int64
  package let act: Act
  /// The intent that this one takes back; nil for all others.
  package let undoes: Int64?
  /// Nanoseconds since 1970.
  package let startedAt: Int64
  package let note: String?
  /// In the order in which they were written.
  package var records: [Record]
}

/// What became of one record of an intent.
package struct Receipt: Sendable, Equatable {
  package enum Outcome: String, Sendable {
    case written
    /// Found half done after a crash, and completed.
    case completed
    /// Found not done or half done after a crash, and taken back.
    case rolledBack
    /// Somebody else changed the record meanwhile; it was left alone.
    case left
  }

  package let record: String
  package let outcome: Outcome
  package let detail: String?

  package init(_ record: String, _ outcome: Outcome, detail: String? = nil) {
    self.record = record
    self.outcome = outcome
    self.detail = detail
  }
}

extension FinishedWrite {
  package init(_ intent: Intent, _ receipts: [Receipt]) {
    let titles = Dictionary(intent.records.map { ($0.id, $0.title) }) { first, _ in first }
    self.init(
      isUndo: intent.undoes != nil,
      records: receipts.map {
        Record(
          id: $0.record, title: titles[$0.record] ?? $0.record, outcome: Outcome($0.outcome),
          detail: $0.detail)
      })
  }
}

extension FinishedWrite.Outcome {
  fileprivate init(_ outcome: Receipt.Outcome) {
    switch outcome {
    case .written, .completed: self = .completed
    case .rolledBack: self = .rolledBack
    case .left: self = .left
    }
  }
}
