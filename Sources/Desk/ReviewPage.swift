import Merging
import StoreInterface

/// Before and after of every draft, what the store says to them, and in the end what became of them.
package struct ReviewPage: Sendable, Equatable {
  package enum Stage: Sendable, Equatable {
    case reading
    case checking
    case ready
    case writing
    case done
  }

  package enum Action: Sendable, Equatable {
    case write
    /// Takes back the last write, of this session or an earlier one.
    case undo(LastWrite)
    /// Mends what is stuck.
    case mend(Finding)
  }

  /// What the cursor stands on: a record, or one of its fields.
  package struct Place: Sendable, Equatable {
    package var record: String
    package var field: String?
  }

  package var action: Action
  /// In the order of the screen, see ``order(by:)``.
  package var drafts: [ReviewedDraft] = []
  /// What the store says to the drafts.
  package var checks: [CheckedWrite] = []
  /// What became of those that were tried.
  package var results: [CheckedWrite] = []
  package var stage: Stage
  /// How far the check is, or the write; nil before it is known.
  var progress: StoreCall.Progress?
  /// When the store said it. Nanoseconds since 1970.
  package var time: Int64 = 0
  package var note = InputLine("")
  package var isTypingNote = false
  /// nil for the first. Where a field is no longer shown, its record is meant.
  package var cursor: Place?
  /// Of what has no places to stand on.
  package var scroll = 0
  /// Whether the drafts are in order since they were read. Later they stay where they are, so that nothing jumps away.
  var isOrdered = false

  package init(_ action: Action, stage: Stage) { (self.action, self.stage) = (action, stage) }

  /// Whether there is something to take back again.
  var hasWritten: Bool {
    if case .undo = action { return false }
    return !mendsAnInterruptedWrite && stage == .done && results.contains { $0.outcome == .fine }
  }

  /// Whether the store is, or may be, another one than before.
  var hasChangedTheStore: Bool { results.contains(where: \.outcome.mayBeWritten) }

  /// Whether a result has to be looked at before anything is said of the store.
  var isUnclear: Bool { results.contains { $0.outcome.mayBeWritten && $0.outcome != .fine } }

  var mendsAnInterruptedWrite: Bool {
    if case .mend(let finding) = action { finding.isInterrupted } else { false }
  }

  /// The records that are written, or taken back.
  var ids: [String] {
    if case .undo(let write) = action { write.records.map(\.id) } else { drafts.map(\.id) }
  }

  /// Problems first, then what is left out, then the rest.
  mutating func order(by fates: Fates) {
    drafts = fates.ordered(drafts, by: \.id)
    if case .undo(var write) = action {
      write.records = fates.ordered(write.records, by: \.id)
      action = .undo(write)
    }
    isOrdered = true
  }
}

/// A record that is decided, with its draft: made once, as a review of thousands is drawn with every key.
package struct ReviewedDraft: Sendable, Equatable, Identifiable {
  package let record: DecidedConflict
  package let draft: Draft
  /// How many fields it changes in the store.
  let changedFields: Int

  /// nil while something is undecided.
  init?(_ record: DecidedConflict) {
    guard let draft = record.conflict.draft(record.resolution) else { return nil }
    (self.record, self.draft) = (record, draft)
    changedFields =
      if case .save(let fields) = draft.action { fields.count(where: record.changes) } else { 0 }
  }

  package var id: String { record.conflict.id }

  /// The one that is taken, where the record is decided as a whole by name.
  var alternative: Alternative? { record.conflict.alternative(in: record.resolution) }

  var planned: Planned { Planned(seen: record.conflict, draft: draft) }

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
    !conflict.hasRow || conflict[field.name]?.client?.value != field.value
  }
}

/// What will become of a record in a write, or became of it.
enum Fate: Sendable, Equatable {
  /// Nobody has checked it yet.
  case unchecked
  case toWrite
  case written
  /// Something moved since the person saw it.
  case moved(String)
  case refused(field: String?, String)
  /// A part is written, and why the rest is not.
  case partly(String, String)
  /// No answer came.
  case notKnown(String)
  /// The write ended before its turn.
  case notReached(String)
  case leftOut

  /// In the order of the screen: what may be half in the store stands first.
  enum Rank: CaseIterable { case partly, notKnown, refused, moved, notReached, leftOut, fine, unchecked }

  var rank: Rank {
    switch self {
    case .refused: .refused
    case .moved: .moved
    case .partly: .partly
    case .notKnown: .notKnown
    case .notReached: .notReached
    case .leftOut: .leftOut
    case .toWrite, .written: .fine
    case .unchecked: .unchecked
    }
  }

  var refusedField: String? { if case .refused(let field, _) = self { field } else { nil } }

  var isProblem: Bool {
    switch rank {
    case .partly, .notKnown, .refused, .moved, .notReached: true
    case .leftOut, .fine, .unchecked: false
    }
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
struct Fates {
  private var fates: [String: Fate] = [:]

  init(_ page: ReviewPage, leftOut: Set<String>) {
    for check in page.checks { fates[check.id] = Fate(check.outcome, fine: .toWrite) }
    if page.action == .write { for id in leftOut { fates[id] = .leftOut } }
    for result in page.results { fates[result.id] = Fate(result.outcome, fine: .written) }
  }

  subscript(id: String) -> Fate { fates[id] ?? .unchecked }

  func ordered<Element>(_ elements: [Element], by id: (Element) -> String) -> [Element] {
    Fate.Rank.allCases.flatMap { rank in elements.filter { self[id($0)].rank == rank } }
  }

  func count(_ rank: Fate.Rank, of ids: [String]) -> Int { ids.count { self[$0].rank == rank } }
}

extension DeskState {
  func fates(_ page: ReviewPage) -> Fates { Fates(page, leftOut: leftOut) }

  /// The drafts that nobody has left out, as far as records of their kind can be written at all.
  func included(_ page: ReviewPage) -> [Planned] {
    page.drafts.filter { !leftOut.contains($0.id) && $0.unwritable == nil }.map(\.planned)
  }

  /// Those of them that can be written as they stand.
  func writable(_ page: ReviewPage) -> [Planned] {
    let fates = fates(page)
    return included(page).filter { fates[$0.seen.id] == .toWrite }
  }

  /// Whether `Y` would change the store.
  func canConfirm(_ page: ReviewPage) -> Bool {
    guard page.stage == .ready, access == .writable else { return false }
    return switch page.action {
    case .write: !writable(page).isEmpty
    case .undo: fates(page).count(.fine, of: page.ids) > 0
    case .mend: true
    }
  }
}
