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

/// A text that equals another only if both are the same bytes: JSON may hold two keys that differ only in their Unicode
/// normal form.
public struct JSONText: Sendable, Hashable, Comparable, ExpressibleByStringLiteral {
  public let text: String

  public init(_ text: String) { self.text = text }
  public init(stringLiteral text: String) { self.init(text) }

  public static func == (left: JSONText, right: JSONText) -> Bool { left.text.hasSameBytes(as: right.text) }

  public func hash(into hasher: inout Hasher) {
    for byte in text.utf8 { hasher.combine(byte) }
  }

  /// By UTF-16 code units, as CDTDatastore sorts keys (TDCanonicalJSON.m). Not the order of the bytes: an emoji comes
  /// before U+E000.
  public static func < (left: JSONText, right: JSONText) -> Bool {
    left.text.utf16.lexicographicallyPrecedes(right.text.utf16)
  }
}

extension JSONValue {
  /// The value in the one form that CDTDatastore stores and hashes: no blanks, keys sorted by UTF-16 code units, and only
  /// quote, backslash and control characters escaped (TDCanonicalJSON.m).
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
