import Foundation
import GRDB
import Merging
import StoreInterface
import Testing

@testable import parley

@Suite("Many findings alike")
struct FindingFoldTests {
  private func finding(_ number: Int, _ what: String, cause: String = "A purge.") -> Finding {
    Finding(
      id: "\(number)", table: "docs", record: "\(number)", title: "\(number)", what: what, evidence: "Seen.",
      cause: cause, remedy: "Mend it.")
  }

  @Test("the first of a kind are printed, the others counted; another cause is another kind")
  func folded() {
    var fold = FindingFold()
    let twice = (0..<537).map { finding($0, "a revision stored twice") }
    let printed = twice.filter { fold.shows($0) }
    #expect(printed.count == FindingFold.shown)
    let others = [finding(0, "a revision stored twice", cause: "Two replications."), finding(1, "a circle")]
    let told = others.filter { fold.shows($0) }
    #expect(told == others)
    #expect(fold.lines.first == "534 more: a revision stored twice")
    #expect(fold.lines.count == 3)
  }

  @Test("few are all printed, and nothing is said of more")
  func few() {
    var fold = FindingFold()
    let printed = (0..<3).filter { fold.shows(finding($0, "a circle")) }
    #expect(printed.count == 3)
    #expect(fold.lines.isEmpty)
  }

  /// Documents that were edited here and deleted elsewhere.
  private func loseDeletions(_ count: Int, in path: String) throws {
    let datastore = try DatabaseQueue(path: path)
    try datastore.write { db in
      for number in 1...count {
        try db.execute(sql: "INSERT INTO docs (docid) VALUES (?)", arguments: ["lost-\(number)"])
        let document = db.lastInsertedRowID
        let insert = """
          INSERT INTO revs (doc_id, revid, parent, current, deleted, available, json) VALUES (?, ?, ?, ?, ?, ?, '{}')
          """
        try db.execute(sql: insert, arguments: [document, "1-x", nil, 0, 0, 1])
        let root = db.lastInsertedRowID
        try db.execute(sql: insert, arguments: [document, "2-edit", root, 1, 0, 1])
        try db.execute(sql: insert, arguments: [document, "2-gone", root, 0, 1, 0])
      }
    }
    try datastore.close()
  }

  @Test("doctor counts what it folds; --all, --json and ids have all")
  func doctor() throws {
    try withTemporaryFolder { folder in
      let path = try SampleStores.make(.android, in: folder + "/demo")
      try loseDeletions(30, in: path)
      let folded = Live.run("doctor", path).output
      #expect(folded.contains("more: an edit won over a deletion\n  --all shows each of them"))
      #expect(folded.components(separatedBy: "an edit won over a deletion: ").count - 1 == FindingFold.shown)
      let all = Live.run("doctor", path, "--all").output
      #expect(all.components(separatedBy: "an edit won over a deletion: ").count - 1 >= 30)
      let json = Live.run("doctor", path, "--json").output
      #expect(json.components(separatedBy: "deletion-lost:").count - 1 >= 30)
    }
  }
}
