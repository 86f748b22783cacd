import Merging
import StoreInterface

/// A record of the server's that the engine is to have for the last it knows. What differs from it is sent with the new time, and what
/// does not with its old one.
extension WritePlan {
  struct Basis {
    /// nil where it is the metadata's, as it is.
    var archive: [UInt8]?
    var record: ArchivedVersion?
    var fields: RecordVersion.Fields
  }

  /// The newest; or the one in the inbox, where less is lost over that.
  ///
  /// Over the older one a value is sent once more that is the newest already, at a time at which other devices do not take it. The
  /// server's answer, that this ancestor is old, brings the tag it needs, and is no news: see ``EarlierDecisions``.
  func basis(of row: RowImage, over server: RecordVersion.Fields) -> Basis {
    if hasMoved { return Basis(record: ancestor, fields: ancestor?.version.fields ?? [:]) }
    let archive = state.inbox.serverRecord
    // The archive's own, where the conflict has the newest in their place.
    let own = archive == nil ? completed(server) : state.server?.version.fields ?? server
    let received = Basis(archive: archive, record: state.server, fields: own)
    guard let newer = newerAncestor else { return received }
    let newest = Basis(record: newer, fields: newer.version.fields ?? [:])
    if archive == nil { return newest }
    return lost(row, over: received).count < lost(row, over: newest).count ? received : newest
  }

  /// Whether the record has moved to another zone since this one came in: its archive is that of another record now, and never the
  /// ancestor. Of what lies in the new zone the metadata have the archive, or none as long as the move is not sent.
  private var hasMoved: Bool {
    guard state.inbox.serverRecord != nil, let record = state.server?.record else { return false }
    return state.metadata?.otherPlace(of: record) != nil
  }

  /// The fields of which not all devices will have the row's value, or not even this one.
  ///
  /// Over an older record the engine meets the newest as it sends, and takes that in (FORMAT.md, "How the engine takes in a record"): what
  /// was not edited over the older one becomes the newest's, unless that does not come with a later time. Then what is sent is what
  /// differs from what it has now. A NULL in the place of a blob counts as no edit there.
  ///
  ///     over the basis      the engine then has       the row is sent
  ///     not edited          another value             never, and gets that value       lost
  ///     edited or not       the row's                 at that value's old time         lost, if others have another at no earlier time
  ///     edited              another value             later than all                   –
  func lost(_ row: RowImage, over basis: Basis) -> [String] {
    let newest = newerAncestor?.version.fields ?? basis.fields
    let known = [newest, state.conflict.versions.server.fields ?? [:]]
    return row.compactMap { name, value in
      guard name != key.name, let own = basis.fields[name], let now = newest[name] else { return nil }
      let isPutBack = own.value != now.value && own.time ?? .min >= now.time ?? .min
      let kept = isPutBack ? own : now
      // What was not edited over the basis, and a NULL in a blob's column, which the engine does not see.
      let isUnseen =
        value.isRecorded(as: own.value) || (value == .null && kept.value.isBytes && basis.archive != nil)
      let isKept = value.isRecorded(as: kept.value)
      if isUnseen, !isKept { return name }
      guard isKept else { return nil }
      let isRefused = known.contains {
        guard let other = $0[name] else { return false }
        return !value.isRecorded(as: other.value) && other.time ?? .min >= kept.time ?? .min
      }
      return isRefused ? name : nil
    }
  }
}
