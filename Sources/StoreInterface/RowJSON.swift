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
    let node = try reader.single()
    if node.isNull { return nil }
    guard let row = node.members else { throw Malformed(description: "a row is a JSON object") }
    var image: RowImage = [:]
    for (name, node) in row {
      guard image.updateValue(try decode(node), forKey: name.text) == nil else {
        throw Malformed(description: "two columns whose names differ in their Unicode normal form only")
      }
    }
    return image
  }

  @Sendable private static func brokenText(_ bytes: [UInt8]) -> JSONNode.Content {
    let members: [JSONText: String] = ["opaque": Hexadecimal.text(bytes), "kind": Value.brokenText]
    return .object(members.mapValues { JSONNode(content: .string(JSONText($0)), extent: 0..<0) })
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

  private static func decode(_ object: [JSONText: JSONNode]) throws -> Value {
    if let text = object["integer"]?.text, let integer = Int64(text) { return .integer(integer) }
    if let text = object["real"]?.text, let real = Double(text) { return .real(real) }
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

extension Value {
  /// The kind under which text that is not UTF-8 travels through ``Value/opaque(kind:bytes:)``.
  package static let brokenText = "text that is not UTF-8"
}
