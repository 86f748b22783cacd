import Foundation
import GRDB
import Merging
import Synchronization

/// A read-only connection over a database and those attached to it, that leaves no file behind.
///
/// How each file is opened (tried on SQLite 3.40):
/// - Nobody holds it and its `-wal` is empty or missing: `immutable=1`. A plain read-only connection to a WAL database
///   would create `-wal` and `-shm` beside it and leave them there.
/// - Its `-wal` has content, or somebody holds it: plainly read-only, as `immutable=1` ignores the `-wal`. A `-shm` that
///   appears by this is removed again, if nobody else holds the file by then.
/// - The same where the folder cannot be written: SQLite needs a `-shm` there, so file and `-wal` are copied to a
///   private folder and read there.
///
/// Before each read the files are looked at again: what changed since is opened anew.
final class SQLiteReader: Sendable {
  /// A file and the name of its schema: "main", or the name it is attached by.
  struct File: Sendable {
    let path: String
    let schema: String
    let probe: LockProbe
  }

  private struct Open {
    let queue: DatabaseQueue
    let plans: [ReadingPlan]
  }

  private let files: [File]
  private let open = Mutex<Open?>(nil)

  /// - Parameter files: the first is the main database.
  init(files: [File]) { self.files = files }

  deinit { close() }

  func close() { open.withLock { Self.close(&$0) } }

  /// Runs `body` on one consistent state of each file.
  func read<Result: Sendable>(_ body: (Database) throws -> Result) throws -> Result {
    try open.withLock { open in
      let queue = try refresh(&open)
      return try queue.read(body)
    }
  }

  /// Closes the connection and keeps everybody from opening it again until `body` is done.
  func whileClosed(_ body: () throws -> Void) rethrows {
    try open.withLock { open in
      Self.close(&open)
      try body()
    }
  }

  private func refresh(_ open: inout Open?) throws -> DatabaseQueue {
    let states = files.map { ReadingPlan.State(path: $0.path, isHeld: $0.probe.holder() != nil) }
    if let open, open.plans.map(\.state) == states { return open.queue }
    Self.close(&open)
    let plans = try zip(files, states).map { try ReadingPlan($0, $1) }
    let queue = try DatabaseQueue(path: plans[0].uri, configuration: SQLiteReader.configuration)
    open = Open(queue: queue, plans: plans)
    try queue.inDatabase { db in
      for (file, plan) in zip(files, plans).dropFirst() {
        try db.execute(sql: "ATTACH DATABASE ? AS \(quoted(file.schema))", arguments: [plan.uri])
      }
    }
    return queue
  }

  private static func close(_ open: inout Open?) {
    guard let closing = open else { return }
    open = nil
    // A connection that cannot be closed now is closed when its last statement goes; nothing can be done about it here.
    try? closing.queue.close()
    for plan in closing.plans { plan.cleanUp() }
  }

  private static var configuration: Configuration {
    var configuration = Configuration()
    configuration.readonly = true
    configuration.busyMode = .timeout(1)
    configuration.foreignKeysEnabled = false
    return configuration
  }
}
