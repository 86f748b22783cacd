import ExactJSON
import Testing

@testable import CouchDBServers

/// The rules by which our CouchDB keeps revisions: what tests of Parley's own client stand on.
@Suite struct LoopbackTreeTests {
  private let server: LoopbackCouchDB
  private let desk: LoopbackDatabase
  private let client: LoopbackClient

  init() throws {
    server = try LoopbackCouchDB()
    desk = try server.makeDatabase("desk")
    client = try LoopbackClient(server.url)
  }

  private static let ancestor = #"{"_id":"a","_rev":"1-aa","title":"Buy milk"}"#
  private static let winner = branch("2-cc", "Buy oat milk")
  private static let loser = branch("2-bb", "Buy 2 milk")

  private static func branch(_ revision: String, _ title: String) -> String {
    let suffix = revision.dropFirst(2)
    let history = #"{"start":2,"ids":["\#(suffix)","aa"]}"#
    return #"{"_id":"a","_rev":"\#(revision)","_revisions":\#(history),"title":"\#(title)"}"#
  }

  private func read(_ path: String) throws -> JSON {
    try JSON(asWritten: client.ask("GET", "/desk/" + path).body)
  }

  private func texts(_ json: JSON?) -> [String] { (json?.elements ?? []).compactMap(\.text) }

  /// Ids that a real server gave; facts of the format, so they stand here.
  @Test func idsFollowFromParentAndBodyAlone() throws {
    #expect(try desk.edit(#"{"_id":"x","v":1}"#) == "1-7a7e4b29f3af401e69b6f86e4c26b727")
    try desk.graft(#"{"_id":"y","_rev":"3-y"}"#)
    #expect(
      try desk.edit(#"{"_id":"y","_rev":"3-y","_deleted":true}"#) == "4-d26e5ac49d2e57bab383aca4cfa641cb")
  }

  @Test(.enabled(if: CloudantCases.areThere, "needs ../shared/cases/cloudant.json"))
  func idsComeOutAsOnACouchDB() throws {
    let vectors = try CloudantCases().list("couchdbRevIdVectors")
    #expect(vectors.count >= 5)
    for vector in vectors {
      let body = try JSON(couchDB: Array((vector["bodyInKeyOrder"]?.string ?? "").utf8))
      let id = CouchDBRevisionID.made(
        parent: vector["prev"]?.string, isDeleted: vector["deleted"]?.bool == true, body: body.members ?? [])
      #expect(id == vector["rev"]?.string)
    }
  }

  @Test func theOrderInWhichRevisionsComeMakesNoDifference() throws {
    let documents = [LoopbackTreeTests.ancestor, LoopbackTreeTests.winner, LoopbackTreeTests.loser]
    for (place, order) in [[0, 1, 2], [0, 2, 1], [1, 2, 0], [2, 1, 0], [1, 0, 2], [2, 0, 1]].enumerated() {
      let other = try server.makeDatabase("order\(place)")
      for index in order { try other.graft(documents[index]) }
      for index in order { try other.graft(documents[index]) }
      #expect(try other.leaves(of: "a") == ["2-cc", "2-bb"])
    }
  }

  @Test func aRootWhoseHistoryIsToldLaterHasAParentFromThenOn() throws {
    try desk.graft(#"{"_id":"a","_rev":"2-cc","v":2}"#, #"{"_id":"a","_rev":"1-aa","v":1}"#)
    #expect(try desk.leaves(of: "a") == ["2-cc", "1-aa"])
    try desk.graft(#"{"_id":"a","_rev":"3-dd","_revisions":{"start":3,"ids":["dd","cc","aa"]},"v":3}"#)
    #expect(try desk.leaves(of: "a") == ["3-dd"])
  }

  @Test func aMergeAndATombstoneResolveAConflict() throws {
    try desk.graft(LoopbackTreeTests.ancestor, LoopbackTreeTests.winner, LoopbackTreeTests.loser)
    #expect(texts(try read("a?conflicts=true")["_conflicts"]) == ["2-bb"])
    let merge = try desk.edit(#"{"_id":"a","_rev":"2-cc","title":"Buy 2 oat milk"}"#)
    let tombstone = try desk.edit(#"{"_id":"a","_rev":"2-bb","_deleted":true}"#)
    let resolved = try read("a?conflicts=true&deleted_conflicts=true&revs=true")
    #expect(resolved["_rev"]?.text == merge)
    #expect(resolved["_conflicts"] == nil)
    #expect(texts(resolved["_deleted_conflicts"]) == [tombstone])
    #expect(try read("a?rev=1-aa")["title"]?.text == "Buy milk")
  }

  @Test func whatIsNoLeafCannotBeExtended() throws {
    try desk.graft(LoopbackTreeTests.ancestor, LoopbackTreeTests.winner)
    #expect(throws: ServerRefusal.conflict) { try desk.edit(#"{"_id":"a","_rev":"1-aa","title":"late"}"#) }
    #expect(throws: ServerRefusal.conflict) { try desk.edit(#"{"_id":"a","title":"no revision"}"#) }
    #expect(try desk.leaves(of: "a") == ["2-cc"])
  }

  @Test func twoDesksThatDecideAlikeEndInOneLeafWhateverIsReplicatedFirst() throws {
    for (place, isForth) in [true, false].enumerated() {
      let other = try server.makeDatabase("other\(place)")
      let mine = try server.makeDatabase("mine\(place)")
      for database in [mine, other] {
        try database.graft(LoopbackTreeTests.ancestor, LoopbackTreeTests.winner, LoopbackTreeTests.loser)
        try database.edit(#"{"_id":"a","_rev":"2-cc","title":"Buy 2 oat milk"}"#)
        try database.edit(#"{"_id":"a","_rev":"2-bb","_deleted":true}"#)
      }
      let (first, second) = isForth ? (mine, other) : (other, mine)
      try first.replicate(to: second)
      try second.replicate(to: first)
      #expect(try mine.leaves(of: "a") == other.leaves(of: "a"))
      #expect(try mine.leaves(of: "a").count == 2)
    }
  }

  @Test func aReplicaHasLeavesAndHistoriesButNoAncestors() throws {
    let replica = try server.makeDatabase("replica")
    try desk.graft(LoopbackTreeTests.ancestor, LoopbackTreeTests.winner, LoopbackTreeTests.loser)
    try desk.replicate(to: replica)
    #expect(try replica.leaves(of: "a") == ["2-cc", "2-bb"])
    #expect(try client.ask("GET", "/replica/a?rev=1-aa").status == 404)
    let answer = try client.ask("GET", "/replica/a?revs=true")
    #expect(texts(try JSON(asWritten: answer.body)["_revisions"]?["ids"]) == ["cc", "aa"])
  }

  @Test func compactionKeepsWhatLeavesHold() throws {
    try desk.graft(LoopbackTreeTests.ancestor, LoopbackTreeTests.winner, LoopbackTreeTests.loser)
    try desk.compact()
    #expect(try client.ask("GET", "/desk/a?rev=1-aa").status == 404)
    #expect(try read("a?rev=2-bb")["title"]?.text == "Buy 2 milk")
  }

  @Test func aHistoryIsCutAtItsLimit() throws {
    try desk.setRevisionsLimit(2)
    let first = try desk.edit(#"{"_id":"s","v":1}"#)
    let second = try desk.edit(#"{"_id":"s","_rev":"\#(first)","v":2}"#)
    try desk.edit(#"{"_id":"s","_rev":"\#(second)","v":3}"#)
    #expect(texts(try read("s?revs=true")["_revisions"]?["ids"]).count == 2)
    #expect(try client.ask("GET", "/desk/s?rev=\(first)").status == 404)
  }

  @Test func aPurgedLeafTakesItsBranchAlong() throws {
    try desk.graft(LoopbackTreeTests.ancestor, LoopbackTreeTests.winner, LoopbackTreeTests.loser)
    #expect(try desk.purge("a", ["2-cc", "1-aa"]) == ["2-cc"])
    #expect(try desk.leaves(of: "a") == ["2-bb"])
    #expect(try desk.purge("a", ["2-bb"]) == ["2-bb"])
    #expect(try desk.leaves(of: "a") == [])
  }

  @Test func oneBadRowFailsAllAndARefusedOneItselfOnly() throws {
    let bad = #"{"docs":[{"_id":"good","v":1},{"_id":"_bad","v":1}]}"#
    #expect(try client.ask("POST", "/desk/_bulk_docs", bad).status == 400)
    #expect(try client.ask("GET", "/desk/good").status == 404)
    try desk.setValidation { write throws(ValidationRefusal) in
      if write.document["v"]?.integer == 2 { throw .forbidden("not 2") }
    }
    let refused = #"{"docs":[{"_id":"one","v":1},{"_id":"two","v":2}]}"#
    let rows = try JSON(asWritten: client.ask("POST", "/desk/_bulk_docs", refused).body).elements
    #expect(rows?.map { $0["error"]?.text } == [nil, "forbidden"])
  }

  @Test(arguments: [
    ("1.10", "1.1"), ("1E5", "100000.0"), ("-0.0", "0.0"), ("1e-7", "1e-7"), ("1e-6", "0.000001"),
    ("1e20", "100000000000000000000.0"), ("1e21", "1e+21"),
    ("12345678901234567890123", "12345678901234567890123"),
    ("123.456e-2", "1.23456"), ("-2.5e-10", "-2.5e-10"), ("-0", "0"), ("5e-324", "0.0"), ("0.1", "0.1"),
  ])
  func numbersAreShownAsCouchDBShowsThem(sent: String, shown: String) throws {
    try desk.edit(#"{"_id":"n","v":\#(sent)}"#)
    #expect(try read("n")["v"]?.asWritten == shown)
  }
}
