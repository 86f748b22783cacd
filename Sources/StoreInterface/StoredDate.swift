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

  /// The same date as SQLiteData writes it; nil for what it reads as none. It reads one without milliseconds, as SQLite's CURRENT_TIMESTAMP
  /// is, or with another number of digits, and passes over a zone behind (tried).
  package static func rewritten(_ text: String) -> String? {
    let whole = String(decoding: text.utf8.prefix(19), as: UTF8.self) + ".000"
    guard let seconds = secondsSince2001(whole), Self.text(secondsSince2001: seconds) == whole,
      let fraction = fraction(text.utf8.dropFirst(19))
    else { return nil }
    return Self.text(secondsSince2001: seconds + fraction)
  }

  /// Of ".678", with nothing or a zone behind it; 0 where there is none.
  private static func fraction(_ text: String.UTF8View.SubSequence) -> Double? {
    guard text.first == UInt8(ascii: ".") else { return isZone(text) ? 0 : nil }
    let digits = text.dropFirst().prefix(while: isDigit)
    guard !digits.isEmpty, isZone(text.dropFirst(1 + digits.count)) else { return nil }
    return Double("0." + String(decoding: digits, as: UTF8.self))
  }

  private static func isZone(_ text: String.UTF8View.SubSequence) -> Bool {
    text.first.map { "+-Z".utf8.contains($0) } ?? true
  }

  private static func isDigit(_ byte: UInt8) -> Bool {
    (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
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
