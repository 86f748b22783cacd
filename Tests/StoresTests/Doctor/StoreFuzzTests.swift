import Foundation
import Merging
import TerminalTestSupport
import Testing

@testable import KeyedArchives
@testable import SQLiteDataStores
@testable import SQLiteFiles
@testable import Samples
@testable import StoreInterface

/// Real stores with bytes changed in everything that came from outside: archives, pending changes, the engine's state, the
/// inbox; and in the files themselves. Whatever is read or refused: nothing crashes, hangs, or writes.
struct StoreFuzzTests {
  private static let places: [(table: String, columns: [String])] = [
    (Metadatabase.metadata, ["lastKnownServerRecord", "_lastKnownServerRecordAllFields"]),
    (Metadatabase.pending, [Metadatabase.pendingColumn]),
    (Metadatabase.state, ["data"]),
    (Metadatabase.recordTypes, ["schema", "tableInfo"]),
    (InboxRow.table, ["recordName", "serverRecord", "ancestorRecord", "clientRow"]),
  ]

  private let folder: TestFolder
  private let path: String

  init() throws {
    folder = try TestFolder()
    path = try Demo.make(in: folder)
    let queued = [Demo.reminder(201), Demo.reminder(202)].map {
      PendingZoneChange(kind: .save, recordName: $0, zoneName: "z", ownerName: "o")
    }
    try StoreFilesInspector(path).run(
      "INSERT INTO \(Metadatabase.state) VALUES ('2', ?)",
      [.text(EngineState.json(EngineState.encoded(pending: queued)))])
  }

  @Test func whateverLiesInTheTablesIsReadOrRefused() throws {
    let whole = try folder.contents()
    let attack = Attack("formats", short: 4)
    let failures = attack.failures { random in
      try folder.restore(whole)
      try mutateTables(using: &random)
      try readEverything()
    }
    #expect(failures == [])
  }

  @Test func whateverLiesInTheFilesIsReadOrRefused() throws {
    let whole = try folder.contents()
    var (tries, refused) = (0, 0)
    let attack = Attack("formats", short: 12, seed: 5)
    let failures = attack.failures { random in
      try folder.restore(whole)
      for (name, data) in whole.sorted(by: { $0.key < $1.key }) where Bool.random(using: &random) {
        // The first 16 bytes say that it is a database at all.
        let rest = random.damaged(Array(data.dropFirst(16)), changes: 40)
        try (data.prefix(16) + Data(rest)).write(to: URL(filePath: folder.path(name)))
      }
      refused += try readEverything() ? 0 : 1
      tries += 1
    }
    #expect(failures == [])
    #expect(tries < 12 || (1..<tries).contains(refused), "a run in which all are alike tests nothing")
  }

  private func mutateTables(using random: inout FixedRandom) throws {
    let writer = try SQLiteWriter(try StoreFiles(path: path, metadatabase: nil), clock: { 0 })
    defer { writer.close() }
    try writer.transaction { db in
      for (table, columns) in StoreFuzzTests.places {
        for column in columns {
          var values: [(Int64, Value)] = []
          try db.forEachRow("SELECT rowid, \(column) FROM \(table)") {
            values.append(($0.integer(0), $0.value(1)))
          }
          for (rowid, value) in values where UInt8.random(in: 0..<3, using: &random) == 0 {
            guard let changed = mutated(value, using: &random) else { continue }
            try db.run("UPDATE \(table) SET \(column) = ? WHERE rowid = ?", [changed, .integer(rowid)])
          }
        }
      }
      return .commit
    }
  }

  /// Of the same type, as the tables are strict; nil for NULL.
  private func mutated(_ value: Value, using random: inout FixedRandom) -> Value? {
    switch value {
    case .blob(let blob): .blob(Blob(bytes: random.damaged(blob.bytes ?? [], changes: 3)))
    case .text(let text):
      .opaque(kind: Value.brokenText, bytes: random.damaged(Array(text.utf8), changes: 2))
    case .opaque(let kind, let bytes): .opaque(kind: kind, bytes: random.damaged(bytes, changes: 2))
    case .null, .integer, .real: nil
    }
  }

  /// false if the store was refused in words.
  @discardableResult private func readEverything() throws -> Bool {
    let before = try folder.contents()
    let isRead = try readAll()
    try hold(folder.contents() == before, "reading changed a file")
    return isRead
  }

  private func readAll() throws -> Bool {
    do {
      let store = try SQLiteDataStore.open(path: path, clock: { Demo.now })
      for summary in try summaries(of: store, limit: 100) { _ = try store.conflict(summary.id) }
      _ = try findings(of: store, limit: 100)
      _ = try store.uploadQueue(limit: 100)
      _ = try store.journal.entries(limit: 10)
      return true
    } catch is StoreError {
      return false
    }
  }
}
