import Journals
import Merging
import RowJournals
import StoreInterface

extension SQLiteDataStore {
  package func lastWrite() throws -> LastWrite? {
    guard let intent = try log.newestWrite()?.intent else { return nil }
    var parts: [String] = []
    var columns: [String: [String]] = [:]
    let records = try intent.records.map { record in
      let changes = try log.readableChanges(of: record, in: intent.id).changes
      for words in changes.filter({ !$0.changesNothing }).map(\.words) where !parts.contains(words) {
        parts.append(words)
      }
      return LastWrite.Record(id: record.id, title: record.title, fields: fields(of: changes, &columns))
    }
    return LastWrite(
      id: intent.id, records: records,
      takingBack: intent.act == .import
        ? SQLiteDataStore.takingBackAnImport : try route(of: intent).takingBack(changed: parts))
  }

  /// In the order of their table, as the review of the write had them; of a table that cannot be read now, by their names.
  ///
  /// - Parameter known: the columns of tables that were looked at.
  private func fields(of changes: [StoredChange], _ known: inout [String: [String]]) -> [LastWrite
    .FieldChange]
  {
    changes.filter(\.isOfTheRow).flatMap { change in
      let columns = known[change.table] ?? columns(of: change.table)
      known[change.table] = columns
      let fields = Dictionary(change.fields.map { ($0.name, $0) }) { first, _ in first }
      let others = change.fields.filter { !columns.contains($0.name) }
      return columns.compactMap { fields[$0] } + others
    }
  }

  private func columns(of table: String) -> [String] {
    let shape = try? read { db in try tables.shape(of: table, in: db) }
    return shape?.columns.map(\.name) ?? []
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
  fileprivate var fieldsOfTheRow: [LastWrite.FieldChange] { filter(\.isOfTheRow).flatMap(\.fields) }
}

extension StoredChange {
  /// Whether it is of the records of the app, and not of what engines and Parley keep of them.
  fileprivate var isOfTheRow: Bool { file == .app && !table.hasPrefix("parley_") }
}
