import Foundation
import GRDB
import Merging
import Testing

@testable import SMSyncStores
@testable import SQLiteFiles
@testable import Samples
@testable import StoreInterface

/// A container that others have made of the facts, and not with what is tested here.
@Suite(
  "Container of the facts",
  .enabled(
    if: Shared.has("fixtures/smsync/Documents/SMSyncServerModel.sqlite"), "needs ../shared/fixtures/smsync"))
struct ContainerFixtureTests {
  private let fixture: String

  init() throws { fixture = try #require(Shared.folder) + "/fixtures/smsync" }

  private func open(isIndexed: Bool = false) throws -> SMSyncStore {
    try SMSyncStore.open(
      path: fixture, index: isIndexed ? fixture + "/server/FileIndex.json" : nil, clock: { Demo.now })
  }

  @Test(arguments: [false, true]) func hasTheThreeConflictsWithTheirTexts(isIndexed: Bool) throws {
    let store = try open(isIndexed: isIndexed)
    let conflicts = try summaries(of: store).map { try store.conflict($0.id) }
    let texts = conflicts.map { conflict in
      [.client, .server].map { side in conflict.version(side).fields?[FileConflict.content]?.value }
    }
    #expect(conflicts.map(\.title) == ["k3-deleted-there.txt", "k2-deleted-here.txt", "k1-both-changed.txt"])
    #expect(
      texts == [
        [.text("local text for k3\n"), nil], [nil, .text("server text for k2\n")],
        [.text("local text for k1\n"), .text("server text for k1\n")],
      ])
    #expect(conflicts.map(\.versions.ancestor?.isUnknown) == [true, true, true])
    // It was made without its app's.
    #expect(try findings(of: store).map(\.what) == ["preferences cannot be read"])
    #expect(conflicts.allSatisfy { !$0.details.notes.contains { $0.hasPrefix("By its index") } })
  }

  @Test func isOnlyRead() throws {
    let before = try FileManager.default.subpathsOfDirectory(atPath: fixture).sorted()
    let store = try open()
    _ = try (summaries(of: store), findings(of: store), store.uploadQueue(limit: 9))
    #expect(try FileManager.default.subpathsOfDirectory(atPath: fixture).sorted() == before)
  }

  /// Tables, columns, and the numbers and parents of all entities.
  @Test func theSampleMakerMakesTheSameTables() throws {
    let ours = try TestContainer([])
    #expect(try shape(ours.database) == shape(fixture + "/Documents/" + ContainerFiles.databaseName))
  }

  private func shape(_ path: String) throws -> [String] {
    var configuration = Configuration()
    configuration.readonly = true
    let queue = try DatabaseQueue(
      path: databaseURI(path, query: "mode=ro&immutable=1"), configuration: configuration)
    defer { try? queue.close() }
    return try queue.read { db in
      let columns = try db.rows(
        """
        SELECT m.name || '.' || c.name || ' ' || c.type FROM sqlite_master AS m, pragma_table_info(m.name) AS c
        WHERE m.type = 'table' ORDER BY 1
        """
      ) { $0.text(0) }
      let entities = try db.rows(
        "SELECT Z_ENT || ' ' || Z_NAME || ' ' || Z_SUPER FROM Z_PRIMARYKEY ORDER BY Z_ENT"
      ) { $0.text(0) }
      let indexes = try db.rows(
        "SELECT sql FROM sqlite_master WHERE type = 'index' AND sql NOT NULL ORDER BY 1"
      ) {
        $0.text(0)
      }
      return columns + entities + indexes
    }
  }
}
