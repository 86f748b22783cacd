import Dispatch
import StoreInterface
import Synchronization

/// Keeps the program until a commit is over, and until what was only tried is taken back.
///
/// A commit over several databases makes each of them durable by itself. A process that ends in between leaves the records of its write
/// half written until the next start, and an app that is started before that has rows without their metadata. Power may fail there, and
/// a process be killed; but who only asks it to end waits for these milliseconds.
///
/// What is only tried is a transaction, too. Of many records a part of it is in the files, beside the journal by which SQLite takes it
/// back: who copies the files alone would have records that nobody has decided on. So it is ended before its next record.
package enum CommitGate {
  private static let turn = DispatchSemaphore(value: 1)
  private static let tries = DispatchGroup()
  private static let isClosing = Atomic(false)
  private static let handlers = Mutex<(known: Handlers?, holds: Int)>((nil, 0))

  /// What keeps signals whose handlers would end the program, and lets them end it.
  package struct Handlers: Sendable {
    let hold, letGo: @Sendable () -> Void
    /// Whether a signal is kept.
    let hasHeard: @Sendable () -> Bool

    package init(
      hold: @escaping @Sendable () -> Void, letGo: @escaping @Sendable () -> Void,
      hasHeard: @escaping @Sendable () -> Bool
    ) {
      (self.hold, self.letGo, self.hasHeard) = (hold, letGo, hasHeard)
    }
  }

  /// From now on these are called around each commit, and around what is only tried.
  package static func use(_ new: Handlers) { handlers.withLock { $0.known = new } }

  static func begin() {
    turn.wait()
    hold()
  }

  static func end() {
    letGo()
    turn.signal()
  }

  private static func hold() {
    handlers.withLock { handlers in
      if handlers.holds == 0 { handlers.known?.hold() }
      handlers.holds += 1
    }
  }

  private static func letGo() {
    handlers.withLock { handlers in
      handlers.holds -= 1
      if handlers.holds == 0 { handlers.known?.letGo() }
    }
  }

  /// Runs `body`, which changes a store and takes that back, and asks ``StoreCall/current`` before each step whether it is wanted. Nobody
  /// hears of its end who ends the program meanwhile.
  package static func trying<Result>(_ body: () throws -> Result) rethrows -> Result {
    tries.enter()
    hold()
    defer {
      letGo()
      tries.leave()
      if isClosing.load(ordering: .relaxed) { DispatchSemaphore(value: 0).wait() }
    }
    return try StoreCall.current.wanted(also: { !isAskedToEnd }).answered(by: body)
  }

  private static var isAskedToEnd: Bool {
    isClosing.load(ordering: .relaxed) || handlers.withLock { $0.known?.hasHeard() ?? false }
  }

  /// Waits for one that has begun, and lets none begin any more: for who ends the program after that. A disk that does not answer is
  /// waited for a while.
  package static func close() {
    isClosing.store(true, ordering: .relaxed)
    _ = tries.wait(timeout: .now() + 10)
    _ = turn.wait(timeout: .now() + 10)
  }
}
