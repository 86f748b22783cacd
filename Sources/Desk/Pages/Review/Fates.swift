import Merging
import StoreInterface
import Telling

/// A record that is decided, with its draft: made once, as a review of thousands is drawn with every key.
package struct ReviewedDraft: Sendable, Equatable, Identifiable {
  package let record: DecidedConflict
  package let draft: Draft
  /// How many fields it changes in the store.
  let changedFields: Int
  /// What is given up of each field.
  private let lost: [String: [LostEdit]]

  /// nil while something is undecided, or a decision would be dropped, as nothing is written then.
  init?(_ record: DecidedConflict) {
    guard let draft = record.draft else { return nil }
    (self.record, self.draft) = (record, draft)
    changedFields =
      if case .save(let fields) = draft.action { fields.count(where: record.changes) } else { 0 }
    lost = Self.lost(by: draft, of: ShownRecord(record))
  }

  private static func lost(by draft: Draft, of shown: ShownRecord) -> [String: [LostEdit]] {
    guard case .save(let fields) = draft.action else { return [:] }
    let lost = fields.map { ($0.name, shown.edits(lostBy: $0)) }.filter { !$0.1.isEmpty }
    return Dictionary(lost) { first, _ in first }
  }

  /// What is given up of a field.
  func lost(of field: String) -> [LostEdit] { lost[field] ?? [] }

  package var id: String { record.conflict.id }

  /// The one that is taken, where the record is decided as a whole by name.
  var alternative: Alternative? { record.conflict.alternative(in: record.resolution) }

  var planned: Planned { Planned(seen: record.conflict, draft: draft) }

  /// Whether there is a row that it takes away: what is deleted already stays so.
  var deletes: Bool { draft.action == .delete && record.conflict.hasRow }

  var isOfTheWhole: Bool { if case .alternative = draft.action { true } else { false } }

  /// Why it will not be written, whatever it holds.
  var unwritable: CheckedWrite? {
    record.conflict.details.notWritable.map {
      CheckedWrite(id: id, title: record.conflict.title, outcome: .refused(field: nil, $0))
    }
  }
}

extension DecidedConflict {
  /// Whether a draft changes what the store has in a field.
  func changes(_ field: FieldDraft) -> Bool {
    !conflict.hasRow || conflict[field.name].flatMap(conflict.now) != field.value
  }
}

/// What will become of a record in a write, or became of it.
enum Fate: Sendable, Equatable {
  /// Nobody has checked it yet.
  case unchecked
  case toWrite
  case written
  /// It was written, and somebody took it back.
  case takenBack
  /// Something moved since the person saw it.
  case moved(String)
  /// It is no draft any more, as another Parley took back what was decided about it, or decided otherwise: what that did, and all that there is to
  /// tell.
  case actedOn(String, all: String)
  case refused(field: String?, String)
  /// A part is written, and why the rest is not.
  case partly(String, String)
  /// No answer came.
  case notKnown(String)
  /// The write ended before its turn.
  case notReached(String)
  case leftOut

  /// In the order of the screen: what may be half in the store stands first.
  enum Rank: CaseIterable {
    case partly, notKnown, refused, moved, notReached, leftOut, takenBack, fine, unchecked

    var isToBeSeen: Bool { isProblem || self == .takenBack }

    var isProblem: Bool {
      switch self {
      case .partly, .notKnown, .refused, .moved, .notReached: true
      case .leftOut, .takenBack, .fine, .unchecked: false
      }
    }
  }

  var rank: Rank {
    switch self {
    case .refused: .refused
    case .moved, .actedOn: .moved
    case .partly: .partly
    case .notKnown: .notKnown
    case .notReached: .notReached
    case .leftOut: .leftOut
    case .takenBack: .takenBack
    case .toWrite, .written: .fine
    case .unchecked: .unchecked
    }
  }

  var refusedField: String? { if case .refused(let field, _) = self { field } else { nil } }

  var isProblem: Bool { rank.isProblem }

  /// Whether it is looked for among thousands: a problem, or what is no longer as it was written.
  var isToBeSeen: Bool { rank.isToBeSeen }

  /// Of what was ready, and is no draft any more as it is read.
  fileprivate init(ofMoved record: DecidedConflict) {
    let why = record.whyNotReady(since: record.decisions)
    self = why.act.map { .actedOn($0, all: why.words) } ?? .moved(why.words)
  }

  fileprivate init(_ outcome: CheckedWrite.Outcome, fine: Fate) {
    switch outcome {
    case .fine: self = fine
    case .moved(let what): self = .moved(what)
    case .refused(let field, let why): self = .refused(field: field, why)
    case .partly(let part, let why): self = .partly(part, why)
    case .notKnown(let why): self = .notKnown(why)
    case .notReached(let why): self = .notReached(why)
    }
  }
}

/// The fates of all records of a review.
struct Fates: Sendable {
  private var fates: ByRecord<Fate> = [:]

  init(_ page: ReviewPage, leftOut: RecordNames) {
    for check in page.checks { fates[check.id] = Fate(check.outcome, fine: .toWrite) }
    for id in leftOut { fates[id] = .leftOut }
    for record in page.moved {
      fates[record.conflict.id] = Fate(ofMoved: record)
    }
    for result in page.results { fates[result.id] = Fate(result.outcome, fine: .written) }
    for id in page.standing?.takenBack ?? [] { fates[id] = .takenBack }
  }

  subscript(id: String) -> Fate { fates[id] ?? .unchecked }

  func ordered<Element>(_ elements: [Element], by id: (Element) -> String) -> [Element] {
    let ranked = Dictionary(grouping: elements) { self[id($0)].rank }
    return Fate.Rank.allCases.flatMap { ranked[$0] ?? [] }
  }

  func count(_ rank: Fate.Rank, of ids: [String]) -> Int { ids.count { self[$0].rank == rank } }
}
