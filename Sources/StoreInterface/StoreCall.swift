import Synchronization

/// One call to a store, which may take seconds: until when its answer is waited for, whether anybody still wants it, and where
/// its progress is told.
///
/// It goes with the task, as cancellation does in Swift, so that no method of a store has to be handed it. A store looks at
/// ``current`` between records, and wherever it waits for somebody else.
package struct StoreCall: Sendable {
  package struct Progress: Sendable, Equatable {
    package var done: Int
    package var all: Int
    /// Whether all are checked, and what is to be told of each is read.
    package var isTelling: Bool

    package init(done: Int, all: Int, isTelling: Bool = false) {
      (self.done, self.all, self.isTelling) = (done, all, isTelling)
    }

    /// Whether the last one is at hand, after which nothing is told until all is.
    package var isLast: Bool { done + 1 >= all }
  }

  /// How long somebody else has said nothing who is waited for, and how long that is waited for, in seconds.
  package struct Wait: Sendable, Equatable {
    package var seconds: Int
    package var most: Int

    package init(seconds: Int, most: Int) { (self.seconds, self.most) = (seconds, most) }
  }

  /// The one that is being answered. Without a desk around it nobody is in a hurry, and Ctrl-C ends the program.
  @TaskLocal package static var current = StoreCall()

  /// For those who wait for a socket; nil if there is no end to patience.
  package let deadline: ContinuousClock.Instant?
  private let isWanted: @Sendable () -> Bool
  private let hear: @Sendable (Progress) -> Void
  private let waits: Waits

  package init(
    deadline: ContinuousClock.Instant? = nil, isWanted: @escaping @Sendable () -> Bool = { true },
    hear: @escaping @Sendable (Progress) -> Void = { _ in },
    hearWait: @escaping @Sendable (Wait?) -> Void = { _ in }
  ) {
    self.init(deadline, isWanted, hear, Waits(hearWait))
  }

  private init(
    _ deadline: ContinuousClock.Instant?, _ isWanted: @escaping @Sendable () -> Bool,
    _ hear: @escaping @Sendable (Progress) -> Void, _ waits: Waits
  ) {
    (self.deadline, self.isWanted, self.hear, self.waits) = (deadline, isWanted, hear, waits)
  }

  /// The same for what has to come to its end: nobody can end it, and whoever waits is told of it all the same.
  package var unstoppable: StoreCall { StoreCall(nil, { true }, { _ in }, waits) }

  /// The same where somebody else may also want it no longer.
  package func wanted(also isWanted: @escaping @Sendable () -> Bool) -> StoreCall {
    StoreCall(deadline, { isWanted() && self.isWanted() }, hear, waits)
  }

  /// Runs `body` as this call, in which every store that it asks is asked within it.
  package func answered<Answer>(by body: () throws -> Answer) rethrows -> Answer {
    try StoreCall.$current.withValue(self, operation: body)
  }

  /// What ends it here; nil if it goes on.
  package func end(of path: String) -> StoreError? {
    if !isWanted() { return .stopped(path: path) }
    if let deadline, ContinuousClock.now >= deadline { return .noAnswer(path: path) }
    return nil
  }

  /// Goes on, or does not.
  ///
  /// - Throws: ``StoreError/stopped(path:)``, ``StoreError/noAnswer(path:)``
  package func check(_ path: String) throws { if let end = end(of: path) { throw end } }

  /// Goes on with the next of `all` things, or does not. How many are done is told.
  ///
  /// - Throws: ``StoreError/stopped(path:)``, ``StoreError/noAnswer(path:)``
  package static func begin(_ done: Int, of all: Int, in path: String, isTelling: Bool = false) throws {
    try current.check(path)
    current.hear(Progress(done: done, all: all, isTelling: isTelling))
  }
}

extension StoreCall {
  /// One who waits for somebody else in a call, of which several threads may work.
  package final class Waiter: Sendable {
    package init() {}

    /// - Parameters:
    ///   - waited: how long nothing has come.
    ///   - most: in seconds; less where nobody waits so long for the answer to the whole call.
    package func waits(_ waited: Duration, of most: Int) {
      let call = StoreCall.current
      let left = call.deadline.map { waited + ContinuousClock.now.duration(to: $0) }
      let most = min(most, left.map(\.wholeSeconds) ?? most)
      call.waits.note(Wait(seconds: min(most, waited.wholeSeconds), most: most), of: self)
    }

    package func isAnswered() { StoreCall.current.waits.note(nil, of: self) }
  }

  /// Those who wait. Of several the one is told that waits longest, and when it is another, or another second.
  fileprivate final class Waits: Sendable {
    private struct State {
      var waits: [ObjectIdentifier: Wait] = [:]
      var told: Wait?
    }

    private let state = Mutex(State())
    private let hear: @Sendable (Wait?) -> Void

    init(_ hear: @escaping @Sendable (Wait?) -> Void) { self.hear = hear }

    /// It is told within the lock, so that what is told last is what is so.
    func note(_ wait: Wait?, of waiter: Waiter) {
      state.withLock { state in
        state.waits[ObjectIdentifier(waiter)] = wait
        let longest = state.waits.values.max { ($0.seconds, $0.most) < ($1.seconds, $1.most) }
        guard longest != state.told else { return }
        state.told = longest
        hear(longest)
      }
    }
  }
}

extension Duration {
  /// None is begun: a second is told when it is over.
  fileprivate var wholeSeconds: Int { Int(components.seconds) }
}
