import Foundation
import StoreInterface
import TerminalTestSupport
import Testing

@testable import SQLiteDataStores

/// Damaged files are taken or told, and never crash, hang or write. The same damage in every run.
struct ImportFuzzTests {
  private func sources(_ bench: ImportBench) throws -> [[UInt8]] {
    let archive = try #require(bench.archives[ImportBench.milk])
    let plist = try PropertyListSerialization.propertyList(from: Data(archive), format: nil)
    let xml = try PropertyListSerialization.data(fromPropertyList: plist, format: .xml, options: 0)
    let lines = [ImportBench.milk, ImportBench.bread].map { ImportBench.json($0) }.joined(separator: "\n")
    return [archive, Array(xml), Array(lines.utf8), Array(CloudKitJSONTests.record.utf8)]
  }

  @Test func damagedFilesAreTakenOrToldAndNothingIsWritten() throws {
    let bench = try ImportBench()
    let store = try bench.open()
    let before = try bench.folder.files()
    let sources = try sources(bench)
    var (tries, told) = (0, 0)
    let failures = Attack("formats", short: 600, seed: 2026).failures { random in
      tries += 1
      let bytes = random.damaged(random.oneOf(sources), changes: 6)
      try hold(ImportFile.entries(bytes).count < 100, "\(bytes)")
      guard UInt8.random(in: 0..<12, using: &random) == 0 else { return }
      told += try Self.count(store.importRecords(from: [bench.file(bytes)], isRehearsal: true))
    }
    #expect(failures == [])
    #expect(tries < 600 || told >= tries / 20)
    #expect(try bench.folder.files() == before)
  }

  private static func count(_ summary: ImportSummary) -> Int {
    summary.new + summary.deleted + summary.unchanged + summary.older
      + summary.unknownTables.values.reduce(0, +) + summary.unreadable.count
  }
}

extension ImportFile {
  /// All that is in bytes which are no database.
  static func entries(_ bytes: [UInt8]) -> [ImportEntry] {
    var entries: [ImportEntry] = []
    let source: JSONSource.Bytes = { (offset, count) in Array(bytes.dropFirst(offset).prefix(count)) }
    do {
      try forEachPage(in: source) { entries += $0 }
    } catch {
      Issue.record(error)
    }
    return entries
  }
}
