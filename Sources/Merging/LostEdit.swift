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
  /// In the place of it, how many more changes of the edit are lost than anybody reads.
  package var more: Int?

  /// "of the server", "of leaf 3". The first leaf is the client's, and is called so as everywhere.
  package var origin: String { otherLeaf.map { "of leaf \($0)" } ?? "of the \(side.rawValue)" }

  /// Its number, where it is not the client's.
  package var otherLeaf: Int? { leaf == 1 ? nil : leaf }
}

extension RecordConflict {
  /// The edits of one field that are given up when it gets what `draft` holds. Of what was put together of both sides' changes
  /// it is each change that was left out, and of what somebody typed each whose words are not in it; what was computed in another
  /// way of two sides has both edits in it, and what one of them has may have all of the other's. What of an edit is in a value is told
  /// by ``HeldChanges``, of two sides as of many leaves.
  ///
  /// - Parameter choice: what was decided about the field; nil where nobody did.
  package func edits(lostBy draft: FieldDraft, of choice: Choice?) -> [LostEdit] {
    guard let field = self[draft.name], !isWhole else { return [] }
    if let edits = changes(of: field, lostBy: draft, of: choice) { return edits }
    if isOfAll(draft.value, field) { return [] }
    if liveLeaves.count > 2 { return leafEdits(of: field, lostBy: draft) }
    if draft.source == .merged && !isOfOneSide(draft.value, field) { return [] }
    return whole(sideEdits(of: field, but: draft.value), lostBy: draft, field)
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
    } + missing(of: others, in: draft.value, of: field)
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

  /// Whether a side or a leaf has it.
  func isOfOneSide(_ value: Value, _ field: FieldConflict) -> Bool {
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
  /// Nobody reads more changes of one side or leaf.
  static let mostParts = 100

  /// What of it is missing in what its field becomes: all of it where nil says that its changes are not told apart, and of many changes the
  /// first and a count.
  func parts(_ missing: [FieldPart]?, of field: FieldConflict) -> [LostEdit] {
    guard let missing else { return [self] }
    let told = missing.prefix(Self.mostParts).map { part in
      var edit = LostEdit(field, .client, leaf: leaf, part)
      (edit.side, edit.isUncontested) = (side, isUncontested)
      return edit
    }
    return told + (missing.count > told.count ? [counting(missing.count - told.count)] : [])
  }

  private func counting(_ more: Int) -> LostEdit {
    var edit = self
    edit.more = more
    return edit
  }
}

extension [LostEdit] {
  /// How many they are, with those that are only counted.
  package var countOfAll: Int { reduce(0) { $0 + ($1.more ?? 1) } }
}

extension Choice {
  fileprivate var parts: PartChoices? { if case .parts(let parts) = self { parts } else { nil } }
}
