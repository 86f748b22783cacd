import ExactJSON
import Merging
import Simulation
import StoreInterface
import Telling

extension JSON {
  /// A line of `parley show --json`. OUTPUT.md tells of every member.
  ///
  /// - Parameter foretells: whether the library itself would do something with the record today.
  init(_ decided: DecidedConflict, foretells: Bool, _ privacy: Privacy = .open) {
    let (conflict, summary) = (decided.conflict, privacy.told(decided.summary))
    let today = foretells ? TodaysRules.recordOutcome(of: conflict) : nil
    var fingerprints = Fingerprints(conflict)
    self = JSON(nameOf: conflict, summary, privacy)
      .adding(
        JSON(members: ["fields": JSON(fieldsOf: decided, foretells: foretells, &fingerprints, privacy)])
      )
      .adding(JSON(stateOf: conflict, summary, privacy))
      .adding(
        JSON(members: [
          "versions": JSON(versionsOf: conflict, privacy),
          "record": JSON(
            wholeOf: conflict, decision: decided.resolution.finished[.record], today: today, privacy),
        ])
      )
      .adding(JSON(remarksOn: conflict, privacy))
      .adding(JSON(leavesOf: decided, privacy))
      .adding(JSON(decisionsOf: decided, seen: fingerprints.ofDecision(about: .record), privacy))
      .adding(JSON(summary.refusal, privacy))
  }

  private init(nameOf conflict: RecordConflict, _ summary: ConflictSummary, _ privacy: Privacy) {
    let details = conflict.details
    self = JSON(members: [
      "id": .string(summary.id), "kind": .string(conflict.kind.rawValue), "table": .string(conflict.table),
      "primaryKey": .string(summary.primaryKey), "ancestorTag": JSON(details.ancestorTag.map(privacy.shown)),
      "serverTag": JSON(details.serverTag.map(privacy.shown)),
    ])
  }

  private init(
    fieldsOf decided: DecidedConflict, foretells: Bool, _ fingerprints: inout Fingerprints, _ privacy: Privacy
  ) {
    let conflict = decided.conflict
    let choices = conflict.spelledOut(decided.resolution.finished)
    let today = foretells ? TodaysRules.outcome(of: conflict) : [:]
    self = .array(
      conflict.fields.map { field in
        let subject = Subject.field(field.name)
        return JSON(
          field, decision: choices[subject], today: today[field.name],
          fingerprints.ofDecision(about: subject), privacy
        ).adding(JSON(merged: conflict.details.mergedRow?[field.name], privacy))
          .adding(JSON(furtherOf: field, in: conflict, privacy))
      })
  }

  /// What further leaves changed; nothing of a record with two.
  private init(furtherOf field: FieldConflict, in conflict: RecordConflict, _ privacy: Privacy) {
    let further = conflict.leafColumns == nil ? nil : conflict.furtherValues(of: field)
    let told = further?.map { further in
      JSON(members: [
        "value": JSON(further.value, privacy),
        "leaves": .array(further.leaves.map { .string(privacy.shown($0.id)) }),
      ])
    }
    self = JSON(members: told.map { ["furtherLeaves": .array($0)] } ?? [:])
  }

  private init(stateOf conflict: RecordConflict, _ summary: ConflictSummary, _ privacy: Privacy) {
    let details = conflict.details
    self = JSON(members: [
      "title": .string(summary.title), "certainty": .string(summary.certainty.name),
      "state": .string(RecordStage(summary).rawValue),
      "receivedAt": JSON(details.receivedAt.map { TimeText.seconds($0) }),
      "serverDevice": JSON(details.serverDevice.map(privacy.shown)),
    ])
  }

  private init(remarksOn conflict: RecordConflict, _ privacy: Privacy) {
    let details = conflict.details
    self = JSON(members: [
      "notes": .array(privacy.notes(of: conflict).map(JSON.string)), "notWritable": JSON(details.notWritable),
      "ancestorNotChoosable": JSON(details.ancestorNotChoosable), "waitingSince": JSON(details.waitingSince),
    ])
  }

  /// Also what can be made of the whole record beside taking one of them.
  private init(leavesOf decided: DecidedConflict, _ privacy: Privacy) {
    let (conflict, losses) = (decided.conflict, Losses(decided.conflict))
    let winner = conflict.liveLeaves.first?.id
    self = JSON(members: [
      "leaves": .array(
        conflict.details.leaves.map {
          JSON(members: [
            "id": .string(privacy.shown($0.id)), "deleted": .bool($0.isDeleted),
            "winner": .bool($0.id == winner),
          ])
        }),
      "alternatives": .array(conflict.offeredAlternatives.map { JSON($0, losses, in: decided, privacy) }),
    ])
  }

  /// What was decided and holds no longer, and by what a decision about the record is known to have seen it.
  private init(decisionsOf decided: DecidedConflict, seen: Fingerprint, _ privacy: Privacy) {
    self = JSON(members: [
      "outdated": .array(
        decided.outdated.map {
          JSON(members: [
            "subject": .string(privacy.scripted($0.subject.name)), "decidedAt": .integer($0.decidedAt),
          ])
        }), "moved": .bool(decided.isMoved),
      "fingerprint": .string(privacy.told(seen).stored),
    ])
  }

  /// What each side has of the record: `{"is":"present"}`, `{"is":"deleted","time":…}`, `{"is":"absent"}` or
  /// `{"is":"unknown","reason":"…"}`. The ancestor is absent where it was never kept.
  private init(versionsOf conflict: RecordConflict, _ privacy: Privacy) {
    self = .object(
      Side.allCases.map { side in
        (side.rawValue, JSON(conflict.version(side)) { privacy.told($0, of: conflict) })
      })
  }

  private init(_ version: RecordVersion, told: (_ reason: String) -> String) {
    switch version {
    case .present: self = JSON(members: ["is": .string("present")])
    case .deleted(let time): self = JSON(members: ["is": .string("deleted"), "time": JSON(time)])
    case .absent: self = JSON(members: ["is": .string("absent")])
    case .unknown(let reason):
      self = JSON(members: ["is": .string("unknown"), "reason": .string(told(reason))])
    }
  }

  private init(_ alternative: Alternative, _ losses: Losses, in decided: DecidedConflict, _ privacy: Privacy)
  {
    let choice = decided.conflict.choice(ofAlternative: alternative.id)
    self = JSON(members: [
      "name": .string(privacy.name(alternative, in: decided.conflict)),
      "says": .string(privacy.words(alternative)),
      "loses": .string(privacy.words(losses.of(alternative))),
      "suggested": .bool(decided.conflict.wholeSuggestion == choice),
      "newRecords": JSON(alternative.newRecords, privacy),
      "chosen": .bool(decided.resolution[.record] == choice),
    ])
  }

  private init(
    wholeOf conflict: RecordConflict, decision: Choice?, today: TodaysOutcome?, _ privacy: Privacy
  ) {
    guard let reason = conflict.wholeReason else {
      self = .null
      return
    }
    self = JSON(members: [
      "suggestion": JSON(conflict.wholeSuggestion?.side?.rawValue), "reason": .string(reason.description),
      "decision": JSON(decision.map { privacy.name($0) }), "today": today.map { JSON($0) } ?? .null,
    ])
  }

  private init(
    _ field: FieldConflict, decision: Choice?, today: TodaysOutcome?, _ fingerprint: Fingerprint,
    _ privacy: Privacy
  ) {
    self = JSON(members: [
      "name": .string(privacy.scripted(field.name)),
      "change": .string(field.change.rawValue),
      "certainty": JSON(field.suggestion.certainty?.name), "ancestor": JSON(field.ancestor, privacy),
      "client": JSON(field.client, privacy), "server": JSON(field.server, privacy),
      "suggestion": JSON(field, suggestedFor: privacy),
      "decision": decision.map { JSON(draft: field.draft($0), privacy) } ?? .null,
      "type": .string(field.field.kind.rawValue), "writable": .bool(field.field.isWritable),
      "today": today.map { JSON($0) } ?? .null, "fingerprint": .string(privacy.told(fingerprint).stored),
    ])
  }

  /// What the app's engine has made of it already; nothing where it has not.
  private init(merged value: Value?, _ privacy: Privacy) {
    self = JSON(members: value.map { ["merged": JSON($0, privacy)] } ?? [:])
  }

  private init(_ version: FieldVersion<Value>?, _ privacy: Privacy) {
    guard let version else {
      self = .null
      return
    }
    self = JSON(members: ["value": JSON(version.value, privacy), "time": JSON(version.time)])
  }

  /// That there is none is no secret.
  private init(_ value: Value, _ privacy: Privacy) {
    self = privacy.hides && value != .null ? .string(privacy.line(value)) : JSON(value)
  }

  private init(_ outcome: TodaysOutcome) {
    self = JSON(members: [
      "kept": .string(outcome.kept.rawValue), "reason": .string(outcome.reason),
      "differs": .bool(outcome.differs),
    ])
  }

  private init(_ field: FieldConflict, suggestedFor privacy: Privacy) {
    let suggestion = field.suggestion
    self = JSON(members: [
      "source": JSON(suggestion.source?.rawValue),
      "value": field.isOpenWithoutSuggestion ? .null : JSON(suggestion.value, privacy),
      "reason": .string(suggestion.reason.words()),
    ])
  }

  private init(draft: FieldDraft, _ privacy: Privacy) {
    self = JSON(members: ["source": JSON(draft.source?.rawValue), "value": JSON(draft.value, privacy)])
  }

  /// A line of `parley resolve --json`, and of both dry runs. OUTPUT.md tells of every member.
  init(draftOf decided: DecidedConflict, newly subjects: [Subject], areForgotten: Bool = false) {
    let conflict = decided.conflict
    self = JSON(members: [
      "id": .string(conflict.id), "table": .string(conflict.table),
      "primaryKey": .string(conflict.primaryKey), "title": .string(conflict.title),
      "state": .string(RecordStage(decided.summary).rawValue),
      areForgotten ? "forgotten" : "decided": .array(subjects.map { .string($0.name) }),
      "undecided": .array(decided.undecided.map { .string($0.name) }),
      "draft": decided.draft.map { JSON($0, conflict) } ?? .null,
      "givenUp": JSON(givenUp: decided.givenUp, .open),
    ]).adding(JSON(dropped: decided.dropped)).adding(JSON(decided.refusal, .open))
  }

  /// Why there is no draft though nothing is undecided.
  private init(dropped subjects: [Subject]) {
    self = JSON(members: subjects.isEmpty ? [:] : ["dropped": .array(subjects.map { .string($0.name) })])
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
      "value": JSON(field.value), "source": JSON(field.source?.rawValue),
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

  /// The same with what else is to be known, where there is something.
  init(_ checked: CheckedWrite, fine: String) {
    self = JSON(checked.outcome, fine: fine)
    if let note = checked.note { self = adding(JSON(members: ["note": .string(note)])) }
    if let upload = checked.foreseen { self = adding(JSON(members: ["upload": .string(upload.rawValue)])) }
  }

  /// A line of `parley write --json`: the summary, and what became of it. Told is what the store says now, and nothing that it said before.
  init(_ summary: ConflictSummary, state: RecordStage, after outcome: CheckedWrite, fine: String) {
    var summary = summary
    summary.refusal = outcome.outcome.refusal
    self = JSON(summary, state: state).adding(JSON(outcome, fine: fine))
  }

  /// A line of `parley write --dry-run --json`: the summary, what would become of it, and the draft.
  init(rehearsed decided: DecidedConflict, _ outcome: CheckedWrite) {
    let state: RecordStage = outcome.outcome.refusal == nil ? .ready : .refused
    self = JSON(decided.summary, state: state, after: outcome, fine: "wouldWrite")
      .adding(
        JSON(members: [
          "draft": JSON(draftOf: decided, newly: []).member("draft") ?? .null,
          "givenUp": JSON(givenUp: decided.givenUp, .open),
        ]))
  }

  /// A line of `parley undo --json` without `--yes`: `"outcome":"wouldUndo"`, moved or refused, and what would come back, which is nothing
  /// of a record that is left alone.
  init(_ undo: CheckedUndo) {
    let record = JSON(members: ["id": .string(undo.checked.id), "title": .string(undo.checked.title)])
    let changes = undo.checked.outcome == .fine ? undo.changes : WrittenChanges()
    let fields = changes.fields.map {
      JSON(members: [
        "name": .string($0.name), "before": $0.after.map { JSON($0) } ?? .null,
        "value": $0.before.map { JSON($0) } ?? .null,
      ]).adding(JSON(besideIn: $0, .open))
    }
    self = record.adding(JSON(undo.checked, fine: "wouldUndo"))
      .adding(JSON(members: ["fields": .array(fields), "deletes": JSON(changes.newRecords, .open)]))
  }

  /// A line of `parley log --json`. Where an interrupted write was left alone, also
  /// `"left":[{"name":"title","before":…,"after":…}],"takenUp":false`. What nobody knows, as the journal is damaged there, is null.
  ///
  /// - Parameters:
  ///   - entry: as a report tells it.
  ///   - isOfHistory: tells what was changed, and whether that was taken back.
  ///   - givesUp: tells what was given up.
  init(
    _ entry: JournalEntry, isOfHistory: Bool = false, givesUp: Bool = false, _ privacy: Privacy = .open
  ) {
    self = JSON(members: [
      "time": .integer(entry.time), "kind": .string(entry.kind.rawValue),
      "record": .string(entry.record), "text": .string(entry.text(privacy)),
      "note": JSON(entry.note.map(privacy.shown)),
    ])
    if entry.kind == .decision { self = adding(JSON(members: ["outdated": .bool(entry.isOvertaken)])) }
    if let left = entry.left {
      let fields = JSON(left.fields, privacy).known(of: entry)
      self = adding(JSON(members: ["left": fields, "takenUp": .bool(left.isTakenUp)]))
    }
    if isOfHistory { self = adding(JSON(historyOf: entry, privacy)) }
    if let damage = entry.changes.damage { self = adding(JSON(members: ["damage": .string(damage)])) }
    if givesUp {
      let all = entry.givenUp.map { JSON(givenUp: $0, privacy) }
      self = adding(JSON(members: ["givenUp": all ?? .null]))
    }
  }

  private init(historyOf entry: JournalEntry, _ privacy: Privacy) {
    let changes = entry.changes
    self = JSON(members: [
      "changes": JSON(changes.fields, privacy).known(of: entry),
      "newRecords": JSON(changes.newRecords, privacy).known(of: entry),
      "deletedRecords": JSON(changes.deletedRecords, privacy).known(of: entry),
      "undone": .bool(entry.isUndone),
    ])
  }

  /// The same; null where the journal is damaged, so that nobody knows it.
  private func known(of entry: JournalEntry) -> JSON { entry.changes.damage == nil ? self : .null }

  private init(givenUp all: [GivenUp], _ privacy: Privacy) { self = .array(all.map { JSON($0, privacy) }) }

  private init(_ givenUp: GivenUp, _ privacy: Privacy) {
    self = JSON(members: [
      "side": JSON(givenUp.side?.rawValue), "leaf": givenUp.leaf.map { .integer(Int64($0)) } ?? .null,
    ])
    if let party = givenUp.party { self = adding(JSON(members: ["of": .string(party)])) }
    self = adding(JSON(whatOf: givenUp, privacy))
  }

  private init(whatOf givenUp: GivenUp, _ privacy: Privacy) {
    switch givenUp.what {
    case .edit(let field, let value):
      self = JSON(members: [
        "field": .string(privacy.scripted(field)), "kept": .bool(value != nil),
        "value": value.map { JSON($0, privacy) } ?? .null,
      ])
    case .change(let field, let part):
      let texts = [part.old, part.new].map { $0.map { JSON(.text($0), privacy) } ?? .null }
      self = JSON(members: [
        "field": .string(privacy.scripted(field)), "kept": .bool(true),
        "key": JSON(privacy.key(of: part)), "was": texts[0], "value": texts[1],
      ])
    case .more(let field, let count):
      self = JSON(members: [
        "field": .string(privacy.scripted(field)), "kept": .bool(false), "value": .null,
        "more": .integer(Int64(count)),
      ])
    case .deletion, .record, .unknown, .other:
      self = JSON(members: ["field": .null, "what": .string(givenUp.words(privacy))])
    }
  }

  private init(_ records: [String], _ privacy: Privacy) {
    self = .array(records.map { .string(privacy.shown($0)) })
  }

  /// What a write changed, or a finding shows; null of what was not there, or would not be.
  init(_ changes: [LastWrite.FieldChange], _ privacy: Privacy) {
    self = .array(
      changes.map { field in
        JSON(members: [
          "name": .string(privacy.scripted(field.name)),
          "before": field.before.map { JSON($0, privacy) } ?? .null,
          "after": field.after.map { JSON($0, privacy) } ?? .null,
        ]).adding(JSON(besideIn: field, privacy))
      })
  }

  /// `"table":"counters"` of what was changed beside the record; of its own fields nothing.
  private init(besideIn field: LastWrite.FieldChange, _ privacy: Privacy) {
    self = JSON(members: field.isBeside ? ["table": .string(privacy.scripted(field.table ?? ""))] : [:])
  }
}

extension Privacy {
  /// A field's name as scripts have it.
  func scripted(_ field: String) -> String { hides ? name(field) : field }
}
