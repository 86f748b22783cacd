import CloudantStores
import Foundation
import GRDB
import Merging
import Samples
import StoreInterface

/// A datastore of any size, and how long its first page takes. For `parley benchmark-cloudant`, which Tests/README.md names.
public enum CloudantBenchmark {
  public struct Result: Sendable {
    public var documents: Int
    /// All in seconds. Making the datastore is no part of what a person waits for.
    public var making: Double
    public var opening: Double
    public var firstPage: Double
    /// The walk over all conflicts, page by page.
    public var all: Double
    public var conflicts: Int
  }

  /// Makes a datastore with `documents` documents of two revisions each, every hundredth of them in conflict, and lists it.
  ///
  /// - Throws: ``StoreError/writeFailed(path:detail:)`` if there is one in `folder` already.
  public static func run(in folder: String, documents: Int) throws -> Result {
    let clock = ContinuousClock()
    var path = ""
    let making = try clock.measure { path = try make(in: folder, documents: documents) }
    var walk: (any ConflictWalk)?
    let opening = try clock.measure { walk = try CloudantStore.open(path: path).conflicts() }
    var conflicts = 0
    let firstPage = try clock.measure { conflicts = try walk?.next(limit: 100)?.summaries.count ?? 0 }
    let all = try clock.measure {
      while let page = try walk?.next(limit: 1000) { conflicts += page.summaries.count }
    }
    return Result(
      documents: documents, making: making.seconds, opening: opening.seconds, firstPage: firstPage.seconds,
      all: firstPage.seconds + all.seconds, conflicts: conflicts)
  }

  /// - Parameter every: one of so many documents is in conflict.
  /// - Returns: the path of the database.
  public static func make(in folder: String, documents: Int, every: Int = 100) throws -> String {
    let builder = try DatastoreBuilder(folder: folder, name: "large")
    for start in stride(from: 1, through: documents, by: 10_000) {
      try builder.write { db in
        for number in start..<min(start + 10_000, documents + 1) {
          _ = try builder.add(
            "document-\(number)", revisions(number, isConflict: number % every == 0), in: db)
        }
      }
    }
    try builder.close()
    return builder.files.database
  }

  private static func revisions(_ number: Int, isConflict: Bool) -> [SampleRevision] {
    func body(_ stock: Int) -> String {
      #"{"stock":\#(stock),"title":"Document \#(number) of a large datastore"}"#
    }
    let line = [SampleRevision("a", body(1)), SampleRevision("b", on: "a", body(2))]
    return isConflict ? line + [SampleRevision("c", on: "a", body(3))] : line
  }
}

extension Duration {
  var seconds: Double {
    Double(components.seconds) + Double(components.attoseconds) / 1e18
  }
}
