import Foundation
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
    var random = FixedRandom(state: 2026)
    let store = try bench.open()
    let before = try bench.folder.files()
    var told = 0
    for source in try sources(bench) {
      for number in 0..<150 {
        let bytes = random.damaged(source, changes: 6)
        let entries = ImportFile.entries(bytes)
        #expect(entries.count < 100)
        guard number < 12 else { continue }
        let summary = try store.importRecords(from: [bench.file(bytes)], isRehearsal: true)
        told +=
          summary.new + summary.deleted + summary.unchanged + summary.older
          + summary.unknownTables.values.reduce(0, +) + summary.unreadable.count
      }
    }
    #expect(told >= 40)
    #expect(try bench.folder.files() == before)
  }
}

extension ImportFile {
  /// All that is in bytes which are no database.
  static func entries(_ bytes: [UInt8]) -> [ImportEntry] {
    var entries: [ImportEntry] = []
    do {
      try forEachPage(in: JSONSource.inMemory(bytes)) { entries += $0 }
    } catch {
      Issue.record(error)
    }
    return entries
  }
}
