import Merging
import StoreInterface

/// Why something is left to a person. From the mildest to the gravest, by which a record is told that has several.
package enum BulkReason: Int, Sendable, Hashable, CaseIterable, Comparable {
  case decided, oneSide, agree, policy, newer, tie, other, overlap, policyFails, noAncestor
  case timeAhead, wrongType, bytes, notTakeable, deletion, notKnown, begun, again, refused, byStore,
    notWritable,
    waiting

  package static func < (left: BulkReason, right: BulkReason) -> Bool { left.rawValue < right.rawValue }

  var words: String {
    switch self {
    case .decided: "decided already"
    case .oneSide: "one side changed"
    case .agree: "both agree"
    case .policy: "by policy"
    case .newer: "by clock"
    case .tie: "neither newer"
    case .other: "to decide"
    case .overlap: "overlap"
    case .policyFails: "policy unfit"
    case .noAncestor: "no ancestor"
    case .timeAhead: "future time"
    case .wrongType: "of another type"
    case .bytes: "bytes not here"
    case .notTakeable: "cannot be taken"
    case .deletion: "deletion"
    case .notKnown: "not known"
    case .refused: "a choice is refused"
    case .begun: "begun by hand"
    case .again: "to look at again"
    case .byStore: "refused by the store"
    case .notWritable: "cannot be written"
    case .waiting: "waiting for the app"
    }
  }
}

/// What is open about one subject of a record, and what each way to decide it does. Small, as a hundred thousand records are held.
package struct BulkCase: Sendable, Equatable {
  package struct Effect: Sendable, Equatable {
    var isAllowed = false
    /// Whether the store's row becomes another one.
    var changesRow = false
    /// How many edits are given up.
    var lost: UInt16 = 0
  }

  let reason: BulkReason
  /// Who deleted the record, where it is decided as a whole and the other side keeps all edits.
  var gone: Side?
  var isWhole = false
  /// Whether nobody else changed what one side changed, so that nobody would expect to lose it.
  var isAlone = false
  var suggestion = Effect()
  var client = Effect()
  var server = Effect()
  /// Of a text, or of JSON, whose two edits do not overlap.
  var merged = Effect()

  subscript(way: BulkWay) -> Effect {
    switch way {
    case .suggestion: suggestion
    case .client: client
    case .server: server
    case .merged: merged
    }
  }
}

/// What rules need to know of a record, and nothing else of it.
package struct BulkRecord: Sendable, Equatable, Identifiable {
  package let id: String
  /// The fingerprint of all that was to be seen of it.
  let seen: String
  /// One for each subject that is undecided, in the order of the record.
  let open: [BulkCase]
  /// Why no rule may touch it.
  let exception: BulkReason?
  /// Whether the row becomes another one by what a person has decided already.
  let changesRow: Bool

  package init(_ record: DecidedConflict) {
    id = record.conflict.id
    var fingerprints = Fingerprints(record.conflict)
    seen = fingerprints.ofEverything()
    exception = BulkRecord.exception(record)
    open = exception == nil ? record.undecided.map { BulkCase($0, in: record) } : []
    changesRow = record.conflict.fields.contains { field in
      record.resolution[.field(field.name)].map { record.changes(field.draft($0)) } ?? false
    }
  }

  private static func exception(_ record: DecidedConflict) -> BulkReason? {
    let details = record.conflict.details
    if details.waitingSince != nil { return .waiting }
    if record.undecided.isEmpty {
      return record.isMoved ? .again : record.refusal == nil ? .decided : .byStore
    }
    if details.notWritable != nil { return .notWritable }
    let begun = record.undecided.compactMap { record.resolution[$0] }
    if begun.isEmpty { return nil }
    return begun.allSatisfy { if case .parts = $0 { true } else { false } } ? .begun : .refused
  }
}

extension BulkCase {
  fileprivate init(_ subject: Subject, in record: DecidedConflict) {
    switch subject {
    case .record: self.init(wholeOf: record.conflict)
    case .field(let name):
      guard let field = record.conflict[name] else { preconditionFailure("because it is undecided there") }
      self.init(field, of: record)
    }
  }

  private init(_ field: FieldConflict, of record: DecidedConflict) {
    let shown = ShownRecord(record)
    let effect = { (choice: Choice?) in
      guard let choice, record.conflict.refusal(of: choice, for: .field(field.name)) == nil else {
        return Effect()
      }
      let draft = field.draft(choice)
      let lost = shown.edits(lostBy: draft).countOfAll
      return Effect(
        isAllowed: true, changesRow: record.changes(draft), lost: UInt16(clamping: lost))
    }
    let suggestion = effect(field.suggestedChoice(least: .byClock))
    self.init(
      reason: BulkReason(field, isAllowed: suggestion.isAllowed),
      isAlone: field.isOneSided,
      suggestion: suggestion, client: effect(.take(.client)), server: effect(.take(.server)),
      merged: effect(field.suggestion.certainty == .sure ? nil : field.mergeOfBoth.map { .parts($0) }))
  }

  private init(wholeOf conflict: RecordConflict) {
    let effect = { (side: Side) in
      let isAllowed = conflict.refusal(of: .take(side), for: .record) == nil
      let lost = isAllowed ? conflict.givenUp(by: .take(side), for: .record).count : 0
      return Effect(
        isAllowed: isAllowed, changesRow: conflict.version(side).isPresent != conflict.hasRow,
        lost: UInt16(clamping: lost))
    }
    var (gone, reason) = (Side?.none, BulkReason.notKnown)
    if case .deletedAgainstEdit(let side)? = conflict.wholeReason { (gone, reason) = (side, .deletion) }
    if case .onlyOn? = conflict.wholeReason { reason = .other }
    // Where neither side keeps all edits, no rule about deletions is meant.
    if conflict.wholeSuggestion == nil { gone = nil }
    self.init(
      reason: reason, gone: gone, isWhole: true, client: effect(.client), server: effect(.server))
  }
}

extension BulkReason {
  fileprivate init(_ field: FieldConflict, isAllowed: Bool) {
    switch field.suggestion.certainty {
    case .sure? where !isAllowed, .byClock? where !isAllowed: self = .notTakeable
    case .sure? where field.suggestion.isByPolicy: self = .policy
    case .sure?: self = field.areAgreed ? .agree : .oneSide
    case .byClock?: self = .newer
    case .yours?, nil: self.init(yours: field.suggestion.reason)
    }
  }

  private init(yours reason: Reason) {
    switch reason {
    case .sameTime, .withinMargin, .onlyTimeKnown, .folded(_, .changed), .folded(_, .agree): self = .tie
    case .overlap: self = .overlap
    case .noAncestor, .noAncestorTimeOf, .folded(_, .differ): self = .noAncestor
    case .policyNotApplicable: self = .policyFails
    case .notAtHand: self = .bytes
    case .timeAhead: self = .timeAhead
    case .wrongType: self = .wrongType
    case .required, .pointsNowhere: self = .notTakeable
    case .notKnown, .leafNotKnown, .goneSince: self = .notKnown
    case .unchanged, .onlyChanged, .agree, .newer, .policy, .deletedAgainstEdit, .onlyOn: self = .other
    }
  }
}

extension FieldConflict {
  fileprivate var areAgreed: Bool {
    if case .folded(_, .agree) = suggestion.reason { return true }
    return change == .same
  }
}

extension BulkWay {
  /// What it is for a subject, as the journal keeps it.
  func choice(for subject: Subject, in conflict: RecordConflict) -> Choice? {
    switch self {
    case .client: return .take(.client)
    case .server: return .take(.server)
    case .suggestion:
      guard case .field(let name) = subject else { return nil }
      return conflict[name]?.suggestedChoice(least: .byClock)
    case .merged:
      guard case .field(let name) = subject else { return nil }
      return conflict[name]?.mergeOfBoth.map { .parts($0) }
    }
  }
}
