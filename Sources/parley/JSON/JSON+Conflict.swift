import ExactJSON
import Merging
import SQLiteDataStores
import Simulation
import Telling

extension JSON {
  /// A line of `parley show --json`. OUTPUT.md tells of every member.
  ///
  /// - Parameter foretells: whether the library itself would do something with the record today.
  init(_ decided: DecidedConflict, foretells: Bool) {
    let (conflict, resolution) = (decided.conflict, decided.resolution)
    let today = foretells ? TodaysRules.outcome(of: conflict) : [:]
    let whole = foretells ? TodaysRules.recordOutcome(of: conflict) : nil
    let details = conflict.details
    self = JSON(members: [
      "id": .string(conflict.id), "kind": .string(conflict.kind.rawValue), "table": .string(conflict.table),
      "primaryKey": .string(conflict.primaryKey), "ancestorTag": JSON(details.ancestorTag),
      "serverTag": JSON(details.serverTag),
      "fields": .array(
        conflict.fields.map { JSON($0, decision: resolution[.field($0.name)], today: today[$0.name]) }),
      "title": .string(conflict.title), "certainty": .string(decided.summary.certainty.name),
      "state": .string(RecordStage(decided.summary).rawValue),
      "receivedAt": JSON(details.receivedAt.map { TimeText.seconds($0) }),
      "serverDevice": JSON(details.serverDevice), "versions": JSON(versionsOf: conflict),
      "record": JSON(wholeOf: conflict, decision: resolution[.record], today: whole),
      "notes": .array(details.notes.map(JSON.string)), "notWritable": JSON(details.notWritable),
      "ancestorNotChoosable": JSON(details.ancestorNotChoosable), "waitingSince": JSON(details.waitingSince),
      "leaves": .array(
        details.leaves.map { JSON(members: ["id": .string($0.id), "deleted": .bool($0.isDeleted)]) }),
      "alternatives": .array(details.alternatives.map { JSON($0, in: decided) }),
      "outdated": .array(
        decided.outdated.map {
          JSON(members: ["subject": .string($0.subject.name), "decidedAt": .integer($0.decidedAt)])
        }),
    ])
  }

  /// What each side has of the record: `{"is":"present"}`, `{"is":"deleted","time":…}`, `{"is":"absent"}` or
  /// `{"is":"unknown","reason":"…"}`. The ancestor is absent where it was never kept.
  private init(versionsOf conflict: RecordConflict) {
    self = .object(Side.allCases.map { ($0.rawValue, JSON(conflict.version($0))) })
  }

  private init(_ version: RecordVersion) {
    switch version {
    case .present: self = JSON(members: ["is": .string("present")])
    case .deleted(let time): self = JSON(members: ["is": .string("deleted"), "time": JSON(time)])
    case .absent: self = JSON(members: ["is": .string("absent")])
    case .unknown(let reason): self = JSON(members: ["is": .string("unknown"), "reason": .string(reason)])
    }
  }

  private init(_ alternative: Alternative, in decided: DecidedConflict) {
    let choice = decided.conflict.choice(ofAlternative: alternative.id)
    self = JSON(members: [
      "id": .string(alternative.id), "words": .string(alternative.words),
      "loses": .string(Privacy.open.words(alternative.loses)),
      "chosen": .bool(decided.resolution[.record] == choice),
    ])
  }

  private init(wholeOf conflict: RecordConflict, decision: Choice?, today: TodaysOutcome?) {
    guard let reason = conflict.wholeReason else {
      self = .null
      return
    }
    self = JSON(members: [
      "suggestion": JSON(conflict.wholeSuggestion?.side?.rawValue), "reason": .string(reason.description),
      "decision": JSON(decision?.side?.rawValue), "today": JSON(today),
    ])
  }

  private init(_ field: FieldConflict, decision: Choice?, today: TodaysOutcome?) {
    self = JSON(members: [
      "name": .string(field.name), "change": .string(field.change.rawValue),
      "certainty": JSON(field.suggestion.certainty?.name), "ancestor": JSON(field.ancestor),
      "client": JSON(field.client), "server": JSON(field.server), "suggestion": JSON(field.suggestion),
      "decision": decision.map { JSON(draft: field.draft($0)) } ?? .null,
      "type": .string(field.field.kind.rawValue), "writable": .bool(field.field.isWritable),
      "today": JSON(today),
    ])
  }

  private init(_ outcome: TodaysOutcome?) {
    guard let outcome else {
      self = .null
      return
    }
    self = JSON(members: [
      "kept": .string(outcome.kept.rawValue), "reason": .string(outcome.reason),
      "differs": .bool(outcome.differs),
    ])
  }

  private init(_ suggestion: Suggestion<Value>) {
    self = JSON(members: [
      "source": JSON(suggestion.source?.rawValue), "value": JSON(suggestion.value),
      "reason": .string(suggestion.reason.description),
    ])
  }

  private init(draft: FieldDraft) {
    self = JSON(members: ["source": JSON(draft.source?.rawValue), "value": JSON(draft.value)])
  }
}
