/// Foundation's dates: seconds since the start of 2001 in UTC, as a Double.
package enum ReferenceDate {
  /// From the start of 1970 to the start of 2001.
  private static let secondsSince1970: Int64 = 978_307_200
  private static let nanosecond: Int64 = 1_000_000_000

  /// Nanoseconds since 1970, rounded to the microsecond: a Double of this decade is no finer. nil for what is no time,
  /// or lies further than 292 years from 1970.
  package static func nanoseconds(secondsSince2001 seconds: Double) -> Int64? {
    let whole = seconds.rounded(.down)
    guard abs(whole) < 8_000_000_000 else { return nil }
    let microseconds = Int64(((seconds - whole) * 1_000_000).rounded())
    return (Int64(whole) + secondsSince1970) * nanosecond + microseconds * 1000
  }

  package static func secondsSince2001(nanoseconds: Int64) -> Double {
    let seconds = nanoseconds / nanosecond
    return Double(seconds - secondsSince1970) + Double(nanoseconds - seconds * nanosecond) / 1_000_000_000
  }
}
