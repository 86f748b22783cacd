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

/// Which of the decisions in a journal say what is in force: for how much was decided and taken back before, nobody has to read it.
extension [Int] {
  /// Of these places of decisions, in the order in which they were taken: the last one about each subject, and the beginnings that
  /// ``beginnings(keeping:_:)`` tells.
  ///
  /// - Parameters:
  ///   - isOfEachConflict: whether what was decided about several conflicts of a record is told apart.
  ///   - subject: of the decision at a place.
  package func handedOut(
    ofEachConflict isOfEachConflict: Bool, _ subject: (Int) -> DecidedSubject
  ) -> [Int] {
    var last: [DecidedSubject: Int] = [:]
    for place in self { last[subject(place)] = place }
    if last.count == count { return self }
    let kept = Set(last.values)
    let beginnings = isOfEachConflict ? beginnings(keeping: kept, subject) : []
    return filter { kept.contains($0) || beginnings.contains($0) }
  }

  /// The first about each conflict where something was decided about another one of the record before the first that is kept of it. It
  /// tells what came after it: see ``RecordConflict/own(of:)``.
  private func beginnings(keeping kept: Set<Int>, _ subject: (Int) -> DecidedSubject) -> Set<Int> {
    let records = Dictionary(grouping: self) { subject($0).record }.values
    return Set(records.flatMap { $0.beginningsOfOne(keeping: kept) { subject($0).conflict } })
  }

  private func beginningsOfOne(keeping kept: Set<Int>, _ conflict: (Int) -> String) -> [Int] {
    let conflicts = map(conflict)
    return Set(conflicts).compactMap { one in
      guard let first = conflicts.firstIndex(of: one) else { return nil }
      let until = indices[first...].prefix { conflicts[$0] != one || !kept.contains(self[$0]) }
      return until.contains { conflicts[$0] != one } ? self[first] : nil
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
