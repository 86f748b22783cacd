import BenchmarkStores
import Foundation

/// A store of a size, made once and kept for the next time.
struct BenchmarkStore {
  let path: String
  let words: String
  /// Of its first conflict.
  let title: String

  init(
    in folder: String, records: Int, conflicts: Int, uploaded: Int = .max, isCaptured: Bool = false
  ) throws {
    self.title = "Reminder 0"
    words = "\(records) records, \(conflicts) \(isCaptured ? "captured conflicts" : "conflicts")"
    path = try Self.made(words, "\(folder)/\(records)-\(conflicts)\(isCaptured ? "-captured" : "")") {
      try LargeStore.make(
        in: $0, records: records, conflicts: conflicts, uploaded: uploaded, isCaptured: isCaptured)
    }
  }

  /// A datastore of documents that are all in conflict.
  init(in folder: String, documents: Int) throws {
    self.title = "Document 1 of a large datastore"
    words = "\(documents) documents in conflict"
    path = try Self.made(words, "\(folder)/documents-\(documents)") {
      try CloudantBenchmark.make(in: $0, documents: documents, every: 1)
    }
  }

  /// A container of files that are all in conflict.
  init(in folder: String, files: Int) throws {
    self.title = "note-1.txt"
    words = "\(files) files in conflict"
    path = try Self.made(words, "\(folder)/files-\(files)") {
      try LargeContainer.make(in: $0, files: files)
    }
  }

  /// The largest document that was seen.
  init(largestIn folder: String) throws {
    self.title = "document"
    words = "one document with 1,015 fields and 840 leaves"
    path = try Self.made(words, "\(folder)/largest") { try CloudantBenchmark.makeLargest(in: $0) }
  }

  /// One document with a text of `bytes`.
  init(in folder: String, bytes: Int) throws {
    self.title = LongTextStore.title
    words = "a text of \(bytes) bytes"
    path = try Self.made(words, "\(folder)/text-\(bytes)") { try LongTextStore.make(in: $0, bytes: bytes) }
  }

  /// - Returns: the path of the database in `folder`.
  private static func made(
    _ words: String, _ folder: String, _ make: (String) throws -> String
  ) throws -> String {
    let unfinished = "\(folder).unfinished"
    let name = folder + "/path"
    // A folder that is there is complete: it gets its name last.
    if let path = try? String(contentsOfFile: name, encoding: .utf8) { return folder + path }
    try? FileManager.default.removeItem(atPath: unfinished)
    say("Making a store of \(words)...")
    let path = String(try make(unfinished).dropFirst(unfinished.count))
    try path.write(toFile: unfinished + "/path", atomically: true, encoding: .utf8)
    try? FileManager.default.removeItem(atPath: folder)
    try FileManager.default.moveItem(atPath: unfinished, toPath: folder)
    return folder + path
  }
}
