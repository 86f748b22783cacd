import Foundation
import Merging
import Testing

@testable import Journals
@testable import SMSyncStores
@testable import Samples
@testable import StoreInterface

/// The server's own index, which somebody gives beside a container.
@Suite("Index of a server") struct ServerIndexTests {
  private let container: TestContainer
  private let store: SMSyncStore

  init() throws {
    container = try TestContainer()
    store = try container.open()
  }

  private func id(_ number: Int) -> String { ContainerDemoStore.uuid(number) }

  /// A download that failed leaves such a file, and so does an export of nothing.
  @Test(arguments: ["", " \n"]) func anIndexThatIsEmptyIsNone(text: String) {
    #expect(throws: StoreError.indexUnusable(path: "index", detail: "it is empty")) {
      try ServerIndex(path: "index", bytes: Array(text.utf8))
    }
    #expect(throws: Never.self) { try ServerIndex(path: "index", bytes: Array("[]".utf8)) }
  }

  /// A deletion raises no version. So an index that was made before it looks like one that was made after an undeletion was downloaded.
  @Test(arguments: [
    (Int64(3), false, []), (4, true, []), (4, false, ["perhaps undeleted elsewhere"]),
    (5, false, ["undeleted elsewhere"]),
  ])
  func anIndexFromBeforeTheDeletionProvesNoUndeletion(
    version: Int64, isDeleted: Bool, found: [String]
  ) throws {
    var file = SampleFile(id(1), "a.txt", version: 4)
    (file.isDeletedOnServer, file.onServer) = (true, (version, isDeleted))
    let container = try TestContainer([file])
    #expect(try findings(of: container.open(isIndexed: true)).map(\.what) == found)
    try ContainerCopy.make(of: container.path, in: container.copy)
    let inCopy = try findings(of: container.openCopy(isIndexed: true))
    #expect(inCopy.map(\.takesSide) == (found.isEmpty ? [] : [version == 4]))
  }

  /// The desk looks at the traces, and reads what is there now.
  @Test func anIndexThatIsReplacedIsReadAgain() throws {
    let store = try container.open(isIndexed: true)
    let before = store.traces()
    #expect(try store.conflict(id(26)).details.serverTag == "version 3")
    let index = #"[{"fileId":"\#(id(26))","fileVersion":12,"deleted":false}]"#
    try Data(index.utf8).write(to: URL(filePath: container.folder.path("FileIndex.json")))
    #expect(store.traces() != before)
    #expect(try store.conflict(id(26)).details.serverTag == "version 12")
    try Data("[".utf8).write(to: URL(filePath: container.folder.path("FileIndex.json")))
    #expect(throws: StoreError.self) { try store.conflict(id(26)) }
  }

  /// Another account's, or one in which nothing is spelled as here.
  @Test(arguments: [false, true]) func anIndexThatLacksAFileIsTold(isEmpty: Bool) throws {
    let path = container.folder.path("FileIndex.json")
    let text = try String(contentsOfFile: path, encoding: .utf8)
    let other =
      isEmpty
      ? #"{"ServerResult":0,"ServerFileIndex":[]}"#
      : text.replacing("5EED0000-0000-4000-8000", with: "5eed0000-0000-4000-8000")
    try Data(other.utf8).write(to: URL(filePath: path))
    let store = try container.open(isIndexed: true)
    let listed = try summaries(of: store)
    #expect(listed.count == 10)
    #expect(listed.allSatisfy { $0.notWritable?.contains("does not have this file") == true })
    let write = try #require(try plan(id(1), in: store))
    guard case .refused(nil, let words) = try store.write([write], note: nil)[0].outcome else {
      Issue.record("it was written")
      return
    }
    #expect(words.contains("does not have this file"))
    #expect(try OutboxFile(path: store.outboxPath).entries.isEmpty)
    #expect(try findings(of: store).contains { $0.what == "the index lacks files" })
  }

  @Test func ofOneFileIsToldAsOfOne() throws {
    let container = try TestContainer([SampleFile(id(1), "a.txt", version: 4)])
    try Data("[]".utf8).write(to: URL(filePath: container.folder.path("FileIndex.json")))
    let told = try findings(of: container.open(isIndexed: true)).map(\.evidence)
    #expect(told == ["The one file that was in sync is not in the index that was given."])
    try container.run("UPDATE ZSMLOCALFILE SET ZUUID = NULL")
    let nameless = try findings(of: container.open()).map(\.evidence)
    #expect(nameless.contains("1 row has no UUID."), "\(nameless)")
  }

  /// What an index says that agrees is no news; one that disagrees opens it again.
  @Test func aDecisionHoldsAsLongAsTheIndexAgrees() throws {
    for number in 1...10 {
      let conflict = try store.conflict(id(number))
      let taken = conflict.taking(.client, in: Resolution())
      let subjects = Array(taken.choices.keys)
      try store.log.append(conflict.decisions(about: subjects, in: taken, at: 1))
    }
    let ready = { (store: SMSyncStore) in
      try summaries(of: store).filter { $0.isReady && $0.outdated == 0 && !$0.isMoved }.map(\.id)
    }
    let before = try ready(store)
    #expect(before.count >= 8)
    let indexed = try container.open(isIndexed: true)
    #expect(try ready(indexed).filter(before.contains) == before)
    let path = container.folder.path("FileIndex.json")
    let text = try String(contentsOfFile: path, encoding: .utf8)
    let place = try #require(text.range(of: id(1)))
    let version = try #require(text[place.upperBound...].firstRange(of: #""fileVersion":4"#))
    try Data(text.replacingCharacters(in: version, with: #""fileVersion":5"#).utf8).write(
      to: URL(filePath: path))
    let version5 = try container.open(isIndexed: true).conflict(id(1)).versions.server.fields?["version"]
    #expect(version5?.value == .text("version 4, and version 5 by now"))
    #expect(try ready(store).contains(id(1)))
  }

  @Test func anAnswerWithoutAnIndexIsNone() {
    #expect(throws: StoreError.self) {
      _ = try ServerIndex(path: "index", bytes: Array(#"{"ServerResult":53,"ServerFileIndex":[]}"#.utf8))
    }
  }

  @Test func anIndexThatIsOlderThanTheRoundIsToldSo() throws {
    let index = #"[{"fileId":"\#(id(1))","fileVersion":0,"deleted":false}]"#
    try Data(index.utf8).write(to: URL(filePath: container.folder.path("FileIndex.json")))
    let details = try container.open(isIndexed: true).conflict(id(1)).details
    #expect(details.notWritable == nil)
    #expect(details.notes.contains { $0.contains("older than what the app has met") })
  }
}
