import Merging

/// What a store says to a value that somebody types for a field.
package enum ValueVerdict: Sendable, Equatable {
  /// The write would take it.
  case fits
  /// The write would take it, and the app can likely not read it.
  case odd(String)
  /// The write would refuse it.
  case refused(String)
  /// Only the write can tell.
  case notKnown(String)
}

extension ConflictStore {
  /// What the store says to a choice about a record: to the value that it would get, in the draft which that would be part of.
  package func verdict(
    on choice: Choice, for subject: Subject, of decided: DecidedConflict
  ) throws -> ValueVerdict {
    let conflict = decided.conflict
    guard let field = conflict.field(ofValueFor: subject), conflict.refusal(of: choice, for: subject) == nil,
      let value = conflict.newValue(by: choice, for: subject)
    else { return .fits }
    let draft = conflict.draft(typing: value, for: field, in: decided.resolution)
    return try judge(field, in: PlannedWrite(seen: conflict, draft: draft))
  }
}

extension PlannedWrite {
  /// The keys of a document have no type; but who reads it may count on what they had so far.
  package func verdictByType(of field: String) -> ValueVerdict {
    let change = draft[field].flatMap { seen.typeChange(of: field, to: $0) }
    return change.map { .odd($0) } ?? .fits
  }
}

extension RecordConflict {
  /// What the store has not by the choice; nil for what is there, for a way to decide the whole record, which its store judges when it
  /// gives it, and for what is not put together to its end.
  fileprivate func newValue(by choice: Choice, for subject: Subject) -> Value? {
    switch (choice, subject) {
    case (.edit(let value), _), (.merged(let value), _): value
    case (.parts(let parts), _): parts.value
    case (.take(.client), _), (.take, .record), (.alternative, _): nil
    case (.take(let side), .field(let name)): self[name]?.version(side)?.value
    }
  }
}

extension RecordConflict {
  /// The draft as it stands with `value` in a field, whatever is undecided: then what is suggested.
  package func draft(typing value: Value, for field: String, in resolution: Resolution) -> Draft {
    var resolution = resolution
    resolution.decide(subject(ofValueFor: field), .edit(value))
    if isWhole { return draft(resolution) ?? Draft(id: id, action: .save([])) }
    let fields = fields.filter(\.field.isWritable).map { $0.draft(resolution[.field($0.name)]) }
    return Draft(id: id, action: .save(fields))
  }
}
