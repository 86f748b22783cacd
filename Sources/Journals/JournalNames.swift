import ExactJSON
import GRDB
import Merging
import SQLiteFiles

/// Of which of some records the journal has anything, so that it is not asked for every one of them: most were never written, and
/// nothing of them is kept.
package struct JournalNames: Sendable {
  /// Of any other record it may have anything. nil where it has nothing of any.
  fileprivate var asked: Set<JSONText>?
  /// Those about which an intent ended, however it did.
  fileprivate var ended: Set<JSONText> = []
  /// Those of which anything is kept, settled or not.
  fileprivate var kept: Set<JSONText> = []

  package func hasEnded(_ record: String) -> Bool { may(record, ended) }
  package func isKept(_ record: String) -> Bool { may(record, kept) }

  private func may(_ record: String, _ found: Set<JSONText>) -> Bool {
    guard let asked else { return false }
    let name = JSONText(record)
    return found.contains(name) || !asked.contains(name)
  }
}

extension Journal {
  package func names(among records: some Collection<String>) throws -> JournalNames {
    var names = JournalNames()
    if try !read(
      or: false,
      { try $0.hasRow("SELECT 1 FROM receipts LIMIT 1") || $0.hasRow("SELECT 1 FROM kept LIMIT 1") })
    {
      return names
    }
    names.asked = Set(records.lazy.map { JSONText($0) })
    var rest = records[...]
    // Others have to do with the journal, too.
    while !rest.isEmpty {
      let found = try self.names(in: Array(rest.prefix(1000)))
      names.ended.formUnion(found.ended)
      names.kept.formUnion(found.kept)
      rest = rest.dropFirst(1000)
    }
    return names
  }

  private func names(in records: [String]) throws -> JournalNames {
    try read(or: JournalNames()) { db in
      var names = JournalNames()
      if try db.hasRow("SELECT 1 FROM receipts LIMIT 1") {
        // By their key: an older journal that is read has no index on records.
        let sql = """
          SELECT 1 FROM intents WHERE EXISTS (
            SELECT 1 FROM receipts WHERE receipts.intent = intents.id AND record = ?) LIMIT 1
          """
        names.ended = Set(try records.filter { try db.hasRow(sql, [.text($0)]) }.map { JSONText($0) })
      }
      if try db.hasRow("SELECT 1 FROM kept LIMIT 1") {
        let sql = "SELECT 1 FROM kept WHERE record = ? LIMIT 1"
        names.kept = Set(try records.filter { try db.hasRow(sql, [.text($0)]) }.map { JSONText($0) })
      }
      return names
    }
  }
}
