import KeyedArchives
import Merging
import SQLiteFiles

/// A row beside its ancestor, compared where both lie: of nearly all records that is all there is to find out.
///
/// A text is compared by its bytes. All else becomes a value, as it does for ``InspectedRecord``, and is compared as there.
struct AgreedRow {
  let ancestor: ArchivedRecord
  let shape: TableShape

  /// - Parameter row: of which all columns were selected.
  /// - Returns: whether the server has what the row has; false also where that cannot be told so.
  func isSeen(in row: SQLRow) -> Bool {
    guard shape.ambiguousColumn == nil, ancestor.isConfirmed, ancestor.changedKeys.isEmpty else {
      return false
    }
    let found = RecordFields.find(ancestor.values, ancestor.values.meanings(in: shape), shape.columns.count)
    var isAnyKnown = false
    for (place, column) in shape.columns.enumerated() where !column.isGenerated && found[place].isKnown {
      isAnyKnown = true
      if !agrees(found[place], column, row, Int32(place)) { return false }
    }
    return isAnyKnown
  }

  private func agrees(
    _ found: RecordFields.Found, _ column: TableShape.Column, _ row: SQLRow, _ index: Int32
  ) -> Bool {
    guard let place = found.value else { return row.isNull(index) }
    // A column of numbers may keep a number of a text.
    if column.affinity.keepsTexts,
      ancestor.values.withUTF8(at: place, { row.isText(index, of: $0) }) == true
    {
      return true
    }
    let value = ancestor.value(ancestor.values[place: place], of: column.name, shape)
    return row.value(index).isRecorded(as: column.affinity.stored(value))
  }
}
