import ExactJSON
import Merging

/// Values as the desk shows them. NULL, empty text and the text "NULL" look different.
package enum ValueText {
  /// One line; the grid cuts it and makes control characters visible.
  package static func line(_ value: Value?) -> String {
    switch value {
    case nil: "-"
    case .null?: "∅"
    case .integer(let integer)?: "\(integer)"
    case .real(let real)?: "\(real)"
    case .text("")?: "\"\""
    case .text(let text)?: text
    case .blob(let blob)?: line(blob)
    case Value.missing?: "(none)"
    case .opaque(let kind, let bytes)?: value?.jsonText ?? "\(kind), not understood, \(bytes.count) bytes"
    }
  }

  /// The type as stored.
  package static func kind(_ value: Value?) -> String {
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

  private static func line(_ blob: Blob) -> String {
    "blob " + (blob.count.map { "\($0) B " } ?? "") + "#" + Hexadecimal.text(blob.sha256.prefix(4))
  }
}
