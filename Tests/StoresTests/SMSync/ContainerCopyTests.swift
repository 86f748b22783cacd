import Foundation
import GRDB
import Merging
import RowJournals
import Testing

@testable import Journals
@testable import SMSyncStores
@testable import SQLiteFiles
@testable import Samples
@testable import StoreInterface

/// A copy, and what is written into its store. What becomes of each answer is in the cases.
@Suite("Copy of a container") struct ContainerCopyTests {
  private let container: TestContainer

  init() throws { container = try TestContainer() }

  private func id(_ number: Int) -> String { ContainerDemoStore.uuid(number) }

  /// As is suggested, and the upload kept where nothing is; of an upload and a deletion the server's.
  private func planned(_ number: Int, in store: SMSyncStore) throws -> PlannedWrite {
    let kept: [Subject: Choice] = [.field("content"): .take(.client)]
    let accepted: [Subject: Choice] = [.record: .take(.server)]
    return try #require(
      try plan(id(number), in: store) ?? plan(id(number), in: store, kept)
        ?? plan(id(number), in: store, accepted))
  }

  /// Two files with an upload each, and what the server has, in one queue; with a copy.
  private func copiedOfTwo(_ download: SampleDownload) throws -> TestContainer {
    let container = try TestContainer(
      (1...2).map { number in
        var file = SampleFile(id(number), "\(number).txt", version: 4)
        (file.uploads, file.download) = ([.file("here\n")], download)
        return file
      })
    try ContainerCopy.make(of: container.path, in: container.copy)
    return container
  }

  private func copied() throws -> SMSyncStore {
    try ContainerCopy.make(of: container.path, in: container.copy)
    return try container.openCopy()
  }

  @Test func theContainerIsAsItWas() throws {
    let before = try container.contents()
    let store = try copied()
    let writes = try (1...10).map { try planned($0, in: store) }
    #expect(try store.write(writes, note: nil).allSatisfy { $0.outcome == .fine })
    #expect(try container.contents() == before)
    #expect(try summaries(of: store).isEmpty)
    #expect(try findings(of: store).filter { $0.id.hasPrefix("no-file") }.map(\.record) == [id(24)])
  }

  /// Every row and every file.
  @Test func anUndoBringsBackEveryRowAndTakesTheDraftsFilesAway() throws {
    let store = try copied()
    let before = try state(of: store)
    let writes = try (1...10).map { try planned($0, in: store) }
    _ = try store.write(writes, note: nil)
    let after = try state(of: store)
    #expect(after.rows != before.rows && after.files.count == before.files.count + 3)
    #expect(try store.undoLastWrite().allSatisfy { $0.outcome == .fine })
    #expect(try state(of: store) == before)
  }

  @Test func aQueueGoesWithItsLastFileAndItsCountersStay() throws {
    let files = (1...2).map { number in
      var file = SampleFile(id(number), "\(number).txt", version: 4)
      file.uploads = [.file("here\n", .committed(number))]
      file.download = .file(4, Array("there\n".utf8))
      return file
    }
    let container = try TestContainer(files)
    try ContainerCopy.make(of: container.path, in: container.copy)
    let store = try container.openCopy()
    let counters = try rows("SELECT Z_NAME || Z_MAX FROM Z_PRIMARYKEY ORDER BY 1", in: store)
    let conflict = try store.conflict(id(1))
    let draft = try #require(conflict.draft(conflict.taking(.server, in: Resolution())))
    _ = try store.write([PlannedWrite(seen: conflict, draft: draft)], note: nil)
    #expect(
      try rows(
        "SELECT ZCOMMITTEDUPLOADS || '' FROM ZSMUPLOADQUEUE WHERE ZCOMMITTEDUPLOADS NOT NULL", in: store
      ).count == 1)
    #expect(
      try rows("SELECT 'x' FROM ZSMUPLOADOPERATION", in: store).count == 2, "the other file, and its wrapup")
    #expect(try rows("SELECT Z_NAME || Z_MAX FROM Z_PRIMARYKEY ORDER BY 1", in: store) == counters)
    #expect(try rows("SELECT Z_OPT || '' FROM ZSMDOWNLOADOPERATION ORDER BY Z_PK", in: store) == ["2", "1"])
  }

  /// Both lay in one queue, which went with the second.
  @Test func whatHasNoQueueToComeBackToIsRefused() throws {
    let container = try copiedOfTwo(.file(4, Array("there\n".utf8)))
    let store = try container.openCopy()
    let before = try state(of: store)
    for number in 1...2 {
      let conflict = try store.conflict(id(number))
      let draft = try #require(conflict.draft(conflict.taking(.server, in: Resolution())))
      _ = try store.write([PlannedWrite(seen: conflict, draft: draft)], note: nil)
    }
    let words = "its queue went with the last file in it, 2.txt (\(id(2))); take that one back first"
    #expect(try store.undo(.record(id(1))).map(\.outcome) == [.refused(field: nil, words)])
    #expect(try store.undo(.record(id(2))).map(\.outcome) == [.fine])
    #expect(try store.undo(.record(id(1))).map(\.outcome) == [.fine])
    #expect(try state(of: store) == before)
  }

  /// Of several queues that went, and several files in each, one file is to be taken back first; also where one write took all.
  @Test func theFileWithWhichAQueueWentIsNamed() throws {
    let files = (1...4).map { number in
      var file = SampleFile(id(number), "\(number).txt", version: 4)
      file.uploads = [.file("here\n", .committed(number / 3))]
      file.download = .file(4, Array("there\n".utf8))
      return file
    }
    let container = try TestContainer(files)
    try ContainerCopy.make(of: container.path, in: container.copy)
    let store = try container.openCopy()
    let before = try state(of: store)
    let writes = try (1...4).map { number in
      let conflict = try store.conflict(id(number))
      let draft = try #require(conflict.draft(conflict.taking(.server, in: Resolution())))
      return PlannedWrite(seen: conflict, draft: draft)
    }
    _ = try store.write(writes, note: nil)
    for (first, last) in [(1, 2), (3, 4)] {
      guard case .refused(_, let words)? = try store.undo(.record(id(first))).first?.outcome else {
        Issue.record("\(first) came back without its queue")
        continue
      }
      #expect(words.contains("\(last).txt (\(id(last)))"), "\(words)")
    }
    #expect(try store.undo(.records([id(1), id(2)])).map(\.outcome) == [.fine, .fine])
    #expect(try store.undo(.records([id(3), id(4)])).map(\.outcome) == [.fine, .fine])
    #expect(try state(of: store) == before)
  }

  /// The startup of the round went with the second: by it the app holds the server's lock, which nobody could tell of the first alone.
  @Test func whatHasNoStartupToComeBackToIsRefused() throws {
    let container = try copiedOfTwo(.deletion())
    let store = try container.openCopy()
    let before = try state(of: store)
    for number in 1...2 {
      let conflict = try store.conflict(id(number))
      let draft = try #require(conflict.draft(conflict.taking(.client, in: Resolution())))
      let outcomes = try store.write([PlannedWrite(seen: conflict, draft: draft)], note: nil).map(\.outcome)
      #expect(outcomes == [.fine])
    }
    let words = """
      the startup of its round went with the last download in it, 2.txt (\(id(2))); take that one back first
      """
    #expect(try store.undo(.record(id(1))).map(\.outcome) == [.refused(field: nil, words)])
    #expect(try store.undo(.records([id(1), id(2)])).map(\.outcome) == [.fine, .fine])
    #expect(try state(of: store) == before)
    #expect(try findings(of: store).map(\.what).contains("the lock is held"))
  }

  @Test(arguments: [
    ("UPDATE ZSMQUEUES SET ZBEINGUPLOADED = 2", "an upload is in flight: the app has to end its round first"),
    (
      "UPDATE ZSMDOWNLOADOPERATION SET ZINTERNALOPERATIONSTAGE = 'ServerDownload'",
      "the app has not downloaded what the server has; it has to sync first"
    ),
  ])
  func nothingIsWrittenWhileARoundIsNotEnded(sql: String, words: String) throws {
    let store = try copied()
    let conflict = try store.conflict(id(1))
    try container.run(sql)
    let now = try store.conflict(id(1))
    #expect(now.details.notWritable == words)
    let draft = Draft(id: id(1), action: .alternative(FileAlternatives.accept))
    let planned = PlannedWrite(seen: now, draft: draft)
    #expect(try store.write([planned], note: nil).map(\.outcome) == [.refused(field: nil, words)])
    #expect(conflict.details.notWritable == nil)
  }

  @Test func anOperationThatIsStoredIsOneInFlight() throws {
    let store = try copied()
    #expect(RoundState(store.files).operations.isEmpty)
    let stored = ContainerBuilder.preferences(operation: "57B3")
    let folder = try #require(store.files.preferences)
    try Data(stored).write(to: URL(filePath: folder + "/com.example.notes.plist"))
    #expect(RoundState(store.files).operations == ["SMUploadFiles.OperationId"])
    #expect(try store.conflict(id(1)).details.notWritable?.contains("SMUploadFiles.OperationId") == true)
    #expect(try findings(of: store).contains { $0.what == "a round is in flight" })
  }

  /// A round of deletions alone keeps the server's lock while the app asks; one with a file has lost it.
  @Test(arguments: [true, false]) func theLockIsHeldByDeletionsAlone(isAlone: Bool) throws {
    var (deleted, other) = (SampleFile(id(1), "a.txt", version: 2), SampleFile(id(2), "b.txt", version: 3))
    (deleted.uploads, deleted.download) = ([.file("here\n")], .deletion())
    other.download = .file(3, Array("plain\n".utf8), conflict: nil)
    let store = try TestContainer(isAlone ? [deleted] : [deleted, other]).open()
    #expect(try findings(of: store).map(\.what) == (isAlone ? ["the lock is held"] : []))
    let note = try #require(try store.conflict(id(1)).details.notes.first)
    #expect(note.contains(isAlone ? "holds the server's lock" : "may be asked again"), "\(note)")
  }

  /// It ended with the files of the round; that their rows go with an answer in the copy brings it not back.
  @Test(arguments: [true, false]) func theLockOfACopyIsThatOfItsRound(isAlone: Bool) throws {
    var (deleted, other) = (SampleFile(id(1), "a.txt", version: 2), SampleFile(id(2), "b.txt", version: 3))
    (deleted.uploads, deleted.download) = ([.file("here\n")], .deletion())
    (other.uploads, other.download) = ([.file("here\n")], .file(3, Array("there\n".utf8)))
    let container = try TestContainer(isAlone ? [deleted] : [deleted, other])
    try ContainerCopy.make(of: container.path, in: container.copy)
    let store = try container.openCopy()
    if !isAlone {
      let conflict = try store.conflict(id(2))
      let draft = try #require(conflict.draft(conflict.taking(.client, in: Resolution())))
      _ = try store.write([PlannedWrite(seen: conflict, draft: draft)], note: nil)
    }
    let second = container.folder.path("second")
    try ContainerCopy.make(of: container.copy, in: second)
    for store in [store, try SMSyncStore.open(path: second)] {
      #expect(try findings(of: store).map(\.what) == (isAlone ? ["the lock is held"] : []))
      let conflict = try store.conflict(id(1))
      #expect(conflict.details.notes.contains { $0.contains("may be asked again") } == !isAlone)
    }
  }

  /// Without an index: the round tells of the deletion, and raises no conflict about it.
  @Test(arguments: [
    ([SampleUpload.deletion()], ["deleted on both sides"]),
    ([.file("here\n"), .deletion(.committed(1))], ["upload, then deletion"]),
    ([.file("here\n", undelete: 1)], []),
  ])
  func aDeletionThatComesInAgainstOneIsFound(uploads: [SampleUpload], found: [String]) throws {
    var file = SampleFile(id(1), "a.txt", version: 2)
    (file.uploads, file.download) = (uploads, .deletion(conflict: nil))
    let store = try TestContainer([file]).open()
    #expect(try summaries(of: store).isEmpty)
    #expect(try findings(of: store).map(\.what) == found)
  }

  @Test func aFileUndeletedElsewhereIsMendedInACopyAlone() throws {
    let finding = "undeleted-elsewhere:" + id(28)
    #expect(
      try container.open(isIndexed: true).mend([finding], note: nil).map(\.outcome) == [
        .refused(field: nil, "Parley cannot mend it; see what does")
      ])
    try ContainerCopy.make(of: container.path, in: container.copy)
    let copy = try SMSyncStore.open(
      path: container.copy, access: .writing, index: container.folder.path("FileIndex.json"))
    #expect(try copy.mend([finding], note: nil).map(\.outcome) == [.fine])
    #expect(try !findings(of: copy).contains { $0.id == finding })
  }

  /// Upload and deletion waited; the app took the deletion away, and was ended.
  @Test func anAcceptedOneWithItsUploadLeftIsToldAsThat() throws {
    let deletion = "(SELECT Z_ENT FROM Z_PRIMARYKEY WHERE Z_NAME = 'SMUploadDeletion')"
    let file = "(SELECT Z_PK FROM ZSMLOCALFILE WHERE ZUUID = '\(id(4))')"
    try container.run("DELETE FROM ZSMUPLOADOPERATION WHERE ZLOCALFILE = \(file) AND Z_ENT = \(deletion)")
    let store = try container.open()
    let conflict = try store.conflict(id(4))
    #expect(conflict.details.notes.contains { $0.hasPrefix("The app has accepted version 6 and was ended") })
    #expect(try findings(of: store).contains { $0.id == "half-way:" + id(4) && $0.canBeMended == nil })
    let copy = try copied()
    let seen = try copy.conflict(id(4))
    let draft = try #require(seen.draft(seen.taking(.server, in: Resolution())))
    #expect(
      try copy.write([PlannedWrite(seen: seen, draft: draft)], note: nil).map(\.outcome) == [.fine])
    #expect(try copy.readFiles { try $0.reader.files(named: id(4)) }[0].uploads.isEmpty)
    #expect(try !findings(of: copy).contains { $0.id == "half-way:" + id(4) })
  }

  @Test func onlyAnEmptyFolderOutsideOfTheContainerIsTaken() throws {
    let full = container.folder.path("full")
    try FileManager.default.createDirectory(atPath: full + "/x", withIntermediateDirectories: true)
    for folder in [full, container.path + "/copy", container.path + "/AppData/Documents/a/b", container.path]
    {
      #expect(throws: StoreError.self) { try ContainerCopy.make(of: container.path, in: folder) }
    }
    #expect(!FileManager.default.fileExists(atPath: container.path + "/copy"))
    try FileManager.default.removeItem(atPath: full + "/x")
    try ContainerCopy.make(of: container.path, in: full)
    #expect(try SMSyncStore.open(path: full).isCopy)
  }

  /// Somebody puts it back on a device, or into a simulator.
  @Test func aCopyThatIsElsewhereIsAContainerAgain() throws {
    let store = try copied()
    #expect(store.isCopy)
    let elsewhere = container.folder.path("elsewhere")
    try FileManager.default.moveItem(atPath: container.copy, toPath: elsewhere)
    #expect(try !SMSyncStore.open(path: elsewhere).isCopy)
  }

  @Test func decisionsComeAlong() throws {
    let original = try container.open()
    let conflict = try original.conflict(id(2))
    try original.log.append(
      conflict.decisions(about: [.record], in: Resolution(choices: [.record: .take(.server)]), at: 1))
    let store = try copied()
    try store.takeDecisions(from: original)
    #expect(try summaries(of: store).filter(\.isReady).map(\.id) == [id(2)])
  }

  /// A Parley that is killed while they are taken over leaves half of a copy, not one in which nothing was decided.
  @Test func theCopyIsHalfUntilItsDecisionsAreThere() throws {
    let original = try container.open()
    try decide(.take(.server), in: original)
    try ContainerCopy.make(of: container.path, in: container.copy) { files in
      let copy = try SMSyncStore.open(files, access: .writing)
      try copy.takeDecisions(from: original)
      #expect(UnfinishedMark.lies(in: container.copy))
      #expect(throws: StoreError.self) { try container.openCopy() }
    }
    #expect(try summaries(of: container.openCopy()).filter(\.isReady).map(\.id) == [id(2)])
    let taken = StoreError.copyIsThere(path: container.copy)
    #expect(throws: taken) { try ContainerCopy.make(of: container.path, in: container.copy) }
  }

  private func decide(_ choice: Choice?, in store: SMSyncStore) throws {
    let conflict = try store.conflict(id(2))
    let decisions = conflict.decisions(
      about: [.record], in: Resolution(choices: choice.map { [.record: $0] } ?? [:]), at: 1)
    try store.log.append(decisions)
  }

  /// Somebody has deleted the folder of an earlier copy: its journal still lies there, with decisions that nobody made for this one.
  @Test func aCopyBeginsWithAJournalOfItsOwn() throws {
    try decide(.take(.server), in: copied())
    let log = try copied(again: { _ in }).log.path
    #expect(try summaries(of: container.openCopy()).filter(\.isReady).isEmpty)
    #expect(FileStatus(path: log) == nil && FileStatus(path: log + ".earlier-1") != nil)
    try decide(.take(.server), in: container.openCopy())
    _ = try copied(again: { _ in })
    #expect(FileStatus(path: log + ".earlier-2") != nil)
  }

  /// Where none is made, the journal that lay there lies there again.
  @Test func aCopyThatFailsLeavesTheJournalOfAnEarlierOne() throws {
    let store = try copied()
    try decide(.take(.server), in: store)
    let full = StoreError.writeFailed(path: container.copy, detail: "No space left on device")
    #expect(throws: full) { _ = try copied(again: { _ in throw full }) }
    #expect(FileStatus(path: store.log.path) != nil)
    #expect(FileStatus(path: store.log.path + ".earlier-1") == nil)
  }

  /// Under two of the names that it can have. The second cannot be moved wholly: where its -shm would go lies a folder.
  @Test func whereAJournalCannotBeSetAsideAllLieWhereTheyLay() throws {
    let store = try copied()
    try decide(.take(.server), in: store)
    let (log, own) = (store.log.path, container.copy + ".own.parley.sqlite")
    let files = [own, log, log + "-wal", log + "-shm"]
    #expect(FileManager.default.createFile(atPath: own, contents: Data("rows".utf8)))
    try FileManager.default.createDirectory(
      atPath: log + ".earlier-1-shm", withIntermediateDirectories: false)
    try FileManager.default.removeItem(atPath: container.copy)
    #expect(files.filter { FileStatus(path: $0) == nil } == [])
    #expect(throws: StoreError.self) { try ContainerCopy.make(of: container.path, in: container.copy) }
    #expect(files.filter { FileStatus(path: $0) == nil } == [])
  }

  private func copied(again finish: (ContainerFiles) throws -> Void) throws -> SMSyncStore {
    try FileManager.default.removeItem(atPath: container.copy)
    let told = try ContainerCopy.make(of: container.path, in: container.copy, finish: finish)
    let store = try container.openCopy()
    #expect(told.setAside.last?.hasPrefix(store.log.path + ".earlier-") == true)
    return store
  }

  /// A store's file alone, with what lies beside it.
  @Test func aStoreAloneIsCopiedIntoAContainer() throws {
    let alone = try TestFolder()
    for suffix in ["", "-wal"] where FileManager.default.fileExists(atPath: container.database + suffix) {
      try FileManager.default.copyItem(
        atPath: container.database + suffix, toPath: alone.path("store.sqlite" + suffix))
    }
    #expect(SMSyncStore.recognises(alone.path("store.sqlite")))
    let store = try SMSyncStore.open(path: alone.path("store.sqlite"))
    #expect(try store.conflict(id(1)).versions.client == .unknown(reason: "its file is not there"))
    try ContainerCopy.make(of: alone.path("store.sqlite"), in: alone.path("copy"))
    let copy = try SMSyncStore.open(path: alone.path("copy"), access: .writing)
    #expect(copy.isCopy)
    // Nobody can tell whether a round is in flight; who gives the file alone is told, and may go on.
    for store in [store, copy] { #expect(try findings(of: store).contains { $0.what == "no preferences" }) }
    #expect(try !findings(of: container.open()).contains { $0.what == "no preferences" })
    #expect(try copy.conflict(id(2)).details.notWritable == nil)
  }

  /// The first upload undeletes, with the draft's own file, and is the only one that is left.
  @Test func aTextThatIsTypedUndeletesAFile() throws {
    var file = SampleFile(id(1), "a.txt", version: 2)
    (file.uploads, file.download) = ([.file("one\n"), .file("two\n", .committed(1))], .deletion())
    let container = try TestContainer([file])
    try ContainerCopy.make(of: container.path, in: container.copy)
    let store = try container.openCopy()
    let (before, conflict) = (try state(of: store), try store.conflict(id(1)))
    let draft = try #require(conflict.draft(Resolution(choices: [.record: .edit(.text("both\n"))])))
    #expect(
      try store.write([PlannedWrite(seen: conflict, draft: draft)], note: nil).map(\.outcome) == [.fine])
    let rows = try store.readFiles { try $0.reader.files(named: id(1)) }[0]
    #expect(rows.files.count == 1 && rows.isUndeleting && rows.downloads.isEmpty && rows.isDeletedOnServer)
    #expect(try store.files.bytes(archive: rows.files[0].url) == Array("both\n".utf8))
    #expect(try summaries(of: store).isEmpty)
    #expect(try store.undoLastWrite().map(\.outcome) == [.fine])
    #expect(try state(of: store) == before)
  }

  /// More of a file than is read.
  private static let tooLong = Refusal(FileConflict.content, "its file has more than 64 MiB")

  private func makeTooLong(_ name: String, in store: SMSyncStore) throws {
    let path = store.files.documents + "/Temporary/" + name
    #expect(FileManager.default.createFile(atPath: path, contents: nil))
    let file = try FileHandle(forWritingTo: URL(filePath: path))
    try file.truncate(atOffset: UInt64(ContainerFiles.sizeLimit) + 1)
    try file.close()
  }

  /// It may be somebody's: the bytes that come back would take its place.
  @Test func whatCannotBeReadIsNotTakenForAPlaceWithNothingInIt() throws {
    let store = try copied()
    try makeTooLong("draft.dat", in: store)
    let dropped = StoredChange(
      file: .app, table: QueuePlan.fileTable, key: ["path": .text("Temporary/draft.dat")],
      before: ["content": .blob(Blob(bytes: [1]))])
    #expect(throws: Self.tooLong) {
      try store.readFiles { _ = try $0.takeBack([dropped], written: store.log) }
    }
  }

  @Test func aDraftIsNotTakenBackWhoseFileCannotBeReadAndThatIsSaid() throws {
    let store = try copied()
    let before = try state(of: store).files
    _ = try store.write([try #require(try plan(id(1), in: store))], note: nil)
    try makeTooLong(try #require(try state(of: store).files.subtracting(before).first), in: store)
    let refused = CheckedWrite.Outcome.refused(field: Self.tooLong.field, Self.tooLong.reason)
    #expect(try store.undoLastWrite().map(\.outcome) == [refused])
    #expect(try state(of: store).files.count == before.count + 1)
  }

  /// A draft's file is there before the rows that name it.
  @Test func aWriteThatWasEndedBeforeItsRowsLeavesNoFile() throws {
    let store = try copied()
    let before = try state(of: store)
    let rows = try Data(contentsOf: URL(filePath: store.files.database))
    let mark = try #require(CopyMark(in: container.copy))
    _ = try store.write([try #require(try plan(id(1), in: store))], note: nil)
    #expect(try state(of: store).files.count == before.files.count + 1)
    store.reader.close()
    for suffix in ["-wal", "-shm"] { unlink(store.files.database + suffix) }
    // In its place: by its number it is the copy's.
    let file = try FileHandle(forWritingTo: URL(filePath: store.files.database))
    try file.write(contentsOf: rows)
    try file.truncate(atOffset: UInt64(rows.count))
    try file.close()
    let after = try #require(CopyMark(in: container.copy)).seals
    // So it is until the rows are there.
    try mark.seal(mark.seals + after)
    try store.log.write { try $0.run("DELETE FROM receipts") }
    store.log.close()
    let next = try container.openCopy()
    #expect(try next.interruptedWrites().isEmpty)
    #expect(try state(of: next) == before)
  }
}

extension ContainerCopyTests {
  private struct State: Equatable {
    var rows: [String]
    var files: Set<String>
  }

  private func state(of store: SMSyncStore) throws -> State {
    let names = try rows(
      "SELECT name FROM sqlite_master WHERE type = 'table' AND name LIKE 'Z%' ORDER BY 1", in: store)
    let all = try names.flatMap { table in
      try store.readFiles { place in
        let columns = try #require(try TableShape(table, in: place.db)).columns.map { "quote(\($0.name))" }
        return try place.db.rows(
          "SELECT \(columns.joined(separator: "||','||")) FROM \(table) ORDER BY rowid"
        ) { $0.text(0) }
      }
    }
    let temporary = try FileManager.default.contentsOfDirectory(atPath: store.files.documents + "/Temporary")
    return State(rows: all, files: Set(temporary))
  }

  private func rows(_ sql: String, in store: SMSyncStore) throws -> [String] {
    try store.readFiles { place in try place.db.rows(sql) { $0.text(0) } }
  }
}
