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

  /// Whether it is written in digits alone, and 64 bits hold it.
  var isKeptByDigits: Bool { isWhole && Int64(text) != nil }

  /// The nearest Double, be it infinity.
  var nearest: Double? { Double(text) }

  /// Whether the nearest Double is another number than was written: of a whole number with all its digits, a point or an exponent behind
  /// them or not, or with more digits than tell each Double from every other, and of what is not zero where that would be left. Of a
  /// fraction, and of 1e23, nobody counts on every digit.
  var isRounded: Bool {
    let (digits, places) = decimal
    guard let real = nearest, real.isFinite, !digits.isEmpty else { return false }
    if real == 0 { return true }
    guard isWholeNumber, places <= 0 || digits.count > 17 else { return false }
    return !real.magnitude.allDigits.utf8.elementsEqual(wholeDigits)
  }

  /// Whether it is one number, however both are written, but for the sign.
  func isSame(as other: Numeral) -> Bool { shortest == other.shortest }

  /// Without the zeros behind its digits. Zero has no digits, and no place.
  private var shortest: (digits: [UInt8], places: Int) {
    var (digits, places) = decimal
    if digits.isEmpty { return ([], 0) }
    while digits.last == UInt8(ascii: "0") {
      digits.removeLast()
      places += 1
    }
    return (digits, places)
  }

  /// However it is written: 1e3 and 7.0 are.
  var isWholeNumber: Bool {
    let (digits, places) = decimal
    if digits.isEmpty || places >= 0 { return true }
    return digits.count > -places && digits.suffix(-places).allSatisfy { $0 == UInt8(ascii: "0") }
  }

  /// The whole number that was written, however it was, if 64 bits hold it.
  var integer: Int64? {
    let (digits, places) = decimal
    // Of more places no zeros are made: there may be a thousand million.
    guard isWholeNumber, digits.isEmpty || places <= 19 else { return nil }
    let sign = text.hasPrefix("-") ? "-" : ""
    return Int64(sign + "0" + String(decoding: wholeDigits, as: UTF8.self))
  }

  /// All digits of a whole number, also those that were not written; of zero none.
  private var wholeDigits: [UInt8] {
    let (digits, places) = decimal
    if digits.isEmpty { return [] }
    if places <= 0 { return digits.dropLast(-places) }
    return digits + Array(repeating: UInt8(ascii: "0"), count: places)
  }

  /// Its digits without zeros in front, and how many places before the point the last of them stands; behind it, below zero.
  private var decimal: (digits: [UInt8], places: Int) {
    let parts = text.utf8.split(maxSplits: 1) { [UInt8(ascii: "e"), UInt8(ascii: "E")].contains($0) }
    let digits = parts[0].filter { 0x30...0x39 ~= $0 }.drop { $0 == UInt8(ascii: "0") }
    let decimals = parts[0].reversed().firstIndex(of: UInt8(ascii: ".")).map {
      parts[0].distance(from: $0.base, to: parts[0].endIndex)
    }
    return (Array(digits), (parts.count > 1 ? Self.exponent(parts[1]) : 0) - (decimals ?? 0))
  }

  /// Beyond a thousand million all are alike.
  private static func exponent(_ bytes: Substring.UTF8View) -> Int {
    let most = 1_000_000_000
    let isNegative = bytes.first == UInt8(ascii: "-")
    let exponent = Int(Substring(bytes)) ?? (isNegative ? -most : most)
    return min(max(exponent, -most), most)
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
