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
    if text.isPlain { return text.lowercased() }
    let text = text.utf8.contains(0) ? String(text.map { $0 == "\0" ? " " : $0 }) : text
    let lower = text.lowercased()
    return lower.utf8.allSatisfy { $0 < 0x80 } ? lower : lower.precomposedStringWithCanonicalMapping
  }

  /// Whether `text` has `words` in it; both are folded. Byte by byte, so that many rows are searched with every key.
  package static func isFound(_ words: String, in text: String) -> Bool {
    text.withCString { text in words.withCString { strstr(text, $0) != nil } }
  }
}

extension String {
  /// Whether it is ASCII without a NUL, as most are: then it has one form, and nothing in it is in the way.
  fileprivate var isPlain: Bool {
    utf8.withContiguousStorageIfAvailable { $0.allSatisfy { 1..<0x80 ~= $0 } } ?? false
  }
}

extension RecordConflict {
  /// The fields that have changed, with what all sides have there. Not what keys point to: a walk does not read that.
  var searchText: String {
    var text = ""
    for place in toDecide {
      text.append(SearchText.field)
      fields.look(at: place) { field in
        text += SearchText.folded(field.pointee.name)
        field.pointee.appendValues(to: &text)
      }
    }
    return text
  }
}

extension FieldConflict {
  fileprivate func appendValues(to text: inout String) {
    let (ancestor, client, server) = (ancestor?.value, client?.value, server?.value)
    ancestor?.appendSearched(to: &text)
    if client != ancestor { client?.appendSearched(to: &text) }
    if server != client { server?.appendSearched(to: &text) }
  }
}

extension Value {
  fileprivate func appendSearched(to text: inout String) {
    guard let searched else { return }
    text.append(SearchText.value)
    text += SearchText.folded(searched)
  }

  /// Of a long text its beginning; nil for what nobody would type.
  fileprivate var searched: String? {
    switch self {
    case .text(let text) where text.utf8.count <= SearchText.longest: text
    case .text(let text): String(decoding: text.utf8.prefix(SearchText.longest), as: UTF8.self)
    case .integer(let integer): "\(integer)"
    case .real(let real): "\(real)"
    case .opaque: jsonText.map { String(decoding: $0.utf8.prefix(SearchText.longest), as: UTF8.self) }
    case .null, .blob: nil
    }
  }
}
