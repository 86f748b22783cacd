import GRDB
import StoreInterface

/// The deletions that wait to be sent, in the engines' own states and in the table for the next launch. Read when somebody asks for the
/// first: a state may have megabytes, and hardly any record is asked about.
final class QueuedDeletions {
  private var queues: (table: PendingQueue, engine: EngineQueue)?

  func contains(_ recordName: String, in db: Database) throws -> Bool {
    let queues = try self.queues ?? (PendingQueue(in: db), EngineQueue(in: db))
    self.queues = queues
    let change = queues.table.change(of: recordName) ?? queues.engine.byRecord[recordName]?.change
    return change?.kind == .delete
  }
}
