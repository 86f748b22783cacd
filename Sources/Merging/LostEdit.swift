/// An edit that a draft does not hold: writing the draft gives it up.
package struct LostEdit: Equatable, Sendable {
  package var field: String
  package var side: Side
  /// The number of the leaf that made it, in a record with more leaves than two.
  package var leaf: Int?
  package var value: Value
  /// Whether nobody else changed the field: nobody would expect to lose it.
  package var isUncontested: Bool

  /// "of the server", "of leaf 3".
  package var origin: String { leaf.map { "of leaf \($0)" } ?? "of the \(side.rawValue)" }
}

extension RecordConflict {
  /// The edits of one field that are given up when it gets what `draft` holds. What was computed from several edits has all
  /// of them in it.
  ///
  /// - Parameter choice: what was decided about the field; nil where nobody did.
  package func edits(lostBy draft: FieldDraft, of choice: Choice?) -> [LostEdit] {
    guard let field = self[draft.name], !isWhole else { return [] }
    let edits =
      liveLeaves.count > 2 ? leafEdits(of: field, but: draft.value) : sideEdits(of: field, but: draft.value)
    let isComputed = draft.source == .merged && !isOfOneSide(draft.value, field)
    return isComputed || isByParts(choice) ? [] : edits
  }

  /// What was put together change by change gives up nothing that its person did not see.
  private func isByParts(_ choice: Choice?) -> Bool {
    if case .parts? = choice, liveLeaves.count <= 2 { true } else { false }
  }

  private func sideEdits(of field: FieldConflict, but value: Value) -> [LostEdit] {
    let isAlone = field.change == .onlyClient || field.change == .onlyServer
    return [Side.client, .server].compactMap { side in
      guard let own = field.version(side)?.value, own != value, own != field.ancestor?.value else {
        return nil
      }
      return LostEdit(field: field.name, side: side, value: own, isUncontested: isAlone)
    }
  }

  private func leafEdits(of field: FieldConflict, but value: Value) -> [LostEdit] {
    let values = liveLeaves.map { $0.version.fields?[field.name]?.value }
    let isAlone = values.count { $0 != nil && $0 != field.ancestor?.value } == 1
    return leaves(changing: field.name, otherwiseThan: value).map {
      LostEdit(
        field: field.name, side: $0.number == 1 ? .client : .server, leaf: $0.number, value: $0.value,
        isUncontested: isAlone)
    }
  }

  /// The live leaves whose edit of a field is lost when it gets `value`.
  package func leaves(changing field: String, otherwiseThan value: Value) -> [(number: Int, value: Value)] {
    let ancestor = self[field]?.ancestor?.value
    return liveLeaves.enumerated().compactMap { index, leaf in
      guard let own = leaf.version.fields?[field]?.value, own != value, own != ancestor else { return nil }
      return (index + 1, own)
    }
  }

  private func isOfOneSide(_ value: Value, _ field: FieldConflict) -> Bool {
    field.client?.value == value || field.server?.value == value
      || liveLeaves.count > 2 && liveLeaves.contains { $0.version.fields?[field.name]?.value == value }
  }
}
