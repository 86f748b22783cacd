import Dispatch
import Synchronization

/// Keeps the program until a commit is over.
///
/// A commit over several databases makes each of them durable by itself. A process that ends in between leaves the records of its write
/// half written until the next start, and an app that is started before that has rows without their metadata. Power may fail there, and
/// a process be killed; but who only asks it to end waits for these milliseconds.
package enum CommitGate {
  private static let turn = DispatchSemaphore(value: 1)
  private static let handlers = Mutex<Handlers?>(nil)

  /// What keeps signals whose handlers would end the program, and lets them end it.
  package struct Handlers: Sendable {
    let hold, letGo: @Sendable () -> Void

    package init(hold: @escaping @Sendable () -> Void, letGo: @escaping @Sendable () -> Void) {
      (self.hold, self.letGo) = (hold, letGo)
    }
  }

  /// From now on these are called around each commit.
  package static func use(_ new: Handlers) { handlers.withLock { $0 = new } }

  static func begin() {
    turn.wait()
    handlers.withLock(\.self)?.hold()
  }

  static func end() {
    handlers.withLock(\.self)?.letGo()
    turn.signal()
  }

  /// Waits for one that has begun, and lets none begin any more: for who ends the program after that. A disk that does not answer is
  /// waited for a while.
  package static func close() { _ = turn.wait(timeout: .now() + 10) }
}
