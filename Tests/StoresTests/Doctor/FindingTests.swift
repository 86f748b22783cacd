import Merging
import Testing

@testable import KeyedArchives
@testable import SQLiteDataStores

/// Each way of being stuck, made in the files as the engine leaves it, and the finding that tells it.
struct FindingTests {
  private static let edit = "UPDATE reminders SET title = 'Oat milk' WHERE id = 'r1'"
  private static func metadata(_ change: String) -> String {
    "UPDATE \(Metadatabase.metadata) SET \(change) WHERE recordPrimaryKey = 'r1'"
  }
  private static let later = metadata("userModificationTime = \(DoctorBench.agreed + 1)")

  @Test(
    arguments: [
      ([], []),
      (
        [metadata("lastKnownServerRecord = NULL, _lastKnownServerRecordAllFields = NULL")],
        ["never uploaded: r1"]
      ),
      ([edit, later], ["edit never sent: r1"]),
      ([edit, metadata("userModificationTime = \(DoctorBench.agreed - 1)")], ["clock behind: r1"]),
      ([edit], ["same time: r1"]),
      (
        [metadata("_lastKnownServerRecordAllFields = lastKnownServerRecord")], ["ancestor without fields: r1"]
      ),
      ([metadata("_lastKnownServerRecordAllFields = x'00'")], ["ancestor unreadable: r1"]),
      ([metadata("_isDeleted = 1")], ["deletion over a row: r1"]),
      ([metadata("_isDeleted = 1"), "DELETE FROM reminders"], ["delete never queued: r1"]),
      (["DELETE FROM reminders"], ["no row: r1"]),
      (["UPDATE reminders SET cover = NULL", later], ["blob lost: r1"]),
      (["DELETE FROM \(Metadatabase.metadata) WHERE recordPrimaryKey = 'r1'"], ["row without metadata: r1"]),
      (["INSERT INTO reminders (id, title) VALUES ('_r2', 'Eggs')"], ["invalid record name: _r2"]),
      (["INSERT INTO reminders (id, title) VALUES ('r\u{FC}', 'Eggs')"], ["invalid record name: r\u{FC}"]),
      (
        [
          "UPDATE reminders SET notes = printf('%.*c', 1000001, 'x')",
          metadata("lastKnownServerRecord = NULL, _lastKnownServerRecordAllFields = NULL"),
        ], ["too large: r1"]
      ),
      (
        ["DELETE FROM \(Metadatabase.recordTypes) WHERE tableName = 'reminders'"], ["unknown table: r1"]
      ),
      (
        ["INSERT INTO \(Metadatabase.unsynced) VALUES ('r9:reminders', 'z', 'o')"],
        ["waiting for its parent: r9"]
      ),
      (
        ["INSERT INTO \(Metadatabase.unsynced) VALUES ('r1:reminders', 'z', 'o')"],
        ["unsynced though here: r1"]
      ),
      (
        ["INSERT INTO \(Metadatabase.unsynced) VALUES ('strange', 'z', 'o')"],
        ["waiting for its parent: strange"]
      ),
      (
        [
          "DELETE FROM \(Metadatabase.metadata) WHERE recordPrimaryKey = 'home'", "DELETE FROM lists",
          "INSERT INTO \(Metadatabase.unsynced) VALUES ('home:lists', 'z', 'o')", later,
        ], ["deletion refused: home", "parent lost: r1"]
      ),
    ] as [([String], [String])])
  func whatIsStuckIsFound(changes: [String], expected: [String]) throws {
    let bench = try DoctorBench()
    for change in changes { try bench.run(change) }
    #expect(try bench.found() == expected)
  }

  /// Of a change of several fields, too. Whether the edit was there before it nobody can know.
  @Test(arguments: [["title"], ["title", "notes"]])
  func aFieldThatTheServerChangedLastAndIsOtherwiseHereWasKeptAgainstIt(fields: [String]) throws {
    let bench = try DoctorBench()
    let server = DoctorBench.agreed + DoctorBench.minute
    try bench.setAncestor(1, times: Dictionary(uniqueKeysWithValues: fields.map { ($0, server) }))
    try bench.run(FindingTests.edit)
    try bench.run(FindingTests.metadata("userModificationTime = \(server + 1)"))
    #expect(try bench.found() == ["kept against the server: r1"])
    let finding = try #require(try bench.found("kept against the server"))
    #expect(finding.cause.contains("or the edit was made after it"))
    #expect(finding.canBeMended?.contains("take the place of the server's") == true)
  }

  /// A change of another field came after, and may have come in with it: to send the row would put an older value over a newer one.
  @Test func aFieldThatTheServerChangedBeforeAnotherOneWasKeptAgainstItToo() throws {
    let bench = try DoctorBench()
    let server = DoctorBench.agreed + DoctorBench.minute
    try bench.setAncestor(1, times: ["title": server, "notes": server + 1])
    try bench.run(FindingTests.edit)
    try bench.run(FindingTests.metadata("userModificationTime = \(server + 2)"))
    #expect(try bench.found() == ["kept against the server: r1"])
    #expect(try bench.found("kept against the server")?.takesSide == true)
  }

  /// What the server changed is another field, so that nothing of it is given up.
  @Test func aFieldThatNobodyHasSetSinceTheRecordWasMadeWasNotSent() throws {
    let bench = try DoctorBench()
    let server = DoctorBench.agreed + DoctorBench.minute
    try bench.setAncestor(1, times: ["notes": server])
    try bench.run(FindingTests.edit)
    try bench.run(FindingTests.metadata("userModificationTime = \(server + 2)"))
    #expect(try bench.found() == ["edit never sent: r1"])
    #expect(try bench.found("edit never sent")?.cause.contains("or the app kept it") == true)
  }

  /// The engine keeps the record in flight as ancestor, whatever becomes of it.
  @Test func anAncestorWithoutATagWasNeverUploaded() throws {
    let bench = try DoctorBench()
    var record = DoctorBench.sent(1, [:], times: [:], tag: "")
    (record.changeTag, record.modifiedAt) = (nil, nil)
    try bench.setAncestor(record)
    #expect(try bench.found() == ["never uploaded: r1"])
  }

  /// The other side of "same time": this device did not take what came from the server.
  @Test(arguments: [
    (["title", "sqlitedata_icloud_userModificationTime_title", "cover_hash"], true),
    (["sqlitedata_icloud_userModificationTime", "sqlitedata_icloud_userModificationTime_title"], false),
  ])
  func whatTheAppChangedInTheServersRecordWasRefused(keys: [String], isFound: Bool) throws {
    let bench = try DoctorBench([1, 2])
    var record = DoctorBench.sent(1, [:], times: [:], tag: "b")
    record.changedKeys = Set(keys)
    try bench.setAncestor(record)
    #expect(try bench.found() == (isFound ? ["refused from the server: r1"] : []))
    let told = try bench.found("refused from the server")
    #expect(told?.evidence.contains("cover and title") ?? !isFound)
    #expect(told?.canBeMended == nil)
    try bench.run("UPDATE \(DoctorBench.metadata) SET userModificationTime = userModificationTime + 1")
    try bench.run(FindingTests.edit)
    #expect(try bench.found().first == "edit never sent: r1")
    #expect(try bench.found("refused from the server")?.evidence.contains("title") != true)
  }

  /// What would send the row's value over another one of the server's is done only to what somebody named, who saw both.
  @Test(arguments: [
    ("same time", Int64(0), true), ("clock behind", 1, true), ("kept against the server", -1, true),
    ("edit never sent", -2, false),
  ])
  func whatGivesUpTheServersValueHasToBeNamed(what: String, earlier: Int64, takesSide: Bool) throws {
    let bench = try DoctorBench()
    let server = DoctorBench.agreed + DoctorBench.minute
    let title = ["title": server, "notes": server + 1]
    try bench.setAncestor(1, times: takesSide ? title : ["notes": server])
    try bench.run(FindingTests.edit)
    try bench.run(FindingTests.metadata("userModificationTime = \(server - earlier)"))
    let finding = try #require(try bench.found(what))
    #expect(finding.takesSide == takesSide && finding.canBeMended != nil)
    #expect(finding.evidence.contains("the server “Milk”") == takesSide, "\(finding.evidence)")
    // The engine gives what is sent no earlier time than the server's record has.
    let isOfClock = finding.cause.lowercased().contains("this device's clock was behind")
    #expect(isOfClock == ["same time", "clock behind"].contains(what), "\(finding.cause)")
  }

  @Test func anAncestorFromTheFutureIsTold() throws {
    let bench = try DoctorBench()
    try bench.setAncestor(1, times: ["title": DoctorBench.now + 1])
    try bench.run(FindingTests.edit)
    #expect(
      try bench.found("clock behind")?.evidence.contains(
        " in the future. Of title the row has “Oat milk”, the server “Milk”.") == true)
  }

  @Test func whatIsQueuedWaitsAndWhatTheEngineHasLongIsStalled() throws {
    let bench = try DoctorBench([1, 2, 3])
    try bench.addPending(.save, "r1:reminders")
    try bench.addEngineState(["r2:reminders"])
    try bench.addPending(.save, "r3:reminders", zone: "another")
    #expect(
      try bench.found() == ["waiting for upload: r1", "upload stalled: r2", "queued for another zone: r3"])
    try bench.run("UPDATE \(DoctorBench.metadata) SET userModificationTime = \(DoctorBench.now - 1)")
    #expect(try bench.found()[1] == "waiting for upload: r2")
  }

  @Test func whatIsQueuedAndNotLongWithTheEngineIsOnItsWay() throws {
    let bench = try DoctorBench([1, 2, 3])
    try bench.addPending(.save, "r1:reminders")
    try bench.addEngineState(["r2:reminders"])
    #expect(try bench.onTheirWay() == ["r1"])
    try bench.run("UPDATE \(DoctorBench.metadata) SET userModificationTime = \(DoctorBench.now - 1)")
    #expect(try bench.onTheirWay() == ["r1", "r2"])
    try bench.run("UPDATE \(DoctorBench.metadata) SET _isDeleted = 1")
    try bench.run("DELETE FROM reminders")
    #expect(try bench.onTheirWay() == [])
    try bench.addPending(.delete, "r3:reminders")
    #expect(try bench.onTheirWay() == ["r3"])
  }

  @Test func aDeletionOverARowAndASaveOfNothingAreFound() throws {
    let bench = try DoctorBench()
    try bench.addPending(.delete, "r1:reminders")
    try bench.addPending(.save, "r9:reminders")
    #expect(try bench.found() == ["queued for nothing: r9", "deletion over a row: r1"])
  }

  /// Its save waits for one database, and its deletion from the zone that it left for the other, or in the table behind it.
  @Test(arguments: [true, false]) func aRecordThatTheAppHasMovedIsNotDeleted(isInEngine: Bool) throws {
    let bench = try DoctorBench()
    try bench.run("UPDATE \(DoctorBench.metadata) SET userModificationTime = \(DoctorBench.now - 1)")
    if isInEngine {
      let left = PendingZoneChange(
        kind: .delete, recordName: "r1:reminders", zoneName: "shared", ownerName: "Blob")
      try bench.addEngineState(["r1:reminders"])
      try bench.addEngineState([left], scope: "3")
    } else {
      try bench.addPending(.save, "r1:reminders")
      try bench.addPending(.delete, "r1:reminders", zone: "shared")
    }
    #expect(try bench.found() == ["waiting for upload: r1"])
    // The one may be sent before the other.
    if isInEngine { try bench.run("DELETE FROM \(Metadatabase.state) WHERE scope = '2'") }
    if !isInEngine { try bench.run("DELETE FROM \(Metadatabase.pending) WHERE rowid = 1") }
    #expect(try bench.found().isEmpty)
  }

  /// That of its own zone is not queued, be there half of a move.
  @Test func aDeletionFromAnotherZoneIsNotThatOfTheRecord() throws {
    let bench = try DoctorBench()
    try bench.addPending(.delete, "r1:reminders", zone: "shared")
    try bench.run("UPDATE \(DoctorBench.metadata) SET _isDeleted = 1 WHERE recordName = 'r1:reminders'")
    try bench.run("DELETE FROM reminders")
    #expect(try bench.found() == ["delete never queued: r1"])
  }

  @Test func tablesThatChangedOrAreGoneAreToldWithTheirColumns() throws {
    let bench = try DoctorBench()
    try bench.run("ALTER TABLE reminders ADD COLUMN color TEXT")
    try bench.run(
      "INSERT INTO \(Metadatabase.recordTypes) VALUES ('tags', 'CREATE TABLE tags (title)', '[]')")
    #expect(try bench.found() == ["schema changed: ", "table is missing: "])
    let evidence = try bench.found("schema changed")?.evidence
    #expect(evidence == "The CREATE statement is not the one in recordTypes; color changed.")
  }

  @Test func aStoreWithoutAnyRecordIsTold() throws {
    let bench = try DoctorBench([])
    try bench.run("DELETE FROM lists")
    try bench.run("DELETE FROM \(DoctorBench.metadata)")
    #expect(try bench.found() == ["everything is gone: "])
    #expect(try bench.found("everything is gone")?.cause.hasPrefix("The last record was deleted, ") == true)
  }

  @Test func aHugeStateOfTheEngineIsToldWithoutBeingReadTwice() throws {
    let bench = try DoctorBench()
    let json = "{\"data\":\"" + String(repeating: "A", count: 10_000_000) + "\"}"
    try bench.run("INSERT INTO \(Metadatabase.state) VALUES ('2', ?)", [.text(json)])
    #expect(
      try findings(of: bench.open()).map(\.what) == ["queue unreadable", "queue is huge"])
  }

  /// That it is done only if it is named is told where others are mended with it, and not where it has been chosen.
  @Test func whatAMendDoesTellsNotHowItIsAskedFor() throws {
    let bench = try DoctorBench()
    try bench.run("INSERT INTO \(Metadatabase.unsynced) VALUES ('r1:reminders', 'z', 'o')")
    let finding = try #require(try bench.found("unsynced though here"))
    let words = try #require(finding.canBeMended)
    #expect(finding.takesSide && words.hasSuffix(".") && !words.contains("named"), "\(words)")
  }

  @Test func everyFindingHasSentencesThatNameNoRecord() throws {
    let bench = try DoctorBench([1, 2])
    try bench.run(FindingTests.edit)
    try bench.run("DELETE FROM reminders WHERE id = 'r2'")
    try bench.addPending(.save, "r9:reminders")
    for finding in try findings(of: bench.open()) {
      let shown = finding.shown.words { _ in "" }
      for text in [shown, finding.cause, finding.remedy] + (finding.canBeMended.map { [$0] } ?? []) {
        #expect(text.hasSuffix("."))
        #expect(!["r1", "r2", "r9", "milk", "Milk"].contains { text.contains($0) }, "\(text)")
      }
    }
  }

  @Test func aWalkFindsTheSameWhateverThePage() throws {
    let bench = try DoctorBench(Array(1...9))
    try bench.run("UPDATE reminders SET title = 'Oat milk'")
    try bench.run("INSERT INTO reminders (id, title) VALUES ('s1', 'a'), ('s2', 'b'), ('s3', 'c')")
    let all = try findings(of: bench.open(), limit: 1000)
    #expect(all.count == 12)
    for limit in [1, 2, 3] { #expect(try findings(of: bench.open(), limit: limit) == all) }
  }

  /// Whether a deletion is queued is not left to the reader.
  @Test func aMarkOfDeletionOverARowIsNoDeletionThatWaits() throws {
    let bench = try DoctorBench()
    try bench.run("UPDATE \(DoctorBench.metadata) SET _isDeleted = 1 WHERE recordName = 'r1:reminders'")
    let marked = try #require(try bench.found("deletion over a row"))
    #expect(!marked.cause.contains("will be") && !marked.remedy.contains("in place of the deletion"))
    try bench.addPending(.delete, "r1:reminders")
    let queued = try #require(try bench.found("deletion over a row"))
    #expect(queued.cause.hasSuffix("only the deletion will be."))
  }
}
