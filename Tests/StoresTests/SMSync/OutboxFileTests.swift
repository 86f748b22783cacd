import ExactJSON
import Foundation
import GRDB
import Merging
import SQLiteFiles
import Synchronization
import Testing

@testable import Journals
@testable import SMSyncStores
@testable import Samples
@testable import StoreInterface

/// What is written beside a container, of which itself nothing changes.
@Suite("Outbox of a container") struct OutboxFileTests {
  private let container: TestContainer
  private let store: SMSyncStore

  init() throws {
    container = try TestContainer()
    store = try container.open()
  }

  private func id(_ number: Int) -> String { ContainerDemoStore.uuid(number) }

  private func planned(_ number: Int, _ choices: [Subject: Choice] = [:]) throws -> PlannedWrite {
    let kept: [Subject: Choice] = [.field("content"): .take(.client)]
    let accepted: [Subject: Choice] = [.record: .take(.server)]
    return try #require(
      try plan(id(number), in: store, choices) ?? plan(id(number), in: store, kept)
        ?? plan(id(number), in: store, accepted))
  }

  private func outbox() throws -> OutboxFile { try OutboxFile(path: store.outboxPath) }

  @Test func nothingOfTheContainerChanges() throws {
    let before = try container.contents()
    let writes = try (1...10).map { try planned($0) }
    #expect(try store.check(writes).allSatisfy { $0.outcome == .fine })
    #expect(try outbox().entries.isEmpty)
    #expect(try store.write(writes, note: "for Blob").allSatisfy { $0.outcome == .fine })
    #expect(try outbox().entries.map(\.uuid) == (1...10).map(id))
    let waiting = try summaries(of: store)
    #expect(waiting.count == 10 && waiting.allSatisfy { $0.waitingSince == StoreBench.time })
    #expect(try store.check(writes).allSatisfy { $0.outcome == .moved("it waits in the outbox") })
    let told = try store.conflict(id(3))
    #expect(told.refusal(of: .take(.server), for: .record) == .inOutbox)
    #expect(told.details.notes[0].hasPrefix("It is decided (undelete the client's text), with 1 request"))
    #expect(try container.contents() == before)
    #expect(
      try JSONValue(parsing: [UInt8](Data(contentsOf: URL(filePath: store.outboxPath)))).text.contains(
        "for Blob"))
  }

  @Test func anUndoTakesItOutAgainAndTheFileGoesWithItsLastEntry() throws {
    let before = try summaries(of: store)
    _ = try store.write([planned(1), planned(3)], note: nil)
    _ = try store.write([planned(2)], note: nil)
    #expect(
      try store.lastWrite()?.records.map(\.changes.fields) == [
        [LastWrite.FieldChange(name: "outbox", before: nil, after: .text("accept version 7"))]
      ])
    #expect(try store.undoLastWrite().map(\.outcome) == [.fine])
    #expect(try outbox().entries.map(\.uuid) == [id(1), id(3)])
    #expect(try store.undo(.record(id(1))).map(\.outcome) == [.fine])
    #expect(try store.undoLastWrite().map(\.id) == [id(3)])
    #expect(!FileManager.default.fileExists(atPath: store.outboxPath))
    #expect(try summaries(of: store) == before)
  }

  /// Somebody has sent it, say, and noted so.
  @Test func whatSomebodyElseHasChangedInItIsLeftAlone() throws {
    _ = try store.write([planned(1)], note: nil)
    let text = try String(contentsOfFile: store.outboxPath, encoding: .utf8)
    try Data(text.replacing("upload the draft", with: "sent").utf8).write(to: URL(filePath: store.outboxPath))
    #expect(try store.undoLastWrite().map(\.outcome) == [.moved("it went on since it was written")])
    #expect(try outbox().entries.map(\.decision) == ["sent"])
  }

  @Test(arguments: [
    "", "{}", "[1]", #"{"outbox":"SMSyncServer","files":[]}"#,
    #"{"outbox":"SMSyncServer","version":1,"files":[{}]}"#,
  ])
  func oneThatIsDamagedIsNamedAndNotWrittenOver(text: String) throws {
    try Data(text.utf8).write(to: URL(filePath: store.outboxPath))
    let write = PlannedWrite(
      seen: try TestContainer().open().conflict(id(2)), draft: Draft(id: id(2), action: .delete))
    for act in [{ _ = try store.write([write], note: nil) }, { _ = try summaries(of: store) }] {
      let error = #expect(throws: StoreError.self, performing: act)
      guard case .outboxUnusable(store.outboxPath, _)? = error else {
        Issue.record("\(String(describing: error))")
        continue
      }
    }
    #expect(try String(contentsOfFile: store.outboxPath, encoding: .utf8) == text)
  }

  @Test(arguments: [#","files":[]"#, ""])
  func oneOfANewerParleyIsRefusedAndStaysAsItIs(files: String) throws {
    let text = #"{"outbox":"SMSyncServer","version":2,"unknownHere":true\#(files)}"#
    try Data(text.utf8).write(to: URL(filePath: store.outboxPath))
    let write = PlannedWrite(
      seen: try TestContainer().open().conflict(id(2)), draft: Draft(id: id(2), action: .delete))
    for act in [{ _ = try store.write([write], note: nil) }, { _ = try summaries(of: store) }] {
      #expect(throws: StoreError.outboxTooNew(path: store.outboxPath, version: 2), performing: act)
    }
    #expect(try String(contentsOfFile: store.outboxPath, encoding: .utf8) == text)
  }

  @Test func afterACrashTheFileTellsWhatWasWritten() throws {
    _ = try store.write([planned(1)], note: nil)
    try forgetReceipts()
    #expect(try store.interruptedWrites().flatMap(\.records).map(\.state) == [.complete])
    #expect(try store.finishInterruptedWrites().flatMap(\.records).map(\.outcome) == [.completed])
    #expect(try store.undoLastWrite().map(\.outcome) == [.fine])
    _ = try store.write([planned(1)], note: nil)
    try forgetReceipts()
    #expect(unlink(store.outboxPath) == 0)
    #expect(try store.finishInterruptedWrites().flatMap(\.records).map(\.outcome).contains(.rolledBack))
  }

  /// A kill between the two leaves it: whole, but for what was not yet on the disk, and with decisions that nobody reads there.
  @Test func whatDidNotTakeItsPlaceGoesOnceTheWriteIsFinished() throws {
    _ = try store.write([planned(1)], note: nil)
    try forgetReceipts()
    let unfinished = store.outboxPath + DurableFile.suffix
    try FileManager.default.moveItem(atPath: store.outboxPath, toPath: unfinished)
    #expect(try summaries(of: store).allSatisfy { $0.waitingSince == nil })
    #expect(FileStatus(path: unfinished) != nil, "who only reads takes nothing away")
    #expect(try store.finishInterruptedWrites().flatMap(\.records).map(\.outcome).contains(.rolledBack))
    #expect(FileStatus(path: unfinished) == nil)
  }

  /// Another Parley that has its intent in the journal, and nothing in the outbox yet, is not told that it was taken back.
  @Test func whatAnotherIsJustWritingIsNotTakenBack() throws {
    _ = try store.write([planned(1)], note: nil)
    try forgetReceipts()
    #expect(unlink(store.outboxPath) == 0)
    try whileHeld {
      #expect(throws: WriterLock.heldError(store.files.database)) { try store.finishInterruptedWrites() }
    }
    #expect(try store.finishInterruptedWrites().flatMap(\.records).map(\.outcome).contains(.rolledBack))
  }

  /// To finish it may take as long as another Parley holds the store; what is written then was seen before.
  @Test func whatIsTakenBackWhileAnInterruptedWriteIsFinishedIsNotWritten() throws {
    _ = try store.write([planned(1)], note: nil)
    try forgetReceipts()
    let (write, id) = (try planned(2), id(2))
    let other = try container.open().log
    let decided = Mutex<[Decision]>([])
    let slow = try container.open(meanwhile: {
      let decisions = decided.withLock { decisions in
        defer { decisions = [] }
        return decisions
      }
      try? other.append(decisions)
    })
    let choice = Choice.take(.server)
    let decision = Decision(id: id, subject: .record, choice: choice, fingerprint: "00ff", decidedAt: 1)
    decided.withLock { $0 = [decision] }
    #expect(throws: StoreError.decidedMeanwhile(path: store.files.database, record: id)) {
      try slow.write([write], note: nil)
    }
    #expect(try outbox().entries.map(\.uuid) == [self.id(1)])
  }

  /// By another Parley, for which nobody waits here.
  private func whileHeld(_ body: () throws -> Void) throws {
    try WriterLock(beside: store.log.path).holding(for: "") {
      try LockProbe.$patience.withValue(.zero, operation: body)
    }
  }

  /// A check changes no outbox, so that it needs none for itself, and keeps nobody from it.
  @Test func whileAnotherWritesAllIsCheckedAndNothingWritten() throws {
    let held = WriterLock.heldError(store.files.database)
    let write = try planned(1)
    try whileHeld { () throws in
      #expect(try store.check([write]).map(\.outcome) == [.fine])
      #expect(throws: held) { try store.write([write], note: nil) }
    }
    #expect(try outbox().entries.isEmpty)
    _ = try store.write([write], note: nil)
    try whileHeld { () throws in
      #expect(try store.checkUndo(.lastWrite).map(\.checked.outcome) == [.fine])
      #expect(throws: held) { try store.undoLastWrite() }
    }
    #expect(try outbox().entries.count == 1)
  }

  private func forgetReceipts() throws {
    let queue = try DatabaseQueue(path: store.log.path)
    try queue.write {
      try $0.execute(sql: "DELETE FROM receipts WHERE intent = (SELECT max(id) FROM intents)")
    }
    try queue.close()
  }

  /// Whichever part of it somebody names: the journal lies beside the whole.
  @Test func everyWayInMeansOneContainer() throws {
    let data = container.path + "/AppData"
    for path in [data, data + "/", data + "/Documents", container.database, container.path + "/AppData/."] {
      let other = try SMSyncStore.open(path: path)
      #expect(other.log.path == store.log.path && other.outboxPath == store.outboxPath, "\(path)")
    }
    #expect(
      try SMSyncStore.open(path: container.folder.path).outboxPath == store.outboxPath, "the only one in it")
    #expect(store.log.path == container.folder.path("Notes.parley.sqlite"))
    #expect(store.outboxPath == container.folder.path("Notes.parley-outbox.json"))
  }

  @Test func ofSeveralContainersOneIsToBeNamed() throws {
    let other = container.folder.path("Other.xcappdata")
    try FileManager.default.copyItem(atPath: container.path, toPath: other)
    let error = #expect(throws: StoreError.self) { try SMSyncStore.open(path: container.folder.path) }
    #expect(error == .severalStores(path: container.folder.path, names: [container.path, other]))
  }

  @Test func textsAreMergedByWordsAndJSONByItsKeys() throws {
    #expect(try planned(1).draft["content"] == .text("Milk 2%\nRye bread\nEggs, ten\n"))
    #expect(try planned(7).draft["content"] == .text(#"{"font":"Serif","size":14,"wrap":true}"#))
    let bare = try SMSyncStore.open(path: container.path)
    #expect(try bare.conflict(id(1))["content"]?.suggestion.certainty == .yours)
    #expect(try bare.conflict(id(8)).certainty == .sure, "both have the same text")
  }
}

/// What once was written, or told, untruly.
extension OutboxFileTests {
  /// A container that was fetched again, say, with a newer edit in it.
  @Test func whatWaitsHereNowAndDidNotThenOpensItAgain() throws {
    _ = try store.write([planned(1)], note: nil)
    #expect(try store.conflict(id(1)).details.waitingSince != nil)
    let folder = container.documents + "/Temporary/"
    for name in try FileManager.default.contentsOfDirectory(atPath: folder) {
      try Data("Rice\n".utf8).write(to: URL(filePath: folder + name))
    }
    #expect(try store.conflict(id(1)).details.waitingSince == nil)
    let old = try #require(try findings(of: store).first { $0.what == "the outbox is old" })
    #expect(old.evidence.contains("what waits here now is not what it was about"), "\(old.evidence)")
    #expect(old.cause.hasPrefix("The file was edited or deleted here after it was decided"))
  }

  /// What overtook an entry is told as what it was.
  @Test(arguments: [
    (5, false, "the server has version 5"), (4, true, "the server has deleted its version 4"),
  ])
  func whatTheServerDidSinceIsToldAsThat(version: Int, isDeleted: Bool, words: String) throws {
    _ = try store.write([planned(1)], note: nil)
    let index = #"[{"fileId":"\#(id(1))","fileVersion":\#(version),"deleted":\#(isDeleted)}]"#
    try Data(index.utf8).write(to: URL(filePath: container.folder.path("FileIndex.json")))
    let found = try findings(of: container.open(isIndexed: true))
    let old = try #require(found.first { $0.what == "the outbox is old" })
    #expect(old.evidence.contains(words) && old.cause.hasPrefix("The server went on"), "\(old.evidence)")
  }

  @Test func anUploadAndADeletionThatAreDecidedAreNotToBeDecided() throws {
    func remedy() throws -> String? {
      try findings(of: store).first { $0.what == "upload, then deletion" }?.remedy
    }
    #expect(try remedy()?.hasPrefix("The list has it") == true)
    let conflict = try store.conflict(id(4))
    let draft = try #require(conflict.draft(Resolution(choices: [.record: .alternative("upload")])))
    _ = try store.write([PlannedWrite(seen: conflict, draft: draft)], note: nil)
    #expect(try remedy()?.hasPrefix("It is decided, and waits in the outbox") == true)
  }

  /// The store has no trace of that. To read another file is none.
  @Test func aTextThatIsRewrittenIsHeardOf() throws {
    let store = try container.open(isIndexed: true)
    let conflicts = try summaries(of: store).map(\.id)
    _ = try store.conflict(conflicts[0])
    let before = store.traces()
    for id in conflicts { _ = try store.conflict(id) }
    #expect(store.traces() == before)
    let place = try #require(store.files.read.paths.first)
    try Data("rewritten".utf8).write(to: URL(filePath: place))
    let after = store.traces()
    #expect(after != before && store.traces() == after)
    try FileManager.default.removeItem(atPath: place)
    #expect(store.traces() != after)
  }

  /// The upload of a file that was deleted here after it is on neither side.
  @Test func aDecisionAboutBothIsAboutTheUploadsTextToo() throws {
    let seen = try store.conflict(id(4)).fingerprint(of: .record)
    let folder = container.documents + "/Temporary/"
    for name in try FileManager.default.contentsOfDirectory(atPath: folder) {
      try Data("Dear Ann\n".utf8).write(to: URL(filePath: folder + name))
    }
    let now = try store.conflict(id(4)).fingerprint(of: .record)
    #expect(now.subject != seen.subject)
  }

  @Test(arguments: [Int64.max, -5, Int64(Int32.max)])
  func aVersionThatNobodyCountsIsShownAndNeverWritten(version: Int64) throws {
    try container.run("UPDATE ZSMDOWNLOADOPERATION SET ZSERVERVERSION = ?", [.integer(version)])
    let reason =
      version == 2_147_483_647
      ? "its version 2147483647 is the last that the framework can count, so none can come after it"
      : "its version \(version) is damage: the framework counts from 0 to 2147483647"
    let conflict = try store.conflict(id(2))
    #expect(conflict.alternatives.allSatisfy { !$0.words.contains("\(version &+ 1)") })
    let (client, both) = (try store.conflict(id(1)).alternative("client"), try store.conflict(id(4)))
    #expect(client?.words == "keep the client's text, as its next version")
    #expect(
      both.alternative("sendBoth")?.words == "send both: the upload as its next version, then its deletion")
    #expect(try #require(conflict.details.file).serverVersion == (version < 0 ? 0 : 2_147_483_647))
    #expect(try store.conflict(id(1)).details.notWritable == reason)
    #expect(
      try store.write([planned(1)], note: nil).map(\.outcome) == [.refused(field: nil, reason)])
    #expect(throws: StoreError.self) {
      let file =
        #"{"fileId":"a","fileVersion":\#(version == 2_147_483_647 ? 2_147_483_648 : version),"deleted":false}"#
      _ = try ServerIndex(path: "index", bytes: Array(file.utf8))
    }
  }

  @Test func aRoundThatIsAcknowledgedByHalfIsToldSo() throws {
    let isTold = { try store.conflict(id(3)).details.notes.contains { $0.contains("acknowledged by half") } }
    #expect(try !isTold())
    try container.run("UPDATE ZSMLOCALFILE SET ZINTERNALDELETEDONSERVER = 1")
    #expect(try isTold())
  }

  @Test(arguments: ["ZMIMETYPE = NULL", "ZREMOTEFILENAME = NULL", "ZINTERNALAPPMETADATA = x'7b'"])
  func whatIsSentIsWholeOrRefused(damage: String) throws {
    try container.run("UPDATE ZSMLOCALFILE SET \(damage)")
    let outcome = try #require(try store.write([planned(1)], note: nil).first).outcome
    guard case .refused = outcome else {
      Issue.record("\(outcome)")
      return
    }
  }
}
