import Foundation
import Merging
import Testing

@testable import parley

/// The ways to decide a record as a whole, by names that mean the same in every store.
@Suite("Names of ways")
struct CommonWayTests {
  private struct Told {
    let id: String
    let fingerprint: String
    let names: [String]
    let chosen: [String]

    init?(_ object: [String: Any]) {
      guard let id = object["id"] as? String, let ways = object["alternatives"] as? [[String: Any]],
        !ways.isEmpty, let fingerprint = object["fingerprint"] as? String
      else { return nil }
      (self.id, self.fingerprint) = (id, fingerprint)
      names = ways.compactMap { $0["name"] as? String }
      chosen = ways.filter { $0["chosen"] as? Bool == true }.compactMap { $0["name"] as? String }
    }

    func line(_ name: String) -> String {
      #"{"id":"\#(id)","choice":"\#(name)","fingerprint":"\#(fingerprint)"}"#
    }
  }

  private func told(_ path: String) throws -> [Told] {
    let ids = try Live.run("list", path, "--json").objects().compactMap { $0["id"] as? String }
    return try Live.run(["show", path, "--json"] + ids).objects().compactMap(Told.init)
  }

  @Test("What JSON calls a way, apply takes", arguments: DemoKind.ofFiles)
  func isTaken(kind: DemoKind) throws {
    try withTemporaryFolder { folder in
      let path = try SampleStores.make(kind, in: folder + "/demo")
      let all = try told(path)
      #expect(all.count > 2)
      for place in 0..<3 {
        let given = all.filter { $0.names.count > place }.map { (record: $0, name: $0.names[place]) }
        try apply(given, path)
      }
    }
  }

  private func apply(_ given: [(record: Told, name: String)], _ path: String) throws {
    let lines = given.map { $0.record.line($0.name) }.joined(separator: "\n") + "\n"
    let run = Live.run(["apply", path, "-"], input: lines)
    #expect(!run.output.isEmpty)
    let after = Dictionary(uniqueKeysWithValues: try told(path).map { ($0.id, $0.chosen) })
    // What a way would do that the record does not allow is refused, and told.
    for (record, name) in given where !(run.output + run.errors).contains("refused") {
      #expect(after[record.id] == [name], "\(record.id)")
    }
  }

  @Test("Every store takes the same names", arguments: DemoKind.ofFiles)
  func areTheSame(kind: DemoKind) throws {
    try withTemporaryFolder { folder in
      let path = try SampleStores.make(kind, in: folder + "/demo")
      let all = try told(path)
      let names = Set(all.flatMap(\.names))
      #expect(names.isSuperset(of: ["keep", "accept", "delete"]))
      #expect(names.isDisjoint(with: ["client", "server"]))
      for record in all.prefix(3) {
        for name in record.names + ["client", "server"] {
          let run = Live.run("resolve", path, record.id, "--set", "record=\(name)")
          #expect(run.status != .usage, "\(name): \(run.errors)")
        }
      }
    }
  }
}
