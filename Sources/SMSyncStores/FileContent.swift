import ExactJSON
import Merging
import StoreInterface

/// The bytes of a file as a value: text that is UTF-8 as text, everything else as a blob.
enum FileContent {
  static func value(_ bytes: [UInt8]) -> Value {
    guard !bytes.contains(0), let text = String(validating: bytes, as: UTF8.self) else {
      return .blob(Blob(bytes: bytes))
    }
    return .text(text)
  }

  /// nil for what no file holds.
  static func bytes(_ value: Value) -> [UInt8]? {
    switch value {
    case .text(let text): Array(text.utf8)
    case .blob(let blob): blob.bytes
    case .null, .integer, .real, .opaque: nil
    }
  }

  /// Whether a text is an object or a list, which are merged by their keys.
  static func isJSON(_ value: Value) -> Bool {
    guard case .text(let text) = value, let first = text.first(where: { !$0.isWhitespace }),
      first == "{" || first == "["
    else { return false }
    return (try? JSONValue(parsing: text)) != nil
  }

  /// What kind of file it is, as far as its first bytes tell; nil for text.
  static func kind(_ value: Value) -> String? {
    guard case .blob(let blob) = value, let bytes = blob.bytes else { return nil }
    return picture(bytes) ?? others.first { bytes.starts(with: $0.magic) }?.name ?? "bytes"
  }

  /// What a person calls it.
  static func noun(_ value: Value?) -> String {
    if case .blob? = value { "file" } else { "text" }
  }

  /// By what two files of bytes are told apart in a word.
  static func mark(_ value: Value) -> String {
    guard case .blob(let blob) = value else { return "" }
    return "#" + Hexadecimal.text(blob.sha256.prefix(4))
  }

  private static let others: [(magic: [UInt8], name: String)] = [
    (Array("%PDF-".utf8), "PDF"),
    ([0x50, 0x4B, 0x03, 0x04], "ZIP archive"),
    (Array("bplist00".utf8), "property list"), (Array("SQLite format 3".utf8), "SQLite database"),
  ]

  /// The three formats that most pictures have, with their size.
  private static func picture(_ bytes: [UInt8]) -> String? {
    func number(_ places: [Int]) -> Int { places.reduce(0) { $0 << 8 | Int(bytes[$1]) } }
    if bytes.count >= 24, bytes.starts(with: [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]) {
      return "PNG picture, \(number([16, 17, 18, 19])) × \(number([20, 21, 22, 23]))"
    }
    if bytes.count >= 10, bytes.starts(with: Array("GIF8".utf8)) {
      return "GIF picture, \(number([7, 6])) × \(number([9, 8]))"
    }
    guard bytes.starts(with: [0xFF, 0xD8, 0xFF]) else { return nil }
    let frame = JPEGFrame(bytes)
    return "JPEG picture" + (frame.map { ", \($0.width) × \($0.height)" } ?? "")
  }
}
