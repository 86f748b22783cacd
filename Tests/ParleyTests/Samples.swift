import Merging

/// Conflicts that tests begin with. Times are in seconds after 2026-11-20T09:00:00Z.
enum Samples {
  static let nine: Int64 = 1_795_165_200_000_000_000

  static func time(_ seconds: Int64) -> Int64 { nine + seconds * 1_000_000_000 }

  static let fields = [
    Field("id", kind: .text, isPrimaryKey: true), Field("title", kind: .text, isRequired: true),
    Field("priority", kind: .integer), Field("weight", kind: .real), Field("cover", kind: .blob),
    Field("slug", kind: .text, isGenerated: true), Field("extra"),
  ]

  /// By clock: title. Sure: priority. Yours: weight, by equal times.
  static let dentist = edited(
    "D1", title: "Call dentist",
    ancestor: ["title": .text("Call dentist"), "priority": .integer(1), "weight": .real(1)],
    client: ["title": .text("Call dentist today"), "priority": .integer(1), "weight": .real(2)],
    server: [
      "title": (.text("Call Dr. Wu"), 11340), "priority": (.integer(3), 11340), "weight": (.real(4), 11040),
    ])

  /// Sure: priority alone.
  static let milk = edited(
    "M2", title: "Milk",
    ancestor: ["title": .text("Milk"), "priority": .integer(1), "weight": .null],
    client: ["title": .text("Milk"), "priority": .integer(1), "weight": .null],
    server: ["title": (.text("Milk"), 0), "priority": (.integer(2), 60), "weight": (.null, 0)])

  /// Deleted on the server, edited on the client.
  static let invoice = RecordConflict(
    id: "I3:reminders", table: "reminders", primaryKey: "I3", title: "Old invoice", fields: fields,
    versions: ThreeWay(
      ancestor: .present(["id": version("I3"), "title": version("Invoice")]),
      client: .present(["id": version("I3"), "title": FieldVersion(.text("Old invoice"), time: time(30))]),
      server: .deleted(time: time(90))))

  static func edited(
    _ key: String, title: String, ancestor: [String: Value], client: [String: Value],
    server: [String: (Value, Int64)], rules: MergeRules = MergeRules(),
    details: RecordConflict.Details = details
  ) -> RecordConflict {
    var ancestor = ancestor.mapValues { FieldVersion($0, time: nine) }
    ancestor["id"] = version(key)
    var server = server.mapValues { FieldVersion($0.0, time: time($0.1)) }
    server["id"] = version(key)
    return RecordConflict(
      id: "\(key):reminders", table: "reminders", primaryKey: key, title: title, fields: fields,
      versions: ThreeWay(
        ancestor: .present(ancestor),
        client: .client(
          row: client.merging(["id": .text(key)]) { $1 }, modificationTime: time(11040),
          ancestor: .present(ancestor)),
        server: .present(server)), rules: rules,
      details: details)
  }

  static let details = RecordConflict.Details(
    ancestorTag: "a00b", serverTag: "c00b", serverDevice: "iPad", receivedAt: time(11342))

  private static func version(_ text: String) -> FieldVersion<Value> { FieldVersion(.text(text), time: nine) }
}
