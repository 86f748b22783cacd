import Merging
import StoreInterface

/// The desk's own sample: a reminders app at noon of 21 November 2026, UTC.
enum Sample {
  /// 2026-11-21 12:10:02 UTC.
  static let now: Int64 = 1_795_263_002_000_000_000
  static let minute: Int64 = 60_000_000_000
  static let synced = now - 3 * 86_400_000_000_000

  static let store = StoreInfo(
    name: "reminders.sqlite", path: "/tmp/reminders.sqlite", kind: "SQLiteData",
    writing: "Straight into the database and its queue; the app uploads at its next start.",
    mending: "Nothing but that.", notVerified: "Never tried against CloudKit itself.",
    can: [.importRecords, .capture, .tellStatements, .tellUploads, .foretell, .tellFamilies])

  static let fields: [Field] = [
    Field("id", kind: .text, declaredType: "TEXT", isPrimaryKey: true, isRequired: true),
    Field("title", kind: .text, declaredType: "TEXT", isRequired: true),
    Field("notes", kind: .text, declaredType: "TEXT"),
    Field("list", kind: .text, declaredType: "TEXT", isRequired: true, referencedTable: "lists"),
    Field("due", kind: .text, declaredType: "TEXT"),
    Field("priority", kind: .integer, declaredType: "INTEGER"),
    Field("estimate", kind: .real, declaredType: "REAL"),
    Field("done", kind: .integer, declaredType: "INTEGER", isRequired: true),
    Field("cover", kind: .blob, declaredType: "BLOB"),
    Field("titleLength", kind: .integer, declaredType: "INTEGER", isGenerated: true),
  ]

  static let ancestorRow: [String: Value] = [
    "id": .text("42"), "title": .text("Call dentist"),
    "notes": .text("Ask about wisdom tooth and cleaning. Bring insurance card."),
    "list": .text("7"), "due": .text("2026-11-20 00:00:00.000"), "priority": .integer(1),
    "estimate": .null,
    "done": .integer(0), "cover": .null, "titleLength": .integer(12),
  ]

  /// One of everything: by clock, ties, only client, only server, same on both sides.
  static var dentist: RecordConflict {
    let client: [String: Value] = [
      "title": .text("Call dentist today"), "list": .text("9"), "due": .text("2026-11-21 00:00:00.000"),
      "notes": .text("Ask about the wisdom tooth and cleaning. Bring both cards."), "done": .integer(1),
      "titleLength": .integer(18),
    ]
    let server: [String: (Value, Int64)] = [
      "title": (.text("Call Dr. Wu"), now - minute),
      "notes": (.text("Ask about wisdom tooth, X-ray and cleaning. Bring new insurance card."), now - minute),
      "list": (.text("12"), now - 6 * minute), "priority": (.integer(3), now - minute),
      "done": (.integer(1), now - 3 * minute),
    ]
    var conflict = edit("42:reminders", client: client, at: now - 6 * minute, server: server)
    conflict.details.references["list"] = [.text("7"): "Inbox", .text("9"): "Health", .text("12"): "Family"]
    return conflict
  }

  static var tie: RecordConflict {
    edit(
      "87:reminders", title: "Rotate garden beds", client: ["due": .text("2026-11-25 00:00:00.000")],
      at: now - 4 * minute, server: ["due": (.text("2026-11-24 00:00:00.000"), now - 4 * minute)])
  }

  static var sure: RecordConflict {
    edit(
      "12:reminders", title: "Milk", client: ["notes": .text("2%")], at: now - 40 * minute,
      server: ["priority": (.integer(3), now - 41 * minute)])
  }

  static var clock: RecordConflict {
    edit(
      "16:reminders", title: "Coffee", client: ["priority": .integer(2)], at: now - 30 * minute,
      server: ["priority": (.integer(3), now - 25 * minute)])
  }

  static var hostile: RecordConflict {
    edit(
      "66:reminders", title: "買い物 🛒 e\u{301}\u{1B}[31mred\u{7}\ttab",
      client: ["notes": .text("a\nb\u{202E}c")],
      at: now - 50 * minute, server: ["notes": (.text("👩‍👩‍👧‍👦 家族"), now - 55 * minute)])
  }

  static var cover: RecordConflict {
    edit(
      "70:reminders", title: "Poster", client: ["cover": .blob(Blob(bytes: [1, 2, 3]))],
      at: now - 70 * minute,
      server: [
        "cover": (.blob(Blob(sha256: Array(repeating: 0x5A, count: 32), count: 900)), now - 60 * minute)
      ])
  }

  static var deletedOnServer: RecordConflict {
    let ancestor = version(ancestorRow, at: synced)
    var row = ancestorRow
    row["title"] = .text("Old invoice, paid")
    return RecordConflict(
      id: "91:reminders", table: "reminders", primaryKey: "91", title: "Old invoice, paid", fields: fields,
      versions: ThreeWay(
        ancestor: ancestor,
        client: .client(row: row, modificationTime: now - 12 * minute, ancestor: ancestor),
        server: .deleted(time: now - 10 * minute)),
      details: .init(ancestorTag: "a1", receivedAt: now - 10 * minute))
  }

  static var noAncestor: RecordConflict { withoutAncestor(client: "train", server: "plane") }

  /// By its notes.
  static func withoutAncestor(client clientNotes: String, server serverNotes: String) -> RecordConflict {
    var server = ancestorRow
    server["notes"] = .text(serverNotes)
    var client = ancestorRow
    client["notes"] = .text(clientNotes)
    let unknown = RecordVersion.unknown(reason: "the archive ends in the middle")
    return RecordConflict(
      id: "3:reminders", table: "reminders", primaryKey: "3", title: "Trip plan", fields: fields,
      versions: ThreeWay(
        ancestor: unknown,
        client: .client(row: client, modificationTime: now - 20 * minute, ancestor: unknown),
        server: version(server, at: now - 19 * minute)),
      details: .init(serverTag: "b7", receivedAt: now - 18 * minute))
  }

  static var all: [RecordConflict] {
    [dentist, tie, deletedOnServer, noAncestor, clock, sure, hostile, cover]
  }

  static let finding = Finding(
    id: "neverUploaded 101", table: "reminders", record: "101", title: "Invoice March",
    what: "never uploaded",
    evidence: "the row has no server record and is not in the queue",
    cause: "The first save failed and the engine dropped it.",
    remedy: "Upload it again: edit the row in the app.",
    time: now - 180 * minute)

  static func edit(
    _ id: String, title: String = "Call dentist", client changes: [String: Value], at time: Int64,
    server: [String: (Value, Int64)], rules: MergeRules = MergeRules()
  ) -> RecordConflict {
    var ancestorRow = ancestorRow
    ancestorRow["title"] = .text(title)
    let ancestor = version(ancestorRow, at: synced)
    var incoming = ancestor.fields ?? [:]
    for (name, (value, time)) in server { incoming[name] = FieldVersion(value, time: time) }
    let key = String(id.prefix { $0 != ":" })
    return RecordConflict(
      id: id, table: "reminders", primaryKey: key, title: title, fields: fields,
      versions: ThreeWay(
        ancestor: ancestor,
        client: .client(
          row: ancestorRow.merging(changes) { $1 }, modificationTime: time, ancestor: ancestor),
        server: .present(incoming)), rules: rules,
      details: .init(ancestorTag: "a7", serverTag: "c9", serverDevice: "Ana's iPad", receivedAt: now - minute)
    )
  }

  /// Versions that differ from the usual row in these fields.
  static func record(
    _ id: String, title: String, ancestor: [String: Value], client: [String: Value],
    server: [String: Value], serverTime: Int64 = now
  ) -> RecordConflict {
    let row = ancestorRow.merging(ancestor) { $1 }
    return RecordConflict(
      id: id, table: "reminders", primaryKey: String(id.prefix { $0 != ":" }), title: title, fields: fields,
      versions: ThreeWay(
        ancestor: version(row, at: synced), client: version(row.merging(client) { $1 }, at: now - minute),
        server: version(row.merging(server) { $1 }, at: serverTime)))
  }

  private static func version(_ row: [String: Value], at time: Int64) -> RecordVersion {
    .present(row.mapValues { FieldVersion($0, time: time) })
  }
}
