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
    guard isWhole else { return .nothingToDecide }
    guard case .take(let side) = choice, side != .ancestor else { return .sideHasNoVersion(.ancestor) }
    return version(side).isUnknown ? .sideHasNoVersion(side) : nil
  }

  private func fieldRefusal(of choice: Choice, for name: String) -> ChoiceRefusal? {
    guard let conflict = self[name] else { return .nothingToDecide }
    guard conflict.field.isWritable else { return .notWritable(name) }
    guard case .take(let side) = choice else { return typeRefusal(of: choice, conflict.field) }
    guard let value = conflict.value(takenFrom: side) else { return .sideHasNoVersion(side) }
    if side == .ancestor, value != conflict.client?.value, let reason = details.ancestorNotChoosable {
      return .ancestorNotChoosable(reason)
    }
    return value.isAtHand ? nil : .notAtHand(side)
  }

  private func typeRefusal(of choice: Choice, _ field: Field) -> ChoiceRefusal? {
    switch choice {
    case .edit(let value), .merged(let value): field.refusal(of: value)
    case .take: nil
    }
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

  public func undecided(in resolution: Resolution) -> [Subject] { subjects.filter { resolution[$0] == nil } }

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
