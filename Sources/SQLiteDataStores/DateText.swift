/// Dates as SQLiteData keeps them in TEXT: `2026-11-21 00:00:00.000`, in UTC.
package enum DateText {
  /// nil for what is no date, or lies outside of the years 1 to 9999.
  static func text(secondsSince2001 seconds: Double) -> String? {
    // Milliseconds are rounded, as a Double does not keep most of them exactly: the text went up, the text comes back.
    let milliseconds = ((seconds + 978_307_200) * 1000).rounded()
    guard milliseconds.isFinite, milliseconds.magnitude < 1e15 else { return nil }
    return text(milliseconds: Int64(milliseconds))
  }

  /// nil if the text is none of these.
  package static func secondsSince2001(_ text: String) -> Double? {
    let parts = text.split { !("0"..."9").contains($0) }.compactMap { Int64($0) }
    guard text.utf8.count == 23, parts.count == 7 else { return nil }
    let days = day(year: parts[0], month: parts[1], day: parts[2])
    let seconds = days * 86_400 + parts[3] * 3600 + parts[4] * 60 + parts[5] - 978_307_200
    return Double(seconds) + Double(parts[6]) / 1000
  }

  /// Days since 1970; the inverse of ``civil(day:)``.
  static func day(year: Int64, month: Int64, day: Int64) -> Int64 {
    let year = month <= 2 ? year - 1 : year
    let era = (year >= 0 ? year : year - 399) / 400
    let yearOfEra = year - era * 400
    let dayOfYear = (153 * (month > 2 ? month - 3 : month + 9) + 2) / 5 + day - 1
    return era * 146_097 + yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear - 719_468
  }

  /// - Parameter time: nanoseconds since 1970.
  package static func text(nanoseconds time: Int64) -> String {
    text(milliseconds: (time - (time % 1_000_000 + 1_000_000) % 1_000_000) / 1_000_000) ?? ""
  }

  private static func text(milliseconds: Int64) -> String? {
    let day = 86_400_000 as Int64
    let inDay = (milliseconds % day + day) % day
    let (year, month, date) = civil(day: (milliseconds - inDay) / day)
    guard (1...9999).contains(year) else { return nil }
    let (hour, minute, second) = (inDay / 3_600_000, inDay / 60_000 % 60, inDay / 1000 % 60)
    return "\(padded(year, 4))-\(padded(month, 2))-\(padded(date, 2)) "
      + "\(padded(hour, 2)):\(padded(minute, 2)):\(padded(second, 2)).\(padded(inDay % 1000, 3))"
  }

  /// The Gregorian date of a day since 1970, counting in eras of 400 years that begin on the first of March.
  private static func civil(day: Int64) -> (year: Int64, month: Int64, day: Int64) {
    let shifted = day + 719_468
    let era = (shifted >= 0 ? shifted : shifted - 146_096) / 146_097
    let dayOfEra = shifted - era * 146_097
    let year = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
    let dayOfYear = dayOfEra - (365 * year + year / 4 - year / 100)
    let marchMonth = (5 * dayOfYear + 2) / 153
    let month = marchMonth < 10 ? marchMonth + 3 : marchMonth - 9
    return (year + era * 400 + (month <= 2 ? 1 : 0), month, dayOfYear - (153 * marchMonth + 2) / 5 + 1)
  }

  private static func padded(_ number: Int64, _ width: Int) -> String {
    let digits = String(number)
    return String(repeating: "0", count: max(0, width - digits.utf8.count)) + digits
  }
}
