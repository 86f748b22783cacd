import Synchronization

/// How often it is told how far long work is. A write comes to a thousand records a second and more: to draw each would take a core, and
/// nobody reads it.
final class Pace: Sendable {
  private let least: Duration
  private let last = Mutex<ContinuousClock.Instant?>(nil)

  /// - Parameter least: the time from one that is told to the next.
  init(least: Duration = .milliseconds(40)) { self.least = least }

  /// Whether it is time to tell again: the first at once.
  func isDue(at now: ContinuousClock.Instant = .now) -> Bool {
    last.withLock { last in
      if let last, last.duration(to: now) < least { return false }
      last = now
      return true
    }
  }
}
