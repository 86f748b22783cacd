import Journals
import Merging
import StoreInterface

extension SMSyncStore {
  /// The files for which something waits, from the highest key down: those that came last to this device come first.
  package func conflicts() -> any ConflictWalk {
    KeyWalk(log) { below, limit in
      try self.readFiles { place in
        let keys = try place.reader.keysWaitedFor(below: below, limit: limit)
        let rows = try place.reader.filesWaitedFor(below: below, limit: limit)
        return (keys, try place.conflicts(rows).map(\.conflict))
      }
    }
  }
}

extension FileReader {
  /// SQL: whether a file has a name, and no other file has it.
  static let isNamedOnce = """
    (ZUUID IS NOT NULL AND ZUUID <> '' AND NOT EXISTS (
      SELECT 1 FROM ZSMLOCALFILE AS other WHERE other.ZUUID = ZSMLOCALFILE.ZUUID AND other.Z_PK <> ZSMLOCALFILE.Z_PK))
    """
}
