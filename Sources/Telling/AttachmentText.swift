import ExactJSON
import Merging

extension Value {
  /// What an attachment is, as bytes in a field are told: "text/plain 11 B #b6c565f8". nil for other values, and for one of which not
  /// so much is known.
  var attachmentText: String? {
    guard case .opaque(Value.attachmentKind, let bytes) = self,
      case .object(let members)? = try? JSONValue(parsing: bytes),
      case .literal(let length)? = members["length"], let digest = members["digest"]?.word
    else { return nil }
    let digits = digest.split(separator: "-", maxSplits: 1).last?.prefix(8) ?? ""
    let packed = members["encoding"]?.word.map { ", \($0)" } ?? ""
    return "\(members["content_type"]?.word ?? "attachment") \(length) B #\(digits)\(packed)"
  }
}

extension JSONValue {
  fileprivate var word: String? { if case .string(let text) = self { text.text } else { nil } }
}
