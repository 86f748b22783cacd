import Merging
import StoreInterface

/// Why a record that was decided is written no longer, for commands and desk alike.
extension DecidedConflict {
  /// Why what was decided about it is not written.
  package var whyItMoved: String {
    let lost = outdated.map(\.subject.wholeName).joined(separator: ", ")
    if outdated.isEmpty { return "\(whatChangedSince) after it was decided\(openWords)" }
    return "what was decided about \(lost) no longer holds, as \(whatChangedSince) after the decision"
  }

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
  package func whyNotReady(since known: [Decision]) -> String {
    let holdsNoLonger = isMoved && !outdated.isEmpty
    guard let act = act(since: known, on: holdsNoLonger ? takenBack(known) : "it") else { return whyItMoved }
    return act + (holdsNoLonger ? ", and \(whyItMoved)" : openWords)
  }

  /// What another Parley did about what was ready; nil where it has only moved. Where nothing of it has changed since the newest decision,
  /// that is why it is not written; where that took back what is open now, it is so in any case.
  ///
  /// - Parameters:
  ///   - known: all that the journal has of it now.
  ///   - what: what was taken back, in words.
  package func act(since known: [Decision], on what: String = "it") -> String? {
    guard let last = known.last, !last.isWritten, !last.fingerprint.record.isEmpty else { return nil }
    guard last.choice == nil else { return isMoved ? nil : "it was decided otherwise since" }
    let isOpen = last.subject == .record ? !undecided.isEmpty : undecided.contains(last.subject)
    return isMoved && !isOpen ? nil : "what was decided about \(what) was taken back since"
  }

  /// "title": what is open as that was taken back.
  private func takenBack(_ known: [Decision]) -> String {
    let back = undecided.filter { subject in
      known.last { $0.subject == subject }.map { $0.choice == nil } == true
    }
    return back.isEmpty ? "it" : back.map(\.wholeName).joined(separator: ", ")
  }

  /// Where nothing is, a draft of it may wait, which nobody else makes ready.
  private var openWords: String {
    let isWaiting = conflict.details.waitingSince != nil
    if undecided.isEmpty { return isWaiting ? ", and its draft waits already" : "" }
    let names = undecided.map(\.wholeName).joined(separator: ", ")
    return ", and \(names) \(undecided.count == 1 ? "is" : "are") undecided now"
  }
}
