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
  private var wholes: [Value: Bool] = [:]

  init(in value: Value, ancestor: Value?) {
    (self.value, self.ancestor) = (value, ancestor)
    json = value.container
    oldJSON = json == nil ? nil : ancestor?.container
  }

  /// The changes that a leaf's value has and it has not; nil where they are not told apart, of one that only laid out anew what was there,
  /// and where it has none of them: of a text always, and of JSON where they are more than anybody reads and the value can be kept in
  /// their place.
  mutating func missing(of leaf: Value) -> [FieldPart]? {
    if json != nil {
      let keys = missingKeys(of: leaf)
      if keys == [], leaf.container == oldJSON { return nil }
      return keys.map { isTold($0, byTheWholeOf: leaf) } == true ? nil : keys
    }
    if let found = known[leaf] { return found }
    let missing = text?.missing(of: leaf)
    known.updateValue(missing, forKey: leaf)
    return missing
  }

  private mutating func isTold(_ missing: [FieldPart], byTheWholeOf leaf: Value) -> Bool {
    guard missing.count > LostEdit.mostParts, leaf.length <= GivenUp.longestKept else { return false }
    if let found = wholes[leaf] { return found }
    let all = leaf.container.flatMap {
      JSONParts.lostOfClient(ThreeWay(ancestor: oldJSON, client: $0, server: oldJSON ?? .object([:])))
    }
    let isAll = all?.map(\.id) == missing.map(\.id)
    wholes[leaf] = isAll
    return isAll
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
  /// In bytes, of what changes are told apart of.
  fileprivate var length: Int {
    switch self {
    case .text(let text): text.utf8.count
    case .opaque(_, let bytes): bytes.count
    case .null, .integer, .real, .blob: 0
    }
  }

  fileprivate var isText: Bool { if case .text = self { true } else { false } }
}
