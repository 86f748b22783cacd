import ExactJSON

/// A field's three versions by their parts: what neither side touched, and each change.
///
/// JSON on all sides is taken apart by its keys, all the way down; arrays of one length by their places, and where both sides
/// changed such an array a person decides, as an element that was put in moves the others. Other arrays are parts as a whole:
/// which element became which is nowhere said. All other texts are taken apart by words; long ones, of which that would
/// take seconds, by lines.
///
/// Laws: the pieces of a side joined are its text; with every part taken from one side the value is that side's; nothing is in
/// the value that no side has, and nobody typed.
public struct FieldParts: Sendable, Equatable {
  /// What a field is taken apart by.
  public enum Form: Sendable {
    case words, lines, keys
    /// Longer than what is compared by lines.
    case whole
  }

  /// A stretch of the field, in the order of its text.
  public enum Piece: Sendable, Equatable {
    /// The same on all sides.
    case kept(String)
    case part(FieldPart)
  }

  /// What it was taken apart by: the whole where it is too long to be compared even by lines.
  public let form: Form
  /// In the order of the text. Of JSON a line for each key.
  public let pieces: [Piece]
  /// The pieces that are changes, in the order of the text.
  public let parts: [FieldPart]
  private let source: Source

  private enum Source: Equatable {
    case text
    case json(ThreeWay<JSONValue>, written: ThreeWay<Value>)
  }

  /// nil for what is neither text nor JSON, and where both sides have the same.
  public init?(ancestor: Value?, client: Value, server: Value) {
    guard client != server || ancestor.map({ $0 != client }) == true else { return nil }
    if let parts = FieldParts(json: ThreeWay(ancestor: ancestor, client: client, server: server)) {
      self = parts
    } else if case .text(let client) = client, case .text(let server) = server {
      guard let old = ancestor.map({ $0.text ?? "" }) else {
        self.init(client: client, server: server)
        return
      }
      self.init(ancestor: old, client: client, server: server)
    } else {
      return nil
    }
  }

  private init(form: Form, pieces: [Piece], source: Source) {
    (self.form, self.pieces, self.source) = (form, pieces, source)
    parts = pieces.compactMap { if case .part(let part) = $0 { part } else { nil } }
  }
}

/// Texts.
extension FieldParts {
  init(ancestor: String, client: String, server: String) {
    let middle = Middle([ancestor, client, server])
    let unit = middle.unit
    let merge = TextMerge(
      ancestor: middle.texts[0], client: middle.texts[1], server: middle.texts[2], by: unit,
      joinsWords: true)
    self.init(merge, form: FieldParts.form(unit), hasAncestor: true, around: middle)
  }

  init(client: String, server: String) {
    let middle = Middle([client, server])
    let unit = middle.unit
    let merge = TextMerge(client: middle.texts[0], server: middle.texts[1], by: unit)
    self.init(merge, form: FieldParts.form(unit), hasAncestor: false, around: middle)
  }

  private static func form(_ unit: Words.Unit) -> Form {
    switch unit {
    case .words: .words
    case .lines: .lines
    case .whole: .whole
    }
  }

  private init(_ merge: TextMerge, form: Form, hasAncestor: Bool, around middle: Middle) {
    var offset = middle.prefix.utf8.count
    let pieces = merge.parts.map { part -> Piece in
      let (old, client, server, change) = part.texts
      if change == .unchanged {
        offset += old.utf8.count
        return .kept(old)
      }
      let start = offset
      let length = hasAncestor ? old.utf8.count : client.utf8.count
      offset += length
      return .part(
        FieldPart(
          id: "\(start)+\(length)", ancestor: hasAncestor ? old : nil, client: client, server: server,
          change: change))
    }
    let all = FieldParts.joined([.kept(middle.prefix)] + pieces + [.kept(middle.suffix)])
    self.init(form: form, pieces: all.markingLines, source: .text)
  }

  private static func joined(_ pieces: [Piece]) -> [Piece] {
    pieces.reduce(into: []) { joined, piece in
      guard case .kept(let text) = piece else { return joined.append(piece) }
      if text.utf8.isEmpty { return }
      guard case .kept(let before)? = joined.last else { return joined.append(piece) }
      joined[joined.count - 1] = .kept(before + text)
    }
  }
}

extension [FieldParts.Piece] {
  /// The parts that begin and end with a line know that they do. In a text of one line none is told so: it may be the words of a title.
  fileprivate var markingLines: [FieldParts.Piece] {
    guard contains(where: \.hasLines) else { return self }
    return indices.map { index in
      guard case .part(var part) = self[index] else { return self[index] }
      let begins = index == 0 || self[index - 1].endsWithLine
      let ends = index == count - 1 || self[index + 1].beginsWithLineEnd
      part.isOfLines = begins && ends
      return .part(part)
    }
  }
}

extension FieldParts.Piece {
  private var texts: [String] {
    switch self {
    case .kept(let text): [text]
    case .part(let part): [part.ancestor, part.client, part.server].compactMap(\.self)
    }
  }

  fileprivate var hasLines: Bool { texts.contains { $0.utf8.contains(0x0A) } }
  fileprivate var endsWithLine: Bool { texts.allSatisfy { $0.last?.isNewline == true } }
  fileprivate var beginsWithLineEnd: Bool { texts.allSatisfy { $0.first?.isNewline == true } }
}

/// JSON.
extension FieldParts {
  /// nil unless all that are known are objects, or lists of one length, and something differs.
  init?(json written: ThreeWay<Value>) {
    let ancestor = written.ancestor.map(\.container)
    guard let client = written.client.container, let server = written.server.container,
      ancestor != .some(nil)
    else { return nil }
    let versions = ThreeWay(ancestor: ancestor.flatMap(\.self), client: client, server: server)
    var walk = JSONParts()
    guard walk.take(versions) != nil, walk.hasParts else { return nil }
    self.init(form: .keys, pieces: walk.pieces, source: .json(versions, written: written))
  }
}

extension FieldParts {
  /// Whether somebody may type this for a part.
  public func takes(_ text: String) -> Bool { form != .keys || (try? JSONValue(parsing: text)) != nil }

  /// What is merged in here: what a person chose, else what is sure.
  public func choice(of part: FieldPart, in choices: [FieldPart.ID: PartChoice]) -> PartChoice? {
    choices[part.id] ?? part.sureChoice
  }

  /// The parts that nobody has decided yet.
  public func undecided(in choices: [FieldPart.ID: PartChoice]) -> [FieldPart] {
    parts.filter { choice(of: $0, in: choices) == nil }
  }

  /// The field put together; nil while something is to decide, or where a typed key is no JSON.
  public func value(_ choices: [FieldPart.ID: PartChoice]) -> Value? {
    guard parts.allSatisfy({ choice(of: $0, in: choices) != nil }) else { return nil }
    switch source {
    case .text: return .text(text(choices))
    case .json(let versions, let written): return json(versions, written, choices)
    }
  }

  /// Choices by which the field becomes `value`; nil where none are known. Of a key that nobody has so it is what was typed there.
  package func choices(making value: Value) -> [FieldPart.ID: PartChoice]? {
    switch source {
    case .text:
      var choices = value.text.flatMap { TextChoices(pieces, making: $0) }
      return choices?.find()
    case .json:
      guard let json = value.container else { return nil }
      return Dictionary(
        parts.map { part in
          let here = json.value(at: part.id)?.text
          let side = Side.allCases.first { part.text($0) == here }
          return (part.id, side.map { .take($0) } ?? .edit(here ?? ""))
        }, uniquingKeysWith: { first, _ in first })
    }
  }

  private func text(_ choices: [FieldPart.ID: PartChoice]) -> String {
    pieces.map { piece in
      switch piece {
      case .kept(let text): text
      case .part(let part): choice(of: part, in: choices).flatMap(part.text) ?? ""
      }
    }.joined()
  }

  /// What comes to a side's own JSON is that side's own text, whatever its blanks and the order of its keys. Else it is laid out as the
  /// client's: a file that a person wrote is not written anew for one key of it.
  private func json(
    _ versions: ThreeWay<JSONValue>, _ written: ThreeWay<Value>, _ choices: [FieldPart.ID: PartChoice]
  ) -> Value? {
    var walk = JSONParts { self.choice(of: $0, in: choices) }
    guard let merged = walk.take(versions), !walk.hasFailed else { return nil }
    if merged == versions.client { return written.client }
    if merged == versions.server { return written.server }
    if merged == versions.ancestor, let ancestor = written.ancestor { return ancestor }
    guard written.client.text != nil else { return Value(merged) }
    let texts = [written.client, written.server, written.ancestor].compactMap { $0?.text }
    return .text(merged.text(like: texts))
  }
}

extension Value {
  /// The object or array that it is, or holds as text.
  var container: JSONValue? {
    let json: JSONValue? =
      switch self {
      case .text(let text): text.mayBeJSON ? try? JSONValue(parsing: text) : nil
      case .opaque(Value.jsonKind, _): self.json
      case .null, .integer, .real, .blob, .opaque: nil
      }
    switch json {
    case .object?, .array?: return json
    case .literal?, .string?, nil: return nil
    }
  }
}

extension String {
  /// Most texts are not, and megabytes need not be read to know.
  fileprivate var mayBeJSON: Bool {
    guard let first = utf8.first(where: { !" \n\r\t".utf8.contains($0) }) else { return false }
    return first == UInt8(ascii: "{") || first == UInt8(ascii: "[")
  }
}
