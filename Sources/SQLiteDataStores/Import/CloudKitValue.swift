import ExactJSON
import KeyedArchives

/// How one value of CloudKit's JSON is read.
///
///     STRING       "…"                      TIMESTAMP  1795176540000, "2026-11-20T12:09:00.000Z"
///     INT64        5, "5"                   REFERENCE  {"recordName": "…", "action": "NONE"}
///     DOUBLE       0.5, "0.5"               LOCATION   {"latitude": 52.5, "longitude": 13.4}
///     BYTES        base64                   ASSETID    {"fileChecksum": base64, "size": 123, "downloadURL": "…"}
///     …_LIST       [ … ]
///
/// The names of types count without case, and `stringType`, `int64ListType` are cktool's for STRING, INT64_LIST. NUMBER_INT64 and
/// NUMBER_DOUBLE are what answers of the server name INT64 and DOUBLE, as public clients of it read and send them. A value of
/// a type that is not among these stays opaque, with the characters it was written in.
struct CloudKitValue {
  /// In capitals, without underscores, without "TYPE" at its end; nil if none is told.
  private let type: String?

  init(type: String?) {
    self.type = type.map { type in
      let name = type.uppercased().filter { $0 != "_" }
      return name.hasSuffix("TYPE") && name.count > 4 ? String(name.dropLast(4)) : name
    }
  }

  private init(normal type: String?) { self.type = type }

  func value(_ node: JSONNode) throws(JSONProblem) -> ArchivedValue {
    if node.isNull { return .null }
    guard let type else { return try inferred(node) }
    if type.hasSuffix("LIST") { return try list(node, of: String(type.dropLast(4))) }
    switch type {
    case "STRING", "ENCRYPTEDSTRING": return .string(try expect(node.text, node, "a string"))
    case "INT64", "NUMBERINT64", "ENCRYPTEDINT64": return .integer(try integer(node))
    case "DOUBLE", "NUMBERDOUBLE", "ENCRYPTEDDOUBLE": return .real(try real(node))
    case "BYTES", "ENCRYPTEDBYTES": return .data(try bytes(node))
    case "TIMESTAMP", "ENCRYPTEDTIMESTAMP": return try date(node)
    case "REFERENCE":
      return .reference(recordName: try expect(node["recordName"]?.text, node, "a recordName"))
    case "LOCATION", "ENCRYPTEDLOCATION": return try location(node)
    case "ASSET", "ASSETID": return .asset(try asset(node))
    default: return opaque(node, type)
    }
  }

  private func expect<Value>(
    _ value: Value?, _ node: JSONNode, _ expected: String
  ) throws(JSONProblem) -> Value {
    guard let value else { throw node.problem("\(node.kind) where \(expected) belongs") }
    return value
  }

  /// Without a type, the value's own form tells what CloudKit would take it for.
  private func inferred(_ node: JSONNode) throws(JSONProblem) -> ArchivedValue {
    switch node.content {
    case .literal where node.isNull: return .null
    case .literal(let literal):
      let isWhole = node.bool != nil || Int64(literal) != nil
      return isWhole ? .integer(try integer(node)) : .real(try real(node))
    case .string(let text): return .string(text.text)
    case .array: return try list(node, of: "UNKNOWN")
    case .object(let members):
      if members["latitude"] != nil { return try location(node) }
      if members["recordName"] != nil { return try CloudKitValue(normal: "REFERENCE").value(node) }
      if members["fileChecksum"] != nil || members["downloadURL"] != nil { return .asset(try asset(node)) }
      return opaque(node, "object without a type")
    }
  }

  private func list(_ node: JSONNode, of type: String) throws(JSONProblem) -> ArchivedValue {
    let elements = try expect(node.elements, node, "a list")
    let reader = CloudKitValue(normal: ["UNKNOWN", "EMPTY", ""].contains(type) ? nil : type)
    var values: [ArchivedValue] = []
    for element in elements { values.append(try reader.value(element)) }
    return .list(values)
  }

  private func integer(_ node: JSONNode) throws(JSONProblem) -> Int64 {
    if let bool = node.bool { return bool ? 1 : 0 }
    let number = try expect(node.number, node, "a whole number")
    if let integer = Int64(number) { return integer }
    // "5.0" and "1e3" are whole; what is beyond 53 bits is not known to be.
    guard let real = Double(number), real.magnitude < 0x1p53, let integer = Int64(exactly: real) else {
      throw node.problem("no whole number that 64 bits hold")
    }
    return integer
  }

  private func real(_ node: JSONNode) throws(JSONProblem) -> Double {
    let number = try expect(node.number, node, "a number")
    guard let real = Double(number), real.isFinite else { throw node.problem("no number that can be kept") }
    return real
  }

  private func bytes(_ node: JSONNode) throws(JSONProblem) -> [UInt8] {
    let text = try expect(node.text, node, "base64")
    guard let bytes = Base64.bytes(text) else { throw node.problem("no base64") }
    return bytes
  }

  private func date(_ node: JSONNode) throws(JSONProblem) -> ArchivedValue {
    guard let time = TimestampText.nanoseconds(node) else {
      throw node.problem("a timestamp is milliseconds since 1970 or ISO 8601")
    }
    return .date(secondsSince2001: ReferenceDate.secondsSince2001(nanoseconds: time))
  }

  private func location(_ node: JSONNode) throws(JSONProblem) -> ArchivedValue {
    let latitude = try expect(node["latitude"], node, "a latitude")
    let longitude = try expect(node["longitude"], node, "a longitude")
    return .location(latitude: try real(latitude), longitude: try real(longitude))
  }

  /// The address of the file holds a token and is not kept.
  private func asset(_ node: JSONNode) throws(JSONProblem) -> ArchivedAsset {
    guard node.members != nil else { throw node.problem("\(node.kind) where an asset belongs") }
    let checksum = node["fileChecksum"]?.text.flatMap { Base64.bytes($0) ?? Array($0.utf8) }
    let size = try node["size"].map { (size) throws(JSONProblem) in try integer(size) }
    return ArchivedAsset(signature: checksum, size: size)
  }

  /// With sorted names, so that equal values give equal bytes.
  private func opaque(_ node: JSONNode, _ type: String) -> ArchivedValue {
    .opaque(className: "CloudKit \(type)", bytes: JSONValue(node).canonical)
  }
}
