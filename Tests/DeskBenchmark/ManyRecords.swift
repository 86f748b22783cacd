import BenchmarkStores
import Foundation
import TerminalTestSupport

/// The commands of a whole session on copies of stores in which every record is in conflict: decide all, write all, take it back.
struct ManyRecords {
  static let sizes = [1_000, 10_000, 100_000]

  private static let commands = sessionCommands(showing: LargeStore.firstRecord)

  let records: Int
  private(set) var runs: [String: MeasuredRun] = [:]
  /// Processor time of ``RawWrites``.
  private(set) var raw = 0.0
  /// Bytes of the journal for each that changes.
  private(set) var journalAfterWrite = 0.0
  private(set) var journalAfterUndo = 0.0

  init(_ records: Int, in folder: String) throws {
    self.records = records
    let store = try BenchmarkStore(in: folder, records: records, conflicts: records)
    let work = try StoreCopy(of: store)
    var changed = 1
    for command in Self.commands {
      runs[command.name] = try MeasuredRun.best(of: command.times) {
        try work.run(command.arguments(work.path))
      }
      if command.name == "write" {
        changed = try RawWrites.changedBytes(from: store.path, to: work.path)
        journalAfterWrite = Double(work.journalSize) / Double(changed)
        raw = try StoreCopy(of: store).with { try RawWrites.run(on: $0, as: work.path) }
      }
    }
    journalAfterUndo = Double(work.journalSize) / Double(changed)
    tell()
  }

  private func tell() {
    say("\(records) conflicts, all decided, written and taken back; processor time and most memory:")
    for command in Self.commands {
      guard let run = runs[command.name] else { continue }
      say("  \(command.name): \(run.processorSeconds.text) s, \(run.megabytes.text) MB")
    }
    say("  the same bytes by SQL alone: \(raw.text) s")
  }

  func seconds(_ command: String) -> Double { runs[command]?.processorSeconds ?? .nan }
  func megabytes(_ command: String) -> Double { runs[command]?.megabytes ?? .nan }

  static func measure(in folder: String, _ table: inout GoalTable) throws {
    let all = try sizes.map { try ManyRecords($0, in: folder) }
    guard let few = all.first, let many = all.last else { return }
    for size in all.dropFirst() {
      let both = size.seconds("resolve") + size.seconds("write")
      table.expect(
        "resolve and write of \(size.records), against the same bytes by SQL", both / size.raw, atMost: 2)
    }
    table.expect("journal: bytes for each that changes", many.journalAfterWrite, atMost: 3)
    table.expect("journal after undo: bytes for each that changes", many.journalAfterUndo, atMost: 4)
    for command in ["write", "undo"] {
      let ratio = many.megabytes(command) / few.megabytes(command)
      table.expect("memory of \(command): \(many.records) against \(few.records)", ratio, atMost: 1.5)
      table.expect("memory of \(command): \(many.records)", many.megabytes(command), " MB", atMost: 80)
    }
    for command in commands.map(\.name) {
      let growth =
        log(many.seconds(command) / few.seconds(command)) / log(Double(many.records) / Double(few.records))
      table.expect("growth of \(command), exponent", growth, atMost: 1.1)
    }
    let ten = try ManyRecords(10, in: folder)
    table.expect(
      "log --limit 20 after \(many.records) written, against after 10",
      many.seconds("log") / ten.seconds("log"),
      atMost: 3)
  }
}

/// A command of a session.
struct SessionCommand: Sendable {
  let name: String
  /// How often it is run: what only looks takes milliseconds, which a busy moment of the machine doubles.
  let times: Int
  let arguments: @Sendable (_ store: String) -> [String]
}

/// A whole session, in the order in which it is run.
func sessionCommands(showing record: String) -> [SessionCommand] {
  [
    SessionCommand(name: "list", times: 3) { ["list", $0] },
    SessionCommand(name: "show", times: 3) { ["show", $0, record] },
    SessionCommand(name: "resolve", times: 1) { ["resolve", $0, "--accept", "all"] },
    SessionCommand(name: "write", times: 1) { ["write", $0, "--yes"] },
    SessionCommand(name: "log", times: 3) { ["log", $0, "--limit", "20"] },
    SessionCommand(name: "doctor", times: 3) { ["doctor", $0] },
    SessionCommand(name: "undo", times: 1) { ["undo", $0, "--yes"] },
  ]
}

/// A copy of a store for one run, with state and settings of its own; taken away with this value.
final class StoreCopy {
  let folder: String
  let path: String

  init(of store: BenchmarkStore) throws {
    folder = FileManager.default.temporaryDirectory.path + "/parley-benchmark-\(UUID().uuidString)"
    let from = (store.path as NSString).deletingLastPathComponent
    try FileManager.default.copyItem(atPath: from, toPath: folder)
    path = folder + "/" + (store.path as NSString).lastPathComponent
  }

  deinit { try? FileManager.default.removeItem(atPath: folder) }

  func with<Result>(_ body: (String) throws -> Result) rethrows -> Result {
    try withExtendedLifetime(self) { try body(path) }
  }

  func run(_ arguments: [String]) throws -> MeasuredRun {
    try MeasuredRun(parley: arguments, home: folder)
  }

  var journalSize: Int {
    let attributes = try? FileManager.default.attributesOfItem(atPath: RawWrites.journal(beside: path))
    return attributes?[.size] as? Int ?? 0
  }
}

extension MeasuredRun {
  /// The one that took the least of several.
  static func best(of times: Int, _ run: () throws -> MeasuredRun) rethrows -> MeasuredRun {
    var best = try run()
    for _ in 1..<times {
      let next = try run()
      if next.processorSeconds < best.processorSeconds { best = next }
    }
    return best
  }

  /// - Parameter home: a folder, where state and settings of this run are.
  init(parley arguments: [String], home: String) throws {
    guard let parley = BuiltProduct.path("parley") else { throw DeskRun.NotBuilt() }
    try self.init(
      [parley] + arguments,
      environment: [
        "HOME": home, "XDG_STATE_HOME": home + "/state", "XDG_CONFIG_HOME": home + "/config",
        "XDG_CACHE_HOME": home + "/cache",
      ])
  }
}
