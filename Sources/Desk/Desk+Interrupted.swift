import Merging
import StoreInterface
import Telling

/// A write that was begun and never finished may be half in the store, so that is told before anything else.
extension DeskState {
  mutating func foundInterrupted(_ writes: [InterruptedWrite]) -> [DeskEffect] {
    if writes == interrupted { return [] }
    interrupted = writes
    return tell(
      interruptedStatus
        ?? .told("What was interrupted is finished now, or taken back. parley log tells how."))
  }

  /// With every key, behind what that itself has to tell; what it was refused by may be the same.
  mutating func notHeard(_ words: String) -> [DeskEffect] {
    let said = status.map { $0.text + " " } ?? ""
    return said.contains(words) ? [] : tell(.failed(said + words))
  }

  /// nil if nothing was interrupted.
  var interruptedStatus: Status? {
    if interrupted.isEmpty { return nil }
    return .failed(interrupted.map(\.words).joined(separator: " ") + " " + wayOut)
  }

  private var wayOut: String {
    guard let hindrance else { return "r finishes it or takes it back, record by record." }
    return "It cannot be finished now: \(hindrance). Then r finishes it."
  }

  private var hindrance: String? { interrupted.lazy.compactMap(\.hindrance).first ?? access.reason }

  /// What `r` does beside reading.
  var finishing: [DeskEffect] { interrupted.isEmpty ? [] : [.finishInterrupted] }
}
