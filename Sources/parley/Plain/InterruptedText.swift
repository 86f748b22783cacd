import Foundation
import Merging
import StoreInterface
import Telling

/// What every command tells of writes that were interrupted, beside its own output. It names no record, as the output may be
/// for anybody; `log` and `doctor` do.
enum InterruptedText {
  /// - Parameter store: as a command names it.
  static func lines(_ writes: [InterruptedWrite], store: String) -> [String] {
    if writes.isEmpty { return [] }
    return writes.map(\.words) + [way(writes.lazy.compactMap(\.hindrance).first, store)]
  }

  private static func way(_ hindrance: String?, _ store: String) -> String {
    let way = """
      r in the desk (parley \(store)) finishes it or takes it back, record by record, and so does the next write, \
      undo or mending with --yes.
      """
    if let hindrance {
      return "Nothing of that can be finished now: \(hindrance). As soon as that is over \(way)"
    }
    return store.isURL ? way : "\(way) Do it before the app is started."
  }
}

extension ConflictStore {
  /// Before anything else is written, so that it is told what becomes of it.
  func finishInterrupted(telling surroundings: Surroundings) throws {
    for finished in try finishInterruptedWrites() {
      try surroundings.errors.print("parley: " + finished.words)
    }
    try surroundings.errors.flush()
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
