import ExactJSON
import StoreInterface

/// A JSON text of any length, walked from its beginning without holding more of it than one value.
///
/// It finds where values begin and end, and no more: what they are is for ``JSONReader``, which reads each strictly.
struct JSONSource {
  /// The longest value that is taken out, in bytes: CloudKit keeps a record below 1 MB, and JSON may write it six times as long.
  static let valueLimit = 16 << 20

  /// At most so many bytes from an offset on; none at the end.
  typealias Bytes = (_ offset: Int, _ count: Int) throws(StoreError) -> [UInt8]

  private let bytes: Bytes
  private var block: [UInt8] = []
  private var position = 0
  private var end = 0
  private(set) var place = JSONPlace()

  init(_ bytes: @escaping Bytes) { self.bytes = bytes }

  /// The next byte, which stays; nil at the end.
  mutating func peek() throws(StoreError) -> UInt8? {
    if position == block.count {
      block = try bytes(end, 64 * 1024)
      position = 0
      end += block.count
    }
    return position < block.count ? block[position] : nil
  }

  @discardableResult mutating func next() throws(StoreError) -> UInt8? {
    guard let byte = try peek() else { return nil }
    position += 1
    place.pass(byte)
    return byte
  }

  mutating func skipSpace() throws(StoreError) {
    while let byte = try peek(), [0x20, 0x09, 0x0A, 0x0D].contains(byte) { try next() }
  }

  mutating func skipByteOrderMark() throws(StoreError) {
    if try bytes(0, 3) == [0xEF, 0xBB, 0xBF] { for _ in 0..<3 { try next() } }
  }

  /// Whether the next byte is this one, which is then passed.
  mutating func take(_ character: Unicode.Scalar) throws(StoreError) -> Bool {
    guard try peek() == UInt8(ascii: character) else { return false }
    try next()
    return true
  }
}

/// The bytes of one value, and where in its file it begins.
struct JSONPart {
  var bytes: [UInt8] = []
  let place: JSONPlace
  /// Whether it goes on beyond ``JSONSource/valueLimit``; then these are not its bytes.
  var isTooLong = false

  func place(of offset: Int) -> String { "\(place.advanced(over: bytes.prefix(offset)))" }

  /// Whether it is JSON, though it may hold what cannot be kept, such as a number beyond all Doubles.
  var isWellFormed: Bool {
    var rules = JSONReader.Rules()
    (rules.depth, rules.numeral, rules.keepsHalfSurrogates, rules.takesLastOfTwins) = (200, nil, true, true)
    rules.brokenText = { _ in .literal("null") }
    var reader = JSONReader(bytes, rules: rules)
    return (try? reader.single()) != nil
  }
}

extension JSONSource {
  /// The next value, as far as brackets and quotation marks tell where it ends.
  ///
  /// - Parameter isKept: whether its bytes are wanted.
  mutating func value(isKept: Bool = true) throws(StoreError) -> JSONPart {
    var part = JSONPart(place: place)
    var (depth, isInText, isEscaped) = (0, false, false)
    while try peek() != nil {
      if isInText, !isEscaped { passText(into: &part, isKept) }
      guard position < block.count, let byte = try peek() else { continue }
      let isMark = !isInText && "{}[],: \t\r\n".utf8.contains(byte)
      if depth == 0, isMark, !part.bytes.isEmpty || byte != UInt8(ascii: "{") && byte != UInt8(ascii: "[") {
        break
      }
      try next()
      keep(byte, in: &part, isKept)
      switch byte {
      case _ where isEscaped: isEscaped = false
      case UInt8(ascii: "\\") where isInText: isEscaped = true
      case UInt8(ascii: "\""): isInText.toggle()
      case UInt8(ascii: "{") where !isInText, UInt8(ascii: "[") where !isInText: depth += 1
      case UInt8(ascii: "}") where !isInText, UInt8(ascii: "]") where !isInText: depth -= 1
      default: break
      }
      if depth == 0, !isInText, isMark || byte == UInt8(ascii: "\"") { break }
    }
    return part
  }

  /// The rest of the line, without its end.
  mutating func line() throws(StoreError) -> JSONPart {
    var part = JSONPart(place: place)
    while let byte = try next(), byte != UInt8(ascii: "\n") { keep(byte, in: &part, true) }
    return part
  }

  /// Passes a text up to a quotation mark, a backslash or the end of the block: most of a long value is such a text.
  private mutating func passText(into part: inout JSONPart, _ isKept: Bool) {
    let (start, quote, backslash) = (position, UInt8(ascii: "\""), UInt8(ascii: "\\"))
    while position < block.count, block[position] != quote, block[position] != backslash {
      place.pass(block[position])
      position += 1
    }
    guard isKept else { return }
    let room = JSONSource.valueLimit - part.bytes.count
    part.bytes += block[start..<min(position, start + room)]
    part.isTooLong = part.isTooLong || position - start > room
  }

  /// One byte stands for all of a value that is not wanted, so that it has begun.
  private func keep(_ byte: UInt8, in part: inout JSONPart, _ isKept: Bool) {
    if isKept ? part.bytes.count < JSONSource.valueLimit : part.bytes.isEmpty {
      part.bytes.append(byte)
    } else if isKept {
      part.isTooLong = true
    }
  }
}
