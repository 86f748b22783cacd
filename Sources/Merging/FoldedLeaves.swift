/// What the live leaves of a record, where they are more than two, have made of one field, and what a policy makes of that.
///
/// The first leaf is the client and the second the server, as they stand in the columns, whether they have changed the field or not. An
/// edit is a value that is not the ancestor's; without an ancestor each leaf's is one. What one leaf alone has changed is taken by every
/// policy: none is asked. Of several edits, where there is an ancestor:
///
/// | policy | edits that differ | edits that are all alike |
/// |---|---|---|
/// | `latest` | the newest; where no time says which, the first, and a person decides | that value |
/// | `client` | what the first leaf has, be it the ancestor's value | that value |
/// | `server` | what the second leaf has, be it the ancestor's value | that value |
/// | `ancestor` | the ancestor's value | the ancestor's value |
/// | `counter` | the differences of all leaves from the ancestor, added to it | the same |
/// | `set` | what any leaf added, without what any took out | that value |
/// | `maximum`, `minimum` | the largest, the smallest | that value |
/// | `text` | all of them, where no two touch | that value |
/// | `keys` | all of them, key by key; of what no key tells apart, as `latest` | that value |
///
/// Without an ancestor `client`, `server`, `set`, `maximum` and `minimum` say the same, values that are all alike are taken, and everything else
/// a person decides. So does one where a policy fits not all edits, and where texts touch: then the newest is suggested. The first is, where
/// no time says which that is, the first leaf's; by the tie rule `server` the second's, the third's and so on, and the first leaf's
/// last.
///
/// A policy knows of two edits. It is asked of one after the other, with what it made of those before as the first; never whether
/// that is an edit: two edits may come to the ancestor's value, and the third has not changed the field alone by that.
///
/// A leaf that cannot be read has no say, and nothing is sure beside it: see ``Reason/leafNotKnown``.
struct FoldedLeaves {
  private struct Edit {
    /// The place of the leaf.
    let leaf: Int
    /// The place of the value in its column: edits that are alike have one.
    let place: Int
    let version: FieldVersion<Value>
  }

  /// In the order of the leaves.
  private let edits: [Edit]
  private let ancestor: FieldVersion<Value>?
  /// Why what is folded of all is suggested, where no policy has decided.
  private let reason: Reason

  init(
    of field: Field, at place: Int, _ column: LeafColumns.Column, _ leaves: [Leaf],
    ancestor: FieldVersion<Value>?
  ) {
    self.ancestor = ancestor
    // nil is no edit, nor is the ancestor's value.
    let isEdit = column.values.map { $0 != nil && (ancestor == nil || $0 != ancestor?.value) }
    edits = leaves.indices.filter { isEdit[column.place(of: $0)] }.compactMap { leaf in
      guard let fields = leaves[leaf].version.fields,
        let version = fields.place(of: field.name, guess: place).flatMap({ fields[place: $0] })
      else { return nil }
      return Edit(leaf: leaf, place: column.place(of: leaf), version: version)
    }
    reason = FoldedLeaves.reason(column, isEdit, leaves: leaves.count, hasAncestor: ancestor != nil)
  }

  /// Only leaves that changed something are counted: the same as the desk shows by their numbers.
  private static func reason(
    _ column: LeafColumns.Column, _ isEdit: [Bool], leaves: Int, hasAncestor: Bool
  ) -> Reason {
    if !hasAncestor { return .folded(leaves: leaves, .differ) }
    let edits = zip(column.counts(), isEdit).filter(\.1).map(\.0)
    let count = edits.reduce(0, +)
    return .folded(leaves: count, edits.count == 1 && count > 1 ? .agree : .changed)
  }

  /// Whether a leaf beside client and server has changed the field.
  var hasOthers: Bool { edits.last.map { $0.leaf > 1 } ?? false }

  /// Whether one of these has what neither of `sides` has.
  func isNews(beside sides: [Value?]) -> Bool {
    edits.contains { $0.leaf > 1 && !sides.contains($0.version.value) }
  }
}

extension FoldedLeaves {
  /// Somebody has changed the field.
  ///
  /// - Parameter sides: the client's and the server's own, which may be none of the edits.
  func suggestion(
    by policy: MergePolicy<Value>, tie: TieRule, _ sides: ThreeWay<FieldVersion<Value>>
  ) -> Suggestion<Value> {
    if edits.count == 1 { return alone }
    switch policy.sideTaken {
    case .always(let side)? where !isOneValue:
      let taken = side == .client ? sides.client : sides.server
      return Suggestion(
        taken.value, source: Source(side), certainty: .sure, reason: .policy(policy.name))
    case .newer?: return newest(by: policy, tie)
    case .always?, nil: return folded(by: policy, tie)
    }
  }

  private var isOneValue: Bool { edits.allSatisfy { $0.place == edits[0].place } }

  /// Without an ancestor nobody knows that the others have taken the field away.
  private var alone: Suggestion<Value> {
    Suggestion(
      edits[0].version.value, source: nil, certainty: ancestor == nil ? .yours : .sure, reason: reason)
  }

  /// The newest edit, as sure as it is newer than the newest of the others.
  private func newest(by policy: MergePolicy<Value>, _ tie: TieRule) -> Suggestion<Value> {
    let ordered = inOrder(of: tie)
    let first = FoldedLeaves.newest(of: ordered)
    let rivals = ordered.filter { $0.place != first.place }
    let rival = rivals.isEmpty ? first : FoldedLeaves.newest(of: rivals)
    var suggestion = step(first.version, rival.version, by: policy, on: tie)
    suggestion.reason = reason
    return suggestion
  }

  /// The first of those that are equally new.
  private static func newest(of edits: [Edit]) -> Edit {
    edits.dropFirst().reduce(edits[0]) { newest, edit in
      newerSide(newest.version.time, edit.version.time) == .server ? edit : newest
    }
  }

  /// Those of the side that the tie rule names come first.
  private func inOrder(of tie: TieRule) -> [Edit] {
    tie == .client ? edits : edits.filter { $0.leaf > 0 } + edits.filter { $0.leaf == 0 }
  }

  /// In the order of the leaves, as far as that decides nothing.
  private func folded(by policy: MergePolicy<Value>, _ tie: TieRule) -> Suggestion<Value> {
    // Where keys clash it holds all others, and is not needed where the tie rule puts them together in another order.
    let isAnew = policy.rule == .keys && tie != .client
    let all = fold(edits, by: policy, on: .client, onlyIfSure: isAnew)
    if all.certainty == .sure { return all }
    if policy.rule == .keys { return isAnew ? fold(inOrder(of: tie), by: policy, on: tie) : all }
    var newest = newest(by: .latest(tie: tie), tie)
    (newest.certainty, newest.reason) = (.yours, all.reason)
    return newest
  }

  /// - Parameters:
  ///   - side: where the first of them stands, and what was made of those before.
  ///   - onlyIfSure: whether it ends with the first two of which the policy is not sure.
  private func fold(
    _ edits: [Edit], by policy: MergePolicy<Value>, on side: TieRule, onlyIfSure: Bool = false
  ) -> Suggestion<Value> {
    let asked = policy.rule == .counter ? edits : FoldedLeaves.once(edits)
    var soFar = asked[0].version
    var steps: [Suggestion<Value>] = []
    for edit in asked.count == 1 ? asked[...] : asked.dropFirst() {
      let step = step(soFar, edit.version, by: policy, on: side)
      soFar = FieldVersion(step.value, time: [soFar.time, edit.version.time].compactMap(\.self).max())
      steps.append(step)
      if onlyIfSure, let certainty = step.certainty, certainty < .sure { break }
    }
    let certainty = steps.compactMap(\.certainty).min() ?? .sure
    return Suggestion(
      soFar.value, source: steps.last?.source, certainty: certainty, reason: why(steps, certainty))
  }

  private static func once(_ edits: [Edit]) -> [Edit] {
    var places: Set<Int> = []
    return edits.filter { places.insert($0.place).inserted }
  }

  /// Two edits, of which the first stands on `side`.
  private func step(
    _ first: FieldVersion<Value>, _ second: FieldVersion<Value>, by policy: MergePolicy<Value>,
    on side: TieRule
  ) -> Suggestion<Value> {
    let (client, server) = side == .client ? (first, second) : (second, first)
    if let ancestor { return policy.merge(ancestor, client, server) }
    return areAlike(client.value, server.value)
      ? .agreeing(client.value) : policy.reconcile(client, server)
  }

  /// What a policy has to say, that it decides or that it does not fit; else what the leaves did.
  private func why(_ steps: [Suggestion<Value>], _ certainty: Certainty) -> Reason {
    let telling = steps.first { certainty == .sure ? $0.isByPolicy : $0.reason.isOfNoFit }
    return telling?.reason ?? reason
  }
}

extension Reason {
  fileprivate var isOfNoFit: Bool {
    if case .policyNotApplicable = self { true } else { false }
  }
}
