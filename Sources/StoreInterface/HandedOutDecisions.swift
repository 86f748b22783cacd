import ExactJSON
import Merging

/// What a decision is about, among those of a journal.
package struct DecidedSubject: Hashable {
  let record: JSONText
  let subject: Subject
  /// Empty where what was decided about several conflicts of a record is not told apart.
  let conflict: String

  package init(_ decision: Decision, ofEachConflict: Bool = false) {
    (record, subject) = (JSONText(decision.id), decision.subject)
    conflict = ofEachConflict ? decision.fingerprint.conflict : ""
  }
}

/// Which of the decisions in a journal say what is in force: all of them would say no more, as ``RecordConflict/judged(_:isMoveAsked:)`` asks.
extension [Int] {
  /// Of these places of decisions, in the order in which they were taken: the last one about each subject of each conflict. Where a record
  /// has several, that is asked for each of them as it was when something was decided about it first, too, as only what came before counts for
  /// it; and the last taking back of each subject, which is so of all.
  ///
  /// - Parameters:
  ///   - subject: of the decision at a place; by a closure, as a decision is much to move.
  ///   - isTakenBack: whether it is one that takes back.
  package func handedOut(
    _ subject: (Int) -> DecidedSubject, isTakenBack: (Int) -> Bool
  ) -> [Int] {
    let last = lastOfEach(subject)
    if last.count == count { return self }
    let records = Dictionary(grouping: self) { subject($0).record }.values
    let kept = last.union(records.flatMap { $0.ofSeveral(subject, isTakenBack) })
    return filter(kept.contains)
  }

  private func lastOfEach(_ subject: (Int) -> DecidedSubject) -> Set<Int> {
    var last: [DecidedSubject: Int] = [:]
    for place in self { last[subject(place)] = place }
    return Set(last.values)
  }

  /// Of one record.
  private func ofSeveral(_ subject: (Int) -> DecidedSubject, _ isTakenBack: (Int) -> Bool) -> Set<Int> {
    let conflicts = map { subject($0).conflict }
    let all = Set(conflicts)
    if all.count == 1 { return [] }
    let takenBack = Dictionary(filter(isTakenBack).map { (subject($0).subject, $0) }) { $1 }
    return all.compactMap { conflicts.firstIndex(of: $0) }.reduce(into: Set(takenBack.values)) {
      $0.formUnion(Array(self[...$1]).lastOfEach(subject))
    }
  }
}

extension Sequence<Decision> {
  /// The last about each subject, oldest first given, of whichever conflict of its record; none that was taken back.
  package var standing: [Decision] {
    var last: [DecidedSubject: Decision] = [:]
    for decision in self { last[DecidedSubject(decision)] = decision.choice == nil ? nil : decision }
    return Array(last.values)
  }
}
