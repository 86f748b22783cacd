import KeyedArchives
import Merging
import SQLiteFiles
import StoreInterface

/// Why one of a conflict's versions is, or may be, of another record of the same name: this one was deleted in between, or has moved to
/// another zone. Then there is no ancestor of them both, and what somebody here had edited before lies in the inbox alone: see
/// ``CaptureChain/edits(_:)``.
enum AnotherRecord {
  case madeAnew, notKnownToBeIt
  /// What moves is another record to the server, made in the other zone.
  case elsewhere
  /// The engine makes no difference: whoever deletes a row and inserts it once more may as well have saved the same record.
  case overDeletion

  var words: String {
    switch self {
    case .madeAnew: "the record was deleted in between, and made anew"
    case .elsewhere: "the record was moved to another zone in between, or deleted and made anew there"
    case .notKnownToBeIt:
      """
      the app knows no record of the server's for this row any more, as after a deletion, or a save that was refused for good: it may be \
      another one by now
      """
    case .overDeletion:
      """
      the row was deleted here and is there again, and that deletion is not sent: it may be another record's by now
      """
    }
  }

  /// By the server's own clock: it was made after this one was last changed. nil where it was not.
  static func made(_ known: ArchivedRecord?, since server: ArchivedVersion?) -> AnotherRecord? {
    guard let known, let server = server?.record, let made = known.createdAt, let before = server.modifiedAt,
      made > before
    else { return nil }
    return known.isInPlace(of: server) ? .madeAnew : .elsewhere
  }

  /// The engine keeps what it took in for as long as it has the record. It forgets it with a deletion, and where the server refused a save
  /// for good; what is made anew has a later time.
  static func isUnknownToApp(_ inbox: InboxRow, _ server: ArchivedVersion?, _ metadata: MetadataRow?)
    -> Bool
  {
    guard inbox.isCaptured, !inbox.isDeleted, server?.hasRecord == true, metadata?.allFields == nil else {
      return false
    }
    return metadata.map { $0.modificationTime > inbox.receivedAt } ?? true
  }
}

extension CaptureChain {
  /// What somebody here had put into the row when a record came in, and of several the newest. What its ancestor has the engine had put
  /// there; where it has none, both had made the record.
  func edits(_ shape: TableShape?) -> RowImage {
    links.reversed().reduce(into: [:]) { edits, link in edits.merge(link.edits(shape)) { $1 } }
  }

  /// Those in whose place the row has something else of what the app knows by now. Where an edit of this device did that, and was saved, the
  /// record has the time of the metadata: what comes in over a row sets another one there.
  ///
  /// - Parameter time: nil where that tells nothing.
  func edits(
    _ shape: TableShape?, givenWayTo newest: RecordVersion.Fields, in row: RowImage, at time: Int64?
  ) -> RowImage {
    edits(shape).filter { name, value in
      guard let now = newest[name], row.mayHave(now.value, insteadOf: value, in: name) else { return false }
      return time == nil || now.time != time
    }
  }
}

extension CaptureChain.Link {
  /// The same of one record.
  func edits(_ shape: TableShape?) -> RowImage {
    let known = ArchivedVersion(inbox.ancestorRecord, shape: shape)?.agreed?.version.fields
    return row?.filter { name, value in known == nil || value != known?[name]?.value ?? .null } ?? [:]
  }
}

extension RecordVersion.Fields {
  /// These fields as they were before somebody edited the row that is made of them, and saved that: it has the time of the metadata, as above.
  ///
  /// - Parameter came: of which the row was put back first. A row that is inserted has the time of that.
  func received(after came: RecordVersion.Fields, at time: Int64) -> RecordVersion.Fields {
    reduce(into: self) { fields, field in
      let old = came[field.key]
      if field.value.time == time, field.value.value != old?.value { fields[field.key] = old }
    }
  }

  /// These fields with the row's values, where it has others.
  func taking(_ row: RowImage) -> RecordVersion.Fields {
    reduce(into: self) { fields, field in
      guard let value = row[field.key], !row.mayHave(field.value.value, in: field.key) else { return }
      fields[field.key] = Version(value, time: nil)
    }
  }

  /// Those of these fields that have the row's value with a later time than in the record that came in, which has it, too.
  func setOnceMore(
    _ names: [String], in row: RowImage, since came: RecordVersion.Fields
  ) -> [String: Version] {
    names.reduce(into: [:]) { fields, name in
      guard let now = self[name], let old = came[name], now.value == old.value, row[name] == now.value else {
        return
      }
      if now.time ?? .min > old.time ?? .min { fields[name] = now }
    }
  }
}
