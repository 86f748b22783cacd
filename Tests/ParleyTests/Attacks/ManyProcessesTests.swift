import Foundation
import TerminalTestSupport
import Testing

@testable import parley

/// Many at once on one store: whoever is told that something was written or taken back is told the truth, and nothing is damaged.
struct ManyProcessesTests {
  /// 50 by hand; in every run as many as start in a second.
  private static let processes = Attack.size == .short ? 5 : 50

  private static let commands = [
    "list", "show", "doctor", "log", "resolve --accept all", "resolve --forget", "write --yes --json",
    "undo --yes --json",
    "write --yes --json",
  ]

  @Test(arguments: AttackedStore.kinds)
  func everybodyIsToldTheTruth(kind: DemoKind) throws {
    let attack = Attack("processes", short: 1, seed: 7)
    let failures = attack.failures { random in
      try withTemporaryFolder { folder in
        let path = try SampleStores.make(kind, in: folder + "/store")
        Live.run("resolve", path, "--accept", "all")
        let commands = (0..<Self.processes).map { _ in random.oneOf(Self.commands) }
        try runAtOnce(commands, path, folder)
        for number in commands.indices { try expectTruth(of: number, commands[number], in: folder) }
        try AttackedStore.expectSound(in: folder + "/store", commands.joined(separator: ", "))
        try expectJournal(of: path, tellsWhatWasTold: commands, in: folder)
        try expectFinished(path)
      }
    }
    #expect(failures == [])
  }

  private func runAtOnce(_ commands: [String], _ path: String, _ folder: String) throws {
    let lines = commands.enumerated().map { number, command in
      let words = command.split(separator: " ", maxSplits: 1)
      let options = words.count > 1 ? words[1] : ""
      return """
        ("$PARLEY" \(words[0]) '\(path)' \(options) >'\(folder)/\(number).output' 2>'\(folder)/\(number).errors'
        echo $? >'\(folder)/\(number).status') &
        """
    }
    _ = try Binary.shell(lines.joined(separator: "\n") + "\nwait")
  }

  private func expectTruth(of number: Int, _ command: String, in folder: String) throws {
    func text(_ name: String) throws -> String {
      try String(contentsOfFile: "\(folder)/\(number).\(name)", encoding: .utf8)
    }
    let status = try Int32(text("status").dropLast()) ?? -1
    let result = try Binary.Result(status: status, output: text("output"), errors: text("errors"))
    try result.expectSound(command)
    for word in ["damaged", "malformed", "not a database", "Fatal"] {
      try hold(!result.errors.contains(word), "\(command): \(result)")
    }
  }

  /// Of each record as many writes and undos as were told to somebody.
  private func expectJournal(
    of path: String, tellsWhatWasTold commands: [String], in folder: String
  ) throws {
    var told: [String: Int] = [:]
    for (number, command) in commands.enumerated() where command.contains("--json") {
      let output = try String(contentsOfFile: "\(folder)/\(number).output", encoding: .utf8)
      for object in try Run(status: .nothingLeft, output: output, errors: "").objects() {
        guard let outcome = object["outcome"] as? String, let kind = Self.kinds[outcome] else { continue }
        told["\(kind) \(object["id"] ?? "")", default: 0] += 1
      }
    }
    var kept: [String: Int] = [:]
    let log = Live.run("log", path, "--json", "--limit", "100000")
    for entry in try log.objects() {
      guard let kind = entry["kind"] as? String, Self.kinds.values.contains(kind) else { continue }
      kept["\(kind) \(entry["record"] ?? "")", default: 0] += 1
    }
    try hold(told == kept, "told \(told), kept \(kept); \(log.status) \(log.errors)")
  }

  private static let kinds = ["written": "write", "waiting": "write", "undone": "undo"]

  /// Nothing is left half done: each record is written, or in the list.
  private func expectFinished(_ path: String) throws {
    let write = Live.run("write", path, "--yes")
    // Some of the sample cannot be written.
    try hold(write.status.rawValue <= 5, "the next write: \(write)")
    let log = Live.run("log", path, "--limit", "100000")
    try hold(log.status == .nothingLeft && !log.output.contains("left alone"), "\(log)")
    for _ in 0..<Self.processes where Live.run("undo", path, "--yes").status == .nothingLeft {}
    let after = Live.run("undo", path, "--yes")
    try hold(after.errors.contains("no write to undo"), "\(after)")
  }
}
