import BenchmarkStores
import Foundation
import TerminalTestSupport

/// How what commands cost grows with the store: for Cloudant, whose stores are made in seconds, and for what comes in from elsewhere.
/// ``ManyRecords`` has the same of SQLiteData.
enum Growth {
  private static let sizes = [1_000, 100_000]

  static func measure(in folder: String, _ table: inout GoalTable) throws {
    try measureCloudant(in: folder, &table)
    try measureImport(in: folder, &table)
  }

  private static func measureCloudant(in folder: String, _ table: inout GoalTable) throws {
    var runs: [String: [MeasuredRun]] = [:]
    for size in sizes {
      let work = try StoreCopy(of: BenchmarkStore(in: folder, documents: size))
      for command in sessionCommands(showing: "document-1") {
        runs[command.name, default: []].append(try work.run(command.arguments(work.path)))
      }
    }
    for command in sessionCommands(showing: "").map(\.name) {
      tell("Cloudant, \(command)", runs[command] ?? [], &table)
    }
  }

  private static func measureImport(in folder: String, _ table: inout GoalTable) throws {
    let runs = try sizes.map { size in
      let work = try StoreCopy(of: BenchmarkStore(in: folder, records: size, conflicts: 0))
      let file = work.folder + "/server.json"
      try LargeStore.writeServerRecords(size, to: file)
      return try work.run(["import", work.path, file])
    }
    tell("import", runs, &table)
  }

  private static func tell(_ what: String, _ runs: [MeasuredRun], _ table: inout GoalTable) {
    guard let few = runs.first, let many = runs.last else { return }
    say(
      "\(what): \(few.processorSeconds.text) and \(many.processorSeconds.text) s, \(many.megabytes.text) MB")
    let growth = log(many.processorSeconds / few.processorSeconds) / log(Double(sizes[1]) / Double(sizes[0]))
    table.expect("growth of \(what), exponent", growth, atMost: 1.1)
  }
}
