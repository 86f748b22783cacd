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
    let undoing = try clock.measure { _ = try store.undo(.lastWrite) }
    return Leaves(
      opening: opening.seconds, checking: checking.seconds, writing: writing.seconds, undoing: undoing.seconds
    )
  }

  /// Makes the largest document that was seen in a real datastore: 840 leaves of generation 7, which have 1,015 fields between them.
  ///
  /// - Returns: the path of the database.
  public static func makeLargest(in folder: String) throws -> String {
    let builder = try DatastoreBuilder(folder: folder, name: "largest")
    try builder.write { _ = try builder.add("document", largest, in: $0) }
    try builder.close()
    return builder.files.database
  }

  /// Each leaf has all fields of the root, one of them changed, and one of its own.
  private static var largest: [SampleRevision] {
    let shared = (0..<175).map { #""field \#($0)":"As it was in the beginning""# }
    func body(_ leaf: Int, _ generation: Int) -> String {
      var fields = shared
      fields[leaf % shared.count] = #""field \#(leaf % shared.count)":"Leaf \#(leaf), \#(generation)""#
      return "{" + (fields + [#""leaf \#(leaf)":\#(generation)"#]).joined(separator: ",") + "}"
    }
    return [SampleRevision("root", "{" + shared.joined(separator: ",") + "}")]
      + lines(leaves: 840, generations: 7, body)
  }

  private static func revisions(_ leaves: Int, _ generations: Int) -> [SampleRevision] {
    [SampleRevision("root", #"{"stock":0,"title":"Many leaves"}"#)]
      + lines(leaves: leaves, generations: generations) { leaf, generation in
        #"{"stock":\#(leaf),"title":"Generation \#(generation)"}"#
      }
  }

  /// Lines of revisions on the root, one for each leaf.
  private static func lines(
    leaves: Int, generations: Int, _ body: (_ leaf: Int, _ generation: Int) -> String
  ) -> [SampleRevision] {
    (0..<leaves).flatMap { leaf in
      (2...generations).map { generation in
        SampleRevision(
          "\(leaf).\(generation)", on: generation == 2 ? "root" : "\(leaf).\(generation - 1)",
          body(leaf, generation))
      }
    }
  }
}
