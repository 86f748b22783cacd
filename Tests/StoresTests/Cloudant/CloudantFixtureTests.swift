import Foundation
import Merging
import Testing

@testable import CloudantStores
@testable import SQLiteFiles
@testable import StoreInterface

/// The real and generated files beside the project. Skipped where they are not there.
@Suite(
  .enabled(if: Shared.has("fixtures/cloudant/schema6to7upgrade.touchdb"), "needs ../shared/fixtures/cloudant")
)
struct CloudantFixtureTests {
  private func copy(_ name: String) throws -> (folder: TestFolder, path: String) {
    let folder = try TestFolder()
    let source = (Shared.folder ?? "") + "/fixtures/cloudant/" + name
    let path = folder.path(folderAndName(name).name)
    try FileManager.default.copyItem(atPath: source, toPath: path)
    try FileManager.default.setAttributes([.posixPermissions: 0o644], ofItemAtPath: path)
    let blobs = String(source.dropLast(".touchdb".count)) + " attachments"
    if FileManager.default.fileExists(atPath: blobs) {
      try FileManager.default.copyItem(atPath: blobs, toPath: String(path.dropLast(8)) + " attachments")
    }
    return (folder, path)
  }

  /// The clock holds on to the folder, which so stays as long as the store does.
  private func open(_ name: String, _ access: CloudantStore.Access = .reading) throws -> CloudantStore {
    let (folder, path) = try copy(name)
    return try CloudantStore.open(path: path, access: access, clock: { withExtendedLifetime(folder) { 0 } })
  }

  @Test(arguments: [
    ("schema100_1Bonsai_2Lorem.touchdb", 100, 1, 3), ("schema6to7upgrade.touchdb", 6, 100, 100),
    ("generated/conflicts-before.touchdb", 200, 6, 20),
  ])
  func oldSchemasOpen(name: String, version: Int, documents: Int, revisions: Int) throws {
    let (folder, path) = try copy(name)
    let before = try FileManager.default.contentsOfDirectory(atPath: folder.path)
    let store = try CloudantStore.open(path: path)
    #expect(CloudantStore.recognises(path))
    #expect((store.schema.version, store.schema.platform) == (version, .ios))
    let counts = try store.readDocuments { reader in
      try ["docs", "revs"].map { table in
        try reader.db.firstRow("SELECT count(*) FROM \(table)") { Int($0.integer(0)) }
      }
    }
    #expect(counts == [documents, revisions])
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path) == before)
  }

  @Test func theRealFilesHoldNoConflict() throws {
    for name in ["schema100_1Bonsai_2Lorem.touchdb", "schema6to7upgrade.touchdb"] {
      let store = try open(name)
      #expect(try summaries(of: store).isEmpty)
      #expect(try findings(of: store).isEmpty)
    }
  }

  @Test func theGeneratedOnesHoldTheirs() throws {
    let store = try open("generated/conflicts-before.touchdb")
    #expect(try summaries(of: store).map(\.id) == ["two-roots", "s", "seed", "doc0"])
    #expect(
      try findings(of: store).map(\.id) == [
        "deletion-lost:doc0", "deletion-lost:edit-vs-delete", "two-roots:two-roots",
      ])
    #expect(try store.conflict("two-roots").kind == .noAncestor)
    let after = try open("generated/conflicts-after.touchdb")
    #expect(try summaries(of: after).map(\.id) == ["two-roots", "s"])
  }

  @Test func theFileOfAnAttachmentIsFoundByItsRecordedName() throws {
    let store = try open("generated/conflicts-before.touchdb", .writing)
    let field = "_attachments/bonsai-boston"
    #expect(
      try store.conflict("doc0")[field]?.client?.value.jsonText?.contains(
        "d55f9ac778baf2256fa4de87aac61f590ebe66e0") == true)
    #expect(try store.resolve("doc0", [.field(field): .take(.client)]) == .fine)
    #expect(try summaries(of: store).map(\.id) == ["two-roots", "s", "seed"])
  }

  @Test func anEncryptedFileIsRefusedWithTheReason() throws {
    let (folder, path) = try copy("emptyencrypteddb.touchdb")
    let detail = "it does not begin like one; it may be encrypted, or another kind of file"
    #expect(throws: StoreError.notADatabase(path: path, detail: detail)) {
      try withExtendedLifetime(folder) { try CloudantStore.open(path: path) }
    }
  }
}
