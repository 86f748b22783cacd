/// What a decision is about: a field, or the record as a whole where one side deleted it.
public enum Subject: Sendable, Hashable {
  case record
  case field(String)

  /// nil for the record as a whole.
  package var fieldName: String? { if case .field(let name) = self { name } else { nil } }
}

/// One decision.
public enum Choice: Sendable, Hashable {
  case take(Side)
  /// A value a person typed.
  case edit(Value)
  /// A value a policy computed, accepted by a person.
  case merged(Value)
  /// The record as a whole in one of the ways that its store gives by name.
  case alternative(Alternative.ID)
  /// A field put together of its parts. It decides nothing before every part is decided.
  case parts(PartChoices)
}

extension Choice {
  /// What was put together of a field that is not decided yet; nil for a choice that decides.
  public var unfinished: PartChoices? {
    if case .parts(let parts) = self, parts.value == nil { parts } else { nil }
  }
}

/// The decisions taken so far for one conflict. A value: undo is keeping the old one.
public struct Resolution: Sendable, Equatable {
  /// The decisions, each by what it is about.
  public private(set) var choices: [Subject: Choice]

  /// The decisions as somebody kept them; none at first.
  public init(choices: [Subject: Choice] = [:]) { self.choices = choices }

  /// Whether nothing was decided.
  public var isEmpty: Bool { choices.isEmpty }

  /// What was decided about it; nil if nothing was.
  public subscript(subject: Subject) -> Choice? { choices[subject] }

  /// Who decides a field decides field by field from then on.
  public mutating func decide(_ subject: Subject, _ choice: Choice?) {
    choices[subject] = choice
    if subject != .record, choice != nil, case .alternative? = choices[.record] { choices[.record] = nil }
  }

  /// The same without fields that are put together by half.
  public var finished: Resolution { Resolution(choices: choices.filter { $0.value.unfinished == nil }) }

  /// Those that count: where the record is decided as a whole, what was decided of its fields before does not.
  package var inForce: Resolution { choices[.record].map { Resolution(choices: [.record: $0]) } ?? self }

  /// The subjects whose choice differs from `other`'s.
  public func difference(from other: Resolution) -> Set<Subject> {
    Set(choices.keys).union(other.choices.keys).filter { choices[$0] != other.choices[$0] }
  }
}

extension RecordConflict {
  /// The resolution that accepts every open suggestion of at least this certainty. What cannot be taken stays open.
  public func accepting(_ least: Certainty, in resolution: Resolution) -> Resolution {
    if alternative(in: resolution) != nil { return resolution }
    var resolution = resolution
    for subject in subjects where resolution[subject] == nil {
      if let choice = suggestedChoice(for: subject, least: least), refusal(of: choice, for: subject) == nil {
        resolution.decide(subject, choice)
      }
    }
    return resolution
  }

  private func suggestedChoice(for subject: Subject, least: Certainty) -> Choice? {
    switch subject {
    case .record: least == .yours ? wholeSuggestion : nil
    case .field(let name): self[name].flatMap { $0.suggestedChoice(least: least) }
    }
  }

  /// The resolution that takes one side for everything that can be taken from it.
  public func taking(_ side: Side, in resolution: Resolution) -> Resolution {
    var resolution = resolution
    for subject in subjects where refusal(of: .take(side), for: subject) == nil {
      resolution.decide(subject, .take(side))
    }
    return resolution
  }

  /// What has still to be decided: the subjects without a choice, and anything whose choice is refused by now, such as
  /// NULL in a column that has become NOT NULL since.
  public func undecided(in resolution: Resolution) -> [Subject] {
    if details.waitingSince != nil || takesAlternative(resolution) { return [] }
    if isWhole { return subjects.filter { !isAllowed(resolution[$0], for: $0) } }
    if resolution.isEmpty { return subjects }
    let fields = fields
    return fields.declared.indices.compactMap { undecided(at: $0, of: fields, in: resolution) }
  }

  /// The field at a place, if it has still to be decided. Looked at where it lies: this is asked of every field of every record.
  private func undecided(
    at place: Int, of fields: FieldConflicts, in resolution: Resolution
  ) -> Subject? {
    guard fields.declared[place].isWritable else { return nil }
    let subject = Subject.field(fields.declared[place].name)
    guard let choice = resolution[subject] else {
      return fields.changed.contains(place) && !isAgreedOn(place, of: fields) ? subject : nil
    }
    return refusal(of: choice, at: place) == nil ? nil : subject
  }

  /// Whether all sides have the same, and nobody can know whether any has changed it: by an ancestor it may be nothing to decide, and who
  /// has decided the rest need not come back once that cannot be read any more.
  private func isAgreedOn(_ place: Int, of fields: FieldConflicts) -> Bool {
    guard version(.ancestor).isUnknown else { return false }
    return fields.look(at: place) { $0.pointee.change == .same && $0.pointee.certainty == .sure }
  }

  private func takesAlternative(_ resolution: Resolution) -> Bool {
    alternative(in: resolution) != nil && isAllowed(resolution[.record], for: .record)
  }

  private func isAllowed(_ choice: Choice?, for subject: Subject) -> Bool {
    choice.map { refusal(of: $0, for: subject) == nil } ?? false
  }

  /// Whether nothing is left to decide. So it is while an earlier draft waits for the app, although no other is made of it then.
  public func isReady(_ resolution: Resolution) -> Bool { undecided(in: resolution).isEmpty }
}

extension FieldConflict {
  /// Whether a person decides it, and nothing is suggested.
  package var isOpenWithoutSuggestion: Bool { suggestion.certainty == .yours && suggestion.source == nil }

  /// The value that taking `side` gives, with its bytes where an equal version has them.
  public func value(takenFrom side: Side) -> Value? {
    guard let value = version(side)?.value else { return nil }
    guard !value.isAtHand else { return value }
    let sides = [client?.value, server?.value, ancestor?.value].compactMap(\.self)
    return sides.first { $0 == value && $0.isAtHand } ?? value
  }

  /// The choice that takes what is suggested; nil where that is less certain.
  package func suggestedChoice(least: Certainty) -> Choice? {
    guard let certainty = suggestion.certainty, certainty >= least else { return nil }
    return suggestion.source?.choice(of: suggestion.value)
  }
}
