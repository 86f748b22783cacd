import Merging
import Testing

@testable import SMSyncStores
@testable import Samples
@testable import StoreInterface

/// An upload and a deletion wait, and the server has deleted the file, too, as its index alone tells: the framework asks nobody, and an
/// upload survives that stops it.
@Suite("Upload, then deletion, of a deleted file") struct UploadOfDeletedTests {
  private let container: TestContainer
  private let id = ContainerDemoStore.uuid(1)

  init() throws {
    var file = SampleFile(ContainerDemoStore.uuid(1), "letter.txt", version: 6)
    file.uploads = [.file("Dear Ann\n"), .deletion(.committed(1))]
    file.onServer = (6, true)
    container = try TestContainer([file])
  }

  @Test func isListedWithTheIndexAndToldAtOnce() throws {
    #expect(try summaries(of: container.open()).isEmpty)
    let conflict = try container.open(isIndexed: true).conflict(id)
    #expect(conflict.subjects == [.record] && conflict.wholeSuggestion == nil)
    #expect(
      conflict.alternatives.map(\.words) == [
        "keep the client's text, which undeletes the file as version 7, and drop the deletion here",
        "accept the deletion, and drop the upload",
      ])
    #expect(conflict.details.notes.contains { $0.contains("stops every later sync") })
    #expect(conflict.details.ownValue == nil)
    let remedy = try findings(of: container.open(isIndexed: true)).first?.remedy
    #expect(remedy?.hasPrefix("The list has it, to be decided. Before the next sync") == true)
  }

  @Test(arguments: [
    ("client", "undelete the client's text", 1), ("server", "accept the deletion", 0),
  ])
  func isDecidedForTheOutbox(answer: String, words: String, sent: Int) throws {
    let store = try container.open(isIndexed: true)
    let conflict = try store.conflict(id)
    let choice = conflict.choice(ofAlternative: answer)
    let draft = try #require(conflict.draft(Resolution(choices: [.record: choice])))
    #expect(
      try store.write([PlannedWrite(seen: conflict, draft: draft)], note: nil).map(\.outcome) == [.fine])
    let entry = try #require(try OutboxFile(path: store.outboxPath)[id])
    #expect(entry.decision == words && entry.isDeleted && entry.version == 6)
    #expect(entry.requests == sent)
    #expect(entry.json.contains("no answer there does this, as nothing is asked"))
    #expect(entry.json.contains(#""UndeleteFile":true"#) == (answer == "client"))
    #expect(
      try findings(of: store).first?.remedy.hasPrefix("It is decided, and waits in the outbox.") == true)
  }

  /// The text that is uploaded is the same, and so is what the server has: in no version stands that the app has deleted the file since.
  @Test func whatWasDecidedBeforeTheAppDeletedItIsDecidedAnew() throws {
    var file = SampleFile(ContainerDemoStore.uuid(1), "letter.txt", version: 6)
    (file.uploads, file.onServer) = ([.file("Dear Ann\n")], (6, true))
    let before = try TestContainer([file]).open(isIndexed: true).conflict(id)
    let now = try container.open(isIndexed: true).conflict(id)
    #expect(before.versions.client == now.versions.client && before.versions.server == now.versions.server)
    let decisions = before.decisions(
      about: [.record], in: Resolution(choices: [.record: .take(.client)]), at: 1)
    #expect(DecidedConflict(before, decisions: decisions).isDecided)
    let decided = DecidedConflict(now, decisions: decisions)
    #expect(!decided.isDecided && decided.isMoved && decided.outdated.count == 1)
    #expect(before.moved(to: now) == "the app has deleted the file since")
    #expect(now.moved(to: before) == "the app's deletion of the file is gone")
  }

  /// No row of the app's tells of it: what a copy could write, its framework would not notice.
  @Test func inACopyItIsRefusedWithItsCause() throws {
    try ContainerCopy.make(of: container.path, in: container.copy)
    let why = try container.openCopy(isIndexed: true).conflict(id).details.notWritable
    #expect(
      why == "the app has not met the server's deletion, of which the index alone tells; it has to sync first"
    )
  }
}
