#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// Times as a person reads them. The model's times are nanoseconds since 1970.
package struct TimeText: Sendable, Equatable {
  package enum Style: String, Sendable, CaseIterable {
    case local, ago, utc
  }

  package var style: Style
  /// Nanoseconds since 1970; what "today" and "ago" are measured against.
  package var now: Int64
  /// The zone that ``Style/local`` means. Tests say UTC.
  package var localIsUTC: Bool

  package init(style: Style = .local, now: Int64, localIsUTC: Bool = false) {
    self.style = style
    self.now = now
    self.localIsUTC = localIsUTC
  }

  /// "12:04" today, "Mon 09:00" in the last days, "2026-11-02" before; "6m" as ago.
  package func short(_ time: Int64?) -> String { text(time, seconds: false) }

  /// The same with seconds.
  package func long(_ time: Int64?) -> String { text(time, seconds: true) }

  /// "1m", "3h", "2d" since then; "in 5m" for a clock that is ahead.
  package func ago(_ time: Int64?) -> String {
    guard let time else { return "" }
    let (difference, overflow) = now.subtractingReportingOverflow(time)
    guard !overflow else { return "" }
    let text = TimeText.rough(difference.magnitude / 1_000_000_000)
    return difference < -1_000_000_000 ? "in \(text)" : text
  }

  private func text(_ time: Int64?, seconds: Bool) -> String {
    guard let time else { return "" }
    if style == .ago { return ago(time) }
    let (then, today) = (parts(time), parts(now))
    let clock = two(then.hour) + ":" + two(then.minute) + (seconds ? ":" + two(then.second) : "")
    let suffix = style == .utc && seconds ? "Z" : ""
    if then.date == today.date { return clock + suffix }
    let days = (now / 1_000_000_000 - time / 1_000_000_000) / 86400
    if (0..<6).contains(days) { return "\(weekday(then.weekday)) \(clock)\(suffix)" }
    return seconds ? "\(then.date) \(clock)\(suffix)" : then.date
  }

  private struct Parts {
    var date: String
    var weekday, hour, minute, second: Int
  }

  private func parts(_ time: Int64) -> Parts {
    var seconds = time_t(time / 1_000_000_000)
    var broken = tm()
    if style == .utc || localIsUTC { gmtime_r(&seconds, &broken) } else { localtime_r(&seconds, &broken) }
    let date = "\(broken.tm_year + 1900)-\(two(Int(broken.tm_mon) + 1))-\(two(Int(broken.tm_mday)))"
    return Parts(
      date: date, weekday: Int(broken.tm_wday), hour: Int(broken.tm_hour), minute: Int(broken.tm_min),
      second: Int(broken.tm_sec))
  }

  private func two(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }

  private func weekday(_ number: Int) -> String {
    ["Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"][number % 7]
  }

  private static func rough(_ seconds: UInt64) -> String {
    switch seconds {
    case ..<60: "\(seconds)s"
    case ..<3600: "\(seconds / 60)m"
    case ..<86400: "\(seconds / 3600)h"
    case ..<(86400 * 365): "\(seconds / 86400)d"
    default: "\(seconds / (86400 * 365))y"
    }
  }
}
