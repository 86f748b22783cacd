import StoreInterface
import Synchronization
import Telling
import Terminal

/// What a review is about: all that its numbers and rows are made of. That two of them are the same is seen at once, as nothing was
/// copied between two keys.
struct ReviewSubject: Sendable, Equatable {
  let action: ReviewPage.Action
  let drafts: [ReviewedDraft]
  let checks: [CheckedWrite]
  let results: [CheckedWrite]
  let leftOut: Set<String>

  init(_ page: ReviewPage, on desk: DeskState) {
    (action, drafts, checks, results) = (page.action, page.drafts, page.checks, page.results)
    leftOut = page.leftOut(on: desk)
  }
}

/// What is counted of it.
struct ReviewFacts: Sendable {
  let fates: Fates
  /// Of the drafts; of what is taken back or mended, of the results.
  let counts: [Fate.Rank: Int]
  /// How many drafts nobody left out, and how many can be written as they stand.
  let (tried, writable): (Int, Int)
  /// What these change: fields, whole records that are deleted, and records as a whole.
  let (changedFields, deleted, wholes): (Int, Int, Int)

  init(_ subject: ReviewSubject) {
    let fates = Fates(subject)
    self.fates = fates
    let ids = subject.action == .write ? subject.drafts.map(\.id) : subject.results.map(\.id)
    counts = ids.reduce(into: [:]) { $0[fates[$1].rank, default: 0] += 1 }
    let toWrite = subject.drafts.filter { fates[$0.id] == .toWrite }
    (tried, writable) = (subject.drafts.count { !subject.leftOut.contains($0.id) }, toWrite.count)
    changedFields = toWrite.reduce(0) { $0 + $1.changedFields }
    // What is deleted already stays so.
    deleted = toWrite.count { $0.draft.action == .delete && $0.record.conflict.hasRow }
    wholes = toWrite.count { if case .alternative = $0.draft.action { true } else { false } }
  }
}

/// What was made of a review last: of thousands of drafts it is counted and laid out when something of it changes, and not with every key.
final class ReviewMemory: Sendable, Equatable {
  /// What rows are made of beside the subject.
  struct Look: Equatable {
    let stage: ReviewPage.Stage
    let layout: [Int]
    let privacy: Privacy
    let showsUnchanged: Bool
    let hasInterrupted: Bool
    /// Of those that moved, the ones that are in the list.
    let listed: [String]
  }

  private typealias Facts = (subject: ReviewSubject, facts: ReviewFacts)
  private typealias Rows = (subject: ReviewSubject, look: Look, rows: [ReviewRow])
  private let facts = Mutex<Facts?>(nil)
  private let rows = Mutex<Rows?>(nil)

  func facts(of subject: ReviewSubject) -> ReviewFacts {
    facts.withLock { known in
      if let known, known.subject == subject { return known.facts }
      let facts = ReviewFacts(subject)
      known = (subject, facts)
      return facts
    }
  }

  func rows(of subject: ReviewSubject, _ look: Look, _ make: () -> [ReviewRow]) -> [ReviewRow] {
    if let known = rows.withLock(\.self), known.subject == subject, known.look == look { return known.rows }
    let made = make()
    rows.withLock { $0 = (subject, look, made) }
    return made
  }

  /// It says nothing that the page does not.
  static func == (left: ReviewMemory, right: ReviewMemory) -> Bool { true }
}
