import Merging
import RowJournals
import SQLiteFiles
import StoreInterface

extension WriteSession {
  /// Refuses to overwrite half of a surrogate pair. Texts are read and bound in UTF-8, which has none, so an undo would write another
  /// text. In a database in UTF-8 each text is bound by the bytes that it has.
  ///
  /// SQLite's functions take and give texts in UTF-8, too: what one of them copies is what an undo would write.
  func checkTexts(_ change: StoredChange, _ shape: TableShape) throws {
    if encoding == "UTF-8" || change.before == nil { return }
    let (condition, key) = shape.condition(change.key)
    for name in change.fields.map(\.name) where shape[name] != nil {
      let column = quoted(name)
      let sql = """
        SELECT 1 FROM \(shape.sqlName) WHERE \(condition) AND typeof(\(column)) = 'text'
        AND CAST(\(column) AS BLOB) IS NOT CAST(replace(\(column), 'a', 'a') AS BLOB)
        """
      if try db.hasRow(sql, key) {
        throw Refusal(name, "its text is broken UTF-16, which an undo could not write again")
      }
    }
  }
}
