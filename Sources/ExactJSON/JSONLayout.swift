/// JSON as it was laid out by whoever wrote it, so that what is changed in it leaves the rest as it stands: blanks, line ends, the
/// order of keys and how a text is escaped.
struct JSONLayout {
  let bytes: [UInt8]
  let root: Place

  /// A value, where it stands in the text.
  struct Place {
    let bytes: [UInt8]
    let node: JSONNode
    let value: JSONValue

    init(_ bytes: [UInt8], _ node: JSONNode) {
      (self.bytes, self.node, value) = (bytes, node, JSONValue(node))
    }

    var written: ArraySlice<UInt8> { bytes[node.extent] }

    func member(_ name: JSONText) -> Place? { node.members?[name].map { Place(bytes, $0) } }

    func element(_ index: Int) -> Place? {
      guard let elements = node.elements, elements.indices.contains(index) else { return nil }
      return Place(bytes, elements[index])
    }

    /// The names, as they follow each other.
    var names: [JSONText] {
      (node.members ?? [:]).sorted { $0.value.extent.lowerBound < $1.value.extent.lowerBound }.map(\.key)
    }
  }

  init?(_ text: String) {
    bytes = Array(text.utf8)
    var reader = JSONReader(bytes, rules: JSONValue.rules)
    guard let node = try? reader.single() else { return nil }
    root = Place(bytes, node)
  }

  /// What stands around the value.
  func around(_ value: [UInt8]) -> [UInt8] {
    bytes[..<root.node.extent.lowerBound] + value + bytes[root.node.extent.upperBound...]
  }
}

extension JSONValue {
  /// Its text, laid out as the first of these is: what that has already stays as it stands there, and what another one has is taken
  /// from that. In ``text`` where the first is no JSON.
  package func text(like texts: [String]) -> String {
    let layouts = texts.map { JSONLayout($0) }
    guard let own = layouts.first.flatMap(\.self) else { return text }
    let bytes = own.around(written(like: own.root, others: layouts.dropFirst().compactMap { $0?.root }))
    let laidOut = String(decoding: bytes, as: UTF8.self)
    // Whatever the layout, it is this value.
    return (try? JSONValue(parsing: laidOut)) == self ? laidOut : text
  }

  private func written(like own: JSONLayout.Place?, others: [JSONLayout.Place]) -> [UInt8] {
    if let same = ([own].compactMap(\.self) + others).first(where: { $0.value == self }) {
      return Array(same.written)
    }
    switch (self, own?.value) {
    case (.object(let members), .object?): return own.map { object(members, $0, others) } ?? canonical
    case (.array(let elements), .array(let before)?) where elements.count == before.count:
      return own.map { array(elements, $0, others) } ?? canonical
    case (.object, _), (.array, _), (.literal, _), (.string, _): return canonical
    }
  }

  private func array(
    _ elements: [JSONValue], _ own: JSONLayout.Place, _ others: [JSONLayout.Place]
  ) -> [UInt8] {
    var written: [UInt8] = []
    var end = own.node.extent.lowerBound
    for (index, element) in elements.enumerated() {
      guard let place = own.element(index) else { return canonical }
      written += own.bytes[end..<place.node.extent.lowerBound]
      written += element.written(like: place, others: others.compactMap { $0.element(index) })
      end = place.node.extent.upperBound
    }
    return written + own.bytes[end..<own.node.extent.upperBound]
  }

  /// Names that are new come behind the others, sorted, and are written as the last of those.
  private func object(
    _ members: [JSONText: JSONValue], _ own: JSONLayout.Place, _ others: [JSONLayout.Place]
  ) -> [UInt8] {
    let (names, heads) = (own.names, own.heads)
    let known = Set(names)
    let new = members.keys.filter { !known.contains($0) }.sorted()
    var written = [UInt8(ascii: "{")]
    for (index, name) in (names.filter { members[$0] != nil } + new).enumerated() {
      guard let value = members[name] else { continue }
      let head = heads[name] ?? own.head(ofNew: name, like: names.last.flatMap { heads[$0] })
      written += index == 0 ? [] : head.comma
      written += index == 0 ? names.first.flatMap { heads[$0]?.blanks } ?? head.blanks : head.blanks
      written += head.name
      written += value.written(like: own.member(name), others: others.compactMap { $0.member(name) })
    }
    return written + (members.isEmpty ? [UInt8(ascii: "}")] : own.tail)
  }
}

extension JSONLayout.Place {
  /// What stands before the value of a member.
  struct Head {
    /// With the blanks before it.
    var comma: [UInt8]
    var blanks: [UInt8]
    /// With the colon, and the blanks around that.
    var name: [UInt8]
  }

  var heads: [JSONText: Head] {
    var heads: [JSONText: Head] = [:]
    var end = node.extent.lowerBound + 1
    for (index, name) in names.enumerated() {
      guard let extent = node.members?[name]?.extent else { continue }
      let gap = bytes[end..<extent.lowerBound]
      // The first that follows a value is blanks and a comma.
      let comma = index == 0 ? gap.prefix(0) : gap.prefix { $0 != UInt8(ascii: ",") } + [UInt8(ascii: ",")]
      let rest = gap.dropFirst(comma.count)
      let blanks = rest.prefix { $0 != quote }
      heads[name] = Head(
        comma: index == 0 ? [UInt8(ascii: ",")] : Array(comma), blanks: Array(blanks),
        name: Array(rest.dropFirst(blanks.count)))
      end = extent.upperBound
    }
    return heads
  }

  func head(ofNew name: JSONText, like last: Head?) -> Head {
    let written = Array(JSONValue.string(name).canonical)
    guard let last, let end = last.name.lastIndex(of: quote) else {
      return Head(comma: [UInt8(ascii: ",")], blanks: [], name: written + [UInt8(ascii: ":")])
    }
    return Head(comma: last.comma, blanks: last.blanks, name: written + last.name[(end + 1)...])
  }

  /// What stands behind the last member.
  var tail: ArraySlice<UInt8> {
    let last = names.last.flatMap { node.members?[$0]?.extent.upperBound }
    return bytes[(last ?? node.extent.lowerBound + 1)..<node.extent.upperBound]
  }

  private var quote: UInt8 { UInt8(ascii: "\"") }
}
