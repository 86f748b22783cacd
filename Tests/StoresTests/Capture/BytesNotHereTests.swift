import Merging
import Testing

@testable import KeyedArchives
@testable import SQLiteDataStores
@testable import SQLiteFiles
@testable import StoreInterface

/// NULL where the server has bytes: their file was not there as the engine took a record in, or somebody here has taken them away.
@Suite struct BytesNotHereTests {
  let folder: TestFolder
  let app: PlayedApp
  static let milk = "1:notes"

  init() throws {
    folder = try TestFolder()
    app = try PlayedApp(in: folder)
    try app.captureAll()
    try app.receive(Self.record("a", 10, picture: (1, 10)), files: ["picture": [1]], at: 20)
  }

  private static func record(
    _ tag: String, _ time: Int64, title: (String, Int64) = ("Milk", 10), picture: (byte: UInt8?, Int64),
    madeAt made: Int64 = 1
  ) -> ArchivedRecord {
    var record = ArchivedRecord.milk(tag, time, title: title, body: ("1 l", 10))
    record.createdAt = made * 1_000_000
    record.values[ArchivedRecord.modificationTimeKey(of: "picture")] = .integer(picture.1)
    guard let byte = picture.byte else { return record }
    record.values["picture"] = .asset(ArchivedAsset(size: 1))
    record.values[ArchivedRecord.assetHashKey(of: "picture")] = .data(Blob(bytes: [byte]).sha256)
    return record
  }

  /// What the engine writes for a file that is not there.
  private func losePicture(at time: Int64) throws {
    try app.synchronizing(at: time) { try $0.execute(sql: "UPDATE notes SET picture = NULL") }
    #expect(try app.rows("SELECT picture FROM notes") == [[.null]])
  }

  private func conflict() throws -> RecordConflict {
    try SQLiteDataStore.open(path: app.path).conflict(Self.milk)
  }

  private func expectAsked(_ conflict: RecordConflict) throws {
    let picture = try #require(conflict["picture"])
    #expect(picture.server?.value.isBlob == true && picture.client?.value == .null)
    #expect(picture.ancestor == nil && picture.suggestion.certainty != .sure)
    #expect(conflict.details.withoutPolicy.contains("picture"))
    #expect(Self.isNoted(conflict))
    #expect(!conflict.details.notes.contains("the row was edited after this record came in"))
  }

  private static func isNoted(_ conflict: RecordConflict) -> Bool {
    conflict.details.notes.contains { $0.hasPrefix("picture: NULL stands here") }
  }

  /// It came in while nothing was edited here, so that nothing was captured. Whether or not the file is there with the next record, which the
  /// engine takes the bytes from.
  @Test(arguments: [true, false]) func aFileThatWasNotThereBeforeTheEditIsNoEdit(isThere: Bool) throws {
    try losePicture(at: 30)
    try app.edit(at: 50, "UPDATE notes SET title = 'Milk 2%'")
    let next = Self.record("b", 60, title: ("Oat milk", 60), picture: (1, 10))
    try app.receive(next, files: isThere ? ["picture": [1]] : [:], at: 70)
    #expect(try app.rows("SELECT picture FROM notes") == [[isThere ? .blob(Blob(bytes: [1])) : .null]])
    try expectAsked(try conflict())
  }

  @Test func soItIsWhereItIsNotThereWithTheNextRecord() throws {
    try app.edit(at: 50, "UPDATE notes SET title = 'Milk 2%'")
    try app.receive(Self.record("b", 60, title: ("Oat milk", 60), picture: (2, 60)), at: 70)
    try losePicture(at: 70)
    try app.receive(Self.record("c", 80, title: ("Soy milk", 80), picture: (2, 60)), at: 90)
    #expect(try app.rows("SELECT picture FROM notes") == [[.null]])
    #expect(try app.rows("SELECT 1 FROM parley_inbox").count == 2)
    try expectAsked(try conflict())
  }

  /// Of a picture that is new there, which neither had before.
  @Test func soItIsOfBytesThatAreNew() throws {
    try app.receive(Self.record("b", 30, picture: (nil, 30)), at: 35)
    try app.edit(at: 50, "UPDATE notes SET title = 'Milk 2%'")
    try app.receive(Self.record("c", 60, title: ("Oat milk", 60), picture: (2, 60)), at: 70)
    #expect(try app.rows("SELECT picture FROM notes") == [[.null]])
    try expectAsked(try conflict())
  }

  @Test func whatAnotherDeviceTookAwaySinceIsNotMissing() throws {
    try app.edit(at: 50, "UPDATE notes SET title = 'Milk 2%'")
    let theirs = Self.record("b", 60, title: ("Oat milk", 60), picture: (2, 60))
    try app.receive(theirs, files: ["picture": [2]], at: 70)
    try app.acknowledge(Self.record("c", 80, title: ("Milk 2%", 50), picture: (2, 60)), at: 80)
    try app.receive(Self.record("d", 90, title: ("Milk 2%", 50), picture: (nil, 90)), at: 100)
    #expect(try app.rows("SELECT picture FROM notes") == [[.null]])
    let conflict = try conflict()
    #expect(!Self.isNoted(conflict) && conflict["picture"]?.change == .onlyClient)
    #expect(conflict["picture"]?.suggestion.certainty == .sure)
  }

  /// The engine puts a row back that was deleted here: by the first record, and as another one comes in.
  @Test func aRowThatIsPutBackWithoutItsFileIsTheEngines() throws {
    try app.edit(at: 50, "DELETE FROM notes")
    try app.receive(Self.record("b", 60, title: ("Oat milk", 60), picture: (1, 10)), at: 70)
    #expect(try app.rows("SELECT title, picture FROM notes") == [[.text("Oat milk"), .null]])
    #expect(try self.conflict().kind == .deletedOnClient)
    try app.receive(Self.record("c", 80, title: ("Soy milk", 80), picture: (1, 10)), at: 90)
    #expect(try app.rows("SELECT title, picture FROM notes") == [[.text("Soy milk"), .null]])
    let conflict = try conflict()
    #expect(conflict.kind == .deletedOnClient && conflict.details.rowIsBack && Self.isNoted(conflict))
    // Once the deletion is sent, what the server had is not the NULL.
    #expect(try app.send(Self.milk, tag: "d", at: 95) == nil)
    let sent = try self.conflict()
    #expect(sent.kind == .deletedOnClient && sent["picture"]?.server?.value == .blob(Blob(bytes: [1])))
  }

  /// It was made anew, after a deletion that was fetched, or one that is not known here: the own picture is in the inbox alone.
  @Test(arguments: [true, false]) func theOwnPictureIsOfferedAgainstOneThatIsNotThere(isFetched: Bool) throws
  {
    try app.edit(at: 50, "UPDATE notes SET title = 'Milk 2%', picture = x'02'")
    if isFetched {
      try app.receiveDeletion(of: "notes", "true", at: 60)
    } else {
      try app.refuse(Self.milk, .serverRejectedRequest, at: 60)
    }
    try app.receive(
      Self.record("b", 80, title: ("Rice milk", 80), picture: (10, 80), madeAt: 80), at: 90)
    try losePicture(at: 90)
    let conflict = try conflict()
    let picture = try #require(conflict["picture"])
    #expect(picture.client?.value == .blob(Blob(bytes: [2])) && picture.server?.value.isBlob == true)
    #expect(picture.suggestion.certainty != .sure && Self.isNoted(conflict))
    #expect(conflict["title"]?.client?.value == .text("Milk 2%"))
  }
}
