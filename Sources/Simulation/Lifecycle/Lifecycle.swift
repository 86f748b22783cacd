import Merging

/// The life of a record between a client and the server, in eleven steps and three phases.
///
/// Create and upload (1 to 4), a server-side update (5 and 6), concurrent edits (7 to 11). Step 9 has two halves: 9a, the
/// server's record meets the edit; 9b, the draft stands on top of it.
///
/// ```swift
/// let story = Lifecycle.scenario(.sameTime).timeline(under: .model())
/// story["9a"]?.picture     // (a)-[b] : <*> / <c> : {*'}
/// ```
package enum Lifecycle {
  /// How the concurrent edits differ from the story as it is told.
  package enum WhatIf: String, Sendable, CaseIterable {
    case serverNewer
    case clientNewer
    case sameTime
    case clientDeletes
    case serverDeletes

    package var title: String {
      switch self {
      case .serverNewer: "server newer"
      case .clientNewer: "client newer"
      case .sameTime: "same time"
      case .clientDeletes: "deleted on the client"
      case .serverDeletes: "deleted on the server"
      }
    }
  }

  /// The eleven steps.
  ///
  /// - Parameter resolution: what a person decides in step 9b; the suggestion is taken for everything else.
  package static func scenario(
    _ whatIf: WhatIf = .serverNewer, resolution: Resolution = Resolution()
  ) -> Scenario {
    let chapters = creation + update + edits(whatIf) + onFetch(resolution)
    return story(
      id: "lifecycle", title: "Lifecycle", about: "A record's life, and a conflict in it.", chapters: chapters
    )
  }

  static func story(id: String, title: String, about: String, chapters: [Scenario.Chapter]) -> Scenario {
    Scenario(
      id: id, title: title, about: about, table: table, record: record, devices: ["phone"], client: "phone",
      chapters: chapters)
  }

  package static let record = RecordID("42", in: "reminders")
  static let table = Table(
    "reminders",
    columns: [
      Field("id", kind: .integer, declaredType: "INTEGER", isPrimaryKey: true, isRequired: true),
      Field("title", kind: .text, declaredType: "TEXT", isRequired: true),
      Field("count", kind: .integer, declaredType: "INTEGER", isRequired: true),
    ])
}

extension Lifecycle {
  static let creation = [
    chapter("1", "no row yet", .create, nil),
    chapter("2", "client creates", .create, phone(0, .create(record, row("Water plants", 1)))),
    chapter("3", "sent, unconfirmed", .create, phone(0, .send)),
    chapter("4", "confirmed", .create, phone(0, .receiveAnswer)),
  ]

  static let update = [
    chapter("5", "server changes", .update, server(2, .save(record, fields(count: 2, at: 2)))),
    chapter("6", "client fetches", .update, phone(3, .fetch)),
  ]

  /// Steps 7 and 8. The client edits at 12:04; what the server gets was edited on another device.
  static func edits(_ whatIf: WhatIf) -> [Scenario.Chapter] {
    let edit = phone(4, .edit(record, ["title": .text("Water all plants"), "count": .integer(3)]))
    let (client, other) =
      switch whatIf {
      case .serverNewer: (edit, save(at: 9))
      case .clientNewer: (edit, save(at: 3))
      case .sameTime: (edit, save(at: 4))
      case .clientDeletes: (phone(4, .delete(record)), save(at: 9))
      case .serverDeletes: (edit, server(9, .delete(record)))
      }
    return [
      chapter("7", whatIf == .clientDeletes ? "client deletes" : "client edits", .conflict, client),
      chapter("8", whatIf == .serverDeletes ? "server deletes" : "server edits too", .conflict, other),
    ]
  }

  private static func save(at editedAt: Int64) -> Moment {
    server(9, .save(record, fields(count: 4, at: editedAt)))
  }

  /// Steps 9 to 11.
  static func onFetch(_ resolution: Resolution = Resolution()) -> [Scenario.Chapter] {
    [
      chapter("9a", "merge", .conflict, phone(10, .fetch)),
      chapter("9b", "draft on top of it", .conflict, phone(11, .resolve(record, resolution))),
      chapter("10", "sent, unconfirmed", .conflict, phone(11, .send)),
      chapter("11", "all agree", .conflict, phone(11, .receiveAnswer)),
    ]
  }
}

/// Short words for chapters of a story.
extension Lifecycle {
  static func chapter(
    _ label: String, _ title: String, _ phase: Scenario.Phase, _ moment: Moment?
  ) -> Scenario.Chapter {
    Scenario.Chapter(label: label, title: title, phase: phase, moment: moment)
  }

  static func phone(_ minute: Int64, _ action: DeviceAction) -> Moment {
    Moment(clock(minute), .device("phone", action))
  }

  static func tablet(_ minute: Int64, _ action: DeviceAction) -> Moment {
    Moment(clock(minute), .device("tablet", action))
  }

  static func server(_ minute: Int64, _ action: ServerAction) -> Moment {
    Moment(clock(minute), .server(action))
  }

  static func row(_ title: String, _ count: Int64) -> [String: Value] {
    ["id": .integer(42), "title": .text(title), "count": .integer(count)]
  }

  static func fields(count: Int64, at minute: Int64) -> RecordVersion.Fields {
    ["count": FieldVersion(.integer(count), time: clock(minute))]
  }

  /// Minutes after 20 November 2026, 12:00 UTC, in nanoseconds since 1970.
  static func clock(_ minute: Int64) -> Int64 { (1_795_176_000 + minute * 60) * 1_000_000_000 }

  /// The rest of the life of a real record, from its conflict on: steps 8 to 11 with the record's own values.
  ///
  /// The server's version is taken to come in with a fetch. Its tags are named a and b, whatever they are in the store.
  /// - Parameters:
  ///   - resolution: what was decided so far; the suggestion is taken for everything else.
  ///   - now: when the draft is written, in nanoseconds since 1970.
  /// - Returns: nil where one side's version is not known, and so nothing can be foretold.
  package static func scenario(
    of conflict: RecordConflict, resolution: Resolution = Resolution(), now: Int64
  ) -> Scenario? {
    guard !conflict.versions.client.isUnknown, !conflict.versions.server.isUnknown else { return nil }
    let record = RecordID(conflict.primaryKey, in: conflict.table)
    let client = { (action: DeviceAction) in Moment(now, .device("client", action)) }
    return Scenario(
      id: "conflict", title: conflict.title, about: "What happens to this record next.",
      table: Table(conflict.table, columns: conflict.fields.map(\.field)), record: record,
      devices: ["client"], client: "client",
      chapters: [
        chapter("8", "now", .conflict, nil),
        chapter("9a", "merge", .conflict, client(.fetch)),
        chapter("9b", "draft on top of it", .conflict, client(.resolve(record, resolution))),
        chapter("10", "sent, unconfirmed", .conflict, client(.send)),
        chapter("11", "all agree", .conflict, client(.receiveAnswer)),
      ], start: conflict)
  }
}

extension Lifecycle {
  /// How the versions of a conflict hang together while it waits for a decision; nil where one side's is not known.
  package static func picture(of conflict: RecordConflict) -> BranchPicture? {
    guard var scenario = scenario(of: conflict, now: 0) else { return nil }
    // What comes after the merge is not asked for.
    scenario.chapters = Array(scenario.chapters.prefix(2))
    return scenario.timeline(under: .model()).entries.last?.picture
  }
}

extension World {
  /// Puts the three versions of a conflict where they belong.
  mutating func put(_ conflict: RecordConflict, as name: RecordID, on device: String) {
    let ancestor = conflict.versions.ancestor?.fields.map { cloud.put(ServerRecord($0), as: name) }
    devices[device]?.records[name] = DeviceRecord(conflict.versions.client, ancestor: ancestor)
    devices[device]?.seen = ancestor?.tag
    switch conflict.versions.server {
    case .present(let fields): cloud.put(ServerRecord(fields), as: name)
    case .deleted(let time): cloud.remove(name, at: time)
    case .absent, .unknown: cloud.remove(name, at: nil)
    }
  }
}

extension DeviceRecord {
  init(_ client: RecordVersion, ancestor: ServerRecord?) {
    switch client {
    case .present(let fields): self.init(fields, ancestor: ancestor)
    case .deleted(let time):
      self.init(
        metadata: Metadata(lastKnown: ancestor, userModificationTime: time ?? ancestor?.time ?? 0),
        pending: .deletion)
    case .absent, .unknown: self.init()
    }
  }

  /// A client has one time for its row; where each field has its own, the newest edit's is the row's.
  private init(_ fields: RecordVersion.Fields, ancestor: ServerRecord?) {
    let edits = fields.filter { ancestor?.fields[$0.key]?.value != $0.value.value }
    let times = (edits.isEmpty ? fields : edits).mapValues(\.time).compactMapValues(\.self)
    var metadata = Metadata(lastKnown: ancestor, userModificationTime: times.values.max() ?? 0)
    metadata.editTimes = times
    self.init(row: fields.mapValues(\.value), metadata: metadata, pending: edits.isEmpty ? nil : .save)
  }
}
