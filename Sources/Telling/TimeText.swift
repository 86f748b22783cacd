import Foundation
import StoreInterface

/// Times as a person reads them. The model's times are nanoseconds since 1970.
package struct TimeText: Sendable, Equatable {
  package enum Style: String, Sendable, CaseIterable {
    case local, ago, utc

    /// "Times are now …".
    package var words: String {
      switch self {
      case .local: "local"
      case .ago: "shown as ages"
      case .utc: "UTC"
      }
    }
  }

  package var style = Style.local
  /// Nanoseconds since 1970; what "today" and "ago" are measured against.
  package var now: Int64
  /// The zone that ``Style/local`` means. Tests say UTC.
  package var localIsUTC: Bool

  package init(now: Int64, localIsUTC: Bool = false) {
    (self.now, self.localIsUTC) = (now, localIsUTC)
  }

  /// "12:04" today, "Mon 09:00" in the last days, "2026-11-02" before; "6m" as ago. In UTC a Z says so: "12:04Z".
  package func short(_ time: Int64?) -> String { text(time, seconds: false) }

  /// The same, but never as ago.
  package func clock(_ time: Int64?) -> String {
    var text = self
    if style == .ago { text.style = .local }
    return text.short(time)
  }

  /// The same with seconds.
  package func long(_ time: Int64?) -> String { text(time, seconds: true) }

  /// Whether two times are two and would read the same without seconds.
  package func needsSeconds(_ time: Int64?, _ other: Int64?) -> Bool {
    guard time != nil, other != nil else { return false }
    return short(time) == short(other) && long(time) != long(other)
  }

  /// "1m", "3h", "2d" since then; "in 5m" for a clock that is ahead.
  package func ago(_ time: Int64?) -> String {
    guard let time else { return "" }
    // Unsigned, as two times can be further apart than any signed number tells.
    let distance = UInt64(bitPattern: time > now ? time &- now : now &- time)
    let text = TimeText.rough(distance / 1_000_000_000)
    return time > now && distance > 1_000_000_000 ? "in \(text)" : text
  }

  private func text(_ time: Int64?, seconds: Bool) -> String {
    guard let time else { return "" }
    if style == .ago { return ago(time) }
    let (then, today) = (calendar(time), calendar(now))
    let clock =
      (seconds ? then.clock : String(then.clock.dropLast(3))) + (style == .utc ? "Z" : "")
    if then.date == today.date { return clock }
    let days = (now / 1_000_000_000 - time / 1_000_000_000) / 86400
    // A clock that is ahead may tell of tomorrow.
    if time <= now, (0..<6).contains(days) { return "\(then.weekdayName.prefix(3)) \(clock)" }
    return seconds ? "\(then.date) \(clock)" : then.date
  }

  private func calendar(_ time: Int64) -> CalendarTime {
    var seconds = time_t(time.dividedDown(by: 1_000_000_000).quotient)
    var local = tm()
    if style != .utc, !localIsUTC { localtime_r(&seconds, &local) }
    return CalendarTime(seconds: Int64(seconds + local.tm_gmtoff))
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

/// In UTC, as ISO 8601 writes them.
extension TimeText {
  /// `2026-11-20T13:00:02Z`: whole seconds, rounded down.
  package static func seconds(_ nanoseconds: Int64) -> String { dateAndTime(nanoseconds) + "Z" }

  /// The same with as many of milli-, micro- and nanoseconds as there are: `2026-11-20T13:00:02.250Z`.
  package static func full(_ nanoseconds: Int64) -> String {
    dateAndTime(nanoseconds) + fraction(nanoseconds.dividedDown(by: 1_000_000_000).remainder) + "Z"
  }

  private static func dateAndTime(_ nanoseconds: Int64) -> String {
    let time = CalendarTime(nanoseconds: nanoseconds)
    return "\(time.date)T\(time.clock)"
  }

  private static func fraction(_ nanoseconds: Int64) -> String {
    if nanoseconds == 0 { return "" }
    if nanoseconds % 1_000_000 == 0 { return "." + (nanoseconds / 1_000_000).padded(to: 3) }
    if nanoseconds % 1000 == 0 { return "." + (nanoseconds / 1000).padded(to: 6) }
    return "." + nanoseconds.padded(to: 9)
  }
}

extension CalendarTime {
  package var weekdayName: String {
    ["Sunday", "Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday"][weekday]
  }
}

/// A size as a person reads it: "950 B", "20 kB", "2.1 MB".
package func bytesInWords(_ count: Int) -> String {
  switch count {
  case ..<1_000: "\(count) B"
  case ..<1_000_000: "\(count / 1_000) kB"
  default: "\(count / 1_000_000).\(count % 1_000_000 / 100_000) MB"
  }
}
