import ExactJSON

/// The elements of a JSON array of texts, numbers, `true`, `false` and `null`, as in `["red", 2]` (RFC 8259): of a document's own, or of one
/// that a column keeps as a text.
///
/// Each element is its own JSON text, exactly as it was written: 1 and "1" and 1.0 stay three elements, and an integer
/// too large for a Double is carried through unharmed. Repeated elements count once, as in a set.
struct ElementList: Equatable {
  /// UTF-8, because a String would take two Unicode normal forms of one text for equal.
  typealias Element = [UInt8]

  /// Whether it is written as a text. A document may have both, and one is no other way to write the other.
  let isText: Bool
  private var elements: [Element] = []
  private var members: Set<Element> = []

  /// nil if `value` is no such array, and no text that holds one. Arrays and objects as elements have no equality that an
  /// app would agree with, so they are refused.
  init?(_ value: Value) {
    guard let json = Self.json(value) else { return nil }
    isText = json.isText
    var reader = JSONReader(json.bytes, rules: JSONValue.rules)
    guard let nodes = try? reader.single().elements,
      nodes.allSatisfy({ $0.elements == nil && $0.members == nil })
    else { return nil }
    append(nodes.map { Array(reader.bytes[$0.extent]) })
  }

  private static func json(_ value: Value) -> (bytes: [UInt8], isText: Bool)? {
    switch value {
    case .text(let text): (bytes: Array(text.utf8), isText: true)
    case .opaque(Value.jsonKind, let bytes): (bytes: bytes, isText: false)
    case .null, .integer, .real, .blob, .opaque: nil
    }
  }

  private mutating func append(_ added: [Element]) {
    for element in added where members.insert(element).inserted { elements.append(element) }
  }

  func contains(_ element: Element) -> Bool { members.contains(element) }

  func filter(_ isIncluded: (Element) -> Bool) -> ElementList {
    var copy = self
    copy.elements = elements.filter(isIncluded)
    copy.members = Set(copy.elements)
    return copy
  }

  /// These elements, then those of `other` that are not among them.
  func adding(_ other: ElementList) -> ElementList {
    var copy = self
    copy.append(other.elements)
    return copy
  }

  /// Whatever the order, as sets are.
  static func == (left: ElementList, right: ElementList) -> Bool { left.members == right.members }

  /// The array as it is kept, written without spaces.
  var value: Value {
    let json = "[" + elements.map { String(decoding: $0, as: UTF8.self) }.joined(separator: ",") + "]"
    return isText ? .text(json) : .opaque(kind: Value.jsonKind, bytes: Array(json.utf8))
  }
}
