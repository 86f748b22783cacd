/// What a side has done to a record, and one decision leaves out: writing it gives that up.
package struct GivenUp: Sendable, Hashable {
  /// How many bytes of a value a journal keeps: of a longer blob the hash, of anything else that it was there.
  package static let longestKept = 64 << 10

  package enum What: Sendable, Hashable {
    /// The value is nil where nobody has it any more.
    case edit(field: String, Value?)
    /// One change of an edit, of which others are kept.
    case change(field: String, LostPart)
    /// So many more changes of an edit than anybody reads.
    case more(field: String, Int)
    case deletion
    /// A record in which no field is known to be edited.
    case record
    /// Of a side of which nobody knows what it has.
    case unknown
    /// What only the store knows to be lost, in its words.
    case other(String)
  }

  /// nil of what only the store knows.
  package var side: Side?
  /// Whose it is of a side that has more than one: "the earlier upload"; nil for the side itself.
  package var party: String?
  /// The number of the leaf, in a record with more leaves than two.
  package var leaf: Int?
  package var what: What
  /// What the record is called that the value points to, where it does.
  package var title: String?
  /// Of a text that reads like something else: the kind of the field that may hold that, too.
  package var kind = Field.Kind.text

  package init(_ side: Side?, leaf: Int? = nil, party: String? = nil, _ what: What) {
    (self.side, self.leaf, self.party, self.what) = (side, leaf, party, what)
  }
}

extension GivenUp {
  package init(_ edit: LostEdit) {
    let more = edit.more.map { What.more(field: edit.field, $0) }
    let change = edit.part.map { What.change(field: edit.field, $0) }
    self.init(edit.side, leaf: edit.leaf, more ?? change ?? .edit(field: edit.field, edit.value))
  }
}

extension GivenUp {
  /// How many changes it only counts; nil of what tells one.
  package var more: Int? { if case .more(_, let count) = what { count } else { nil } }
}

extension [GivenUp] {
  /// How many they are, with those that are only counted.
  package var countOfAll: Int { reduce(0) { $0 + ($1.more ?? 1) } }
}

extension RecordConflict {
  /// What is given up by one decision: of a field that is decided by itself its ``LostEdit``s, of a record as a whole what its
  /// alternative tells to lose, with the values.
  package func givenUp(by choice: Choice, for subject: Subject) -> [GivenUp] {
    let taken = subject.fieldName.flatMap { self[$0] }?.draft(choice).value
    return lost(by: choice, for: subject).map { lost in
      guard case .edit(let field, let value?) = lost.what else { return lost }
      var told = lost
      told.title = details.references[field]?[value]
      if value.isTextLikeAnother { told.kind = self[field]?.kind(beside: taken) ?? .text }
      return told
    }
  }

  private func lost(by choice: Choice, for subject: Subject) -> [GivenUp] {
    switch (subject, choice) {
    case (.field(let name), _):
      guard let field = self[name], choice.unfinished == nil else { return [] }
      let draft = field.draft(choice)
      return edits(lostBy: draft, of: choice).map(GivenUp.init) + ownLosses(making: draft).map(GivenUp.init)
    case (.record, .take(let side)): return givenUp(takingWholeFrom: side)
    case (.record, .alternative), (.record, .edit):
      let alternative = alternative(in: Resolution(choices: [.record: choice]))
      return alternative.map { Losses(self).givenUp(by: $0) } ?? []
    case (.record, .merged), (.record, .parts): return []
    }
  }

  /// What only a file's store knows to be lost.
  private func ownLosses(making draft: FieldDraft) -> [Alternative.Loss] {
    guard details.file != nil else { return [] }
    return alternative(making: draft)?.ownLosses ?? details.ownValue?.ownLosses ?? []
  }

  /// What becomes of a file is more than what its text will be: its store tells what each answer gives up.
  private func givenUp(takingWholeFrom side: Side) -> [GivenUp] {
    if details.file != nil, let answer = alternative(side.rawValue) {
      return Losses(self).givenUp(by: answer)
    }
    let other: Side = side == .client ? .server : .client
    switch version(other) {
    case .deleted: return version(side).isPresent ? [GivenUp(other, .deletion)] : []
    case .absent: return []
    case .unknown: return [GivenUp(other, .unknown)]
    case .present(let values):
      let edited = fields.filter { $0.change != .unchanged && $0.field.isWritable }
      let edits = edited.map { GivenUp(other, .edit(field: $0.name, values[$0.name]?.value)) }
      return edits.isEmpty ? [GivenUp(other, .record)] : edits
    }
  }
}

extension FieldConflict {
  /// By which a text of it is told: its kind, and where a field of texts alone is to hold something else, any.
  package func kind(beside taken: Value?) -> Field.Kind {
    let type = taken.flatMap { JSONType($0) } ?? .text
    return field.kind == .text && type != .text ? .any : field.kind
  }
}
