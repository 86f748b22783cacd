import Foundation
import GRDB
import Merging
import Samples
import Testing

@testable import Journals
@testable import SMSyncStores
@testable import SQLiteFiles
@testable import StoreInterface

/// A container whose app wrote last into a `-wal` that is damaged since: the round of which it tells may be in flight.
@Suite("Container with a damaged -wal") struct DamagedLogTests {
  private let container: TestContainer
  private let path: String
  private let log: String

  init() throws {
    container = try TestContainer()
    path = container.folder.path("other")
    let queue = try DatabaseQueue(path: container.database)
    try queue.writeWithoutTransaction { db in
      try db.execute(sql: "PRAGMA journal_mode = wal; PRAGMA wal_autocheckpoint = 0")
      for name in ["one", "two"] {
        try db.execute(sql: "UPDATE ZSMLOCALFILE SET ZREMOTEFILENAME = '\(name)'")
      }
    }
    try FileManager.default.copyItem(atPath: container.path, toPath: path)
    try queue.close()
    let database = try ContainerFiles(path: path).database
    log = database + "-wal"
    unlink(database + "-shm")
  }

  /// A line of the source that ends where it should go on leaves its indent in the sentence.
  @Test(arguments: LogTrouble.allCases)
  func itsSentencesAreWhole(trouble: LogTrouble) {
    let words = trouble.told
    for told in [words.what, "\(words.evidence)", words.cause, words.remedy, trouble.words] {
      #expect(!told.contains("  ") && !told.contains("\n"), "\(told)")
    }
  }

  private func damage(_ trouble: LogTrouble) throws {
    var bytes = try Data(contentsOf: URL(filePath: log))
    switch trouble {
    case .garbage: bytes[20] ^= 1
    case .broken: bytes[32 + 24 + 100] ^= 1
    // In its last frame.
    case .cut: bytes.removeLast(100)
    }
    try bytes.write(to: URL(filePath: log))
  }

  @Test func oneThatIsSoundIsCopied() throws {
    let store = try SMSyncStore.open(path: path)
    #expect(store.warnings.isEmpty && store.info.banner == nil)
    try ContainerCopy.make(of: path, in: container.copy)
    #expect(try !findings(of: container.openCopy()).contains { $0.what.hasPrefix("the -wal") })
  }

  /// In a copy that Parley was ended in, the frame is Parley's own, and nothing of the app's is behind it.
  @Test func whatAnInterruptedWriteLeftIsNotTheApps() throws {
    try ContainerCopy.make(of: path, in: container.copy)
    let database = try container.openCopy(.reading).info.path
    try Data(contentsOf: URL(filePath: log)).dropLast(100).write(to: URL(filePath: database + "-wal"))
    func isTold() throws -> [Bool] {
      let store = try container.openCopy(.reading)
      return [
        !store.warnings.isEmpty, store.info.banner?.contains("-wal") == true,
        try findings(of: store).contains { $0.what == LogTrouble.cut.what },
      ]
    }
    #expect(try isTold() == [true, true, true])
    var intent = try container.openCopy(.reading).log.intent(undoes: nil, note: nil)
    try intent.append(RecordIntent(id: ContainerDemoStore.uuid(1), title: "A", payload: nil))
    try intent.flush()
    #expect(try isTold() == [false, false, false])
  }

  @Test(arguments: LogTrouble.allCases) func isToldAndNotCopied(trouble: LogTrouble) throws {
    try damage(trouble)
    let store = try SMSyncStore.open(path: path)
    #expect(store.warnings.count == 1 && store.info.banner == trouble.what)
    #expect(try findings(of: store).contains { $0.what == trouble.what })
    let refused = StoreError.writeFailed(path: container.copy, detail: trouble.words)
    #expect(throws: refused) { try ContainerCopy.make(of: path, in: container.copy) }
    #expect(!FileManager.default.fileExists(atPath: container.copy))
  }
}
