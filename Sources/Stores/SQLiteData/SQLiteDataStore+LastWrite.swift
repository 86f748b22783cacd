import Merging

extension SQLiteDataStore {
  public func lastWrite() throws -> LastWrite? {
    try log.newestWrite().map { write in
      LastWrite(
        id: write.intent.id, records: write.intent.records.map(LastWrite.Record.init),
        takingBack: write.intent.takingBack)
    }
  }
}

extension Intent {
  fileprivate var takingBack: String {
    switch route {
    case .outbox:
      "The draft is taken out of the app's parley_outbox again, if the app has not applied it yet. Nothing else is touched."
    case .direct:
      "Put back as before, in one transaction, where nobody has changed it since: \(changedParts.joined(separator: ", "))."
    }
  }

  private var changedParts: [String] {
    var seen: Set<String> = []
    return records.flatMap(\.changes).filter { !$0.changesNothing }.map(\.words).filter {
      seen.insert($0).inserted
    }
  }
}

extension LastWrite.Record {
  fileprivate init(_ record: RecordChanges) {
    let rows = record.changes.filter(\.isOfTheRow)
    self.init(id: record.record, title: record.title, fields: rows.flatMap(\.fields))
  }
}

extension StoredChange {
  fileprivate var isOfTheRow: Bool { file == .app && !ParleyTables.written.contains(table) }

  fileprivate var fields: [LastWrite.FieldChange] {
    let names = Set((before ?? [:]).keys).union((after ?? [:]).keys).sorted()
    return names.filter { before?[$0] != after?[$0] }.map {
      LastWrite.FieldChange(name: $0, before: before?[$0], after: after?[$0])
    }
  }
}
