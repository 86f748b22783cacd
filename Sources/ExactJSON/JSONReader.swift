/// Reads JSON (RFC 8259) strictly and within bounds: whatever the bytes are, this ends, in time that grows with their number.
///
/// Names that occur twice in one object are refused, unless a rule says otherwise: readers differ in which of the two they
/// take, and the other would be lost. Foundation's reader turns numbers into Doubles, takes the last of two equal names, and
/// tells no line.
package struct JSONReader {
  /// What is read and what is refused, beside what is no JSON at all.
  package struct Rules: Sendable {
    /// Every level takes some of the stack.
    package var depth = 64
    /// How many values there may be in one text: a few bytes of text make a hundred of memory.
    package var values = 500_000
    /// The longest number, in characters, and none that is too large for a Double; nil for any. No exact 64-bit number has
    /// more than 20.
    package var numeral: Int? = 400
    /// Whether a byte order mark at the beginning, as files may have it, is passed over.
    package var passesByteOrderMark = true
    /// Whether a string with half of a surrogate pair, which no String can hold, is kept as it is written.
    package var keepsHalfSurrogates = false
    /// Whether of two equal names in one object the last counts, as most readers have it, and none is refused.
    package var takesLastOfTwins = false
    /// What a string stands for that is not UTF-8; without it such a one is refused.
    package var brokenText: (@Sendable ([UInt8]) -> JSONNode.Content)?

    package init() {}
  }

  package let bytes: [UInt8]
  private var count = 0
  private let rules: Rules
  private let end: Int
  package private(set) var position: Int

  /// Reads what lies in `range` of `bytes`.
  package init(_ bytes: [UInt8], in range: Range<Int>? = nil, rules: Rules = Rules()) {
    let range = range ?? bytes.indices
    self.bytes = bytes
    self.rules = rules
    end = range.upperBound
    let hasMark = rules.passesByteOrderMark && bytes[range].starts(with: [0xEF, 0xBB, 0xBF])
    position = range.lowerBound + (hasMark ? 3 : 0)
  }

  /// The next value, nil if there are none left. Several may follow each other with nothing but space between them.
  package mutating func next() throws(JSONProblem) -> JSONNode? {
    skipSpace()
    return position < end ? try value(depth: 0) : nil
  }

  /// The only value.
  package mutating func single() throws(JSONProblem) -> JSONNode {
    guard let node = try next() else { throw problem("there is nothing") }
    try checkEnd()
    return node
  }

  /// The members of an object that is the only value, one after the other: for who needs no tree of them. Nothing is read where another
  /// value begins.
  ///
  /// - Parameter take: is asked whether a name is new.
  /// - Returns: whether it is an object.
  package mutating func members(
    _ take: (JSONText, JSONNode) throws(JSONProblem) -> Bool
  ) throws(JSONProblem) -> Bool {
    skipSpace()
    guard current == UInt8(ascii: "{") else { return false }
    try forEachMember(0, take)
    try checkEnd()
    return true
  }

  private mutating func checkEnd() throws(JSONProblem) {
    skipSpace()
    guard position == end else { throw problem("something follows the end of the value") }
  }
}

extension JSONReader {
  private func problem(_ reason: String) -> JSONProblem { JSONProblem(reason: reason, offset: position) }

  private var current: UInt8? { position < end ? bytes[position] : nil }

  private mutating func skipSpace() {
    while let byte = current, byte == 0x20 || byte == 0x0A || byte == 0x0D || byte == 0x09 { position += 1 }
  }

  private mutating func value(depth: Int) throws(JSONProblem) -> JSONNode {
    guard depth < rules.depth else { throw problem("nested deeper than \(rules.depth) levels") }
    let start = position
    count += 1
    guard count <= rules.values else {
      throw JSONProblem(
        reason: "more than \(rules.values) values, and a record never has as many", offset: position,
        mostValues: rules.values)
    }
    let content = try content(depth)
    return JSONNode(content: content, extent: start..<position)
  }

  private mutating func content(_ depth: Int) throws(JSONProblem) -> JSONNode.Content {
    switch current {
    case UInt8(ascii: "{"): .object(try members(depth))
    case UInt8(ascii: "["): .array(try elements(depth))
    case UInt8(ascii: "\""): try text()
    case UInt8(ascii: "t"): try word("true")
    case UInt8(ascii: "f"): try word("false")
    case UInt8(ascii: "n"): try word("null")
    case UInt8(ascii: "-"): .literal(try number())
    case .some(let byte) where byte.isDigit: .literal(try number())
    case nil: throw problem("the text ends where a value belongs")
    case .some: throw problem("no value begins like this")
    }
  }

  private mutating func word(_ word: StaticString) throws(JSONProblem) -> JSONNode.Content {
    let start = position
    for index in 0..<word.utf8CodeUnitCount {
      guard current == word.utf8Start[index] else { throw misspelt(word, from: start) }
      position += 1
    }
    return .literal("\(word)")
  }

  /// What only shares its first letters with a word is none that was meant.
  private func misspelt(_ word: StaticString, from start: Int) -> JSONProblem {
    if let current, current.isLetter {
      return JSONProblem(reason: "no value begins like this", offset: start)
    }
    return problem("\(word) is misspelt, or a text has no quotation marks")
  }

  private mutating func elements(_ depth: Int) throws(JSONProblem) -> [JSONNode] {
    var elements: [JSONNode] = []
    position += 1
    skipSpace()
    if take("]") { return elements }
    while true {
      skipSpace()
      elements.append(try value(depth: depth + 1))
      skipSpace()
      if take("]") { return elements }
      guard take(",") else { throw problem("a list goes on with a comma or ends with ]") }
    }
  }

  private mutating func members(_ depth: Int) throws(JSONProblem) -> [JSONText: JSONNode] {
    var members: [JSONText: JSONNode] = [:]
    try forEachMember(depth) { name, node in members.updateValue(node, forKey: name) == nil }
    return members
  }

  private mutating func forEachMember(
    _ depth: Int, _ body: (JSONText, JSONNode) throws(JSONProblem) -> Bool
  ) throws(JSONProblem) {
    position += 1
    skipSpace()
    if take("}") { return }
    while true {
      skipSpace()
      try member(depth, body)
      skipSpace()
      if take("}") { return }
      guard take(",") else { throw problem("an object goes on with a comma or ends with }") }
    }
  }

  private mutating func member(
    _ depth: Int, _ body: (JSONText, JSONNode) throws(JSONProblem) -> Bool
  ) throws(JSONProblem) {
    let start = position
    guard current == UInt8(ascii: "\"") else { throw problem("a name in quotation marks belongs here") }
    guard case .string(let name) = try text() else { throw problem("a name that no text can hold") }
    skipSpace()
    guard take(":") else { throw problem("a colon follows a name") }
    skipSpace()
    let isNew = try body(name, try value(depth: depth + 1))
    guard rules.takesLastOfTwins || isNew else {
      throw JSONProblem(reason: "the object has this name twice", offset: start)
    }
  }

  private mutating func take(_ byte: Unicode.Scalar) -> Bool {
    guard current == UInt8(ascii: byte) else { return false }
    position += 1
    return true
  }
}

/// Numbers.
extension JSONReader {
  private mutating func number() throws(JSONProblem) -> String {
    let start = position
    _ = take("-")
    if !take("0") { try digits() }
    let whole = position
    if take(".") { try digits() }
    if take("e") || take("E") {
      if !take("+") { _ = take("-") }
      try digits()
    }
    let number = String(decoding: bytes[start..<position], as: UTF8.self)
    // Most are whole and short, and none of these is too large for a Double.
    if position == whole, position - start < 20 { return number }
    guard let limit = rules.numeral else { return number }
    if position - start > limit {
      throw JSONProblem(reason: "a number of more than \(limit) characters", offset: start)
    }
    guard Double(number)?.isFinite == true else {
      throw JSONProblem(reason: "a number too large to be kept", offset: start)
    }
    return number
  }

  private mutating func digits() throws(JSONProblem) {
    guard let first = current, first.isDigit else { throw problem("a digit belongs here") }
    while let digit = current, digit.isDigit { position += 1 }
  }
}

extension UInt8 {
  fileprivate var isDigit: Bool { UInt8(ascii: "0")...UInt8(ascii: "9") ~= self }
  fileprivate var isLetter: Bool { UInt8(ascii: "a")...UInt8(ascii: "z") ~= self | 0x20 }
}

/// Strings.
extension JSONReader {
  private mutating func text() throws(JSONProblem) -> JSONNode.Content {
    let start = position
    position += 1
    let plain = plainCharacters()
    // Hardly any has an escape.
    if take("\"") { return try text(plain, start) }
    var (utf8, isWhole) = (Array(plain), true)
    while true {
      switch current {
      case UInt8(ascii: "\""):
        position += 1
        return isWhole ? try text(utf8[...], start) : try asWritten(start)
      case UInt8(ascii: "\\"):
        if let scalar = try escaped() { utf8 += Array(String(scalar).utf8) } else { isWhole = false }
      case nil: throw JSONProblem(reason: "the text ends within this string", offset: start)
      case .some: throw problem("a control character that is not escaped")
      }
      utf8 += plainCharacters()
    }
  }

  private func asWritten(_ start: Int) throws(JSONProblem) -> JSONNode.Content {
    if let text = String(exactly: bytes[start..<position]) { return .literal(text) }
    throw JSONProblem(reason: "text that is not UTF-8", offset: start)
  }

  private func text(_ utf8: ArraySlice<UInt8>, _ start: Int) throws(JSONProblem) -> JSONNode.Content {
    if let text = String(exactly: utf8) { return .string(JSONText(text)) }
    if let brokenText = rules.brokenText { return brokenText(Array(utf8)) }
    throw JSONProblem(reason: "text that is not UTF-8", offset: start)
  }

  private mutating func plainCharacters() -> ArraySlice<UInt8> {
    let start = position
    while let byte = current, byte >= 0x20, byte != UInt8(ascii: "\""), byte != UInt8(ascii: "\\") {
      position += 1
    }
    return bytes[start..<position]
  }

  /// nil for half of a surrogate pair that is kept.
  private mutating func escaped() throws(JSONProblem) -> Unicode.Scalar? {
    let start = position
    position += 1
    guard let letter = current else { throw problem("the text ends within an escape") }
    position += 1
    switch letter {
    case UInt8(ascii: "\""): return "\""
    case UInt8(ascii: "\\"): return "\\"
    case UInt8(ascii: "/"): return "/"
    case UInt8(ascii: "b"): return "\u{8}"
    case UInt8(ascii: "f"): return "\u{C}"
    case UInt8(ascii: "n"): return "\n"
    case UInt8(ascii: "r"): return "\r"
    case UInt8(ascii: "t"): return "\t"
    case UInt8(ascii: "u"): return try scalar(start)
    default: throw JSONProblem(reason: "no such escape", offset: start)
    }
  }

  /// The scalar of one `\uXXXX`, or of two that are a surrogate pair.
  private mutating func scalar(_ start: Int) throws(JSONProblem) -> Unicode.Scalar? {
    let high = try fourDigits()
    if let scalar = Unicode.Scalar(high) { return scalar }
    let before = position
    if high < 0xDC00, take("\\"), take("u") {
      let low = try fourDigits()
      if 0xDC00...0xDFFF ~= low { return Unicode.Scalar(0x10000 + (high - 0xD800) << 10 + (low - 0xDC00)) }
    }
    guard rules.keepsHalfSurrogates else {
      throw JSONProblem(reason: "half of a surrogate pair", offset: start)
    }
    position = before
    return nil
  }

  private mutating func fourDigits() throws(JSONProblem) -> UInt32 {
    var value: UInt32 = 0
    for _ in 0..<4 {
      guard let digit = current.flatMap(Hexadecimal.nibble) else {
        throw problem("four hexadecimal digits follow \\u")
      }
      value = value << 4 | UInt32(digit)
      position += 1
    }
    return value
  }
}
