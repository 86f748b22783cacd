import BenchmarkStores
import Foundation

/// A store of a size, made once and kept for the next time.
struct BenchmarkStore {
  let path: String
  let words: String

  init(in folder: String, records: Int, conflicts: Int) throws {
    let folder = "\(folder)/\(records)-\(conflicts)"
    words = "\(records) records, \(conflicts) conflicts"
    path = folder + "/Large.sqlite"
    // A folder that is there is complete: it gets its name last.
    guard !FileManager.default.fileExists(atPath: folder) else { return }
    let unfinished = "\(folder).unfinished"
    try? FileManager.default.removeItem(atPath: unfinished)
    say("Making a store of \(words)...")
    _ = try LargeStore.make(in: unfinished, records: records, conflicts: conflicts)
    try FileManager.default.moveItem(atPath: unfinished, toPath: folder)
  }
}
