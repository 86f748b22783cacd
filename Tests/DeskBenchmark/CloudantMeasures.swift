import BenchmarkStores
import Foundation

// `desk-benchmark cloudant FOLDER DOCUMENTS`: makes large datastores in a new folder, and times what a person waits for.
extension Benchmark {
  static func measureCloudant(in folder: String, documents: Int) throws {
    let result = try CloudantBenchmark.run(in: folder, documents: documents)
    tell([
      ("made", result.making), ("opened", result.opening), ("first page", result.firstPage),
      ("all pages", result.all),
    ])
    say("\(result.conflicts) conflicts in \(result.documents) documents")
    let leaves = try CloudantBenchmark.run(in: folder, leaves: 840, generations: 7)
    say("one document with 840 leaves of 7 generations")
    tell([
      ("opened", leaves.opening), ("checked", leaves.checking), ("written", leaves.writing),
      ("undone", leaves.undoing),
    ])
  }

  private static func tell(_ steps: [(name: String, seconds: Double)]) {
    for step in steps { say("\(step.name): \(String(format: "%.3f", step.seconds)) s") }
  }
}
