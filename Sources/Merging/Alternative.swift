/// One way to decide a record as a whole, by name, beside the draft that is made field by field. Its store gives them: a third
/// leaf, a deletion, both versions kept.
public struct Alternative: Sendable, Equatable, Identifiable {
  /// What an alternative does to its record.
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
    /// A whole value that its store alone has, of a side or of somebody beside it; nil where nobody can look at it.
    case value(of: String, side: Side, field: String, Value?)
    case other(String)
  }

  /// Kept by decisions, and typed by people: "client", "delete", a leaf's id.
  public let id: String
  /// What is done, as a command: "take the client's record", "keep both".
  public let words: String
  /// What becomes of the record if it is taken.
  public let outcome: Outcome
  /// What only its store knows to be lost; what else is, ``Losses`` tells of versions and deletions.
  public let ownLosses: [Loss]
  /// The names of the records that it makes of what would be lost otherwise: ``words`` end where these follow.
  public let newRecords: [String]

  /// Without losses and new records where its store names none.
  public init(
    id: String, words: String, outcome: Outcome, ownLosses: [Loss] = [], newRecords: [String] = []
  ) {
    (self.id, self.words, self.outcome, self.ownLosses) = (id, words, outcome, ownLosses)
    self.newRecords = newRecords
  }
}

/// The field of which a person can give a value of their own though the record is decided as a whole, as its store can write that:
/// of a file that one side has deleted, the text.
package struct OwnValue: Sendable, Equatable {
  package let field: String
  /// What is done with it, as a command.
  package let words: String
  /// See ``Alternative/ownLosses``.
  package let ownLosses: [Alternative.Loss]

  package init(field: String, words: String, ownLosses: [Alternative.Loss] = []) {
    (self.field, self.words, self.ownLosses) = (field, words, ownLosses)
  }
}

/// What every store can do that saves and deletes records: take a version as it is, or none.
extension RecordConflict {
  /// The ways to decide the record as a whole; none where the store gives none. Put together as they are asked for: who lists many
  /// records asks for none.
  public var alternatives: [Alternative] {
    details.takesVersions ? versionsAsAlternatives + details.alternatives : details.alternatives
  }

  /// Each version that is there, and the deletion. Where one side has deleted the record these are the two sides. None while there
  /// is nothing to decide.
  public var versionsAsAlternatives: [Alternative] { details.waitingSince == nil ? versionsAsWays : [] }

  /// The same, also of a draft that waits: it may have been decided by one of them.
  private var versionsAsWays: [Alternative] {
    if !hasSubjects { return [] }
    let parties = parties
    var isDeletion = false
    if case .deletedAgainstEdit? = wholeReason { isDeletion = true }
    let kept = parties.compactMap { party in
      party.version.isPresent
        ? Alternative(
          id: party.id, words: isDeletion ? "keep the edit" : party.words,
          outcome: .save(party.version)) : nil
    }
    let gone = parties.first { $0.version.isDeleted }
    return kept + [Alternative(id: gone?.id ?? "delete", words: "delete it", outcome: .delete)]
  }

  /// What an alternative writes that no side has: of a file the earlier upload's text, which nothing else shows.
  package func valueOfNoSide(in alternative: Alternative) -> FieldDraft? {
    guard details.file != nil, Side(rawValue: alternative.id) == nil,
      case .save(let drafts) = action(of: alternative)
    else { return nil }
    return drafts.first { draft in
      ![Side.client, .server].contains { version($0).fields?[draft.name]?.value == draft.value }
    }
  }

  /// The choice that takes an alternative. A side of a record that is decided as a whole is taken as a side.
  public func choice(ofAlternative id: Alternative.ID) -> Choice {
    if isWhole, let side = Side(rawValue: id) { return .take(side) }
    return .alternative(id)
  }

  /// The way of a file's store that makes a field so. Of equal values either side is taken, and the first answer that makes the file
  /// so is what is carried out.
  package func alternative(making draft: FieldDraft) -> Alternative? {
    guard details.file != nil else { return nil }
    return alternatives.first { alternative in
      guard case .save(let version) = alternative.outcome else { return false }
      return version.fields?[draft.name]?.value == draft.value
    }
  }

  /// Those that can be taken: not a side of which a value is not at hand, or that the table does not allow.
  package var offeredAlternatives: [Alternative] {
    alternatives.filter {
      refusal(of: choice(ofAlternative: $0.id), for: .record) == nil && !pointsNowhere($0)
    }
  }

  /// Also of a draft that waits, of which none is offered.
  public func alternative(_ id: Alternative.ID) -> Alternative? {
    let all = details.takesVersions ? versionsAsWays + details.alternatives : details.alternatives
    return all.first { $0.id == id }
  }

  /// The alternative that is chosen, which may be a value of a person's own; nil if the record is decided field by field, or as
  /// one of two sides.
  public func alternative(in resolution: Resolution) -> Alternative? {
    switch resolution[.record] {
    case .alternative(let id)?: alternative(id)
    case .edit(let value)?: alternative(typing: value)
    case .take?, .merged?, .parts?, nil: nil
    }
  }

  /// The record as it becomes by a value of a person's own; nil where its store takes none. It has no name to choose it by.
  package func alternative(typing value: Value) -> Alternative? {
    guard isWhole, let own = details.ownValue else { return nil }
    var fields = versions.client.fields ?? versions.server.fields ?? [:]
    fields[own.field] = FieldVersion(value, time: nil)
    return Alternative(
      id: "edit", words: own.words, outcome: .save(.present(fields)), ownLosses: own.ownLosses)
  }

  /// What a value that a person gives to a field decides.
  package func subject(ofValueFor field: String) -> Subject { isWhole ? .record : .field(field) }

  /// The field that a value is given for by a choice about `subject`; nil for a record that takes no value as a whole.
  package func field(ofValueFor subject: Subject) -> String? {
    if case .field(let name) = subject { name } else { details.ownValue?.field }
  }

  /// The same with the choices that an alternative makes field by field: for showing what will be written.
  public func spelledOut(_ resolution: Resolution) -> Resolution {
    guard let alternative = alternative(in: resolution) else { return resolution }
    var choices = resolution.choices.filter { $0.key == .record }
    // What was decided of a field before is not what is written.
    guard case .save(let drafts) = action(of: alternative) else { return Resolution(choices: choices) }
    for draft in drafts { choices[.field(draft.name)] = draft.source?.choice(of: draft.value) }
    if let own = details.ownValue, case .edit? = choices[.record] {
      choices[.field(own.field)] = choices[.record]
    }
    return Resolution(choices: choices)
  }

  /// Whether a key that it saves points to nothing here, so that the store would refuse it.
  private func pointsNowhere(_ alternative: Alternative) -> Bool {
    guard !details.unreferenced.isEmpty, case .save(let version) = alternative.outcome else { return false }
    return details.unreferenced.contains { name, values in
      version.fields?[name].map { values.contains($0.value) } ?? false
    }
  }

  /// What an alternative writes.
  func action(of alternative: Alternative) -> Draft.Action {
    switch alternative.outcome {
    case .delete: .delete
    case .own: .alternative(alternative.id)
    case .save(let version):
      .save(
        fields.filter(\.field.isWritable).compactMap {
          $0.draft(asIn: version, isOfFurtherLeaf: isOfFurtherLeaf(alternative.id))
        })
    }
  }

  /// Whether it takes a leaf that stands in no column. Of many leaves the other two are called as sides, but for the one that is shown.
  private func isOfFurtherLeaf(_ id: Alternative.ID) -> Bool {
    details.leaves.count > 2 && Side(rawValue: id) == nil && id != details.serverTag
  }

  /// nil if it can be taken, otherwise why not.
  func refusal(ofAlternative id: Alternative.ID) -> ChoiceRefusal? {
    guard let alternative = alternative(id) else {
      return .noSuchAlternative(id, known: offeredAlternatives.map(commonName(of:)))
    }
    guard case .save(let drafts) = action(of: alternative) else { return nil }
    if !drafts.allSatisfy(\.value.isAtHand) { return .notAtHand(.server) }
    let missing = drafts.lazy.filter { $0.value == .null }.compactMap {
      self[$0.name]?.field.refusal(of: .null)
    }
    if let refusal = missing.first { return refusal }
    let isBack = drafts.contains { self[$0.name]?.isBackToTheAncestor($0.value) == true }
    return isBack ? details.ancestorNotChoosable.map { .ancestorNotChoosable($0) } : nil
  }
}

/// Somebody who has a version of the record.
private struct Party {
  var id: String
  var name: String
  /// What it is to take its version, as a command.
  var words: String
  var version: RecordVersion

  /// nil where it is known what is lost.
  var unknownLoss: Alternative.Loss? {
    version.isUnknown ? .other("what \(name) has, which is not known") : nil
  }
}

extension RecordConflict {
  /// Client and server, or all live leaves of a history that is a tree.
  fileprivate var parties: [Party] {
    if liveLeaves.isEmpty {
      // In one piece, as each conflict that is listed has them.
      return [
        Party(id: "client", name: "the client", words: "take the client's record", version: versions.client),
        Party(id: "server", name: "the server", words: "take the server's record", version: versions.server),
      ]
    }
    return liveLeaves.enumerated().map { index, leaf in
      let name = index == 0 ? "the winner" : "leaf \(index + 1)"
      return Party(
        id: index < 2 ? [Side.client, .server][index].rawValue : leaf.id, name: name,
        words: "take \(name)'s record", version: leaf.version)
    }
  }
}

/// What is lost by each alternative of a conflict. What they share is looked at once: a document may have hundreds of leaves,
/// each of which would lose what all others did.
public struct Losses {
  private let conflict: RecordConflict
  private let parties: [Party]
  /// What anybody has made of each field, beside the ancestor's.
  private let edits: [(field: String, before: Value?, values: Set<Value>)]

  /// Puts together what anybody has made of each field of the conflict, once for all alternatives that are asked for.
  public init(_ conflict: RecordConflict) {
    self.conflict = conflict
    // Where there is an ancestor, what it does not know of a field was what nobody had set.
    let isAncestorKnown = conflict.versions.ancestor?.isPresent == true
    parties = conflict.parties
    let columns = conflict.leafColumns
    edits = conflict.fields.enumerated().filter(\.element.field.isWritable).map { [parties] place, field in
      let values =
        columns?[place].values ?? parties.map { $0.version.fields?[field.name]?.value }
      let before = field.before(isAncestorKnown)
      return (field.name, before, Set(values.compactMap(\.self).filter { $0 != before }))
    }
  }

  /// Empty if nothing is lost. More than three others are told together.
  public func of(_ alternative: Alternative) -> [Alternative.Loss] {
    switch alternative.outcome {
    case .own: return alternative.ownLosses
    case .delete, .save: break
    }
    let others = parties.filter { $0.id != alternative.id }
    let own = ownLosses(of: alternative, beside: others)
    var kept = kept(by: alternative)
    if others.count <= 3 { return others.compactMap { loss(of: $0, by: alternative, &kept) } + own }
    let lost = edits.indices.filter { place in edits[place].values.contains { kept[place].lacks($0) } }
    // Who of them has changed these is not looked for, so they are not counted; but whoever it was loses it.
    let which = others.count == parties.count ? "any leaf" : "any other leaf"
    return (told(which, lost.map { edits[$0].field }).map { [$0] } ?? [])
      + others.compactMap(\.unknownLoss) + own
  }

  /// What its store tells, but for what is said already of somebody of whom nothing is known.
  private func ownLosses(of alternative: Alternative, beside others: [Party]) -> [Alternative.Loss] {
    let unknown = others.filter(\.version.isUnknown).map(\.name)
    return alternative.ownLosses.filter { loss in
      guard case .value(let party, _, _, nil) = loss else { return true }
      return !unknown.contains(party)
    }
  }

  /// The same with the values, of each who has made one: more than three others, too.
  package func givenUp(by alternative: Alternative) -> [GivenUp] {
    if alternative.outcome.isOwn { return alternative.ownLosses.map(GivenUp.init) }
    let others = parties.filter { $0.id != alternative.id }
    let own = ownLosses(of: alternative, beside: others).map(GivenUp.init)
    var kept = kept(by: alternative)
    let lost = parties.enumerated().filter { $0.element.id != alternative.id }.flatMap { index, party in
      let side: Side = index == 0 ? .client : .server
      let leaf = parties.count > 2 ? index + 1 : nil
      if party.version.isUnknown { return [GivenUp(side, leaf: leaf, .unknown)] }
      if party.version.isDeleted {
        return alternative.outcome == .delete ? [] : [GivenUp(side, leaf: leaf, .deletion)]
      }
      return fields(of: party, lostBy: &kept).map { field in
        GivenUp(side, leaf: leaf, .edit(field: field, party.version.fields?[field]?.value))
      }
    }
    return lost + own
  }

  /// nil if nothing of it is lost.
  private func loss(
    of party: Party, by alternative: Alternative, _ kept: inout [Kept]
  ) -> Alternative.Loss? {
    if party.version.isDeleted { return alternative.outcome == .delete ? nil : .deletion(by: party.name) }
    return party.unknownLoss ?? told(party.name, fields(of: party, lostBy: &kept))
  }

  private func fields(of party: Party, lostBy kept: inout [Kept]) -> [String] {
    edits.indices.filter { place in
      party.version.fields?[edits[place].field].map { kept[place].lacks($0.value) } ?? false
    }.map { edits[$0].field }
  }

  /// What an alternative makes of a field.
  private struct Kept {
    let before: Value?
    let value: Value?
    let isTouched: Bool
    private lazy var held = value.map { HeldChanges(in: $0, ancestor: before) }

    init(_ written: (value: Value?, isTouched: Bool), before: Value?) {
      (self.before, value, isTouched) = (before, written.value, written.isTouched)
    }

    /// Whether somebody's value is an edit that it does not have in it.
    mutating func lacks(_ edit: Value) -> Bool {
      if !isTouched || edit == before || edit == value { return false }
      return held?.hasAll(of: edit) != true
    }
  }

  /// In the order of the fields.
  private func kept(by alternative: Alternative) -> [Kept] {
    edits.map { Kept(written($0.field, by: alternative), before: $0.before) }
  }

  /// What the field becomes; a field that neither the version nor the ancestor knows is left alone.
  private func written(_ field: String, by alternative: Alternative) -> (value: Value?, isTouched: Bool) {
    guard case .save(let version) = alternative.outcome else { return (nil, true) }
    let value = version.fields?[field]?.value ?? conflict[field]?.ancestor?.value
    return (value, value != nil)
  }

  private func told(_ party: String, _ fields: [String]) -> Alternative.Loss? {
    if fields.isEmpty { return nil }
    return conflict.versions.ancestor?.isPresent == true
      ? .edits(by: party, fields: fields) : .values(of: party, fields: fields)
  }
}

extension FieldConflict {
  /// nil where nobody knows what it was.
  func before(_ isAncestorKnown: Bool) -> Value? {
    ancestor?.value ?? (isAncestorKnown ? field.initial : nil)
  }

  /// This field of a record that becomes `version`. What that does not know keeps the ancestor's value; nil if the ancestor does
  /// not know it either.
  fileprivate func draft(asIn version: RecordVersion, isOfFurtherLeaf: Bool) -> FieldDraft? {
    let known = [client?.value, server?.value, ancestor?.value].compactMap(\.self)
    guard let value = version.fields?[name]?.value ?? ancestor?.value else { return nil }
    return FieldDraft(
      name: name, value: value.isAtHand ? value : known.first { $0 == value && $0.isAtHand } ?? value,
      source: change == .unchanged ? nil : source(of: value, isOfFurtherLeaf))
  }

  /// Who asked for a further leaf has not asked for the server's, which has the same by chance.
  private func source(of value: Value, _ isOfFurtherLeaf: Bool) -> Source {
    let source = Source.named(value, client: client?.value, server: server?.value)
    return isOfFurtherLeaf && source == .server ? .merged : source
  }
}

extension Alternative.Outcome {
  /// Whether its store alone knows what it does.
  fileprivate var isOwn: Bool {
    switch self {
    case .own: true
    case .save, .delete: false
    }
  }
}

extension GivenUp {
  /// As a store has told it; its value goes along, as nobody else may have it any more.
  init(_ loss: Alternative.Loss) {
    switch loss {
    case .value(let party, let side, let field, let value):
      let isSide = party == side.party
      self.init(
        side, party: isSide ? nil : party, value.map { .edit(field: field, $0) } ?? .unknown)
    case .deletion(let party):
      let side = Side.allCases.first { $0.party == party }
      self.init(side, side == nil ? .other(loss.ownWords) : .deletion)
    case .edits, .values, .other: self.init(nil, .other(loss.ownWords))
    }
  }
}

extension Side {
  fileprivate var party: String { "the \(rawValue)" }
}

extension Alternative.Loss {
  /// As a store has told it.
  fileprivate var ownWords: String {
    switch self {
    case .deletion(let party): "\(party)'s deletion"
    case .edits(let party, let fields): "\(party)'s edit of \(fields.joined(separator: ", "))"
    case .values(let party, let fields): "what \(party) has in \(fields.joined(separator: ", "))"
    case .value(let party, _, let field, _): "what \(party) has in \(field)"
    case .other(let words): words
    }
  }
}
