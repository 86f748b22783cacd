import KeyedArchives
import Merging
import SQLiteFiles

@testable import SQLiteDataStores

extension ArchivedRecord {
  func fields(of shape: TableShape?) -> RecordVersion.Fields {
    RecordFields(self, shape, otherTimes: nil).fields
  }

  /// The names of the app's own fields, with or without a value.
  func fieldNames() -> Set<String> { RecordFields(self, nil, otherTimes: nil).unknown }
}
