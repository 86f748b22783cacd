/// A bracketed paste, behind its opening `ESC [200~`, which ncurses has taken.
///
/// ncurses reads byte for byte and no further than a sequence, so the rest can be read past it. That keeps escape
/// sequences inside a paste from being taken for keys.
///
/// Over a slow line it may stop. What has come is given out then, and what comes later is of it as well, and no key, until its end has
/// come. That may be lost: so that nobody is locked out, Esc or Ctrl-C that comes by itself, once or more often, with nothing behind it
/// for ``Pauses/behindEscape``, ends a paste, which is all that it does then; and so does ``longest`` without a byte. One that comes only
/// once before anything was given out is the paste's own rather, as of coloured text: behind that the paste may stop as anywhere.
struct Paste {
  /// A terminal that has begun a paste sends all of it, but a line may be down for as long as this.
  static let longest = Duration.seconds(60)
  private static let end = Array("\u{1B}[201~".utf8)

  private(set) var isEnded = false
  private var bytes: [UInt8] = []
  private var last: ContinuousClock.Instant
  /// How many Esc and Ctrl-C came last, the first of them behind a pause: somebody's or the paste's own. What comes next shows it.
  private var keys = 0
  /// Whether what had come was given out without its end.
  private var hasStopped = false

  init(at now: ContinuousClock.Instant) { last = now }

  /// Whether what comes now is of it.
  func isOpen(at now: ContinuousClock.Instant, _ pauses: Pauses) -> Bool {
    !isEnded && now < last + (mayBeLeft ? pauses.behindEscape : Self.longest)
  }

  /// Whether what came last is of somebody who ends it, unless more comes soon.
  private var mayBeLeft: Bool { keys > (hasStopped ? 0 : 1) }

  /// How long more of it is waited for, where that is otherwise `pause`: what is typed behind keys that end it is none of it.
  func patience(_ pause: Duration, _ pauses: Pauses) -> Duration {
    mayBeLeft ? min(pause, pauses.behindEscape) : pause
  }

  /// Takes the first byte behind a pause.
  mutating func goOn(with byte: UInt8, at now: ContinuousClock.Instant) {
    take(byte, at: now)
    if keys == 0, Self.isOfKey(byte) { keys = 1 }
  }

  private static func isOfKey(_ byte: UInt8) -> Bool { byte == 27 || byte == 3 }

  mutating func take(_ byte: UInt8, at now: ContinuousClock.Instant) {
    bytes.append(byte)
    (last, keys) = (now, keys > 0 && Self.isOfKey(byte) ? keys + 1 : 0)
    isEnded = bytes.hasSuffix(Self.end)
    if isEnded { bytes.removeLast(Self.end.count) }
  }

  /// What has come and was not taken yet, but for a letter, or its end, of which more is to come, for the line ends before that, which
  /// nobody sees as such but with what is behind them, and for what may be keys.
  mutating func takeText() -> String {
    let whole = bytes.count - (isEnded ? 0 : begun)
    defer { bytes.removeFirst(whole) }
    hasStopped = true
    return Self.text(Array(bytes[..<whole]))
  }

  private var begun: Int { keys + Self.begun(atEndOf: Array(bytes.dropLast(keys))) }

  private static func begun(atEndOf bytes: [UInt8]) -> Int {
    let ofEnd = (1..<end.count).last { bytes.hasSuffix(Array(end.prefix($0))) }
    let count = ofEnd ?? TypedCharacter.begun(atEndOf: bytes)
    return count + bytes.dropLast(count).reversed().prefix { $0 == 10 || $0 == 13 }.count
  }

  /// The text, with the line ends of a terminal (CR) as newlines.
  static func text(_ bytes: [UInt8]) -> String {
    String(decoding: bytes, as: UTF8.self)
      .split(omittingEmptySubsequences: false) { $0 == "\r\n" || $0 == "\r" }
      .joined(separator: "\n")
  }
}

extension Array where Element: Equatable {
  fileprivate func hasSuffix(_ other: Self) -> Bool {
    count >= other.count && suffix(other.count) == other[...]
  }
}
