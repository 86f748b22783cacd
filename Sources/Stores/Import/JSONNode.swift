/// One value of a JSON text, and the bytes it stands on.
///
/// Numbers stay the characters they were written in: a Double keeps no 64-bit integer exactly, and only who reads the value
/// knows which of both it is.
struct JSONNode: Sendable {
  indirect enum Content: Sendable {
    case null
    case bool(Bool)
    case number(String)
    case string(String)
    case array([JSONNode])
    case object([String: JSONNode])
  }

  let content: Content
  /// Counted from the first byte of the whole text.
  let extent: Range<Int>
}

extension JSONNode {
  /// A member of an object; nil if it has none of this name, if that is null, or if this is no object.
  subscript(name: String) -> JSONNode? {
    guard case .object(let members) = content, let member = members[name], !member.isNull else { return nil }
    return member
  }

  var isNull: Bool { if case .null = content { true } else { false } }
  var text: String? { if case .string(let text) = content { text } else { nil } }
  var bool: Bool? { if case .bool(let bool) = content { bool } else { nil } }
  var elements: [JSONNode]? { if case .array(let elements) = content { elements } else { nil } }
  var members: [String: JSONNode]? { if case .object(let members) = content { members } else { nil } }

  /// The characters of a number, also of one that was sent as a string to keep it exact.
  var number: String? {
    switch content {
    case .number(let number), .string(let number): number
    case .null, .bool, .array, .object: nil
    }
  }

  /// What it is, for an error.
  var kind: String {
    switch content {
    case .null: "null"
    case .bool: "a truth value"
    case .number: "a number"
    case .string: "a string"
    case .array: "a list"
    case .object: "an object"
    }
  }
}

/// Why a JSON text, or something in it, was refused. Holds no value of a record, as errors are printed and logged.
struct JSONProblem: Error, Equatable, CustomStringConvertible {
  let reason: String
  /// The byte where it shows, counted from the first of the whole text.
  let offset: Int

  var description: String { reason }

  func place(in bytes: [UInt8]) -> String { "\(JSONPlace().advanced(over: bytes.prefix(offset)))" }
}
