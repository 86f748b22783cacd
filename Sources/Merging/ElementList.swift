/// The elements of a JSON array of texts, numbers, `true`, `false` and `null`, as in `["red", 2]` (RFC 8259).
///
/// Each element is its own JSON text, exactly as it was written: 1 and "1" and 1.0 stay three elements, and an integer
/// too large for a Double is carried through unharmed. Repeated elements count once, as in a set.
struct ElementList: Equatable {
  /// UTF-8, because a String would take two Unicode normal forms of one text for equal.
  typealias Element = [UInt8]

  private var elements: [Element] = []
  private var members: Set<Element> = []

  /// nil if `value` is not a text that holds such an array. Arrays and objects as elements have no equality that an
  /// app would agree with, so they are refused.
  init?(_ value: Value) {
    guard case .text(let text) = value else { return nil }
    var scanner = ElementScanner(bytes: Array(text.utf8))
    guard let elements = scanner.array() else { return nil }
    append(elements)
  }

  private mutating func append(_ added: [Element]) {
    for element in added where members.insert(element).inserted { elements.append(element) }
  }

  func contains(_ element: Element) -> Bool { members.contains(element) }

  func filter(_ isIncluded: (Element) -> Bool) -> ElementList {
    var copy = self
    copy.elements = elements.filter(isIncluded)
    copy.members = Set(copy.elements)
    return copy
  }

  /// These elements, then those of `other` that are not among them.
  func adding(_ other: ElementList) -> ElementList {
    var copy = self
    copy.append(other.elements)
    return copy
  }

  /// Whatever the order, as sets are.
  static func == (left: ElementList, right: ElementList) -> Bool { left.members == right.members }

  /// The array, written without spaces.
  var json: String { "[" + elements.map { String(decoding: $0, as: UTF8.self) }.joined(separator: ",") + "]" }
}

/// Reads one flat JSON array. Every function answers nil or false where the text is not one.
private struct ElementScanner {
  let bytes: [UInt8]
  var position = 0

  mutating func array() -> [ElementList.Element]? {
    skipSpace()
    guard take("[") else { return nil }
    skipSpace()
    var elements: [ElementList.Element] = []
    if !take("]") {
      repeat {
        guard let element = element() else { return nil }
        elements.append(element)
      } while take(",")
      guard take("]") else { return nil }
    }
    skipSpace()
    return position == bytes.count ? elements : nil
  }

  private mutating func element() -> ElementList.Element? {
    skipSpace()
    let start = position
    guard string() || number() || literal("true") || literal("false") || literal("null") else { return nil }
    let element = Array(bytes[start..<position])
    skipSpace()
    return element
  }

  private mutating func string() -> Bool {
    guard take("\"") else { return false }
    while let byte = peek, byte >= 0x20 {
      position += 1
      if byte == UInt8(ascii: "\"") { return true }
      if byte == UInt8(ascii: "\\"), !escape() { return false }
    }
    return false
  }

  private mutating func escape() -> Bool {
    if take("u") { return (0..<4).allSatisfy { _ in takeAny { isHexDigit($0) } } }
    return takeAny { "\"\\/bfnrt".utf8.contains($0) }
  }

  /// `-`, then 0 or digits without a leading 0, then a fraction, then an exponent.
  private mutating func number() -> Bool {
    let start = position
    _ = take("-")
    let isNumber = (take("0") || digits()) && (!take(".") || digits()) && exponent()
    if !isNumber { position = start }
    return isNumber
  }

  private mutating func exponent() -> Bool {
    guard take("e") || take("E") else { return true }
    _ = take("+") || take("-")
    return digits()
  }

  private mutating func digits() -> Bool {
    let start = position
    while takeAny({ isDigit($0) }) {}
    return position > start
  }

  private mutating func literal(_ word: String) -> Bool {
    guard bytes[position...].starts(with: word.utf8) else { return false }
    position += word.utf8.count
    return true
  }

  private mutating func skipSpace() { while takeAny({ " \t\n\r".utf8.contains($0) }) {} }

  private mutating func take(_ character: Unicode.Scalar) -> Bool {
    takeAny { $0 == UInt8(ascii: character) }
  }

  private mutating func takeAny(_ isWanted: (UInt8) -> Bool) -> Bool {
    guard let byte = peek, isWanted(byte) else { return false }
    position += 1
    return true
  }

  private var peek: UInt8? { position < bytes.count ? bytes[position] : nil }
}

private func isDigit(_ byte: UInt8) -> Bool { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) }

private func isHexDigit(_ byte: UInt8) -> Bool {
  isDigit(byte) || (UInt8(ascii: "a")...UInt8(ascii: "f")).contains(byte | 0x20)
}
