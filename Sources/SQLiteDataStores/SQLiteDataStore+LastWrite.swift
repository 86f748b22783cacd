import Journals
import Merging
import StoreInterface

extension SQLiteDataStore {
  package func lastWrite() throws -> LastWrite? {
    guard let intent = try log.newestWrite()?.intent else { return nil }
    var parts: [String] = []
    let records = try intent.records.map { record in
      let changes = try log.readableChanges(of: record, in: intent.id)
      for words in changes.changes.filter({ !$0.changesNothing }).map(\.words) where !parts.contains(words) {
        parts.append(words)
      }
      return LastWrite.Record(changes)
    }
    return LastWrite(
      id: intent.id, records: records,
      takingBack: intent.act == .import
        ? SQLiteDataStore.takingBackAnImport : try route(of: intent).takingBack(changed: parts))
  }

  private static let takingBackAnImport =
    "What was imported is taken out of the inbox again, where nothing was written of it since. Nothing else is touched."

  package func checkUndo(_ extent: UndoExtent) throws -> [CheckedUndo] {
    try log.checkUndo(extent, record: LastWrite.Record.init) { write in
      if try log.isOfTheJournalAlone(write) { return try checkImports(of: write) }
      return try rehearse(route(of: write)) { db in try attempt(undoOf: write, in: db) { _ in } }
    }
  }
}

extension WriteRoute {
  fileprivate func takingBack(changed parts: [String]) -> String {
    switch self {
    case .outbox:
      "The draft is taken out of the app's parley_outbox again, if the app has not applied it yet. Nothing else is touched."
    case .direct:
      "Put back as before, in one transaction, where nobody has changed it since: \(parts.joined(separator: ", "))."
    }
  }
}

extension LastWrite.Record {
  fileprivate init(_ record: RecordChanges) {
    let rows = record.changes.filter(\.isOfTheRow)
    self.init(id: record.record, title: record.title, fields: rows.flatMap(\.fields))
  }
}
