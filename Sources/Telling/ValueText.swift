import ExactJSON
import Merging

/// Values in one line. Only ``Privacy`` makes these texts, so that none gets by it.
enum ValueText {
  private static let null = "∅"
  private static let none = "-"
  private static let missing = "(none)"

  /// - Parameter isTyped: whether it is known beside the value that it is a text, so that "5" is not taken for 5.
  static func line(_ value: Value?, isTyped: Bool) -> String {
    switch value {
    case nil: none
    case .null?: null
    case .integer(let integer)?: "\(integer)"
    case .real(let real)?: "\(real)"
    case .text(let text)?: isMisleading(text, isTyped) ? "\"\(text)\"" : text
    case .blob(let blob)?: line(blob)
    case Value.missing?: missing
    case .opaque(let kind, let bytes)?: value?.jsonText ?? "\(kind), not understood, \(bytes.count) bytes"
    }
  }

  /// Whether a text could be taken for something else, or for another text.
  private static func isMisleading(_ text: String, _ isTyped: Bool) -> Bool {
    if ["", null, none, missing, Privacy.mark].contains(text) || text.first == " " || text.last == " " {
      return true
    }
    return !isTyped && text.utf8.count < 40 && (Double(text) != nil || text == "true" || text == "false")
  }

  private static func line(_ blob: Blob) -> String {
    "blob " + (blob.count.map { "\($0) B " } ?? "") + "#" + Hexadecimal.text(blob.sha256.prefix(4))
      + (blob.bytes == nil ? ", not here" : "")
  }
}

extension Value {
  /// The type as stored.
  package static func typeName(_ value: Value?) -> String {
    switch value {
    case nil: "not known"
    case .null?: "NULL"
    case .integer?: "INTEGER"
    case .real?: "REAL"
    case .text?: "TEXT"
    case .blob?: "BLOB"
    case Value.missing?: "not there"
    case .opaque(let kind, _)?: value?.jsonText == nil ? "unknown" : kind
    }
  }
}
