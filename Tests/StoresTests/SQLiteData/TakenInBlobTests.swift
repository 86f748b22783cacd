import Merging
import Testing

@testable import KeyedArchives
@testable import SQLiteFiles
@testable import StoreInterface

/// An archive has a blob's SHA-256 only. Where the engine has taken the blob into the row, its bytes are here all the same.
struct TakenInBlobTests {
  private let bench: DoctorBench
  private static let id = "r1:reminders"
  private static let cover = Value.blob(Blob(bytes: [0xBB, 0xBB]))

  init() throws { bench = try DoctorBench() }

  private func server(_ values: RowImage = [:]) -> ArchivedRecord {
    DoctorBench.sent(
      1, values.merging(["cover": Self.cover]) { _, cover in cover },
      times: ["cover": DoctorBench.now - 1, "title": DoctorBench.now - 1], tag: "b")
  }

  private func takeIn() throws { try bench.run("UPDATE reminders SET cover = ?", [Self.cover]) }

  @Test func theServersBlobIsSuggestedAndWritten() throws {
    try bench.run("UPDATE reminders SET title = 'Oat milk'")
    try bench.receive(server(["title": .text("Rye milk")]))
    #expect(try bench.open().conflict(Self.id)["cover"]?.suggestion.certainty == .yours)
    try takeIn()
    #expect(try bench.open().conflict(Self.id)["cover"]?.suggestion.certainty == .sure)
    let choices: [Subject: Choice] = [.field("title"): .take(.client), .field("cover"): .take(.server)]
    #expect(try bench.write(Self.id, choices) == .fine)
    #expect(try bench.files.value("SELECT cover FROM reminders") == Self.cover)
  }

  /// If it could not be, the deletion would be sent, and the record be lost everywhere.
  @Test func aRecordThatWasDeletedHereIsKeptWithTheServersBlob() throws {
    try takeIn()
    try bench.receiveOverADeletion(server())
    #expect(try bench.write(Self.id, [.record: .take(.server)]) == .fine)
    #expect(try bench.files.value("SELECT cover FROM reminders") == Self.cover)
    #expect(try bench.files.metadata("_isDeleted", Self.id) == [.integer(0)])
    #expect(try bench.files.pending(Self.id).map(\.kind) == [.save])
  }
}
