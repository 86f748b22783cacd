import KeyedArchives
import Merging
import SQLiteFiles
import StoreInterface

/// The version of the server: the record that came in, or what is known of a newer one in its place.
extension Versions {
  /// Whether another device made it again or this one, of the row that is there, nobody can tell. The save that undid a deletion has made it
  /// with the edit: that one is no news before something else has taken the edit's place.
  static func returned(
    since inbox: InboxRow, _ chain: CaptureChain, in row: RowImage, _ metadata: MetadataRow?,
    _ shape: TableShape?
  ) -> ArchivedVersion? {
    guard chain.links[0].row != nil, inbox.isUndoneDeletion(by: metadata),
      let archive = ArchivedVersion(metadata?.allFields, shape: shape), let newest = archive.version.fields
    else { return nil }
    let isNews =
      inbox.path == "fetch"
      || !chain.edits(shape, givenWayTo: newest, in: row, at: metadata?.modificationTime).isEmpty
    return isNews ? archive : nil
  }

  /// Whether the server has no record, as far as is known here.
  var isDeletion: Bool { inbox.isDeleted && returned == nil }

  var server: RecordVersion {
    if isDeletion { return .deleted(time: inbox.receivedAt) }
    if let newest = newestOfRow { return .present(newest) }
    return serverArchive?.version.replacing(newestOverEdits).replacing(setOnceMore).replacing(receivedInstead)
      ?? .unknown(reason: "the server's record was not kept")
  }

  /// - Parameter names: see ``notKnown``.
  func setOnceMore(_ names: [String]) -> [String: FieldVersion<Value>] {
    // Of nearly every record the app knows by now what came in.
    guard !names.isEmpty, metadata?.allFields != inbox.serverRecord, let row,
      let came = serverArchive?.version.fields, let newest
    else { return [:] }
    return newest.setOnceMore(names, in: row, since: came)
  }

  /// What the app knows of the server's by now.
  var newest: RecordVersion.Fields? {
    let known = knownRecord.map { ArchivedVersion($0, shape: shape) }
    return (known ?? ArchivedVersion(metadata?.allFields, shape: shape))?.version.fields
  }

  /// The server's version where the engine has made the whole row of something else than the record that came in: the newest, of a record that
  /// was made anew since, as of the one before the server has nothing any more, and of a row that was deleted here and put back.
  var newestOfRow: RecordVersion.Fields? {
    guard let came = serverArchive?.version.fields else { return nil }
    if isRowAnew { return newest }
    return captured.isNoRow ? newestOfPutBack(after: came) : nil
  }

  /// The same of a row that was put back. Once its deletion is sent the row alone has that, as the engine has forgotten the record, and nobody
  /// noted when it was set.
  private func newestOfPutBack(after came: RecordVersion.Fields) -> RecordVersion.Fields? {
    guard let row else { return nil }
    guard let metadata else { return came.taking(row) }
    return isOutdated ? newest?.received(after: came, at: metadata.modificationTime) : nil
  }

  /// What the server has against these edits, where the row has that by now in place of the record that came in over them: be it the same value,
  /// which was set once more then. A row that is made of a record has the time of that.
  var newestOverEdits: [String: FieldVersion<Value>] {
    guard anew != nil, let row, let newest else { return [:] }
    let time = isRowAnew ? nil : metadata?.modificationTime
    let edits = chain.edits(shape, givenWayTo: newest, in: row, at: time)
    return edits.keys.reduce(into: [:]) { $0[$1] = newest[$1] }
  }

  func serverValue(_ name: String) -> Value? {
    receivedInstead[name]?.value ?? serverArchive?.version.fields?[name]?.value
  }

  /// The fields of which the app has received another value of the server since, which the row has: somebody made it upon what this device had
  /// sent, so that the server's one of the conflict is older than both.
  var superseded: Set<String> {
    guard isOutdated, inbox.isCaptured, let row, let old = server.fields, let newest else { return [] }
    let before = captured.row
    return Set(
      row.keys.filter { name in
        let now = row[name]
        return now == newest[name]?.value && now != before?[name] && now != old[name]?.value
      })
  }

  /// What the metadata have, of a captured record, where it is another; mostly the engine has taken in the very record.
  static func known(
    beside inbox: InboxRow, _ server: ArchivedVersion?, _ metadata: MetadataRow?
  ) -> ArchivedRecord? {
    guard inbox.isCaptured, !inbox.isDeleted, server?.hasRecord == true,
      metadata?.allFields?.hasSameBytes(as: inbox.serverRecord ?? []) != true
    else { return nil }
    return metadata?.allFields.flatMap { try? ArchivedRecord(decoding: $0) }
  }

  static func isOutdated(
    _ inbox: InboxRow, _ server: ArchivedVersion?, _ ancestor: ArchivedVersion?, _ known: ArchivedRecord?
  ) -> Bool {
    guard let server, server.hasRecord else { return false }
    if !inbox.isCaptured { return ancestor?.stamp.isNewer(than: server.stamp, ancestorTag: nil) ?? false }
    return known?.stamp.isNewer(than: server.stamp, ancestorTag: ancestor?.stamp.tag) ?? false
  }
}
