import ExactJSON
import Foundation
import GRDB
import Testing

@testable import Samples
@testable import parley

@Suite("A number of one's own in a document")
struct OwnNumberTests {
  @Test(
    "decision, dry run, store and log have it in the same text",
    arguments: [
      ("real:7", "7.0"), ("json:7.0", "7.0"), ("100.0", "100.0"), ("-1.0", "-1.0"), ("-0.0", "-0.0"),
      ("json:5e-324", "5e-324"), ("7", "7"), ("-0", "-0"), ("1.10", "1.10"),
    ])
  func sameText(typed: String, text: String) throws {
    for kind in [DemoKind.cloudant, .android] {
      try withTemporaryFolder { folder in
        let path = try SampleStores.make(kind, in: folder + "/demo")
        let decided = Live.run("resolve", path, "book-dracula", "--set", "stock=" + typed)
        let rehearsal = Live.run("write", path, "book-dracula", "--dry-run")
        for run in [decided, rehearsal] { #expect(run.output.contains("stock: 1 → \(text)  "), "\(run)") }
        #expect(Live.run("write", path, "book-dracula", "--yes").status == .nothingLeft)
        #expect(try newestBody(path)["stock"] == .literal(text))
        let log = Live.run("log", path, "book-dracula").lines
        #expect(log.contains { $0.hasSuffix("stock: 1 → \(text)") }, "\(log)")
        #expect(log.contains { $0.hasSuffix("stock: edited to \(text)") }, "\(log)")
      }
    }
  }

  private func newestBody(_ path: String) throws -> [JSONText: JSONValue] {
    var configuration = GRDB.Configuration()
    configuration.prepareDatabase(DatastoreBuilder.addCollations)
    let sql = """
      SELECT json FROM revs WHERE doc_id = (SELECT doc_id FROM docs WHERE docid = 'book-dracula') AND deleted = 0
      ORDER BY sequence DESC LIMIT 1
      """
    let queue = try DatabaseQueue(path: path, configuration: configuration)
    let bytes = try queue.read { try Data.fetchOne($0, sql: sql) }
    guard case .object(let members) = try JSONValue(parsing: [UInt8](bytes ?? Data())) else { return [:] }
    return members
  }
}
