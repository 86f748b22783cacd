import ExactJSON

/// What a value of a JSON document can be; null and a key that is not there are of no type.
enum JSONType: String, CaseIterable {
  case text, number
  case truth = "true or false"
  case list = "a list"
  case object = "an object"

  init?(_ value: Value) {
    switch value {
    case .text: self = .text
    case .integer, .real: self = .number
    case .opaque(Value.jsonKind, let bytes): self.init(token: bytes.first)
    case .null, .blob, .opaque: return nil
    }
  }

  /// By the first byte. A text comes as a token only where no String can hold it.
  private init(token: UInt8?) {
    switch token {
    case UInt8(ascii: "["): self = .list
    case UInt8(ascii: "{"): self = .object
    case UInt8(ascii: "t"), UInt8(ascii: "f"): self = .truth
    case UInt8(ascii: "\""): self = .text
    default: self = .number
    }
  }

  fileprivate init?(_ kind: Field.Kind) {
    switch kind {
    case .integer, .real: self = .number
    case .text: self = .text
    case .blob, .numeric, .any: return nil
    }
  }

  fileprivate var words: String { self == .number ? "a number" : rawValue }
}

extension FieldConflict {
  /// - Parameter leaves: what leaves have of it, also such as stand in no column.
  fileprivate func typed(_ text: String, beside leaves: [Value?]) throws(ChoiceRefusal) -> Value {
    let types = typesSoFar(leaves)
    let json: Value? = Value(typed: text).flatMap { types.take(JSONType($0)) ? $0 : nil }
    switch (types.take(.text), json) {
    case (false, let json?): return json
    case (true, nil) where !types.take(.number) || !text.isNumberElsewhere: return .text(text)
    case (true, _): throw .readableTwice(field: name, expected: types.words)
    case (false, nil) where types.take(.number) && text.isBeyondDoubles: throw .beyondDoubles(field: name)
    case (false, nil): throw .notReadable(field: name, expected: types.words)
    }
  }

  /// What each version is, nil where it is of no type.
  private func types(_ leaves: [Value?]) -> [JSONType?] {
    (Side.allCases.map { value($0) } + leaves).map { $0.flatMap { JSONType($0) } }
  }

  /// Where no version tells, the kind does.
  private func typesSoFar(_ leaves: [Value?]) -> Set<JSONType> {
    let types = types(leaves).compactMap(\.self)
    return Set(types.isEmpty ? [JSONType(field.kind)].compactMap(\.self) : types)
  }

  fileprivate func typeChange(to value: Value, beside leaves: [Value?]) -> String? {
    let types = types(leaves)
    let known = Set(types.compactMap(\.self))
    guard field.form == .json, !known.isEmpty, let new = JSONType(value), !known.contains(new) else {
      return nil
    }
    return
      "it was \(known.words) \(types.contains(nil) ? "so far" : "on every side"), and would be \(new.words) now"
  }
}

extension RecordConflict {
  /// What somebody typed for a key of a document, read as the type that the key has so far: on a side, or in a leaf that stands in no
  /// column. Whether one has null there, or lacks the key, makes no difference.
  ///
  /// - Throws: ``ChoiceRefusal/notReadable(field:expected:)``, ``ChoiceRefusal/readableTwice(field:expected:)``,
  ///   ``ChoiceRefusal/beyondDoubles(field:)``
  package func typed(_ text: String, for field: FieldConflict) throws(ChoiceRefusal) -> Value {
    try field.typed(text, beside: leafValues(of: field.name))
  }

  /// That a value is of another type than all that the key has so far, in words: a document takes it, and an app that counts on the
  /// type may not. nil where it is not so, or where nothing has a type.
  package func typeChange(of field: String, to value: Value) -> String? {
    self[field]?.typeChange(to: value, beside: leafValues(of: field))
  }
}

extension Set<JSONType> {
  /// Whether a key that has these so far is read as this one, too: as any, where it has none.
  fileprivate func take(_ type: JSONType?) -> Bool { isEmpty || type.map { contains($0) } == true }

  fileprivate var words: String {
    JSONType.allCases.filter { contains($0) }.map(\.words).joined(separator: " or ")
  }
}

extension Value {
  /// The JSON that somebody typed; nil for words, and for what is a number elsewhere alone, as `.5`, `+5`, `007` and `0x1F` are.
  public init?(typed text: String) {
    guard let json = try? JSONValue(parsing: text), json.isTyped else { return nil }
    self.init(json)
  }
}

extension Value {
  /// Whether it is a text that reads like a number, like true and false, or like another piece of JSON.
  var isTextLikeAnother: Bool {
    guard case .text(let text) = self else { return false }
    return text.isNumberElsewhere || Value(typed: text) != nil
  }
}

extension String {
  /// Whether anything reads it as a number, JSON or not.
  fileprivate var isNumberElsewhere: Bool { Double(self)?.isFinite == true }
}

extension JSONValue {
  /// Texts are typed without quotes, null is said otherwise, and no app reads a number beyond all that it can count with.
  fileprivate var isTyped: Bool {
    switch self {
    case .string, .null: false
    case .literal(let token): JSONValue.isRead(token)
    case .array, .object: true
    }
  }

  /// What no app reads, as it is written: half of a surrogate pair, a number beyond all Doubles.
  fileprivate var unread: [String] {
    switch self {
    case .string: []
    case .literal(let token): JSONValue.isRead(token) ? [] : [token]
    case .array(let elements): elements.flatMap(\.unread)
    case .object(let members): members.values.flatMap(\.unread)
    }
  }

  private static func isRead(_ token: String) -> Bool {
    Double(token)?.isFinite ?? !token.hasPrefix("\"")
  }
}

extension Value {
  /// Of JSON what no app reads.
  var unreadJSON: [String] {
    if case .opaque(Value.jsonKind, _) = self { json?.unread ?? [] } else { [] }
  }
}
