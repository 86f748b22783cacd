/// What a side has done to a record, and one decision leaves out: writing it gives that up.
package struct GivenUp: Sendable, Hashable {
  package enum What: Sendable, Hashable {
    /// The value is nil where nobody has it any more.
    case edit(field: String, Value?)
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

  package init(_ side: Side?, leaf: Int? = nil, party: String? = nil, _ what: What) {
    (self.side, self.leaf, self.party, self.what) = (side, leaf, party, what)
  }
}

extension RecordConflict {
  /// What is given up by one decision: of a field that is decided by itself its ``LostEdit``s, of a record as a whole what its
  /// alternative tells to lose, with the values.
  package func givenUp(by choice: Choice, for subject: Subject) -> [GivenUp] {
    switch (subject, choice) {
    case (.field(let name), _):
      guard let field = self[name], choice.unfinished == nil else { return [] }
      let draft = field.draft(choice)
      return edits(lostBy: draft, of: choice).map {
        GivenUp($0.side, leaf: $0.leaf, .edit(field: $0.field, $0.value))
      } + ownLosses(making: draft).map(GivenUp.init)
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
    case .deleted, .absent: return version(side).isPresent ? [GivenUp(other, .deletion)] : []
    case .unknown: return [GivenUp(other, .unknown)]
    case .present(let values):
      let edited = fields.filter { $0.change != .unchanged && $0.field.isWritable }
      let edits = edited.map { GivenUp(other, .edit(field: $0.name, values[$0.name]?.value)) }
      return edits.isEmpty ? [GivenUp(other, .record)] : edits
    }
  }
}
