import Merging

/// Values as the desk shows them. NULL, empty text and the text "NULL" look different.
public enum ValueText {
  /// One line; the grid cuts it and makes control characters visible.
  public static func line(_ value: Value?, isPrivate: Bool = false) -> String {
    switch value {
    case nil: "-"
    case .null?: "∅"
    case _ where isPrivate: "***"
    case .integer(let integer)?: "\(integer)"
    case .real(let real)?: "\(real)"
    case .text("")?: "''"
    case .text(let text)?: text
    case .blob(let blob)?: line(blob)
    case .opaque(let kind, let bytes)?: "\(kind), not understood, \(bytes.count) bytes"
    }
  }

  /// The value of a field; a key that points to another record is shown with that record's title.
  static func line(_ value: Value?, of field: String, in conflict: RecordConflict, isPrivate: Bool) -> String
  {
    let text = line(value, isPrivate: isPrivate)
    guard !isPrivate, let value, let title = conflict.details.references[field]?[value] else { return text }
    return text.count <= 6 ? "\(text) \(title)" : title
  }

  /// The type as stored.
  public static func kind(_ value: Value?) -> String {
    switch value {
    case nil: "not known"
    case .null?: "NULL"
    case .integer?: "INTEGER"
    case .real?: "REAL"
    case .text?: "TEXT"
    case .blob?: "BLOB"
    case .opaque?: "unknown"
    }
  }

  private static func line(_ blob: Blob) -> String {
    let hash = blob.sha256.prefix(4).map { hex($0) }.joined()
    return "blob " + (blob.count.map { "\($0) B " } ?? "") + "#" + hash
  }

  private static func hex(_ byte: UInt8) -> String {
    let digits = String(byte, radix: 16)
    return digits.count == 1 ? "0" + digits : digits
  }
}
