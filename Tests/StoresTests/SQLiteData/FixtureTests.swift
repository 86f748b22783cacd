import Foundation
import Merging
import Testing

@testable import SQLiteDataStores

/// The fixture's conflicts against its expected.json, field by field. It lies beside the project.
@Suite(.enabled(if: Shared.has("fixtures/sqlitedata/expected.json"), "needs ../shared/fixtures/sqlitedata"))
struct FixtureTests {
  let folder: TestFolder
  let store: SQLiteDataStore

  init() throws {
    folder = try TestFolder()
    try folder.copyContents(of: try #require(Shared.folder) + "/fixtures/sqlitedata")
    store = try SQLiteDataStore.open(path: folder.path("Reminders.sqlite"))
  }

  private func expectations() throws -> [[String: Any]] {
    let json = try Data(contentsOf: URL(filePath: folder.path("expected.json")))
    return try #require(try JSONSerialization.jsonObject(with: json) as? [[String: Any]])
  }

  @Test func everyExpectedConflictIsListedNewestFirst() throws {
    let walk = store.conflicts()
    var ids: [String] = []
    while let page = try walk.next(limit: 7) { ids += page.summaries.map(\.id) }
    #expect(Set(ids) == Set(try expectations().compactMap { $0["id"] as? String }))
    #expect(ids.first == "00a11ce0-0000-0000-0000-000000000004:remindersLists")
    #expect(ids.count == 19)
  }

  @Test func kindChangeCertaintySourceAndDraftAreAsExpected() throws {
    for expected in try expectations() {
      let id = try #require(expected["id"] as? String)
      let conflict = try store.conflict(id)
      #expect(conflict.kind.rawValue == expected["kind"] as? String, "\(id)")
      #expect(conflict.table == expected["table"] as? String)
      #expect(conflict.primaryKey == expected["primaryKey"] as? String)
      guard let fields = expected["fields"] as? [String: [String: Any]] else { continue }
      for (name, field) in fields { try compare(try #require(conflict[name]), field, "\(id) \(name)") }
      let draftIsAtHand = conflict.fields.allSatisfy { $0.suggestion.value.isAtHand }
      #expect(draftIsAtHand == expected["writable"] as? Bool, "\(id)")
    }
  }

  private func compare(_ field: FieldConflict, _ expected: [String: Any], _ place: Comment) throws {
    #expect(field.change.rawValue == expected["change"] as? String, place)
    #expect(field.suggestion.certainty.map { "\($0)" } == expected["certainty"] as? String, place)
    #expect(field.suggestion.source?.rawValue == expected["source"] as? String, place)
    #expect(isEqual(field.suggestion.value, expected["draft"]), place)
  }

  private func isEqual(_ value: Value, _ json: Any?) -> Bool {
    switch value {
    case .null: json is NSNull
    case .text(let text): (json as? String).map { $0.utf8.elementsEqual(text.utf8) } ?? false
    case .integer(let integer): (json as? NSNumber)?.int64Value == integer
    case .real(let real): (json as? NSNumber)?.doubleValue == real
    case .blob(let blob):
      (json as? [String: Any])?["sha256"] as? String
        == blob.sha256.map { String(format: "%02x", $0) }.joined()
    case .opaque: false
    }
  }

  @Test func everyStuckRecordIsFound() throws {
    let walk = store.findings()
    var found: Set<String> = []
    while let page = try walk.next(limit: 4) {
      found.formUnion(page.map { "\($0.what) \($0.record.suffix(3))" })
    }
    #expect(
      found == [
        "undecodable pending change ", "waiting for its parent 7cf", "never uploaded 44d",
        "edit never sent 44e",
        "waiting for upload 44f", "delete never queued 450",
        "delete never queued 444",
      ])
  }

  @Test func readingLeavesTheFolderAsItWas() throws {
    let before = try folder.contents()
    do {
      let store = try SQLiteDataStore.open(path: folder.path("Reminders.sqlite"))
      _ = try store.conflicts().next(limit: 100)
      _ = try store.conflict("00a11ce0-0000-0000-0000-000000000412:reminders")
      _ = try store.journal.entries(limit: 10)
      _ = try store.findings().next(limit: 100)
    }
    #expect(try folder.contents() == before)
  }
}
