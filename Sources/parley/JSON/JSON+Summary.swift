import ExactJSON
import Merging
import StoreInterface
import Telling

/// Where a record stands between being listed and being written.
enum RecordStage: String {
  /// Something is undecided.
  case open
  /// All is decided, nothing is written.
  case ready
  /// Its draft is in the app's outbox, and not applied yet.
  case waiting
  /// Told by `write` alone: a written record is in conflict no longer, and `list` does not have it.
  case written
  /// Told by `write` alone: something of it may be written, and only the store can tell what it is now.
  case unknown

  init(_ summary: ConflictSummary) {
    self = summary.waitingSince != nil ? .waiting : summary.isReady ? .ready : .open
  }
}

extension JSON {
  /// A line of `parley list --json`:
  ///
  ///     {"id":"…:reminders","table":"reminders","primaryKey":"…","title":"Call dentist","kind":"edit",
  ///      "certainty":"yours","fields":{"sure":3,"byClock":1,"yours":2},"receivedAt":"2026-11-20T13:00:02Z",
  ///      "state":"open","undecided":2,"why":"title: server newer by 5m 00s","lastEdit":"server",
  ///      "lastEditTime":1795176540000000000,"notWritable":null,"outdated":0,"moved":false}
  ///
  /// `certainty` is the weakest of what is undecided, or of all once nothing is. `lastEdit` is client or server, and
  /// null where both carry the same time or none. `notWritable` says why the record can be decided but not written.
  /// `outdated` counts the decisions that no longer hold, because what they were about has changed. `moved`: it was decided,
  /// has changed since, and has something undecided again.
  init(_ summary: ConflictSummary, state: RecordStage? = nil) {
    self = JSON(members: [
      "id": .string(summary.id), "table": .string(summary.table), "primaryKey": .string(summary.primaryKey),
      "title": .string(summary.title), "kind": .string(summary.kind.rawValue),
      "certainty": .string(summary.certainty.name), "fields": JSON(summary.counts),
      "receivedAt": JSON(summary.receivedAt.map { TimeText.seconds($0) }),
      "state": .string((state ?? RecordStage(summary)).rawValue),
      "undecided": JSON(summary.undecided), "why": .string(Privacy.open.why(summary.why)),
      "lastEdit": JSON(summary.lastEdit?.rawValue), "lastEditTime": JSON(summary.lastEditTime),
      "notWritable": JSON(summary.notWritable), "outdated": JSON(summary.outdated),
      "moved": .bool(summary.isMoved),
    ])
  }

  private init(_ counts: ConflictSummary.Counts) {
    self = JSON(members: [
      "sure": JSON(counts.sure), "byClock": JSON(counts.byClock), "yours": JSON(counts.yours),
    ])
  }

  /// The same object with more members behind its own.
  func adding(_ more: JSON) -> JSON {
    guard case .object(let members) = self, case .object(let others) = more else { return self }
    return .object(members + others)
  }

  /// The member of this name; nil if there is none, or this is no object.
  func member(_ name: String) -> JSON? {
    if case .object(let members) = self { members.first { $0.name == name }?.value } else { nil }
  }
}
