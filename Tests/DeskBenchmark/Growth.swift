import BenchmarkStores
import Foundation
import TerminalTestSupport

/// How what commands cost grows with the store: for the stores other than SQLiteData, of which ``ManyRecords`` has the same, and for
/// what comes in from elsewhere.
enum Growth {
  static func measure(in folder: String, _ table: inout GoalTable) throws {
    try measureSession("Cloudant", [1_000, 100_000], showing: "document-1", &table) { size in
      let work = try StoreCopy(of: BenchmarkStore(in: folder, documents: size))
      return { try work.run($0(work.path)) }
    }
    try measureImport(in: folder, &table)
  }

  static func measureFiles(in folder: String, _ table: inout GoalTable) throws {
    try measureSession("SMSyncServer", [1_000, 10_000], showing: LargeContainer.firstFile, &table) { size in
      let work = try StoreCopy(of: BenchmarkStore(in: folder, files: size))
      return { try work.run($0(work.path)) }
    }
  }

  static func measureServer(in _: String, _ table: inout GoalTable) throws {
    try measureSession("CouchDB", [1_000, 10_000], showing: LargeCouchDB.firstDocument, &table) { size in
      let (server, home) = (try LargeCouchDB(documents: size), try TemporaryHome())
      return { try MeasuredRun(parley: $0(server.url), home: home.folder) }
    }
  }

  private typealias Command = @Sendable (_ store: String) -> [String]

  /// - Parameter open: makes a store of a size; gives what runs a command on it.
  private static func measureSession(
    _ kind: String, _ sizes: [Int], showing record: String, _ table: inout GoalTable,
    _ open: (Int) throws -> (Command) throws -> MeasuredRun
  ) throws {
    var runs: [String: [MeasuredRun]] = [:]
    for size in sizes {
      let run = try open(size)
      for command in sessionCommands(showing: record) {
        runs[command.name, default: []].append(
          try MeasuredRun.best(of: command.times) { try run(command.arguments) })
      }
    }
    for command in sessionCommands(showing: record).map(\.name) {
      tell("\(kind), \(command)", sizes, runs[command] ?? [], &table)
    }
  }

  private static func measureImport(in folder: String, _ table: inout GoalTable) throws {
    let sizes = [1_000, 100_000]
    let runs = try sizes.map { size in
      let work = try StoreCopy(of: BenchmarkStore(in: folder, records: size, conflicts: 0))
      let file = work.folder + "/server.json"
      try LargeStore.writeServerRecords(size, to: file)
      return try work.run(["import", work.path, file])
    }
    tell("import", sizes, runs, &table)
  }

  private static func tell(
    _ what: String, _ sizes: [Int], _ runs: [MeasuredRun], _ table: inout GoalTable
  ) {
    guard let few = runs.first, let many = runs.last else { return }
    say(
      "\(what): \(few.processorSeconds.text) and \(many.processorSeconds.text) s, \(many.megabytes.text) MB, \(many.status)"
    )
    let growth = log(many.processorSeconds / few.processorSeconds) / log(Double(sizes[1]) / Double(sizes[0]))
    table.expect("growth of \(what), exponent", growth, atMost: 1.1)
  }

  /// A folder for what a program keeps; taken away with this value.
  private final class TemporaryHome {
    let folder = FileManager.default.temporaryDirectory.path + "/parley-benchmark-\(UUID().uuidString)"

    init() throws {
      try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    }

    deinit { try? FileManager.default.removeItem(atPath: folder) }
  }
}

/// The largest document that was seen, decided and written as a whole.
enum LargestDocument {
  static func measure(in folder: String, _ table: inout GoalTable) throws {
    let store = try BenchmarkStore(largestIn: folder)
    var (deciding, writing) = (Spread(), Spread())
    for _ in 0..<5 {
      let work = try StoreCopy(of: store)
      deciding.add(try work.run(["resolve", work.path, "--accept", "all"]).processorSeconds)
      writing.add(try work.run(["write", work.path, "--yes"]).processorSeconds)
    }
    say("\(store.words), processor time with the start of the program, best of 5:")
    table.expect("accept all of the largest document", deciding.best, " s", atMost: 0.5)
    table.expect("write of the largest document", writing.best, " s", atMost: 0.5)
  }
}
