import ExactJSON

/// What a field becomes, be it what somebody typed, what was put together, or what one side or leaf has, and which changes of another edit
/// are in it. Two sides are leaves here, too.
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

  /// The changes that a leaf's value has and it has not; nil where they are not told apart, of a text where it has none of them, and of one
  /// that only laid out anew what was there.
  mutating func missing(of leaf: Value) -> [FieldPart]? {
    if json != nil {
      let missing = missingKeys(of: leaf)
      return missing == [] && leaf.container == oldJSON ? nil : missing
    }
    if let found = known[leaf] { return found }
    let missing = text?.missing(of: leaf)
    known.updateValue(missing, forKey: leaf)
    return missing
  }

  /// Whether it has all that a leaf changed of JSON, which without an ancestor nobody knows.
  mutating func hasAll(of leaf: Value) -> Bool {
    json != nil && ancestor != nil && missing(of: leaf) == []
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
