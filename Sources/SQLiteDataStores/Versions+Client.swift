import Merging
import SQLiteFiles
import StoreInterface

/// The version of the client: what a person here made or saw.
extension Versions {
  func client(ancestor: RecordVersion) -> RecordVersion {
    guard shape == nil || shape?.singleKey != nil else {
      return .unknown(reason: "the table's primary key is not a single column")
    }
    guard let values = clientRow else { return missingClient }
    // A row that is made again under the mark of its deletion leaves the time as it was.
    let now = isOverDeletion ? nil : metadata?.modificationTime
    guard case .row(let captured) = captured else {
      return .client(row: values, modificationTime: now, ancestor: ancestor)
    }
    let edited = RecordVersion.client(row: values, modificationTime: now, ancestor: ancestor)
    guard var fields = edited.fields else { return edited }
    for (name, value) in values
    where (captured[name] == value || row?[name] != value) && ancestor.fields?[name]?.value != value {
      fields[name]?.time = chain.clientTime(of: name, value, since: setBack[name]) ?? now
    }
    return .present(fields)
  }

  /// Whether the record is gone since it came in, and nothing tells who deleted it: as a deletion that was made here is sent, and as one that
  /// is fetched, the engine forgets the record, and it leaves nothing else. Before that the metadata have a mark, and until the server has
  /// answered the deletion is queued. Of a row that was edited and not sent the inbox has the fetched one.
  var isGoneSince: Bool {
    guard case .row = captured, shape != nil, row == nil, metadata == nil else { return false }
    return !inbox.isDeleted && !isDeletionQueued
  }

  private var missingClient: RecordVersion {
    let time = deletionTime
    if metadata?.isDeleted == true { return .deleted(time: time) }
    if shape == nil { return .unknown(reason: "the app database has no table for it") }
    switch captured {
    case .noRow: return .deleted(time: time)
    // Since it was captured, and nobody has noted when: the times here are of the last edit.
    case .row: return .deleted(time: nil)
    // The app marks what it deletes: without a mark the row may as well never have been stored.
    case .no, .unreadable: return .absent
    }
  }

  /// The engine puts a row back that was deleted here. Where there is none it was deleted once more, after the metadata's time.
  private var deletionTime: Int64? {
    let now = metadata?.modificationTime
    if case .noRow = captured, row == nil, let now, now > inbox.receivedAt { return now }
    return inbox.clientTime ?? now
  }

  /// The values that a person here made or saw; nil if the client has no row.
  private var clientRow: RowImage? {
    switch (captured, row) {
    case (.row(let captured), nil):
      inbox.isDeleted || isGoneSince ? chain.unapplied(captured, shape).row : nil
    case (.row, let row?): anew == nil ? unapplied(row).row : row.merging(editsOfBefore) { $1 }
    case (.noRow, let row?): isPutBack(row) ? nil : row
    case (.no, _), (.unreadable, _), (.noRow, nil): row
    }
  }

  private func unapplied(_ row: RowImage) -> CaptureChain.Unapplied {
    chain.unapplied(chain.links[0].unapplied(row, back.captured), shape)
  }

  /// The fields of which the row has what came in, and nobody knows whether somebody here has set it.
  var notKnown: [String] {
    guard let row, chain.links.count > 1 else { return back.notKnown }
    return back.notKnown + unapplied(row).notKnown
  }

  /// Of a record that was made anew the engine's row is whole the server's, and only what was edited before is the client's.
  var editsOfBefore: RowImage {
    guard anew != nil, let row else { return [:] }
    let (came, later) = (server.fields, newestOverEdits)
    return chain.edits(shape).filter { name, value in
      later[name] != nil || came?[name].map { row.mayHave($0.value, insteadOf: value, in: name) } ?? false
    }
  }

  /// Whether this row is the engine's, which has put it back after its deletion here. The mark of that stands until it is sent; then the metadata
  /// are gone, and whoever edits the row makes them anew.
  private func isPutBack(_ row: RowImage) -> Bool {
    guard let metadata else { return true }
    guard let came = serverArchive?.version.fields else { return false }
    if !isRowAnew, row.isMade(of: came) { return true }
    guard metadata.isDeleted, let newest else { return false }
    return row.isMade(of: newest) && newest.received(after: came, at: metadata.modificationTime) == newest
  }

  /// What the row has and the server's record does not.
  var ownOfRow: RowImage? {
    let came = server.fields
    return row?.filter { name, value in value != .null && came?[name]?.value != value }
  }
}
