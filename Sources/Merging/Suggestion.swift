/// The side of a version.
public enum Side: String, Sendable, CaseIterable {
  case ancestor, client, server
}

/// Where the value of a draft comes from.
public enum Source: String, Sendable, CaseIterable {
  case client, server
  /// Client and server agree.
  case both
  case ancestor
  /// A person typed it.
  case edited
  /// A policy computed it from several versions.
  case merged
}

/// How sure a suggestion is; the raw value orders them from weak to strong.
public enum Certainty: Int, Sendable, CaseIterable, Comparable {
  /// `!` equal times, or almost, overlap, deletion against edit, no ancestor: a person decides.
  case yours
  /// `^` both changed, the times decide.
  case byClock
  /// `~` one side changed, or both agree.
  case sure

  public static func < (left: Certainty, right: Certainty) -> Bool { left.rawValue < right.rawValue }
}

/// What a policy would write into a field, how sure it is, and why.
public struct Suggestion<Value: Sendable>: Sendable {
  /// What would be written into the field.
  public var value: Value
  /// nil for an unchanged field, where nothing is decided; and for one that a person decides without a suggestion.
  public var source: Source?
  /// nil for an unchanged field.
  public var certainty: Certainty?
  /// Why it is suggested; a fact, of which the screen makes words.
  public var reason: Reason

  /// A suggestion as a policy gives it; `source` and `certainty` are nil where nothing is decided.
  public init(_ value: Value, source: Source?, certainty: Certainty?, reason: Reason) {
    (self.value, self.source, self.certainty, self.reason) = (value, source, certainty, reason)
  }
}

extension Suggestion {
  /// Whether a policy has decided between edits of both sides, so that nobody is asked.
  public var isByPolicy: Bool { Self.isByPolicy(certainty, reason) }

  static func isByPolicy(_ certainty: Certainty?, _ reason: Reason) -> Bool {
    if case .policy = reason { certainty == .sure } else { false }
  }
}

extension Suggestion: Equatable where Value: Equatable {}

/// Why a suggestion was made. Facts; the words are in `Reason+Words.swift`.
public enum Reason: Sendable, Hashable {
  case unchanged
  case onlyChanged(Side)
  case agree
  /// Nanoseconds between the two edits.
  case newer(Side, by: Int64)
  /// This side's edit carries the later time, by less than the clocks may be apart. All in nanoseconds.
  case withinMargin(Side, client: Int64, server: Int64, margin: Int64)
  /// Both edits carry this time; the tie rule names a side.
  case sameTime(Int64?, tieRule: Side)
  /// Only this side's time is known.
  case onlyTimeKnown(Side)
  case noAncestor(newer: Side?)
  /// The same where only this side's time is known, so that nobody knows which is the newer.
  case noAncestorTimeOf(Side)
  case policy(String)
  /// The policy cannot work on these values.
  case policyNotApplicable(String)
  /// Both sides changed the same words, in this many places.
  case overlap(places: Int)
  /// The suggested blob is on the other side; only its hash is here.
  case notAtHand(Side)
  /// The newer edit's time lies in the future: a clock was wrong.
  case timeAhead(Side)
  /// The suggested value is of another type than the field's.
  case wrongType(expected: Field.Kind)
  /// NULL would be suggested, and the field must have a value.
  case required
  /// The suggested key points to a record that is not here, and the store would refuse it.
  case pointsNowhere
  /// A version that is not known cannot be compared.
  case notKnown(Side)
  /// A live leaf beside those that have a say is not known, and may have changed the field, too.
  case leafNotKnown
  case deletedAgainstEdit(deleted: Side)
  /// The record is gone since its versions were kept, and nobody knows which side has deleted it.
  case goneSince
  /// The other side has no record of it: it never had one, or has forgotten it with its deletion.
  case onlyOn(Side)
  /// More leaves than two had a say: so many of them.
  case folded(leaves: Int, LeafEdits)
}

/// What the leaves that had a say have done to a field.
public enum LeafEdits: String, Sendable {
  /// All changed the ancestor's value to the same one.
  case agree
  /// They changed the ancestor's value, not all alike.
  case changed
  /// There is no ancestor.
  case differ
}
