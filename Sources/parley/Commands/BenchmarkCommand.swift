import ArgumentParser
import Foundation
import Stores

/// `parley benchmark-cloudant DIR`: hidden, for those who work on Parley itself.
struct BenchmarkCloudantCommand: Command {
  static let configuration = CommandConfiguration(
    commandName: "benchmark-cloudant",
    abstract: "Make large Cloudant Sync datastores in a new folder, and time what a person waits for.",
    shouldDisplay: false)

  @Argument(help: "The new folder; it stays.", completion: .directory) var folder: String
  @Option(help: "How many documents; every hundredth is in conflict.") var documents = 1_000_000

  func perform(in surroundings: Surroundings) throws -> ExitStatus {
    let result = try CloudantBenchmark.run(in: folder, documents: documents)
    let facts = [
      ("made", result.making), ("opened", result.opening), ("first page", result.firstPage),
      ("all pages", result.all),
    ]
    for (name, seconds) in facts {
      try surroundings.output.print("\(name): \(String(format: "%.3f", seconds)) s")
    }
    try surroundings.output.print("\(result.conflicts) conflicts in \(result.documents) documents")
    let leaves = try CloudantBenchmark.run(in: folder, leaves: 840, generations: 7)
    let steps = [
      ("opened", leaves.opening), ("checked", leaves.checking), ("written", leaves.writing),
      ("undone", leaves.undoing),
    ]
    try surroundings.output.print("one document with 840 leaves of 7 generations")
    for (name, seconds) in steps {
      try surroundings.output.print("\(name): \(String(format: "%.3f", seconds)) s")
    }
    return .nothingLeft
  }
}
