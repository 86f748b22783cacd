import Merging

/// What a device asks of the server for one record.
package enum Upload: Sendable, Equatable {
  /// The record carries the tag of the version it was made on, or none if it is new.
  case save(ServerRecord)
  /// CloudKit deletes whatever it has, and never compares a tag. The model needs the comparison (an app gets it by
  /// fetching right before), so that a deletion cannot take an edit along that its author never saw.
  case delete(onlyIf: ChangeTag?, at: Int64)
}

/// What the server says to an upload.
package enum Answer: Sendable, Equatable {
  case saved(ServerRecord)
  case deleted
  /// Refused: the record there is not the one that the upload was made on.
  case changed(ServerRecord)
  /// Refused: there is no such record, or no longer.
  case missing
  /// Refused: the parent is not there, or a child still is.
  case referenceViolation
  /// Refused: this device may only read. With the record as it is, if there is one.
  case notPermitted(ServerRecord?)
  /// Not even looked at, because another upload of the same batch was refused.
  case batchFailed
}

extension Cloud {
  /// Takes a whole batch, or nothing of it: a zone is saved atomically.
  mutating func answer(
    _ uploads: [RecordName: Upload], from device: String, tables: [String: Table]
  ) -> [RecordName: Answer] {
    let refusals = refusals(of: uploads, from: device, tables: tables)
    guard refusals.isEmpty else { return uploads.mapValues { _ in .batchFailed }.merging(refusals) { $1 } }
    var answers: [RecordName: Answer] = [:]
    for (name, upload) in uploads.sorted(by: { $0.key < $1.key }) {
      answers[name] = take(upload, as: name, from: device)
    }
    return answers
  }

  private mutating func take(_ upload: Upload, as name: RecordName, from device: String) -> Answer {
    switch upload {
    case .save(let record): return .saved(put(record, as: name))
    case .delete(_, let time):
      remove(name, at: time, by: device)
      return .deleted
    }
  }

  private func refusals(
    of uploads: [RecordName: Upload], from device: String, tables: [String: Table]
  ) -> [RecordName: Answer] {
    var refusals: [RecordName: Answer] = [:]
    for (name, upload) in uploads {
      refusals[name] =
        readers.contains(device)
        ? .notPermitted(records[name])
        : staleness(of: upload, as: name) ?? violation(by: upload, as: name, among: uploads, tables: tables)
    }
    return refusals
  }

  private func staleness(of upload: Upload, as name: RecordName) -> Answer? {
    let current = records[name]
    switch upload {
    case .save(let record) where record.tag != current?.tag: return current.map(Answer.changed) ?? .missing
    case .delete(let tag?, _) where current != nil && current?.tag != tag: return current.map(Answer.changed)
    case .save, .delete: return nil
    }
  }

  private func violation(
    by upload: Upload, as name: RecordName, among uploads: [RecordName: Upload], tables: [String: Table]
  ) -> Answer? {
    switch upload {
    case .save(let record):
      guard let parent = tables[name.table]?.parent(of: record.value) else { return nil }
      return records[parent] != nil || uploads[parent] != nil ? nil : .referenceViolation
    case .delete:
      let children = records.filter { tables[$0.key.table]?.parent(of: $0.value.value) == name }
      return children.keys.allSatisfy { uploads[$0] != nil } ? nil : .referenceViolation
    }
  }
}
