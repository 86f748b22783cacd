import CouchDBServers
import Foundation
import Testing

@testable import CouchDBStores
@testable import StoreInterface

/// The reading of documents before somebody asks for them.
struct DocumentsAheadTests {
  private let bench: CouchDBBench

  /// Seven in conflict, as an earlier pass has found them.
  init() throws {
    bench = try CouchDBBench()
    for number in 1...7 {
      try bench.database.graft(["bb", "aa"].map { #"{"_id":"d\#(number)","_rev":"1-\#($0)"}"# })
    }
    _ = try summaries(of: bench.open(.reading))
  }

  private func rest(_ ahead: DocumentsAhead, behind place: Int64 = 0) throws -> [String?] {
    var (place, found) = (place, [String?]())
    while case let page = try ahead.next(behind: place, limit: 2), let last = page.last {
      (place, found) = (last.place, found + page.map { $0.document?.id })
    }
    return found
  }

  @Test(arguments: 1...8) func eachIsToldOnceWhateverTheGroups(group: Int) throws {
    let found = try rest(DocumentsAhead(bench.open(.reading), group: group))
    #expect(found == (1...7).map { "d\($0)" })
  }

  @Test func theNextGroupIsAskedForBeforeItIsWanted() throws {
    let (gate, ahead) = (Gate(), DocumentsAhead(try bench.open(.reading), group: 3))
    bench.server.faults.add(Fault(.wait(gate), passing: 1, path: "_bulk_get"))
    #expect(try ahead.next(behind: 0, limit: 3).count == 3)
    gate.waitUntilReached()
    gate.open()
  }

  @Test func aGroupThatFailedIsReadAgain() throws {
    let ahead = DocumentsAhead(try bench.open(.reading), group: 3)
    bench.server.faults.add(Fault(.cutAnswer(afterBytes: 30), passing: 1, count: 100, path: "_bulk_get"))
    let first = try ahead.next(behind: 0, limit: 3)
    let place = try #require(first.last?.place)
    #expect(throws: StoreError.self) { try ahead.next(behind: place, limit: 3) }
    bench.server.faults.removeAll()
    #expect(try rest(ahead, behind: place) == (4...7).map { "d\($0)" })
  }

  @Test func whoWaitsNoLongerIsLetGo() throws {
    let store = try bench.open(.reading)
    bench.server.faults.add(Fault(.neverAnswer(isCarriedOut: false), path: "_bulk_get"))
    let ahead = DocumentsAhead(store, group: 3)
    #expect(throws: StoreError.stopped(path: bench.url)) {
      try StoreCall(isWanted: { false }).answered { try ahead.next(behind: 0, limit: 3) }
    }
    bench.server.faults.removeAll()
    #expect(try rest(ahead).count == 7)
  }
}
