// The classes of Foundation, by their shape: text, bytes and dates that may be nil, and collections.

extension KeyedArchive {
  /// Text, or nil. NSMutableString wraps it: {NS.string}.
  package mutating func text(_ index: Int) throws(ArchiveError) -> String? {
    let node = try target(of: index)
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
    guard let index = try entry("NS.time", of: fields) else {
      throw ArchiveError(.missing, keys: ["NS.time"])
    }
    return try real(index)
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
    guard let index = try entry(name, of: collection) else { throw ArchiveError(.missing, keys: ["\(name)"]) }
    guard case .array(let elements) = try list.node(index) else {
      throw ArchiveError(.unexpected(found: "something else", expected: "an array"), keys: ["\(name)"])
    }
    return elements
  }
}
