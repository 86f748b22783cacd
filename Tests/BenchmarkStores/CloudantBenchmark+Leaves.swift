import CloudantStores
import Merging
import Samples
import StoreInterface

/// One document with as many leaves as the worst that was seen in a real datastore (Sources/CloudantStores/FORMAT.md, "Size"):
/// what a person waits for.
extension CloudantBenchmark {
  public struct Leaves: Sendable {
    /// All in seconds.
    public var opening: Double
    public var checking: Double
    public var writing: Double
    public var undoing: Double
  }

  /// Makes a document with `leaves` live leaves, each at the end of a line of `generations`, and decides it.
  public static func run(in folder: String, leaves: Int, generations: Int) throws -> Leaves {
    let builder = try DatastoreBuilder(folder: folder, name: "leaves")
    try builder.write { _ = try builder.add("document", revisions(leaves, generations), in: $0) }
    try builder.close()
    let store = try CloudantStore.open(path: builder.files.database, access: .writing)
    let clock = ContinuousClock()
    var planned: PlannedWrite?
    let opening = try clock.measure {
      let seen = try store.conflict("document")
      planned = seen.draft(seen.accepting(.yours, in: Resolution())).map {
        PlannedWrite(seen: seen, draft: $0)
      }
    }
    let writes = [planned].compactMap(\.self)
    let checking = try clock.measure { _ = try store.check(writes) }
    let writing = try clock.measure { _ = try store.write(writes, note: nil) }
    let undoing = try clock.measure { _ = try store.undoLastWrite() }
    return Leaves(
      opening: opening.seconds, checking: checking.seconds, writing: writing.seconds, undoing: undoing.seconds
    )
  }

  private static func revisions(_ leaves: Int, _ generations: Int) -> [SampleRevision] {
    let root = SampleRevision("root", #"{"stock":0,"title":"Many leaves"}"#)
    return [root]
      + (0..<leaves).flatMap { leaf in
        (2...generations).map { generation in
          SampleRevision(
            "\(leaf).\(generation)", on: generation == 2 ? "root" : "\(leaf).\(generation - 1)",
            #"{"stock":\#(leaf),"title":"Generation \#(generation)"}"#)
        }
      }
  }
}
