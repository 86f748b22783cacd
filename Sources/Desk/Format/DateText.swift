import Merging
import Terminal

#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// Dates as SQLiteData stores them: text `yyyy-MM-dd HH:mm:ss.SSS` in UTC. The column's type does not say so, its
/// values do.
enum DateText {
  struct Hint {
    var text: String
    var ink: Ink
  }

  /// What to tell about a text in a field whose other versions are dates.
  static func hint(_ value: Value, like conflict: FieldConflict, now: TimeText) -> Hint? {
    let others = Side.allCases.compactMap { conflict.version($0)?.value }.filter { $0 != .null }
    guard !others.isEmpty, others.allSatisfy({ day($0) != nil }), value != .null else { return nil }
    guard let date = day(value) else {
      return Hint(text: "! the others are dates: yyyy-MM-dd HH:mm:ss.SSS", ink: .needs.bold)
    }
    return Hint(text: "\(date.weekday), \(distance(date.seconds, now.now / 1_000_000_000))", ink: .dim)
  }

  private struct Day {
    var weekday: String
    /// Since 1970.
    var seconds: Int64
  }

  private static func day(_ value: Value) -> Day? {
    guard case .text(let text) = value, text.utf8.count >= 10 else { return nil }
    let parts = text.prefix(10).split(separator: "-", omittingEmptySubsequences: false).map { Int32($0) }
    guard parts.count == 3, let year = parts[0], let month = parts[1], let day = parts[2] else { return nil }
    var broken = tm()
    (broken.tm_year, broken.tm_mon, broken.tm_mday) = (year - 1900, month - 1, day)
    let seconds = timegm(&broken)
    // timegm carries 2026-02-31 over into March: then it was no date.
    guard broken.tm_mon == month - 1, broken.tm_mday == day else { return nil }
    let names = ["Sunday", "Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday"]
    return Day(weekday: names[Int(broken.tm_wday) % 7], seconds: Int64(seconds))
  }

  private static func distance(_ then: Int64, _ now: Int64) -> String {
    let days = (then - now / 86400 * 86400) / 86400
    return switch days {
    case 0: "today"
    case 1: "tomorrow"
    case -1: "yesterday"
    default: days > 0 ? "in \(days) days" : "\(-days) days ago"
    }
  }
}
