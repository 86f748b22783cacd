import Merging
import StoreInterface

/// What a bulk act did to one record: what it decided, where nothing was decided before.
package struct BulkChange: Sendable, Equatable {
  package struct Taken: Sendable, Equatable {
    package let subject: Subject
    package let choice: Choice
  }

  package let id: String
  /// The fingerprint of all that was to be seen of it.
  let seen: String
  package let taken: [Taken]
}

/// What is to be done to many records, a part at a time.
package enum BulkJob: Sendable, Equatable {
  case decide([BulkRecord], BulkRules)
  /// Takes back what is still as it was decided.
  case takeBack([BulkChange])
  /// Decides the same again, where nothing else is decided and the record is as it was.
  case takeAgain([BulkChange])

  package var ids: [String] {
    switch self {
    case .decide(let records, _): records.map(\.id)
    case .takeBack(let changes), .takeAgain(let changes): changes.map(\.id)
    }
  }

  var count: Int {
    switch self {
    case .decide(let records, _): records.count
    case .takeBack(let changes), .takeAgain(let changes): changes.count
    }
  }

  /// As many of it as one transaction of the journal holds, from `start` on.
  func part(from start: Int) -> BulkJob {
    let range = start..<min(start + BulkRequest.most, count)
    return switch self {
    case .decide(let records, let rules): .decide(Array(records[range]), rules)
    case .takeBack(let changes): .takeBack(Array(changes[range]))
    case .takeAgain(let changes): .takeAgain(Array(changes[range]))
    }
  }
}

/// What became of a part of a job.
package struct BulkResult: Sendable, Equatable {
  package var changes: [BulkChange] = []
  /// How many of them made a draft, or took one back: of the other records something was, or is, left to decide.
  package var drafts = 0
  /// Of the records that changed.
  package var summaries: [ConflictSummary] = []
  /// How many are not as they were, or not there: nothing was done to them.
  package var moved = 0
}

/// What a bulk act asks the store.
package struct BulkRequest: Sendable, Equatable {
  package enum Question: Sendable, Equatable {
    /// What rules need to know of these.
    case read([String])
    /// These in full, as they are in sight.
    case show([String])
    /// Time: of the decisions, in nanoseconds since 1970.
    case work(BulkJob, at: Int64)
    /// What the store says to the drafts that the rules come to. The number is told by the answer.
    case check(Int, [BulkRecord], BulkRules)
  }

  /// How many records are asked for at once: one transaction of the journal, and a moment of whoever waits for a record.
  static let most = 500

  /// The number of the bulk act, so that an answer to an earlier one is known.
  package let act: Int
  package let question: Question

  package var ids: [String] {
    switch question {
    case .read(let ids), .show(let ids): ids
    case .work(let job, _): job.ids
    case .check(_, let records, _): records.map(\.id)
    }
  }
}

/// What comes back.
package struct BulkAnswer: Sendable {
  package enum Content: Sendable {
    /// Those that are still there.
    case read([BulkRecord])
    case shown([DecidedConflict])
    case worked(BulkResult)
    /// nil where the store could not say.
    case checked(Int, [CheckedWrite]?)
    case failed(String)
  }

  package let act: Int
  package let content: Content

  package init(act: Int, _ content: Content) { (self.act, self.content) = (act, content) }
}

extension BulkRequest {
  /// The answer, and what the journal has to have before it is given.
  ///
  /// - Parameters:
  ///   - found: those of ``ids`` that are there, as they are now.
  ///   - check: asks the store; its failure is told by the review, which asks again.
  package func answer(
    _ found: [DecidedConflict], check: ([PlannedWrite]) throws -> [CheckedWrite]
  ) -> (decisions: [Decision], BulkAnswer) {
    switch question {
    case .read: return ([], BulkAnswer(act: act, .read(found.map(BulkRecord.init))))
    case .show: return ([], BulkAnswer(act: act, .shown(found)))
    case .work(let job, let time):
      let (decisions, result) = job.done(found, at: time)
      return (decisions, BulkAnswer(act: act, .worked(result)))
    case .check(let number, let records, let rules):
      let outcomes = try? check(rules.writes(of: records, in: found))
      return ([], BulkAnswer(act: act, .checked(number, outcomes)))
    }
  }
}

extension BulkJob {
  fileprivate func done(_ found: [DecidedConflict], at now: Int64) -> ([Decision], BulkResult) {
    let found = ByRecord(found.map { ($0.conflict.id, $0) }) { first, _ in first }
    var (decisions, result) = ([Decision](), BulkResult())
    let apply = { (change: BulkChange?, isTaken: Bool) in
      guard let change, let record = found[change.id] else {
        result.moved += 1
        return
      }
      decisions += result.apply(change, isTaken: isTaken, to: record, at: now)
    }
    switch self {
    case .decide(let records, let rules):
      for record in records { apply(found[record.id].flatMap { rules.change($0, seen: record) }, true) }
    case .takeBack(let changes): for change in changes { apply(found[change.id]?.standing(change), false) }
    case .takeAgain(let changes): for change in changes { apply(found[change.id]?.repeating(change), true) }
    }
    return (decisions, result)
  }
}

extension BulkResult {
  fileprivate mutating func apply(
    _ change: BulkChange, isTaken: Bool, to record: DecidedConflict, at now: Int64
  ) -> [Decision] {
    let after = record.taking(change, isTaken: isTaken)
    changes.append(change)
    if (isTaken ? after : record).isDecided { drafts += 1 }
    summaries.append(after.summary)
    return record.decisions(about: change.taken.map(\.subject), in: after.resolution, at: now)
  }
}

extension BulkRules {
  /// What would be written if these rules decided: of each record that is as it was seen.
  fileprivate func writes(of records: [BulkRecord], in found: [DecidedConflict]) -> [PlannedWrite] {
    let seen = ByRecord(records.map { ($0.id, $0) }) { first, _ in first }
    return found.compactMap { record in
      guard let change = seen[record.conflict.id].flatMap({ self.change(record, seen: $0) }),
        let draft = record.conflict.draft(record.taking(change).resolution)
      else { return nil }
      return PlannedWrite(seen: record.conflict, draft: draft)
    }
  }

  /// What these rules decide; nil where they leave something, or the record is not what was seen of it any more.
  package func change(_ record: DecidedConflict, seen: BulkRecord) -> BulkChange? {
    let now = BulkRecord(record)
    guard now == seen, now.exception == nil else { return nil }
    let taken = zip(record.undecided, now.open).compactMap { subject, open in
      way(for: open)?.choice(for: subject, in: record.conflict).map {
        BulkChange.Taken(subject: subject, choice: $0)
      }
    }
    return taken.count == now.open.count ? BulkChange(id: now.id, seen: now.seen, taken: taken) : nil
  }
}

extension DecidedConflict {
  /// - Parameter isTaken: whether the change is made, and not taken back.
  package func taking(_ change: BulkChange, isTaken: Bool = true) -> DecidedConflict {
    var resolution = resolution
    for taken in change.taken { resolution.decide(taken.subject, isTaken ? taken.choice : nil) }
    return deciding(resolution)
  }

  /// What of a change still stands, be it in force or not; nil if nothing does. What is in force was decided of the record as it is now,
  /// so that it can be made again of that: a write that was taken back may have left the same values under other revisions.
  fileprivate func standing(_ change: BulkChange) -> BulkChange? {
    let inForce = change.taken.filter { resolution[$0.subject] == $0.choice }
    let standing = change.taken.filter { taken in
      inForce.contains(taken)
        || outdated.contains { $0.subject == taken.subject && $0.choice == taken.choice }
    }
    if standing.isEmpty { return nil }
    var fingerprints = Fingerprints(conflict)
    let seen = inForce == standing ? fingerprints.ofEverything() : change.seen
    return BulkChange(id: change.id, seen: seen, taken: standing)
  }

  /// The change, if the record is as it was when it was made, or taken back.
  fileprivate func repeating(_ change: BulkChange) -> BulkChange? {
    var fingerprints = Fingerprints(conflict)
    let isAsBefore =
      fingerprints.ofEverything() == change.seen && conflict.details.waitingSince == nil
      && change.taken.allSatisfy { resolution[$0.subject] == nil }
    return isAsBefore ? change : nil
  }
}
