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

  /// Whether it is written in digits alone, and the nearest Double is another whole number.
  var isRounded: Bool {
    guard isWhole, let real = Double(text), real.isFinite, real != 0 else { return false }
    let digits = text.utf8.drop { [UInt8(ascii: "+"), UInt8(ascii: "-"), UInt8(ascii: "0")].contains($0) }
    return !real.magnitude.allDigits.utf8.elementsEqual(digits)
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

extension Double {
  /// All digits of a whole number, of which a description beyond 2^53 has no more than tell it from other Doubles. Of all else the
  /// description.
  package var allDigits: String {
    if let integer = Int64(exactly: self) { return "\(integer)" }
    guard isFinite, exponent > 52 else { return "\(self)" }
    var digits = "\(Int64(significand * 0x1p52))".utf8.reversed().map { $0 - 0x30 }
    for _ in 52..<exponent { digits.double() }
    return (self < 0 ? "-" : "") + String(decoding: digits.reversed().map { $0 + 0x30 }, as: UTF8.self)
  }
}

extension [UInt8] {
  /// The last digit of a number comes first.
  fileprivate mutating func double() {
    var carry: UInt8 = 0
    for place in indices {
      let twice = self[place] * 2 + carry
      (self[place], carry) = (twice % 10, twice / 10)
    }
    if carry > 0 { append(carry) }
  }
}
