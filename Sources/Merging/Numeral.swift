/// A text that SQLite reads as a number: blanks around it, a sign, digits, a fraction, an exponent, and nothing else.
struct Numeral {
  private var rest: Substring.UTF8View
  private let text: String
  private var isWhole = true

  init?(_ typed: String) {
    let bare = Self.withoutBlanks(typed)
    (rest, text) = (bare.utf8, String(bare))
    guard passNumber(), rest.isEmpty else { return nil }
  }

  static func withoutBlanks(_ typed: String) -> Substring {
    let isBlank = { (byte: UInt8) in byte == 0x20 || 0x09...0x0D ~= byte }
    var bytes = typed.utf8.drop(while: isBlank)
    while let last = bytes.last, isBlank(last) { bytes.removeLast() }
    return Substring(bytes)
  }

  /// An integer with all its digits, if 64 bits hold it.
  var value: Value? {
    if isWhole, let integer = Int64(text) { return .integer(integer) }
    return Double(text).map { Value(wholeOrReal: $0) }
  }

  private mutating func passNumber() -> Bool {
    _ = pass("+") || pass("-")
    var digits = passDigits()
    if pass(".") {
      isWhole = false
      digits += passDigits()
    }
    guard digits > 0, pass("e") || pass("E") else { return digits > 0 }
    isWhole = false
    _ = pass("+") || pass("-")
    return passDigits() > 0
  }

  private mutating func pass(_ mark: Unicode.Scalar) -> Bool {
    guard rest.first == UInt8(ascii: mark) else { return false }
    rest.removeFirst()
    return true
  }

  private mutating func passDigits() -> Int {
    let digits = rest.prefix { 0x30...0x39 ~= $0 }.count
    rest.removeFirst(digits)
    return digits
  }
}
