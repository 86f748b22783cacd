import Foundation
import Merging

@testable import KeyedArchives
@testable import SQLiteDataStores
@testable import Samples
@testable import StoreInterface

/// The demo store with an empty inbox, and files to import into it.
struct ImportBench {
  static let milk = Demo.reminder(12)
  static let bread = Demo.reminder(13)
  static let dentist = Demo.reminder(42)

  let folder: TestFolder
  let path: String
  let files: StoreFilesInspector
  /// What the demo's inbox held, by record.
  let archives: [String: [UInt8]]

  enum Inbox { case kept, empty, none }

  init(inbox: Inbox = .empty) throws {
    folder = try TestFolder()
    path = try Demo.make(in: folder)
    files = try StoreFilesInspector(path)
    let rows = try files.rows(
      "SELECT recordName, serverRecord FROM parley_inbox WHERE serverRecord IS NOT NULL ORDER BY id")
    archives = Dictionary(
      rows.compactMap { row in
        guard case .text(let name) = row[0], case .blob(let blob) = row[1] else { return nil }
        return blob.bytes.map { (name, $0) }
      }, uniquingKeysWith: { $1 })
    switch inbox {
    case .kept: break
    case .empty: try files.run("DELETE FROM parley_inbox")
    case .none: try files.run("DROP TABLE parley_inbox")
    }
  }

  func open(_ access: SQLiteDataStore.Access = .writing, at time: Int64 = WriteTests.time) throws
    -> SQLiteDataStore
  {
    try SQLiteDataStore.open(path: path, access: access, clock: { time })
  }

  /// A file with these bytes; its name tells nothing.
  func file(_ bytes: [UInt8], _ name: String = UUID().uuidString) throws -> String {
    let folder = self.folder.path("files")
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    try Data(bytes).write(to: URL(filePath: folder + "/" + name))
    return folder + "/" + name
  }

  func file(_ text: String) throws -> String { try file(Array(text.utf8)) }

  func archive(_ id: String, _ change: (inout ArchivedRecord) -> Void) throws -> [UInt8] {
    var record = try ArchivedRecord(decoding: archives[id] ?? [])
    change(&record)
    return record.encoded()
  }

  /// A record of the demo as CloudKit's JSON, a minute newer than the demo.
  static func json(
    _ id: String, tag: String = "d001", modified: Int64 = 1_795_179_660_000, deleted: Bool = false,
    fields: String = "\"title\": {\"value\": \"Oat milk\", \"type\": \"STRING\"}"
  ) -> String {
    """
    {"recordName": "\(id)", "recordType": "\(id.split(separator: ":").last ?? "")", "recordChangeTag": "\(tag)", \
    "modified": {"timestamp": \(modified), "deviceID": "iPhone"}, "deleted": \(deleted), "fields": {\(fields)}}
    """
  }
}

extension ImportSummary {
  /// The counts that are not zero, in the order of the command's output.
  var words: String {
    let counts = [
      (new, "new"), (deleted, "deleted"), (unchanged, "unchanged"), (older, "older"),
      (unknownTables.values.reduce(0, +), "unknown"), (unreadable.count, "unreadable"),
      (withoutArchive, "withoutArchive"), (inAppInbox, "app"), (inJournal, "journal"),
    ]
    return counts.filter { $0.0 != 0 }.map { "\($0.0) \($0.1)" }.joined(separator: ", ")
  }
}
