/// A keyed archive in the XML form of a property list, as `plutil -convert xml1` makes it.
///
/// ```
/// <?xml version="1.0" encoding="UTF-8"?>
/// <!DOCTYPE plist PUBLIC …>
/// <plist version="1.0">
///   <dict><key>RecordType</key><dict><key>CF$UID</key><integer>1</integer></dict> …
/// ```
///
/// A reference is a dictionary with the one key CF$UID. The archive is rewritten in binary form and then read as such, so
/// that all that is checked there need not be checked twice. Of XML this reads what property lists are made of: no document
/// type of its own, no entities but the five of XML and character numbers. Dates are refused, since an archive has none; those of an
/// app's preferences are read as the text that they are.
package struct XMLPropertyList {
  private static let depthLimit = 32
  package var source: XMLSource
  private var takesDates = false

  package static func isOne(_ bytes: UnsafeRawBufferPointer) -> Bool {
    var source = XMLSource(bytes)
    source.skipByteOrderMark()
    source.skipSpace()
    return ["<?xml", "<!DOCTYPE", "<plist"].contains { source.isAt($0) }
  }

  package static func binary(_ bytes: [UInt8], takesDates: Bool = false) throws(ArchiveError) -> [UInt8] {
    try bytes.inPlace { bytes throws(ArchiveError) in try binary(bytes, takesDates: takesDates) }
  }

  /// The same property list in binary form.
  package static func binary(
    _ bytes: UnsafeRawBufferPointer, takesDates: Bool = false
  ) throws(ArchiveError) -> [UInt8] {
    guard bytes.count <= BinaryPropertyList.sizeLimit else {
      throw ArchiveError(.tooLarge(bytes: bytes.count, limit: BinaryPropertyList.sizeLimit))
    }
    var reader = XMLPropertyList(source: XMLSource(bytes), takesDates: takesDates)
    return BinaryPropertyListWriter.bytes(of: try reader.document())
  }

  private mutating func document() throws(ArchiveError) -> PropertyList {
    source.skipByteOrderMark()
    let root = try source.nextTag()
    guard root.kind == .start, root.name == "plist" else { throw source.error("<plist> is missing") }
    let list = try value(try source.nextTag(), depth: 0)
    try source.expectEnd("plist")
    return list
  }

  private mutating func value(_ tag: XMLSource.Tag, depth: Int) throws(ArchiveError) -> PropertyList {
    guard depth < Self.depthLimit else { throw ArchiveError(.tooDeep(limit: Self.depthLimit)) }
    if tag.kind == .end { throw source.error("</\(tag.name)> where a value belongs") }
    switch tag.name {
    case "dict": return try dictionary(tag, depth: depth)
    case "array": return try array(tag, depth: depth)
    case "date" where takesDates: return .string(try source.text(tag))
    case "string": return .string(try source.text(tag))
    case "integer": return try integer(try source.text(tag))
    case "real": return .real(try number(try source.text(tag)))
    case "data": return .data(try base64(try source.text(tag)))
    case "true", "false":
      _ = try source.text(tag)
      return .bool(tag.name == "true")
    default: throw source.error("<\(tag.name)> is no value of a property list")
    }
  }

  private mutating func array(_ tag: XMLSource.Tag, depth: Int) throws(ArchiveError) -> PropertyList {
    var elements: [PropertyList] = []
    if tag.kind == .empty { return .array([]) }
    while true {
      let next = try source.nextTag()
      if next.kind == .end, next.name == "array" { return .array(elements) }
      elements.append(try value(next, depth: depth + 1))
    }
  }

  private mutating func dictionary(_ tag: XMLSource.Tag, depth: Int) throws(ArchiveError) -> PropertyList {
    var entries: [PropertyList.Entry] = []
    if tag.kind == .empty { return .dictionary([]) }
    while true {
      let next = try source.nextTag()
      if next.kind == .end, next.name == "dict" { return Self.reference(entries) ?? .dictionary(entries) }
      guard next.kind != .end, next.name == "key" else {
        throw source.error("<\(next.name)> where a key belongs")
      }
      let key = try source.text(next)
      entries.append(.init(key, try value(try source.nextTag(), depth: depth + 1)))
    }
  }

  private static func reference(_ entries: [PropertyList.Entry]) -> PropertyList? {
    guard entries.count == 1, entries[0].key == "CF$UID", case .integer(let uid) = entries[0].value, uid >= 0
    else { return nil }
    return .uid(UInt64(uid))
  }

  private func integer(_ text: String) throws(ArchiveError) -> PropertyList {
    if let integer = Int64(text) { return .integer(integer) }
    if let unsigned = UInt64(text) { return .unsigned(unsigned) }
    throw source.error("an <integer> that is none")
  }

  private func number(_ text: String) throws(ArchiveError) -> Double {
    guard let number = Double(text) else { throw source.error("a <real> that is none") }
    return number
  }

  private func base64(_ text: String) throws(ArchiveError) -> [UInt8] {
    guard let bytes = Base64.bytes(text) else { throw source.error("<data> that is no base64") }
    return bytes
  }
}

/// The tags and texts of an XML document, one after the other.
package struct XMLSource {
  package struct Tag {
    package enum Kind { case start, end, empty }
    package var name: String
    package var kind: Kind
  }

  /// Names in a property list have at most seven letters.
  private static let nameLimit = 64

  private let bytes: UnsafeRawBufferPointer
  private var position = 0

  package init(_ bytes: UnsafeRawBufferPointer) { self.bytes = bytes }

  package func error(_ detail: String) -> ArchiveError { ArchiveError(.xml(detail), byte: position) }

  package func isAt(_ text: String) -> Bool { bytes[position...].starts(with: text.utf8) }

  package mutating func skipByteOrderMark() {
    if bytes[position...].starts(with: [0xEF, 0xBB, 0xBF]) { position += 3 }
  }

  package mutating func skipSpace() {
    while position < bytes.count, [0x20, 0x09, 0x0A, 0x0D].contains(bytes[position]) { position += 1 }
  }

  /// The next tag; declarations and comments before it are skipped, and text is an error.
  package mutating func nextTag() throws(ArchiveError) -> Tag {
    while true {
      skipSpace()
      if isAt("<!--") {
        try skip(past: "-->")
      } else if isAt("<?") {
        try skip(past: "?>")
      } else if isAt("<!DOCTYPE") {
        try skipDocumentType()
      } else {
        return try tag()
      }
    }
  }

  package mutating func expectEnd(_ name: String) throws(ArchiveError) {
    let tag = try nextTag()
    guard tag.kind == .end, tag.name == name else { throw error("<\(tag.name)> where </\(name)> belongs") }
  }

  /// The text up to the end of the element that `tag` starts. Line ends stay as they are: plutil does not change them either.
  package mutating func text(_ tag: Tag) throws(ArchiveError) -> String {
    if tag.kind == .empty { return "" }
    var text: [UInt8] = []
    while position < bytes.count {
      switch bytes[position] {
      case UInt8(ascii: "&"): text += try entity()
      case UInt8(ascii: "<") where isAt("<![CDATA["): text += try characterData()
      case UInt8(ascii: "<") where isAt("<!--"): try skip(past: "-->")
      case UInt8(ascii: "<"):
        try expectEnd(tag.name)
        return try string(text)
      case let byte:
        text.append(byte)
        position += 1
      }
    }
    throw error("it ends inside <\(tag.name)>")
  }
}

extension XMLSource {
  /// `<name attribute="…">`, `</name>` or `<name/>`. Attributes say nothing that is needed.
  private mutating func tag() throws(ArchiveError) -> Tag {
    guard position < bytes.count else { throw error("it ends too early") }
    guard isAt("<") else { throw error("text between the tags") }
    position += 1
    let isEnd = isAt("/")
    if isEnd { position += 1 }
    let name = try name()
    let isEmpty = try skipAttributes()
    if isEnd && isEmpty { throw error("</\(name)/> is no tag") }
    return Tag(name: name, kind: isEnd ? .end : isEmpty ? .empty : .start)
  }

  private mutating func name() throws(ArchiveError) -> String {
    let name = bytes[position...].prefix(Self.nameLimit).prefix { byte in
      Unicode.Scalar(byte).properties.isAlphabetic && byte < 0x80
    }
    guard !name.isEmpty else { throw error("a tag without a name") }
    position += name.count
    return String(decoding: name, as: UTF8.self)
  }

  /// - Returns: whether the tag closes itself.
  private mutating func skipAttributes() throws(ArchiveError) -> Bool {
    var quote: UInt8?
    while position < bytes.count {
      let byte = bytes[position]
      position += 1
      switch (byte, quote) {
      case (byte, byte): quote = nil
      case (UInt8(ascii: "\""), nil), (UInt8(ascii: "'"), nil): quote = byte
      case (UInt8(ascii: ">"), nil): return bytes[position - 2] == UInt8(ascii: "/")
      case (UInt8(ascii: "<"), nil): throw error("a tag inside a tag")
      default: break
      }
    }
    throw error("it ends inside a tag")
  }

  /// A document type with declarations of its own could define entities that grow without end.
  private mutating func skipDocumentType() throws(ArchiveError) {
    let start = position
    try skip(past: ">")
    if bytes[start..<position].contains(UInt8(ascii: "[")) { throw error("a document type of its own") }
  }

  private mutating func skip(past end: String) throws(ArchiveError) {
    while position < bytes.count {
      if bytes[position] == end.utf8.first, isAt(end) {
        position += end.utf8.count
        return
      }
      position += 1
    }
    throw error("\(end) is missing")
  }

  private mutating func characterData() throws(ArchiveError) -> UnsafeRawBufferPointer {
    let start = position + "<![CDATA[".utf8.count
    try skip(past: "]]>")
    return UnsafeRawBufferPointer(rebasing: bytes[start..<position - "]]>".utf8.count])
  }

  private mutating func entity() throws(ArchiveError) -> [UInt8] {
    let name = bytes[(position + 1)...].prefix(10).prefix { $0 != UInt8(ascii: ";") }
    let text = String(decoding: name, as: UTF8.self)
    guard let scalar = Self.scalar(entity: text) else { throw error("an entity that is not known") }
    position += name.count + 2
    guard position <= bytes.count else { throw error("it ends inside an entity") }
    return Array(String(scalar).utf8)
  }

  private static func scalar(entity: String) -> Unicode.Scalar? {
    switch entity {
    case "lt": "<"
    case "gt": ">"
    case "amp": "&"
    case "quot": "\""
    case "apos": "'"
    case _ where entity.hasPrefix("#x"): UInt32(entity.dropFirst(2), radix: 16).flatMap(Unicode.Scalar.init)
    case _ where entity.hasPrefix("#"): UInt32(entity.dropFirst()).flatMap(Unicode.Scalar.init)
    default: nil
    }
  }

  private func string(_ text: [UInt8]) throws(ArchiveError) -> String {
    guard let string = String(validating: text, as: UTF8.self) else {
      throw ArchiveError(.invalidText(encoding: "UTF-8"), byte: position)
    }
    return string
  }
}

/// Base64 as property lists and JSON have it: with padding, white space anywhere, and a backslash before a slash.
package enum Base64 {
  private static let unknown: UInt8 = 0xFF
  private static let values: [UInt8] = {
    let alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/"
    var values = [UInt8](repeating: unknown, count: 256)
    for (value, digit) in alphabet.utf8.enumerated() { values[Int(digit)] = UInt8(value) }
    return values
  }()

  /// nil if `text` is anything else.
  package static func bytes(_ text: String) -> [UInt8]? {
    let digits = text.utf8.filter { ![0x20, 0x09, 0x0A, 0x0D].contains($0) }
    return digits.withUnsafeBytes { bytes($0) }
  }

  /// The same of digits without white space.
  package static func bytes(_ text: UnsafeRawBufferPointer) -> [UInt8]? {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(text.count / 4 * 3)
    var (bits, count, padding) = (0 as UInt32, 0, 0)
    for (place, digit) in text.enumerated() {
      if digit == UInt8(ascii: "\\"), place + 1 < text.count, text[place + 1] == UInt8(ascii: "/") {
        continue
      }
      if digit == UInt8(ascii: "=") {
        padding += 1
        continue
      }
      let value = values[Int(digit)]
      guard value != unknown, padding == 0 else { return nil }
      bits = bits << 6 | UInt32(value)
      if count % 4 > 0 { bytes.append(UInt8(truncatingIfNeeded: bits >> [0, 4, 2, 0][count % 4])) }
      count += 1
    }
    return (count + padding) % 4 == 0 && padding <= 2 ? bytes : nil
  }
}
