import StoreInterface
import Telling

/// A server that says nothing. How long it has is told with every second, so no clock has to be asked; and nobody has to wait for it.
extension DeskState {
  mutating func note(_ wait: StoreCall.Wait?, for errand: Errand) -> [DeskEffect] {
    waits[errand] = wait
    return []
  }

  /// Of several the longest, and what ends it; nil while nobody waits.
  var waitWords: String? {
    guard let wait = waits.values.max(by: { $0.seconds < $1.seconds }) else { return nil }
    return wait.words.capitalizedFirst + "." + (canStopWaiting ? " \(key(.back)) waits no longer." : "")
  }

  /// What stops by itself when it is left has no need of it, and a write tells what is stopped.
  var canStopWaiting: Bool {
    guard !waits.isEmpty else { return false }
    if let review = top(ReviewPage.self) { return review.stage == .ready || review.stage == .done }
    return top(FamilyPage.self)?.isReading(on: self) != true && bulk?.work == nil
  }

  /// Before anything else that Esc does: who presses it while a server says nothing has had enough of that.
  mutating func stopWaiting() -> [DeskEffect] {
    waits = [:]
    let words = "The server is waited for no longer. \(key(.reload)) asks it again."
    return [.stopWaiting] + tell(words + forgetTyped())
  }
}
