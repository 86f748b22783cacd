import Merging
import StoreInterface

/// Why a record that was decided is written no longer, for commands and desk alike.
extension DecidedConflict {
  /// Why what was decided about it is not written.
  package var whyItMoved: String {
    let lost = outdated.map(\.subject.wholeName).joined(separator: ", ")
    if outdated.isEmpty { return "\(whatChangedSince) after it was decided\(openWords)" }
    return "what was decided about \(lost) no longer holds, as \(whyAllAreOutdated)"
  }

  private var whyAllAreOutdated: String {
    let gone = withoutField(outdated.map(\.subject))
    if gone.count == outdated.count { return Self.noSuchField }
    let names = gone.map(\.wholeName).joined(separator: ", ")
    let rest = gone.isEmpty ? "" : ", and there is no \(names) any more"
    return "\(whatChangedSince) after the decision\(rest)"
  }

  /// Why what was decided about one subject holds no longer.
  package func whyOutdated(_ subject: Subject) -> String {
    withoutField([subject]).isEmpty ? "\(whatChangedSince) since" : Self.noSuchField
  }

  /// Those of `subjects` of which the record has no field any more, as where its app has dropped or renamed a column: they cannot be decided
  /// anew. A record that was deleted may have none at all.
  package func withoutField(_ subjects: [Subject]) -> [Subject] {
    if deletedSince != nil { return [] }
    return subjects.filter { if case .field(let name) = $0 { conflict[name] == nil } else { false } }
  }

  package static let noSuchField = "there is no such field any more"

  /// What became of it after it was decided, in as many words as are known.
  package var whatChangedSince: String { deletedSince ?? conflict.whatChanged }

  /// That it was deleted after its fields were decided, in the words of a write that finds it so; nil where it was not. Fields are decided of
  /// what both sides have.
  package var deletedSince: String? {
    let gone = [Side.client, .server].filter { conflict.version($0).isGone }
    guard !outdated.isEmpty, outdated.allSatisfy({ $0.subject != .record }), let side = gone.first else {
      return nil
    }
    return "the record was deleted" + (gone.count == 1 ? " on the \(side.rawValue)" : "")
  }

  /// Why what was ready is not written: what another Parley did about it after this one had read the record, or else that it moved.
  ///
  /// - Parameter known: all that the journal has of it now.
  package func whyNotReady(since known: [Decision]) -> WhyNotReady {
    switch act(since: known) {
    case nil: return WhyNotReady(act: nil, words: whyItMoved)
    case .decidedOtherwise:
      let act = "it was decided otherwise since"
      return WhyNotReady(act: act, words: act + openWords)
    case .takenBack(let subjects):
      let words = { (what: String) in "what was decided about \(what) was taken back since" }
      let names = subjects.isEmpty ? "it" : subjects.map(\.wholeName).joined(separator: ", ")
      let holdsNoLonger = isMoved && !outdated.isEmpty
      let all = holdsNoLonger ? "\(words(names)), and \(whyItMoved)" : words("it") + openWords
      return WhyNotReady(act: words("it"), words: all)
    }
  }

  private enum Act {
    /// Empty where the record as a whole was.
    case takenBack([Subject])
    case decidedOtherwise
  }

  /// What another Parley did about what was ready; nil where it has only moved. Where something is open as it was taken back, that is so in any
  /// case. What was decided is why only where nothing has changed since: in a record that moved it is this Parley's own.
  private func act(since known: [Decision]) -> Act? {
    guard let last = known.last, !last.isWritten, !last.fingerprint.record.isEmpty else { return nil }
    let back = undecided.filter { isTakenBack($0, in: known) }
    if !back.isEmpty { return .takenBack(back) }
    let isWholeBack = last.choice == nil && last.subject == .record && !undecided.isEmpty
    if isMoved && !isWholeBack { return nil }
    return last.choice == nil ? .takenBack([]) : .decidedOtherwise
  }

  /// Whether the newest that was decided about it is that, whatever was decided about others after it.
  private func isTakenBack(_ subject: Subject, in known: [Decision]) -> Bool {
    let newest = known.last { $0.subject == subject || $0.subject == .record }
    return newest.map { $0.subject == subject && $0.choice == nil } ?? false
  }

  /// Where nothing is, a draft of it may wait, which nobody else makes ready.
  private var openWords: String {
    let isWaiting = conflict.details.waitingSince != nil
    if undecided.isEmpty { return isWaiting ? ", and its draft waits already" : "" }
    let names = undecided.map(\.wholeName).joined(separator: ", ")
    return ", and \(names) \(undecided.count == 1 ? "is" : "are") undecided now"
  }
}

/// Why what was ready is no draft any more.
package struct WhyNotReady {
  /// What another Parley did about it, without a name; nil where it has only moved.
  package let act: String?
  /// All that there is to tell.
  package let words: String
}
