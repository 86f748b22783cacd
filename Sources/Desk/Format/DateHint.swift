import Merging
import StoreInterface
import Telling
import Terminal

/// Dates as SQLiteData stores them: text `yyyy-MM-dd HH:mm:ss.SSS` in UTC. The column's type does not say so, its
/// values do.
struct DateHint {
  var text: String
  var ink: Ink

  /// What to tell about a text in a field whose other versions are dates.
  init?(_ value: Value, like conflict: FieldConflict, now: TimeText) {
    let others = Side.allCases.compactMap { conflict.version($0)?.value }.filter { $0 != .null }
    guard !others.isEmpty, others.allSatisfy({ DateHint.day($0) != nil }), value != .null else { return nil }
    guard let day = DateHint.day(value) else {
      (text, ink) = ("! the others are dates: yyyy-MM-dd HH:mm:ss.SSS", .needs.bold)
      return
    }
    let today = now.now.dividedDown(by: 86_400_000_000_000).quotient
    text = "\(CalendarTime(seconds: day * 86_400).weekdayName), \(DateHint.distance(day - today))"
    ink = .dim
  }

  /// Since 1970.
  private static func day(_ value: Value) -> Int64? {
    if case .text(let text) = value { CalendarTime.days(text.prefix(10)) } else { nil }
  }

  private static func distance(_ days: Int64) -> String {
    switch days {
    case 0: "today"
    case 1: "tomorrow"
    case -1: "yesterday"
    default: days > 0 ? "in \(days) days" : "\(-days) days ago"
    }
  }
}
