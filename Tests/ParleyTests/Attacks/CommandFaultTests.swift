import Foundation
import TerminalTestSupport
import Testing

@testable import SQLiteDataStores
@testable import SQLiteFiles
@testable import parley

/// What ``FaultTests`` do to writes and undos, for every other command that changes a file: the next one runs to the same end as if nothing
/// had been, and what can be undone is undone to the beginning.
@Suite(.enabled(if: Fault.shim != nil, "needs Linux, and the library that FaultShim builds"))
struct CommandFaultTests {
  /// All by hand. In every run each is made once, as one that changes nothing any more would be no attack; and some are tried.
  @Test(arguments: FaultyCommand.all)
  func theNextRunComesToTheSameEnd(command: FaultyCommand) throws {
    try withTemporaryFolder { folder in
      let bench = try CommandFaultBench(command, in: folder)
      try #require(bench.calls > 3)
      let attack = Attack(
        "commands", short: command.number % 5 == 0 ? 1 : 0, seed: UInt64(1000 * command.number))
      #expect(attack.failures(at: Fault.all(of: bench.calls), of: bench.expectTheSameEnd) == [])
    }
  }
}

struct FaultyCommand: CustomTestStringConvertible {
  enum Act: String { case resolve, mend, importing, outbox, apply, copy }

  let kind: DemoKind
  let mode: String
  let act: Act
  let number: Int

  var testDescription: String { "\(act) \(kind) \(mode)" }

  static let all: [FaultyCommand] = {
    let acts: [(DemoKind, String, Act)] = [
      (.sqlitedata, "wal", .resolve), (.cloudant, "delete", .resolve), (.android, "delete", .resolve),
      (.smsync, "delete", .resolve), (.sqlitedata, "wal", .mend), (.sqlitedata, "delete", .mend),
      (.cloudant, "delete", .mend), (.cloudant, "wal", .mend), (.android, "delete", .mend),
      (.sqlitedata, "wal", .importing), (.sqlitedata, "delete", .importing), (.sqlitedata, "wal", .outbox),
      (.sqlitedata, "delete", .outbox), (.sqlitedata, "wal", .apply), (.cloudant, "delete", .apply),
      (.smsync, "delete", .copy),
    ]
    return acts.enumerated().map {
      FaultyCommand(kind: $1.0, mode: $1.1, act: $1.2, number: $0)
    }
  }()

  /// In a folder of its own, which the returned path leads into.
  func make(in folder: String) throws -> String {
    let path = try SampleStores.make(kind, in: folder)
    try prepare(path, folder)
    guard kind != .smsync else { return path }
    for file in AttackedStore.databases(in: folder) where !file.hasSuffix(".parley.sqlite") {
      try AttackedStore.change(file) { try $0.execute(sql: "PRAGMA journal_mode = \(mode)") }
    }
    return path
  }

  private func prepare(_ path: String, _ folder: String) throws {
    switch act {
    case .resolve, .mend: break
    case .importing: try moveInbox(of: path, to: folder + "/server")
    case .outbox:
      try AttackedStore.change(path) { try $0.execute(sql: ParleyTables.outbox) }
      Live.run("resolve", path, "--accept", "all")
    case .copy: Live.run("resolve", path, "--accept", "all")
    case .apply:
      Live.run("resolve", path, "--accept", "all")
      try write(Live.run("resolve", path, "--export").output, to: folder + "/decisions")
      Live.run(["resolve", path, "--forget"])
    }
  }

  /// What had come in lies in files instead.
  private func moveInbox(of path: String, to folder: String) throws {
    try AttackedStore.change(path) { db in
      let sql = "SELECT serverRecord FROM parley_inbox WHERE serverRecord IS NOT NULL"
      for (number, bytes) in try Data.fetchAll(db, sql: sql).enumerated() {
        try write(bytes, to: folder + "/\(number).plist")
      }
      try db.execute(sql: "DELETE FROM parley_inbox")
    }
  }

  func arguments(_ path: String, in folder: String) -> [String] {
    switch act {
    case .resolve: ["resolve", path, "--accept", "all"]
    // Of a sample of Android nothing is mended that is not named.
    case .mend: ["doctor", path, "--mend", "--yes"] + (kind == .android ? ["spurious:book-old-branch"] : [])
    case .importing: ["import", path] + AttackedStore.files(in: folder + "/server", ".plist")
    case .outbox: ["write", path, "--yes"]
    case .apply: ["apply", path, folder + "/decisions"]
    case .copy: ["write", path, "--copy", folder + "/copy", "--yes"]
    }
  }

  /// Whether `parley undo` takes it back.
  var isUndone: Bool { [.mend, .importing, .outbox].contains(act) }
}

private struct CommandFaultBench {
  private let command: FaultyCommand
  private let folder: String
  private let before: [String]
  private var after: [String] = []
  private(set) var calls = 0

  private var template: String { folder + "/template" }
  private var place: String { folder + "/place" }
  private let name: String

  init(_ command: FaultyCommand, in folder: String) throws {
    (self.command, self.folder) = (command, folder)
    let path = try command.make(in: folder + "/template")
    name = String(path.dropFirst((folder + "/template").count))
    before = try AttackedStore.told(path)
    let (copy, result) = try run("FAULTS_COUNT='\(folder)/count'")
    #expect(result.status < 6, "\(result)")
    calls = try Int(String(contentsOfFile: folder + "/count", encoding: .utf8)) ?? 0
    after = try told(copy)
    #expect(before != after)
  }

  private func told(_ path: String) throws -> [String] {
    let copy = place + "/copy"
    let isThere = command.act == .copy && FileManager.default.fileExists(atPath: copy)
    return try AttackedStore.told(path) + (isThere ? AttackedStore.told(copy) : [])
  }

  private func run(_ variables: String) throws -> (path: String, result: Binary.Result) {
    try? FileManager.default.removeItem(atPath: place)
    try FileManager.default.copyItem(atPath: template, toPath: place)
    let path = place + name
    let words = command.arguments(path, in: place).map { "'\($0)'" }.joined(separator: " ")
    let preloaded = "LD_PRELOAD='\(Fault.shim ?? "")' FAULTS_FOLDER='\(place)/' \(variables)"
    return (path, try Binary.shell("\(preloaded) \"$PARLEY\" \(words)"))
  }

  func expectTheSameEnd(after fault: Fault) throws {
    let (path, result) = try run(fault.variables)
    let moment = "\(command.testDescription): \(fault): \(result.status) \(result.output) \(result.errors)"
    try hold(result.status <= 6 || result.status == 128 + SIGKILL, "crashed: \(moment)")
    for file in AttackedStore.files(in: place, "-shm") { try FileManager.default.removeItem(atPath: file) }
    try expectReadable(path, moment)
    try AttackedStore.expectSound(in: place, moment)
    try runAgain(path)
    let end = try told(path)
    try hold(end == self.after, "another end, \(end.difference(from: self.after)): \(moment)")
    if command.isUndone { try expectUndo(path, moment) }
  }

  private func expectReadable(_ path: String, _ moment: String) throws {
    for reader in ["list", "log", "doctor"] {
      let read = Live.run(reader, path)
      try hold(read.status.rawValue <= 1, "\(reader): \(read.errors): \(moment)")
    }
  }

  /// A start for writing finishes what it finds. A copy that has lost its mark is no copy: it goes before the next is made.
  private func runAgain(_ path: String) throws {
    Live.run("write", path)
    Live.run(command.arguments(path, in: place))
    guard command.act == .copy, try told(path) != after else { return }
    Live.run("write", place + "/copy", "--yes")
    guard try told(path) != after else { return }
    for file in ["copy", "copy.parley.sqlite"] {
      try? FileManager.default.removeItem(atPath: "\(place)/\(file)")
    }
    Live.run(command.arguments(path, in: place))
  }

  /// All that was written goes back, by one undo for each run that wrote.
  private func expectUndo(_ path: String, _ moment: String) throws {
    for _ in 0..<3 where try told(path) != before { Live.run("undo", path, "--yes") }
    let now = try told(path)
    let decided = Set(now.map { $0.split(separator: " ").first })
    try hold(
      decided == Set(before.map { $0.split(separator: " ").first }),
      "undo, \(now.difference(from: before)): \(moment)")
  }
}
