import Journals
import Merging
import StoreInterface
import Synchronization

/// Walks the files for which something waits, from the highest key down: those that came last to this device come first.
final class FileWalk: ConflictWalk {
  private struct Position: Codable {
    var below = Int64.max
    var seen = 0
  }

  private let store: SMSyncStore
  private let reached: Mutex<Position>

  init(store: SMSyncStore, from position: WalkPosition?) {
    self.store = store
    reached = Mutex(position?.position(as: Position.self, in: store.info) ?? Position())
  }

  var position: WalkPosition { WalkPosition(of: reached.withLock(\.self), in: store.info) }

  func next(limit: Int) throws -> ConflictPage? {
    try reached.withLock { position in
      let below = position.below
      let page = try store.readFiles { place in
        let rows = try place.reader.files(
          below: below, limit: max(1, limit), where: "\(FileReader.isNamedOnce) AND \(FileReader.isWaitedFor)"
        )
        return (keys: rows.map(\.key), conflicts: try place.conflicts(rows).map(\.conflict))
      }
      guard let last = page.keys.last else { return nil }
      position.below = last
      position.seen += page.keys.count
      return ConflictPage(summaries: try store.log.summaries(of: page.conflicts), seen: position.seen)
    }
  }
}

extension FileReader {
  /// SQL: whether a file has a name, and no other file has it.
  static let isNamedOnce = """
    (ZUUID <> '' AND NOT EXISTS (
      SELECT 1 FROM ZSMLOCALFILE AS other WHERE other.ZUUID = ZSMLOCALFILE.ZUUID AND other.Z_PK <> ZSMLOCALFILE.Z_PK))
    """
}
