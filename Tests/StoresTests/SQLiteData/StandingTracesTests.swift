import Testing

@testable import SQLiteDataStores
@testable import SQLiteFiles
@testable import StoreInterface

/// What is taken back is no change, also where some of it was on the disk meanwhile.
struct StandingTracesTests {
  let folder: TestFolder
  let store: SQLiteDataStore
  let files: StoreFilesInspector

  init() throws {
    folder = try TestFolder()
    let path = try Demo.make(in: folder)
    store = try SQLiteDataStore.open(path: path, access: .writing, clock: { WriteTests.time })
    files = try StoreFilesInspector(path)
  }

  /// More than is kept in memory, looked at while the transaction goes on.
  private func writeMuch(keeping isKept: Bool) throws {
    let (before, files) = (store.traces(), store.fileTraces())
    try store.steps(about: []).transaction(.direct) { session in
      try session.db.execute(sql: "CREATE TABLE much AS SELECT zeroblob(6000000) AS bytes")
      try session.db.execute(sql: "INSERT INTO much SELECT bytes FROM much")
      #expect(store.fileTraces() != files)
      #expect(store.traces() == before)
      return isKept
    }
  }

  @Test func whatIsTakenBackIsNoChange() throws {
    let before = store.traces()
    try writeMuch(keeping: false)
    #expect(store.traces() == before)
    try writeMuch(keeping: false)
    #expect(store.traces() == before)
  }

  @Test func whatIsKeptIsOne() throws {
    let before = store.traces()
    try writeMuch(keeping: true)
    #expect(store.traces() != before)
  }

  @Test func whatOthersWriteIsOneAfterACheck() throws {
    let before = store.traces()
    try writeMuch(keeping: false)
    try files.run("UPDATE reminders SET priority = 7")
    #expect(store.traces() != before)
  }

  @Test func anErrorTakesBackToo() throws {
    let before = store.traces()
    #expect(throws: (any Error).self) {
      try store.steps(about: []).transaction(.direct) { session in
        try session.db.execute(sql: "CREATE TABLE much AS SELECT zeroblob(6000000) AS bytes")
        throw StoreError.noSuchRecord(id: "nobody")
      }
    }
    #expect(store.traces() == before)
  }

  /// As where the files were moved by the end of the transaction, which nobody can see in between.
  @Test func whatATransactionLeavesStandsForWhatWasThere() {
    let standing = StandingTraces()
    standing.hold([1])
    #expect(standing.shown(for: [2]) == [1])
    standing.settle([3])
    #expect(standing.shown(for: [3]) == [1])
    standing.hold([3])
    standing.settle([4])
    #expect(standing.shown(for: [4]) == [1])
    #expect(standing.shown(for: [5]) == [5])
    standing.hold([4])
    standing.release()
    standing.settle([6])
    #expect(standing.shown(for: [6]) == [6])
  }
}
