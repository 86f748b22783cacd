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
  /// A string of two hexadecimal digits for each byte. They are made as they are printed: a blob may be of any size.
  case digits([UInt8])
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
    var bytes: [UInt8] = []
    forEachPiece { bytes += $0 }
    return String(decoding: bytes, as: UTF8.self)
  }

  /// The bytes of the text, a piece at a time: no more of it is ever in memory.
  func forEachPiece<Failure>(_ body: @escaping ([UInt8]) throws(Failure) -> Void) throws(Failure) {
    var printer = JSONPrinter(body)
    try printer.print(self)
    try printer.flush()
  }
}

private let pieceSize = 64 * 1024

/// Makes a text of JSON, and hands it on in pieces.
private struct JSONPrinter<Failure: Error> {
  private var piece: [UInt8] = []
  private let sink: ([UInt8]) throws(Failure) -> Void

  init(_ sink: @escaping ([UInt8]) throws(Failure) -> Void) { self.sink = sink }

  mutating func flush() throws(Failure) {
    if !piece.isEmpty { try sink(piece) }
    piece.removeAll(keepingCapacity: true)
  }

  mutating func print(_ json: JSON) throws(Failure) {
    switch json {
    case .null: try put("null")
    case .bool(let bool): try put(bool ? "true" : "false")
    case .integer(let integer): try put(String(integer))
    // Swift's description always has a fraction or an exponent, and reads back to the same bits.
    case .real(let real): try put(real.description)
    case .string(let string): try print(string)
    case .digits(let bytes): try print(bytes)
    case .array(let elements):
      try print(elements, "[", "]") { (printer, element) throws(Failure) in try printer.print(element) }
    case .object(let members):
      try print(members, "{", "}") { (printer, member) throws(Failure) in
        try printer.print(member.name)
        try printer.put(":")
        try printer.print(member.value)
      }
    }
  }

  private mutating func print<Element>(
    _ elements: [Element], _ open: String, _ close: String,
    each: (inout JSONPrinter, Element) throws(Failure) -> Void
  ) throws(Failure) {
    try put(open)
    for (index, element) in elements.enumerated() {
      if index > 0 { try put(",") }
      try each(&self, element)
    }
    try put(close)
  }

  private mutating func print(_ bytes: [UInt8]) throws(Failure) {
    try put("\"")
    for start in stride(from: 0, to: bytes.count, by: pieceSize) {
      piece += hexadecimal(digitsOf: bytes[start..<min(start + pieceSize, bytes.count)])
      try flush()
    }
    try put("\"")
  }

  private mutating func print(_ string: String) throws(Failure) {
    try put("\"")
    for scalar in string.unicodeScalars { try put(scalar) }
    try put("\"")
  }

  private mutating func put(_ scalar: Unicode.Scalar) throws(Failure) {
    switch scalar {
    case "\"": try put("\\\"")
    case "\\": try put("\\\\")
    case "\n": try put("\\n")
    case "\r": try put("\\r")
    case "\t": try put("\\t")
    // Most are these, and no harm.
    case "0"..."9", "A"..."Z", "a"..."z", " ": piece.append(UInt8(scalar.value))
    // JSON itself asks for those under U+0020. What else hides is escaped too, so that a value can do no harm to a terminal.
    case _ where DisplayText.hides(scalar):
      for unit in scalar.utf16 { try put("\\u" + hexadecimal(UInt32(unit), digits: 4)) }
    default: piece += Array(UTF8.encode(scalar) ?? UTF8.encodedReplacementCharacter)
    }
    if piece.count > pieceSize { try flush() }
  }

  private mutating func put(_ text: String) throws(Failure) { piece += Array(text.utf8) }
}

/// `number` in at least so many hexadecimal digits, lowercase.
func hexadecimal(_ number: UInt32, digits: Int) -> String {
  let text = String(number, radix: 16)
  return String(repeating: "0", count: max(0, digits - text.count)) + text
}

func hexadecimal(_ bytes: [UInt8]) -> String {
  String(decoding: hexadecimal(digitsOf: bytes[...]), as: UTF8.self)
}

/// As ASCII.
private func hexadecimal(digitsOf bytes: ArraySlice<UInt8>) -> [UInt8] {
  let digits = Array("0123456789abcdef".utf8)
  var text: [UInt8] = []
  text.reserveCapacity(bytes.count * 2)
  for byte in bytes {
    text.append(digits[Int(byte >> 4)])
    text.append(digits[Int(byte & 15)])
  }
  return text
}
