import Foundation
import Merging

// What a record can be found by, as a summary holds it:
//
//   ␞ title ␟ call dentist today ␟ call dr. wu ␞ list ␟ 9 ␟ 7 …
//
// A record separator before each field that has changed, a unit separator before each of its values; all in lower case.

/// Text as it is looked for: in lower case, and an é as one character, however it was written.
package enum SearchText {
  package static let field: Character = "\u{1E}"
  package static let value: Character = "\u{1F}"
  /// In bytes, of each value: a hundred thousand records stay small.
  static let longest = 300

  package static func folded(_ text: String) -> String {
    let text = text.utf8.contains(0) ? String(text.map { $0 == "\0" ? " " : $0 }) : text
    let lower = text.lowercased()
    return lower.utf8.allSatisfy { $0 < 0x80 } ? lower : lower.precomposedStringWithCanonicalMapping
  }

  /// Whether `text` has `words` in it; both are folded. Byte by byte, so that many rows are searched with every key.
  package static func isFound(_ words: String, in text: String) -> Bool {
    text.withCString { text in words.withCString { strstr(text, $0) != nil } }
  }
}

extension RecordConflict {
  /// The fields that have changed, with what all sides have there. Not what keys point to: a walk does not read that.
  var searchText: String {
    let fields = fields.filter { $0.change != .unchanged && $0.field.isWritable }
    return fields.map { field in
      ([String(SearchText.field) + SearchText.folded(field.name)] + values(of: field)).joined()
    }.joined()
  }

  private func values(of field: FieldConflict) -> [String] {
    let (ancestor, client, server) = (field.ancestor?.value, field.client?.value, field.server?.value)
    let values = [ancestor, client == ancestor ? nil : client, server == client ? nil : server]
    return values.compactMap { $0?.searched }.map { String(SearchText.value) + SearchText.folded($0) }
  }
}

extension Value {
  /// Of a long text its beginning; nil for what nobody would type.
  fileprivate var searched: String? {
    switch self {
    case .text(let text): String(decoding: text.utf8.prefix(SearchText.longest), as: UTF8.self)
    case .integer(let integer): "\(integer)"
    case .real(let real): "\(real)"
    case .opaque: jsonText.map { String(decoding: $0.utf8.prefix(SearchText.longest), as: UTF8.self) }
    case .null, .blob: nil
    }
  }
}
