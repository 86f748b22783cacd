/// A JSON text in the making. Members keep their order, and 1 is not 1.0: scripts depend on both, and an app's engine on the
/// very bytes.
///
/// Sendable is spelled out: without it Swift 6.3.1 stops at times with "circular reference" while it infers it.
package indirect enum JSON: Sendable {
  /// `null`, `true`, `false` or a number, as it is written.
  case literal(String)
  case string(String)
  /// A string of two hexadecimal digits for each byte. They are made as they are written: a blob may be of any size.
  case digits([UInt8])
  case array([JSON])
  case object([(name: String, value: JSON)])
}

extension JSON {
  package static let null = JSON.literal("null")

  package static func bool(_ bool: Bool) -> JSON { .literal(bool ? "true" : "false") }
  package static func integer(_ integer: Int64) -> JSON { .literal("\(integer)") }

  /// Always with a fraction or an exponent, and read back to the same bits. Must be finite: JSON has no infinity.
  package static func real(_ real: Double) -> JSON { .literal("\(real)") }

  /// An object with its members in this order.
  package init(members: KeyValuePairs<String, JSON>) {
    self = .object(members.map { (name: $0.key, value: $0.value) })
  }

  package init(_ text: String?) { self = text.map(JSON.string) ?? .null }
  package init(_ integer: Int64?) { self = integer.map(JSON.integer) ?? .null }
  package init(_ count: Int) { self = .integer(Int64(count)) }
}

extension JSON {
  /// The text, without spaces or line breaks.
  ///
  /// - Parameter escapes: what is escaped beside quote, backslash and control characters, of which only the line's ends have
  ///   an escape of their own.
  package func bytes(escaping escapes: @escaping (Unicode.Scalar) -> Bool = { _ in false }) -> [UInt8] {
    var bytes: [UInt8] = []
    forEachPiece(escaping: escapes) { bytes += $0 }
    return bytes
  }

  /// The same a piece at a time: no more of it is ever in memory.
  package func forEachPiece<Failure>(
    escaping escapes: @escaping (Unicode.Scalar) -> Bool,
    _ body: @escaping ([UInt8]) throws(Failure) -> Void
  ) throws(Failure) {
    var writer = JSONWriter(escapes: escapes, sink: body)
    try writer.write(self)
    if !writer.piece.isEmpty { try body(writer.piece) }
  }
}

/// Hands the text on in pieces.
private struct JSONWriter<Failure: Error> {
  let escapes: (Unicode.Scalar) -> Bool
  let sink: ([UInt8]) throws(Failure) -> Void
  var piece: [UInt8] = []
  private let size = 64 * 1024

  init(escapes: @escaping (Unicode.Scalar) -> Bool, sink: @escaping ([UInt8]) throws(Failure) -> Void) {
    (self.escapes, self.sink) = (escapes, sink)
  }

  private mutating func handOn() throws(Failure) {
    guard piece.count >= size else { return }
    try sink(piece)
    piece.removeAll(keepingCapacity: true)
  }

  mutating func write(_ json: JSON) throws(Failure) {
    switch json {
    case .literal(let token): piece += Array(token.utf8)
    case .string(let text): try write(text)
    case .digits(let bytes): try write(digitsOf: bytes)
    case .array(let elements):
      try write(elements, "[", "]") { (writer, element) throws(Failure) in try writer.write(element) }
    case .object(let members):
      try write(members, "{", "}") { (writer, member) throws(Failure) in
        try writer.write(member.name)
        writer.piece.append(UInt8(ascii: ":"))
        try writer.write(member.value)
      }
    }
  }

  private mutating func write<Element>(
    _ elements: [Element], _ open: Unicode.Scalar, _ close: Unicode.Scalar,
    each: (inout JSONWriter, Element) throws(Failure) -> Void
  ) throws(Failure) {
    piece.append(UInt8(ascii: open))
    for (index, element) in elements.enumerated() {
      if index > 0 { piece.append(UInt8(ascii: ",")) }
      try each(&self, element)
    }
    piece.append(UInt8(ascii: close))
  }

  private mutating func write(digitsOf bytes: [UInt8]) throws(Failure) {
    piece.append(UInt8(ascii: "\""))
    for start in stride(from: 0, to: bytes.count, by: size) {
      piece += Array(Hexadecimal.text(bytes[start..<min(start + size, bytes.count)]).utf8)
      try handOn()
    }
    piece.append(UInt8(ascii: "\""))
  }

  private mutating func write(_ text: String) throws(Failure) {
    piece.append(UInt8(ascii: "\""))
    for scalar in text.unicodeScalars {
      write(scalar)
      try handOn()
    }
    piece.append(UInt8(ascii: "\""))
  }

  private mutating func write(_ scalar: Unicode.Scalar) {
    switch scalar {
    // Most are these, and no harm.
    case "0"..."9", "A"..."Z", "a"..."z", " ": piece.append(UInt8(scalar.value))
    case "\"": piece += Array(#"\""#.utf8)
    case "\\": piece += Array(#"\\"#.utf8)
    case "\n": piece += Array(#"\n"#.utf8)
    case "\r": piece += Array(#"\r"#.utf8)
    case _ where scalar < " " || escapes(scalar): for unit in scalar.utf16 { escape(unit) }
    default: piece += Array(UTF8.encode(scalar) ?? UTF8.encodedReplacementCharacter)
    }
  }

  private mutating func escape(_ unit: UInt16) {
    piece += Array((#"\u"# + Hexadecimal.text([UInt8(unit >> 8), UInt8(unit & 0xFF)])).utf8)
  }
}
