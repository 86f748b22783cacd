import GRDB
import Testing

@testable import SQLiteFiles

/// What lies beside a database is removed only while nobody has it, and nobody comes meanwhile.
@Suite struct LockProbeTests {
  private let folder: TestFolder
  private var path: String { folder.path("Notes.sqlite") }

  init() throws {
    folder = try TestFolder()
    try write(in: open())
  }

  private func open() throws -> DatabaseQueue {
    var configuration = Configuration()
    configuration.prepareDatabase { try $0.execute(sql: "PRAGMA journal_mode = WAL") }
    return try DatabaseQueue(path: path, configuration: configuration)
  }

  private func write(in queue: DatabaseQueue) throws {
    try queue.write { try $0.execute(sql: "CREATE TABLE IF NOT EXISTS notes (text)") }
  }

  private func isRun(_ probe: LockProbe) -> Bool {
    var isRun = false
    probe.whileUnused { isRun = true }
    return isRun
  }

  @Test func whoHasItIsInTheWayInThisProcessToo() throws {
    let probe = try #require(LockProbe(path: path))
    #expect(isRun(probe))
    let queue = try open()
    try write(in: queue)
    // Twice, as a look must not take away the lock that it found.
    #expect(!isRun(probe) && !isRun(probe))
    #expect(probe.holder() == nil, "of this process SQLite's own look tells nothing")
    try queue.close()
    #expect(isRun(probe))
  }

  @Test func nobodyComesMeanwhile() throws {
    let probe = try #require(LockProbe(path: path))
    var codes: [ResultCode?] = []
    probe.whileUnused {
      do { try write(in: open()) } catch { codes.append((error as? DatabaseError)?.resultCode) }
    }
    #expect(codes == [.SQLITE_BUSY])
    try write(in: open())
  }
}
