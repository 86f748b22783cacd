/// Times in UTC, as ISO 8601 writes them. Our own few lines, because they must hold for every Int64 without a calendar.
enum TimeText {
  private static let second: Int64 = 1_000_000_000

  /// `2026-11-20T13:00:02Z`: whole seconds, rounded down.
  static func seconds(_ nanoseconds: Int64) -> String { dateAndTime(nanoseconds) + "Z" }

  /// The same with as many of milli-, micro- and nanoseconds as there are: `2026-11-20T13:00:02.250Z`.
  static func full(_ nanoseconds: Int64) -> String {
    dateAndTime(nanoseconds) + fraction(floorModulo(nanoseconds, second)) + "Z"
  }

  private static func dateAndTime(_ nanoseconds: Int64) -> String {
    let seconds = floorDivide(nanoseconds, second)
    let (year, month, day) = date(daysSince1970: floorDivide(seconds, 86400))
    let ofDay = floorModulo(seconds, 86400)
    return "\(padded(year, 4))-\(padded(month, 2))-\(padded(day, 2))"
      + "T\(padded(ofDay / 3600, 2)):\(padded(ofDay % 3600 / 60, 2)):\(padded(ofDay % 60, 2))"
  }

  /// The proleptic Gregorian calendar, counted from 1 March of the year 0, so that a leap day ends a year and 400 years
  /// have 146097 days.
  private static func date(daysSince1970: Int64) -> (year: Int64, month: Int64, day: Int64) {
    let days = daysSince1970 + 719_468
    let era = floorDivide(days, 146_097)
    let dayOfEra = floorModulo(days, 146_097)
    let yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
    let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
    // March is 0; the lengths of the months from March on follow (153 m + 2) / 5.
    let monthFromMarch = (5 * dayOfYear + 2) / 153
    let day = dayOfYear - (153 * monthFromMarch + 2) / 5 + 1
    let month = monthFromMarch < 10 ? monthFromMarch + 3 : monthFromMarch - 9
    return (yearOfEra + era * 400 + (month <= 2 ? 1 : 0), month, day)
  }

  private static func fraction(_ nanoseconds: Int64) -> String {
    if nanoseconds == 0 { return "" }
    if nanoseconds % 1_000_000 == 0 { return "." + padded(nanoseconds / 1_000_000, 3) }
    if nanoseconds % 1000 == 0 { return "." + padded(nanoseconds / 1000, 6) }
    return "." + padded(nanoseconds, 9)
  }

  private static func padded(_ number: Int64, _ digits: Int) -> String {
    let text = String(number)
    return String(repeating: "0", count: max(0, digits - text.count)) + text
  }

  private static func floorDivide(_ number: Int64, _ by: Int64) -> Int64 {
    number / by - (number % by < 0 ? 1 : 0)
  }

  private static func floorModulo(_ number: Int64, _ by: Int64) -> Int64 {
    let rest = number % by
    return rest < 0 ? rest + by : rest
  }
}
