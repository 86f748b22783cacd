/// One way to decide a record as a whole, by name, beside the draft that is made field by field. Its store gives them: a third
/// leaf, a deletion, both versions kept.
public struct Alternative: Sendable, Equatable, Identifiable {
  public enum Outcome: Sendable, Equatable {
    /// The record becomes this version.
    case save(RecordVersion)
    case delete
    /// What only its store knows how to do.
    case own
  }

  /// What somebody has done to the record, and nobody will see any more.
  public enum Loss: Sendable, Equatable {
    case deletion(by: String)
    case edits(by: String, fields: [String])
    /// Nobody knows which of them are edits, as there is no ancestor.
    case values(of: String, fields: [String])
    case other(String)
  }

  /// Kept by decisions, and typed by people: "client", "delete", a leaf's id.
  public let id: String
  /// What is done, as a command: "take the client's record", "keep both".
  public let words: String
  public let loses: [Loss]
  public let outcome: Outcome

  public init(id: String, words: String, loses: [Loss], outcome: Outcome) {
    (self.id, self.words, self.loses, self.outcome) = (id, words, loses, outcome)
  }
}

/// What every store can do that saves and deletes records: take a version as it is, or none.
extension RecordConflict {
  /// Each version that is there, and the deletion. Where one side has deleted the record these are the two sides.
  public var versionsAsAlternatives: [Alternative] {
    if subjects.isEmpty { return [] }
    let kept = parties.compactMap { party in
      party.version.isPresent
        ? Alternative(
          id: party.id, words: isWhole ? "keep the edit" : "take \(party.name)'s record",
          loses: loss(keeping: party), outcome: .save(party.version)) : nil
    }
    let gone = parties.first { $0.version.isGone }
    let deletion = Alternative(
      id: gone?.id ?? "delete", words: "delete it", loses: loss(keeping: gone), outcome: .delete)
    return kept + [deletion]
  }

  /// The choice that takes an alternative. A side of a record that is decided as a whole is taken as a side.
  public func choice(ofAlternative id: Alternative.ID) -> Choice {
    if isWhole, let side = Side(rawValue: id) { return .take(side) }
    return .alternative(id)
  }

  public func alternative(_ id: Alternative.ID) -> Alternative? { details.alternatives.first { $0.id == id } }

  /// The alternative that is chosen; nil if the record is decided field by field, or as one of two sides.
  public func alternative(in resolution: Resolution) -> Alternative? {
    guard case .alternative(let id)? = resolution[.record] else { return nil }
    return alternative(id)
  }

  /// The same with the choices that an alternative makes field by field: for showing what will be written.
  public func spelledOut(_ resolution: Resolution) -> Resolution {
    guard let alternative = alternative(in: resolution), case .save(let drafts) = action(of: alternative)
    else { return resolution }
    var choices = resolution.choices.filter { $0.key == .record }
    for draft in drafts { choices[.field(draft.name)] = draft.source?.choice(of: draft.value) }
    return Resolution(choices: choices)
  }

  /// What an alternative writes.
  func action(of alternative: Alternative) -> Draft.Action {
    switch alternative.outcome {
    case .delete: .delete
    case .own: .alternative(alternative.id)
    case .save(let version):
      .save(fields.filter(\.field.isWritable).compactMap { $0.draft(asIn: version) })
    }
  }

  /// nil if it can be taken, otherwise why not.
  func refusal(ofAlternative id: Alternative.ID) -> ChoiceRefusal? {
    guard let alternative = alternative(id) else {
      return .noSuchAlternative(id, known: details.alternatives.map(\.id))
    }
    guard case .save(let drafts) = action(of: alternative) else { return nil }
    if !drafts.allSatisfy(\.value.isAtHand) { return .notAtHand(.server) }
    let isBack = drafts.contains { self[$0.name]?.isBackToTheAncestor($0.value) == true }
    return isBack ? details.ancestorNotChoosable.map { .ancestorNotChoosable($0) } : nil
  }
}

/// What is lost.
extension RecordConflict {
  /// Somebody who has a version of the record.
  private struct Party {
    var id: String
    var name: String
    var version: RecordVersion
  }

  /// Client and server, or all live leaves of a history that is a tree.
  private var parties: [Party] {
    if liveLeaves.isEmpty {
      return [Side.client, .server].map { Party(id: $0.rawValue, name: "the \($0)", version: version($0)) }
    }
    return liveLeaves.enumerated().map { index, leaf in
      Party(
        id: index < 2 ? [Side.client, .server][index].rawValue : leaf.id,
        name: index == 0 ? "the winner" : "leaf \(index + 1)", version: leaf.version)
    }
  }

  private func loss(keeping kept: Party?) -> [Alternative.Loss] {
    parties.filter { $0.id != kept?.id }.compactMap { loss(of: $0, to: kept?.version) }
  }

  /// nil if nothing of it is lost.
  private func loss(of party: Party, to kept: RecordVersion?) -> Alternative.Loss? {
    if party.version.isGone { return kept?.isPresent == true ? .deletion(by: party.name) : nil }
    let lost = fields.filter { field in
      guard field.field.isWritable, let value = party.version.fields?[field.name]?.value else { return false }
      return value != field.ancestor?.value && value != kept?.fields?[field.name]?.value
    }.map(\.name)
    if lost.isEmpty { return nil }
    return versions.ancestor?.isPresent == true
      ? .edits(by: party.name, fields: lost) : .values(of: party.name, fields: lost)
  }
}

extension FieldConflict {
  /// This field of a record that becomes `version`. What that does not know keeps the ancestor's value; nil if the ancestor does
  /// not know it either.
  fileprivate func draft(asIn version: RecordVersion) -> FieldDraft? {
    let known = [client?.value, server?.value, ancestor?.value].compactMap(\.self)
    guard let value = version.fields?[name]?.value ?? ancestor?.value else { return nil }
    let source = Source.named(value, client: client?.value, server: server?.value)
    return FieldDraft(
      name: name, value: value.isAtHand ? value : known.first { $0 == value && $0.isAtHand } ?? value,
      source: change == .unchanged ? nil : source)
  }
}
