/// What is given up of edits where a value may hold them, of many leaves and of two sides.
extension RecordConflict {
  /// What a policy is sure of as put together has all edits in it. What was put together where keys clash has some of their changes, which
  /// nobody knows before they are looked for.
  func leafEdits(of field: FieldConflict, lostBy draft: FieldDraft) -> [LostEdit] {
    let edits = leafEdits(of: field, but: draft.value)
    switch draft.source {
    case .merged? where !isOfOneSide(draft.value, field):
      return isOfAllEdits(draft.value, field) ? [] : missing(of: edits, in: draft.value, of: field)
    case .client?, .server?, .both?, .ancestor?, .edited?, .merged?, nil:
      return whole(edits, lostBy: draft, field)
    }
  }

  /// What is lost of edits that a draft was not put together of: what somebody typed has some of their changes. What one side or leaf has takes
  /// the place of all that the others did, but for those whose changes it has all.
  func whole(_ edits: [LostEdit], lostBy draft: FieldDraft, _ field: FieldConflict) -> [LostEdit] {
    draft.source == .edited
      ? missing(of: edits, in: draft.value, of: field) : unheld(edits, by: draft.value, field)
  }

  /// Each by its changes that are not in `value`, or as a whole where these are not told apart.
  func missing(of edits: [LostEdit], in value: Value, of field: FieldConflict) -> [LostEdit] {
    if edits.isEmpty { return [] }
    var held = HeldChanges(in: value, ancestor: field.ancestor?.value)
    return edits.flatMap { $0.parts(held.missing(of: $0.value), of: field) }
  }

  /// Without those of which `value` has all: it may be what one side has, and yet have in it what another did.
  private func unheld(_ edits: [LostEdit], by value: Value, _ field: FieldConflict) -> [LostEdit] {
    if edits.isEmpty { return [] }
    var held = HeldChanges(in: value, ancestor: field.ancestor?.value)
    return edits.filter { !held.hasAll(of: $0.value) }
  }

  /// All that leaves changed, but for those that have `value`.
  func leafEdits(of field: FieldConflict, but value: Value) -> [LostEdit] {
    let edits = leaves(changing: field.name, from: field.ancestor?.value)
    return edits.filter { $0.value != value }.map {
      LostEdit(
        field: field.name, side: $0.number == 1 ? .client : .server, leaf: $0.number, value: $0.value,
        isUncontested: edits.count == 1)
    }
  }

  private func leaves(changing field: String, from ancestor: Value?) -> [(number: Int, value: Value)] {
    guard let place = fields.place(of: field), let column = leafColumns?[place] else {
      return liveLeaves.enumerated().compactMap { index, leaf in
        guard let own = leaf.version.fields?[field]?.value, own != ancestor else { return nil }
        return (index + 1, own)
      }
    }
    let edits = column.values.map { $0 == ancestor ? nil : $0 }
    return column.ofLeaves.enumerated().compactMap { index, value in edits[Int(value)].map { (index + 1, $0) }
    }
  }

  /// Whether the field's policy has put together what all sides or leaves did, and came to this.
  func isOfAll(_ value: Value, _ field: FieldConflict) -> Bool {
    guard value == field.suggestion.value, let policy = field.decidingPolicy else { return false }
    return MergeRule(rawValue: policy)?.putsTogether == true
  }

  /// The same of a value that no leaf has, and of the other policies, by which somebody may have decided.
  private func isOfAllEdits(_ value: Value, _ field: FieldConflict) -> Bool {
    switch value {
    // Where a counter does not fit, it suggests what a leaf has.
    case .integer, .real: return suggestion(of: field, by: .counter).value == value
    // By its own policy there was a clash, of which another one that comes to the same knows nothing.
    case _ where value == field.suggestion.value: return false
    case .null, .text, .blob, .opaque:
      let rules: [MergeRule] = [.set, .text, .keys]
      return rules.lazy.map { merging(field, by: $0) }.contains {
        $0.decidingPolicy != nil && $0.suggestion.value == value
      }
    }
  }
}
