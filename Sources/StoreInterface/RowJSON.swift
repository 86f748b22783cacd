import ExactJSON
import Merging

/// Rows as JSON, exactly: each value as ``ExactJSON/JSON/init(_:)-(Value)`` tells it, without the forms of documents.
/// Text that is not UTF-8 stands between its quotation marks as it is where SQL made the JSON: see ``RowExpression``.
///
/// `{"title":"Milk","isCompleted":0,"estimate":2.0,"cover":{"blob":"89504e47"}}`
package enum RowJSON {
  package struct Malformed: Error, CustomStringConvertible {
    package let description: String
  }

  package static func encode(_ row: RowImage) -> String {
    text(.object(row.keys.sorted().map { ($0, JSON(row[$0] ?? .null)) }))
  }

  package static func encode(_ value: Value) -> String { text(JSON(value)) }

  /// Foundation, with which apps read this, passes over a byte order mark at the beginning of a text.
  private static func text(_ json: JSON) -> String {
    String(decoding: json.bytes { $0 == "\u{FEFF}" }, as: UTF8.self)
  }

  /// nil for the JSON null: no row.
  package static func decode(_ json: String) throws -> RowImage? { try decode(Array(json.utf8)) }

  package static func decode(_ json: [UInt8]) throws -> RowImage? {
    var rules = JSONReader.Rules()
    rules.brokenText = brokenText
    var reader = JSONReader(json, rules: rules)
    var image = RowImage(minimumCapacity: 16)
    // Told when all is read, as what is no JSON comes before it; until then by their bytes, so that one name twice is found all the same.
    var refused: (error: any Error, names: Set<JSONText>)?
    let isRow = try reader.members { name, node in
      if refused != nil { return refused?.names.insert(name).inserted == true }
      do {
        if image.updateValue(try decode(node), forKey: name.text) == nil { return true }
        if image.keys.contains(where: { $0.hasSameBytes(as: name.text) }) { return false }
        throw Malformed(description: "two columns whose names differ in their Unicode normal form only")
      } catch {
        var names = Set(image.keys.map { JSONText($0) })
        let isNew = names.insert(name).inserted
        refused = (error, names)
        return isNew
      }
    }
    if let refused { throw refused.error }
    if !isRow, try !reader.single().isNull { throw Malformed(description: "a row is a JSON object") }
    return isRow ? image : nil
  }

  @Sendable private static func brokenText(_ bytes: [UInt8]) -> JSONNode.Content {
    let members: [JSONText: String] = ["opaque": Hexadecimal.text(bytes), "kind": Value.brokenText]
    return .object(members.mapValues { JSONNode(content: .string(JSONText($0)), extent: 0..<0) })
  }

  /// A value as ``ExactJSON/JSON/init(_:)-(Value)`` tells it, also one of a document.
  package static func value(_ node: JSONNode) throws -> Value {
    if node["missing"]?.bool == true { return .missing }
    if let text = node["json"]?.text {
      return Value(try JSONValue(parsing: text))
    }
    if let text = node["attachment"]?.text {
      return .opaque(kind: Value.attachmentKind, bytes: Array(text.utf8))
    }
    // A number beyond all Doubles is no infinity, and digits beyond 64 bits are no fraction. As JSON they stay what they are, and their field
    // says whether it takes them.
    if let number = node.numeral, isBeyond(number) { return Value(.literal(number)) }
    return try decode(node)
  }

  private static func isBeyond(_ number: String) -> Bool {
    let isWhole = number.utf8.allSatisfy { $0 == UInt8(ascii: "-") || 0x30...0x39 ~= $0 }
    return isWhole ? Int64(number) == nil : Double(number)?.isFinite == false
  }

  private static func decode(_ node: JSONNode) throws -> Value {
    switch node.content {
    case .literal where node.isNull: return .null
    case .literal where node.bool != nil: break
    case .literal(let number): return try decode(number: number)
    case .string(let text): return .text(text.text)
    case .object(let members): return try decode(members)
    case .array: break
    }
    throw Malformed(description: "\(node.kind) is no value of a field")
  }

  private static func decode(number: String) throws -> Value {
    if let integer = Int64(number) { return .integer(integer) }
    guard let real = Double(number) else { throw Malformed(description: "a number that cannot be kept") }
    return .real(real)
  }

  /// Nothing is said of what it is instead: whoever wrote it sees that.
  private static func integer(_ given: JSONNode) throws -> Int64 {
    if let integer = given.text.flatMap({ Int64($0) }) { return integer }
    throw Malformed(
      description: "“integer” takes a string of digits, from \(Int64.min) to \(Int64.max), and this is none")
  }

  /// Infinity has its name alone.
  private static func real(_ text: String) -> Double? {
    Double(text).flatMap { $0.isInfinite && !text.hasSuffix("inf") ? nil : $0 }
  }

  private static func decode(_ object: [JSONText: JSONNode]) throws -> Value {
    if let given = object["integer"] { return .integer(try integer(given)) }
    if let text = object["real"]?.text, let real = real(text) { return .real(real) }
    if let hex = object["blob"]?.text, let bytes = Hexadecimal.bytes(hex) { return .blob(Blob(bytes: bytes)) }
    if let hex = object["sha256"]?.text, let hash = Hexadecimal.bytes(hex), hash.count == 32 {
      return .blob(Blob(sha256: hash, count: object["bytes"]?.number.flatMap { Int($0) }))
    }
    if let hex = object["opaque"]?.text, let bytes = Hexadecimal.bytes(hex), let kind = object["kind"]?.text {
      return .opaque(kind: kind, bytes: bytes)
    }
    throw Malformed(description: "an object that is neither integer, real, blob, sha256 nor opaque")
  }
}

/// A row by the names of its columns, without the generated ones.
package typealias RowImage = [String: Value]

extension JSON {
  /// A stored value, so that two different ones never look alike:
  ///
  ///     text                     "Call dentist"
  ///     integer                  7                                 within 53 bits, as JavaScript can hold
  ///     integer beyond           {"integer":"9007199254740993"}
  ///     real                     7.0                               always with a fraction or an exponent
  ///     real without a number    {"real":"inf"}                    also "-inf", "nan"
  ///     NULL                     null
  ///     blob                     {"blob":"00ff"}
  ///     blob not at hand         {"sha256":"…","bytes":52133}      bytes only where the length is known
  ///     part of a document       {"json":"[1.10,true]"}           its exact text: lists, objects, true, false, other numbers
  ///     what is attached         {"attachment":"{\"length\":9,…}"}
  ///     no such key              {"missing":true}                  where another side has one
  ///     not understood           {"opaque":"00ff","kind":"CKReference"}
  package init(_ value: Value) {
    switch value {
    case .null: self = .null
    case .integer(let integer):
      let isExact = integer.magnitude < 1 << 53
      self = isExact ? .integer(integer) : JSON(members: ["integer": .string("\(integer)")])
    case .real(let real):
      self = real.isFinite ? .real(real) : JSON(members: ["real": .string(real.description)])
    case .text(let text): self = .string(text)
    case .blob(let blob): self.init(blob)
    case Value.missing: self = JSON(members: ["missing": .bool(true)])
    case .opaque(Value.jsonKind, let bytes):
      self = JSON(members: ["json": .string(String(decoding: bytes, as: UTF8.self))])
    case .opaque(Value.attachmentKind, let bytes):
      self = JSON(members: ["attachment": .string(String(decoding: bytes, as: UTF8.self))])
    case .opaque(let kind, let bytes):
      self = JSON(members: ["opaque": .digits(bytes), "kind": .string(kind)])
    }
  }

  private init(_ blob: Blob) {
    guard let bytes = blob.bytes else {
      let length = blob.count.map { [(name: "bytes", value: JSON($0))] } ?? []
      self = .object([(name: "sha256", value: .digits(blob.sha256))] + length)
      return
    }
    self = JSON(members: ["blob": .digits(bytes)])
  }
}
