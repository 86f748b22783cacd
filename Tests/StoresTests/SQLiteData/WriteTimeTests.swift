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

  @Test(arguments: [
    (edited, edited, DoctorBench.now), (ahead, edited, ahead + 1), (edited, ahead, ahead + 1),
    (DoctorBench.now, edited, DoctorBench.now + 1),
    (.max - 1, edited, .max),
  ])
  func itIsNowOrOneLaterThanAllThatIsKnown(server: Int64, client: Int64, expected: Int64) throws {
    try bench.receive(DoctorBench.sent(1, ["title": .text("Rye milk")], times: ["title": server], tag: "b"))
    try setTime(client)
    #expect(try bench.write(Self.id, [.field("title"): .take(.client)]) == .fine)
    #expect(try time() == .integer(expected))
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
    #expect(try time() == .integer(Self.ahead + 1))
  }

  @Test func takingAllFromTheServerClaimsNoEdit() throws {
    try bench.receive(
      DoctorBench.sent(1, ["title": .text("Rye milk")], times: ["title": Self.edited], tag: "b"))
    try setTime(Self.edited)
    #expect(try bench.write(Self.id, [.field("title"): .take(.server)]) == .fine)
    #expect(try time() == .integer(Self.edited))
    #expect(try bench.files.pending(Self.id).isEmpty)
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
