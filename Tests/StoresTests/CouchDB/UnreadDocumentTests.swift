import CouchDBServers
import Merging
import Testing

@testable import CouchDBStores
@testable import StoreInterface

/// One document that cannot be read keeps no other from being listed and written.
@Suite struct UnreadDocumentTests {
  let bench: CouchDBBench

  init() throws { bench = try CouchDBBench() }

  private func graft(_ id: String, leaves: Int = 2) throws {
    try bench.database.graft((1...leaves).map { #"{"_id":"\#(id)","_rev":"1-\#($0)","n":\#($0)}"# })
  }

  /// - Parameter levels: of one leaf; the other two are flat.
  private func graftDeep(_ levels: Int) throws {
    let deep = String(repeating: "[", count: levels) + String(repeating: "]", count: levels)
    try bench.database.graft(
      #"{"_id":"deep","_rev":"1-a","v":\#(deep)}"#, #"{"_id":"deep","_rev":"1-b","v":2}"#,
      #"{"_id":"deep","_rev":"1-c","_deleted":true}"#)
  }

  private func write(_ id: String, in store: CouchDBStore) throws -> [CheckedWrite.Outcome] {
    try store.write([plan(id, in: store)].compactMap(\.self), note: nil).map(\.outcome)
  }

  @Test func aLeafNestedTooDeeplyIsOfThatDocumentAlone() throws {
    for number in 1...5 { try graft("d\(number)") }
    try graftDeep(300)
    let store = try bench.open()
    #expect(try summaries(of: store).map(\.id).sorted() == ["d1", "d2", "d3", "d4", "d5", "deep"])
    let deep = try store.conflict("deep")
    #expect(deep.liveLeaves.count == 2 && deep.details.leaves.count == 3)
    #expect(deep.details.notWritable == "a live leaf of it cannot be read, and would be deleted unseen")
    #expect(deep.details.notes.isEmpty, "nobody knows what it descends from")
    let words = deep.liveLeaves.map(\.version).compactMap { version in
      if case .unknown(let reason) = version { reason } else { nil }
    }
    #expect(words == ["it cannot be read: nested deeper than 200 levels"])
    #expect(try write("d3", in: store) == [.fine])
    #expect(throws: StoreError.self) { try store.server.get(["deep"], ["rev": "1-a"]) }
  }

  @Test func itIsFoundByTheDoctorAndNotMended() throws {
    try graftDeep(300)
    let store = try bench.open()
    let found = try findings(of: store)
    #expect(found.map(\.id) == ["unreadable:deep"])
    #expect(found.map(\.canBeMended) == [nil])
    #expect("\(found[0].evidence)" == "A live leaf of it: nested deeper than 200 levels.")
  }

  @Test func anAncestorNestedTooDeeplyIsNotKnown() throws {
    let deep = String(repeating: "[", count: 300) + String(repeating: "]", count: 300)
    try graft("d")
    try bench.database.graft(
      #"{"_id":"deep","_rev":"1-a","v":\#(deep)}"#,
      #"{"_id":"deep","_rev":"2-b","_revisions":{"start":2,"ids":["b","a"]},"v":1}"#,
      #"{"_id":"deep","_rev":"2-c","_revisions":{"start":2,"ids":["c","a"]},"v":2}"#)
    let store = try bench.open()
    #expect(try summaries(of: store).map(\.id).sorted() == ["d", "deep"])
    let conflict = try store.conflict("deep")
    #expect(conflict.details.notWritable == nil)
    let planned = try #require(try plan("deep", in: store, [.record: .take(.client)]))
    #expect(try store.write([planned], note: nil).map(\.outcome) == [.fine])
  }

  /// Libcurl counts whole seconds of silence. On a busy machine one may pass without a word of a server that is asked nothing hard.
  private func patient() throws -> CouchDBStore {
    var patience = CouchDBServer.Patience()
    (patience.usual, patience.long) = (4, 4)
    return try bench.open(patience: patience)
  }

  /// As a server that takes minutes to find five thousand leaves.
  @Test func oneOfManyLeavesIsAskedForAloneAndToldWhereItIsNotAnswered() throws {
    try graft("many", leaves: 60)
    try graft("two")
    let silence = Fault.Effect.neverAnswer(isCarriedOut: false)
    bench.server.faults.add(Fault(silence, path: "_bulk_get"))
    // The other one comes between.
    bench.server.faults.add(Fault(silence, passing: 1, path: "_bulk_get"))
    let walk = try patient().conflicts()
    var found: [RecordConflict] = []
    while let page = try walk.next(limit: 7) { found += page.conflicts ?? [] }
    #expect(found.map(\.id).sorted() == ["many", "two"])
    #expect(found.map(\.liveLeaves.count).sorted() == [2, 60])
    #expect(
      found.compactMap(\.details.notWritable) == [
        "a live leaf of it cannot be read, and would be deleted unseen"
      ])
    #expect(try summaries(of: patient()).count == 2, "and the next time it is answered")
  }
}
