/// One value of a JSON text, and the bytes it stands on.
package struct JSONNode: Sendable {
  package enum Content: Sendable {
    /// As it was written: `null`, `true`, `false`, a number. A Double keeps no 64-bit integer exactly, and only who reads the
    /// value knows which of both it is.
    case literal(String)
    case string(JSONText)
    case array([JSONNode])
    case object([JSONText: JSONNode])
  }

  package let content: Content
  /// Counted from the first byte of the whole text.
  package let extent: Range<Int>

  package init(content: Content, extent: Range<Int>) { (self.content, self.extent) = (content, extent) }
}

extension JSONNode {
  /// A member of an object; nil if it has none of this name, if that is null, or if this is no object.
  package subscript(name: JSONText) -> JSONNode? {
    guard case .object(let members) = content, let member = members[name], !member.isNull else { return nil }
    return member
  }

  package var isNull: Bool { literal == "null" }
  package var text: String? { if case .string(let text) = content { text.text } else { nil } }
  package var elements: [JSONNode]? { if case .array(let elements) = content { elements } else { nil } }
  package var members: [JSONText: JSONNode]? {
    if case .object(let members) = content { members } else { nil }
  }

  package var bool: Bool? {
    switch literal {
    case "true": true
    case "false": false
    default: nil
    }
  }

  /// The characters of a number.
  package var numeral: String? { isNull || bool != nil ? nil : literal }

  /// The characters of a number, also of one that was sent as a string to keep it exact.
  package var number: String? { numeral ?? text }

  private var literal: String? { if case .literal(let literal) = content { literal } else { nil } }

  /// What it is, for an error.
  package var kind: String {
    switch content {
    case .literal where isNull: "null"
    case .literal where bool != nil: "a truth value"
    case .literal: "a number"
    case .string: "a string"
    case .array: "a list"
    case .object: "an object"
    }
  }
}

/// Why a JSON text, or something in it, was refused. Holds no value of a record, as errors are printed and logged.
public struct JSONProblem: Error, Sendable, Equatable, CustomStringConvertible {
  /// What is wrong, in words that name no value.
  public let reason: String
  /// The byte where it shows, counted from the first of the whole text.
  public let offset: Int
  /// How many values there may be, where there are more; nil for every other reason.
  package let mostValues: Int?

  package init(reason: String, offset: Int, mostValues: Int? = nil) {
    (self.reason, self.offset, self.mostValues) = (reason, offset, mostValues)
  }

  public var description: String { "\(reason) at byte \(offset)" }

  package func place(in bytes: [UInt8]) -> String { "\(JSONPlace().advanced(over: bytes.prefix(offset)))" }
}
