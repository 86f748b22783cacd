import Merging
import StoreInterface
import Testing

@testable import KeyedArchives

/// What time a write gives a record: other devices take it only if it is later than all that they know.
struct WriteTimeTests {
  private let bench: DoctorBench
  private static let id = "r1:reminders"
  private static let edited = DoctorBench.agreed + DoctorBench.minute
  private static let ahead = DoctorBench.now + 5 * DoctorBench.minute

  init() throws {
    bench = try DoctorBench()
    try bench.run("UPDATE reminders SET title = 'Oat milk' WHERE id = 'r1'")
  }

  private func setTime(_ time: Int64) throws {
    try bench.run(
      "UPDATE \(DoctorBench.metadata) SET userModificationTime = ? WHERE recordName = ?",
      [.integer(time), .text(Self.id)])
  }

  private func time() throws -> Value? { try bench.files.metadata("userModificationTime", Self.id)?.first }

  /// Above all that is known: by less than a millisecond.
  private static func above(_ time: Int64) -> ClosedRange<Int64> { time + 1...time + 1_000_000 }

  @Test(arguments: [
    (edited, edited, DoctorBench.now...DoctorBench.now), (ahead, edited, above(ahead)),
    (edited, ahead, above(ahead)), (DoctorBench.now, edited, above(DoctorBench.now)),
    (.max - 1, edited, .max ... .max),
  ])
  func itIsNowOrLaterThanAllThatIsKnown(server: Int64, client: Int64, expected: ClosedRange<Int64>) throws {
    try bench.receive(DoctorBench.sent(1, ["title": .text("Rye milk")], times: ["title": server], tag: "b"))
    try setTime(client)
    #expect(try bench.write(Self.id, [.field("title"): .take(.client)]) == .fine)
    #expect(try expected.contains(writtenTime()))
  }

  private func writtenTime() throws -> Int64 {
    guard case .integer(let time)? = try time() else { return 0 }
    return time
  }

  /// Else each of two devices would keep what was decided there, for ever.
  @Test func twoDevicesThatDecideOtherwiseGiveOtherTimes() throws {
    try bench.receive(
      DoctorBench.sent(1, ["title": .text("Rye milk")], times: ["title": Self.ahead], tag: "b"))
    var times: [Int64] = []
    for title in ["Soy milk", "Rice milk", "Soy milk"] {
      #expect(try bench.write(Self.id, [.field("title"): .edit(.text(title))]) == .fine)
      times.append(try writtenTime())
      #expect(try bench.open(.writing).undoLastWrite().map(\.outcome) == [.fine])
    }
    #expect(times[0] != times[1] && times[0] == times[2])
  }

  /// Sent with an equal time, no other device would take it, and nothing would tell.
  @Test func afterTheLastTimeThereIsNothingIsSent() throws {
    try bench.receive(DoctorBench.sent(1, ["title": .text("Rye milk")], times: ["title": .max], tag: "b"))
    let outcome = try bench.write(Self.id, [.field("title"): .take(.client)])
    guard case .refused(nil, let reason) = outcome else {
      Issue.record("\(outcome)")
      return
    }
    #expect(reason.hasPrefix("one of its times is the last that there is"))
    #expect(try bench.write(Self.id, [.field("title"): .take(.server)]) == .fine)
  }

  @Test func aFieldThatIsNotSentCountsAsWell() throws {
    try bench.receive(
      DoctorBench.sent(
        1, ["title": .text("Rye milk")], times: ["title": Self.edited, "notes": Self.ahead], tag: "b"))
    #expect(try bench.write(Self.id, [.field("title"): .take(.client)]) == .fine)
    #expect(try Self.above(Self.ahead).contains(writtenTime()))
  }

  @Test func takingAllFromTheServerClaimsNoEdit() throws {
    try bench.receive(
      DoctorBench.sent(1, ["title": .text("Rye milk")], times: ["title": Self.edited], tag: "b"))
    try setTime(Self.edited)
    #expect(try bench.write(Self.id, [.field("title"): .take(.server)]) == .fine)
    #expect(try time() == .integer(Self.edited))
    #expect(try bench.files.pending(Self.id).isEmpty)
  }

  /// It is half of a move.
  @Test func theDeletionFromTheZoneThatTheRecordLeftMakesNoUploadOfThat() throws {
    try bench.receive(
      DoctorBench.sent(1, ["title": .text("Rye milk")], times: ["title": Self.edited], tag: "b"))
    try bench.addPending(.delete, Self.id, zone: "before")
    #expect(try bench.write(Self.id, [.field("title"): .take(.server)]) == .fine)
    #expect(try bench.files.pending(Self.id).map(\.kind) == [.delete])
  }

  /// Two devices set the field at the same time. The app of this one has sent its value, and the other one refuses it.
  @Test func aTieThatTheAppHasSentAlreadyIsSentAgainWithALaterTime() throws {
    let server = DoctorBench.sent(1, ["title": .text("Rye milk")], times: ["title": Self.edited], tag: "b")
    try receiveAndSend(server, at: Self.edited)
    let before = try bench.files.dump()
    #expect(try bench.write(Self.id, [.field("title"): .take(.client)]) == .fine)
    #expect(try bench.files.pending(Self.id).map(\.kind) == [.save])
    #expect(
      try bench.files.metadata("userModificationTime, _lastKnownServerRecordAllFields", Self.id)
        == [.integer(DoctorBench.now), .blob(Blob(bytes: server.encoded()))])
    #expect(try bench.open(.writing).undoLastWrite().map(\.outcome) == [.fine])
    #expect(try bench.files.dump() == before)
  }

  /// Over neither record is all of it sent with a later time.
  @Test func ofTwoFieldsAtOneTimeThatAreDecidedOtherwiseItIsToldWhichMayNotArrive() throws {
    let times = ["title": Self.edited, "notes": Self.edited]
    try bench.receive(
      DoctorBench.sent(1, ["title": .text("Rye milk"), "notes": .text("S")], times: times, tag: "b"),
      clientTime: Self.edited)
    try bench.run("UPDATE reminders SET notes = 'C' WHERE id = 'r1'")
    let newest = DoctorBench.sent(
      1, ["title": .text("Oat milk"), "notes": .text("C")], times: times, tag: "c",
      savedAt: DoctorBench.now - 1)
    try bench.setAncestor(newest)
    try setTime(Self.edited)
    let store = try bench.open(.writing)
    let planned = try plan(
      Self.id, in: store, [.field("title"): .take(.client), .field("notes"): .take(.server)])
    let written = try store.write([#require(planned)], note: nil)
    #expect(written.map(\.outcome) == [.fine])
    #expect(
      written.first?.note?.hasPrefix("title is not sure to stay so on every device") == true, "\(written)")
    #expect(
      try bench.files.metadata("_lastKnownServerRecordAllFields", Self.id) == [
        .blob(Blob(bytes: newest.encoded()))
      ])
    #expect(try bench.files.pending(Self.id).map(\.kind) == [.save])
  }

  /// The app refused it by a tie and put its own value back, so it has nothing to send.
  @Test func whatTheAppDidNotTakeOverIsTold() throws {
    try receiveAndSend(
      DoctorBench.sent(1, ["title": .text("Rye milk")], times: ["title": Self.edited], tag: "b"),
      at: Self.edited + 1)
    var newest = DoctorBench.sent(
      1, ["title": .text("Oat milk")], times: ["title": Self.edited + 1], tag: "c",
      savedAt: DoctorBench.now - 1)
    newest.changedKeys = ["title"]
    try bench.setAncestor(newest)
    let store = try bench.open(.writing)
    let planned = try #require(try plan(Self.id, in: store, [.field("title"): .take(.client)]))
    let written = try store.write([planned], note: nil)
    #expect(written.first?.note?.hasPrefix("title is not what the server has") == true, "\(written)")
  }

  /// The record has the library's form of the row's date.
  @Test func aDateInAnotherFormThatTheAppDidNotTakeOverIsTold() throws {
    let notes = Value.text("2026-11-30 22:14:23.000")
    try bench.run("UPDATE reminders SET notes = '2026-11-30 22:14:23' WHERE id = 'r1'")
    try receiveAndSend(
      DoctorBench.sent(
        1, ["title": .text("Rye milk"), "notes": notes], times: ["title": Self.edited], tag: "b"),
      at: Self.edited + 1)
    var newest = DoctorBench.sent(
      1, ["title": .text("Oat milk"), "notes": notes], times: ["title": Self.edited + 1], tag: "c",
      savedAt: DoctorBench.now - 1)
    newest.changedKeys = ["notes"]
    try bench.setAncestor(newest)
    let store = try bench.open(.writing)
    let planned = try #require(try plan(Self.id, in: store, [.field("title"): .take(.client)]))
    let written = try store.write([planned], note: nil)
    #expect(written.first?.note?.hasPrefix("notes is not what the server has") == true, "\(written)")
  }

  @Test func whatTheAppHasSentWithALaterTimeIsNotSentAgain() throws {
    try receiveAndSend(
      DoctorBench.sent(1, ["title": .text("Rye milk")], times: ["title": Self.edited], tag: "b"),
      at: Self.edited + 1)
    let ancestor = try bench.files.metadata("_lastKnownServerRecordAllFields", Self.id)
    #expect(try bench.write(Self.id, [.field("title"): .take(.client)]) == .fine)
    #expect(try bench.files.pending(Self.id).isEmpty)
    #expect(try bench.files.metadata("_lastKnownServerRecordAllFields", Self.id) == ancestor)
  }

  /// The app kept its value, as it does, and the server took it.
  private func receiveAndSend(_ server: ArchivedRecord, at time: Int64) throws {
    try bench.receive(server, clientTime: Self.edited)
    try bench.setAncestor(
      DoctorBench.sent(
        1, ["title": .text("Oat milk")], times: ["title": time], tag: "c", savedAt: DoctorBench.now - 1))
    try setTime(time)
  }
}
