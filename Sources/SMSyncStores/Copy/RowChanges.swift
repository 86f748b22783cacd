import GRDB
import Merging
import RowJournals
import SQLiteFiles
import StoreInterface

/// Rows of a copy's store that are changed, each as soon as it is named, and kept for the journal.
struct RowChanges {
  private let place: FilePlace
  private(set) var all: [StoredChange] = []

  init(_ place: FilePlace) { self.place = place }

  /// Core Data counts in each row how often it was changed.
  mutating func update(_ root: SyncModel.Entity, _ key: Int64, _ values: RowImage) throws {
    try apply(root, key) { before in
      var after = before.merging(values) { _, new in new }
      if case .integer(let count)? = before["Z_OPT"] { after["Z_OPT"] = .integer(count &+ 1) }
      return after
    }
  }

  mutating func remove(_ root: SyncModel.Entity, _ key: Int64) throws { try apply(root, key) { _ in nil } }

  private mutating func apply(
    _ root: SyncModel.Entity, _ key: Int64, _ change: (RowImage) -> RowImage?
  ) throws {
    let row: RowImage = ["Z_PK": .integer(key)]
    guard let shape = place.reader.model.table(root),
      let before = try shape.row(row, columns: shape.stored, in: place.db)
    else { throw Refusal(nil, "a row of \(root.table) is not there any more") }
    let stored = StoredChange(file: .app, table: shape.name, key: row, before: before, after: change(before))
    try stored.apply(shape, in: place.db)
    all.append(stored)
  }
}
