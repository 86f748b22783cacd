/// One call to a store, which may take seconds: until when its answer is waited for, whether anybody still wants it, and where
/// its progress is told.
///
/// It goes with the task, as cancellation does in Swift, so that no method of a store has to be handed it. A store looks at
/// ``current`` between records, and wherever it waits for somebody else.
package struct StoreCall: Sendable {
  package struct Progress: Sendable, Equatable {
    package var done: Int
    package var all: Int

    package init(done: Int, all: Int) { (self.done, self.all) = (done, all) }
  }

  /// The one that is being answered. Without a desk around it nobody is in a hurry, and Ctrl-C ends the program.
  @TaskLocal package static var current = StoreCall()

  /// For those who wait for a socket; nil if there is no end to patience.
  package let deadline: ContinuousClock.Instant?
  private let isWanted: @Sendable () -> Bool
  private let hear: @Sendable (Progress) -> Void

  package init(
    deadline: ContinuousClock.Instant? = nil, isWanted: @escaping @Sendable () -> Bool = { true },
    hear: @escaping @Sendable (Progress) -> Void = { _ in }
  ) {
    (self.deadline, self.isWanted, self.hear) = (deadline, isWanted, hear)
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
  package static func begin(_ done: Int, of all: Int, in path: String) throws {
    try current.check(path)
    current.hear(Progress(done: done, all: all))
  }
}
