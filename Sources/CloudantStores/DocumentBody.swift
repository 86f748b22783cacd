import ExactJSON
import Merging

/// The body of a revision: a JSON object in canonical form. Zero bytes are an empty one.
struct DocumentBody {
  let fields: [String: Value]

  struct Malformed: Error, CustomStringConvertible {
    let description: String
  }

  init(_ bytes: [UInt8]) throws {
    let json = try bytes.isEmpty ? JSONValue.object([:]) : JSONValue(parsing: bytes)
    guard case .object(let members) = json else { throw Malformed(description: "it is no JSON object") }
    if members.keys.contains(where: { $0.text.hasPrefix(Attachment.prefix) }) {
      throw Malformed(
        description: "a key begins with \(Attachment.prefix), which is how attachments are called here")
    }
    fields = try members.reduce(into: [:]) { fields, member in
      guard fields.updateValue(Value(member.value), forKey: member.key.text) == nil else {
        throw Malformed(description: "two of its keys differ in their Unicode normal form only")
      }
    }
  }
}
