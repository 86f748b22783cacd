import Digests
import ExactJSON

/// The id that CouchDB gives to a new revision: generation, "-", and the MD5 of
///
///     [is deleted, generation of the parent, suffix of the parent, body, [{name, type, MD5 of the stored bytes}…]]
///
/// (attachments from the last that was named to the first) in Erlang's external term format (version 131, floats as eight bytes). Neither time nor chance is in it, nor the document's
/// id: two servers that store the same child of the same parent make the same revision. The order of keys counts, and 1.0 is
/// not 1.
enum CouchDBRevisionID {
  struct AttachmentName {
    let name: String
    let type: String
    let digest: [UInt8]
  }

  static func made(
    parent: String?, isDeleted: Bool, body: [(name: String, value: JSON)], attachments: [AttachmentName] = []
  ) -> String {
    var term = ErlangTerm()
    let generation = parent.map { RevisionKey.generation($0) } ?? 0
    term.list(5)
    term.atom(isDeleted ? "true" : "false")
    term.integer("\(generation)")
    if let parent { term.binary(RevisionKey.bytes(parent)) } else { term.integer("0") }
    term.json(.object(body))
    term.list(of: attachments.reversed()) { term, attachment in
      term.tuple(3)
      term.binary(Array(attachment.name.utf8))
      term.binary(Array(attachment.type.utf8))
      term.binary(attachment.digest)
    }
    term.endOfList()
    return "\(generation + 1)-" + Hexadecimal.text(md5(term.bytes))
  }
}

/// A term as Erlang's `term_to_binary` writes it; tags and lengths are in its "External Term Format".
private struct ErlangTerm {
  private(set) var bytes: [UInt8] = [131]

  mutating func list(_ count: Int) { bytes += [108] + ErlangTerm.four(count) }
  mutating func endOfList() { bytes.append(106) }
  mutating func tuple(_ count: UInt8) { bytes += [104, count] }
  mutating func binary(_ binary: [UInt8]) { bytes += [109] + ErlangTerm.four(binary.count) + binary }
  mutating func atom(_ name: String) { bytes += [100, 0, UInt8(name.utf8.count)] + Array(name.utf8) }

  mutating func list<Element>(of elements: [Element], _ write: (inout ErlangTerm, Element) -> Void) {
    if !elements.isEmpty { list(elements.count) }
    for element in elements { write(&self, element) }
    endOfList()
  }

  mutating func json(_ json: JSON) {
    switch json {
    case .literal(let word) where ["null", "true", "false"].contains(word): atom(word)
    case .literal(let token) where token.contains { ".e".contains($0) }: float(Double(token) ?? 0)
    case .literal(let token): integer(token)
    case .string(let text): binary(Array(text.utf8))
    case .digits(let bytes): binary(Array(Hexadecimal.text(bytes).utf8))
    case .array(let elements): array(elements)
    case .object(let members):
      tuple(1)
      list(of: members) { term, member in
        term.tuple(2)
        term.binary(Array(member.name.utf8))
        term.json(member.value)
      }
    }
  }

  /// Erlang's texts are lists of small numbers, so every such list is written as one.
  private mutating func array(_ elements: [JSON]) {
    let text = elements.compactMap { $0.integer.flatMap { UInt8(exactly: $0) } }
    guard text.count == elements.count, 1...0xFFFF ~= text.count else {
      return list(of: elements) { $0.json($1) }
    }
    bytes += [107, UInt8(text.count >> 8), UInt8(text.count & 0xFF)] + text
  }

  private mutating func float(_ double: Double) {
    bytes.append(70)
    withUnsafeBytes(of: double.bitPattern.bigEndian) { bytes += Array($0) }
  }

  mutating func integer(_ token: String) {
    if let small = UInt8(token) {
      bytes += [97, small]
    } else if let middling = Int32(token) {
      bytes.append(98)
      withUnsafeBytes(of: middling.bigEndian) { bytes += Array($0) }
    } else {
      let magnitude = ErlangTerm.littleEndian(token.drop { $0 == "-" })
      bytes +=
        magnitude.count < 256 ? [110, UInt8(magnitude.count)] : [111] + ErlangTerm.four(magnitude.count)
      bytes += [token.hasPrefix("-") ? 1 : 0] + magnitude
    }
  }

  /// An integer of any length as bytes, the least first.
  private static func littleEndian(_ digits: Substring) -> [UInt8] {
    var bytes: [UInt8] = []
    for digit in digits.utf8 {
      var carry = Int(digit) - 0x30
      for index in bytes.indices {
        carry += Int(bytes[index]) * 10
        bytes[index] = UInt8(carry & 0xFF)
        carry >>= 8
      }
      if carry > 0 { bytes.append(UInt8(carry)) }
    }
    return bytes
  }

  private static func four(_ count: Int) -> [UInt8] {
    (0..<4).map { UInt8(truncatingIfNeeded: count >> (24 - 8 * $0)) }
  }
}
