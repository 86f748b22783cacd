import Foundation
import Merging

// What a record can be found by, as a summary holds it:
//
//   ␝ ␞ title ␟ call dentist today ␟ call dr. wu ␞ list ␟ 9 ␟ 7 …
//
// A group separator where some value is there in part alone, a record separator before each field that has changed, a unit separator
// before each of its values; all in lower case.

/// Text as it is looked for: in lower case, and an é as one character, however it was written.
package enum SearchText {
  /// In the first place, if there is one.
  package static let cut: Unicode.Scalar = "\u{1D}"
  package static let field: Unicode.Scalar = "\u{1E}"
  package static let value: Unicode.Scalar = "\u{1F}"
  /// In bytes, of each value: a hundred thousand records stay small. Of a longer one it is the beginning, and what stands around the
  /// first difference, as that is what a desk shows of it; who looks for more of it reads the record.
  static let longest = 300
  fileprivate static let beginning = 120
  fileprivate static let before = 40

  package static func folded(_ text: String) -> String {
    if text.isPlain { return text.lowercased() }
    let text = text.utf8.contains(0) ? String(text.map { $0 == "\0" ? " " : $0 }) : text
    let lower = text.lowercased()
    return lower.utf8.allSatisfy { $0 < 0x80 } ? lower : lower.precomposedStringWithCanonicalMapping
  }

  /// Appends what ``folded(_:)`` makes of a text: a walk does it with each value, and most are folded byte by byte.
  fileprivate static func append(_ text: String, to bytes: inout [UInt8]) {
    if !text.isPlain {
      bytes += folded(text).utf8
      return
    }
    let start = bytes.count
    bytes += text.utf8
    bytes.withUnsafeMutableBufferPointer { bytes in
      for place in start..<bytes.count { bytes[place] = lower(bytes[place]) }
    }
  }

  private static func lower(_ byte: UInt8) -> UInt8 {
    UInt8(ascii: "A")...UInt8(ascii: "Z") ~= byte ? byte | 0x20 : byte
  }

  /// Whether `text` has `words` in it; both are folded. Byte by byte, so that many rows are searched with every key.
  package static func isFound(_ words: String, in text: String) -> Bool {
    text.withCString { isFound(words, in: $0) }
  }

  /// The same of a text that ends with a 0, as those of many rows lie. The words are lent where they lie: handed over as a String each row
  /// would copy them.
  package static func isFound(_ words: String, in text: UnsafePointer<CChar>) -> Bool {
    words.withCString { strstr(text, $0) != nil }
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
    var (bytes, isCut) = ([UInt8](), false)
    // As of most, so that they do not grow by and by.
    bytes.reserveCapacity(128)
    for place in fields.toDecide {
      bytes.append(UInt8(ascii: SearchText.field))
      fields.look(at: place) { field in
        SearchText.append(field.pointee.name, to: &bytes)
        field.pointee.appendValues(to: &bytes)
        // What a key points to is no part of the row, and shown in its place.
        isCut = isCut || field.pointee.hasLongText || field.pointee.field.referencedTable != nil
      }
    }
    if isCut { bytes.insert(UInt8(ascii: SearchText.cut), at: 0) }
    return String(decoding: bytes, as: UTF8.self)
  }

  /// Which of these words, folded, a side has somewhere in a field that has changed: in all of a value, and not only in what a summary
  /// has of it.
  package func found(of words: Set<String>) -> Set<String> {
    var left = words
    for place in fields.toDecide where !left.isEmpty {
      fields.look(at: place) { field in
        left.subtract(field.pointee.found(of: left))
        let titles = (details.references[field.pointee.name] ?? [:]).values.map(SearchText.folded)
        left = left.filter { words in !titles.contains { SearchText.isFound(words, in: $0) } }
      }
    }
    return words.subtracting(left)
  }
}

extension ConflictSummary {
  /// Whether a value is longer than what it is found by here, or is shown by the title of what it points to.
  package var isCut: Bool { searchText.unicodeScalars.first == SearchText.cut }
}

extension FieldConflict {
  fileprivate func appendValues(to bytes: inout [UInt8]) {
    let (ancestor, client, server) = (value(.ancestor), value(.client), value(.server))
    let place = hasLongText ? firstDifference(ancestor, client, server) : 0
    ancestor?.appendSearched(to: &bytes, from: place)
    if client != ancestor { client?.appendSearched(to: &bytes, from: place) }
    if server != client { server?.appendSearched(to: &bytes, from: place) }
  }

  fileprivate var hasLongText: Bool { Side.allCases.contains { value($0)?.longText != nil } }

  /// Which of these words, folded, a side has in it.
  package func found(of words: Set<String>) -> Set<String> {
    var left = words
    for text in Set([ancestor, client, server].compactMap { $0?.value.searched }) where !left.isEmpty {
      let folded = SearchText.folded(text)
      left = left.filter { !SearchText.isFound($0, in: folded) }
    }
    return words.subtracting(left)
  }

  /// The first byte in which long texts differ; 0 where that matters to nobody.
  private func firstDifference(_ values: Value?...) -> Int {
    let texts = values.compactMap { $0?.longText }
    guard let first = texts.first, texts.count > 1 else { return 0 }
    return texts.dropFirst().map {
      zip(first, $0).lazy.prefix { $0 == $1 }.reduce(0) { count, _ in count + 1 }
    }.min() ?? 0
  }
}

extension Value {
  fileprivate func appendSearched(to bytes: inout [UInt8], from difference: Int) {
    guard let text = searched else { return }
    guard text.utf8.count > SearchText.longest else { return Self.append(text, to: &bytes) }
    for part in Self.parts(text.utf8, from: difference) { Self.append(part, to: &bytes) }
  }

  private static func append(_ part: String, to bytes: inout [UInt8]) {
    bytes.append(UInt8(ascii: SearchText.value))
    SearchText.append(part, to: &bytes)
  }

  /// All that is searched of it; nil for what nobody would type.
  fileprivate var searched: String? {
    switch self {
    case .text(let text): text
    case .integer(let integer): "\(integer)"
    case .real(let real): "\(real)"
    case .opaque: jsonText
    case .null, .blob: nil
    }
  }

  /// Of a long text its beginning, and what stands around the difference.
  private static func parts(_ text: String.UTF8View, from difference: Int) -> [String] {
    let beginning = SearchText.beginning
    guard difference > beginning, text.count > SearchText.longest else {
      return [String(decoding: text.prefix(SearchText.longest), as: UTF8.self)]
    }
    let behind = text.dropFirst(difference - SearchText.before).prefix(SearchText.longest - beginning)
    return [text.prefix(beginning), behind].map { String(decoding: $0, as: UTF8.self) }
  }

  /// nil for what is searched as a whole.
  fileprivate var longText: String.UTF8View? {
    let text: String? =
      switch self {
      case .text(let text): text
      case .opaque: jsonText
      case .integer, .real, .null, .blob: nil
      }
    return text.flatMap { $0.utf8.count > SearchText.longest ? $0.utf8 : nil }
  }
}
