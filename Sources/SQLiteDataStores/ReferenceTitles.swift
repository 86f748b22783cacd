import GRDB
import Merging
import SQLiteFiles

/// The titles of the records that foreign keys point to: a person chooses between "Health" and "Family", not between two
/// keys. Looked up for one record at a time, never in a list.
struct ReferenceTitles {
  let db: Database
  let tables: TableShapes

  func adding(to state: RecordState) throws -> RecordConflict {
    var conflict = state.conflict
    for field in conflict.fields where field.change != .unchanged {
      guard let key = state.shape?.foreignKeys(of: field.name).first, key.columns.count == 1 else { continue }
      conflict.details.references[field.name] = try titles(of: field, in: key)
    }
    return conflict
  }

  private func titles(of field: FieldConflict, in key: TableShape.ForeignKey) throws -> [Value: String] {
    guard let shape = try tables.shape(of: key.table, in: db) else { return [:] }
    var titles: [Value: String] = [:]
    for side in Side.allCases {
      guard let value = field.version(side)?.value, value.reasonNotToStore == nil, value != .null,
        titles[value] == nil
      else { continue }
      titles[value] = try title(of: value, in: shape, key)
    }
    return titles
  }

  private func title(of value: Value, in shape: TableShape, _ key: TableShape.ForeignKey) throws -> String? {
    guard let column = key.parentColumns.first ?? shape.singleKey?.name,
      let row = try shape.row([column: value], columns: shape.columns, in: db)
    else { return nil }
    return RecordTitle.title(of: row, shape: shape)
  }
}
