import CouchDBServers
import Merging
import Telling
import Testing

@testable import CouchDBStores
@testable import StoreInterface

/// A server that sends what takes more memory than bytes.
@Suite struct TooManyValuesTests {
  /// A list of one more than there may be.
  static let list = Array(("[" + String(repeating: "1,", count: CouchDBServer.mostValues) + "1]").utf8)

  let bench: CouchDBBench

  init() throws { bench = try CouchDBBench() }

  private func graft(_ id: String) throws {
    try bench.database.graft(#"{"_id":"\#(id)","_rev":"1-b","n":1}"#, #"{"_id":"\#(id)","_rev":"1-a","n":2}"#)
  }

  private var tooMany: StoreError { .server(path: bench.url, .tooMany(values: CouchDBServer.mostValues)) }

  @Test func anAnswerOfThemIsRefused() throws {
    bench.server.faults.add(Fault(.answer(status: 200, body: TooManyValuesTests.list), path: "shop"))
    #expect(throws: tooMany) { try bench.open(.reading) }
    let words = "sends more than 4 million values in one answer, which no database does. Check the address."
    #expect("\(tooMany)".hasSuffix(words), "\(tooMany)")
  }

  @Test(arguments: [
    #"{"results":[\#n{"seq":"1-x","id":"d","changes":VALUES}\#n],"#,
    #"{"results":[\#n],\#n"last_seq":VALUES}"#,
  ])
  func aLineOfChangesWithThemIsRefused(text: String) throws {
    let parts = text.split(separator: "VALUES").map { Array($0.utf8) }
    let store = try bench.open(.reading)
    bench.server.faults.add(
      Fault(.answer(status: 200, body: parts[0] + TooManyValuesTests.list + parts[1]), path: "_changes"))
    #expect(throws: tooMany) { try summaries(of: store) }
  }

  /// They are asked for together first.
  @Test func aDocumentOfThemIsListedAsOneThatCannotBeRead() throws {
    try graft("many")
    try graft("other")
    bench.server.faults.add(
      Fault(.answer(status: 200, body: TooManyValuesTests.list), count: 99) {
        $0.path.hasSuffix("_bulk_get") && String(decoding: $0.body, as: UTF8.self).contains("many")
      })
    let found = try conflicts(of: bench.open(.reading), limit: 9)
    #expect(found.map(\.id).sorted() == ["many", "other"])
    let words = found.flatMap(\.liveLeaves).map(\.version).compactMap { version in
      if case .unknown(let reason) = version { reason } else { nil }
    }
    let word = "it cannot be read: it has more than 4 million values"
    #expect(words.map { "\($0)" } == [word, word])
  }
}
