import Foundation
import GRDB
import Merging
import TerminalTestSupport
import Testing

@testable import CloudantStores
@testable import SMSyncStores
@testable import SQLiteDataStores
@testable import StoreInterface
@testable import parley

/// Every call that changes a file may be the last one, or fail: a write and an undo are killed, lose what was not synced, and
/// meet a disk that is full or broken, at points all along the way. Whatever was told is true, and after the next start each
/// record is as before or as after, the journal says which, and undo restores.
///
/// The run takes two points of each; `Tests/attack faults --all` takes all of them, with every fault (Tests/README.md).
@Suite(.enabled(if: Fault.shim != nil, "needs Linux, and the library that FaultShim builds"))
struct FaultTests {
  @Test(arguments: FaultyStore.all)
  func eachRecordIsBeforeOrAfterAndUndoRestores(faulty: FaultyStore) throws {
    try withTemporaryFolder { folder in
      let bench = try FaultBench(faulty, in: folder)
      #expect(bench.calls > 10)
      let attack = Attack("faults", short: 2, seed: UInt64(1000 * faulty.number))
      #expect(attack.failures(at: Fault.all(of: bench.calls), of: bench.expectTruth) == [])
    }
  }
}

/// A store, how its files are written, and what is done to it.
struct FaultyStore: CustomTestStringConvertible {
  enum Act: String, CaseIterable { case write, undo }

  let kind: DemoKind
  /// Of the app database and the metadatabase, or of the datastore; of a container what is written: its outbox, or a copy of it.
  let modes: [String]
  let act: Act
  let number: Int

  var testDescription: String { "\(act) \(kind) \(modes.joined(separator: ", "))" }

  static let all: [FaultyStore] = {
    let stores: [(DemoKind, [String])] = [
      (.sqlitedata, ["wal", "wal"]), (.sqlitedata, ["delete", "delete"]), (.sqlitedata, ["wal", "delete"]),
      (.sqlitedata, ["truncate", "persist"]), (.cloudant, ["delete"]), (.cloudant, ["wal"]),
      (.android, ["delete"]), (.smsync, ["outbox"]), (.smsync, ["copy"]),
    ]
    return stores.flatMap { store in Act.allCases.map { (store.0, store.1, $0) } }.enumerated().map {
      FaultyStore(kind: $1.0, modes: $1.1, act: $1.2, number: $0)
    }
  }()
}

/// What goes wrong, and at which call.
struct Fault: CustomStringConvertible {
  let call: Int
  let deed: String
  let goesOn: Bool

  var description: String { "\(deed)\(goesOn ? " on and on" : "") from call \(call)" }

  static let shim: String? = {
    #if os(Linux)
      let path = Binary.path.dropLast("parley".count) + "libfaults.so"
      return FileManager.default.fileExists(atPath: String(path)) ? String(path) : nil
    #else
      return nil
    #endif
  }()

  /// Those that come once, and those that go on: an interrupted call is tried again for as long as it is interrupted.
  private static let deeds: [(String, Bool)] =
    ["kill", "power", "\(EIO)", "short", "\(EINTR)", "\(EAGAIN)"].map { ($0, false) }
    + ["\(ENOSPC)", "\(EIO)"].map { ($0, true) }

  static func all(of calls: Int) -> [Fault] {
    (1...calls).flatMap { call in deeds.map { Fault(call: call, deed: $0.0, goesOn: $0.1) } }
  }

  /// What the shim is told.
  var variables: String { "FAULTS_AT=\(call) FAULTS_DO=\(deed) \(goesOn ? "FAULTS_ON=1" : "")" }
}

/// Does the same thing to copies of one store.
private struct FaultBench {
  let faulty: FaultyStore
  private let folder: String
  private let template: String
  private let before: [String: String]
  private var after: [String: String] = [:]
  /// How many calls the act makes that change a file.
  private(set) var calls = 0

  init(_ faulty: FaultyStore, in folder: String) throws {
    (self.faulty, self.folder, template) = (faulty, folder, folder + "/template")
    let path = try FaultBench.make(faulty, template)
    let decided = try FaultBench.states(path, faulty.kind)
    if faulty.act == .undo { Live.run("write", path, "--yes") }
    before = try FaultBench.states(path, faulty.kind)
    let (copy, result) = try run("FAULTS_COUNT='\(folder)/count'")
    #expect(result.status <= 1)
    calls = try Int(String(contentsOfFile: folder + "/count", encoding: .utf8)) ?? 0
    after = try FaultBench.states(copy, faulty.kind)
    #expect(before != after)
    if faulty.act == .undo { #expect(after == decided) }
  }

  private static let decidedRecords = MadeStore { folder in
    let path = try SampleStores.make(in: folder)
    for id in [42, 91, 92].map({ "5eed0000-0000-4000-8000-0000000000\($0):reminders" }) {
      Live.run("resolve", path, id, "--accept", "all")
      Live.run("resolve", path, id, "--set", "record=server")
    }
    return path
  }

  private static let decidedDocuments = MadeStore { folder in
    let path = try SampleStores.make(.cloudant, in: folder)
    Live.run("resolve", path, "--accept", "all")
    return path
  }

  private static let decidedAndroidDocuments = MadeStore { folder in
    let path = try SampleStores.make(.android, in: folder)
    Live.run("resolve", path, "--accept", "all")
    return path
  }

  private static let decidedFiles = MadeStore { folder in
    let path = try SampleStores.make(.smsync, in: folder)
    try SampleStores.decideFiles(path)
    return path
  }

  private static func makeContainer(_ mode: String, _ folder: String) throws -> String {
    let path = try decidedFiles.copy(to: folder)
    if mode == "outbox" { return path }
    let copy = folder + "/copy.xcappdata"
    try ContainerCopy.make(of: path, in: copy)
    try SMSyncStore.open(path: copy, access: .writing).takeDecisions(from: SMSyncStore.open(path: path))
    return copy
  }

  private static func decided(_ kind: DemoKind) -> MadeStore {
    switch kind {
    case .sqlitedata: decidedRecords
    case .android: decidedAndroidDocuments
    case .smsync: decidedFiles
    case .cloudant, .couchdb: decidedDocuments
    }
  }

  private static func make(_ faulty: FaultyStore, _ folder: String) throws -> String {
    if faulty.kind == .smsync { return try makeContainer(faulty.modes[0], folder) }
    let path = try decided(faulty.kind).copy(to: folder)
    for (file, mode) in zip(files(path, faulty.kind), faulty.modes) {
      let queue = try DatabaseQueue(path: file)
      try queue.writeWithoutTransaction { try $0.execute(sql: "PRAGMA journal_mode = \(mode)") }
      try queue.close()
    }
    return path
  }

  private static func files(_ path: String, _ kind: DemoKind) -> [String] {
    let hidden =
      URL(fileURLWithPath: path).deletingLastPathComponent().path
      + "/.Reminders.metadata-iCloud.com.example.Reminders.sqlite"
    return kind == .sqlitedata ? [path, hidden] : [path]
  }

  /// A new copy of the store, and the path of its database.
  private static func copy(of template: String, to folder: String, _ path: String) throws -> String {
    try? FileManager.default.removeItem(atPath: folder)
    try FileManager.default.copyItem(atPath: template, toPath: folder)
    let container = folder + "/copy.xcappdata"
    if FileManager.default.fileExists(atPath: container) {
      try CopyMark.made(in: container, of: "Notes.xcappdata").write()
    }
    return folder + path.dropFirst(template.count)
  }

  private var path: String { get throws { try FaultBench.path(in: template) } }

  private static func path(in folder: String) throws -> String {
    let found = FileManager.default.enumerator(atPath: folder)?.compactMap { $0 as? String } ?? []
    let isContainer = { (name: String) in name.hasSuffix(".xcappdata") && !name.contains("/") }
    let name = try #require(
      found.filter(isContainer).sorted().last
        ?? found.first { $0 == "Reminders.sqlite" || $0.hasSuffix("/db.sync") || $0.hasSuffix(".touchdb") })
    return folder + "/" + name
  }

  /// Runs the act on a copy, under the shim.
  private func run(_ variables: String) throws -> (path: String, result: Binary.Result) {
    let copy = try FaultBench.copy(of: template, to: folder + "/copy", path)
    let arguments = "\(faulty.act.rawValue) '\(copy)' --yes"
    let shim = Fault.shim ?? ""
    let line = "LD_PRELOAD='\(shim)' FAULTS_FOLDER='\(folder)/copy/' \(variables) \"$PARLEY\" \(arguments)"
    return (copy, try Binary.shell(line))
  }

  func expectTruth(after fault: Fault) throws {
    let (path, result) = try run(fault.variables)
    let moment = "\(faulty.testDescription): \(fault): \(result.status) \(result.errors)"
    try? FileManager.default.removeItem(atPath: path + "-shm")
    let found = try FaultBench.states(path, faulty.kind)
    if result.errors.contains("Nothing was written") { try hold(found == before, moment) }
    if result.errors.contains("All was written") { try hold(found == after, moment) }
    let store = try mended(path)
    let now = try FaultBench.states(path, faulty.kind)
    for id in Set(now.keys).union(before.keys) {
      try hold(
        now[id] == before[id] || now[id] == after[id], "half, \(id) \(now[id] ?? "-"): \(moment)")
    }
    if result.status == 0 { try hold(now == after, moment) }
    try hold(store.interruptedWrites().isEmpty, "still open: \(moment)")
    try expectUndo(of: store, path, from: now, moment)
  }

  /// Opening the store for writing is the next start.
  private func mended(_ path: String) throws -> any ConflictStore {
    switch faulty.kind {
    case .sqlitedata: try SQLiteDataStore.open(path: path, access: .writing)
    case .smsync: try SMSyncStore.open(path: path, access: .writing)
    case .cloudant, .android, .couchdb: try CloudantStore.open(path: path, access: .writing)
    }
  }

  /// What the journal holds as written is exactly what is there, so taking all of it back leads to the beginning.
  private func expectUndo(
    of store: any ConflictStore, _ path: String, from now: [String: String], _ moment: String
  ) throws {
    let decided = faulty.act == .write ? before : after
    let written = Set(now.keys).union(decided.keys).filter { now[$0] != decided[$0] }
    let told = try store.lastWrite()?.records.map(\.id) ?? []
    try hold(Set(told) == written, "the journal: \(moment)")
    if !told.isEmpty {
      try hold(store.undo(.lastWrite).allSatisfy { $0.outcome == .fine }, "undo: \(moment)")
    }
    try hold(FaultBench.states(path, faulty.kind) == decided, "after undo: \(moment)")
  }
}

/// What a store holds of each record, as text.
extension FaultBench {
  fileprivate static func states(_ path: String, _ kind: DemoKind) throws -> [String: String] {
    switch kind {
    case .sqlitedata: try recordStates(path)
    case .smsync: try fileStates(path)
    case .cloudant, .android, .couchdb: try documentStates(path)
    }
  }

  /// Whether a file is in conflict, or waits in the outbox, and what is found: that it names a draft which is not there.
  private static func fileStates(_ path: String) throws -> [String: String] {
    let store = try SMSyncStore.open(path: path)
    var states: [String: String] = [:]
    let findings = store.findings()
    while let page = try findings.next(limit: 100) {
      // A write that was interrupted is found by its intent, and is no state of the file; nor is a `-wal` that ends within a frame,
      // as that of a writer that was killed may.
      for finding in page where !finding.isInterrupted && !finding.record.isEmpty {
        states[finding.record, default: ""] += finding.what + ", "
      }
    }
    let conflicts = store.conflicts()
    while let page = try conflicts.next(limit: 100) {
      for summary in page.summaries { states[summary.id, default: ""] += summary.stateWords }
    }
    for record in try store.journal.entries(limit: 1000).map(\.record) {
      states[record] = states[record] ?? "decided"
    }
    return states
  }

  /// Times of the write itself are others in each run.
  private static func recordStates(_ path: String) throws -> [String: String] {
    let queue = try DatabaseQueue(path: path)
    defer { try? queue.close() }
    return try queue.writeWithoutTransaction { db in
      try db.execute(sql: "ATTACH DATABASE ? AS hidden", arguments: [files(path, .sqlitedata)[1]])
      let sql = """
        SELECT m.recordName, quote(r.title) || quote(r.notes) || quote(r.isCompleted) || quote(r.remindersListID)
          || ' ' || quote(m._isDeleted) || quote(m.lastKnownServerRecord) || ' '
          || (SELECT count(*) FROM parley_inbox AS i WHERE i.recordName = m.recordName) || ' '
          || (SELECT count(*) FROM hidden.sqlitedata_icloud_pendingRecordZoneChanges
              WHERE instr(pendingRecordZoneChange, CAST(m.recordName AS BLOB)))
        FROM hidden.sqlitedata_icloud_metadata AS m LEFT JOIN reminders AS r ON r.id = m.recordPrimaryKey
        """
      return try Dictionary(uniqueKeysWithValues: Row.fetchAll(db, sql: sql).map { ($0[0], $0[1] ?? "") })
    }
  }

  /// Which documents are in conflict: a document has all rows of a write, or none.
  private static func documentStates(_ path: String) throws -> [String: String] {
    let store = try CloudantStore.open(path: path)
    var states: [String: String] = [:]
    let walk = store.conflicts()
    while let page = try walk.next(limit: 100) {
      for summary in page.summaries { states[summary.id] = "in conflict: \(summary.leafCount) leaves" }
    }
    return Dictionary(uniqueKeysWithValues: allIDs(store, states).map { ($0, states[$0] ?? "decided") })
  }

  private static func allIDs(_ store: CloudantStore, _ states: [String: String]) -> Set<String> {
    let written = (try? store.journal.entries(limit: 1000).map(\.record)) ?? []
    return Set(states.keys).union(written)
  }
}
