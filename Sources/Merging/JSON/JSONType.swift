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
  /// What somebody typed for a key of a document, read as the type that the key has so far. Whether a side has null there, or
  /// lacks the key, makes no difference.
  ///
  /// - Throws: ``ChoiceRefusal/notReadable(field:expected:)``, ``ChoiceRefusal/readableTwice(field:expected:)``,
  ///   ``ChoiceRefusal/beyondDoubles(field:)``
  public func typed(_ text: String) throws(ChoiceRefusal) -> Value {
    let types = typesSoFar
    let json: Value? = Value(typed: text).flatMap { types.take(JSONType($0)) ? $0 : nil }
    switch (types.take(.text), json) {
    case (false, let json?): return json
    case (true, nil) where !types.take(.number) || !text.isNumberElsewhere: return .text(text)
    case (true, _): throw .readableTwice(field: name, expected: types.words)
    case (false, nil) where types.take(.number) && text.isBeyondDoubles: throw .beyondDoubles(field: name)
    case (false, nil): throw .notReadable(field: name, expected: types.words)
    }
  }

  /// That a value is of another type than all that the key has so far, in words: a document takes it, and an app that counts on the
  /// type may not. nil where it is not so, or where nothing has a type.
  package func typeChange(to value: Value) -> String? {
    let sides = Side.allCases.compactMap { version($0) }
    let types = sides.compactMap { JSONType($0.value) }
    guard field.form == .json, !types.isEmpty, let new = JSONType(value), !types.contains(new) else {
      return nil
    }
    return
      "it was \(Set(types).words) \(types.count == 3 ? "on every side" : "so far"), and would be \(new.words) now"
  }

  /// Other leaves than the two have a say only through the kind.
  private var typesSoFar: Set<JSONType> {
    let types = Side.allCases.compactMap { version($0) }.compactMap { JSONType($0.value) }
    return Set(types.isEmpty ? [JSONType(field.kind)].compactMap(\.self) : types)
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
