import Merging
import Testing

@testable import KeyedArchives
@testable import SQLiteDataStores
@testable import StoreInterface

/// What mending changes in the files; the finding is gone, and undo brings every row back.
struct MendFindingsTests {
  private let bench: DoctorBench

  init() throws { bench = try DoctorBench([1, 2]) }

  private func mend(_ ids: [Finding.ID]) throws -> [CheckedWrite.Outcome] {
    try bench.open(.writing).mend(ids, note: "ticket 7").map(\.outcome)
  }

  private func save(_ name: String) -> [PendingZoneChange] {
    [
      PendingZoneChange(
        kind: .save, recordName: name, zoneName: Metadatabase.defaultZone,
        ownerName: Metadatabase.defaultOwner)
    ]
  }

  /// The finding's id, after `changes`.
  private func id(_ what: String, after changes: [String]) throws -> Finding.ID {
    for change in changes { try bench.run(change) }
    return try #require(try bench.found(what)).id
  }

  private static let edit = "UPDATE reminders SET title = 'Oat milk' WHERE id = 'r1'"

  @Test func anUploadIsQueuedAndTheTimeLeftAsItWas() throws {
    let later = "UPDATE \(DoctorBench.metadata) SET userModificationTime = \(DoctorBench.now)"
    let id = try id("edit never sent", after: [MendFindingsTests.edit, later])
    let before = try bench.files.dump()
    #expect(try mend([id]) == [.fine])
    #expect(try bench.files.pending("r1:reminders") == save("r1:reminders"))
    #expect(try bench.files.metadata("userModificationTime", "r1:reminders") == [.integer(DoctorBench.now)])
    #expect(try bench.found() == ["waiting for upload: r1"])
    #expect(try bench.open(.writing).undoLastWrite().map(\.outcome) == [.fine])
    #expect(try bench.files.dump() == before)
  }

  /// Both ways to lose something, with an edit that waits nowhere.
  static let losses = [
    ("blob lost", ["UPDATE reminders SET cover = NULL WHERE id = 'r1'"]),
    (
      "parent lost",
      [
        "UPDATE reminders SET listID = NULL", "DELETE FROM lists",
        "DELETE FROM \(DoctorBench.metadata) WHERE recordType = 'lists'",
        "DELETE FROM reminders WHERE id = 'r2'",
        "DELETE FROM \(DoctorBench.metadata) WHERE recordPrimaryKey = 'r2'",
      ]
    ),
  ]

  /// It was hidden by the loss. An upload would send that as well, whoever took it away.
  @Test(arguments: losses) func anEditBesideWhatWasLostIsToldAndNotUploaded(
    lost: String, changes: [String]
  ) throws {
    let later = "UPDATE \(DoctorBench.metadata) SET userModificationTime = \(DoctorBench.now)"
    let id = try id("edit never sent", after: changes + [MendFindingsTests.edit, later])
    #expect(try bench.found().sorted() == ["\(lost): r1", "edit never sent: r1"].sorted())
    let (finding, loss) = (try bench.found("edit never sent"), try bench.found(lost))
    #expect(id == "edit-never-sent:r1:reminders" && loss?.id != id)
    #expect(finding?.evidence.contains("differs from the ancestor in title,") == true)
    #expect(finding?.canBeMended == nil && finding?.remedy.hasPrefix("First restore what was lost") == true)
    #expect(loss?.cause.contains("here, and that") == true)
    let before = try bench.files.dump()
    #expect(try mend([id]) == [.refused(field: nil, "Parley cannot mend it; see what does")])
    #expect(try bench.files.dump() == before)
  }

  /// Nothing of such a record is mended here, so the server's side of it is not to be had here either.
  @Test func whatWasKeptAgainstTheServerBesideALossIsSetInTheAppAlone() throws {
    let server = DoctorBench.agreed + DoctorBench.minute
    try bench.setAncestor(1, times: ["title": server])
    let metadata = "UPDATE \(DoctorBench.metadata) SET userModificationTime = \(server + 1)"
    _ = try id("kept against the server", after: [MendFindingsTests.edit, metadata])
    let found = { () throws -> Finding in try #require(try bench.found("kept against the server")) }
    #expect(try found().takingServer != nil && found().remedy.hasSuffix("that value, here or in the app."))
    try bench.run("UPDATE reminders SET cover = NULL WHERE id = 'r1'")
    let beside = try found()
    #expect(beside.takingServer == nil && beside.remedy.hasPrefix("First restore what was lost"))
    #expect(beside.remedy.hasSuffix("to take the server's, give the row that value, in the app."))
  }

  private func writtenTime() throws -> Int64 {
    guard case .integer(let time)? = try bench.files.metadata("userModificationTime", "r1:reminders")?.first
    else { return 0 }
    return time
  }

  /// Two devices that mend a tie are told apart as those are that decide one.
  @Test func twoMendsOfOneTieHaveOtherTimes() throws {
    try bench.setAncestor(1, times: ["title": DoctorBench.agreed])
    var times: [Int64] = []
    for title in ["Oat milk", "Rye milk"] {
      let id = try id("same time", after: ["UPDATE reminders SET title = '\(title)' WHERE id = 'r1'"])
      #expect(try mend([id]) == [.fine])
      times.append(try writtenTime())
      #expect(try bench.open(.writing).undoLastWrite().map(\.outcome) == [.fine])
    }
    #expect(times[0] != times[1])
  }

  @Test(arguments: [0, 5 * DoctorBench.minute])
  func aTimeThatIsTooSmallBecomesLaterThanTheAncestors(ahead: Int64) throws {
    try bench.setAncestor(1, times: ["title": DoctorBench.agreed + ahead])
    let id = try id(ahead == 0 ? "same time" : "clock behind", after: [MendFindingsTests.edit])
    #expect(try mend([id]) == [.fine])
    let ancestors = DoctorBench.agreed + ahead
    #expect(try (ancestors + 1...ancestors + 1_000_000).contains(writtenTime()))
    #expect(try bench.files.pending("r1:reminders") == save("r1:reminders"))
  }

  /// The other side of each of them: the row becomes what the server has, nothing is sent, and undo brings the edit back.
  @Test(arguments: [("same time", Int64(0)), ("clock behind", 1), ("kept against the server", -1)])
  func theServersSideIsTaken(what: String, earlier: Int64) throws {
    let server = DoctorBench.agreed + DoctorBench.minute
    try bench.setAncestor(1, times: ["title": server])
    let metadata = "UPDATE \(DoctorBench.metadata) SET userModificationTime = \(server - earlier)"
    _ = try id(what, after: [MendFindingsTests.edit, metadata])
    let finding = try #require(try bench.found(what)?.takingServer)
    #expect(
      finding.takesSide
        && finding.canBeMended?.contains("what the server has of title, and nothing is sent") == true)
    let before = try bench.files.dump()
    #expect(try mend([finding.id]) == [.fine])
    #expect(try bench.files.rows("SELECT title FROM reminders WHERE id = 'r1'") == [[.text("Milk")]])
    #expect(try bench.files.pending("r1:reminders").isEmpty && bench.found().isEmpty)
    // What the row had is found again, until it is back.
    let lost = { try bench.open(.writing).journal.givenUp().flatMap { $0.givenUp ?? [] } }
    #expect(try lost() == [GivenUp(.client, .edit(field: "title", .text("Oat milk")))])
    #expect(try bench.open(.writing).undoLastWrite().map(\.outcome) == [.fine])
    #expect(try bench.files.dump() == before && lost().isEmpty)
  }

  /// Between what somebody saw and what they confirmed the row may be another: neither side overwrites what nobody has seen.
  @Test(arguments: [false, true]) func whatIsNotAsItWasSeenIsLeftAlone(takesServer: Bool) throws {
    try bench.setAncestor(1, times: ["title": DoctorBench.agreed])
    _ = try id("same time", after: [MendFindingsTests.edit])
    let found = try #require(try bench.found("same time"))
    let seen = try takesServer ? #require(found.takingServer) : found
    for change in ["title = 'Soy milk'", "title = 'Oat milk', notes = 'unseen'"] {
      try bench.run("UPDATE reminders SET \(change) WHERE id = 'r1'")
      let before = try bench.files.dump()
      let outcomes = try bench.open(.writing).mend(seen: seen).map(\.outcome)
      #expect(outcomes == [.moved("it is not what was shown any more")], "\(change)")
      #expect(try bench.files.dump() == before)
    }
    try bench.run(
      "UPDATE reminders SET title = 'Oat milk', notes = (SELECT notes FROM reminders WHERE id = 'r2') WHERE id = 'r1'"
    )
    let again = try #require(try bench.found("same time"))
    let wanted = try takesServer ? #require(again.takingServer) : again
    #expect(try bench.open(.writing).mend(seen: wanted).map(\.outcome) == [.fine])
  }

  /// A record's own name may end as such an id does.
  @Test func aNameThatReadsLikeItIsNone() {
    #expect(Finding.takesServer("same-time=server:r1:reminders"))
    #expect(!Finding.takesServer("same-time:x=server:reminders") && !Finding.takesServer("x=server"))
    let written = JournalEntry(time: 1, record: "x=server:reminders", event: .ended(.write))
    #expect(!written.tookServer)
  }

  /// Where there is nothing to choose no side can be taken.
  @Test func anEditThatWasNeverSentHasNoOtherSide() throws {
    let later = "UPDATE \(DoctorBench.metadata) SET userModificationTime = \(DoctorBench.now)"
    let id = try id("edit never sent", after: [MendFindingsTests.edit, later])
    #expect(try bench.found("edit never sent")?.takingServer == nil)
    let other = id.replacing("edit-never-sent:", with: "edit-never-sent=server:")
    #expect(try mend([other]) == [.refused(field: nil, "Parley cannot mend it; see what does")])
  }

  @Test func anUndecodableChangeIsRemovedAndComesBack() throws {
    let id = try id(
      "undecodable pending change", after: ["INSERT INTO \(Metadatabase.pending) VALUES (x'00'), (x'0102')"])
    let before = try bench.files.dump()
    #expect(try mend([id]) == [.fine])
    #expect(try bench.files.value("SELECT count(*) FROM \(Metadatabase.pending)") == .integer(1))
    #expect(try bench.open(.writing).undoLastWrite().map(\.outcome) == [.fine])
    #expect(try bench.files.dump() == before)
  }

  @Test func anUnsyncedEntryIsDropped() throws {
    let id = try id(
      "waiting for its parent",
      after: ["INSERT INTO \(Metadatabase.unsynced) VALUES ('r9:reminders', 'z', 'o')"])
    #expect(try mend([id]) == [.fine])
    #expect(try bench.found().isEmpty)
  }

  @Test func aRowIsKeptInPlaceOfItsQueuedDeletion() throws {
    try bench.addPending(.delete, "r1:reminders")
    let id = try id(
      "deletion over a row",
      after: ["UPDATE \(DoctorBench.metadata) SET _isDeleted = 1 WHERE recordPrimaryKey = 'r1'"])
    let before = try bench.files.dump()
    #expect(try mend([id]) == [.fine])
    #expect(try bench.files.pending("r1:reminders") == save("r1:reminders"))
    #expect(try bench.files.metadata("_isDeleted", "r1:reminders") == [.integer(0)])
    _ = try bench.open(.writing).undoLastWrite()
    #expect(try bench.files.dump() == before)
  }

  /// It has the time of the row that was deleted, which is the one that other devices know.
  @Test(arguments: [
    (DoctorBench.agreed, DoctorBench.now...DoctorBench.now),
    (DoctorBench.now + 5, DoctorBench.now + 6...DoctorBench.now + 1_000_005),
  ])
  func aRowThatWasMadeAgainGetsALaterTime(known: Int64, expected: ClosedRange<Int64>) throws {
    try bench.setAncestor(1, times: ["title": known])
    let id = try id(
      "deletion over a row",
      after: [
        MendFindingsTests.edit,
        "UPDATE \(DoctorBench.metadata) SET _isDeleted = 1 WHERE recordPrimaryKey = 'r1'",
      ])
    #expect(try mend([id]) == [.fine])
    #expect(try expected.contains(writtenTime()))
  }

  @Test func oneChangeOfTheRecordStaysInTheTableAndUndoBringsBackAllInTheirPlaces() throws {
    for kind in [.delete, .save, .delete, .delete] as [PendingZoneChange.Kind] {
      try bench.addPending(kind, "r1:reminders")
      try bench.addPending(.save, "r2:reminders")
    }
    let queue = "SELECT rowid, * FROM \(Metadatabase.pending) ORDER BY rowid"
    let before = try bench.files.rows(queue)
    #expect(try mend([id("deletion over a row", after: [])]) == [.fine])
    #expect(try bench.files.pending("r1:reminders") == save("r1:reminders"))
    #expect(try bench.files.pending("r2:reminders").count == 4)
    #expect(try bench.open(.writing).undoLastWrite().map(\.outcome) == [.fine])
    #expect(try bench.files.rows(queue) == before)
  }

  /// The row is the one that the engine took from the server: mended, nothing is left to decide about its deletion.
  @Test func aConflictAboutADeletionIsDecidedByMendingIt() throws {
    try bench.receiveOverADeletion(DoctorBench.sent(1, [:], times: ["title": DoctorBench.now], tag: "b"))
    let before = try bench.files.dump()
    #expect(try summaries(of: bench.open()).map(\.id) == ["r1:reminders"])
    #expect(try mend([id("deletion over a row", after: [])]) == [.fine])
    #expect(try summaries(of: bench.open()).isEmpty)
    #expect(try bench.found() == ["waiting for upload: r1"])
    #expect(try bench.open(.writing).undoLastWrite().map(\.outcome) == [.fine])
    #expect(try bench.files.dump() == before)
  }

  /// Its fields are still to be decided.
  @Test func anotherConflictStaysWhenADeletionIsMended() throws {
    try bench.run(MendFindingsTests.edit)
    try bench.receive(
      DoctorBench.sent(1, ["title": .text("Rye milk")], times: ["title": DoctorBench.now], tag: "b"))
    try bench.addPending(.delete, "r1:reminders")
    #expect(try mend([id("deletion over a row", after: [])]) == [.fine])
    #expect(try summaries(of: bench.open()).map(\.id) == ["r1:reminders"])
  }

  @Test func aChangeMovesToTheZoneOfItsRecord() throws {
    try bench.addPending(.save, "r1:reminders", zone: "another")
    #expect(try mend([id("queued for another zone", after: [])]) == [.fine])
    #expect(try bench.files.pending("r1:reminders") == save("r1:reminders"))
  }

  @Test func theDeletionFromTheZoneThatARecordLeftStaysQueued() throws {
    try bench.run("UPDATE \(DoctorBench.metadata) SET zoneName = 'mine' WHERE recordPrimaryKey = 'r1'")
    try bench.addPending(.delete, "r1:reminders")
    try bench.addPending(.save, "r1:reminders", zone: "before")
    #expect(try mend([id("queued for another zone", after: [])]) == [.fine])
    let queued = try bench.files.pending("r1:reminders")
    #expect(queued.map(\.kind) == [.delete, .save])
    #expect(queued.map(\.zoneName) == [Metadatabase.defaultZone, "mine"])
  }

  @Test func anAncestorOfAnotherZoneGoesAsAChangeMoves() throws {
    try bench.run("UPDATE \(DoctorBench.metadata) SET zoneName = 'mine' WHERE recordPrimaryKey = 'r1'")
    try bench.addPending(.save, "r1:reminders")
    #expect(try mend([id("queued for another zone", after: [])]) == [.fine])
    #expect(
      try bench.files.metadata("lastKnownServerRecord, _lastKnownServerRecordAllFields", "r1:reminders")
        == [.null, .null])
    #expect(try bench.files.pending("r1:reminders").map(\.zoneName) == ["mine"])
  }

  /// As a write of an older Parley has left it.
  @Test func anAncestorOfAnotherZoneGoesAsAnUploadIsQueued() throws {
    let moved =
      "UPDATE \(DoctorBench.metadata) SET zoneName = 'mine', userModificationTime = \(DoctorBench.now)"
    let id = try id("edit never sent", after: [MendFindingsTests.edit, moved])
    let before = try bench.files.dump()
    #expect(try mend([id]) == [.fine])
    #expect(
      try bench.files.metadata("lastKnownServerRecord, _lastKnownServerRecordAllFields", "r1:reminders")
        == [.null, .null])
    #expect(try bench.files.pending("r1:reminders").map(\.zoneName) == ["mine"])
    #expect(try bench.open(.writing).undoLastWrite().map(\.outcome) == [.fine])
    #expect(try bench.files.dump() == before)
  }

  /// So does one from the zone of the save, which the server has not heard of either.
  @Test(
    arguments: [[.delete, .save], [.save, .delete]] as [[PendingZoneChange.Kind]],
    ["before", Metadatabase.defaultZone])
  func theDeletionFromTheZoneThatARecordLeftStaysAsAnUploadIsDropped(
    order: [PendingZoneChange.Kind], before: String
  ) throws {
    for kind in order {
      try bench.addPending(
        kind, "r9:reminders", zone: kind == .delete ? before : Metadatabase.defaultZone)
    }
    #expect(try mend([id("queued for nothing", after: [])]) == [.fine])
    let queued = try bench.files.pending("r9:reminders")
    #expect(queued.map(\.kind) == [.delete] && queued.map(\.zoneName) == [before])
  }

  @Test func aDeletionThatNobodyQueuedIsQueued() throws {
    let id = try id(
      "delete never queued",
      after: [
        "DELETE FROM reminders WHERE id = 'r1'",
        "UPDATE \(DoctorBench.metadata) SET _isDeleted = 1 WHERE recordPrimaryKey = 'r1'",
      ])
    #expect(try mend([id]) == [.fine])
    #expect(try bench.files.pending("r1:reminders").map(\.kind) == [.delete])
  }

  @Test func manyAreMendedTogetherEachOnce() throws {
    try bench.run("UPDATE reminders SET title = 'Oat milk'")
    let ids = try findings(of: bench.open()).map(\.id)
    #expect(ids.count == 2)
    #expect(try mend(ids + ids) == [.fine, .fine])
    let entries = try bench.open().journal.entries(limit: 9)
    #expect(entries.map(\.kind) == [.write, .write])
    let text = "written: Oat milk: what was found is mended"
    #expect(Set(entries.map(\.text)) == [text] && entries.allSatisfy { $0.note == "ticket 7" })
  }

  @Test func whatIsGoneOrCannotBeMendedIsToldAndLeftAlone() throws {
    try bench.run("DELETE FROM reminders WHERE id = 'r1'")
    let before = try bench.files.dump()
    #expect(
      try mend(["no-row:r1:reminders", "never-uploaded:r2:reminders", "nonsense", "pending-undecodable:7"])
        == [
          .refused(field: nil, "Parley cannot mend it; see what does"), .moved("it is no longer found"),
          .moved("it is no longer found"), .moved("it is no longer found"),
        ])
    #expect(try bench.files.dump() == before)
  }

  @Test func recordTypesAreNeverTouched() throws {
    let types = "SELECT * FROM \(Metadatabase.recordTypes)"
    try bench.run("UPDATE reminders SET title = 'Oat milk'")
    try bench.run("ALTER TABLE lists ADD COLUMN color TEXT")
    let before = try bench.files.rows(types)
    _ = try mend(try findings(of: bench.open()).map(\.id))
    #expect(try bench.files.rows(types) == before)
  }

  @Test func aStoreOpenedForReadingIsNotMended() throws {
    try bench.run(MendFindingsTests.edit)
    let store = try bench.open()
    let ids = try findings(of: store).map(\.id)
    #expect(throws: StoreError.readOnly(path: bench.path, reason: "the store was opened read-only")) {
      try store.mend(ids, note: nil)
    }
  }
}
