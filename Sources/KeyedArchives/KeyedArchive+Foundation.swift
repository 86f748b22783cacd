// The classes of Foundation, by their shape: text, bytes and dates that may be nil, and collections.

extension KeyedArchive {
  /// Text, or nil. NSMutableString wraps it: {NS.string}.
  package mutating func text(_ index: Int) throws(ArchiveError) -> String? {
    try text(ofTarget: try target(of: index))
  }

  mutating func text(ofTarget node: Node) throws(ArchiveError) -> String? {
    if case .dictionary(let wrapper) = node, let inner = try entry("NS.string", of: wrapper) {
      return try text(try list.node(inner), orObject: inner)
    }
    return try text(node)
  }

  /// NSMutableString's NS.string lies in the wrapper itself, or is a reference once more.
  private mutating func text(_ node: Node, orObject index: Int) throws(ArchiveError) -> String? {
    if case .uid = node { try text(try target(of: index)) } else { try text(node) }
  }

  package mutating func text(_ node: Node) throws(ArchiveError) -> String? {
    switch node {
    case .null: return nil
    case .ascii(let extent):
      try reserve(extent.count)
      return try list.asciiText(extent)
    case .utf16(let extent):
      try reserve(2 * extent.count)
      return try list.utf16Text(extent)
    default: throw ArchiveError(.unexpected(found: node.kind, expected: "text"))
    }
  }

  package mutating func requiredText(_ index: Int?) throws(ArchiveError) -> String {
    guard let index, let text = try text(index) else { throw ArchiveError(.missing) }
    if text.isEmpty { throw ArchiveError(.empty) }
    return text
  }

  /// Bytes, or nil. NSMutableData wraps them: {NS.data}.
  package mutating func data(_ index: Int) throws(ArchiveError) -> UnsafeRawBufferPointer? {
    switch try target(of: index) {
    case .null: return nil
    case .data(let extent): return list.data(extent)
    case .dictionary(let wrapper):
      if let inner = try entry("NS.data", of: wrapper), case .data(let extent) = try target(of: inner) {
        return list.data(extent)
      }
      throw ArchiveError(.unexpected(found: "an object", expected: "data"))
    case let node: throw ArchiveError(.unexpected(found: node.kind, expected: "data"))
    }
  }

  package mutating func bytes(_ data: UnsafeRawBufferPointer) throws(ArchiveError) -> [UInt8] {
    try reserve(data.count)
    return Array(data)
  }

  /// NSDate, or nil: {NS.time}, in seconds since 2001.
  package mutating func date(_ index: Int) throws(ArchiveError) -> Double? {
    switch try target(of: index) {
    case .null: return nil
    case .dictionary(let fields): return try date(fields)
    case let node: throw ArchiveError(.unexpected(found: node.kind, expected: "a date"))
    }
  }

  package mutating func date(_ fields: Extent) throws(ArchiveError) -> Double {
    try real(try required("NS.time", of: fields))
  }

  package mutating func real(_ index: Int) throws(ArchiveError) -> Double {
    switch try target(of: index) {
    case .real(let real): return real
    case .integer(let integer): return Double(integer)
    case let node: throw ArchiveError(.unexpected(found: node.kind, expected: "a real number"))
    }
  }

  package mutating func integer(_ index: Int) throws(ArchiveError) -> Int64 {
    switch try target(of: index) {
    case .integer(let integer): return integer
    case let node: throw ArchiveError(.unexpected(found: node.kind, expected: "an integer"))
    }
  }

  package mutating func bool(_ index: Int) throws(ArchiveError) -> Bool {
    switch try target(of: index) {
    case .bool(let bool): return bool
    case .integer(let integer): return integer != 0
    case let node: throw ArchiveError(.unexpected(found: node.kind, expected: "a truth value"))
    }
  }

  /// The dictionary of an object that is not nil.
  package mutating func object(_ index: Int?) throws(ArchiveError) -> Extent {
    guard let index else { throw ArchiveError(.missing) }
    switch try target(of: index) {
    case .null: throw ArchiveError(.missing)
    case .dictionary(let fields): return fields
    case let node: throw ArchiveError(.unexpected(found: node.kind, expected: "an object"))
    }
  }

  /// The elements of NSArray and NSSet: {NS.objects}.
  package mutating func elements(_ name: StaticString, of collection: Extent) throws(ArchiveError) -> Extent {
    guard case .array(let elements) = try list.node(try required(name, of: collection)) else {
      throw ArchiveError(.unexpected(found: "something else", expected: "an array"), keys: ["\(name)"])
    }
    return elements
  }
}

/// `file:///tmp/a%20b` and `/tmp/a b`, in both directions.
package enum FileURL {
  private static let scheme = "file://"
  private static let unescaped = Set(
    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~/".utf8)

  /// The path of a file URL; any other text as it is.
  package static func path(_ url: String) -> String {
    guard url.hasPrefix(scheme + "/") else { return url }
    var rest = url.utf8.dropFirst(scheme.utf8.count)
    var path: [UInt8] = []
    while let byte = rest.popFirst() {
      if byte == UInt8(ascii: "%"), let escaped = UInt8(escape: rest.prefix(2)) {
        path.append(escaped)
        rest = rest.dropFirst(2)
      } else {
        path.append(byte)
      }
    }
    return String(validating: path, as: UTF8.self) ?? url
  }

  package static func url(_ path: String) -> String {
    guard path.hasPrefix("/") else { return path }
    return path.utf8.reduce(into: scheme) { url, byte in
      if unescaped.contains(byte) {
        url.unicodeScalars.append(Unicode.Scalar(byte))
      } else {
        url += "%" + (byte < 16 ? "0" : "") + String(byte, radix: 16, uppercase: true)
      }
    }
  }
}

extension UInt8 {
  /// Two hexadecimal digits.
  fileprivate init?(escape digits: Substring.UTF8View) {
    guard digits.count == 2, digits.allSatisfy({ Character(Unicode.Scalar($0)).isHexDigit }) else {
      return nil
    }
    self.init(Substring(digits), radix: 16)
  }
}

/// Foundation's dates: seconds since the start of 2001 in UTC, as a Double.
package enum ReferenceDate {
  /// From the start of 1970 to the start of 2001.
  private static let secondsSince1970: Int64 = 978_307_200
  private static let nanosecond: Int64 = 1_000_000_000

  /// Nanoseconds since 1970, rounded to the microsecond: a Double of this decade is no finer. nil for what is no time,
  /// or lies further than 292 years from 1970.
  package static func nanoseconds(secondsSince2001 seconds: Double) -> Int64? {
    let whole = seconds.rounded(.down)
    guard let since2001 = Int64(exactly: whole) else { return nil }
    let microseconds = Int64(((seconds - whole) * 1_000_000).rounded())
    let since1970 = since2001.addingReportingOverflow(secondsSince1970)
    let ofSeconds = since1970.partialValue.multipliedReportingOverflow(by: nanosecond)
    let all = ofSeconds.partialValue.addingReportingOverflow(microseconds * 1000)
    return since1970.overflow || ofSeconds.overflow || all.overflow ? nil : all.partialValue
  }

  package static func secondsSince2001(nanoseconds: Int64) -> Double {
    let seconds = nanoseconds / nanosecond
    return Double(seconds - secondsSince1970) + Double(nanoseconds - seconds * nanosecond) / 1_000_000_000
  }
}
