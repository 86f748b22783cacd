import Desk
import Merging

/// Tells from one glance at a store after another what others did to it.
///
/// A file's time moves in steps, and two writes within one step can leave the same traces. So what was seen to change is told
/// once it has stood still for a glance: by then the step is over, and what is read afterwards is all there is. A lock that
/// somebody held for a moment is passed over by this, too. A store that never stands still is told of every few glances.
struct StoreWatch {
  /// How many glances in a row may differ before the store is told of all the same.
  static let patience = 5

  private var told: StoreGlance
  private var last: StoreGlance
  private var restless = 0

  /// - Parameter glance: what the desk knows.
  init(_ glance: StoreGlance) { (told, last) = (glance, glance) }

  /// Takes the next glance; what it is time to tell.
  mutating func see(_ glance: StoreGlance) -> [DeskEvent] {
    restless = glance == last ? 0 : restless + 1
    last = glance
    guard restless == 0 || restless >= StoreWatch.patience else { return [] }
    restless = 0
    defer { told = glance }
    return (glance.access == told.access ? [] : [.accessChanged(glance.access)])
      + (glance.traces == told.traces ? [] : [.storeChanged])
  }
}
