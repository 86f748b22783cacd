import Digests
import ExactJSON
import Foundation
import Merging
import StoreInterface
import Testing

@testable import parley

/// What the names of a redacted report are worth: to whoever sends it, and to a stranger.
@Suite("The key of redacted reports")
struct RedactionKeyTests {
  /// Eight digits of a plain hash are found again by trying every short text; of a fingerprint it is the same with what it is made of.
  @Test("A stranger finds no value by trying", arguments: ["show", "list", "doctor", "log"])
  func guessing(command: String) throws {
    try withTemporaryFolder { folder in
      let path = try SampleStores.make(in: folder + "/demo")
      Live.run("resolve", path, "--accept", "all", "--note", "1")
      let report = Live.run(command, path, "--redact", "--json").output
      let open = Live.run(command, path, "--json").output
      for value in (0...9).map(String.init) + ["Coffee", "no", "yes"] {
        let hash = Hexadecimal.text(SHA256.of(Array(value.utf8)).prefix(4))
        #expect(!report.contains(hash), "\(value)")
      }
      for print in open.matches(of: /"fingerprint":"([0-9a-f]{64})"/).map(\.1) {
        #expect(!report.contains(print.prefix(32)) && !report.contains(print.suffix(32)))
      }
    }
  }

  @Test("What a report names its sender finds, and nobody else")
  func twoPersons() throws {
    try withTemporaryFolder { folder in
      let path = try SampleStores.make(in: folder + "/demo")
      let report = try Live.run("show", path, "--redact", "--json").objects()
      let id = try #require(report.first?["id"] as? String)
      #expect(Live.run(["show", path, id]).status == .left)
      let other = Live.run(["show", path, id], redaction: .by(9))
      #expect(other.status == .usage && other.output.isEmpty, "\(other)")
    }
  }

  @Test("It is made on first use, for its owner alone, and is the same from then on")
  func file() throws {
    try withTemporaryFolder { folder in
      let file = RedactionKeyFile(folder: folder + "/state/parley")
      let key = try file.key()
      #expect(key.bytes.count == 32 && Set(key.bytes).count > 8)
      #expect(try file.key() == key)
      #expect(try FileManager.default.contentsOfDirectory(atPath: file.folder) == ["redaction.key"])
      let rights = try FileManager.default.attributesOfItem(atPath: file.path)[.posixPermissions] as? Int
      #expect(rights == 0o600)
      #expect(try RedactionKeyFile(folder: folder + "/other").key() != key)
    }
  }

  @Test(
    "Whatever else lies in its place is no key, and stays",
    arguments: ["", "short", String(repeating: "x", count: 33)])
  func damaged(content: String) throws {
    try withTemporaryFolder { folder in
      let file = RedactionKeyFile(folder: folder)
      try Data(content.utf8).write(to: URL(fileURLWithPath: file.path))
      #expect(throws: RedactionKeyFile.Trouble.self) { try file.key() }
      #expect(FileManager.default.contents(atPath: file.path) == Data(content.utf8))
    }
  }

  /// A report is worth reading all the same; its names are then of a key that nobody keeps.
  @Test("Where it cannot be kept the report says so, and no two have one hash")
  func notKept() throws {
    try withTemporaryFolder { folder in
      let path = try SampleStores.make(in: folder + "/demo")
      let reports = (0..<2).map { _ in
        Live.run(
          ["list", path, "--redact"], environment: ["XDG_STATE_HOME": path + "/none"], redaction: nil)
      }
      #expect(reports.allSatisfy { $0.status == .left && $0.lines.count > 5 })
      #expect(reports[0].errors.contains("Nobody can find a record again by the hashes of this report"))
      #expect(
        reports[0].errors.contains(path + "/none/parley/redaction.key cannot be written"), "\(reports[0])")
      #expect(reports[0].output != reports[1].output)
    }
  }

  @Test("A leaf that was decided on is called as the way that takes it")
  func decidedLeaf() {
    let (leaf, privacy) = ("2-65030c74", Redaction.fixed.privacy)
    var conflict = Samples.invoice
    conflict.details.leaves = [Leaf(id: leaf, isDeleted: true, version: .deleted(time: nil))]
    conflict.details.alternatives = [Alternative(id: leaf, words: "delete it", outcome: .delete)]
    let decided = DecidedConflict(conflict, Resolution(choices: [.record: .alternative(leaf)]))
    #expect(JSON(decided, foretells: false).text.contains(#""decision":"\#(leaf)""#))
    let report = JSON(decided, foretells: false, privacy).text
    #expect(report.contains(#""decision":"\#(privacy.shown(leaf))""#) && !report.contains(leaf), "\(report)")
  }

  @Test("A leaf and an attachment are chosen by what the report calls them, by whoever sends it alone")
  func chosenByHash() throws {
    try withTemporaryFolder { folder in
      let path = folder + "/demo"
      _ = try SampleStores.make(.cloudant, in: path)
      func names(_ id: String, _ part: String) throws -> [String] {
        let report = try Live.run("show", path, id, "--redact", "--json").objects().first
        return try #require(report?[part] as? [[String: Any]]).compactMap { $0["name"] as? String }
      }
      let leaf = try #require(try names("book-walden", "alternatives").first { $0.hasPrefix("#") })
      let file = try #require(try names("book-cover", "fields").first { $0.hasPrefix("…/#") })
      for (id, choice) in [("book-walden", "record=" + leaf), ("book-cover", file + "=server")] {
        let command = ["resolve", path, id, "--set", choice]
        let stranger = Live.run(command, redaction: .by(9))
        #expect(stranger.status != .nothingLeft && stranger.output.isEmpty, "\(stranger)")
        #expect(Live.run("resolve", path, id, "--export").output.isEmpty)
        #expect(Live.run(command).errors.isEmpty)
        #expect(Live.run("resolve", path, id, "--export").lines.count == 1, "\(choice)")
      }
    }
  }

  @Test("A decision on a redacted report is kept as one on an open report")
  func sameDecision() throws {
    try withTemporaryFolder { folder in
      let paths = try ["one", "other"].map { try SampleStores.make(in: folder + "/" + $0) }
      for (path, options) in zip(paths, [[], ["--redact"]]) {
        let record = try #require(try Live.run(["show", path, "Coffee", "--json"] + options).objects().first)
        let field = try #require(
          (record["fields"] as? [[String: Any]])?.first { $0["name"] as? String == "priority" })
        let line = [
          "id": record["id"], "field": "priority", "choice": "client", "fingerprint": field["fingerprint"],
        ].mapValues { $0 as? String ?? "" }
        let given = String(decoding: try JSONSerialization.data(withJSONObject: line), as: UTF8.self)
        #expect(Live.run(["apply", path, "-"], input: given).output.contains(": decided: "))
      }
      let exported = paths.map { Live.run("resolve", $0, "--export").lines }
      #expect(exported[0] == exported[1] && exported[0].count == 1)
    }
  }
}
