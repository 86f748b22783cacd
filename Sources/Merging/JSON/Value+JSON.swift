import ExactJSON

/// Fields of a JSON document as values of the model. What fits a value of its own becomes one; what does not (true, false,
/// lists, objects, and numbers that neither an Int64 nor a Double writes back as they were) travels as its canonical text.
extension Value {
  /// The kind under which JSON travels through ``Value/opaque(kind:bytes:)``.
  public static let jsonKind = "JSON"

  /// A document that lacks a key says something that NULL does not: removing a key is an edit.
  public static let missing = Value.opaque(kind: "not there", bytes: [])

  /// What JSON says as a value of the model: null, a text, and a number that is written back as it was; all else is opaque.
  public init(_ json: JSONValue) {
    switch json {
    case .null: self = .null
    case .string(let text): self = .text(text.text)
    case .literal(let token):
      self = Value.number(token) ?? .opaque(kind: Value.jsonKind, bytes: Array(token.utf8))
    case .array, .object: self = .opaque(kind: Value.jsonKind, bytes: json.canonical)
    }
  }

  /// A number that is written back exactly as it was; nil for every other literal.
  private static func number(_ token: String) -> Value? {
    if let integer = Int64(token), "\(integer)" == token { return .integer(integer) }
    if let real = Double(token), real.isFinite, "\(real)" == token { return .real(real) }
    return nil
  }

  /// nil for what no JSON document can hold: bytes, and what is not there at all.
  public var json: JSONValue? {
    switch self {
    case .null: .null
    case .integer(let integer): .literal("\(integer)")
    case .real(let real): real.isFinite ? .literal("\(real)") : nil
    case .text(let text): .string(text)
    case .blob: nil
    case .opaque(Value.jsonKind, let bytes): try? JSONValue(parsing: bytes)
    case .opaque: nil
    }
  }

  /// The text of a value that is kept as JSON, or told in JSON as an attachment is; nil for all others. For showing it.
  public var jsonText: String? {
    switch self {
    case .opaque(Value.jsonKind, let bytes), .opaque(Value.attachmentKind, let bytes):
      String(decoding: bytes, as: UTF8.self)
    case .null, .integer, .real, .text, .blob, .opaque: nil
    }
  }

  /// The kind under which what a revision has attached travels: its type, length and digest, and not its bytes.
  public static let attachmentKind = "attachment"

  /// Whether it stands for an attachment, whose bytes lie elsewhere.
  public var isAttachment: Bool { if case .opaque(Value.attachmentKind, _) = self { true } else { false } }
}
