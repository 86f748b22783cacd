import ExactJSON
import Merging
import SQLiteDataStores
import StoreInterface

extension JSON {
  /// A line of `parley resolve --json`, and of both dry runs. OUTPUT.md tells of every member.
  init(draftOf decided: DecidedConflict, newly subjects: [Subject], areForgotten: Bool = false) {
    let conflict = decided.conflict
    self = JSON(members: [
      "id": .string(conflict.id), "table": .string(conflict.table),
      "primaryKey": .string(conflict.primaryKey),
      "title": .string(conflict.title),
      "state": .string(RecordStage(decided.summary).rawValue),
      areForgotten ? "forgotten" : "decided": .array(subjects.map { .string($0.name) }),
      "undecided": .array(decided.undecided.map { .string($0.name) }),
      "draft": decided.draft.map { JSON($0, conflict) } ?? .null,
    ])
  }

  private init(_ draft: Draft, _ conflict: RecordConflict) {
    switch draft.action {
    case .delete: self = JSON(members: ["action": .string("delete"), "fields": .array([])])
    case .alternative(let id): self = JSON(members: ["action": .string(id), "fields": .array([])])
    case .save(let fields):
      self = JSON(members: [
        "action": .string("save"),
        "fields": .array(fields.map { JSON($0, before: conflict[$0.name]?.client) }),
      ])
    }
  }

  private init(_ field: FieldDraft, before: FieldVersion<Value>?) {
    self = JSON(members: [
      "name": .string(field.name), "before": before.map { JSON($0.value) } ?? .null,
      "value": JSON(field.value),
      "source": JSON(field.source?.rawValue),
    ])
  }

  /// What became of one record, the last members of a line of `write` and `undo`.
  init(_ outcome: CheckedWrite.Outcome, fine: String) {
    let word = JSON.string(outcome.word(fine: fine))
    switch outcome {
    case .fine: self = JSON(members: ["outcome": word, "field": .null, "detail": .null])
    case .moved(let detail), .notKnown(let detail), .notReached(let detail):
      self = JSON(members: ["outcome": word, "field": .null, "detail": .string(detail)])
    case .refused(let field, let detail):
      self = JSON(members: ["outcome": word, "field": JSON(field), "detail": .string(detail)])
    case .partly(let part, let detail):
      self = JSON(members: [
        "outcome": word, "field": .null, "detail": .string(detail), "part": .string(part),
      ])
    }
  }

  /// A line of `parley write --dry-run --json`: the summary, what would become of it, and the draft.
  init(rehearsed decided: DecidedConflict, _ outcome: CheckedWrite) {
    self = JSON(decided.summary, state: .ready).adding(JSON(outcome.outcome, fine: "wouldWrite"))
      .adding(JSON(members: ["draft": JSON(draftOf: decided, newly: []).member("draft") ?? .null]))
  }

  /// A line of `parley undo --json` without `--yes`: `"outcome":"wouldUndo"`, moved or refused, and what would come back.
  init(_ undo: CheckedUndo) {
    let record = JSON(members: ["id": .string(undo.checked.id), "title": .string(undo.checked.title)])
    let fields = undo.fields.map {
      JSON(members: [
        "name": .string($0.name), "before": $0.after.map { JSON($0) } ?? .null,
        "value": $0.before.map { JSON($0) } ?? .null,
      ])
    }
    self = record.adding(JSON(undo.checked.outcome, fine: "wouldUndo"))
      .adding(JSON(members: ["fields": .array(fields)]))
  }

  /// A line of `parley log --json`. Where an interrupted write was left alone, also
  /// `"left":[{"name":"title","before":…,"after":…}],"takenUp":false`.
  init(_ entry: JournalEntry) {
    self = JSON(members: [
      "time": .integer(entry.time), "kind": .string(entry.kind.rawValue), "record": .string(entry.record),
      "text": .string(entry.text), "note": JSON(entry.note),
    ])
    if let left = entry.left { self = adding(JSON(left)) }
  }

  private init(_ left: JournalEntry.Left) {
    let fields = left.fields.map { field in
      JSON(members: [
        "name": .string(field.name), "before": field.before.map { JSON($0) } ?? .null,
        "after": field.after.map { JSON($0) } ?? .null,
      ])
    }
    self = JSON(members: ["left": .array(fields), "takenUp": .bool(left.isTakenUp)])
  }
}
