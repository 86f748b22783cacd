import Foundation
import Testing

@testable import parley

/// The support round trip: reports without a value go out, and decisions and mends that name records and findings by hash come
/// back, on every store that is a file.
@Suite("The support round trip") struct RoundTripTests {
  private static let kinds: [DemoKind] = [.sqlitedata, .cloudant, .android, .smsync]

  @Test(
    "A law: no value, title, key or device that an open report tells is in a redacted one", arguments: kinds)
  func nothingIsTold(kind: DemoKind) throws {
    try withTemporaryFolder { folder in
      let path = try SampleStores.make(kind, in: folder + "/demo")
      Live.run("resolve", path, "--accept", "sure")
      let open = try ["list", "show"].flatMap { try Live.run($0, path, "--json").objects() }
      let secrets = Set(open.flatMap(Self.secrets)).filter { $0.count > 5 }
      #expect(secrets.count > 15)
      for command in ["list", "show", "doctor", "log"] {
        let report = Live.run(command, path, "--redact", "--json")
        #expect(report.status != .usage && report.errors.isEmpty)
        let told = secrets.filter { report.output.contains($0) }
        #expect(told.isEmpty, "\(command): \(told.sorted())")
      }
    }
  }

  private static func secrets(_ record: [String: Any]) -> [String] {
    let names = ["title", "primaryKey", "serverDevice"].compactMap { record[$0] as? String }
    let fields = record["fields"] as? [[String: Any]] ?? []
    let versions = fields.flatMap { field in
      ["ancestor", "client", "server"].compactMap { field[$0] as? [String: Any] }
    }
    // A number of a version is no value of a person's.
    return (names + versions.flatMap { texts($0["value"]) }).filter { !$0.hasPrefix("version ") }
  }

  private static func texts(_ value: Any?) -> [String] {
    if let text = value as? String { return [text] }
    return (value as? [String: Any] ?? [:]).values.compactMap { $0 as? String }
  }

  @Test(
    "Decisions and mends by hash are taken, written and mended; those that moved say so", arguments: kinds)
  func comesBack(kind: DemoKind) throws {
    try withTemporaryFolder { folder in
      let path = try SampleStores.make(kind, in: folder + "/demo")
      let lines = try Self.answer(to: path)
      try write(Data(lines.joined(separator: "\n").utf8), to: folder + "/answer")
      let outcomes = try Live.run("apply", path, folder + "/answer", "--json").objects()
      #expect(outcomes.count == lines.count)
      let words = outcomes.compactMap { $0["outcome"] as? String }
      #expect(Set(words).isSubset(of: ["decided", "toMend", "refused"]))
      #expect(words.count { $0 == "refused" } * 10 < words.count)
      let mends = outcomes.filter { $0["outcome"] as? String == "toMend" }.compactMap { $0["id"] as? String }
      #expect(mends.isEmpty == (kind == .smsync))
      if !mends.isEmpty {
        let mended = try Live.run(["doctor", path] + mends + ["--mend", "--yes", "--json"]).objects()
        #expect(mended.allSatisfy { $0["outcome"] as? String == "mended" } && mended.count == mends.count)
      }
      let first = try #require(outcomes.first { $0["outcome"] as? String == "decided" }?["id"] as? String)
      let store = kind == .smsync ? ["--copy", folder + "/copy"] : []
      Live.run(["write", path, first, "--yes"] + store)
      let again = Live.run("apply", path, folder + "/answer")
      #expect(!mends.isEmpty == again.output.contains("there is no such finding"))
      if kind != .smsync { #expect(again.output.contains("To take that back: parley undo \(path) \(first)")) }
    }
  }

  /// Everything of which a side can be taken from the server, and every finding that can be mended, by what redacted reports tell.
  private static func answer(to path: String) throws -> [String] {
    let records = try Live.run("show", path, "--redact", "--json").objects()
    let decisions = records.flatMap { record -> [String] in
      let id = record["id"] as? String ?? ""
      guard record["record"] is NSNull else { return [line(id, nil, record["fingerprint"])] }
      let fields = record["fields"] as? [[String: Any]] ?? []
      let open = fields.filter { !($0["certainty"] is NSNull) && $0["writable"] as? Bool == true }
      return open.map { line(id, $0["name"] as? String, $0["fingerprint"]) }
    }
    let findings = try Live.run("doctor", path, "--redact", "--json").objects()
    let mends = findings.filter { $0["mend"] is String }.compactMap { $0["finding"] as? String }
    return decisions + mends.map { #"{"mend":"\#($0)"}"# }
  }

  private static func line(_ id: String, _ field: String?, _ fingerprint: Any?) -> String {
    let about = field.map { #""field":"\#($0)","# } ?? ""
    return #"{"id":"\#(id)",\#(about)"choice":"server","fingerprint":"\#(fingerprint ?? "")"}"#
  }
}
