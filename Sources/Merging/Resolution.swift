/// What a decision is about: a field, or the record as a whole where one side deleted it.
public enum Subject: Sendable, Hashable {
  case record
  case field(String)
}

/// One decision.
public enum Choice: Sendable, Hashable {
  case take(Side)
  /// A value a person typed.
  case edit(Value)
  /// A value a policy computed, accepted by a person.
  case merged(Value)
}

/// The decisions taken so far for one conflict. A value: undo is keeping the old one.
public struct Resolution: Sendable, Equatable {
  public private(set) var choices: [Subject: Choice]

  public init(choices: [Subject: Choice] = [:]) { self.choices = choices }

  public var isEmpty: Bool { choices.isEmpty }

  public subscript(subject: Subject) -> Choice? { choices[subject] }

  public mutating func decide(_ subject: Subject, _ choice: Choice?) { choices[subject] = choice }

  /// The subjects whose choice differs from `other`'s.
  public func difference(from other: Resolution) -> Set<Subject> {
    Set(choices.keys).union(other.choices.keys).filter { choices[$0] != other.choices[$0] }
  }
}

/// Why a choice cannot be made.
public enum ChoiceRefusal: Error, Sendable, Equatable {
  case notWritable(String)
  case sideHasNoVersion(Side)
  case notAtHand(Side)
  /// See ``RecordConflict/Details-swift.struct/ancestorNotChoosable``.
  case ancestorNotChoosable(String)
  case decidedAsAWhole
  case nothingToDecide
  case wrongType(field: String, expected: String)
  case required(field: String)
}

extension RecordConflict {
  /// nil if `choice` can be taken for `subject`, otherwise why not.
  public func refusal(of choice: Choice, for subject: Subject) -> ChoiceRefusal? {
    switch subject {
    case .record: wholeRefusal(of: choice)
    case .field(let name): isWhole ? .decidedAsAWhole : fieldRefusal(of: choice, for: name)
    }
  }

  private func wholeRefusal(of choice: Choice) -> ChoiceRefusal? {
    guard !subjects.isEmpty, isWhole else { return .nothingToDecide }
    guard case .take(let side) = choice, side != .ancestor else { return .sideHasNoVersion(.ancestor) }
    if version(side).isUnknown { return .sideHasNoVersion(side) }
    let values = fields.filter(\.field.isWritable).compactMap { $0.value(takenFrom: side) }
    return values.allSatisfy(\.isAtHand) ? nil : .notAtHand(side)
  }

  private func fieldRefusal(of choice: Choice, for name: String) -> ChoiceRefusal? {
    guard let conflict = self[name] else { return .nothingToDecide }
    return conflict.refusal(of: choice, ancestorNotChoosable: details.ancestorNotChoosable)
  }

  /// The resolution that accepts every open suggestion of at least this certainty. What cannot be taken stays open.
  public func accepting(_ least: Certainty, in resolution: Resolution) -> Resolution {
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
    if isWhole { return subjects.filter { !isAllowed(resolution[$0], for: $0) } }
    let conflicts = fields.filter {
      $0.field.isWritable && ($0.needsDecision || resolution[.field($0.name)] != nil)
    }
    return conflicts.map { .field($0.name) }.filter { !isAllowed(resolution[$0], for: $0) }
  }

  private func isAllowed(_ choice: Choice?, for subject: Subject) -> Bool {
    choice.map { refusal(of: $0, for: subject) == nil } ?? false
  }

  public func isReady(_ resolution: Resolution) -> Bool { undecided(in: resolution).isEmpty }
}

extension FieldConflict {
  /// The value that taking `side` gives, with its bytes where an equal version has them.
  public func value(takenFrom side: Side) -> Value? {
    guard let value = version(side)?.value else { return nil }
    guard !value.isAtHand else { return value }
    let sides = [client?.value, server?.value, ancestor?.value].compactMap(\.self)
    return sides.first { $0 == value && $0.isAtHand } ?? value
  }

  fileprivate func refusal(of choice: Choice, ancestorNotChoosable: String?) -> ChoiceRefusal? {
    guard field.isWritable else { return .notWritable(name) }
    if let refusal = refusalOfItsValue(choice) { return refusal }
    if let ancestorNotChoosable, isBackToTheAncestor(draft(choice).value) {
      return .ancestorNotChoosable(ancestorNotChoosable)
    }
    return nil
  }

  /// A side's own value may be of any type, since its store took it. NULL is refused, since a NOT NULL column never does.
  private func refusalOfItsValue(_ choice: Choice) -> ChoiceRefusal? {
    switch choice {
    case .edit(let value), .merged(let value): return field.refusal(of: value)
    case .take(let side):
      guard let value = value(takenFrom: side) else { return .sideHasNoVersion(side) }
      if value == .null { return field.refusal(of: value) }
      return value.isAtHand ? nil : .notAtHand(side)
    }
  }

  /// Whether the ancestor's value would come back, however it was chosen. Where a side still has it, nothing comes back.
  private func isBackToTheAncestor(_ value: Value) -> Bool {
    value == ancestor?.value && value != client?.value && value != server?.value
  }

  func suggestedChoice(least: Certainty) -> Choice? {
    guard let certainty = suggestion.certainty, certainty >= least else { return nil }
    return switch suggestion.source {
    case .client?, .both?: .take(.client)
    case .server?: .take(.server)
    case .ancestor?: .take(.ancestor)
    case .merged?, .edited?: .merged(suggestion.value)
    case nil: nil
    }
  }
}

extension Field {
  /// nil if the column's type and NOT NULL allow `value`, otherwise why not. The store checks everything else.
  public func refusal(of value: Value) -> ChoiceRefusal? {
    switch (kind, value) {
    case (_, .null): isRequired ? .required(field: name) : nil
    case (.any, _), (.integer, .integer), (.real, .real), (.text, .text), (.blob, .blob): nil
    case (.integer, _), (.real, _), (.text, _), (.blob, _):
      .wrongType(field: name, expected: kind.rawValue)
    }
  }
}
