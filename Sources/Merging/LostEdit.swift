/// An edit that a draft does not hold: writing the draft gives it up.
package struct LostEdit: Equatable, Sendable {
  package var field: String
  package var side: Side
  /// The number of the leaf that made it, in a record with more leaves than two.
  package var leaf: Int?
  package var value: Value
  /// Whether nobody else changed the field, or the part of it: nobody would expect to lose it.
  package var isUncontested: Bool
  /// Which change of the field it is, where not all of its edit is lost.
  package var part: LostPart?

  /// "of the server", "of leaf 3". The first leaf is the client's, and is called so as everywhere.
  package var origin: String { otherLeaf.map { "of leaf \($0)" } ?? "of the \(side.rawValue)" }

  /// Its number, where it is not the client's.
  package var otherLeaf: Int? { leaf == 1 ? nil : leaf }
}

extension RecordConflict {
  /// The edits of one field that are given up when it gets what `draft` holds. Of what was put together of both sides' changes
  /// it is each change that was left out, and of what somebody typed each whose words are not in it; what was computed in another
  /// way has all of the edits in it, be it by chance what one of many leaves has.
  ///
  /// - Parameter choice: what was decided about the field; nil where nobody did.
  package func edits(lostBy draft: FieldDraft, of choice: Choice?) -> [LostEdit] {
    guard let field = self[draft.name], !isWhole else { return [] }
    if let edits = changes(of: field, lostBy: draft, of: choice) { return edits }
    let isComputed = draft.source == .merged && !isOfOneSide(draft.value, field)
    if isComputed || isOfAllLeaves(draft.value, field) { return [] }
    let edits =
      liveLeaves.count > 2
      ? leafEdits(of: field, but: draft.value) : sideEdits(of: field, but: draft.value)
    return draft.source == .edited ? edits.flatMap { $0.parts(missingIn: draft.value, of: field) } : edits
  }

  /// nil where it is not put together of changes.
  private func changes(of field: FieldConflict, lostBy draft: FieldDraft, of choice: Choice?) -> [LostEdit]? {
    guard isByChanges(draft, choice, field), let client = field.client?.value,
      let server = field.server?.value,
      let parts = FieldParts(ancestor: field.ancestor?.value, client: client, server: server),
      let choices = choice?.parts?.choices ?? parts.choices(making: draft.value)
    else { return nil }
    let hasLeaves = liveLeaves.count > 2
    let others = hasLeaves ? leafEdits(of: field, but: draft.value).filter { ($0.leaf ?? 0) > 2 } : []
    return parts.lost(by: choices).map { side, part in
      LostEdit(field, side, leaf: hasLeaves ? (side == .client ? 1 : 2) : nil, part)
    } + others
  }

  /// Where a policy was sure nothing is left out, and of more leaves than two it knows more than client and server.
  private func isByChanges(_ draft: FieldDraft, _ choice: Choice?, _ field: FieldConflict) -> Bool {
    if choice?.parts != nil { return true }
    let isSure = field.suggestion.certainty == .sure && draft.value == field.suggestion.value
    return draft.source == .merged && liveLeaves.count <= 2 && !isSure && !isOfOneSide(draft.value, field)
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

  /// Whether a policy has put together what all of many leaves did, and came to this.
  private func isOfAllLeaves(_ value: Value, _ field: FieldConflict) -> Bool {
    guard liveLeaves.count > 2, field.isByPolicy, value == field.suggestion.value,
      case .policy(let name) = field.reason
    else { return false }
    return MergeRule(rawValue: name)?.putsTogether == true
  }

  private func isOfOneSide(_ value: Value, _ field: FieldConflict) -> Bool {
    if field.client?.value == value || field.server?.value == value { return true }
    return fields.place(of: field.name).flatMap { leafColumns?[$0].values.contains(value) } ?? false
  }
}

extension LostEdit {
  fileprivate init(_ field: FieldConflict, _ side: Side, leaf: Int?, _ part: FieldPart) {
    let new = part.text(side)
    self.init(
      field: field.name, side: side, leaf: leaf, value: new.map { .text($0) } ?? .missing,
      isUncontested: part.onlySide == side,
      part: LostPart(name: part.name, old: part.ancestor, new: new))
  }
}

extension LostEdit {
  /// What of it is not in a text of several words that somebody typed. All of it where it is no such text, and where none of it is there.
  fileprivate func parts(missingIn typed: Value, of field: FieldConflict) -> [LostEdit] {
    guard let missing = TypedText(typed, ancestor: field.ancestor?.value)?.missing(of: value) else {
      return [self]
    }
    return missing.map { part in
      var edit = LostEdit(field, .client, leaf: leaf, part)
      (edit.side, edit.isUncontested) = (side, isUncontested)
      return edit
    }
  }
}

extension Choice {
  fileprivate var parts: PartChoices? { if case .parts(let parts) = self { parts } else { nil } }
}
