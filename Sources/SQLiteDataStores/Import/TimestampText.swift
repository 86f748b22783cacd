import ExactJSON
import StoreInterface

/// Times in CloudKit's JSON: milliseconds since 1970 as a number, or ISO 8601 as cktool writes it,
/// `2026-08-26T13:38:31.942Z`. A time without a zone is no time.
enum TimestampText {
  /// Nanoseconds since 1970; nil for what is neither, or lies beyond the years 1678 to 2261.
  static func nanoseconds(_ node: JSONNode) -> Int64? {
    switch node.content {
    case .literal(let number): milliseconds(number).flatMap { $0.nanoseconds }
    case .string(let text):
      Int64(text.text) == nil ? nanoseconds(text.text) : milliseconds(text.text).flatMap { $0.nanoseconds }
    case .array, .object: nil
    }
  }

  private static func milliseconds(_ number: String) -> Int64? {
    Int64(number) ?? Double(number).flatMap { Int64(exactly: $0.rounded()) }
  }

  private static func nanoseconds(_ text: String) -> Int64? {
    let parts = text.split(separator: "T", maxSplits: 1, omittingEmptySubsequences: false)
    guard parts.count == 2, let day = CalendarTime.days(parts[0]), let time = time(parts[1]) else {
      return nil
    }
    let (whole, overflows) = (day * 86_400 + time.seconds).multipliedReportingOverflow(by: 1_000_000_000)
    let (sum, tooLarge) = whole.addingReportingOverflow(time.nanoseconds)
    return overflows || tooLarge ? nil : sum
  }

  /// "13:38:31.942Z", "13:38:31+02:00": seconds since midnight in UTC, and the fraction.
  private static func time(_ text: Substring) -> (seconds: Int64, nanoseconds: Int64)? {
    guard let end = text.firstIndex(where: { "Z+-".contains($0) }), let offset = offset(text[end...]) else {
      return nil
    }
    let parts = text[..<end].split(separator: ".", maxSplits: 1, omittingEmptySubsequences: false)
    guard let seconds = clock(parts[0], limits: [24, 60, 61]) else { return nil }
    guard parts.count == 2 else { return (seconds - offset, 0) }
    guard !parts[1].isEmpty, digits(parts[1].prefix(9)) != nil else { return nil }
    let padded = (parts[1] + "000000000").prefix(9)
    return digits(padded).map { (seconds - offset, $0) }
  }

  private static func offset(_ text: Substring) -> Int64? {
    if text == "Z" { return 0 }
    let clock = clock(text.dropFirst(), limits: [24, 60])
    return text.hasPrefix("-") ? clock.map { -$0 * 60 } : clock.map { $0 * 60 }
  }

  /// Two digits between colons, each below its limit, in the unit of the last.
  private static func clock(_ text: Substring, limits: [Int64]) -> Int64? {
    let parts = text.split(separator: ":", omittingEmptySubsequences: false)
    guard parts.count == limits.count else { return nil }
    var sum: Int64 = 0
    for (part, limit) in zip(parts, limits) {
      guard part.utf8.count == 2, let number = digits(part), number < limit else { return nil }
      sum = sum * 60 + number
    }
    return sum
  }

  private static func digits(_ text: Substring) -> Int64? {
    text.utf8.allSatisfy { UInt8(ascii: "0")...UInt8(ascii: "9") ~= $0 } ? Int64(text) : nil
  }
}

extension Int64 {
  /// Milliseconds as nanoseconds; nil if there are too many.
  fileprivate var nanoseconds: Int64? {
    let (product, overflows) = multipliedReportingOverflow(by: 1_000_000)
    return overflows ? nil : product
  }
}
