import Merging
import StoreInterface

/// Why a record that was decided is written no longer, for commands and desk alike.
extension DecidedConflict {
  /// Why what was decided about it is not written.
  package var whyItMoved: String {
    let lost = outdated.map(\.subject.wholeName).joined(separator: ", ")
    return outdated.isEmpty
      ? "\(conflict.whatChanged) after it was decided\(openWords)"
      : "what was decided about \(lost) no longer holds, as \(conflict.whatChanged) after the decision"
  }

  /// Why what was ready is not written. Where nothing of it has changed since the newest decision, that decision is why: another Parley
  /// took it after this one had read the record.
  ///
  /// - Parameter known: all that the journal has of it now.
  package func whyNotReady(since known: [Decision]) -> String {
    guard !isMoved, let last = known.last, !last.isWritten, !last.fingerprint.record.isEmpty else {
      return whyItMoved
    }
    let act = last.choice == nil ? "what was decided about it was taken back" : "it was decided otherwise"
    return "\(act) since\(openWords)"
  }

  /// Where nothing is, a draft of it may wait, which nobody else makes ready.
  private var openWords: String {
    let isWaiting = conflict.details.waitingSince != nil
    if undecided.isEmpty { return isWaiting ? ", and its draft waits already" : "" }
    let names = undecided.map(\.wholeName).joined(separator: ", ")
    return ", and \(names) \(undecided.count == 1 ? "is" : "are") undecided now"
  }
}
