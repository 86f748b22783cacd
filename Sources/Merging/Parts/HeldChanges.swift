import ExactJSON

/// What a field with many leaves becomes where somebody typed it, or it was put together, and which changes of a leaf are in it.
///
/// Of JSON it has a change where it has, at the same key or place, what the leaf has there: all the way down, as a merge by keys goes. Of a
/// text of several words it has those whose words are in it, see ``TypedText``. Of everything else nothing is told apart.
struct HeldChanges {
  private let value: Value
  private let ancestor: Value?
  /// What they are, or hold as text, where the value is JSON: read once, as the leaves may be hundreds.
  private let json: JSONValue?
  private let oldJSON: JSONValue?
  private lazy var text = TypedText(value, ancestor: ancestor)
  /// By the leaf's value: hundreds of leaves may have few.
  private var known: [Value: [FieldPart]?] = [:]

  init(in value: Value, ancestor: Value?) {
    (self.value, self.ancestor) = (value, ancestor)
    json = value.container
    oldJSON = json == nil ? nil : ancestor?.container
  }

  /// The changes that a leaf's value has and it has not; nil where they are not told apart, and of a text where it has none of them.
  mutating func missing(of leaf: Value) -> [FieldPart]? {
    if json != nil { return missingKeys(of: leaf) }
    if let found = known[leaf] { return found }
    let missing = text?.missing(of: leaf)
    known.updateValue(missing, forKey: leaf)
    return missing
  }

  /// Whether it has all that a leaf changed of JSON, which without an ancestor nobody knows. Of one that only laid it out anew it has nothing.
  mutating func hasAll(of leaf: Value) -> Bool {
    json != nil && ancestor != nil && missingKeys(of: leaf) == [] && leaf.container != oldJSON
  }

  /// nil where the two and the ancestor are not all objects, or lists of one length, and where one of the two is a text that only reads so:
  /// who made a text of an object has changed it, be every key as it was.
  mutating func missingKeys(of leaf: Value) -> [FieldPart]? {
    guard let json, leaf.isText == value.isText, ancestor == nil || oldJSON != nil else { return nil }
    if let found = known[leaf] { return found }
    let missing = leaf.container.flatMap {
      JSONParts.lostOfClient(ThreeWay(ancestor: oldJSON, client: $0, server: json))
    }
    known.updateValue(missing, forKey: leaf)
    return missing
  }
}

extension Value {
  fileprivate var isText: Bool { if case .text = self { true } else { false } }
}
