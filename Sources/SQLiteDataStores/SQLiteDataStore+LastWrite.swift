import Journals
import Merging
import RowJournals
import StoreInterface

extension SQLiteDataStore {
  package func lastWrite() throws -> LastWrite? {
    guard let intent = try log.newestWrite()?.intent else { return nil }
    var parts: [String] = []
    let records = try intent.records.map { record in
      let changes = try log.readableChanges(of: record, in: intent.id).changes
      for words in changes.filter({ !$0.changesNothing }).map(\.words) where !parts.contains(words) {
        parts.append(words)
      }
      return LastWrite.Record(id: record.id, title: record.title, fields: changes.fieldsOfTheRow)
    }
    return LastWrite(
      id: intent.id, records: records,
      takingBack: intent.act == .import
        ? SQLiteDataStore.takingBackAnImport : try route(of: intent).takingBack(changed: parts))
  }

  private static let takingBackAnImport =
    "What was imported is taken out of the inbox again, where nothing was written of it since. Nothing else is touched."
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

extension PayloadReading {
  static let ofRows = PayloadReading(old: OldJournals.versions) { try $0.changes().fieldsOfTheRow }
}

extension [StoredChange] {
  /// What changes of the records of the app, and not of what engines and Parley keep of them.
  fileprivate var fieldsOfTheRow: [LastWrite.FieldChange] {
    filter { $0.file == .app && !$0.table.hasPrefix("parley_") }.flatMap(\.fields)
  }
}
