import Merging
import Testing

@testable import SQLiteDataStores
@testable import StoreInterface

/// What mending puts in the place of what is in the finding: nobody confirms what they have not seen.
struct FindingValuesTests {
  private let bench: DoctorBench

  init() throws { bench = try DoctorBench([1, 2]) }

  private static let later = "UPDATE \(DoctorBench.metadata) SET userModificationTime = \(DoctorBench.now)"

  private func differences(_ what: String, after changes: [String]) throws -> [LastWrite.FieldChange] {
    for change in changes { try bench.run(change) }
    return try #require(try bench.found(what)).differences
  }

  private static func milk(_ title: String) -> LastWrite.FieldChange {
    LastWrite.FieldChange(name: "title", before: .text("Milk"), after: .text(title))
  }

  @Test func anEditThatWasNeverSentHasTheServersValueAndTheRows() throws {
    let notes = LastWrite.FieldChange(name: "notes", before: .text("two"), after: .null)
    let edit = "UPDATE reminders SET title = 'Oat milk', notes = NULL WHERE id = 'r1'"
    let found = try differences("edit never sent", after: [edit, Self.later])
    #expect(found == [Self.milk("Oat milk"), notes], "in the order of the table")
  }

  /// As what is done then: the row's value is given up.
  @Test(arguments: [("same time", Int64(0)), ("clock behind", 1), ("kept against the server", -1)])
  func whatTheServerChangedTooIsTurnedRoundWhereItsSideIsTaken(what: String, earlier: Int64) throws {
    let server = DoctorBench.agreed + DoctorBench.minute
    try bench.setAncestor(1, times: ["title": server])
    let metadata = "UPDATE \(DoctorBench.metadata) SET userModificationTime = \(server - earlier)"
    let edit = "UPDATE reminders SET title = 'Oat milk' WHERE id = 'r1'"
    #expect(try differences(what, after: [edit, metadata]) == [Self.milk("Oat milk")])
    let other = try #require(try bench.found(what)?.takingServer)
    #expect(other.differences == [Self.milk("Oat milk").reversed])
    #expect(other.ofEitherSide.differences == [Self.milk("Oat milk")])
  }

  @Test func aKeyIsToldByWhatItPointsTo() throws {
    let found = try differences(
      "edit never sent",
      after: [
        "INSERT INTO lists VALUES ('work', 'Work')", "UPDATE reminders SET listID = 'work' WHERE id = 'r1'",
        Self.later,
      ])
    #expect(found.map(\.titles) == [[.text("home"): "Home", .text("work"): "Work"]])
  }

  @Test func whatADeletionWouldEndIsTold() throws {
    let deletion = "UPDATE \(DoctorBench.metadata) SET _isDeleted = 1 WHERE recordPrimaryKey = 'r1'"
    let found = try differences(
      "delete never queued", after: [deletion, "DELETE FROM reminders WHERE id = 'r1'"])
    #expect(found.map(\.name) == ["title", "notes", "cover", "listID"])
    #expect(found.first?.before == .text("Milk") && found.allSatisfy { $0.after == nil })
  }

  /// It is in place of a deletion, and sent as a whole.
  @Test func aRowThatIsKeptHasWhatItPutsInPlaceOfTheServers() throws {
    try bench.addPending(.delete, "r1:reminders")
    let edit = "UPDATE reminders SET title = 'Oat milk' WHERE id = 'r1'"
    #expect(try differences("deletion over a row", after: [edit]) == [Self.milk("Oat milk")])
  }

  @Test func whatIsOnItsWayAndWhatTheServerHasNothingOfHaveNone() throws {
    try bench.addPending(.save, "r1:reminders")
    #expect(try differences("waiting for upload", after: []).isEmpty)
    let sent = "UPDATE \(DoctorBench.metadata) SET lastKnownServerRecord = NULL, "
    let change = sent + "_lastKnownServerRecordAllFields = NULL WHERE recordPrimaryKey = 'r2'"
    #expect(try differences("never uploaded", after: [change]).isEmpty)
  }

  /// The desk holds all findings: of bytes it has their number and their hash, and says of none that they are not here.
  @Test func ofManyBytesTheirHashIsHeld() throws {
    let found = try differences(
      "edit never sent", after: ["UPDATE reminders SET cover = zeroblob(5000) WHERE id = 'r1'", Self.later])
    guard case .blob(let blob)? = found.first?.after else {
      Issue.record("\(found)")
      return
    }
    #expect(blob.bytes == nil && blob.count == 5_000 && blob.areHere)
    #expect(blob == Blob(bytes: [UInt8](repeating: 0, count: 5_000)))
  }

  /// The evidence has sixty letters of a value, and only the first three fields.
  @Test func whatChangedBehindTheBeginningOfAValueIsNotOverwrittenUnseen() throws {
    try bench.setAncestor(1, times: ["title": DoctorBench.agreed])
    let long = String(repeating: "Milk ", count: 20)
    try bench.run("UPDATE reminders SET title = '\(long)' WHERE id = 'r1'")
    let found = try #require(try bench.found("same time"))
    for seen in [found, try #require(found.takingServer)] {
      try bench.run("UPDATE reminders SET title = '\(long)and bread' WHERE id = 'r1'")
      #expect(try bench.found("same time")?.evidence == found.evidence)
      let outcomes = try bench.open(.writing).mend(seen: seen).map(\.outcome)
      #expect(outcomes == [.moved("it is not what was shown any more")])
      try bench.run("UPDATE reminders SET title = '\(long)' WHERE id = 'r1'")
      #expect(try bench.open(.writing).mend(seen: seen).map(\.outcome) == [.fine])
      _ = try bench.open(.writing).undoLastWrite()
    }
  }
}
