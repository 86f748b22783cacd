/// A JSON value (RFC 8259) that loses nothing on its way through the desk: a number stays the text it was written as, and
/// two texts are equal only if their bytes are.
///
///     {"price":1.10,"id":12345678901234567890123,"tags":["a","b"]}
public indirect enum JSONValue: Sendable, Hashable {
  /// `null`, `true`, `false`, or a number: its own text. Also a string with half of a surrogate pair, quotes and all, since
  /// no String can hold it.
  case literal(String)
  case string(JSONText)
  case array([JSONValue])
  case object([JSONText: JSONValue])

  public static let null = JSONValue.literal("null")

  public static func string(_ text: String) -> JSONValue { .string(JSONText(text)) }
}

extension JSONValue {
  /// Reads one JSON value and nothing after it. Numbers and halves of surrogate pairs stay as they are written.
  public init(parsing bytes: [UInt8]) throws(JSONProblem) {
    var reader = JSONReader(bytes, rules: JSONValue.rules)
    self.init(try reader.single())
  }

  public init(parsing text: String) throws(JSONProblem) { try self.init(parsing: Array(text.utf8)) }

  private static let rules = {
    var rules = JSONReader.Rules()
    (rules.depth, rules.values) = (200, .max)
    (rules.numeral, rules.keepsHalfSurrogates, rules.passesByteOrderMark) = (nil, true, false)
    return rules
  }()

  private init(_ node: JSONNode) {
    switch node.content {
    case .literal(let literal): self = .literal(literal)
    case .string(let text): self = .string(text)
    case .array(let elements): self = .array(elements.map { JSONValue($0) })
    case .object(let members): self = .object(members.mapValues { JSONValue($0) })
    }
  }
}

extension JSONValue {
  /// The value in one form: no blanks, keys sorted by UTF-16 code units, as RFC 8785 has it, and only quote, backslash and
  /// control characters escaped. Numbers stay as they are. It is what CDTDatastore stores and hashes (TDCanonicalJSON.m).
  public var canonical: [UInt8] {
    var bytes: [UInt8] = []
    write(to: &bytes)
    return bytes
  }

  /// ``canonical`` as a text.
  public var text: String { String(decoding: canonical, as: UTF8.self) }

  private func write(to bytes: inout [UInt8]) {
    switch self {
    case .literal(let token): bytes += Array(token.utf8)
    case .string(let text): JSONValue.write(text, to: &bytes)
    case .array(let elements): JSONValue.write(elements, to: &bytes)
    case .object(let members): JSONValue.write(members, to: &bytes)
    }
  }

  private static func write(_ elements: [JSONValue], to bytes: inout [UInt8]) {
    bytes.append(UInt8(ascii: "["))
    for (index, element) in elements.enumerated() {
      if index > 0 { bytes.append(UInt8(ascii: ",")) }
      element.write(to: &bytes)
    }
    bytes.append(UInt8(ascii: "]"))
  }

  private static func write(_ members: [JSONText: JSONValue], to bytes: inout [UInt8]) {
    bytes.append(UInt8(ascii: "{"))
    for (index, (key, value)) in members.sorted(by: { $0.key < $1.key }).enumerated() {
      if index > 0 { bytes.append(UInt8(ascii: ",")) }
      write(key, to: &bytes)
      bytes.append(UInt8(ascii: ":"))
      value.write(to: &bytes)
    }
    bytes.append(UInt8(ascii: "}"))
  }

  private static func write(_ text: JSONText, to bytes: inout [UInt8]) {
    bytes.append(UInt8(ascii: "\""))
    for byte in text.text.utf8 {
      switch byte {
      case UInt8(ascii: "\""): bytes += Array("\\\"".utf8)
      case UInt8(ascii: "\\"): bytes += Array("\\\\".utf8)
      case 0x0A: bytes += Array("\\n".utf8)
      case 0x0D: bytes += Array("\\r".utf8)
      case ..<0x20: bytes += Array("\\u00".utf8) + hexadecimal(byte)
      default: bytes.append(byte)
      }
    }
    bytes.append(UInt8(ascii: "\""))
  }

  private static func hexadecimal(_ byte: UInt8) -> [UInt8] {
    let digits = Array(String(byte, radix: 16).utf8)
    return digits.count == 1 ? [UInt8(ascii: "0")] + digits : digits
  }
}
