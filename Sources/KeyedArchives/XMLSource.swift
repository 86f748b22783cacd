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
