import ExactJSON
import Merging

/// Why a store refused a draft when it was to be written, or looked whether it could be. It is kept with the decision that made the
/// draft what it is: with another one it is another draft.
package struct DraftRefusal: Sendable, Equatable {
  /// nil: it is about the record as a whole.
  package var field: String?
  package var reason: String

  package init(field: String?, reason: String) { (self.field, self.reason) = (field, reason) }

  package var outcome: CheckedWrite.Outcome { .refused(field: field, reason) }
}

/// That a key points to nothing, in the same words where a conflict tells it as it is read and where the store is asked. Refusals are kept
/// as words, so by these it is known again.
extension DraftRefusal {
  /// - Parameters:
  ///   - values: of the key, one for each of its columns.
  ///   - table: that it points to; nil where nobody knows.
  package static func missing(_ values: [Value], in table: String?) -> String {
    let record = values.map { RowJSON.encode($0) }.joined(separator: ", ")
    return missingRecord + record + (table.map { " in \($0)" } ?? "")
  }

  package var isOfMissingRecord: Bool { reason.hasPrefix(DraftRefusal.missingRecord) }

  private static let missingRecord = "there is no record "
}

extension Sequence<Decision> {
  /// Whether all of this is decided already: it makes the same draft, of which the store has said what it thinks.
  ///
  /// - Parameter known: the newest decision about each subject of the record.
  package func isDecided(by known: some Sequence<Decision>) -> Bool {
    allSatisfy { new in
      known.contains {
        $0.id.hasSameBytes(as: new.id) && $0.subject == new.subject && $0.choice == new.choice
          && $0.fingerprint == new.fingerprint
      }
    }
  }
}

extension Sequence<Decision> {
  /// Those that change something: the others are in force already, and a journal keeps none of them again.
  ///
  /// - Parameter known: the newest decision about each subject of their records, oldest first.
  package func changing(_ known: [Decision]) -> [Decision] {
    var known = ByRecord(grouping: known, by: \.id)
    return filter { decision in
      let before = known[decision.id] ?? []
      if decision.isInForce(among: before) { return false }
      known[decision.id] = before.filter { $0.subject != decision.subject } + [decision]
      return true
    }
  }
}

extension Decision {
  /// Whether the same was decided of the same, which was not written since. The newest decision about the record tells what was seen of
  /// that, and one about a field may overrule one about the record, or the other way round.
  ///
  /// - Parameter known: see ``Swift/Sequence/changing(_:)``.
  fileprivate func isInForce(among known: [Decision]) -> Bool {
    guard let place = known.firstIndex(where: { $0.subject == subject }) else { return false }
    let before = known[place]
    return before.choice == choice && before.fingerprint == fingerprint && !before.isWritten
      && (note == nil || note == before.note)
      && known[place...].allSatisfy {
        ($0.subject == .record) == (subject == .record) && $0.fingerprint.record == fingerprint.record
      }
  }
}

extension CheckedWrite.Outcome {
  /// What is kept of a draft that came to this: nil where it was refused, and there is nothing to tell.
  package var refusal: DraftRefusal? {
    if case .refused(let field, let reason) = self { DraftRefusal(field: field, reason: reason) } else { nil }
  }

  /// Whether what the store said to the draft before is said no longer: it was taken, or refused, or was sent and may have been taken. What
  /// moved, or was not reached, was not looked at.
  package var isAnswer: Bool {
    switch self {
    case .fine, .refused, .partly, .notKnown: true
    case .moved, .notReached: false
    }
  }
}
