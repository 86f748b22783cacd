import Merging
import SQLiteFiles
import StoreInterface

/// One row of a store as it was before a write and as it is after. Everything a write consists of is told by these, so
/// checking, undoing and mending an interrupted write are the same few lines.
package struct StoredChange: Sendable, Equatable {
  package enum File: String, Sendable, CaseIterable {
    case app, metadata
    /// What is kept in the journal: nothing is written there, the receipt says it all.
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
  package static let kept = "kept"

  /// A write settles what is kept in the journal: it goes once there is a receipt, and is back once there is one of the undo.
  package static func settling(kept id: Int64) -> StoredChange {
    let key: RowImage = ["id": .integer(id)]
    return StoredChange(file: .journal, table: kept, key: key, before: key, after: nil)
  }
}
