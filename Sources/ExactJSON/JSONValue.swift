/// A JSON value (RFC 8259) that loses nothing on its way through the desk: a number stays the text it was written as, and
/// two texts are equal only if their bytes are.
///
///     {"price":1.10,"id":12345678901234567890123,"tags":["a","b"]}
public enum JSONValue: Sendable, Hashable {
  /// `null`, `true`, `false`, or a number: its own text. Also a string with half of a surrogate pair, quotes and all, since
  /// no String can hold it.
  case literal(String)
  case string(JSONText)
  case array([JSONValue])
  case object([JSONText: JSONValue])

  /// The literal `null`.
  public static let null = JSONValue.literal("null")

  /// A text as a JSON string, with the same bytes.
  public static func string(_ text: String) -> JSONValue { .string(JSONText(text)) }
}

extension JSONValue {
  /// Reads one JSON value and nothing after it. Numbers and halves of surrogate pairs stay as they are written.
  public init(parsing bytes: [UInt8]) throws(JSONProblem) { try self.init(parsing: bytes, atMost: .max) }

  /// The same of a text; the offset of a problem counts its UTF-8.
  public init(parsing text: String) throws(JSONProblem) { try self.init(parsing: Array(text.utf8)) }

  /// The same of what may have been written to harm whoever reads it: each value takes a hundred bytes of memory, and two of the text.
  ///
  /// - Parameter values: how many there may be in all.
  package init(parsing bytes: [UInt8], atMost values: Int) throws(JSONProblem) {
    var rules = JSONValue.rules
    rules.values = values
    var reader = JSONReader(bytes, rules: rules)
    self.init(try reader.single())
  }

  /// Nothing is lost, and nothing refused that is JSON.
  package static let rules = {
    var rules = JSONReader.Rules()
    (rules.depth, rules.values) = (200, .max)
    (rules.numeral, rules.keepsHalfSurrogates, rules.passesByteOrderMark) = (nil, true, false)
    return rules
  }()

  package init(_ node: JSONNode) {
    switch node.content {
    case .literal(let literal): self = .literal(literal)
    case .string(let text): self = .string(text)
    case .array(let elements): self = .array(elements.map { JSONValue($0) })
    case .object(let members): self = .object(members.mapValues { JSONValue($0) })
    }
  }
}

extension JSONValue {
  /// The value in one form: no blanks, keys sorted by UTF-16 code units, as RFC 8785 has it, and only quote, backslash and
  /// control characters escaped. Numbers stay as they are. It is what CDTDatastore stores and hashes (TDCanonicalJSON.m).
  public var canonical: [UInt8] { JSON(self).bytes() }

  /// ``canonical`` as a text.
  public var text: String { String(decoding: canonical, as: UTF8.self) }
}

extension JSON {
  /// With its keys sorted.
  fileprivate init(_ value: JSONValue) {
    switch value {
    case .literal(let token): self = .literal(token)
    case .string(let text): self = .string(text.text)
    case .array(let elements): self = .array(elements.map { JSON($0) })
    case .object(let members):
      self = .object(members.sorted { $0.key < $1.key }.map { ($0.key.text, JSON($0.value)) })
    }
  }
}
