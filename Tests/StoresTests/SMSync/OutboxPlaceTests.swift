import Foundation
import Merging
import Testing

@testable import Journals
@testable import SMSyncStores
@testable import Samples
@testable import StoreInterface

/// There is one outbox of a container, or none: of two somebody may send both.
@Suite("Place of an outbox") struct OutboxPlaceTests {
  private let container: TestContainer
  private let files: ContainerFiles
  private let path: String

  init() throws {
    container = try TestContainer()
    files = try ContainerFiles(path: container.path)
    let store = try container.open()
    path = store.outboxPath
    let id = ContainerDemoStore.uuid(2)
    _ = try store.write(
      [PlannedWrite(seen: try store.conflict(id), draft: Draft(id: id, action: .delete))], note: nil)
  }

  private func place(_ journal: String) -> OutboxPlace {
    OutboxPlace(of: files, beside: container.folder.path(journal))
  }

  @Test func liesBesideTheJournal() throws {
    let place = place("Notes.parley.sqlite")
    #expect(place.path == path && place.hindrance == nil)
  }

  /// The journal beside it cannot be written, so another one is used, elsewhere.
  @Test func besideAnotherJournalItIsReadAndNoneIsWritten() throws {
    let place = place("elsewhere/Notes-1.parley.sqlite")
    #expect(
      place.hindrance == """
        an outbox of it lies at \(path), whose journal cannot be written or is another, and of two outboxes somebody may send both. \
        Make its journal and its folder writable, or move that outbox away once nobody is to send it
        """)
    #expect(place.path == path)
    try FileManager.default.removeItem(atPath: path)
    let free = self.place("elsewhere/Notes-1.parley.sqlite")
    #expect(free.path == container.folder.path("elsewhere/Notes-1.parley-outbox.json"))
    #expect(free.hindrance == nil)
  }

  @Test func oneOfAnotherContainerOfTheSameStemIsNone() throws {
    let text = try String(contentsOfFile: path, encoding: .utf8)
    try Data(text.replacing("Notes.xcappdata", with: "Notes").utf8).write(to: URL(filePath: path))
    #expect(place("Notes.xcappdata.parley.sqlite").hindrance == nil)
    try Data("{".utf8).write(to: URL(filePath: path))
    #expect(place("Notes.xcappdata.parley.sqlite").hindrance != nil, "nobody can tell whose it is")
  }

  @Test func oneOfATimeWhenTheFolderWasClosedIsFound() throws {
    let state = ["XDG_STATE_HOME": container.folder.path("state")]
    let journal = try #require(JournalPath.places(of: files.anchor, environment: state).last)
    let other = OutboxFile.path(beside: journal)
    try FileManager.default.createDirectory(
      atPath: container.folder.path("state/parley"), withIntermediateDirectories: true)
    try FileManager.default.moveItem(atPath: path, toPath: other)
    let own = container.folder.path("Notes.parley.sqlite")
    let place = OutboxPlace(of: files, beside: own, environment: state)
    #expect(place.path == other && place.hindrance?.contains("from when none could be written here") == true)
  }

  @Test(.enabled(if: geteuid() != 0, "root may write everywhere"))
  func whereTheJournalCannotBeWrittenNothingIs() throws {
    let journal = container.folder.path("Notes.parley.sqlite")
    chmod(journal, 0o400)
    let store = try container.open()
    #expect(store.log.path != journal && store.outboxPath == path)
    guard case .readOnly = store.access() else {
      Issue.record("\(store.access())")
      return
    }
    #expect(try store.conflict(ContainerDemoStore.uuid(2)).details.waitingSince != nil)
  }
}
