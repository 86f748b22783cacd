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
    if let value = try partOfADocument(node) { return value }
    // A number beyond all Doubles is no infinity, and digits beyond 64 bits are no fraction. As JSON they stay what they are, and their field
    // says whether it takes them.
    if let number = node.numeral, isBeyond(number) { return Value(.literal(number)) }
    return try decode(node)
  }

  /// nil for what any row may have.
  private static func partOfADocument(_ node: JSONNode) throws -> Value? {
    guard let form = DocumentForm.allCases.first(where: { node[$0.name] != nil }) else { return nil }
    try check(node.members ?? [:], form.name)
    guard let value = try value(of: form, node) else {
      throw Malformed(description: "“\(form.rawValue)” takes \(form.takes), and this is none")
    }
    return value
  }

  private static func value(of form: DocumentForm, _ node: JSONNode) throws -> Value? {
    switch form {
    case .missing: return node[form.name]?.bool == true ? .missing : nil
    case .json: return try node[form.name]?.text.map(json)
    case .attachment:
      return node[form.name]?.text.map { .opaque(kind: Value.attachmentKind, bytes: Array($0.utf8)) }
    }
  }

  private static func json(_ text: String) throws -> Value {
    do throws(JSONProblem) {
      return Value(try JSONValue(parsing: text))
    } catch {
      let takes = DocumentForm.json.takes
      throw Malformed(description: "“json” takes \(takes), and this is none: \(error.reason)")
    }
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

  /// In decimal digits; and what is no number by the name that is told of it.
  private static func real(_ text: String) -> Double? {
    guard let real = Double(text) else { return nil }
    let isDecimal = !text.hasPrefix("+") && text.utf8.allSatisfy(decimal.contains)
    return (isDecimal ? real.isFinite : real.description == text) ? real : nil
  }

  private static let decimal = Set("0123456789.eE+-".utf8)

  private static func integer(_ text: String) -> Int64? { text.hasPrefix("+") ? nil : Int64(text) }

  /// The most bytes that SQLite keeps of one value: what claims more was never a blob.
  fileprivate static let longestBlob = Int(Int32.max)

  /// nil where it is no length of a blob; a length of nil where there is none.
  private static func count(_ node: JSONNode?) -> Int?? {
    guard let node else { return .some(nil) }
    return node.numeral.flatMap { Int($0) }.flatMap { 0...longestBlob ~= $0 ? .some($0) : nil }
  }

  private static func decode(_ object: [JSONText: JSONNode]) throws -> Value {
    guard let form = Form.allCases.first(where: { object[$0.name] != nil }) else {
      throw Malformed(description: "an object that is neither integer, real, blob, sha256 nor opaque")
    }
    try check(object, form.name, beside: form.beside)
    guard let value = Self.value(of: form, object) else {
      // Nothing is said of what it is instead: whoever wrote it sees that.
      throw Malformed(description: "“\(form.rawValue)” takes \(form.takes), and this is none")
    }
    return value
  }

  private static func value(of form: Form, _ object: [JSONText: JSONNode]) -> Value? {
    guard let text = object[form.name]?.text else { return nil }
    switch form {
    case .integer: return integer(text).map { .integer($0) }
    case .real: return real(text).map { .real($0) }
    case .blob: return Hexadecimal.bytes(text).map { .blob(Blob(bytes: $0)) }
    case .sha256:
      guard let hash = Hexadecimal.bytes(text), hash.count == 32, let count = count(object["bytes"]) else {
        return nil
      }
      return .blob(Blob(sha256: hash, count: count))
    case .opaque:
      guard let bytes = Hexadecimal.bytes(text), let kind = object["kind"]?.text else { return nil }
      return .opaque(kind: kind, bytes: bytes)
    }
  }

  /// What stands beside the value would else be passed over.
  private static func check(
    _ object: [JSONText: JSONNode], _ name: JSONText, beside: JSONText? = nil
  ) throws {
    let others = object.keys.filter { $0 != name && $0 != beside }
    guard let other = others.map(\.text).min() else { return }
    // As it stands there: a name may have ends of lines.
    let quoted = String(decoding: JSON.string(other).bytes(), as: UTF8.self)
    throw Malformed(description: "“\(name.text)” goes without \(quoted)")
  }
}

/// The objects that stand for one value.
private enum Form: String, CaseIterable {
  case integer, real, blob, sha256, opaque

  var name: JSONText { JSONText(rawValue) }

  /// The only other member.
  var beside: JSONText? {
    switch self {
    case .integer, .real, .blob: nil
    case .sha256: "bytes"
    case .opaque: "kind"
    }
  }

  var takes: String {
    switch self {
    case .integer: "a string of digits, from \(Int64.min) to \(Int64.max)"
    case .real: "a string with a number in decimal digits, or with inf, -inf or nan"
    case .blob: "a string of hexadecimal digits in pairs"
    case .sha256:
      "a string of 64 hexadecimal digits, and “bytes”, where it stands beside it, a count up to \(RowJSON.longestBlob)"
    case .opaque: "a string of hexadecimal digits in pairs, with “kind”, a string, beside it"
    }
  }
}

/// The same of what documents alone have.
private enum DocumentForm: String, CaseIterable {
  case missing, json, attachment

  var name: JSONText { JSONText(rawValue) }

  var takes: String {
    switch self {
    case .missing: "true"
    case .json: "a string of JSON"
    case .attachment: "a string, as show --json tells it"
    }
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
