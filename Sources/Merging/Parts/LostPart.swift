import ExactJSON

/// A change of a side that is not in what its field becomes: words of a text, or a key of JSON.
package struct LostPart: Sendable, Hashable {
  /// The path of a key; nil for words.
  package var name: String?
  /// What the ancestor has there; nil where it is not known, or has no such key.
  package var old: String?
  /// What the side has there; nil of a key that it removed.
  package var new: String?

  package init(name: String? = nil, old: String?, new: String?) {
    (self.name, self.old, self.new) = (name, old, new)
  }

  /// The same path as a JSON pointer, by which a choice about that key is kept, as ``FieldPart/id``; nil for words.
  package var pointer: String? {
    name.map { name in
      var rest = Array(name.utf8)[...]
      var pointer = ""
      while let key = LostPart.firstKey(of: &rest) { pointer += JSONValue.pointer(to: key) }
      return pointer
    }
  }

  /// What a value has at its key; nil of words, and where it has no such key.
  package func text(in value: Value) -> String? {
    pointer.flatMap { value.container?.value(at: $0)?.text }
  }

  /// Takes one from a path: plain, behind a dot, or in brackets an index, or in quotes.
  private static func firstKey(of path: inout ArraySlice<UInt8>) -> String? {
    guard let first = path.first else { return nil }
    let isBracketed = first == UInt8(ascii: "[")
    if isBracketed || first == UInt8(ascii: ".") { path.removeFirst() }
    let key = isBracketed ? path.prefix(path.lengthInBrackets) : path.prefix { !".[".utf8.contains($0) }
    path = path.dropFirst(key.count + (isBracketed ? 1 : 0))
    if case .string(let text)? = try? JSONValue(parsing: Array(key)) { return text.text }
    return String(decoding: key, as: UTF8.self)
  }
}

extension ArraySlice<UInt8> {
  /// How many bytes stand before the bracket that closes, which may be in quotes as well.
  fileprivate var lengthInBrackets: Int {
    var (isQuoted, isEscaped) = (false, false)
    for (length, byte) in enumerated() {
      if byte == UInt8(ascii: "]"), !isQuoted { return length }
      if byte == UInt8(ascii: "\""), !isEscaped { isQuoted.toggle() }
      isEscaped = byte == UInt8(ascii: "\\") && !isEscaped
    }
    return count
  }
}

extension FieldParts {
  /// The changes of the sides that these choices leave out, in the order of the text. What is still to decide leaves out nothing.
  func lost(by choices: [FieldPart.ID: PartChoice]) -> [(side: Side, part: FieldPart)] {
    parts.flatMap { part in
      guard let choice = choice(of: part, in: choices) else { return [(side: Side, part: FieldPart)]() }
      return [Side.client, .server].filter { isChanged(part, by: $0) && !isKept(part, of: $0, by: choice) }
        .map { ($0, part) }
    }
  }

  /// Of a text, words that are not there are none.
  private func text(_ part: FieldPart, _ side: Side) -> String? {
    part.text(side) ?? (form == .keys ? nil : "")
  }

  /// Byte for byte: two normal forms of a text are two texts.
  private func areSame(_ left: String?, _ right: String?) -> Bool {
    left.map { Value.text($0) } == right.map { Value.text($0) }
  }

  private func isChanged(_ part: FieldPart, by side: Side) -> Bool {
    !areSame(text(part, side), text(part, .ancestor))
  }

  private func isKept(_ part: FieldPart, of side: Side, by choice: PartChoice) -> Bool {
    switch choice {
    case .take(let taken): areSame(text(part, taken), text(part, side))
    case .both: true
    case .edit(let typed) where form == .keys:
      (try? JSONValue(parsing: typed)) == part.text(side).flatMap { try? JSONValue(parsing: $0) }
    case .edit(let typed): isKept(part, of: side, in: typed)
    }
  }

  /// Words that were typed may have those of a side in them, or have left away what a side has left away.
  private func isKept(_ part: FieldPart, of side: Side, in typed: String) -> Bool {
    let (new, old) = (part.text(side)?.words ?? "", part.ancestor?.words ?? "")
    if !new.isEmpty { return typed.contains(new) }
    return old.isEmpty ? typed == part.text(side) : !typed.contains(old)
  }
}

extension String {
  /// Without the blanks around them.
  fileprivate var words: String {
    guard let first = firstIndex(where: { !$0.isWhitespace }),
      let last = lastIndex(where: { !$0.isWhitespace })
    else { return "" }
    return String(self[first...last])
  }
}

/// Which choices have made a text: one of those that do, where there are several.
struct TextChoices {
  private let pieces: [FieldParts.Piece]
  private let text: [UInt8]
  /// From which piece on, at which byte, nothing fits.
  private var failed: Set<SIMD2<Int>> = []

  /// Nobody takes a text of more pieces apart in his head, and this goes as deep as there are some.
  private static let longest = 1_000

  init?(_ pieces: [FieldParts.Piece], making text: String) {
    guard pieces.count <= Self.longest else { return nil }
    (self.pieces, self.text) = (pieces, Array(text.utf8))
  }

  /// nil where none do.
  mutating func find() -> [FieldPart.ID: PartChoice]? { find(from: 0, at: 0) }

  private mutating func find(from piece: Int, at offset: Int) -> [FieldPart.ID: PartChoice]? {
    guard piece < pieces.count else { return offset == text.count ? [:] : nil }
    let place = SIMD2(piece, offset)
    if failed.contains(place) { return nil }
    for (choice, bytes) in ways(pieces[piece]) where text[offset...].starts(with: bytes) {
      guard var found = find(from: piece + 1, at: offset + bytes.count) else { continue }
      if case .part(let part) = pieces[piece] { found[part.id] = choice }
      return found
    }
    failed.insert(place)
    return nil
  }

  private func ways(_ piece: FieldParts.Piece) -> [(PartChoice?, [UInt8])] {
    switch piece {
    case .kept(let text): return [(nil, Array(text.utf8))]
    case .part(let part):
      let choices: [PartChoice] = [
        .take(part.onlySide ?? .client), .take(.client), .take(.server), .both(first: .client),
        .both(first: .server), .take(.ancestor),
      ]
      return choices.map { ($0, Array((part.text($0) ?? "").utf8)) }
    }
  }
}

extension JSONValue {
  /// What leads to a key in a JSON pointer.
  static func pointer(to key: String) -> String {
    let isEscaped = key.utf8.contains { "~/".utf8.contains($0) }
    return "/" + (isEscaped ? key.replacingEach("~", with: "~0").replacingEach("/", with: "~1") : key)
  }

  /// `~1` is a slash and `~0` a tilde, whatever accents stand behind them.
  private static func unescaped(_ token: Substring) -> String {
    let parts = String(token).parts(between: "~")
    return parts.dropFirst().reduce(String(parts[0])) { key, part in
      let sign: String? =
        part.utf8.first == UInt8(ascii: "1") ? "/" : part.utf8.first == UInt8(ascii: "0") ? "~" : nil
      return key + (sign.map { $0 + String(Substring(part.utf8.dropFirst())) } ?? "~" + part)
    }
  }

  /// What a JSON pointer (RFC 6901) leads to; nil where nothing is.
  func value(at pointer: String) -> JSONValue? {
    pointer.parts(between: "/").dropFirst().reduce(Optional(self)) { value, token in
      let key = JSONValue.unescaped(token)
      return switch value {
      case .object(let members)?: members[JSONText(key)]
      case .array(let elements)?: Int(key).flatMap { elements.indices.contains($0) ? elements[$0] : nil }
      case .literal?, .string?, nil: nil
      }
    }
  }
}
