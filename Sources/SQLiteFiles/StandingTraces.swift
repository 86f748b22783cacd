import Synchronization

/// What the files of a store look like to who watches them, where a transaction of this process that is taken back moves them.
///
/// A check does all that a write does, and takes it back. Of many records some goes to the disk before, and to close the last
/// connection empties the `-wal`: then the files have another size and another time, and hold what they held.
package final class StandingTraces: Sendable {
  private struct State {
    /// What is shown while the transaction goes on: nobody else can write meanwhile.
    var held: [Int64]?
    /// What the last one that was taken back left in the files, and what is shown for it.
    var left: (files: [Int64], shown: [Int64])?

    func shown(for files: [Int64]) -> [Int64] {
      if let held { return held }
      guard let left, left.files == files else { return files }
      return left.shown
    }
  }

  private let state = Mutex(State())

  package init() {}

  /// - Parameter files: as they are now.
  package func shown(for files: [Int64]) -> [Int64] { state.withLock { $0.shown(for: files) } }

  /// The transaction has its lock: what others wrote before is in `files`.
  package func hold(_ files: [Int64]) { state.withLock { $0.held = $0.shown(for: files) } }

  /// The transaction will be committed.
  package func release() { state.withLock { $0.held = nil } }

  /// The connection is closed. What somebody writes in the few microseconds before `files` are looked at is not told of; a write
  /// compares all the same.
  package func settle(_ files: [Int64]) {
    state.withLock { state in
      guard let held = state.held else { return }
      (state.held, state.left) = (nil, (files, held))
    }
  }
}
