import ExactJSON
import Merging

/// Rows as JSON, exactly: text as a string, integers as numbers if 53 bits hold them, else `{"integer": "9007199254740993"}`,
/// reals as numbers with a fraction or an exponent, NULL as null, blobs as `{"blob": "hex"}`, a blob of which only the hash is
/// known as `{"sha256": "hex", "bytes": n}`, and what nobody understands as `{"opaque": "hex", "kind": "…"}`.
/// Text that is not UTF-8 stands between its quotation marks as it is where SQL made the JSON: see ``RowExpression``.
///
/// `{"title":"Milk","isCompleted":0,"estimate":2.0,"cover":{"blob":"89504e47"}}`
package enum RowJSON {
  package struct Malformed: Error, CustomStringConvertible {
    package let description: String
  }

  package static func encode(_ row: RowImage) -> String {
    "{" + row.keys.sorted().map { encode($0) + ":" + encode(row[$0] ?? .null) }.joined(separator: ",") + "}"
  }

  package static func encode(_ value: Value) -> String {
    switch value {
    case .null: "null"
    case .integer(let integer): integer.magnitude < 1 << 53 ? "\(integer)" : #"{"integer":"\#(integer)"}"#
    case .real(let real): real.isFinite ? "\(real)" : #"{"real":"\#(real)"}"#
    case .text(let text): encode(text)
    case .blob(let blob): encode(blob)
    case .opaque(let kind, let bytes): #"{"opaque":"\#(Hexadecimal.text(bytes))","kind":\#(encode(kind))}"#
    }
  }

  private static func encode(_ blob: Blob) -> String {
    if let bytes = blob.bytes { return #"{"blob":"\#(Hexadecimal.text(bytes))"}"# }
    let count = blob.count.map { #","bytes":\#($0)"# } ?? ""
    return #"{"sha256":"\#(Hexadecimal.text(blob.sha256))"\#(count)}"#
  }

  private static func encode(_ text: String) -> String {
    var json = "\""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "\"": json += "\\\""
      case "\\": json += "\\\\"
      // Foundation, with which apps read this, passes over one at the beginning of a text.
      case "\u{0}"..<" ", "\u{FEFF}":
        let digits = String(scalar.value, radix: 16)
        json += "\\u" + String(repeating: "0", count: 4 - digits.utf8.count) + digits
      default: json.unicodeScalars.append(scalar)
      }
    }
    return json + "\""
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
