import Foundation
import Merging
import Testing

@testable import KeyedArchives
@testable import SQLiteDataStores
@testable import SQLiteFiles
@testable import StoreInterface

/// The stories in which the app applied what was decided, with the code that it copies.
@Suite(.enabled(if: EngineStory.areHere, "needs ../shared/\(EngineStory.place)"))
struct EngineOutboxTests {
  private static let outbox = EngineStory.telling { $0.hasPrefix("write") && $0.hasSuffix("--outbox") }
    .filter { !$0.name.hasPrefix("import") }

  /// Decided in Parley, and applied by the app, which has the SQL of now.
  private func drained(_ story: EngineStory) throws -> (PlayedStory, PlayedApp, [CheckedWrite]) {
    let played = try PlayedStory(story, route: .outbox)
    let app = try PlayedApp(path: played.files.files.database)
    try app.capture()
    let written = try played.play()
    try app.drainOutbox(at: played.now + 1_000)
    return (played, app, written)
  }

  /// By the app's own connection.
  private func state(_ id: String, _ app: PlayedApp) throws -> (row: RowImage?, metadata: MetadataRow?) {
    let name = try #require(RecordName(id))
    return try app.queue.read { db in
      (try TableShape(name.table, in: db)?.row(of: name, in: db), try MetadataRow.of(name, in: db))
    }
  }

  @Test(arguments: outbox) func whatWasDecidedIsAppliedAndQueuedAndLeavesTheList(story: EngineStory) throws {
    let (played, app, written) = try drained(story)
    #expect(!written.isEmpty && written.allSatisfy { $0.outcome == .fine })
    #expect(try app.rows("SELECT 1 FROM parley_outbox WHERE appliedAt IS NULL").isEmpty)
    #expect(try played.listed().isEmpty)
    for id in written.map(\.id) {
      let (row, metadata) = try state(id, app)
      #expect(app.queued[id] == (row == nil ? .delete : .save))
      #expect(try #require(metadata).isDeleted == (row == nil))
    }
  }

  @Test(arguments: outbox) func whateverWasKeptCanBeDeletedAfterwards(story: EngineStory) throws {
    let (played, app, written) = try drained(story)
    for id in written.map(\.id) where try state(id, app).row != nil {
      let name = try #require(RecordName(id))
      try app.edit(
        at: played.now + 2_000, "DELETE FROM \(quoted(name.table)) WHERE id = ?", [.text(name.primaryKey)])
      #expect(app.queued[id] == .delete)
    }
  }

  /// Other devices take a value only if its time is later than the one they have.
  @Test(arguments: outbox) func whatDiffersIsSentWithALaterTime(story: EngineStory) throws {
    let (_, app, written) = try drained(story)
    for id in written.map(\.id) {
      let (row, metadata) = try state(id, app)
      guard let row, let metadata, let archive = metadata.allFields else { continue }
      let known = try app.queue.read { db in
        ArchivedVersion(archive, shape: try TableShape(RecordName(id)?.table ?? "", in: db))
      }
      for (field, version) in known?.version.fields ?? [:] where version.value != row[field] {
        #expect(metadata.modificationTime > version.time ?? -1, "\(field)")
      }
    }
  }

  /// Decided of JSON, and then the app's own merge of the same record, which is in the store of the story's end.
  @Test(arguments: [
    "import-direct-pending-json-title=client", "import-direct-pending-json-title=server",
    "import-outbox-pending-json-title=server",
  ])
  func whatWasDecidedOfJSONIsNotAskedForAgain(name: String) throws {
    let story = try EngineStory(name)
    let route: WriteRoute = name.contains("outbox") ? .outbox : .direct
    let (played, end) = (try PlayedStory(story, route: route), try PlayedStory(story, at: "2-a"))
    let met = try #require(try end.files.rows("SELECT serverRecord FROM parley_inbox").first?.first)
    guard case .blob(let archive) = met else { return }
    let record = try ArchivedRecord(decoding: archive.bytes ?? [])
    try record.asJSON().write(toFile: played.folder.path("export.json"), atomically: true, encoding: .utf8)
    _ = try played.store.importRecords(
      from: [played.folder.path("export.json")], isRehearsal: false, progress: { _, _ in })
    #expect(try played.play().map(\.outcome) == [.fine])
    let app = try PlayedApp(path: played.files.files.database)
    try app.capture()
    try app.drainOutbox(at: played.now + 1_000)
    try app.receive(record, at: played.now + 2_000)
    #expect(try app.rows("SELECT 1 FROM parley_inbox").count == 1)
    #expect(try played.listed().isEmpty)
  }
}

extension ArchivedRecord {
  /// As CloudKit's JSON has it: text and integers, each with its time. Of other values nothing is told.
  fileprivate func asJSON() -> String {
    let told = values.filter { name, value in value.isTold && values[ownField(name)]?.isTold ?? true }
    let fields = told.map { name, value in "\(RowJSON.encode(.text(name))): {\"value\": \(value.json)}" }
    return """
      {"recordName": "\(recordName)", "recordType": "\(recordType)", "recordChangeTag": "\(changeTag ?? "")",
       "modified": {"timestamp": \((modifiedAt ?? 0) / 1_000_000)}, "fields": {\(fields.sorted().joined(separator: ", "))}}
      """
  }

  /// The field that a time is of; else the field itself.
  private func ownField(_ key: String) -> String {
    let prefix = Self.modificationTimeKey + "_"
    return key.hasPrefix(prefix) ? String(key.dropFirst(prefix.count)) : key
  }
}

extension ArchivedValue {
  fileprivate var isTold: Bool {
    switch self {
    case .string, .integer: true
    default: false
    }
  }

  fileprivate var json: String {
    switch self {
    case .string(let text): RowJSON.encode(.text(text))
    case .integer(let integer): "\(integer)"
    default: "null"
    }
  }
}
