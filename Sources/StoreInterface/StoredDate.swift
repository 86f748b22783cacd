/// Dates as SQLiteData keeps them in TEXT: `2026-11-21 00:00:00.000`, in UTC.
package enum StoredDate {
  /// nil for what is no date, or lies outside of the years 1 to 9999.
  package static func text(secondsSince2001 seconds: Double) -> String? {
    // Milliseconds are rounded, as a Double does not keep most of them exactly: the text went up, the text comes back.
    let milliseconds = ((seconds + 978_307_200) * 1000).rounded()
    guard milliseconds.isFinite, milliseconds.magnitude < 1e15 else { return nil }
    return text(milliseconds: Int64(milliseconds))
  }

  /// nil if the text is none of these.
  package static func secondsSince2001(_ text: String) -> Double? {
    let parts = text.split { !("0"..."9").contains($0) }.compactMap { Int64($0) }
    guard text.utf8.count == 23, parts.count == 7 else { return nil }
    let days = CalendarTime.days(year: parts[0], month: parts[1], day: parts[2])
    let seconds = days * 86_400 + parts[3] * 3600 + parts[4] * 60 + parts[5] - 978_307_200
    return Double(seconds) + Double(parts[6]) / 1000
  }

  /// - Parameter time: nanoseconds since 1970.
  package static func text(nanoseconds time: Int64) -> String {
    text(milliseconds: time.dividedDown(by: 1_000_000).quotient) ?? ""
  }

  private static func text(milliseconds: Int64) -> String? {
    let (seconds, rest) = milliseconds.dividedDown(by: 1000)
    let time = CalendarTime(seconds: seconds)
    guard (1...9999).contains(time.year) else { return nil }
    return "\(time.date) \(time.clock).\(rest.padded(to: 3))"
  }
}
