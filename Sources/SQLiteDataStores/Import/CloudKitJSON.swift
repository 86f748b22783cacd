import ExactJSON
import KeyedArchives

/// Records as CloudKit Web Services, CloudKit JS and cktool print them. One tolerant grammar for all:
///
///     {"records": [record or error, …]}   [record, …]   record          one after the other, or one a line
///
///     {"recordName": "…:reminders", "recordType": "reminders", "recordChangeTag": "c00d",
///      "fields": {"title": {"value": "Milk", "type": "STRING"}, …},
///      "created": {"timestamp": 1795176540000, "deviceID": "…"}, "modified": {…},
///      "zoneID": {"zoneName": "…", "ownerRecordName": "…"}, "parent": {"recordName": "…"}, "deleted": false}
///
///     {"recordName": "…", "reason": "…", "serverErrorCode": "NOT_FOUND"}                  an error
///
/// Learnt from Apple's CloudKit Web Services Reference (Modifying Records, Types and Dictionaries), the description of it in
/// brightdigit/MistKit, and public output of cktool. `deviceId` and `zone` are other tools' spellings.
enum CloudKitJSON {
  /// A record that came without an archive: what was read of it. The zone is empty where nothing names it, and the owner is always: the server
  /// calls whoever owns a zone by a record's name, and the app calls its own user `__defaultOwner__`.
  typealias Record = (record: ArchivedRecord, isDeleted: Bool)

  /// The nodes that are to be records, or errors in the place of one.
  static func entries(of root: JSONNode) -> (nodes: [JSONNode], zone: JSONNode?) {
    if let records = root["records"]?.elements { return (records, root["zoneID"] ?? root["zone"]) }
    return (root.elements ?? [root], nil)
  }

  /// One record.
  ///
  /// - Parameter zone: where the answer as a whole says that its records lie.
  static func record(_ node: JSONNode, zone: JSONNode? = nil) throws(JSONProblem) -> Record {
    guard node.members != nil else { throw node.problem("\(node.kind) where a record belongs") }
    if let code = node["serverErrorCode"]?.text { throw node.problem(answer(code, node)) }
    guard let name = node["recordName"]?.text, !name.isEmpty else {
      throw node.problem("a record without recordName")
    }
    let isDeleted = node["deleted"]?.bool ?? false
    let type = node["recordType"]?.text ?? (isDeleted ? RecordName(name)?.table : nil)
    guard let type, !type.isEmpty else { throw node.problem("a record without recordType") }
    let zone = node["zoneID"] ?? node["zone"] ?? zone
    let record = ArchivedRecord(
      recordType: type, recordName: name, zoneName: zone?["zoneName"]?.text ?? "", ownerName: "",
      changeTag: node["recordChangeTag"]?.text, createdAt: try time(node["created"]),
      modifiedAt: try time(node["modified"]), modifiedByDevice: device(node["modified"]),
      parentRecordName: node["parent"]?["recordName"]?.text, values: try values(node["fields"]))
    return (record, isDeleted)
  }

  /// What the record is called that cannot be read as a whole.
  static func name(_ node: JSONNode) -> String? { node["recordName"]?.text }

  /// The record of a text that holds nothing else.
  static func record(_ text: String) throws(JSONProblem) -> Record {
    var reader = JSONReader(Array(text.utf8))
    return try record(try reader.single())
  }

  /// The server's own words are shown: they name no values.
  private static func answer(_ code: String, _ node: JSONNode) -> String {
    "the server answered \(code)" + (node["reason"]?.text.map { ": \($0)" } ?? "")
  }

  private static func time(_ change: JSONNode?) throws(JSONProblem) -> Int64? {
    guard let timestamp = change?["timestamp"] else { return nil }
    guard let time = TimestampText.nanoseconds(timestamp) else {
      throw timestamp.problem("a timestamp is milliseconds since 1970 or ISO 8601")
    }
    return time
  }

  private static func device(_ change: JSONNode?) -> String? {
    (change?["deviceID"] ?? change?["deviceId"])?.text
  }

  private static func values(_ fields: JSONNode?) throws(JSONProblem) -> [String: ArchivedValue] {
    guard let fields else { return [:] }
    guard let members = fields.members else { throw fields.problem("\(fields.kind) where fields belong") }
    var values: [String: ArchivedValue] = [:]
    for (name, field) in members {
      do { values[name.text] = try value(field) } catch {
        throw JSONProblem(reason: "\(name.text): \(error.reason)", offset: error.offset)
      }
    }
    return values
  }

  private static func value(_ field: JSONNode) throws(JSONProblem) -> ArchivedValue {
    guard let members = field.members, let value = members["value"] else {
      throw field.problem("a field is an object with a value")
    }
    return try CloudKitValue(type: members["type"]?.text).value(value)
  }
}

extension JSONNode {
  func problem(_ reason: String) -> JSONProblem { JSONProblem(reason: reason, offset: extent.lowerBound) }
}
