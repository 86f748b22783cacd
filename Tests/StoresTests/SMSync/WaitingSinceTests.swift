import Merging
import Testing

@testable import SMSyncStores
@testable import Samples
@testable import StoreInterface

/// What the app queues after a file was decided, of which client and server are what they were.
@Suite("What waits since a file was decided") struct WaitingSinceTests {
  private static let id = ContainerDemoStore.uuid(1)

  private static let decisions: [(Subject, Choice)] = [
    (.field("content"), .take(.client)), (.field("content"), .take(.server)),
    (.field("content"), .edit(.text("both\n"))), (.record, .alternative("server")),
  ]

  private func container(_ uploads: [SampleUpload]) throws -> TestContainer {
    var file = SampleFile(Self.id, "note.txt", version: 4)
    (file.uploads, file.download) = (uploads, .file(4, Array("there\n".utf8)))
    return try TestContainer([file])
  }

  /// The last upload is the client's version, and the text between was there for nobody.
  @Test func uploadsBeforeTheLastAreSeen() throws {
    let more: [SampleUpload] = [.file("precious\n", .committed(1)), .file("here\n", .committed(2))]
    let before = try container([.file("here\n")]).open().conflict(Self.id)
    let now = try container([.file("here\n")] + more).open().conflict(Self.id)
    #expect(before.versions == now.versions)
    for (subject, choice) in Self.decisions {
      let decisions = before.decisions(about: [subject], in: Resolution(choices: [subject: choice]), at: 1)
      #expect(DecidedConflict(before, decisions: decisions).isDecided, "\(choice)")
      let decided = DecidedConflict(now, decisions: decisions)
      #expect(!decided.isDecided && decided.isMoved && decided.outdated.count == 1, "\(choice)")
    }
    #expect(before.moved(to: now) == "other uploads wait before the last one")
    #expect(now.moved(to: before) == "other uploads wait before the last one")
  }
}
