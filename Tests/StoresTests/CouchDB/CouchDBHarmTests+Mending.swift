import CouchDBServers
import Testing

@testable import CouchDBStores
@testable import StoreInterface

/// What mends a finding deletes leaves: those that somebody saw, and no others.
extension CouchDBHarmTests {
  private static let moved = CheckedWrite.Outcome.moved("it is not what was shown any more")

  private func found(_ id: Finding.ID) throws -> Finding {
    try #require(try findings(of: try bench.open()).first { $0.id == id })
  }

  private func mend(_ seen: Finding) throws -> [CheckedWrite.Outcome] {
    try bench.open().mend(seen: seen).map(\.outcome)
  }

  @Test func anEditThatCameInSinceIsNotDeletedForTheOneThatWasSeen() throws {
    try bench.database.graft(
      #"{"_id":"d","_rev":"1-a","n":0}"#,
      #"{"_id":"d","_rev":"2-d","_revisions":{"start":2,"ids":["d","a"]},"_deleted":true}"#,
      #"{"_id":"d","_rev":"2-b","_revisions":{"start":2,"ids":["b","a"]},"n":1}"#)
    let seen = try found("deletion-lost:d")
    #expect(seen.differences.map(\.name) == ["n"] && seen.differences.allSatisfy { $0.after == nil })
    try bench.database.edit(#"{"_id":"d","_rev":"2-b","n":2}"#)
    #expect(try mend(seen) == [Self.moved])
    #expect(try contents("d") == [#"{"n":2}"#])
    #expect(try mend(found(seen.id)) == [.fine])
    #expect(try contents("d").isEmpty)
  }

  @Test func anOldBranchThatCameInSinceIsNotDeletedWithTheOneThatWasSeen() throws {
    try bench.database.graft(
      #"{"_id":"d","_rev":"9-a","_revisions":{"start":9,"ids":["a","x"]},"n":9}"#,
      #"{"_id":"d","_rev":"2-c","n":2}"#)
    let seen = try found("spurious:d")
    try bench.database.graft(#"{"_id":"d","_rev":"3-b","n":3}"#)
    #expect(try mend(seen) == [Self.moved])
    #expect(try contents("d").count == 3)
    #expect(try mend(found(seen.id)) == [.fine])
    #expect(try contents("d") == [#"{"n":9}"#])
  }
}
