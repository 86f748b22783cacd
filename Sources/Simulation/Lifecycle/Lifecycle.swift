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

  package static let record = RecordName("42", in: "reminders")
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
