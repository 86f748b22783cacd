import Foundation
import Merging
import StoreInterface
import Testing

@testable import SQLiteDataStores
@testable import Samples

/// The lifecycle scenarios that lie beside the project: what a store shows once each has happened.
struct LifecycleTests {
  /// What a scenario leaves in the files of the device it tells of, and what is found there.
  struct Scenario: Sendable {
    let changes: [String]
    let found: [String]

    init(_ changes: [String], _ found: [String]) {
      self.changes = changes
      self.found = found
    }
  }

  private static let metadata = Metadatabase.metadata
  private static func unsynced(_ name: String) -> String {
    "INSERT INTO \(Metadatabase.unsynced) VALUES ('\(name)', '\(Metadatabase.defaultZone)', '\(Metadatabase.defaultOwner)')"
  }

  /// Reminders r1 and r2 in the list "home" to begin with; all in order.
  static let scenarios: [String: Scenario] = [
    // The cascade took rows and metadata alike: nothing is left to be found.
    "life-edit-local-parent-deleted-remote-cascade": Scenario(
      ["DELETE FROM reminders WHERE id = 'r1'", "DELETE FROM \(metadata) WHERE recordPrimaryKey = 'r1'"], []),
    // Between the refusal and the next fetch.
    "life-delete-local-child-added-remote": Scenario(
      [
        "DELETE FROM reminders", "DELETE FROM lists", "DELETE FROM \(metadata) WHERE recordType = 'lists'",
        unsynced("home:lists"), unsynced("r1:reminders"), unsynced("r2:reminders"),
      ],
      ["deletion refused: home", "waiting for its parent: r1", "waiting for its parent: r2"]),
    // Here the field is set to NULL before the server knows of it.
    "life-parent-deleted-set-null": Scenario(
      [
        "UPDATE reminders SET listID = NULL", "DELETE FROM lists",
        "DELETE FROM \(metadata) WHERE recordType = 'lists'",
        "UPDATE \(metadata) SET userModificationTime = \(DoctorBench.now), parentRecordPrimaryKey = NULL, parentRecordType = NULL",
      ],
      ["parent lost: r1", "parent lost: r2"]),
    // Both changes wait: the edit by its queue, the deletion by its mark.
    "life-atomic-edit-conflict-and-delete": Scenario(
      [
        "UPDATE reminders SET title = 'Stuff' WHERE id = 'r1'", "DELETE FROM reminders WHERE id = 'r2'",
        "UPDATE \(metadata) SET _isDeleted = 1 WHERE recordPrimaryKey = 'r2'",
        "UPDATE \(metadata) SET userModificationTime = \(DoctorBench.now) WHERE recordPrimaryKey = 'r1'",
      ],
      ["edit never sent: r1", "delete never queued: r2"]),
    "life-delete-local-edit-remote": Scenario(
      [
        "DELETE FROM reminders WHERE id = 'r1'",
        "UPDATE \(metadata) SET _isDeleted = 1 WHERE recordPrimaryKey = 'r1'",
      ],
      ["delete never queued: r1"]),
    // Row and metadata went, the queued save stayed; the edit is lost.
    "life-edit-local-delete-remote": Scenario(
      [
        "DELETE FROM reminders WHERE id = 'r1'", "DELETE FROM \(metadata) WHERE recordPrimaryKey = 'r1'",
        "queue save r1",
      ],
      ["queued for nothing: r1"]),
    "life-child-before-parent-fetch": Scenario(
      [unsynced("r3:reminders")], ["waiting for its parent: r3"]),
    "life-unknown-table": Scenario(
      [
        """
        INSERT INTO \(metadata) (recordPrimaryKey, recordType, zoneName, ownerName, lastKnownServerRecord)
        VALUES ('t1', 'tags', 'z', 'o', x'00')
        """
      ], ["unknown table: t1"]),
    // A field that this table has not is carried along, and is no difference.
    "life-extra-column-kept": Scenario(["ancestor r1 position"], []),
    // A field that no other device knows is no difference either.
    "life-column-missing-on-server": Scenario(
      ["ALTER TABLE reminders ADD COLUMN color INTEGER DEFAULT 42"], ["schema changed: "]),
    "life-outside-record-ignored": Scenario([], []),
    // The server's version was put in place of the edit; nothing tells of it.
    "life-read-only-share-edit": Scenario([], []),
    "life-encrypted-data-reset": Scenario(
      [
        "UPDATE \(metadata) SET lastKnownServerRecord = NULL, _lastKnownServerRecordAllFields = NULL",
        "queue save r1",
      ],
      ["never uploaded: home", "waiting for upload: r1", "never uploaded: r2"]),
  ]

  @Test(arguments: scenarios.keys.sorted())
  func itShowsWhatIsLeftOfIt(id: String) throws {
    let scenario = try #require(Self.scenarios[id])
    let bench = try DoctorBench([1, 2])
    for change in scenario.changes { try apply(change, bench) }
    #expect(try bench.found() == scenario.found)
  }

  private func apply(_ change: String, _ bench: DoctorBench) throws {
    switch change {
    case "queue save r1": try bench.addPending(.save, "r1:reminders")
    case "ancestor r1 position":
      let table = SampleTable(name: "reminders", columns: DoctorBench.reminders.columns + ["position"])
      let row = DoctorBench.row(1).merging(["position": .integer(42)]) { $1 }
      let archive = table.archive(
        of: row, key: "r1", time: DoctorBench.agreed, tag: "a00b", device: "Blob's Mac")
      try bench.run(
        "UPDATE \(Metadatabase.metadata) SET _lastKnownServerRecordAllFields = ? WHERE recordPrimaryKey = 'r1'",
        [.blob(Blob(bytes: archive.encoded()))])
    default: try bench.run(change)
    }
  }

  /// A zone that went with all its rows leaves nothing; one that only moved is told by what is queued.
  @Test func aRecordThatMovedToASharedZoneLeavesItsQueuedChangeBehind() throws {
    let bench = try DoctorBench()
    try bench.addPending(.save, "r1:reminders")
    try bench.run(
      "UPDATE \(Metadatabase.metadata) SET zoneName = 'shared', ownerName = 'Blob' WHERE recordPrimaryKey = 'r1'"
    )
    #expect(try bench.found() == ["queued for another zone: r1"])
  }

  @Test func aChildWhoseRowWentWithItsParentIsToldWithTheParent() throws {
    let folder = try TestFolder()
    let path = try Demo.make(in: folder)
    let files = try StoreFilesInspector(path)
    // In the demo reminders go with their list.
    try files.run("DELETE FROM remindersLists WHERE id = ?", [.text(Demo.key(1))])
    let found = try findings(of: SQLiteDataStore.open(path: path)).filter {
      $0.what == "vanished with its parent"
    }
    #expect(found.contains { $0.record == Demo.key(201) && $0.related == [Demo.key(1) + ":remindersLists"] })
  }

  @Test(.enabled(if: Shared.has("cases/sqlitedata.json"), "needs ../shared/cases/sqlitedata.json"))
  func everyScenarioOfTheFactsIsHere() throws {
    let json = try Data(contentsOf: URL(filePath: try #require(Shared.folder) + "/cases/sqlitedata.json"))
    let cases = try #require(try JSONSerialization.jsonObject(with: json) as? [String: Any])
    let scenarios = try #require(cases["lifecycleScenarios"] as? [[String: Any]])
    #expect(Set(scenarios.compactMap { $0["id"] as? String }) == Set(Self.scenarios.keys))
  }

  /// By its name, and by what it is called if it is here.
  @Test(arguments: [
    (false, "nor has home:lists, which it belongs to."),
    (true, "it belongs to Home (home:lists), which is here."),
  ])
  func whatWaitsForItsParentNamesIt(isHere: Bool, words: String) throws {
    let bench = try DoctorBench([1])
    let gone = isHere ? [] : ["DELETE FROM lists"]
    for change in ["DELETE FROM reminders"] + gone + [Self.unsynced("r1:reminders")] { try bench.run(change) }
    let finding = try #require(
      try findings(of: bench.open()).first { $0.what == "waiting for its parent" })
    #expect(finding.evidence.hasSuffix(words), "\(finding.evidence)")
    #expect(finding.related == ["home:lists"])
  }
}
