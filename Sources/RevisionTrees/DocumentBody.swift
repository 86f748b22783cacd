import ExactJSON
import Merging

/// The body of a revision: a JSON object. Zero bytes are an empty one.
package struct DocumentBody: Sendable {
  package let fields: [String: Value]

  /// Why a body cannot be read, in words that hold nothing of it.
  package struct Malformed: Error, CustomStringConvertible {
    package let description: String
  }

  package init(_ bytes: [UInt8]) throws {
    let json = try bytes.isEmpty ? JSONValue.object([:]) : JSONValue(parsing: bytes)
    guard case .object(let members) = json else { throw Malformed(description: "it is no JSON object") }
    try self.init(members)
  }

  /// - Parameter members: those of the body alone, none of what a server tells beside it.
  package init(_ members: [JSONText: JSONValue]) throws {
    if members.keys.contains(where: { $0.text.hasPrefix(Field.attachmentPrefix) }) {
      throw Malformed(
        description: "a key begins with \(Field.attachmentPrefix), which is how attachments are called here")
    }
    fields = try members.reduce(into: Dictionary(minimumCapacity: members.count)) { fields, member in
      guard fields.updateValue(Value(member.value), forKey: member.key.text) == nil else {
        throw Malformed(description: "two of its keys differ in their Unicode normal form only")
      }
    }
  }
}
