import Foundation
import Testing

@testable import KeyedArchives

/// Archives that others made: real ones, synthetic ones, and a collection that crashes other readers.
///
/// They lie outside the project, in `../shared` beside the repository or where PARLEY_SHARED says. Without them these tests
/// are skipped; the others make all they need.
@Suite(.enabled(if: ArchiveFixtures.folder != nil, "needs ../shared/fixtures/ckrecord"))
struct ArchiveFixtureTests {
  @Test func aRealRecordOfAppleNotesIsRead() throws {
    let record = try ArchivedRecord(decoding: try ArchiveFixtures.bytes("real/notes_ZSERVERRECORDDATA.bin"))
    #expect(
      record
        == ArchivedRecord(
          recordType: "AccountData", recordName: "AccountData", zoneName: "Notes", changeTag: "ey",
          createdAt: 1_575_762_341_680_000_000, modifiedAt: 1_664_188_797_882_000_000,
          modifiedByDevice: "Tester’s iPhone", hasValueStores: false))
  }

  @Test(arguments: ["ok_full.bin", "ok_root.bin"])
  func everyKindOfValueIsRead(name: String) throws {
    let record = try ArchivedRecord(decoding: try ArchiveFixtures.bytes("synthetic/" + name))
    #expect(record.recordType == "Note" && record.zoneName == "Notes" && record.changeTag == "m9ws656p")
    #expect(record.recordName == "8A1E0C1E-0000-4000-8000-000000000001")
    #expect(record.parentRecordName == "parent-1")
    #expect(
      record.values == [
        "title": .string("Hello"), "count": .integer(42), "ratio": .real(2.5), "flag": .integer(1),
        "when": .date(secondsSince2001: 700_000_000.25),
        "blob": .data([0, 1, 2, 0, 1, 2, 0, 1, 2, 0, 1, 2, 0, 1, 2]),
        "tags": .list([.string("x"), .string("y")]),
        "owner": .reference(recordName: "o-1"), "where": .location(latitude: 51.5, longitude: -0.12),
        "file": .asset(ArchivedAsset(size: 10, uuid: "F-1", filePath: "/tmp/x")),
        "secret": .string("s3cret"), "d": .real(1.5), "raw": .data(Array("raw".utf8)),
      ])
    #expect(record.originalValues == ["title": .string("Old"), "tags": .null])
    #expect(record.changedKeys == ["title", "tags"])
  }

  @Test func systemFieldsAloneAreRead() throws {
    let record = try ArchivedRecord(decoding: try ArchiveFixtures.bytes("synthetic/ok_system.bin"))
    #expect(record.recordType == "Note" && !record.hasValueStores && record.values.isEmpty)
  }

  /// Those that decode are sound where Parley looks: the damage lies in keys it does not read.
  @Test(arguments: ArchiveFixtures.names(in: "hostile"))
  func hostileArchivesAreReadOrRefused(name: String) throws {
    let bytes = try ArchiveFixtures.bytes("hostile/" + name)
    guard let error = refusal(bytes) else {
      let record = try ArchivedRecord(decoding: bytes)
      #expect(!record.recordType.isEmpty && !record.recordName.isEmpty && !record.zoneName.isEmpty)
      #expect(try ArchivedRecord(decoding: record.encoded()) == record)
      return
    }
    #expect(!error.description.isEmpty)
  }
}

enum ArchiveFixtures {
  static let folder: URL? = {
    let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
      .deletingLastPathComponent().deletingLastPathComponent()
    let named = ProcessInfo.processInfo.environment["PARLEY_SHARED"].map { URL(filePath: $0) }
    let shared = named ?? root.deletingLastPathComponent().appending(path: "shared")
    let folder = shared.appending(path: "fixtures/ckrecord")
    return FileManager.default.fileExists(atPath: folder.path) ? folder : nil
  }()

  static func names(in subfolder: String) -> [String] {
    guard let folder else { return [] }
    let names = try? FileManager.default.contentsOfDirectory(atPath: folder.appending(path: subfolder).path)
    return (names ?? []).sorted()
  }

  static func bytes(_ path: String) throws -> [UInt8] {
    guard let folder else { throw CocoaError(.fileNoSuchFile) }
    return Array(try Data(contentsOf: folder.appending(path: path)))
  }
}
