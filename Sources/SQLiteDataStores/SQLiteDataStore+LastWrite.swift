import Journals
import Merging
import RowJournals
import StoreInterface

extension SQLiteDataStore {
  package func lastWrite() throws -> LastWrite? {
    guard let intent = try log.newestWrite()?.intent else { return nil }
    var parts: [String] = []
    var known = KnownTables()
    let records = try intent.records.map { record in
      let readable = try log.readableChanges(of: record, in: intent.id)
      let changes = readable.changes
      for words in changes.filter({ !$0.changesNothing }).map(\.words) where !parts.contains(words) {
        parts.append(words)
      }
      var told = WrittenChanges(changes, of: record.id, fields: fields(of: changes, &known))
      told.damage = readable.damage
      return LastWrite.Record(id: record.id, title: record.title, changes: told)
    }
    return LastWrite(
      id: intent.id, records: records,
      takingBack: intent.act == .import
        ? SQLiteDataStore.takingBackAnImport : try route(of: intent).takingBack(changed: parts))
  }

  /// What was looked at for other records of the write.
  private struct KnownTables {
    var columns: [String: [String]] = [:]
    /// The columns of a table that point to records by themselves.
    var pointing: [String: Set<String>] = [:]
    /// What records are called, by the column that points to them: "reminders.listID".
    var titles: [String: [Value: String]] = [:]
  }

  /// In the order of their table, as the review of the write had them; of a table that cannot be read now, by their names.
  private func fields(of changes: [StoredChange], _ known: inout KnownTables) -> [LastWrite.FieldChange] {
    changes.filter(\.isOfTheRow).flatMap { ordered($0.fields, of: $0.table, &known) }
  }

  private func ordered(
    _ fields: [LastWrite.FieldChange], of table: String, _ known: inout KnownTables
  ) -> [LastWrite.FieldChange] {
    let columns = columns(of: table, &known)
    let places = Dictionary(fields.map { ($0.name, $0) }) { first, _ in first }
    let others = fields.filter { !columns.contains($0.name) }
    return columns.compactMap { places[$0].map { titled($0, of: table, &known) } } + others
  }

  package func tellingUndos() -> (CheckedUndo) -> CheckedUndo {
    var known = KnownTables()
    return { [self] undo in
      guard let table = RecordName(undo.checked.id)?.table else { return undo }
      var undo = undo
      let fields = undo.changes.fields
      undo.changes.fields =
        ordered(fields.filter { !$0.isBeside }, of: table, &known) + fields.filter(\.isBeside)
      return undo
    }
  }

  /// As the review had it: "Health", and not the key of that list. One that is gone is told by its key.
  private func titled(
    _ field: LastWrite.FieldChange, of table: String, _ known: inout KnownTables
  ) -> LastWrite.FieldChange {
    guard known.pointing[table]?.contains(field.name) == true else { return field }
    var (field, column) = (field, "\(table).\(field.name)")
    let values = [field.before, field.after]
    let unknown = values.filter { value in value.map { known.titles[column]?[$0] == nil } ?? false }
    let found = try? read { db in
      try ReferenceTitles(db: db, tables: tables).titles(of: unknown, column: field.name, of: table)
    }
    known.titles[column, default: [:]].merge(found ?? [:]) { old, _ in old }
    for value in values.compactMap(\.self) { field.titles[value] = known.titles[column]?[value] }
    return field
  }

  private func columns(of table: String, _ known: inout KnownTables) -> [String] {
    if let columns = known.columns[table] { return columns }
    let shape = try? read { db in try tables.shape(of: table, in: db) }
    let columns = shape?.columns.map(\.name) ?? []
    known.columns[table] = columns
    let keys = (shape?.foreignKeys ?? []).filter { $0.columns.count == 1 }
    known.pointing[table] = Set(keys.flatMap(\.columns))
    return columns
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
      "Taken back in one transaction, where nobody has changed it since: \(parts.joined(separator: ", "))."
    }
  }
}

extension PayloadReading {
  static let ofRows = PayloadReading(old: OldJournals.versions, tellsUndos: true) {
    let changes = try $0.changes()
    return WrittenChanges(
      changes, of: $0.id, fields: changes.filter(\.isOfTheRow).flatMap(\.fields))
  }
}

extension WrittenChanges {
  /// - Parameter fields: of the rows, those of the record among them.
  fileprivate init(_ changes: [StoredChange], of record: String, fields: [LastWrite.FieldChange]) {
    let table = RecordName(record)?.table.lowercased()
    self.init(fields: fields)
    for place in self.fields.indices {
      self.fields[place].isBeside = fields[place].table?.lowercased() != table
    }
    isBesideToo = changes.contains(where: \.bringsBackBeside)
  }
}

extension StoredChange {
  /// Whether it is of the records of the app, and not of what engines and Parley keep of them.
  fileprivate var isOfTheRow: Bool { file == .app && !table.hasPrefix("parley_") }

  /// Whether something else is as before once it is taken back. What was put there, as a draft into the outbox, goes.
  fileprivate var bringsBackBeside: Bool {
    file != .journal && !isOfTheRow && before != nil && !changesNothing
  }
}
