import Merging
import StoreInterface

/// What every command tells of writes that were interrupted, beside its own output. It names no record, as the output may be
/// for anybody; `log` and `doctor` do.
enum InterruptedText {
  /// - Parameter store: as a command names it.
  static func lines(_ writes: [InterruptedWrite], store: String) -> [String] {
    if writes.isEmpty { return [] }
    let way = """
      To finish or take back record by record what was begun: parley write \(store). \
      Without --yes it does nothing else. Do it before the app is started.
      """
    return writes.map(line) + [way]
  }

  /// "A write was interrupted: of its 3 records 2 are half written, 1 is untouched."
  private static func line(_ write: InterruptedWrite) -> String {
    let count = write.records.count == 1 ? "its 1 record" : "its \(write.records.count) records"
    let states = InterruptedWrite.State.allCases.compactMap { state in
      let found = write.records.count { $0.state == state }
      return found == 0 ? nil : "\(found) \(found == 1 ? "is" : "are") \(state.words)"
    }
    return
      "\(write.isUndo ? "An undo" : "A write") was interrupted: of \(count) \(states.joined(separator: ", "))."
  }
}
