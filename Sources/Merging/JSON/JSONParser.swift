/// What is wrong with a text that should be JSON.
public struct JSONError: Error, Sendable, Equatable, CustomStringConvertible {
  /// Bytes from the start.
  public let position: Int
  public let problem: String

  public var description: String { "\(problem) at byte \(position)" }
}

extension JSONValue {
  /// Reads one JSON value and nothing after it. An object with the same key twice is refused: readers differ in which of the
  /// two they take, and the other would be lost.
  public init(parsing bytes: [UInt8]) throws(JSONError) {
    guard String(validating: bytes, as: UTF8.self) != nil else {
      throw JSONError(position: 0, problem: "not UTF-8")
    }
    var parser = JSONParser(bytes: bytes)
    self = try parser.document()
  }

  public init(parsing text: String) throws(JSONError) { try self.init(parsing: Array(text.utf8)) }
}

private struct JSONParser {
  let bytes: [UInt8]
  var position = 0
  var depth = 0

  /// Deeper documents are refused, as every level takes some of the stack.
  static let deepest = 200

  mutating func document() throws(JSONError) -> JSONValue {
    let value = try value()
    skipBlanks()
    if position < bytes.count { throw error("something follows the value") }
    return value
  }

  private mutating func value() throws(JSONError) -> JSONValue {
    skipBlanks()
    guard position < bytes.count else { throw error("a value is missing") }
    switch bytes[position] {
    case UInt8(ascii: "{"): return try nested { parser throws(JSONError) in try parser.object() }
    case UInt8(ascii: "["): return try nested { parser throws(JSONError) in try parser.array() }
    case UInt8(ascii: "\""): return try string()
    case UInt8(ascii: "-"), UInt8(ascii: "0")...UInt8(ascii: "9"): return try number()
    default: return try word()
    }
  }

  private mutating func nested(
    _ body: (inout JSONParser) throws(JSONError) -> JSONValue
  ) throws(JSONError) -> JSONValue {
    depth += 1
    if depth > JSONParser.deepest { throw error("nested more than \(JSONParser.deepest) deep") }
    position += 1
    let value = try body(&self)
    depth -= 1
    return value
  }

  private mutating func object() throws(JSONError) -> JSONValue {
    var members: [JSONText: JSONValue] = [:]
    if takes("}") { return .object(members) }
    repeat {
      skipBlanks()
      guard position < bytes.count, bytes[position] == UInt8(ascii: "\""),
        case .string(let key) = try string()
      else { throw error("a key is missing") }
      guard takes(":") else { throw error("a colon is missing") }
      let member = try value()
      guard members.updateValue(member, forKey: key) == nil else { throw error("a key comes twice") }
    } while takes(",")
    guard takes("}") else { throw error("a brace is missing") }
    return .object(members)
  }

  private mutating func array() throws(JSONError) -> JSONValue {
    var elements: [JSONValue] = []
    if takes("]") { return .array(elements) }
    repeat { elements.append(try value()) } while takes(",")
    guard takes("]") else { throw error("a bracket is missing") }
    return .array(elements)
  }

  private mutating func word() throws(JSONError) -> JSONValue {
    for word in ["true", "false", "null"] where bytes[position...].starts(with: word.utf8) {
      position += word.utf8.count
      return .literal(word)
    }
    throw error("no value begins like this")
  }
}

/// Numbers: only their grammar is checked, their text is kept.
extension JSONParser {
  private mutating func number() throws(JSONError) -> JSONValue {
    let start = position
    skip("-")
    if !skip("0") { try digits() }
    if skip(".") { try digits() }
    if skip("e") || skip("E") {
      if !skip("+") { skip("-") }
      try digits()
    }
    return .literal(String(decoding: bytes[start..<position], as: UTF8.self))
  }

  private mutating func digits() throws(JSONError) {
    let start = position
    while position < bytes.count, (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(bytes[position]) {
      position += 1
    }
    if position == start { throw error("a digit is missing") }
  }
}

/// Strings.
extension JSONParser {
  private mutating func string() throws(JSONError) -> JSONValue {
    let start = position
    position += 1
    var units: [UInt8] = []
    var isWhole = true
    while position < bytes.count, bytes[position] != UInt8(ascii: "\"") {
      let byte = bytes[position]
      if byte < 0x20 { throw error("a control character is not escaped") }
      position += 1
      if byte != UInt8(ascii: "\\") {
        units.append(byte)
      } else if let scalar = try escaped() {
        units += Array(String(scalar).utf8)
      } else {
        isWhole = false
      }
    }
    guard skip("\"") else { throw error("a string has no end") }
    if isWhole { return .string(String(decoding: units, as: UTF8.self)) }
    return .literal(String(decoding: bytes[start..<position], as: UTF8.self))
  }

  /// The character of an escape; nil for half of a surrogate pair.
  private mutating func escaped() throws(JSONError) -> Unicode.Scalar? {
    guard position < bytes.count else { throw error("a string has no end") }
    let byte = bytes[position]
    position += 1
    switch byte {
    case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): return Unicode.Scalar(byte)
    case UInt8(ascii: "b"): return "\u{8}"
    case UInt8(ascii: "f"): return "\u{C}"
    case UInt8(ascii: "n"): return "\n"
    case UInt8(ascii: "r"): return "\r"
    case UInt8(ascii: "t"): return "\t"
    case UInt8(ascii: "u"): return try codeUnits()
    default: throw error("no escape is written like this")
    }
  }

  private mutating func codeUnits() throws(JSONError) -> Unicode.Scalar? {
    let unit = try codeUnit()
    guard (0xD800...0xDBFF).contains(unit) else { return Unicode.Scalar(unit) }
    let before = position
    if skip("\\"), skip("u") {
      let low = try codeUnit()
      if (0xDC00...0xDFFF).contains(low) {
        return Unicode.Scalar(0x10000 + (unit - 0xD800) << 10 + (low - 0xDC00))
      }
    }
    position = before
    return nil
  }

  private mutating func codeUnit() throws(JSONError) -> UInt32 {
    let digits = bytes[position...].prefix(4)
    guard digits.count == 4, digits.allSatisfy({ Character(Unicode.Scalar($0)).isHexDigit }),
      let unit = UInt32(String(decoding: digits, as: UTF8.self), radix: 16)
    else { throw error("four hexadecimal digits are missing") }
    position += 4
    return unit
  }
}

extension JSONParser {
  private mutating func skipBlanks() {
    while position < bytes.count, [0x20, 0x09, 0x0A, 0x0D].contains(bytes[position]) { position += 1 }
  }

  /// Passes over this mark, and blanks before it, if it comes next.
  private mutating func takes(_ mark: Unicode.Scalar) -> Bool {
    skipBlanks()
    return skip(mark)
  }

  @discardableResult private mutating func skip(_ mark: Unicode.Scalar) -> Bool {
    guard position < bytes.count, bytes[position] == UInt8(ascii: mark) else { return false }
    position += 1
    return true
  }

  private func error(_ problem: String) -> JSONError { JSONError(position: position, problem: problem) }
}
