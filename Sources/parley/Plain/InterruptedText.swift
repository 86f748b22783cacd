import Merging
import StoreInterface

#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// What every command tells of writes that were interrupted, beside its own output. It names no record, as the output may be
/// for anybody; `log` and `doctor` do.
enum InterruptedText {
  /// - Parameter store: as a command names it.
  static func lines(_ writes: [InterruptedWrite], store: String) -> [String] {
    if writes.isEmpty { return [] }
    return writes.map(\.words) + [way(writes.lazy.compactMap(\.hindrance).first, store)]
  }

  private static func way(_ hindrance: String?, _ store: String) -> String {
    let command = "parley write \(store)"
    if let hindrance {
      return """
        Nothing of that can be finished now: \(hindrance). As soon as that is over \(command) finishes it or takes it back, \
        record by record, and does nothing else without --yes.
        """
    }
    return """
      To finish or take back record by record what was begun: \(command). \
      Without --yes it does nothing else. Do it before the app is started.
      """
  }
}

extension ConflictStore {
  /// What another Parley writes just now has its receipt a moment later, and was not interrupted.
  ///
  /// A journal that cannot be read is told by the commands that need it.
  func lastingInterruptedWrites() -> [InterruptedWrite] {
    for _ in 1...10 {
      guard (try? hasInterruptedWrites()) == true else { return [] }
      usleep(50_000)
    }
    return (try? interruptedWrites()) ?? []
  }
}
