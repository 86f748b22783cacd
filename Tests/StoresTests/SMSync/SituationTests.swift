import Merging
import Testing

@testable import SMSyncStores
@testable import Samples
@testable import StoreInterface

/// Where each file stands in the app's round, as the walkthrough begins with it.
struct SituationTests {
  private func situation(_ number: Int, of store: SMSyncStore) throws -> FileSituation {
    try #require(try store.conflict(ContainerDemoStore.uuid(number)).details.file)
  }

  @Test func whatWaitsAndWhatCameInIsTold() throws {
    let store = try TestContainer().open()
    let asked = { (pending: FileSituation.Pending, version: Int) in
      FileSituation(
        pending: pending, ancestorVersion: nil, serverVersion: version, isDeletedThere: false, stage: .asked,
        bringsDeletionsOnly: false)
    }
    #expect(try situation(1, of: store) == asked(.upload, 4))
    #expect(try situation(2, of: store) == asked(.deletion, 7))
    #expect(try situation(4, of: store) == asked(.uploadThenDeletion, 6))
    // Files came in with this round: the deletion is told after them, and the lock is free.
    #expect(
      try situation(3, of: store)
        == FileSituation(
          pending: .upload, ancestorVersion: 2, serverVersion: 2, isDeletedThere: true, stage: .found,
          bringsDeletionsOnly: false))
  }

  /// Told, and alone in its round: the lock stays until it is answered.
  @Test func aDeletionAloneHoldsTheLock() throws {
    var file = SampleFile(ContainerDemoStore.uuid(1), "note.txt", version: 2)
    (file.uploads, file.download, file.isDeletedOnServer) = ([.file("Mine")], .deletion(), true)
    let situation = try situation(1, of: TestContainer([file]).open())
    #expect(situation.holdsLock && situation.stage == .asked && situation.question == .deletedThere)
  }

  /// The story begins with what the server has by its index: one is asked again about that.
  @Test(arguments: [(6, false), (6, true), (4, true)])
  func whatTheIndexTellsIsWhereTheStoryBegins(version: Int64, isDeleted: Bool) throws {
    var file = SampleFile(ContainerDemoStore.uuid(1), "note.txt", version: 4)
    (file.uploads, file.onServer) = ([.file("Mine")], (version, isDeleted))
    file.download = .file(4, Array("Theirs".utf8))
    let container = try TestContainer([file])
    #expect(try situation(1, of: container.open()).overtaking == nil)
    let indexed = try situation(1, of: container.open(isIndexed: true))
    #expect(indexed.overtaking == .init(version: Int(version), isDeleted: isDeleted))
    #expect(indexed.serverVersion == 4 && indexed.stage == .asked)
  }

  /// Whether its files are answered or there were none: one or the other, or nobody can tell.
  @Test(arguments: [
    ("'NoFileDownloads'", "The app holds the server's lock", "the lock is held", false),
    ("'RemoveOperationId'", "The server may have moved on since this round", nil, true),
    ("NULL", "Whether the app holds the server's lock", "the lock may be held", false),
  ]) func whatTheRoundBroughtIsToldByItsStartup(stage: String, race: String, found: String?, isHalf: Bool)
    throws
  {
    var file = SampleFile(ContainerDemoStore.uuid(1), "note.txt", version: 2)
    (file.uploads, file.download, file.isDeletedOnServer) = ([.file("Mine")], .deletion(), true)
    let container = try TestContainer([file])
    try container.run(
      "UPDATE ZSMDOWNLOADOPERATION SET ZINTERNALSTARTUPSTAGE = \(stage) WHERE ZINTERNALSTARTUPSTAGE IS NOT NULL"
    )
    let store = try container.open()
    let notes = try store.conflict(ContainerDemoStore.uuid(1)).details.notes
    #expect(notes.count { $0.contains("moved on") || $0.contains("holds the server's lock") } == 1)
    #expect(notes.contains { $0.hasPrefix(race) }, "\(notes)")
    #expect(notes.contains { $0.contains("acknowledged by half") } == isHalf)
    #expect(try findings(of: store).map(\.what).first { $0.hasPrefix("the lock") } == found)
  }
}
