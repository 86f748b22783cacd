/// One field of a conflict: its versions, what they say, and what is suggested.
public struct FieldConflict: Sendable, Equatable {
  /// What the store knows of the field, whichever version it is looked at in.
  public let field: Field
  /// Who changed it, told by the values alone: times never count.
  public let change: Change
  /// As a version has them, and not as `FieldVersion<Value>?`: see `Slot`. The suggestion is in parts for the same reason.
  private var sides: Sides
  private var suggestedValue: Value
  private var source: Source?
  package private(set) var certainty: Certainty?
  /// Whether a leaf that cannot be read may have changed it, too: then nobody is sure of it, whatever was found of the others.
  private var isDoubtedForLeaf = false
  /// Why, as far as the leaves tell that can be read.
  private(set) var ownReason: Reason

  /// The field as each side has it.
  struct Sides: Sendable, Equatable {
    var ancestor: Slot
    var client: Slot
    var server: Slot

    typealias Slot = RecordVersion.Fields.Slot
  }

  init(_ field: Field, _ sides: Sides, _ change: Change, _ suggestion: Suggestion<Value>) {
    (self.field, self.sides, self.change) = (field, sides, change)
    (suggestedValue, source) = (suggestion.value, suggestion.source)
    (certainty, ownReason) = (suggestion.certainty, suggestion.reason)
  }
}

extension FieldConflict {
  /// As the store calls the field.
  public var name: String { field.name }

  /// The versions; nil where that side has no such field, or its version of the record is not present.
  public var ancestor: FieldVersion<Value>? { sides.ancestor.version }
  /// The client's version of it; nil where the client has no such field, or its version of the record is not present.
  public var client: FieldVersion<Value>? { sides.client.version }
  /// The server's version of it; nil where the server has no such field, or its version of the record is not present.
  public internal(set) var server: FieldVersion<Value>? {
    get { sides.server.version }
    set { sides.server = Sides.Slot(newValue) }
  }

  /// What its policy would write, how sure that is, and why; nothing is decided by it.
  public internal(set) var suggestion: Suggestion<Value> {
    get { Suggestion(suggestedValue, source: source, certainty: certainty, reason: reason) }
    set {
      (suggestedValue, source) = (newValue.value, newValue.source)
      certainty = newValue.certainty
      if newValue.reason != reason { (ownReason, isDoubtedForLeaf) = (newValue.reason, false) }
    }
  }

  package var reason: Reason { isDoubtedForLeaf ? .leafNotKnown : ownReason }

  /// What a side has; nil where it has no such field.
  package func value(_ side: Side) -> Value? { slot(side).isThere ? slot(side).value : nil }

  /// One of the three versions; nil where that side has no such field, or its version of the record is not present.
  public func version(_ side: Side) -> FieldVersion<Value>? { slot(side).version }

  /// When a side set it.
  package func time(_ side: Side) -> Int64? { slot(side).time }

  private func slot(_ side: Side) -> Sides.Slot {
    switch side {
    case .ancestor: sides.ancestor
    case .client: sides.client
    case .server: sides.server
    }
  }

  /// Whether a person has something to decide here.
  public var needsDecision: Bool { change != .unchanged && field.isWritable }

  /// See ``Suggestion/isByPolicy``.
  package var isByPolicy: Bool { Suggestion<Value>.isByPolicy(certainty, reason) }

  /// The policy that has decided between all edits, be it that a leaf which cannot be read leaves that to a person.
  var decidingPolicy: String? {
    guard certainty == .sure || isDoubtedForLeaf, case .policy(let name) = ownReason else { return nil }
    return name
  }
}

extension FieldConflict {
  /// A field of a record that client and server both have. A side that does not know the field at all (an older app's
  /// record, a column added since) did not change it.
  static func merging(_ field: Field, _ sides: Sides, policy: () -> MergePolicy<Value>) -> FieldConflict {
    let versions = sides.completed
    let change = versions.changeOfValues()
    var suggestion = MergePolicy.suggestion(for: versions, change: change, policy: policy)
    if !suggestion.value.isAtHand { suggestion = suggestion.atHand(in: versions) }
    return FieldConflict(field, sides, change, suggestion)
  }

  /// A field of a record that is decided as a whole: only what its present side changed is told.
  ///
  /// - Parameter isAncestorKnown: whether there is one, of which it may be that it does not know the field. Then nobody has set it where it
  ///   is as in all rows after the column was added.
  static func whole(_ field: Field, _ sides: Sides, isAncestorKnown: Bool, reason: Reason) -> FieldConflict {
    let present = sides.client.isThere ? sides.client : sides.server
    let before = sides.ancestor.isThere ? sides.ancestor.value : isAncestorKnown ? field.initial : nil
    let isUnchanged = !present.isThere || before == present.value
    let change: Change = isUnchanged ? .unchanged : sides.client.isThere ? .onlyClient : .onlyServer
    return FieldConflict(
      field, sides, change, Suggestion(present.value, source: nil, certainty: nil, reason: reason))
  }
}

extension FieldConflict.Sides {
  /// The versions, with the ancestor's for a side that does not know the field; and, where the ancestor does not
  /// know it either, with the other side's for both.
  fileprivate var completed: ThreeWay<FieldVersion<Value>> {
    let (ancestor, client, server) = (ancestor.version, client.version, server.version)
    if let client, let server { return ThreeWay(ancestor: ancestor, client: client, server: server) }
    let known = ancestor ?? client ?? server ?? FieldVersion(.null, time: nil)
    return ThreeWay(ancestor: known, client: client ?? known, server: server ?? known)
  }
}

extension Suggestion<Value> {
  /// The same suggestion with bytes, if an equal version has them; otherwise it is a person's to decide: bytes that are
  /// not here cannot be written.
  fileprivate func atHand(in versions: ThreeWay<FieldVersion<Value>>) -> Suggestion {
    var copy = self
    let sides = [versions.client.value, versions.server.value, versions.ancestor?.value].compactMap(\.self)
    if let known = sides.first(where: { $0 == value && $0.isAtHand }) {
      copy.value = known
    } else if certainty != nil {
      copy.certainty = .yours
      copy.reason = .notAtHand(sideWithoutBytes)
    }
    return copy
  }

  /// Bytes can lack only where a side's own value is suggested; of two equal sides the server's were the ones to come.
  private var sideWithoutBytes: Side {
    switch source {
    case .client?: .client
    case .ancestor?: .ancestor
    case .server?, .both?, .edited?, .merged?, nil: .server
    }
  }
}

extension FieldConflict {
  /// Takes the suggestion away where only a tie stands for one: neither edit has a time, and a person decides.
  mutating func leaveTie() {
    guard certainty == .yours, sides.client.time == nil, sides.server.time == nil else { return }
    source = nil
  }

  /// Leaves it to a person where the suggestion stands on something that can hardly be true: a time that lies ahead, or
  /// a value which is not of the field's type and is not here already. What the field cannot hold is not suggested at all.
  mutating func doubt(latestTime: Int64?) {
    guard let reason = reasonToDoubt(latestTime) else { return }
    (certainty, ownReason) = (.yours, reason)
    if reason == .required { source = nil }
  }

  /// The same where it points to nothing: of that there is nothing to take.
  mutating func doubt(unreferenced: Set<Value>?) {
    guard let certainty, certainty > .yours, unreferenced?.contains(suggestedValue) == true else { return }
    (self.certainty, ownReason, source) = (.yours, .pointsNowhere, nil)
  }

  /// The same where a leaf cannot be read: of what is known to have been edited that leaf may have made something else. Without an ancestor
  /// nobody knows that of what all others have alike. What was found of the others is kept: it tells whose the edits are, and what has all in it.
  mutating func doubtForUnreadLeaf() {
    guard let certainty, certainty > .yours, ancestor != nil || change == .different else { return }
    (self.certainty, isDoubtedForLeaf) = (.yours, true)
  }

  /// Leaves all that differs to a person, and suggests nothing: to take any of it makes the record again, and who deleted it is not known.
  mutating func leaveGone() {
    guard certainty != nil else { return }
    (certainty, ownReason, isDoubtedForLeaf, source) = (.yours, .goneSince, false, nil)
  }

  private func reasonToDoubt(_ latestTime: Int64?) -> Reason? {
    guard let certainty, certainty > .yours else { return nil }
    if suggestedValue == .null, field.refusal(of: .null) != nil { return .required }
    if let expected = expectedType, !sides.client.isThere || suggestedValue != sides.client.value {
      return .wrongType(expected: expected)
    }
    return reason.timeAhead(of: latestTime, sides.client.time, sides.server.time)
  }

  /// What the field takes, if the suggestion is something else. What nobody understands is shown as such anyway.
  private var expectedType: Field.Kind? {
    if case .opaque = suggestedValue { return nil }
    guard case .wrongType(_, let expected)? = field.refusal(of: suggestedValue) else { return nil }
    return expected
  }

  /// A field of a record with more leaves than two, of which client and server are the first.
  static func folding(
    _ field: Field, _ sides: Sides, _ leaves: FoldedLeaves, tie: TieRule, policy: () -> MergePolicy<Value>
  ) -> FieldConflict {
    let pair = merging(field, sides, policy: policy)
    if !leaves.hasOthers { return pair }
    var suggestion = leaves.suggestion(by: policy(), tie: tie, sides.completed)
    let (client, server) = (pair.client?.value, pair.server?.value)
    // What client and server both changed says the same of a leaf that has a value of theirs; unless each edit counts, as for a counter.
    let isOfPair = suggestion.value == pair.suggestedValue && suggestion.certainty == pair.certainty
    if isOfPair && !pair.isOneSided && !leaves.isNews(beside: [client, server]) { return pair }
    if suggestion.source != .ancestor {
      suggestion.source = .named(suggestion.value, client: client, server: server)
    }
    return FieldConflict(field, sides, .different, suggestion)
  }
}
