import Foundation
import GRDB
import Merging
import Testing

@testable import SMSyncStores
@testable import Samples
@testable import StoreInterface

/// Nothing of a container is another after it was read: no byte, no name and no time, also of what SQLite itself keeps in it.
@Suite("A container that is read") struct UntouchedContainerTests {
  private struct State: Equatable {
    let bytes: Data?
    let times: [Int]
    let inode: UInt64
  }

  private func state(of path: String) throws -> [String: State] {
    let names = try FileManager.default.subpathsOfDirectory(atPath: path) + ["."]
    return Dictionary(
      uniqueKeysWithValues: names.map { name in
        var status = stat()
        lstat(path + "/" + name, &status)
        #if canImport(Darwin)
          let times = [status.st_mtimespec, status.st_ctimespec]
        #else
          let times = [status.st_mtim, status.st_ctim]
        #endif
        let state = State(
          bytes: FileManager.default.contents(atPath: path + "/" + name),
          times: times.flatMap { [Int($0.tv_sec), Int($0.tv_nsec)] }, inode: UInt64(status.st_ino))
        return (name, state)
      })
  }

  /// As the app leaves it that was ended, or is not there any more: with a `-wal`, and a `-shm` of before or none.
  private func container(shm: UInt8?) throws -> TestContainer {
    let container = try TestContainer()
    try container.leaveLog("UPDATE ZSMLOCALFILE SET ZREMOTEFILENAME = 'renamed.txt'")
    let path = container.database + "-shm"
    try? FileManager.default.removeItem(atPath: path)
    if let shm { try Data(repeating: shm, count: 32 << 10).write(to: URL(filePath: path)) }
    return container
  }

  @Test(arguments: [nil, 0, 7] as [UInt8?]) func isAsItWas(shm: UInt8?) throws {
    let container = try container(shm: shm)
    let before = try state(of: container.path)
    #expect(before.keys.contains { $0.hasSuffix("-wal") })
    do {
      let store = try container.open()
      #expect(try summaries(of: store).contains { $0.title == "renamed.txt" }, "the -wal is read")
      _ = try findings(of: store)
      #expect(try state(of: container.path) == before, "while it is open")
      let write = PlannedWrite(
        seen: try store.conflict(ContainerDemoStore.uuid(2)),
        draft: Draft(id: ContainerDemoStore.uuid(2), action: .delete))
      #expect(try store.write([write], note: nil).map(\.outcome) == [.fine])
      #expect(try store.undoLastWrite().map(\.outcome) == [.fine])
      #expect(SMSyncStore.recognises(container.database))
      try ContainerCopy.make(of: container.path, in: container.copy)
    }
    #expect(try state(of: container.path) == before)
  }

  private func put(_ count: Int, _ suffix: String, beside container: TestContainer) throws {
    try Data(count: count).write(to: URL(filePath: container.database + suffix))
  }

  /// The desk is open all the time, and looks again.
  @Test(arguments: [false, true]) func whatAnAppLeavesThatCameMeanwhileStays(isWritten: Bool) throws {
    let container = try TestContainer()
    let before: [String: State]
    do {
      let store = try container.open()
      _ = try summaries(of: store)
      if isWritten {
        try container.leaveLog("UPDATE ZSMLOCALFILE SET ZREMOTEFILENAME = 'again.txt'")
      } else {
        try put(0, "-wal", beside: container)
      }
      try put(32 << 10, "-shm", beside: container)
      before = try state(of: container.path)
      _ = try summaries(of: store)
      #expect(try state(of: container.path) == before, "while it is open")
    }
    #expect(try state(of: container.path) == before)
  }

  /// `journal_mode = PERSIST` leaves one of zeros when its transaction is finished.
  @Test(arguments: [[], [0], [0, 32 << 10]])
  func aJournalThatWasFinishedBringsNothing(companions: [Int]) throws {
    let container = try TestContainer()
    try put(1024, "-journal", beside: container)
    for (suffix, count) in zip(["-wal", "-shm"], companions) { try put(count, suffix, beside: container) }
    let before = try state(of: container.path)
    do {
      let store = try container.open()
      #expect(try !summaries(of: store).isEmpty)
      _ = try findings(of: store)
      #expect(try state(of: container.path) == before, "while it is open")
      try ContainerCopy.make(of: container.path, in: container.copy)
    }
    #expect(try state(of: container.path) == before)
  }

  /// The desk looks again when something is other than it was.
  @Test func whatIsWrittenMeanwhileIsRead() throws {
    let container = try container(shm: nil)
    let store = try container.open()
    #expect(try summaries(of: store).contains { $0.title == "renamed.txt" })
    try container.leaveLog("UPDATE ZSMLOCALFILE SET ZREMOTEFILENAME = 'again.txt'")
    #expect(try summaries(of: store).contains { $0.title == "again.txt" })
  }
}

extension TestContainer {
  /// Runs SQL as an app that is ended before its `-wal` goes into the store.
  func leaveLog(_ sql: String) throws {
    // While its files are elsewhere there is no container.
    let database = database
    let saved = database + "-saved"
    let queue = try DatabaseQueue(path: database)
    try queue.writeWithoutTransaction {
      try $0.execute(sql: "PRAGMA journal_mode = WAL; PRAGMA wal_autocheckpoint = 0; \(sql)")
    }
    for suffix in ["", "-wal"] {
      try FileManager.default.copyItem(atPath: database + suffix, toPath: saved + suffix)
    }
    try queue.close()
    for suffix in ["", "-wal"] {
      try? FileManager.default.removeItem(atPath: database + suffix)
      try FileManager.default.moveItem(atPath: saved + suffix, toPath: database + suffix)
    }
    try? FileManager.default.removeItem(atPath: database + "-shm")
  }
}
