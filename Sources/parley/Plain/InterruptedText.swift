import Foundation
import StoreInterface
import Telling

/// What every command tells of writes that were interrupted, beside its own output. It names no record, as the output may be
/// for anybody; `log` and `doctor` do.
enum InterruptedText {
  /// - Parameter store: as a command names it.
  static func lines(_ writes: [InterruptedWrite], store: String) -> [String] {
    if writes.isEmpty { return [] }
    return writes.map(\.words) + [way(writes, store)]
  }

  private static func way(_ writes: [InterruptedWrite], _ store: String) -> String {
    let names = names(of: store)
    let way = ending(" (parley \(store))")
    if let hindrance = writes.hindrance {
      return "\(names) It cannot be finished now: \(hindrance). As soon as that is over \(way)"
    }
    let rest = writes.hindranceOfSome.map { " Not all of it can be finished yet: \($0)." } ?? ""
    let all = "\(names) \(way)" + rest
    return store.isURL ? all : "\(all) Do it before the app is started."
  }

  /// Of many alike `doctor` alone shows the first, and counts the others.
  static func names(of store: String) -> String { "parley doctor \(store) --all names each record." }

  /// What brings it to its end. What only looks does not, nor does the desk by being opened.
  ///
  /// - Parameter call: how the desk is opened, where that is known.
  static func ending(_ call: String = "") -> String {
    """
    r in the desk\(call) finishes it or takes it back, record by record, and so does the next write, undo or mending \
    with --yes, or import.
    """
  }

  /// What became of them, record by record, as whoever writes sees all names anyway.
  ///
  /// - Parameter log: the command that shows the journal.
  static func lines(_ finished: [FinishedWrite], log: String) -> [String] {
    let all = finished.reduce(0) { $0 + $1.records.count }
    // Of the same that became of many the log has one line.
    let names = "\(log) --kind interrupted --json --limit \(all) names each."
    return finished.flatMap { finished in
      let rest = finished.records.count - shown
      return [finished.words] + finished.records.prefix(shown).map { "  \($0.words)" }
        + (rest > 0 ? ["  and \(rest) more; \(names)"] : [])
    }
  }

  private static let shown = 20
}

extension ConflictStore {
  /// Before anything else is written, so that it is told what becomes of it. What is still open was told when the store was opened.
  @discardableResult func finishInterrupted(telling surroundings: Surroundings) throws -> [FinishedWrite] {
    // At the beginning of a write there is mostly nothing to be finished, and nothing was begun.
    let words = try hasInterruptedWrites() ? Interruption.unfinished : Interruption.unchanged
    let finished = try Interruption.told(words) { try finishInterruptedWrites() }
    if !finished.isEmpty { surroundings.opened.isFinished = true }
    let log = surroundings.opened.filling("parley log PATH")
    for line in InterruptedText.lines(finished, log: log) { try surroundings.errors.print("parley: " + line) }
    if try hasInterruptedWrites() {
      try surroundings.errors.print("parley: Not all of it is finished; parley doctor tells what, and why.")
    }
    try surroundings.errors.flush()
    return finished
  }

  /// At the beginning of a command. Of thousands of records it takes a while, and whoever interrupts that is told that nothing was changed.
  ///
  /// - Throws: ``CommandError/interrupted(words:)``
  func interruptedWritesAtStart(pause: UInt32) throws -> [InterruptedWrite] {
    guard (try? hasInterruptedWrites()) == true else { return [] }
    return try Interruption.reading(Interruption.unchanged) {
      let writes = lastingInterruptedWrites(pause: pause)
      try StoreCall.current.check(info.path)
      return writes
    }
  }

  /// What another Parley writes just now has its receipt a moment later, and was not interrupted.
  ///
  /// A journal that cannot be read is told by the commands that need it.
  ///
  /// - Parameter pause: in microseconds, between ten looks.
  func lastingInterruptedWrites(pause: UInt32 = 50_000) -> [InterruptedWrite] {
    for _ in 1...10 {
      guard (try? hasInterruptedWrites()) == true else { return [] }
      usleep(pause)
    }
    return (try? interruptedWrites()) ?? []
  }
}
