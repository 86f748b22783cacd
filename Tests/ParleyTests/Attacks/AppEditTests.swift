import Foundation
import GRDB
import TerminalTestSupport
import Testing

@testable import parley

/// The app edits while Parley stands still before one of its calls: what the app was allowed to write is there at the end, after the next
/// start, and after undo.
@Suite(.enabled(if: Fault.shim != nil, "needs Linux, and the library that FaultShim builds"))
struct AppEditTests {
  /// All by hand; a third of them in every run.
  @Test(arguments: EditedStore.all.filter { Attack.size != .short || $0.number.isMultiple(of: 3) })
  func noEditIsLost(store: EditedStore) throws {
    try withTemporaryFolder { folder in
      let bench = try EditBench(store, in: folder)
      let attack = Attack("edits", short: 1, seed: UInt64(1000 * store.number))
      #expect(attack.failures(at: Array(1...bench.calls), of: bench.expectEditKept) == [])
    }
  }
}

/// A commit over two databases is two commits. Parley stands still before one of its calls, and is asked to end there.
@Suite(.enabled(if: Fault.shim != nil, "needs Linux, and the library that FaultShim builds"))
struct AskedToEndTests {
  /// By hand at any call; in every run where who is killed leaves the first database durable and the second not.
  @Test(arguments: EditedStore.all.filter { $0.kind == .sqlitedata && $0.mode == "wal" })
  func noRecordIsLeftHalfWritten(store: EditedStore) throws {
    try withTemporaryFolder { folder in
      let bench = try EditBench(store, in: folder)
      try bench.expectNothingHalf(call: try #require(try bench.callBetweenCommits()))
      let attack = Attack("edits", short: 2, seed: UInt64(7000 + store.number))
      #expect(attack.failures(at: Array(1...bench.calls), of: bench.expectNothingHalf) == [])
    }
  }
}

struct EditedStore: CustomTestStringConvertible {
  let kind: DemoKind
  let mode: String
  let act: String
  let number: Int

  var testDescription: String { "\(act) \(kind) \(mode)" }

  static let all: [EditedStore] = {
    let stores: [(DemoKind, String)] = [
      (.sqlitedata, "wal"), (.sqlitedata, "delete"), (.cloudant, "delete"), (.cloudant, "wal"),
      (.android, "delete"),
    ]
    return stores.flatMap { store in ["write", "undo"].map { (store.0, store.1, $0) } }.enumerated().map {
      EditedStore(kind: $1.0, mode: $1.1, act: $1.2, number: $0)
    }
  }()
}

private struct EditBench {
  let store: EditedStore
  let folder: String
  private let name: String
  private(set) var calls = 0

  private var template: String { folder + "/template" }
  private var place: String { folder + "/place" }
  private var path: String { place + name }

  init(_ store: EditedStore, in folder: String) throws {
    (self.store, self.folder) = (store, folder)
    let path = try SampleStores.make(store.kind, in: folder + "/template")
    name = String(path.dropFirst((folder + "/template").count))
    Live.run("resolve", path, "--accept", "all")
    for file in AttackedStore.databases(in: template) where !file.hasSuffix(".parley.sqlite") {
      try AttackedStore.change(file) { try $0.execute(sql: "PRAGMA journal_mode = \(store.mode)") }
    }
    if store.act == "undo" { Live.run("write", path, "--yes") }
    try copy()
    _ = Binary.wait(for: try start(["FAULTS_COUNT=\(folder)/count"]))
    calls = try #require(Int(String(contentsOfFile: folder + "/count", encoding: .utf8)))
  }

  private func copy() throws {
    try? FileManager.default.removeItem(atPath: place)
    try FileManager.default.copyItem(atPath: template, toPath: place)
  }

  private func start(_ variables: [String]) throws -> pid_t {
    try Binary.start(
      [store.act, path, "--yes"],
      environment: ["LD_PRELOAD=\(Fault.shim ?? "")", "FAULTS_FOLDER=\(place)/"] + variables,
      printingTo: folder)
  }

  func expectEditKept(call: Int) throws {
    try copy()
    for name in ["output", "errors"] { try? FileManager.default.removeItem(atPath: folder + "/" + name) }
    let process = try start(["FAULTS_AT=\(call)", "FAULTS_DO=stop"])
    var status: Int32 = 0
    // It does not make as many calls each time.
    guard waitpid(process, &status, WUNTRACED) == process, status & 0xFF == 0x7F else { return }
    let edit = Result<Int, any Error> { try self.edit() }
    kill(process, SIGCONT)
    let end = Binary.wait(for: process)
    let said = try String(contentsOfFile: folder + "/errors", encoding: .utf8)
    let moment = "\(store.testDescription), call \(call): \(end) \(said)"
    try hold(end <= 6 && !said.contains("damaged"), moment)
    // An app that is held off waits, and edits later.
    guard case .success(let count) = edit else { return }
    try hold(count > 0, "nothing was edited: \(moment)")
    try expectKept(count, moment)
    Live.run("list", path)
    Live.run("write", path, "--yes")
    try expectKept(count, "next start: \(moment)")
    Live.run("undo", path, "--yes")
    try expectKept(count, "undo: \(moment)")
    try AttackedStore.expectSound(in: place, moment)
  }

  /// What the next start says of one that was sent a signal before a call.
  private func said(after number: Int32, at call: Int) throws -> String {
    try copy()
    let process = try start(["FAULTS_AT=\(call)", "FAULTS_DO=stop"])
    var status: Int32 = 0
    // It does not make as many calls each time.
    guard waitpid(process, &status, WUNTRACED) == process, status & 0xFF == 0x7F else { return "" }
    kill(process, number)
    kill(process, SIGCONT)
    _ = Binary.wait(for: process)
    return Live.run("log", path).errors
  }

  func expectNothingHalf(call: Int) throws {
    for number in [SIGTERM, SIGHUP] {
      let said = try said(after: number, at: call)
      try hold(!said.contains("half written"), "\(store.testDescription), call \(call), \(number): \(said)")
    }
  }

  /// By halves: who is killed before it has changed nothing, and behind it everything.
  func callBetweenCommits() throws -> Int? {
    var (before, behind) = (0, calls + 1)
    while behind - before > 1 {
      let call = (before + behind) / 2
      let said = try said(after: SIGKILL, at: call)
      if said.contains("half written") { return call }
      let isTold = !Live.run("log", path, "--kind", store.act).output.isEmpty
      if said.contains("untouched") || said.isEmpty && !isTold { before = call } else { behind = call }
    }
    return nil
  }

  /// How many rows it wrote.
  private func edit() throws -> Int {
    try AttackedStore.change(path) { db in
      try db.execute(sql: "PRAGMA busy_timeout = 0")
      try db.execute(sql: editing)
      return db.changesCount
    }
  }

  private var editing: String {
    if store.kind == .sqlitedata {
      return "UPDATE reminders SET notes = 'by the app', title = title || ', edited'"
    }
    let latest = "SELECT max(sequence) FROM revs WHERE current = 1 AND deleted = 0 GROUP BY doc_id"
    return """
      INSERT INTO revs (doc_id, parent, current, deleted, revid, json)
      SELECT doc_id, sequence, 1, 0, (CAST(revid AS INTEGER) + 1) || '-feed', json FROM revs WHERE sequence IN (\(latest))
      """
  }

  private func expectKept(_ count: Int, _ moment: String) throws {
    let sql =
      store.kind == .sqlitedata
      ? "SELECT count(*) FROM reminders WHERE notes IS 'by the app' AND title LIKE '%, edited'"
      : "SELECT count(*) FROM revs WHERE revid LIKE '%-feed' AND json IS NOT NULL"
    let kept = try AttackedStore.change(path) { try Int.fetchOne($0, sql: sql) } ?? 0
    try hold(kept == count, "\(kept) of \(count) edits are kept: \(moment)")
  }
}
