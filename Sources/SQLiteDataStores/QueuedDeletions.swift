import GRDB
import StoreInterface

/// The deletions that wait to be sent, in the engines' own states and in the table for the next launch. Read when somebody asks for the
/// first: a state may have megabytes, and hardly any record is asked about.
final class QueuedDeletions {
  private var queues: QueuedChanges?

  /// Of a record that the app knows no more.
  func contains(_ recordName: String, in db: Database) throws -> Bool {
    let queues = try self.queues ?? QueuedChanges(in: db)
    self.queues = queues
    return queues.change(of: recordName, in: nil)?.change.kind == .delete
  }
}
