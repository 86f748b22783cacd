import Foundation
import GRDB
import Testing

@testable import parley

/// What a redacted log calls records, so that it tells nobody's, and can be laid beside the other reports.
@Suite("The log of a redacted report")
struct RedactedLogTests {
  private static let kinds: [DemoKind] = [.sqlitedata, .cloudant]

  /// Documents whose ids have a colon, as those of users have.
  private func withStore(_ kind: DemoKind, _ body: (_ path: String, _ folder: String) throws -> Void) throws {
    try withTemporaryFolder { folder in
      let path = try SampleStores.make(kind, in: folder + "/demo")
      if kind == .cloudant {
        try AttackedStore.change(path) {
          try $0.execute(sql: "UPDATE docs SET docid = 'org.couchdb.user:Zebra-' || docid")
        }
      }
      try body(path, folder)
    }
  }

  private func redacted(_ member: String, of arguments: [String]) throws -> Set<String> {
    Set(try Live.run(arguments + ["--redact", "--json"]).objects().compactMap { $0[member] as? String })
  }

  @Test("A record is called as the list calls it, whatever colons its name has", arguments: kinds + [.smsync])
  func records(kind: DemoKind) throws {
    try withStore(kind) { path, _ in
      Live.run("resolve", path, "--accept", "all")
      let listed = try redacted("id", of: ["list", path])
      let logged = try redacted("record", of: ["log", path])
      #expect(!logged.isEmpty && logged.isSubset(of: listed), "\(logged)")
      for format in [[], ["--json"]] {
        #expect(!Live.run(["log", path, "--redact"] + format).output.contains("Zebra"))
      }
    }
  }

  @Test(
    "A mend and its undo are called as the report called the finding, and found by that", arguments: kinds)
  func mends(kind: DemoKind) throws {
    try withStore(kind) { path, _ in
      let findings = try Live.run("doctor", path, "--redact", "--json").objects()
      let ids = findings.filter { $0["mend"] is String }.compactMap { $0["finding"] as? String }
      let id = try #require(ids.first { $0.contains(":#") })
      let mended = Live.run("doctor", path, id, "--mend", "--yes")
      #expect(mended.output.contains("mended: "), "\(mended)")
      #expect(try redacted("record", of: ["log", path]) == [id])
      #expect(Live.run("log", path, id).output.contains("what was found is mended"))
      let undone = Live.run("undo", path, id, "--yes")
      #expect(undone.output.contains("undone: "), "\(undone)")
      let entries = try Live.run("log", path, "--redact", "--json").objects()
      #expect(entries.count == 2 && entries.allSatisfy { $0["record"] as? String == id }, "\(entries)")
      #expect(!Live.run("log", path, "--redact").output.contains("Zebra"))
    }
  }

  @Test("The log of calls has the hash of the reports", arguments: kinds)
  func calls(kind: DemoKind) throws {
    try withStore(kind) { path, folder in
      let record = try #require(try Live.run("list", path, "--json").objects().first?["id"] as? String)
      let told = Live.run(["show", path, record, "--redact", "--json", "--log", folder + "/log"])
      let key = try #require(try told.objects().first?["primaryKey"] as? String)
      let log = try String(contentsOfFile: folder + "/log", encoding: .utf8)
      #expect(log.contains(" conflict \(key): "), "\(log)")
    }
  }
}
