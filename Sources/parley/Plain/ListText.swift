import Merging
import StoreInterface
import Telling

/// The lines of `parley list`.
enum ListText {
  static let heading = ["STATE", "OPEN", "RECORD", "TITLE", "WHY", "LAST EDIT"]

  /// - Parameter isShort: keys are shortened to their end, which names them still: UUIDs that are made one after
  ///   another often begin alike.
  static func row(_ summary: ConflictSummary, isShort: Bool) -> [String] {
    [
      summary.stateWords, "\(summary.undecided)", name(summary, isShort: isShort), summary.title,
      why(summary),
      lastEdit(summary),
    ]
  }

  static func name(_ summary: ConflictSummary, isShort: Bool) -> String {
    guard isShort else { return summary.id }
    let key = summary.primaryKey
    return "\(summary.table)/" + (key.count > 12 ? "…" + key.suffix(8) : key)
  }

  /// "2 conflicts, 1 of them ready to write."
  static func count(_ conflicts: Int, ready: Int) -> String {
    switch (conflicts, ready) {
    case (0, _): "No conflicts."
    case (1, 0): "1 conflict."
    case (1, _): "1 conflict, ready to write."
    case (_, 0): "\(conflicts) conflicts."
    default: "\(conflicts) conflicts, \(ready) of them ready to write."
    }
  }

  private static func why(_ summary: ConflictSummary) -> String {
    let reason = Privacy.open.why(summary.why)
    let why = summary.notWritable.map { "\(reason) (cannot be written: \($0))" } ?? reason
    return summary.isMoved ? "changed since it was decided; \(why)" : why
  }

  private static func lastEdit(_ summary: ConflictSummary) -> String {
    guard let time = summary.lastEditTime else { return "-" }
    return "\(summary.lastEdit?.rawValue ?? "both") \(TimeText.seconds(time))"
  }
}
