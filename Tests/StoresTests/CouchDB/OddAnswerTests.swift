import CouchDBServers
import ExactJSON
import Merging
import Telling
import Testing

@testable import CouchDBStores
@testable import StoreInterface

/// A server, or what lies before it, that gives an answer to another question.
@Suite struct OddAnswerTests {
  let bench: CouchDBBench

  init() throws { bench = try CouchDBBench() }

  private func graft(_ ids: String...) throws {
    for id in ids {
      try bench.database.graft(
        #"{"_id":"\#(id)","_rev":"1-b","n":1}"#, #"{"_id":"\#(id)","_rev":"1-a","n":2}"#)
    }
  }

  private func add(_ effect: Fault.Effect, count: Int = 99, path: String) {
    bench.server.faults.add(Fault(effect, count: count, path: path))
  }

  /// What is thrown; nil where nothing is.
  private func refusal(_ body: () throws -> Void) throws -> StoreError? {
    do { try body() } catch let error as StoreError { return error }
    return nil
  }

  @Test(arguments: ["_bulk_get", "_changes", "shop"])
  func whereACallIsSentOnTheDatabaseIsNamed(call: String) throws {
    try graft("d")
    let there = "https://elsewhere/couch/shop"
    let address = call == "shop" ? there : there + "/\(call)?feed=longpoll"
    let store = try bench.open(.reading)
    add(.answer(status: 307, headers: [(name: "Location", value: address)]), path: call)
    let error = try refusal {
      if call == "shop" { _ = try bench.open(.reading) } else { _ = try summaries(of: store) }
    }
    #expect(error == .server(path: bench.url, .redirected(to: there)))
  }

  /// To another database of the same server, whose name is left out, or to the call itself.
  @Test(arguments: [
    ("/db2/_changes?x=1", "db2"), ("../db2/_changes", "db2"), ("/shop/_changes?x=1", "shop"),
    ("?x=1", "shop"), ("/shop/_all_docs", "shop"),
  ])
  func whereACallIsSentOnWithinItsServerTheDatabaseIsNamed(location: String, database: String) throws {
    try graft("d")
    let store = try bench.open(.reading)
    add(.answer(status: 307, headers: [(name: "Location", value: location)]), path: "_changes")
    let error = try #require(try refusal { _ = try summaries(of: store) })
    let there = bench.server.url + "/" + database
    #expect(error == .server(path: bench.url, .redirected(to: there)))
    let way =
      database == "shop" ? " sends the call on to itself, " : " sends on to \(there), where nothing was sent."
    #expect(error.words.hasPrefix(bench.url + way), "\(error.words)")
  }

  /// It lies beside the database: the letters of its address do not begin with the database's.
  @Test func whereTheSessionIsSentOnNothingIsCutOffItsAddress() throws {
    let there = "https://elsewhere/couch/_session"
    add(.answer(status: 307, headers: [(name: "Location", value: there)]), path: "_session")
    let error = try refusal { _ = try bench.open(.reading) }
    #expect(error == .server(path: bench.url, .redirected(to: there)))
  }

  /// A page to log in at is no database.
  @Test func whereItIsSentElsewhereThatIsNamed() throws {
    try graft("d")
    let store = try bench.open(.reading)
    let page = "https://elsewhere/login"
    add(.answer(status: 302, headers: [(name: "Location", value: page)]), path: "_changes")
    let error = try refusal { _ = try summaries(of: store) }
    #expect(error == .server(path: bench.url, .redirected(to: page)))
  }

  @Test(arguments: ["_bulk_docs", "_bulk_get"]) func moreRowsThanWereAskedForAreNotCutOff(call: String) throws
  {
    try graft("d")
    let (store, isWrite) = (try bench.open(), call == "_bulk_docs")
    let planned = try #require(try plan("d", in: store))
    let row = isWrite ? #"{"ok":true,"id":"d","rev":"2-x"}"# : #"{"id":"d","docs":[]}"#
    let rows = "[" + Array(repeating: row, count: 8).joined(separator: ",") + "]"
    let body = isWrite ? rows : #"{"results":\#(rows)}"#
    add(.answer(status: isWrite ? 201 : 200, body: Array(body.utf8)), path: call)
    guard isWrite else {
      let trouble = ServerTrouble.astray("it answers for 8 documents, and was asked about 1")
      #expect(try refusal { _ = try summaries(of: store) } == .server(path: bench.url, trouble))
      return
    }
    guard case .notKnown(let told)? = try store.write([planned], note: nil).map(\.outcome).first else {
      Issue.record("nobody can know it")
      return
    }
    #expect(told.contains("it answers for 8 revisions, and was asked about "), "\(told)")
    bench.server.faults.removeAll()
    #expect(try bench.open().interruptedWrites().flatMap(\.records).map(\.state) == [.awaited])
  }

  /// The one would vanish from the list, and the other be there twice.
  @Test(arguments: [
    #"{"id":"b","docs":[{"ok":{"_id":"b","_rev":"1-a","n":1}}]}"#,
    #"{"id":"a","docs":[{"ok":{"_id":"b","_rev":"1-a","n":1}}]}"#,
  ])
  func anAnswerForAnotherDocumentIsNotBelieved(first: String) throws {
    try graft("a", "b")
    let other = #"{"id":"b","docs":[{"ok":{"_id":"b","_rev":"1-a","n":1}}]}"#
    let store = try bench.open(.reading)
    add(.answer(status: 200, body: Array(#"{"results":[\#(first),\#(other)]}"#.utf8)), path: "_bulk_get")
    let error = try #require(try refusal { _ = try summaries(of: store) })
    guard case .server(bench.url, .astray(let detail)) = error else {
      Issue.record("\(error)")
      return
    }
    #expect(detail.hasSuffix(" another document than it was asked about"), "\(detail)")
    let way = "Look at the proxy before it, if there is one, or ask whoever runs the database."
    #expect(error.words == "\(bench.url) gives an answer to another question: \(detail). \(way)")
    bench.server.faults.removeAll()
    #expect(try summaries(of: store).map(\.id).sorted() == ["a", "b"])
  }

  @Test(arguments: [#"{"start":7,"ids":["b"]}"#, #"{"start":1,"ids":["c"]}"#])
  func aRevisionWithTheHistoryOfAnotherCannotBeRead(history: String) throws {
    try graft("d")
    let store = try bench.open(.reading)
    let told = #"""
      {"results":[{"id":"d","docs":[{"ok":{"_id":"d","_rev":"1-b","n":1,"_revisions":\#(history)}},
      {"ok":{"_id":"d","_rev":"1-a","n":2,"_revisions":{"start":1,"ids":["a"]}}}]}]}
      """#
    add(.answer(status: 200, body: Array(told.utf8)), path: "_bulk_get")
    let document = try #require(try store.server.leafDocuments(["d"]).first)
    #expect(document.leaves == ["1-a", "1-b"])
    let why = "the server tells the history of another one"
    #expect(document.unreadLeaf.map { "\($0)" } == why)
    let conflict = try #require(document.conflict(MergeRules()))
    #expect(conflict.details.notWritable == "a live leaf of it cannot be read, and would be deleted unseen")
  }

  /// The row that tells it says so. Nobody else does where the document is not answered for by itself.
  @Test func aDeletionWithTheHistoryOfAnotherIsOneAllTheSame() throws {
    try bench.database.graft(
      #"{"_id":"d","_rev":"1-b","_deleted":true}"#, #"{"_id":"d","_rev":"1-a","n":1}"#,
      #"{"_id":"d","_rev":"1-c","n":2}"#)
    let store = try bench.open(.reading)
    let told = #"""
      {"results":[{"id":"d","docs":[
      {"ok":{"_id":"d","_rev":"1-b","_deleted":true,"_revisions":{"start":7,"ids":["b"]}}},
      {"ok":{"_id":"d","_rev":"1-a","n":1,"_revisions":{"start":1,"ids":["a"]}}},
      {"ok":{"_id":"d","_rev":"1-c","n":2,"_revisions":{"start":1,"ids":["c"]}}}]}]}
      """#
    add(.answer(status: 200, body: Array(told.utf8)), path: "_bulk_get")
    add(.answer(status: 500), path: "/shop/d")
    let document = try #require(try store.server.leafDocuments(["d"]).first)
    #expect(document.live.map(\.id) == ["1-c", "1-a"])
    #expect(document.unreadLeaf.map { "\($0)" } == "the server tells the history of another one")
    #expect(!bench.server.faults.requests.contains { $0.path.hasSuffix("/shop/d") }, "it is not asked again")
  }
}
