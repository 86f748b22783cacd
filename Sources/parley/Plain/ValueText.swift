import ExactJSON
import Merging

/// A value on one line, as a person reads it. JSON is for scripts; here NULL is `∅`, and a text is quoted only where it
/// could be taken for something else.
enum ValueText {
  static let null = "∅"

  static func plain(_ value: Value, in field: Field) -> String {
    switch value {
    case .null: null
    case .integer(let integer): String(integer)
    case .real(let real): real.description
    case .text(let text): field.kind == .text && !isMisleading(text) ? text : "\"\(text)\""
    case .blob(let blob): plain(blob)
    case Value.missing: "(none)"
    case .opaque(let kind, let bytes):
      value.jsonText ?? "\(kind), \(bytes.count) bytes that are not understood"
    }
  }

  /// What a side has, or `-` where it has no such field.
  static func plain(_ version: FieldVersion<Value>?, in field: Field) -> String {
    version.map { plain($0.value, in: field) } ?? "-"
  }

  private static func isMisleading(_ text: String) -> Bool {
    text.isEmpty || text == null || text == "-" || text.first == " " || text.last == " "
  }

  private static func plain(_ blob: Blob) -> String {
    let length = blob.count.map { "\($0) bytes, " } ?? ""
    let place = blob.bytes == nil ? ", not here" : ""
    return "\(length)sha256 \(Hexadecimal.text(blob.sha256.prefix(6)))…\(place)"
  }
}
