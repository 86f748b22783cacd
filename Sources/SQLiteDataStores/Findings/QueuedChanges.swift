import GRDB
import KeyedArchives

/// All that waits to be sent, in the table for the next launch and in the engines' own states.
struct QueuedChanges: Sendable {
  let table: PendingQueue
  let engine: EngineQueue

  init(in db: Database) throws { (table, engine) = (try PendingQueue(in: db), try EngineQueue(in: db)) }

  /// What becomes of the record. What the table says counts: the engine takes it over after its own.
  ///
  /// - Parameters:
  ///   - recordName: not asked for where nothing is queued at all.
  ///   - zone: where the app has the record; nil where it knows it no more.
  func change(
    of recordName: @autoclosure () -> String, in zone: PendingZoneChange.Zone?
  ) -> InspectedRecord.Queued? {
    if table.entries.isEmpty, engine.isEmpty { return nil }
    let recordName = recordName()
    if let change = table.changes(of: recordName, in: zone).last {
      return InspectedRecord.Queued(change: change, part: PendingQueue.name, isInEngine: false)
    }
    return engine.changes(of: recordName, in: zone).last
  }
}
