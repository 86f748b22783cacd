import StoreInterface
import Synchronization
import Telling

/// Tells what a review is about from what it was about before: to compare thousands of drafts with every key takes too long.
struct ReviewStamp: Sendable, Equatable {
  private static let last = Atomic(0)
  let number = Self.last.add(1, ordering: .relaxed).newValue

  /// It says nothing that the page does not.
  static func == (left: ReviewStamp, right: ReviewStamp) -> Bool { true }
}

/// What is counted of a review.
struct ReviewFacts: Sendable {
  let fates: Fates
  /// Of the drafts; of what is taken back or mended, of the results, and of what was left out of them.
  let counts: [Fate.Rank: Int]
  /// How many nobody left out, with those that are no drafts any more, and how many can be written as they stand.
  let (tried, writable): (Int, Int)
  /// What these change: fields, whole records that are deleted, and records as a whole.
  let (changedFields, deleted, wholes): (Int, Int, Int)

  init(_ page: ReviewPage, leftOut: RecordNames) {
    let fates = Fates(page, leftOut: leftOut)
    self.fates = fates
    let left = page.results.isEmpty ? [] : Array(leftOut)
    let moved = page.moved.map(\.conflict.id)
    let ids = page.action == .write ? moved + page.drafts.map(\.id) : page.results.map(\.id) + left
    counts = ids.reduce(into: [:]) { $0[fates[$1].rank, default: 0] += 1 }
    let toWrite = page.drafts.indices.filter { fates[page.drafts[$0].id] == .toWrite }
    let tried = page.drafts.count { !leftOut.contains($0.id) }
    (self.tried, writable) = (moved.count + tried, toWrite.count)
    changedFields = toWrite.reduce(0) { $0 + page.drafts[$1].changedFields }
    deleted = toWrite.count { page.drafts[$0].deletes }
    wholes = toWrite.count { page.drafts[$0].isOfTheWhole }
  }
}

/// What was made of a review last: of thousands of drafts it is counted and laid out when something of it changes, and not with every key.
final class ReviewMemory: Sendable, Equatable {
  /// What rows are made of beside the records.
  struct Look: Equatable {
    let leftOut: RecordNames
    let isDone: Bool
    /// What is offered of those that will not be written; nothing where all will be.
    let offers: [Bool]
    let layout: [Int]
    let privacy: Privacy
    let showsUnchanged: Bool
    let interrupted: [InterruptedWrite]
    /// Of those that moved, or were taken back, the ones that are in the list.
    let listed: [String]
  }

  /// The rows of all records.
  struct Made {
    let rows: [ReviewRow]
    /// How many the record has that has most.
    let most: Int

    init(_ records: [[ReviewRow]]) {
      rows = Array(records.joined())
      most = records.lazy.map(\.count).max() ?? 0
    }
  }

  private typealias Facts = (stamp: Int, leftOut: RecordNames, facts: ReviewFacts)
  private typealias Rows = (stamp: Int, look: Look, height: Int, made: Made)
  private let facts = Mutex<Facts?>(nil)
  private let rows = Mutex<Rows?>(nil)

  /// Of what has another order, and nothing else.
  func keepFacts(at stamp: ReviewStamp) { facts.withLock { $0?.stamp = stamp.number } }

  func facts(of page: ReviewPage, leftOut: RecordNames) -> ReviewFacts {
    facts.withLock { known in
      if let known, known.stamp == page.stamp.number, known.leftOut == leftOut { return known.facts }
      let facts = ReviewFacts(page, leftOut: leftOut)
      known = (page.stamp.number, leftOut, facts)
      return facts
    }
  }

  /// - Parameter height: of the screen, which is another one where the words below are; a record that fits into it has the same rows.
  func rows(of page: ReviewPage, _ look: Look, height: Int, _ make: () -> Made) -> [ReviewRow] {
    if let known = rows.withLock(\.self), known.stamp == page.stamp.number, known.look == look,
      known.height == height || known.made.most < min(known.height, height)
    {
      return known.made.rows
    }
    let made = make()
    rows.withLock { $0 = (page.stamp.number, look, height, made) }
    return made.rows
  }

  /// It says nothing that the page does not.
  static func == (left: ReviewMemory, right: ReviewMemory) -> Bool { true }
}
