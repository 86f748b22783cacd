import Merging
import StoreInterface

/// A field's three versions; nil for an ancestor that was never kept.
func fieldVersions<Value: Sendable>(
  _ ancestor: Value?, _ client: Value, _ server: Value, clientTime: Int64? = 100, serverTime: Int64? = 200
) -> ThreeWay<FieldVersion<Value>> {
  ThreeWay(
    ancestor: ancestor.map { FieldVersion($0, time: 0) }, client: FieldVersion(client, time: clientTime),
    server: FieldVersion(server, time: serverTime))
}

/// A present record whose fields all have the same time.
func present(_ values: [String: Value], time: Int64? = 0) -> RecordVersion {
  .present(values.mapValues { FieldVersion($0, time: time) })
}

/// The columns of a reminder: a key, a title that must be there, and one of each kind.
let reminderFields = [
  Field("id", kind: .text, isPrimaryKey: true, isRequired: true),
  Field("title", kind: .text, isRequired: true),
  Field("notes", kind: .text),
  Field("priority", kind: .integer),
  Field("cover", kind: .blob),
  Field("titleLength", kind: .integer, isGenerated: true),
]

let milk: [String: Value] = [
  "id": .text("42"), "title": .text("Buy milk"), "notes": .null, "priority": .integer(1),
  "cover": .blob(Blob(bytes: [1, 2, 3])), "titleLength": .integer(8),
]

func reminder(
  ancestor: RecordVersion?, client: RecordVersion, server: RecordVersion, fields: [Field] = reminderFields,
  rules: MergeRules = MergeRules(), details: RecordConflict.Details = .init()
) -> RecordConflict {
  RecordConflict(
    id: "42:reminders", table: "reminders", primaryKey: "42", title: "Buy milk", fields: fields,
    versions: ThreeWay(ancestor: ancestor, client: client, server: server), rules: rules, details: details)
}

/// A reminder on which each side changed some values of ``milk``, at one time each.
func reminder(
  client: [String: Value] = [:], at clientTime: Int64? = 100, server: [String: Value] = [:],
  at serverTime: Int64? = 200, fields: [Field] = reminderFields, rules: MergeRules = MergeRules(),
  details: RecordConflict.Details = .init()
) -> RecordConflict {
  reminder(
    ancestor: present(milk), client: present(milk.merging(client) { $1 }, time: clientTime),
    server: present(milk.merging(server) { $1 }, time: serverTime), fields: fields, rules: rules,
    details: details)
}
