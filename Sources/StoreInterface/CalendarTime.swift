import Foundation

/// A time as the Gregorian calendar has it, also before that was made. Our own few lines, because they must hold for every
/// Int64.
package struct CalendarTime: Sendable, Equatable {
  package let year, month, day, hour, minute, second: Int64
  /// Sunday is 0.
  package let weekday: Int

  /// - Parameter seconds: since 1970, in UTC; or more or fewer by what another zone is off.
  package init(seconds: Int64) {
    let (days, ofDay) = seconds.dividedDown(by: 86_400)
    (hour, minute, second) = (ofDay / 3600, ofDay / 60 % 60, ofDay % 60)
    weekday = Int((days + 4).dividedDown(by: 7).remainder)
    // From 1 March of the year 0, so that a leap day ends a year and 400 years have 146097 days.
    let (era, dayOfEra) = (days + 719_468).dividedDown(by: 146_097)
    let yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
    let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
    // March is 0; the lengths of the months from March on follow (153 m + 2) / 5.
    let monthFromMarch = (5 * dayOfYear + 2) / 153
    day = dayOfYear - (153 * monthFromMarch + 2) / 5 + 1
    month = monthFromMarch < 10 ? monthFromMarch + 3 : monthFromMarch - 9
    year = yearOfEra + era * 400 + (month <= 2 ? 1 : 0)
  }

  package init(nanoseconds: Int64) { self.init(seconds: nanoseconds.dividedDown(by: 1_000_000_000).quotient) }

  /// Days since 1970. A day that its month does not have is one of a later month.
  package static func days(year: Int64, month: Int64, day: Int64) -> Int64 {
    let (era, yearOfEra) = (month <= 2 ? year - 1 : year).dividedDown(by: 400)
    let dayOfYear = (153 * (month > 2 ? month - 3 : month + 9) + 2) / 5 + day - 1
    return era * 146_097 + yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear - 719_468
  }

  /// Days since 1970 of "2026-11-20"; nil for what is no date.
  package static func days(_ date: some StringProtocol) -> Int64? {
    let parts = date.split(separator: "-").compactMap { Int64($0) }
    guard date.utf8.count == 10, parts.count == 3 else { return nil }
    let days = days(year: parts[0], month: parts[1], day: parts[2])
    // 31 February is carried over into March: then it was none.
    return CalendarTime(seconds: days * 86_400).date == String(date) ? days : nil
  }

  /// "2026-11-20"
  package var date: String { "\(year.padded(to: 4))-\(month.padded(to: 2))-\(day.padded(to: 2))" }

  /// "13:00:02"
  package var clock: String { "\(hour.padded(to: 2)):\(minute.padded(to: 2)):\(second.padded(to: 2))" }
}

extension Int64 {
  /// Rounded down, with what is left over.
  package func dividedDown(by divisor: Int64) -> (quotient: Int64, remainder: Int64) {
    let (quotient, remainder) = quotientAndRemainder(dividingBy: divisor)
    return remainder < 0 ? (quotient - 1, remainder + divisor) : (quotient, remainder)
  }

  /// With zeros in front.
  package func padded(to digits: Int) -> String {
    let text = String(self)
    return String(repeating: "0", count: Swift.max(0, digits - text.utf8.count)) + text
  }
}

package enum WallClock {
  /// Nanoseconds since 1970.
  @Sendable package static func now() -> Int64 {
    var time = timespec()
    clock_gettime(CLOCK_REALTIME, &time)
    return Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec)
  }
}
