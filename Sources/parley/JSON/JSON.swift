import ExactJSON
import Merging
import StoreInterface
import Telling
import Terminal

/// Where a record stands between being listed and being written.
enum RecordStage: String {
  /// Something is undecided.
  case open
  /// All is decided, nothing is written.
  case ready
  /// All is decided, and the store refused the draft.
  case refused
  /// Its draft is in the app's outbox, and not applied yet.
  case waiting
  /// Told by `write` alone: a written record is no longer in conflict, and `list` does not have it.
  case written
  /// Told by `write` alone: something of it may be written, and only the store can tell what it is now.
  case unknown

  init(_ summary: ConflictSummary) {
    if summary.waitingSince != nil {
      self = .waiting
    } else if summary.refusal != nil {
      self = .refused
    } else {
      self = summary.isReady ? .ready : .open
    }
  }
}

extension JSON {
  /// A line of `parley list --json`. OUTPUT.md tells of every member.
  init(_ summary: ConflictSummary, _ privacy: Privacy = .open, state: RecordStage? = nil) {
    self = JSON(members: [
      "id": .string(summary.id), "table": .string(summary.table), "primaryKey": .string(summary.primaryKey),
      "title": .string(summary.title), "kind": .string(summary.kind.rawValue),
      "certainty": .string(summary.certainty.name), "fields": JSON(summary.counts),
      "receivedAt": JSON(summary.receivedAt.map { TimeText.seconds($0) }),
      "state": .string((state ?? RecordStage(summary)).rawValue),
      "undecided": JSON(summary.undecided), "why": .string(privacy.why(summary)),
      "lastEdit": JSON(summary.lastEdit?.rawValue), "lastEditTime": JSON(summary.lastEditTime),
      "lastEditDevice": JSON(summary.lastEditDevice.map(privacy.shown)),
      "notWritable": JSON(summary.notWritable), "outdated": JSON(summary.outdated),
      "moved": .bool(summary.isMoved),
    ]).adding(JSON(summary.refusal, privacy))
  }

  /// The last member of a line about a record of which the store refused the draft.
  init(_ refusal: DraftRefusal?, _ privacy: Privacy) {
    let told = refusal.map {
      JSON(members: [
        "field": JSON($0.field.map(privacy.scripted)), "detail": .string(privacy.shown($0.reason)),
      ])
    }
    self = JSON(members: told.map { ["refusal": $0] } ?? [:])
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

/// JSON as it is printed: what hides in a text, or turns the writing direction, is escaped, so that a value can do no harm to a
/// terminal.
extension JSON {
  var text: String { String(decoding: bytes(escaping: DisplayText.hides), as: UTF8.self) }

  func forEachPiece<Failure>(_ body: @escaping ([UInt8]) throws(Failure) -> Void) throws(Failure) {
    try forEachPiece(escaping: DisplayText.hides, body)
  }
}
