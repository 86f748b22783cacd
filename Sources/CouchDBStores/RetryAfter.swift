import Foundation

/// When a server wants to be asked again: `Retry-After`, which is a number of seconds or a date (RFC 9110, 10.2.3).
enum RetryAfter {
  /// In seconds. Whoever is told to wait longer is told so, and decides.
  static let longest = 60

  /// nil where it says neither.
  static func seconds(_ text: String, now: Date) -> Int? {
    if let seconds = Int(text) { return max(0, seconds) }
    let reader = DateFormatter()
    reader.locale = Locale(identifier: "en_US_POSIX")
    reader.timeZone = TimeZone(identifier: "GMT")
    reader.dateFormat = "EEE, dd MMM yyyy HH:mm:ss 'GMT'"
    guard let date = reader.date(from: text) else { return nil }
    return Int(min(max(0, date.timeIntervalSince(now).rounded(.up)), 1e9))
  }
}
