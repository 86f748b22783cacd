import ExactJSON
import Merging
import StoreInterface

extension JSON {
  /// One line of `parley doctor --json`. `mend` says what `--mend` would do; null if it can do nothing.
  init(_ finding: Finding) {
    self.init(members: [
      "finding": .string(finding.id), "what": .string(finding.what), "table": .string(finding.table),
      "record": .string(finding.record), "title": .string(finding.title),
      "evidence": .string(finding.evidence),
      "cause": .string(finding.cause), "remedy": .string(finding.remedy), "mend": JSON(finding.canBeMended),
      "related": .array(finding.related.map { .string($0) }), "time": JSON(finding.time),
    ])
  }

  /// The last line of `parley doctor --json`.
  init(_ queue: UploadQueue) {
    self.init(members: [
      "queue": .array(queue.parts.map { JSON($0) }), "count": JSON(queue.count),
      "waiting": .array(queue.waiting.map { JSON($0) }),
    ])
  }

  private init(_ part: UploadQueue.Part) {
    self.init(members: [
      "part": .string(part.name), "bytes": JSON(part.bytes), "saves": JSON(part.saves),
      "deletions": JSON(part.deletions), "inFlight": JSON(part.inFlight), "unreadable": JSON(part.unreadable),
      "zoneChanges": JSON(part.zoneChanges), "mustFetch": part.mustFetch.map { .bool($0) } ?? .null,
      "problem": JSON(part.problem),
    ])
  }

  private init(_ waiting: UploadQueue.Waiting) {
    self.init(members: [
      "table": .string(waiting.table), "record": .string(waiting.record),
      "action": .string(waiting.isDeletion ? "delete" : "save"), "part": .string(waiting.part),
      "since": JSON(waiting.since),
    ])
  }
}
