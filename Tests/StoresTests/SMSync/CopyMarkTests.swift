import Foundation
import GRDB
import Testing

@testable import SMSyncStores
@testable import SQLiteFiles
@testable import Samples
@testable import StoreInterface

/// What makes a container one that is written: nothing but the copy that was made, there, with the store that was copied.
@Suite("Mark of a copy") struct CopyMarkTests {
  private let container: TestContainer

  init() throws {
    container = try TestContainer()
    try ContainerCopy.make(of: container.path, in: container.copy)
  }

  private var mark: String { container.copy + "/" + CopyMark.name }
  private func text() throws -> String { try String(contentsOfFile: mark, encoding: .utf8) }
  private func isCopy(_ path: String) throws -> Bool { try SMSyncStore.open(path: path).isCopy }

  @Test func theCopyIsOneHoweverItIsNamed() throws {
    for path in ["", "/", "/AppData", "/AppData/Documents", "/AppData/../."] {
      #expect(try isCopy(container.copy + path), "\(path)")
    }
  }

  /// Each is the mark with one thing of it missing.
  @Test func aMarkThatIsNotWholeIsNone() throws {
    let whole = try text()
    let lines = whole.split(separator: "\n", omittingEmptySubsequences: false)
    let damaged = lines.indices.dropLast().map { index in
      lines.enumerated().filter { $0.offset != index }.map(\.element).joined(separator: "\n")
    }
    for text in damaged + ["", "\n", "\n\(container.copy)\n", whole + "\n"] {
      try Data(text.utf8).write(to: URL(filePath: mark))
      #expect(try !isCopy(container.copy), "\(text)")
    }
    try Data(whole.utf8).write(to: URL(filePath: mark))
    #expect(try isCopy(container.copy))
  }

  @Test func theMarkOfOneMakesNoOtherACopy() throws {
    let words = try text().replacing(container.copy, with: container.path)
    let before = try container.contents()
    for text in ["", try text(), words] {
      try Data(text.utf8).write(to: URL(filePath: container.path + "/" + CopyMark.name))
      #expect(try !isCopy(container.path), "\(text)")
      let store = try container.open()
      let write = try #require(try plan(ContainerDemoStore.uuid(2), in: store))
      #expect(try store.write([write], note: nil).map(\.outcome) == [.fine])
      _ = try store.undoLastWrite()
    }
    try FileManager.default.removeItem(atPath: container.path + "/" + CopyMark.name)
    #expect(try container.contents() == before)
  }

  private func writeInTheCopy() throws {
    let store = try container.openCopy()
    let write = try #require(try plan(ContainerDemoStore.uuid(2), in: store))
    #expect(try store.write([write], note: nil).map(\.outcome) == [.fine])
  }

  @Test func whatWasWrittenInACopyThatWasMovedIsNotTakenBackAndSaysWhy() throws {
    try writeInTheCopy()
    let elsewhere = container.folder.path("elsewhere/copy")
    try FileManager.default.createDirectory(
      atPath: folderAndName(elsewhere).folder, withIntermediateDirectories: true)
    for suffix in ["", ".parley.sqlite"] {
      try FileManager.default.moveItem(atPath: container.copy + suffix, toPath: elsewhere + suffix)
    }
    let moved = try SMSyncStore.open(path: elsewhere, access: .writing)
    let outcome = try moved.undoLastWrite().map(\.outcome)
    #expect(
      outcome == [
        .refused(
          field: nil,
          "it was written in a copy, and this is none any more, as it was moved or changed: it is only read")
      ])
  }

  /// A live container's store was put into the folder that once was a copy's.
  @Test func withAnotherStoreItIsNoneAnyMore() throws {
    let database = container.copy + "/AppData/Documents/" + ContainerFiles.databaseName
    let other = container.folder.path("other")
    try FileManager.default.copyItem(atPath: container.database, toPath: other)
    #expect(rename(other, database) == 0)
    #expect(try !isCopy(container.copy))
  }

  /// Its number is the copy's, as when that was removed before the other was put there.
  @Test func aStoreOfTheSameNumberIsOnlyRead() throws {
    let store = try container.openCopy()
    let write = try #require(try plan(ContainerDemoStore.uuid(2), in: store))
    #expect(try store.write([write], note: nil).map(\.outcome) == [.fine])
    try putInPlace(of: store, FileManager.default.contents(atPath: container.database) ?? Data())
    let next = try container.openCopy()
    #expect(next.isCopy && next.access().reason == CopyMark.isChanged)
    for number in [2, 3] {
      #expect(try next.conflict(ContainerDemoStore.uuid(number)).details.notWritable == CopyMark.isChanged)
    }
    let other = try #require(try plan(ContainerDemoStore.uuid(3), in: next))
    let refused = StoreError.readOnly(path: next.files.database, reason: CopyMark.isChanged)
    #expect(throws: refused) { try next.write([other], note: nil) }
    #expect(throws: refused) { try next.undoLastWrite() }
    #expect(throws: refused) { try next.mend(["undelete-false:" + ContainerDemoStore.uuid(23)], note: nil) }
  }

  private func putInPlace(of store: SMSyncStore, _ bytes: Data) throws {
    store.reader.close()
    for suffix in ["-wal", "-shm"] { unlink(store.files.database + suffix) }
    let file = try FileHandle(forWritingTo: URL(filePath: store.files.database))
    try file.write(contentsOf: bytes)
    try file.truncate(atOffset: UInt64(bytes.count))
    try file.close()
  }

  /// The app has been started in the copy: one row more is another than Parley left.
  @Test(arguments: [
    "UPDATE ZSMLOCALFILE SET ZLOCALVERSION = ZLOCALVERSION + 1 WHERE Z_PK = 1",
    "DELETE FROM ZSMUPLOADOPERATION WHERE Z_PK = (SELECT max(Z_PK) FROM ZSMUPLOADOPERATION)",
    "CREATE TRIGGER more AFTER DELETE ON ZSMUPLOADOPERATION BEGIN DELETE FROM ZSMLOCALFILE; END",
    "UPDATE Z_METADATA SET Z_UUID = 'another'", "UPDATE Z_PRIMARYKEY SET Z_MAX = Z_MAX + 1 WHERE Z_MAX > 0",
  ]) func whatTheAppChangedIsOnlyRead(sql: String) throws {
    let store = try container.openCopy()
    let write = try #require(try plan(ContainerDemoStore.uuid(2), in: store))
    let queue = try DatabaseQueue(path: store.files.database)
    try queue.write { try $0.run(sql) }
    try queue.close()
    #expect(store.access().reason == CopyMark.isChanged)
    #expect(throws: StoreError.readOnly(path: store.files.database, reason: CopyMark.isChanged)) {
      try store.write([write], note: nil)
    }
  }

  /// Nobody knows what it is by now.
  @Test func aCopyWhoseRowsCannotBeReadIsNotWritten() throws {
    let store = try container.openCopy()
    #expect(store.access() == .writable)
    try putInPlace(of: store, Data(repeating: 1, count: 8192))
    let words = "nobody can tell whether its rows are as Parley left them: "
    #expect(try #require(store.access().reason).hasPrefix(words))
  }

  /// No app has changed it.
  @Test func ofACopyWhoseMarkIsGoneThatIsSaid() throws {
    let store = try container.openCopy()
    let write = try #require(try plan(ContainerDemoStore.uuid(2), in: store))
    let whole = try text()
    try Data("mine\n".utf8).write(to: URL(filePath: mark))
    #expect(
      store.access().reason?.hasPrefix("its mark parley-copy.txt is not that of the store in it") == true)
    try FileManager.default.removeItem(atPath: mark)
    let reason = "its mark parley-copy.txt is gone; make a copy of the container anew"
    #expect(store.access() == .readOnly(reason: reason))
    #expect(throws: StoreError.readOnly(path: store.files.database, reason: reason)) {
      try store.write([write], note: nil)
    }
    try Data(whole.utf8).write(to: URL(filePath: mark))
    #expect(store.access() == .writable)
  }

  /// What Parley does there itself, and what is moved from one file of the store into the other, is not another's.
  @Test func whatParleyWritesStaysACopy() throws {
    let before = try text()
    let store = try container.openCopy()
    for _ in 1...2 {
      let write = try #require(try plan(ContainerDemoStore.uuid(2), in: store))
      #expect(try store.check([write]).map(\.outcome) == [.fine])
      #expect(try text() == before)
      #expect(try store.write([write], note: nil).map(\.outcome) == [.fine])
      #expect(try text() != before && store.access() == .writable)
      #expect(try store.undoLastWrite().map(\.outcome) == [.fine])
      #expect(try text() == before)
    }
    let queue = try DatabaseQueue(path: store.files.database)
    try queue.writeWithoutTransaction { try $0.execute(sql: "PRAGMA wal_checkpoint(TRUNCATE)") }
    try queue.vacuum()
    try queue.close()
    #expect(store.access() == .writable)
  }

  @Test func anotherStoreInACopyIsNone() throws {
    let other = container.copy + "/AppData/Documents/~Old.sqlite"
    try FileManager.default.copyItem(atPath: container.database, toPath: other)
    #expect(try !isCopy(other))
    #expect(try isCopy(container.copy))
  }

  @Test func aLinkIsNoMark() throws {
    let elsewhere = container.folder.path("mark")
    try FileManager.default.moveItem(atPath: mark, toPath: elsewhere)
    try FileManager.default.createSymbolicLink(atPath: mark, withDestinationPath: elsewhere)
    #expect(try !isCopy(container.copy))
  }
}
