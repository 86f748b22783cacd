import Merging
import Testing

@testable import Simulation

/// What a device and the server do with a file, walked over all that can wait here and all that the server
/// can have.
struct FileSyncLawTests {
  /// What can wait: nothing, an upload, a deletion, both, and two uploads.
  private static let pending: [[FileDevice.Operation]] = [
    [], [.upload("x", text: "mine")], [.deletion("x")], [.upload("x", text: "mine"), .deletion("x")],
    [.upload("x", text: "mine"), .upload("x", text: "mine again")],
  ]
  /// The server's file, for a device that knows version 3.
  private static let entries = [3, 4, 5].flatMap { version in
    [false, true].map { FileServer.Entry(name: "x", version: version, isDeleted: $0) }
  }

  private struct Case: Sendable, CustomTestStringConvertible {
    var pending: [FileDevice.Operation]
    var entry: FileServer.Entry
    var answer: FileAnswer
    /// Whether the same round brings another file in.
    var hasDownloads: Bool

    var testDescription: String { "\(pending) \(entry.version) \(entry.isDeleted) \(answer) \(hasDownloads)" }

    var device: FileDevice {
      FileDevice(
        "here", files: ["x": .init(version: 3), "y": .init(version: 0)],
        queues: pending.enumerated().map { FileDevice.Queue($0, [$1]) })
    }

    var server: FileServer {
      FileServer(
        index: ["x": entry, "y": FileServer.Entry(name: "y", version: hasDownloads ? 1 : 0)],
        cloud: [
          FileServer.CloudFile(name: "x", isTrashed: entry.isDeleted, text: "theirs"),
          FileServer.CloudFile(name: "y", text: "beside"),
        ])
    }
  }

  private static let cases = pending.flatMap { pending in
    entries.flatMap { entry in
      FileAnswer.allCases.flatMap { answer in
        [false, true].map { Case(pending: pending, entry: entry, answer: answer, hasDownloads: $0) }
      }
    }
  }

  /// The table of conflicts: what is newer there against what waits here.
  @Test func whoeverIsAskedIsAskedByTheTable() {
    for facts in Self.cases {
      var (device, server) = (facts.device, facts.server)
      device.sync(&server)
      let hasDeletion = facts.pending.contains(.deletion("x"))
      let isNewer = facts.entry.version > 3
      let expected: FileQuestion? =
        switch (facts.entry.isDeleted, facts.pending.isEmpty, hasDeletion) {
        case (true, false, false): .deletedThere
        case (false, _, true): isNewer ? .deletedHere : nil
        case (false, false, false): isNewer ? .editedOnBoth : nil
        case (true, _, true), (_, true, false): nil
        }
      #expect(device.asked("x") == expected, "\(facts)")
    }
  }

  /// As long as somebody is asked nothing is sent, however often the device goes on.
  @Test func whoIsAskedHasSentNothing() {
    for facts in Self.cases {
      var (device, server) = (facts.device, facts.server)
      device.sync(&server)
      guard device.isAsking else { continue }
      let (before, index) = (device, server.index)
      #expect(device.advance(&server) == nil)
      #expect(device == before && server.index == index, "\(facts)")
      #expect(device.queues == facts.device.queues, "\(facts)")
    }
  }

  /// While a person thinks about deletions alone nobody else can lock; as soon as the round brings a file in,
  /// everybody can.
  @Test func aRoundOfDeletionsAloneHoldsTheLock() {
    for facts in Self.cases {
      var (device, server) = (facts.device, facts.server)
      device.sync(&server)
      guard let conflict = device.asked("x") else { continue }
      let holds = conflict == .deletedThere && !facts.hasDownloads
      #expect(server.takeLock("elsewhere") == (holds ? .lockHeld : .done), "\(facts)")
    }
  }

  /// Nobody overtakes: the answer ends the conflict, the server has the file as it was answered, and the lock
  /// is free.
  @Test func theAnswerIsWhatTheServerHasAtTheEnd() {
    for facts in Self.cases where facts.entry.version == 4 && !facts.entry.isDeleted {
      guard let end = end(of: facts) else { continue }
      let (device, server) = end
      #expect(server.lock == nil && device.queues.isEmpty && device.failure == nil, "\(facts)")
      let upload = facts.pending.last(where: \.isUpload)
      let isDeletion = facts.pending.last == .deletion("x")
      let (isDeleted, text): (Bool, String?) =
        switch (facts.answer, isDeletion) {
        case (.keep, true), (.keepDeletion, true): (true, nil)
        case (.keep, false), (.keepEdit, false): (false, upload?.text)
        // The gap: of an upload before a deletion the framework forgets the upload, and sends it.
        case (.accept, true), (.keepEdit, true): (false, upload?.text ?? "theirs")
        case (.merge, _): (false, "both")
        case (.accept, false), (.acceptAll, _), (.keepDeletion, false): (false, "theirs")
        }
      #expect(server.index["x"]?.isDeleted == isDeleted, "\(facts)")
      #expect(server.cloud.last { $0.name == "x" && !$0.isTrashed }?.text == text, "\(facts)")
      #expect(device.files["x"]?.version == server.index["x"]?.version, "\(facts)")
    }
  }

  /// Nothing is ever lost in silence but in the two gaps: an upload stays in its queue, is sent, is asked
  /// about, or stops the framework.
  @Test func anUploadAgainstADeletionIsAskedAboutOrStops() {
    for facts in Self.cases where facts.entry.isDeleted && facts.entry.version == 3 {
      guard facts.pending.contains(where: \.isUpload) else { continue }
      var (device, server) = (facts.device, facts.server)
      device.sync(&server)
      let isStuck = device.failure == .deletedWithoutUndeletion("x")
      #expect((device.asked("x") == .deletedThere) != isStuck, "\(facts)")
      #expect(isStuck == facts.pending.contains(.deletion("x")), "\(facts)")
      #expect(device.hasUpload("x"))
    }
  }

  /// Keeping an upload against a deletion undeletes: with one more than the version that was deleted, and
  /// only the first of several uploads says so. Accepting leaves the file deleted, with the version it had.
  @Test func keepingAgainstADeletionUndeletes() {
    for facts in Self.cases where facts.entry.isDeleted && facts.entry.version == 3 {
      guard [.keep, .accept].contains(facts.answer), let (device, server) = end(of: facts) else { continue }
      let isKept = facts.answer == .keep
      let count = facts.pending.count
      let sent = (0..<count).map {
        FileDevice.Request.upload("x", version: 4 + $0, undeletes: $0 == 0)
      }
      #expect(device.requests.filter { $0.file == "x" } == (isKept ? sent : []), "\(facts)")
      #expect(server.index["x"]?.isDeleted == !isKept && device.files["x"]?.isDeletedOnServer == !isKept)
      #expect(server.index["x"]?.version == (isKept ? 3 + count : 3), "\(facts)")
    }
  }

  private func end(of facts: Case) -> (FileDevice, FileServer)? {
    var (device, server) = (facts.device, facts.server)
    device.sync(&server)
    guard device.asked("x") != nil else { return nil }
    _ = device.decide("x", facts.answer, draft: "both")
    device.sync(&server)
    return (device, server)
  }

  @Test func aFileThatCountsAsDeletedCannotBeSavedOrMerged() {
    var (device, server) = (FileDevice("here", files: ["x": .init(version: 3)]), FileServer())
    server = FileServer(
      index: ["x": FileServer.Entry(name: "x", version: 3, isDeleted: true)],
      cloud: [FileServer.CloudFile(name: "x", isTrashed: true, text: "theirs")])
    #expect(device.save("x", "mine") == .edited("x"))
    device.sync(&server)
    #expect(device.asked("x") == .deletedThere)
    #expect(device.save("x", "mine again") == .alreadyDeleted)
    #expect(device.delete("x") == .alreadyDeleted)
    #expect(device.decide("x", .merge) == .alreadyDeleted)
    #expect(device.asked("x") == .deletedThere)
  }

  @Test func whoIsNotAskedDecidesNothing() {
    var device = FileDevice("here", files: ["x": .init(version: 3)])
    let before = device
    #expect(device.decide("x", .accept) == .nothingAsked)
    #expect(device == before)
  }

  /// A stale deletion that gets past the client's check takes the text away, says so, and keeps the lock.
  @Test func aStaleDeletionTakesTheTextAndFails() {
    var server = FileServer(
      index: ["x": FileServer.Entry(name: "x", version: 4)],
      cloud: [FileServer.CloudFile(name: "x", text: "theirs")])
    #expect(server.takeLock("here") == .done)
    #expect(server.delete("x", version: 3, from: "here") == .done)
    #expect(server.transferOut("here") == FileServer.Operation(status: .failedDuringTransfer, count: 1))
    #expect(server.index["x"]?.isDeleted == false && server.cloud.allSatisfy { $0.isTrashed })
    #expect(server.takeLock("elsewhere") == .lockHeld)
    #expect(server.cleanUp("here") == .done && server.lock == nil)
    #expect(server.cloud.allSatisfy { $0.isTrashed })
  }

  /// The framework compares once more under the lock; without that the deletion above would go through.
  @Test func theDeviceStopsBeforeAStaleDeletion() {
    var device = FileDevice(
      "here", files: ["x": .init(version: 5)], queues: [FileDevice.Queue(0, [.deletion("x")])])
    var server = FileServer(
      index: ["x": FileServer.Entry(name: "x", version: 4)],
      cloud: [FileServer.CloudFile(name: "x", text: "theirs")])
    #expect(device.sync(&server) == [.stopped(.anotherVersion("x"))])
    #expect(server.cloud.allSatisfy { !$0.isTrashed })
  }

  @Test func whatIsDownloadedIsWhatWasFetchedBefore() {
    var server = FileServer(
      index: ["x": FileServer.Entry(name: "x", version: 4)],
      cloud: [FileServer.CloudFile(name: "x", text: "theirs")])
    _ = server.takeLock("here")
    #expect(server.transferIn(["x"], for: "here")?.status == .done)
    #expect(server.lock == nil)
    _ = server.takeLock("elsewhere")
    _ = server.upload("x", version: 5, text: "newer", from: "elsewhere")
    #expect(server.transferOut("elsewhere")?.status == .done)
    #expect(server.download("x", to: "here") == "theirs")
    #expect(server.removeDownload("x", of: "here") == .done && server.download("x", to: "here") == nil)
  }
}

extension FileDevice.Operation {
  fileprivate var text: String? { if case .upload(_, let text, _) = self { text } else { nil } }
}
