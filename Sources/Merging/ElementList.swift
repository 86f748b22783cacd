import ExactJSON

/// The elements of a JSON array of texts, numbers, `true`, `false` and `null`, as in `["red", 2]` (RFC 8259).
///
/// Each element is its own JSON text, exactly as it was written: 1 and "1" and 1.0 stay three elements, and an integer
/// too large for a Double is carried through unharmed. Repeated elements count once, as in a set.
struct ElementList: Equatable {
  /// UTF-8, because a String would take two Unicode normal forms of one text for equal.
  typealias Element = [UInt8]

  private var elements: [Element] = []
  private var members: Set<Element> = []

  /// nil if `value` is not a text that holds such an array. Arrays and objects as elements have no equality that an
  /// app would agree with, so they are refused.
  init?(_ value: Value) {
    guard case .text(let text) = value else { return nil }
    var reader = JSONReader(Array(text.utf8), rules: JSONValue.rules)
    guard let nodes = try? reader.single().elements,
      nodes.allSatisfy({ $0.elements == nil && $0.members == nil })
    else { return nil }
    append(nodes.map { Array(reader.bytes[$0.extent]) })
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

  /// The array, written without spaces.
  var json: String { "[" + elements.map { String(decoding: $0, as: UTF8.self) }.joined(separator: ",") + "]" }
}
