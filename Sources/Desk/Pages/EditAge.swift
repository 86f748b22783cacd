/// How long ago something was, as it is typed: `2h` is at least two hours, `<2h` less (s, m, h, d, w).
struct EditAge: Sendable, Equatable {
  /// What may be typed, as examples.
  static let examples = ["30m", "2h", "<3d", "1w"]

  /// Nanoseconds since 1970.
  private let (before, after): (Int64?, Int64?)

  /// nil for what is no length of time.
  ///
  /// - Parameter now: nanoseconds since 1970.
  init?(_ text: String, now: Int64) {
    let length = text.drop { "<>".contains($0) }
    let units: [Character: Int64] = ["s": 1, "m": 60, "h": 3_600, "d": 86_400, "w": 604_800]
    guard let count = Int64(length.dropLast()), let unit = length.last.flatMap({ units[$0] }),
      (0..<100_000).contains(count)
    else { return nil }
    let time = now - count * unit * 1_000_000_000
    (before, after) = text.hasPrefix("<") ? (nil, time) : (time, nil)
  }

  /// - Parameter time: nanoseconds since 1970; nil where nobody knows.
  func holds(_ time: Int64?) -> Bool {
    guard let time else { return false }
    return before.map { time <= $0 } ?? true && after.map { time > $0 } ?? true
  }
}
