import Terminal

/// A JSON text in the making. Foundation's encoders lose the order of keys and the difference between 1 and 1.0, and
/// scripts depend on both here.
///
/// Sendable is spelled out: without it Swift 6.3.1 stops at times with "circular reference" while it infers it.
enum JSON: Sendable {
  case null
  case bool(Bool)
  case integer(Int64)
  /// Must be finite: JSON has no infinity.
  case real(Double)
  case string(String)
  case array([JSON])
  case object([(name: String, value: JSON)])
}

extension JSON {
  /// An object with its members in this order.
  init(members: KeyValuePairs<String, JSON>) {
    self = .object(members.map { (name: $0.key, value: $0.value) })
  }

  init(_ text: String?) { self = text.map(JSON.string) ?? .null }
  init(_ integer: Int64?) { self = integer.map(JSON.integer) ?? .null }
  init(_ count: Int) { self = .integer(Int64(count)) }

  /// The text, without spaces or line breaks.
  var text: String {
    var text = ""
    write(to: &text)
    return text
  }

  private func write(to text: inout String) {
    switch self {
    case .null: text += "null"
    case .bool(let bool): text += bool ? "true" : "false"
    case .integer(let integer): text += String(integer)
    // Swift's description always has a fraction or an exponent, and reads back to the same bits.
    case .real(let real): text += real.description
    case .string(let string): JSON.write(string, to: &text)
    case .array(let elements): JSON.write(elements, "[", "]", to: &text) { $0.write(to: &$1) }
    case .object(let members):
      JSON.write(members, "{", "}", to: &text) { member, text in
        JSON.write(member.name, to: &text)
        text += ":"
        member.value.write(to: &text)
      }
    }
  }

  private static func write<Element>(
    _ elements: [Element], _ open: String, _ close: String, to text: inout String,
    each: (Element, inout String) -> Void
  ) {
    text += open
    for (index, element) in elements.enumerated() {
      if index > 0 { text += "," }
      each(element, &text)
    }
    text += close
  }

  private static func write(_ string: String, to text: inout String) {
    text += "\""
    for scalar in string.unicodeScalars { write(scalar, to: &text) }
    text += "\""
  }

  private static func write(_ scalar: Unicode.Scalar, to text: inout String) {
    switch scalar {
    case "\"": text += "\\\""
    case "\\": text += "\\\\"
    case "\n": text += "\\n"
    case "\r": text += "\\r"
    case "\t": text += "\\t"
    // JSON itself asks for those under U+0020. What else hides is escaped too, so that a value can do no harm to a terminal.
    case _ where DisplayText.hides(scalar):
      for unit in scalar.utf16 { text += "\\u" + hexadecimal(UInt32(unit), digits: 4) }
    default: text.unicodeScalars.append(scalar)
    }
  }
}

/// `number` in at least so many hexadecimal digits, lowercase.
func hexadecimal(_ number: UInt32, digits: Int) -> String {
  let text = String(number, radix: 16)
  return String(repeating: "0", count: max(0, digits - text.count)) + text
}

func hexadecimal(_ bytes: [UInt8]) -> String {
  let digits = Array("0123456789abcdef".utf8)
  var text: [UInt8] = []
  text.reserveCapacity(bytes.count * 2)
  for byte in bytes {
    text.append(digits[Int(byte >> 4)])
    text.append(digits[Int(byte & 15)])
  }
  return String(decoding: text, as: UTF8.self)
}
