import Synchronization

/// A clock on which time goes by when somebody looks at it, and not else: so nobody has to wait for minutes of a server's silence.
final class LookedAtClock: Sendable {
  private let start = ContinuousClock.now
  private let passed = Mutex(0)

  /// - Parameter seconds: how many are over with this look.
  func look(passing seconds: Int) -> ContinuousClock.Instant {
    passed.withLock { passed in
      passed += seconds
      return start + .seconds(passed)
    }
  }
}
