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
/// type of its own, no entities but the five of XML and character numbers. Dates are refused, since an archive has none.
package struct XMLPropertyList {
  private static let depthLimit = 32
  package var source: XMLSource

  package static func isOne(_ bytes: UnsafeRawBufferPointer) -> Bool {
    var source = XMLSource(bytes)
    source.skipByteOrderMark()
    source.skipSpace()
    return ["<?xml", "<!DOCTYPE", "<plist"].contains { source.isAt($0) }
  }

  /// The same property list in binary form.
  package static func binary(_ bytes: UnsafeRawBufferPointer) throws(ArchiveError) -> [UInt8] {
    guard bytes.count <= BinaryPropertyList.sizeLimit else {
      throw ArchiveError(.tooLarge(bytes: bytes.count, limit: BinaryPropertyList.sizeLimit))
    }
    var reader = XMLPropertyList(source: XMLSource(bytes))
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
