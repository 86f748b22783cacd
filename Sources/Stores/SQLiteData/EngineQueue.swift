import GRDB
import Merging

/// The queue inside of the sync engine's own state. Not read yet: without it every record counts as not queued there.
struct EngineQueue: Sendable {
  let recordNames: Set<String> = []
  let findings: [Finding] = []
  init(in db: Database) throws {}
}
