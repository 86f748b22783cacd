import Foundation
import GRDB
import TerminalTestSupport
import Testing

@testable import parley

/// Every format that Parley reads, with bytes changed, under the built program: no command crashes or hangs, and what cannot be read is told
/// with the name of a file.
struct MutantTests {
  @Test(arguments: MutantFormat.allCases)
  func isReadOrRefusedInWords(format: MutantFormat) throws {
    try withTemporaryFolder { folder in
      let bench = try format.make(in: folder + "/made")
      let first = UInt64(1000 * (MutantFormat.allCases.firstIndex(of: format) ?? 0))
      let attack = Attack("mutants", short: 1, seed: first)
      let failures = attack.failures { random in
        // In the same place, as the commands name it.
        try FileManager.default.copyItem(atPath: folder + "/made", toPath: folder + "/kept")
        defer {
          try? FileManager.default.removeItem(atPath: folder + "/made")
          try? FileManager.default.moveItem(atPath: folder + "/kept", toPath: folder + "/made")
        }
        try damage(bench, using: &random)
        try run(bench, in: folder, using: &random)
      }
      #expect(failures == [])
    }
  }

  private func damage(_ bench: MutantFormat.Bench, using random: inout FixedRandom) throws {
    if let table = bench.table { return try damageRow(of: table, in: bench.file, using: &random) }
    let bytes = try Array(Data(contentsOf: URL(filePath: bench.file)))
    // Mostly the first bytes of a database stay: they say that it is one at all.
    let sound =
      bytes.starts(with: Array("SQLite format 3".utf8)) && random.next() % 8 > 0
      ? random.oneOf([16, 100, 4096]) : 0
    let damaged = random.damaged(Array(bytes.dropFirst(sound)), changes: random.oneOf([1, 4, 40]))
    try Data(bytes.prefix(sound) + damaged).write(to: URL(filePath: bench.file))
  }

  private func damageRow(of table: String, in path: String, using random: inout FixedRandom) throws {
    try AttackedStore.change(path) { db in
      let columns = try db.columns(in: table).map(\.name).filter {
        !["recordName", "id", "sequence"].contains($0)
      }
      let rows = try Int64.fetchAll(db, sql: "SELECT rowid FROM \(table)")
      for _ in 0..<Int.random(in: 1...8, using: &random) {
        let (column, row) = (random.oneOf(columns), random.oneOf(rows))
        let old = try Data.fetchOne(
          db, sql: "SELECT CAST(\"\(column)\" AS BLOB) FROM \(table) WHERE rowid = ?", arguments: [row])
        let new = Data(random.damaged(Array(old ?? Data([0x31])), changes: 4))
        let kind = try String.fetchOne(
          db, sql: "SELECT typeof(\"\(column)\") FROM \(table) WHERE rowid = ?", arguments: [row])
        // A type or a constraint that refuses it is no attack.
        try? db.execute(
          sql:
            "UPDATE \(table) SET \"\(column)\" = CAST(? AS \(kind == "null" ? "TEXT" : kind ?? "TEXT")) WHERE rowid = ?",
          arguments: [new, row])
      }
    }
  }

  private func run(_ bench: MutantFormat.Bench, in folder: String, using random: inout FixedRandom) throws {
    let chosen = Set(
      (0..<(Attack.size == .short ? 1 : 3)).map { _ in Int.random(in: bench.commands.indices, using: &random)
      })
    let home = folder + "/made/config"
    let names = (FileManager.default.enumerator(atPath: folder)?.compactMap { $0 as? String } ?? []).map {
      URL(filePath: $0).lastPathComponent
    }
    for command in chosen.sorted().map({ bench.commands[$0] }) {
      let result = try Binary.run(command, environment: ["HOME=\(home)/parley", "XDG_CONFIG_HOME=\(home)"])
      try result.expectSound(command.joined(separator: " "))
      guard result.status == 3, !command.contains("http://127.0.0.1:1/db") else { continue }
      try hold(
        names.contains(where: result.errors.contains), "no file is named: \(command): \(result.errors)")
    }
  }
}
