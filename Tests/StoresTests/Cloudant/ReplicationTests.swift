import Merging
import TerminalTestSupport
import Testing

@testable import CloudantStores
@testable import RevisionTrees
@testable import StoreInterface

/// Laws of deciding on several devices, over random trees that are the same in each run. What replicates is played by
/// ``Replica``, by the library's rules.
@Suite struct ReplicationTests {
  static let seeds = Array(1...12 as ClosedRange<UInt64>)

  /// A document with several live leaves, made by edits, deletions and branches.
  private func conflicted(_ random: inout FixedRandom, _ platform: DatastoreSchema.Platform = .ios) throws
    -> Replica
  {
    let replica = try Replica(platform: platform)
    try replica.create("doc", body(&random))
    for step in 0... {
      let tree = try replica.tree("doc")
      if step >= 6 && tree.isConflict { break }
      let parent = try #require(tree.revisions.randomElement(using: &random)).id
      switch Int.random(in: 0..<8, using: &random) {
      case 0: try replica.create("doc", body(&random))
      case 1 where tree.liveLeaves.count > 1:
        let leaf = try #require(tree.liveLeaves.randomElement(using: &random))
        try replica.edit("doc", on: tree.revisions[leaf].id, "", isDeleted: true)
      default: try replica.edit("doc", on: parent, body(&random))
      }
    }
    return replica
  }

  private func body(_ random: inout FixedRandom) -> String {
    let values = (0..<3).map { _ in Int.random(in: 0..<4, using: &random) }
    return #"{"a":\#(values[0]),"b":\#(values[1]),"n":{"p":\#(values[2])}}"#
  }

  private func decide(_ replica: Replica, _ choices: [Subject: Choice] = [:]) throws {
    #expect(try replica.datastore.open().resolve("doc", choices) == .fine)
  }

  private func live(_ replica: Replica) throws -> [String] {
    let revisions = try replica.revisions("doc")
    return RevisionTree(revisions).liveLeaves.compactMap { revisions[$0].body }
  }

  private func expectAgreement(_ replicas: [Replica]) throws {
    let stores = try replicas.map { try $0.datastore.open(.reading) }
    for (replica, store) in zip(replicas, stores).dropFirst() {
      let difference = try replica.content("doc").symmetricDifference(replicas[0].content("doc"))
      #expect(difference.isEmpty, "\(difference.sorted())")
      #expect(try store.tree("doc")?.winner == stores[0].tree("doc")?.winner)
      #expect(try summaries(of: store) == summaries(of: stores[0]))
    }
    for replica in replicas {
      #expect(try replica.datastore.integrity() == "ok")
      #expect(try findings(of: replica.datastore.open(.reading)).allSatisfy { !$0.id.hasPrefix("flags") })
    }
  }

  @Test(arguments: seeds)
  func desksThatDecideAlikeMakeTheSameRevisions(seed: UInt64) throws {
    var random = FixedRandom(state: seed)
    let first = try conflicted(&random)
    let second = try Replica(copyOf: first.datastore)
    for replica in [first, second] { try decide(replica) }
    let rows = try first.datastore.rows("doc")
    #expect(try second.datastore.rows("doc") == rows)
    try Replica.replicate(first, second)
    #expect(try first.datastore.rows("doc") == rows && second.datastore.rows("doc") == rows)
    #expect(try live(first).count == 1)
  }

  @Test(arguments: seeds)
  func desksThatDecideOtherwiseMakeAConflictAndLoseNothing(seed: UInt64) throws {
    var random = FixedRandom(state: seed)
    let first = try conflicted(&random)
    let second = try Replica(copyOf: first.datastore)
    try decide(first, [.field("a"): .edit(.integer(101))])
    try decide(second, [.field("a"): .edit(.integer(102))])
    let drafts = try live(first) + live(second)
    #expect(drafts.count == 2)
    try Replica.replicate(first, second)
    try expectAgreement([first, second])
    #expect(try live(first).sorted() == drafts.sorted())
    try decide(second)
    try Replica.replicate(first, second)
    #expect(try live(first).count == 1)
    try expectAgreement([first, second])
  }

  @Test(arguments: seeds)
  func keepingWhicheverLeafDeletesTheDocumentNowhere(seed: UInt64) throws {
    var random = FixedRandom(state: seed)
    let first = try conflicted(&random)
    let second = try Replica(copyOf: first.datastore)
    let seen = try first.datastore.open(.reading).conflict("doc")
    try decide(first, seen.taking(.client, in: Resolution()).choices)
    try decide(second, seen.taking(.server, in: Resolution()).choices)
    let drafts = try Set(live(first) + live(second))
    try Replica.replicate(first, second)
    try expectAgreement([first, second])
    #expect(try drafts == Set(live(first)))
  }

  /// Whether a revision was deleted by one and continued by another.
  private func looksResolvedBothWays(_ tree: RevisionTree) -> Bool {
    tree.children.contains { Set($0.map { tree.revisions[$0].isDeleted }).count == 2 }
  }

  /// A deletion on one desk and a merge on the other: the merge stays, and the deletion is told as lost, unless the branches
  /// looked before as two resolutions leave them.
  @Test(arguments: seeds)
  func aDeletionAgainstAMergeIsSeen(seed: UInt64) throws {
    var random = FixedRandom(state: seed)
    let first = try conflicted(&random)
    let looksResolved = looksResolvedBothWays(try first.tree("doc"))
    let second = try Replica(copyOf: first.datastore)
    try decide(first)
    let store = try second.datastore.open()
    let planned = PlannedWrite(seen: try store.conflict("doc"), draft: Draft(id: "doc", action: .delete))
    #expect(try store.write([planned], note: nil).map(\.outcome) == [.fine])
    let draft = try live(first)
    try Replica.replicate(first, second)
    try expectAgreement([first, second])
    #expect(try live(first) == draft)
    let isTold = try findings(of: first.datastore.open(.reading)).map(\.id).contains("deletion-lost:doc")
    #expect(isTold || looksResolved)
  }

  /// Three devices edit, delete, decide, undo and replicate in any order. In the end all agree; one desk decides what is left,
  /// and all agree on that too.
  @Test(arguments: seeds)
  func whateverHappensAllAgreeInTheEnd(seed: UInt64) throws {
    var random = FixedRandom(state: seed)
    let first = try conflicted(&random)
    let replicas = try [first] + (1...2).map { _ in try Replica(copyOf: first.datastore) }
    for _ in 0..<10 {
      let replica = try #require(replicas.randomElement(using: &random))
      let tree = try replica.tree("doc")
      switch Int.random(in: 0..<5, using: &random) {
      case 0, 1: try Replica.replicate(replica, try #require(replicas.randomElement(using: &random)))
      case 2:
        guard let leaf = tree.liveLeaves.randomElement(using: &random) else { break }
        try replica.edit("doc", on: tree.revisions[leaf].id, body(&random))
      case 3 where tree.isConflict: try decide(replica)
      default:
        // Refused where nothing was written, or where the document went on since.
        _ = try? replica.datastore.open().undoLastWrite()
      }
    }
    for _ in 1...2 { for replica in replicas { for other in replicas { try replica.pull(from: other) } } }
    try expectAgreement(replicas)
    if try replicas[0].tree("doc").isConflict { try decide(replicas[0]) }
    for replica in replicas.dropFirst() { try Replica.replicate(replicas[0], replica) }
    try expectAgreement(replicas)
    #expect(try live(replicas[1]).count <= 1)
  }

  /// Ids are random there, so desks that decide alike make two revisions of one content, which nobody has to decide.
  @Test(arguments: seeds.prefix(4))
  func onAndroidTheSameDecisionTwiceIsAConflictWithoutADifference(seed: UInt64) throws {
    var random = FixedRandom(state: seed)
    let first = try conflicted(&random, .android)
    let second = try Replica(copyOf: first.datastore, platform: .android)
    for replica in [first, second] { try decide(replica) }
    let drafts = try live(first) + live(second)
    try Replica.replicate(first, second)
    try expectAgreement([first, second])
    #expect(try live(first).sorted() == drafts.sorted() && Set(drafts).count == 1)
    #expect(try summaries(of: first.datastore.open(.reading)).allSatisfy { $0.certainty == .sure })
    try decide(first)
    try Replica.replicate(first, second)
    #expect(try live(second).count == 1)
  }

  /// A document that keeping both makes begins with a revision of its own: where ids are random, with one of each desk.
  @Test(arguments: [DatastoreSchema.Platform.ios, .android])
  func keepingBothTwiceMakesOneDocumentWhichHasTwoRootsOnAndroid(platform: DatastoreSchema.Platform) throws {
    let first = try Replica(platform: platform)
    let root = try first.create("doc", #"{"a":1}"#)
    for value in 2...3 { try first.edit("doc", on: root, #"{"a":\#(value)}"#) }
    let second = try Replica(copyOf: first.datastore, platform: platform)
    for replica in [first, second] { try decide(replica, [.record: .alternative(KeptApart.id)]) }
    try Replica.replicate(first, second)
    for replica in [first, second] {
      let names = try replica.documents()
      let copy = try #require(names.last)
      #expect(names.count == 2 && copy.hasPrefix("doc-copy-2-"))
      let bodies = try replica.revisions(copy).map(\.body)
      #expect(bodies.count == (platform == .ios ? 1 : 2) && Set(bodies).count == 1)
      let store = try replica.datastore.open(.reading)
      #expect(try summaries(of: store).map(\.id).contains(copy) == (platform == .android))
      #expect(try findings(of: store).map(\.id) == (platform == .ios ? [] : ["two-roots:\(copy)"]))
    }
  }
}
